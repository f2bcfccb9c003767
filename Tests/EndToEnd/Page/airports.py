"""Airports: suggestions, cities, location and map."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from browsing import box_of, wait_for
from marks import only_in_chromium, only_on


def test_an_empty_field_offers_nearest_recent_and_popular(visit, client):
    page = visit.open("airports")
    for name in ["Nearest", "Recent", "Popular"]:
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    expect(visit.rows().first).to_contain_text("London Heathrow")
    visit.field.focus()
    page.keyboard.press("ArrowDown")
    expect(visit.rows().first.get_by_role("link")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(visit.field).to_be_focused()


@only_on("phone")
def test_the_location_needs_consent_and_is_rounded(visit, client):
    page = visit.open("airports")
    asked = []
    page.on("request", lambda request: "/nearest" in request.url and asked.append(parse_qs(urlsplit(request.url).query)))
    page.get_by_role("button", name="Show airports near me").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("rounded to about a kilometre")
    dialog.get_by_role("button", name="Not now").click()
    expect(dialog).to_have_count(0)
    assert not asked
    page.get_by_role("button", name="Show airports near me").click()
    page.get_by_role("dialog").get_by_role("button", name="Allow").click()
    expect(visit.rows().first).to_contain_text("London")
    expect(visit.rows().first).to_contain_text(re.compile(r"\d km"))
    assert asked[0]["lat"] == ["51.51"] and asked[0]["lon"] == ["-0.13"], asked
    status = {row["what"]: row["status"] for row in client.rows("/v1/access")}
    assert status["location"] == "authorized"
    expect(page.get_by_role("img", name=re.compile("8 airports marked"))).to_be_visible()


def test_a_city_shows_its_airports_and_the_choice_becomes_recent(visit, client):
    page = visit.open("airports")
    visit.field.press_sequentially("toky")
    # The response to the last key replaces the list; choosing before it arrives would lose the selection.
    with page.expect_response(re.compile(r"[?&]q=tokyo(&|$)")):
        visit.field.press_sequentially("o")
    expect(visit.options.first).to_contain_text("Tokyo")
    expect(visit.options.filter(has_text="Narita").first).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("airports marked"))).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name=re.compile("Tokyo Haneda"))).to_be_visible()
    expect(page.get_by_text("RJTT")).to_be_visible()
    wait_for(page, lambda: client.rows("/v1/airports/recent")[0]["id"] == "HND")
    page.go_back()
    visit.field.fill("")
    expect(visit.rows().first).to_contain_text("Tokyo Haneda")


@only_on("desktop")
def test_misspelt_and_foreign_names_are_found(visit, client):
    visit.open("airports")
    for query, name in [("frankfrut", "Frankfurt"), ("пекин", "Beijing"), ("leningrad", "Petersburg")]:
        visit.field.fill(query)
        expect(visit.options.filter(has_text=name).first).to_be_visible()


def test_the_map_is_drawn_from_the_airports(visit, client):
    page = visit.open("airports")
    painted = """() => {
        const canvas = document.querySelector("canvas.map");
        const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0;
        for (let place = 3; place < bytes.length; place += 4) count += bytes[place] > 0;
        return count / (canvas.width * canvas.height);
    }"""
    page.wait_for_function(f"({painted})() > 0.02")
    assert page.evaluate(painted) < 0.6
    before = page.evaluate("document.querySelector('canvas.map').toDataURL()")
    visit.field.fill("reykjavik")
    expect(visit.options.first).to_be_visible()
    page.wait_for_function("before => document.querySelector('canvas.map').toDataURL() !== before", arg=before)


def test_the_map_shows_coasts_and_the_far_south(visit, client):
    with visit.page.expect_response(re.compile("/page/coastlines-")):
        page = visit.open("airports")
    # Antarctica is a line of its own color near the lower edge, where there are no airports.
    southern = """() => {
        const canvas = document.querySelector("canvas.map");
        const [width, height] = [canvas.width, canvas.height];
        const bytes = canvas.getContext("2d").getImageData(0, Math.round(height * 0.86), width, Math.round(height * 0.1)).data;
        let count = 0;
        for (let place = 3; place < bytes.length; place += 4) count += bytes[place] > 0;
        return count;
    }"""
    page.wait_for_function(f"({southern})() > 100")
    visit.field.fill("Union Glacier")
    expect(visit.options.first).to_contain_text("Union Glacier")
    expect(page.get_by_role("img", name="World map, 1 airport marked")).to_be_visible()
    # The mark of the only result is in the middle, and a tap there opens it.
    page.wait_for_timeout(300)
    box = box_of(page.locator("canvas.map"))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".detail").get_by_role("heading", level=2)).to_contain_text("Union Glacier")


@only_on("phone")
def test_tapping_the_map_opens_an_airport(visit, client):
    page = visit.open("airports")
    page.locator("canvas.map").wait_for()
    visit.field.fill("reykjavik")
    expect(page.get_by_role("img", name=re.compile("marked"))).to_be_visible()
    page.wait_for_timeout(300)
    box = box_of(page.locator("canvas.map"))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".detail").get_by_role("heading", level=2)).to_be_visible()


@only_in_chromium
@only_on("phone")
def test_the_view_loads_little_data(visit, client):
    network = visit.context.new_cdp_session(visit.page)
    network.send("Network.enable")
    network.send("Network.clearBrowserCache")
    addresses, sizes = {}, {}
    network.on("Network.requestWillBeSent", lambda event: addresses.update({event["requestId"]: event["request"]["url"]}))
    network.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    with visit.page.expect_response(re.compile("/v1/airports/list")) as known:
        visit.open("airports")
        expect(visit.rows().first).to_be_visible()
    known.value.finished()
    visit.page.wait_for_timeout(200)
    data = sum(size for request, size in sizes.items() if "/v1/" in addresses[request])
    assert 20_000 < data < 80_000, data
