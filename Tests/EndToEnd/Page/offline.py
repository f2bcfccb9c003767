"""The page without the server: the service worker starts it, shows the last data seen, and keeps changes."""

import contextlib
import time

from playwright.sync_api import expect

from browsing import Visit
from marks import only_on
from service import Client, Service, fill
from slow_line import SlowLine


@contextlib.contextmanager
def installed(visit, client):
    """A window with a service worker that has kept the page."""
    context = visit.browser.open_window(visit.size, service_workers="allow")
    window = Visit(visit.browser, visit.size, context)
    try:
        window.sign_in(client.token)
        page = window.open("contacts")
        expect(window.rows().first).to_be_visible()
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        yield window
        assert not window.complaints, window.complaints
    finally:
        context.close()


def test_the_page_starts_offline_with_the_last_data_seen(visit, client):
    with installed(visit, client) as window:
        page = window.page
        page.reload()
        expect(window.rows().first).to_be_visible()
        first = window.rows().first.inner_text()
        page.get_by_role("link", name="Prospects", exact=True).click()
        expect(page.get_by_text("Grace Hopper")).to_be_visible()
        window.context.set_offline(True)
        page.goto("about:blank")
        window.open("contacts")
        expect(window.rows().first).to_be_visible()
        assert window.rows().first.inner_text() == first
        expect(page.get_by_role("alert")).to_contain_text("You see the data of")
        page.get_by_role("link", name="Prospects", exact=True).click()
        expect(page.get_by_text("Grace Hopper")).to_be_visible()
        window.context.set_offline(False)
        page.get_by_role("link", name="Find", exact=True).click()
        expect(page.get_by_role("alert")).to_have_count(0)


def test_changes_made_offline_wait_and_are_sent(visit, client):
    with installed(visit, client) as window:
        page = window.page
        person = client.rows("/v1/prospects?q=ada")[0]["id"]
        window.open(f"prospects/{person}")
        expect(page.get_by_role("heading", level=2, name="Ada Lovelace")).to_be_visible()
        # The worker has the form's data once they were read under its control.
        page.reload()
        expect(page.get_by_role("heading", level=2, name="Ada Lovelace")).to_be_visible()
        window.context.set_offline(True)
        page.get_by_role("link", name="Edit").click()
        page.get_by_label("Note").fill("Met again")
        page.get_by_role("button", name="Save").click()
        waiting = page.get_by_role("region", name="Changes that wait for the server")
        expect(waiting).to_contain_text("1 change waits for the server")
        waiting.get_by_role("button", name="Show").click()
        expect(waiting).to_contain_text("Prospect Ada Lovelace")
        # The change survives the page, and the page shows it.
        page.goto("about:blank")
        window.open(f"prospects/{person}")
        expect(page.get_by_text("Met again")).to_be_visible()
        expect(waiting).to_contain_text("1 change waits")
        assert not client.ask("GET", f"/v1/prospects/{person}")["prospect"].get("note")
        window.context.set_offline(False)
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(waiting).to_have_count(0)
        assert client.ask("GET", f"/v1/prospects/{person}")["prospect"]["note"] == "Met again"


@only_on("desktop")
def test_a_waiting_change_of_an_outdated_version_asks(visit, client):
    with installed(visit, client) as window:
        page = window.page
        person = client.rows("/v1/prospects?q=grace")[0]["id"]
        window.open(f"prospects/{person}/edit")
        expect(page.get_by_label("Note")).to_be_visible()
        page.reload()
        page.get_by_label("Note").fill("Mine")
        window.context.set_offline(True)
        page.get_by_role("button", name="Save").click()
        waiting = page.get_by_role("region", name="Changes that wait for the server")
        expect(waiting).to_contain_text("1 change waits")
        client.ask("PATCH", f"/v1/prospects/{person}", {"note": "Theirs"})
        window.context.set_offline(False)
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(waiting).to_contain_text("changed elsewhere")
        assert client.ask("GET", f"/v1/prospects/{person}")["prospect"]["note"] == "Theirs"
        waiting.get_by_role("button", name="Send again").click()
        expect(waiting).to_have_count(0)
        assert client.ask("GET", f"/v1/prospects/{person}")["prospect"]["note"] == "Mine"


@only_on("desktop")
def test_signing_out_removes_the_data_from_the_browser(visit, client):
    with installed(visit, client) as window:
        page = window.page
        page.reload()
        expect(window.rows().first).to_be_visible()
        stored = "caches.open('data').then((cache) => cache.keys()).then((keys) => keys.length)"
        page.wait_for_function(f"() => {stored}.then((count) => count > 0)")
        window.open("settings")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Token")).to_be_visible()
        assert page.evaluate(stored) == 0
        assert page.evaluate("localStorage.length") == 0
        window.context.set_offline(True)
        page.goto("about:blank")
        page.goto("/#/contacts")
        expect(page.get_by_label("Token")).to_be_visible()


def first_lists(visit, line, token):
    """Returns the figures of a cold and a warm start: seconds until the first list, requests and bytes."""
    context = visit.browser.open_window("phone", service_workers="allow", base=line.base)
    window = Visit(visit.browser, "phone", context)
    try:
        window.sign_in(token)
        page = window.page
        for _ in ["cold", "warm"]:
            page.goto("about:blank")
            line.reset()
            began = time.monotonic()
            page.goto("/#/prospects", wait_until="commit")
            expect(window.rows().first).to_be_visible()
            yield time.monotonic() - began, line.count, line.received
            page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            page.wait_for_function("() => navigator.serviceWorker.controller !== null")
            # The worker has the list once it was read under its control.
            window.open("prospects")
            page.reload()
            expect(window.rows().first).to_be_visible()
            page.wait_for_timeout(1_500)
    finally:
        context.close()


@only_on("phone")
def test_the_first_list_appears_soon_on_a_slow_line(visit, client):
    with Service(client.service.program, options=["--public-host", "127.0.0.1"]) as service:
        token = service.token("ana")
        fill(Client(service, token))
        line = SlowLine(int(service.base.rsplit(":", 1)[1]))
        # Other work on the machine only adds time, so the fastest of three starts counts.
        runs = []
        for _ in range(3):
            runs.append(list(first_lists(visit, line, token)))
            print("; ".join(f"{seconds:.2f} s, {count} requests, {received / 1000:.0f} kB" for seconds, count, received in runs[-1]), flush=True)
        line.close()
        for number, (limit, kilobytes) in enumerate([(3.0, 60), (1.0, 15)]):
            assert min(run[number][0] for run in runs) <= limit
            assert all(run[number][1] <= 12 and run[number][2] <= 1000 * kilobytes for run in runs)
