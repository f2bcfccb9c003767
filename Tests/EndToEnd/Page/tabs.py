"""Several tabs and connections of one browser."""

import time

from playwright.sync_api import expect

from browsing import Visit, wait_for
from marks import only_in_chromium, only_on


@only_on("desktop")
def test_eight_tabs_share_one_event_stream(visit, client):
    pages = [visit.open("prospects")]
    for _ in range(7):
        page = visit.context.new_page()
        page.goto("/#/prospects", timeout=10_000)
        pages.append(page)
    for page in pages:
        expect(page.locator(".list ul.rows > li")).to_have_count(4)
    client.ask("POST", "/v1/prospects", {"name": "Newly Met"})
    for page in pages:
        expect(page.get_by_text("Newly Met").first).to_be_visible(timeout=5_000)
    metrics = client.ask("GET", "/metrics").decode()
    streams = next(line for line in metrics.splitlines() if line.startswith("switchboard_event_streams "))
    assert streams.split()[1].split(".")[0] == "1", streams
    # Another tab takes the stream over, with what happened in between.
    pages[0].close()
    client.ask("POST", "/v1/prospects", {"name": "Met Later"})
    for page in pages[1:]:
        expect(page.get_by_text("Met Later").first).to_be_visible(timeout=10_000)


@only_on("desktop")
def test_a_change_before_the_stream_begins_is_shown(visit, client):
    page = visit.page
    held = []
    page.route("**/v1/events?*", lambda route: held.append(route))
    page.goto("/#/prospects")
    expect(visit.rows()).to_have_count(4)
    client.ask("POST", "/v1/prospects", {"name": "Newly Met"})
    wait_for(page, lambda: held)
    held.pop().continue_()
    expect(page.get_by_text("Newly Met").first).to_be_visible()


@only_on("desktop")
def test_a_change_before_the_stream_begins_loads_everything_once_more_only(visit, client):
    # Another tab has the stream's lock. A route would hold the stream, too, but would switch the browser's cache off.
    person = client.ask("GET", "/v1/session")["person"]
    other = visit.context.new_page()
    other.goto("/openapi.json")
    other.evaluate("""name => new Promise((isHeld) => {
        navigator.locks.request(name, () => new Promise((release) => { globalThis.release = release; isHeld(); }));
    })""", f"switchboard events of {person}")
    page = visit.open("prospects")
    expect(visit.rows()).to_have_count(4)
    client.ask("POST", "/v1/contacts", {"name": "Newly Met"})
    other.evaluate("release()")
    page.wait_for_timeout(1_000)
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.wait_for_timeout(1_000)
    assert not requested, requested


@only_in_chromium
@only_on("phone")
def test_the_page_loads_in_few_requests_on_a_slow_line(visit, client):
    page = visit.page
    slow = visit.context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send("Network.clearBrowserCache")
    slow.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000})
    sizes, addresses = [], []
    slow.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.on("request", lambda request: addresses.append(request.url))
    for visits in ["cold", "warm"]:
        page.goto("about:blank")
        sizes.clear()
        addresses.clear()
        began = time.monotonic()
        page.goto("/#/prospects")
        expect(visit.rows().first).to_be_visible()
        shown = time.monotonic() - began
        print(f"{visits}: {len(addresses)} requests, {sum(sizes) / 1000:.0f} kB, {shown:.1f} s", flush=True)
        assert 3 <= len(addresses) <= 12, addresses
        assert sum(sizes) <= (75_000 if visits == "cold" else 10_000), sizes


@only_on("desktop")
def test_the_message_that_the_server_is_unreachable_disappears(visit, client):
    # A window of its own has not loaded the search without the server.
    context = visit.browser.open_window("desktop", service_workers="block")
    window = Visit(visit.browser, "desktop", context).sign_in(client.token)
    try:
        page = window.open("contacts")
        expect(window.rows().first).to_be_visible()
        context.set_offline(True)
        window.field.fill("rio")
        expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
        context.set_offline(False)
        window.field.fill("rio g")
        expect(window.options.first).to_contain_text("Rio Grande")
        expect(page.get_by_role("alert")).to_have_count(0)
    finally:
        context.close()


@only_in_chromium
@only_on("phone")
def test_results_appear_while_typing_on_a_slow_line(visit, client):
    page = visit.open("airports")
    expect(page.get_by_text("Popular")).to_be_visible()
    slow = visit.context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 2_000, "downloadThroughput": 50_000, "uploadThroughput": 50_000})
    visit.field.focus()
    for letter in "frank":
        page.keyboard.type(letter)
        page.wait_for_timeout(150)
    expect(visit.options.first).to_contain_text("Frankfurt", timeout=1_000)
    page.keyboard.type("frut"[-3:])
    expect(visit.options.first).to_contain_text("Frankfurt", timeout=20_000)
