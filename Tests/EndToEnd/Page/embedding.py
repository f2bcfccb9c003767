"""The airport picker in a page of another origin."""

import re
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from marks import only_on, signed_out

LIST = re.compile(r"/v1/airports/list\?")
SEARCH = re.compile(r"/v1/airports\?")


def embed(visit, client, wait=True):
    """Opens the example page and waits for the list of airports."""
    page = visit.page
    site = client.service.site
    site.service = client.base
    if not wait:
        page.goto(site.origin)
        return page
    with page.expect_response(LIST):
        page.goto(site.origin)
    expect(to(page)).to_have_value("MUC · München Franz Josef Strauß")
    return page


def start(page):
    return page.get_by_role("combobox", name="From")


def to(page):
    return page.get_by_role("combobox", name="To")


def value(page, name):
    return page.evaluate("name => new FormData(document.forms[0]).get(name)", name)


@signed_out
def test_a_choice_is_a_value_of_the_form_and_an_event(visit, client):
    page = embed(visit, client)
    page.evaluate("""() => {
        window.events = [];
        for (const name of ["switchboard-airport", "change"]) {
            document.forms[0].addEventListener(name, (event) => events.push([name, event.target.id, event.detail?.code ?? null]));
        }
    }""")
    start(page).press_sequentially("frankfru")
    # The response to the last key replaces the list.
    with page.expect_response(re.compile(r"[?&]q=frankfrut(&|$)")):
        start(page).press_sequentially("t")
    expect(page.get_by_role("option").first).to_contain_text("Frankfurt")
    page.keyboard.press("ArrowDown")
    expect(start(page)).to_have_attribute("aria-activedescendant", re.compile("results-"))
    page.keyboard.press("Enter")
    expect(start(page)).to_have_value(re.compile("FRA · Frankfurt"))
    expect(start(page)).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#chosen")).to_contain_text("Frankfurt, DE")
    assert page.evaluate("events") == [["switchboard-airport", "from", "FRA"], ["change", "from", None]], page.evaluate("events")
    page.get_by_role("button", name="Search flights").click()
    page.wait_for_url("**/flights?*")
    assert parse_qs(urlsplit(page.url).query) == {"from": ["FRA"], "to": ["MUC"]}, page.url


@signed_out
def test_the_first_key_searches_the_downloaded_list_and_the_answer_of_the_server_is_merged(visit, client):
    page = embed(visit, client)
    held = []
    page.route(SEARCH, lambda route: held.append(route))
    start(page).press_sequentially("b")
    expect(page.get_by_role("option")).to_have_count(10)
    start(page).press_sequentially("arcelona")
    expect(page.get_by_role("option").first).to_contain_text("BCN")
    expect(start(page)).to_be_focused()
    assert held
    page.unroute(SEARCH)
    # A typing error is beyond the list.
    start(page).fill("barcleona")
    expect(page.get_by_role("option").first).to_contain_text("BCN")


@signed_out
@only_on("desktop")
def test_it_works_offline_after_the_first_load(visit, client):
    page = embed(visit, client)
    # Another visit, whose requests all fail, has the list of the first one.
    page.route(re.compile("/v1/airports"), lambda route: route.abort())
    page.reload()
    expect(to(page)).to_have_value("MUC · München Franz Josef Strauß")
    start(page).press_sequentially("lisb")
    expect(page.get_by_role("option").first).to_contain_text("LIS")
    page.keyboard.press("Enter")
    expect(start(page)).to_have_value(re.compile("LIS"))
    assert value(page, "from") == "LIS"
    # Results of an earlier query do not remain for one without results.
    start(page).fill("qqqqqq")
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    expect(page.get_by_role("option")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(start(page)).to_have_value(re.compile("LIS"))


@signed_out
def test_an_unfinished_or_missing_choice_is_invalid(visit, client):
    page = embed(visit, client)
    assert value(page, "from") is None
    assert page.evaluate("document.forms[0].checkValidity()") is False
    assert page.evaluate("document.querySelector('#from').validity.valueMissing")
    start(page).press_sequentially("berl")
    expect(page.get_by_role("option").first).to_be_visible()
    to(page).focus()
    expect(page.get_by_role("option")).to_have_count(0)
    assert page.evaluate("document.querySelector('#from').validity.badInput")
    expect(start(page)).to_have_attribute("aria-invalid", "true")
    start(page).press("ArrowDown")
    page.get_by_role("option").filter(has_text="BER").first.click()
    expect(start(page)).to_have_value(re.compile("BER"))
    assert page.evaluate("document.forms[0].checkValidity()")
    # Text that is not chosen becomes the chosen airport again, and removed text ends the choice.
    start(page).fill("xy")
    to(page).focus()
    expect(start(page)).to_have_value(re.compile("BER"))
    page.locator("#from").get_by_role("button", name="Clear").click()
    assert value(page, "from") is None
    page.evaluate("document.forms[0].reset()")
    expect(to(page)).to_have_value(re.compile("MUC"))


@signed_out
@only_on("desktop")
def test_names_and_texts_are_in_the_language_of_the_element(visit, client):
    page = embed(visit, client)
    to(page).fill("rom")
    expect(page.get_by_role("option").first).to_contain_text("Rom")
    expect(page.locator("#to").get_by_role("status")).to_contain_text("Flughäfen")
    to(page).fill("")
    to(page).press_sequentially("Ро")
    expect(page.get_by_role("option").first).to_be_visible()


@signed_out
def test_the_picker_is_accessible(visit, client):
    page = embed(visit, client)
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        start(page).fill("london")
        expect(page.get_by_role("option").first).to_be_visible()
        page.keyboard.press("ArrowDown")
        found = [(one["id"], one["nodes"][0]["html"]) for one in Axe().run(page).response["violations"]]
        assert not found, f"{scheme}: {found}"
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    # A click on the label focuses the field.
    page.get_by_text("To", exact=True).click()
    expect(to(page)).to_be_focused()


@signed_out
@only_on("desktop")
def test_other_origins_get_no_answer(visit, client):
    site = client.service.site
    site.service = client.base
    visit.page.goto(site.stranger)
    answered = visit.page.evaluate("address => fetch(address).then(() => true, () => false)", f"{client.base}/v1/airports?q=rom")
    assert answered is False
    assert visit.page.evaluate("address => fetch(address).then(() => true, () => false)", f"{client.base}/v1/session") is False
    visit.page.goto(site.origin)
    # Only what is public is shared, and never with cookies.
    for path in ["/v1/session", "/v1/airports/recent", "/openapi.json"]:
        assert visit.page.evaluate("address => fetch(address).then(() => true, () => false)", client.base + path) is False, path
    assert visit.page.evaluate(
        "address => fetch(address, {credentials: 'include'}).then(() => true, () => false)", f"{client.base}/v1/airports?q=rom") is False
    assert visit.page.evaluate("address => fetch(address).then((answer) => answer.status)", f"{client.base}/v1/airports?limit=0") == 400
    visit.complaints = [text for text in visit.complaints if "CORS" not in text]
