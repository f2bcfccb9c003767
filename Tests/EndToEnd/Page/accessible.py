"""Accessibility of every view: no axe violations in light and dark mode, large targets and no horizontal scrolling."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browsing import menu_of
from marks import only_on, signed_out

SMALL = """() => [...document.querySelectorAll("a, button, input, select, textarea, [role=option]")].filter(target => {
    if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: false })) return false;
    const box = target.getBoundingClientRect();
    // Links within text may be as high as the line (WCAG 2.5.8). Elements outside the screen cannot be tapped.
    const inline = target.tagName === "A" && getComputedStyle(target).display.startsWith("inline") && target.className === "";
    const switched = target.matches(".switch");
    return !inline && !switched && box.bottom > 0 && (box.height < 44 || box.width < 44);
}).map(target => `${target.tagName} ${target.className} ${target.textContent.slice(0, 30)} ${JSON.stringify(target.getBoundingClientRect())}`)"""
WIDER = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"


def check(visit, what):
    page = visit.page
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        results = Axe().run(page)
        found = [(violation["id"], violation["nodes"][0]["html"], violation["nodes"][0].get("failureSummary"))
                 for violation in results.response["violations"]]
        assert not found, f"{what}, {scheme}: {found}"
    small = page.evaluate(SMALL)
    assert not small, f"{what}: {small}"
    assert not page.evaluate(WIDER), f"{what} is wider than the screen"


@signed_out
def test_signing_in(visit, client):
    visit.open("find")
    expect(visit.page.get_by_label("Token")).to_be_visible()
    check(visit, "signing in")


def test_finding(visit, client):
    page = visit.open("find")
    expect(page.get_by_role("heading", name="To contact")).to_be_visible()
    check(visit, "find")
    visit.field.fill("rio")
    expect(visit.options.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    check(visit, "results")
    visit.field.fill("zzzzqqqq")
    expect(visit.status).to_have_text("No results")
    check(visit, "no results")


def test_contacts(visit, client):
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    check(visit, "contacts")
    page.get_by_role("button", name="Keypad").click()
    check(visit, "the keypad")
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["id"]
    visit.open(f"contacts/{contact}")
    expect(page.locator(".detail").get_by_role("heading", level=2)).to_be_visible()
    check(visit, "a contact")
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Given name")).to_be_visible()
    check(visit, "the contact form")


def test_prospects(visit, client):
    page = visit.open("prospects")
    visit.rows().first.get_by_role("checkbox").check()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    check(visit, "prospects")
    visit.rows().last.get_by_role("link").click()
    expect(page.locator(".detail").get_by_role("heading", level=2)).to_be_visible()
    check(visit, "a prospect")
    page.get_by_role("button", name="Remind me").click()
    check(visit, "the reminder dialog")
    page.keyboard.press("Escape")
    visit.open("prospects/me")
    expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    check(visit, "my badge")
    visit.open("prospects/camera")
    expect(page.get_by_role("dialog")).to_contain_text("Katherine", timeout=20_000)
    check(visit, "the camera")


def test_airports(visit, client):
    page = visit.open("airports")
    expect(visit.rows().first).to_be_visible()
    check(visit, "airports")
    visit.field.fill("london")
    expect(visit.options.first).to_be_visible()
    check(visit, "airport results")
    visit.open("airports/LON")
    expect(page.locator(".detail").get_by_role("heading", level=2)).to_be_visible()
    check(visit, "a city")


def test_activity_and_settings(visit, client):
    page = visit.open("activity")
    expect(visit.rows().first).to_be_visible()
    check(visit, "activity")
    visit.open("activity/item/peaks")
    expect(page.get_by_role("heading", level=2, name="Twin Peaks")).to_be_visible()
    check(visit, "an item")
    visit.open("settings")
    expect(page.get_by_label("Calendar address")).to_be_visible()
    check(visit, "settings")


@only_on("desktop")
def test_the_page_reflows_at_400_percent(visit, client):
    # A desktop at 400 % is 320 pixels wide (WCAG 1.4.10).
    visit.page.set_viewport_size({"width": 320, "height": 640})
    for place in ["find", "contacts", "prospects", "airports", "activity", "settings", "prospects/new"]:
        visit.open(place)
        visit.page.wait_for_timeout(300)
        assert not visit.page.evaluate(WIDER), place


def test_selecting_the_day_and_commands(visit, client):
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    menu_of(page, ".tools")
    check(visit, "the menu of contacts")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Select", exact=True).click()
    visit.rows().nth(1).get_by_role("checkbox").click()
    check(visit, "selected contacts")
    page.get_by_role("button", name="End selecting").click()
    visit.open("prospects/day")
    expect(page.locator(".sheet-row").first).to_be_visible()
    check(visit, "the sheet of a day")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Commands")).to_be_visible()
    check(visit, "the palette")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1920, "height": 1080})
    visit.open(f"contacts/{client.rows('/v1/contacts?q=rio+grande')[0]['id']}")
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_be_visible()
    check(visit, "three columns")
