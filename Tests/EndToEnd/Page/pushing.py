"""Reminders through a push service, while the page is closed."""

import json

from playwright.sync_api import expect

from browsing import wait_for
from marks import only_on
from offline import installed

# Chromium without a push service: the subscription is a stand-in, and the messages come from the developer tools.
STAND_IN = """
    const own = {
        endpoint: "https://push.example.org/a",
        toJSON: () => ({ endpoint: own.endpoint, expirationTime: null, keys: {
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg" } }),
        unsubscribe: async () => { sessionStorage.removeItem("pushing"); return true; },
    };
    PushManager.prototype.subscribe = async (options) => {
        if (atob(options.applicationServerKey.replaceAll("-", "+").replaceAll("_", "/")).length !== 65) throw new Error("no key");
        sessionStorage.setItem("pushing", "1");
        return own;
    };
    PushManager.prototype.getSubscription = async () => (sessionStorage.getItem("pushing") ? own : null);
"""


# Chromium may drop a notification that is being shown when someone asks which are shown.
COUNTING = """() => {
    self.shown = 0;
    const show = registration.showNotification.bind(registration);
    registration.showNotification = async (...details) => {
        await show(...details);
        self.shown += 1;
    };
}"""


def pushing(window, base):
    """Returns a function that delivers a message to the service worker of the page, and waits until its notification is shown."""
    tools = window.context.new_cdp_session(window.page)
    found = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(one["registrationId"] for one in event["registrations"]))
    tools.send("ServiceWorker.enable")
    wait_for(window.page, lambda: found and window.context.service_workers)
    worker = window.context.service_workers[0]
    worker.evaluate(COUNTING)

    def deliver(data):
        before = worker.evaluate("shown")
        tools.send("ServiceWorker.deliverPushMessage", {"origin": base, "registrationId": found[-1], "data": data})
        wait_for(window.page, lambda: worker.evaluate("shown") > before)

    return deliver


def shown(page, *titles):
    """Waits up to twenty seconds until the notifications that are shown have these titles, and returns them."""
    found = page.evaluate("""async (titles) => {
        for (const end = Date.now() + 20_000; ; await new Promise((next) => setTimeout(next, 20))) {
            const all = await (await navigator.serviceWorker.getRegistration()).getNotifications();
            if (String(all.map(({ title }) => title)) === String(titles) || Date.now() > end) {
                return all.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
            }
        }
    }""", titles)
    assert [one["title"] for one in found] == list(titles), found
    return found


def choose(window, action):
    """Chooses an action of the only notification, or the notification itself if it is empty."""
    window.context.service_workers[0].evaluate("""async (action) => {
        const [notification] = await registration.getNotifications();
        dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
    }""", action)


@only_on("desktop")
def test_a_message_becomes_a_notification_whose_actions_work_without_the_page(visit, client):
    with installed(visit, client) as window:
        window.context.grant_permissions(["notifications"])
        page = window.page
        deliver = pushing(window, client.base)
        person = client.rows("/v1/prospects?q=ada")[0]["id"]
        reminder = {"id": "r1", "prospect": person, "title": "Contact Ada Lovelace", "body": "Booth 12"}
        for title in ["Contact Ada", "Contact Ada Lovelace"]:
            # The same reminder, also from the page, replaces its notification.
            deliver(json.dumps({**reminder, "title": title}))
        assert shown(page, "Contact Ada Lovelace") == [
            {"title": "Contact Ada Lovelace", "body": "Booth 12", "tag": "r1", "data": {"prospect": person}}]
        choose(window, "contacted")
        shown(page)
        wait_for(page, lambda: client.rows("/v1/prospects?q=ada")[0]["prospect"]["contacted"])
        # Without an action, the page opens the prospect.
        deliver(json.dumps({**reminder, "id": "r2"}))
        assert [one["tag"] for one in shown(page, "Contact Ada Lovelace")] == ["r2"]
        choose(window, "")
        expect(page.get_by_role("heading", level=2, name="Ada Lovelace")).to_be_visible()
        shown(page)
        # Browsers require a notification for each message, also for one that cannot be read.
        deliver("no JSON")
        shown(page, "Reminder")


@only_on("phone")
def test_the_icon_counts_overdue_reminders_while_the_page_is_closed(visit, client):
    with installed(visit, client) as window:
        window.context.grant_permissions(["notifications"])
        deliver = pushing(window, client.base)
        worker = window.context.service_workers[0]
        worker.evaluate("""() => {
            self.badges = [];
            WorkerNavigator.prototype.setAppBadge = async (count) => { badges.push(count); };
        }""")
        people = [client.rows(f"/v1/prospects?q={name}")[0]["id"] for name in ["ada", "grace"]]
        for person in people:
            client.ask("PUT", f"/v1/prospects/{person}/reminder", {"in": 1})
        wait_for(window.page, lambda: len(client.rows("/v1/reminders?overdue=true")) == 2)
        deliver(json.dumps({"id": "r1", "prospect": people[0], "title": "Contact Ada Lovelace", "body": ""}))
        wait_for(window.page, lambda: worker.evaluate("badges") == [2])
        choose(window, "contacted")
        wait_for(window.page, lambda: worker.evaluate("badges") == [2, 1])


@only_on("phone")
def test_reminders_while_the_page_is_closed_are_turned_on_and_off_in_the_settings(visit, client):
    with installed(visit, client) as window:
        window.context.grant_permissions(["notifications"])
        page = window.page
        page.add_init_script(STAND_IN)
        page.reload()
        window.open("settings")
        switch = page.get_by_role("group", name="Remind me on this device even while the page is closed.")
        expect(switch.get_by_role("button", name="Off")).to_have_attribute("aria-pressed", "true")
        with page.expect_response(lambda answer: answer.url.endswith("/v1/push") and answer.request.method == "PUT") as put:
            switch.get_by_role("button", name="On").click()
        assert put.value.status == 204
        expect(switch.get_by_role("button", name="On")).to_have_attribute("aria-pressed", "true")
        # After a reload it is on, and the server knows it again.
        with page.expect_response(lambda answer: answer.url.endswith("/v1/push") and answer.request.method == "PUT") as again:
            page.reload()
        assert again.value.status == 204
        expect(switch.get_by_role("button", name="On")).to_have_attribute("aria-pressed", "true")
        with page.expect_response(lambda answer: "/v1/push?endpoint=" in answer.url and answer.request.method == "DELETE") as removed:
            switch.get_by_role("button", name="Off").click()
        assert removed.value.status == 204
        expect(switch.get_by_role("button", name="Off")).to_have_attribute("aria-pressed", "true")
        # Signing out ends the subscription of the browser, too.
        switch.get_by_role("button", name="On").click()
        expect(switch.get_by_role("button", name="On")).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_function("() => sessionStorage.getItem('pushing') === null")
