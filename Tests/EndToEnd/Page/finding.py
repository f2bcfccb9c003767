"""The search field: results, highlights, keyboard and late responses."""

import re

from playwright.sync_api import expect

from browsing import wait_for
from marks import only_in_chromium, only_on
from service import WIDE


def test_results_appear_while_typing_with_highlights(visit, client):
    page = visit.open("find")
    visit.field.press_sequentially("jog")
    expect(visit.options.filter(has_text="Jogo").first).to_be_visible()
    expect(visit.options.filter(has_text="Jogo").first.locator("mark").first).to_have_text("Jog")
    expect(visit.status).to_have_text(re.compile(r"^\d+ results?$"))
    assert page.get_by_role("status").count() == 1
    visit.field.fill("zzzzqqqq")
    expect(visit.status).to_have_text("No results")
    expect(visit.field).to_have_attribute("aria-expanded", "false")


@only_on("desktop")
def test_the_number_of_all_results_follows_the_first_ones(visit, client):
    cards = "".join(f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Quentin {number}\r\nEND:VCARD\r\n" for number in range(1_010))
    client.ask("POST", "/v1/contacts/import", cards.encode(), "text/vcard")
    for place, shown in [("contacts", 30), ("find", 20)]:
        visit.open(place)
        visit.field.fill("quent")
        expect(visit.status).to_have_text(f"{shown} of more than 1,000 results")
        visit.field.fill("quentin 99")
        expect(visit.status).to_have_text(re.compile(r"^\d+ results$"))
    visit.open("contacts")
    visit.field.fill("an")
    expect(visit.status).to_have_text(re.compile(r"^30 of \d+ results$"))
    total = client.ask("GET", "/v1/contacts?q=an&cursor=0")["total"]
    expect(visit.status).to_have_text(f"30 of {total} results")


@only_on("desktop")
def test_highlights_count_scalars_not_utf16_units(visit, client):
    visit.open("find")
    visit.field.fill("zorro")
    option = visit.options.filter(has_text=WIDE)
    expect(option.locator("mark")).to_have_text("Zorro")


def test_the_combobox_supports_the_keyboard(visit, client):
    page = visit.open("contacts")
    visit.field.focus()
    page.keyboard.type("rio")
    # The results of the first letters are replaced, and with them what is selected.
    total = client.ask("GET", "/v1/contacts?q=rio&cursor=0")["total"]
    expect(visit.status).to_have_text(f"{total} results")
    expect(visit.field).to_have_attribute("aria-expanded", "true")
    expect(visit.field).not_to_have_attribute("aria-activedescendant", re.compile(""))
    for expected in [0, 1]:
        page.keyboard.press("ArrowDown")
        option = visit.options.nth(expected)
        expect(option).to_have_attribute("aria-selected", "true")
        assert visit.field.get_attribute("aria-activedescendant") == option.get_attribute("id")
    page.keyboard.press("ArrowUp")
    expect(visit.options.first).to_have_attribute("aria-selected", "true")
    listbox = page.get_by_role("listbox")
    assert visit.field.get_attribute("aria-controls") == listbox.get_attribute("id")
    page.keyboard.press("Escape")
    expect(visit.field).to_have_attribute("aria-expanded", "false")
    expect(listbox).to_be_hidden()
    expect(visit.field).to_have_value("rio")
    page.keyboard.press("ArrowDown")
    expect(visit.field).to_have_attribute("aria-expanded", "true")
    name = visit.options.first.locator(".row-title").inner_text()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name=name)).to_be_visible()


@only_on("desktop")
def test_enter_waits_for_the_complete_query(visit, client):
    page = visit.open("contacts")
    page.route("**/v1/contacts?q=rio*", lambda route: (page.wait_for_timeout(300), route.continue_()))
    visit.field.focus()
    page.keyboard.type("rio grande")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_be_visible()


@only_on("desktop")
def test_a_second_escape_clears_the_field(visit, client):
    page = visit.open("find")
    visit.field.fill("rio")
    expect(visit.options.first).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(visit.field).to_have_value("")
    expect(page.get_by_role("heading", name="Continue where you left off")).to_be_visible()


@only_in_chromium
@only_on("desktop")
def test_a_late_response_is_dropped(visit, client):
    page = visit.open("find")
    held = []
    page.route(re.compile(r"/v1/find\?q=jo&"), lambda route: held.append(route))
    aborted = []
    page.on("requestfailed", lambda request: aborted.append(request.url))
    visit.field.press_sequentially("jo")
    wait_for(page, lambda: held)
    visit.field.press_sequentially("go")
    expect(visit.options.first).to_contain_text("Jogo")
    expect(visit.status).to_have_text(re.compile(r"^\d+ results?$"))
    before = visit.options.all_inner_texts()
    wait_for(page, lambda: any("q=jo&" in url for url in aborted))
    for route in held:
        try:
            route.fulfill(json={"query": "jo", "final": True, "results": [
                {"kind": "contact", "id": "late", "title": "Too late", "subtitle": "", "highlights": {}, "contact": {}}]})
        except Exception:
            pass  # The request has already been aborted.
    page.wait_for_timeout(200)
    assert visit.options.all_inner_texts() == before


@only_in_chromium
@only_on("desktop")
def test_what_was_typed_in_between_is_dropped_on_the_way_back_to_an_answered_query(visit, client):
    page = visit.open("find")
    held = []
    page.route(re.compile(r"/v1/find\?q=jogox&"), lambda route: held.append(route))
    aborted = []
    page.on("requestfailed", lambda request: aborted.append(request.url))
    visit.field.fill("jogo")
    expect(visit.options.first).to_contain_text("Jogo")
    visit.field.press_sequentially("x")
    wait_for(page, lambda: held)
    page.keyboard.press("Backspace")
    wait_for(page, lambda: any("q=jogox&" in url for url in aborted))
    expect(visit.options.first).to_contain_text("Jogo")


@only_on("desktop")
def test_a_change_during_a_search_repeats_it(visit, client):
    page = visit.open("find")
    held = []
    page.route(re.compile(r"/v1/find\?q=jogo&"), lambda route: route.continue_() if held else held.append(route))
    visit.field.fill("jogo")
    wait_for(page, lambda: held)
    client.ask("POST", "/v1/contacts", {"name": "Jogo Novo"})
    expect(visit.options.filter(has_text="Jogo Novo").first).to_be_visible()


def test_a_result_opens_its_view(visit, client):
    page = visit.open("find")
    visit.field.fill("grace hop")
    expect(visit.options.first).to_contain_text("Grace Hopper")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Prospects")
    expect(page.get_by_role("heading", level=2, name="Grace Hopper")).to_be_visible()
    page.go_back()
    expect(visit.field).to_have_value("grace hop")


@only_on("desktop")
def test_an_unreachable_server_shows_an_error_until_it_is_back(visit, client):
    page = visit.open("find")
    # Each answer says that the server is back, also those of the content for an empty field.
    expect(page.get_by_role("heading", name="To contact")).to_be_visible()
    page.route("**/v1/find*", lambda route: route.abort())
    visit.field.fill("rio")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.unroute("**/v1/find*")
    visit.field.fill("rio g")
    expect(visit.options.first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_every_view_has_a_link_and_a_shortcut(visit, client):
    page = visit.open("")
    for number, name in enumerate(["Find", "Contacts", "Prospects", "Airports", "Activity", "Settings"], 1):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute("aria-current", "page")
        page.keyboard.press(f"Alt+Digit{7 - number}")
        expect(page.get_by_role("link", name=name, exact=True)).to_have_count(1)
    page.keyboard.press("Alt+Digit2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Contacts")
    page.locator("h1").focus()
    page.keyboard.press("/")
    expect(visit.field).to_be_focused()


@only_on("desktop")
def test_what_was_opened_comes_first_the_next_time(visit, client):
    page = visit.open("contacts")
    visit.field.fill("ma")
    expect(visit.options).not_to_have_count(0)
    names = visit.options.locator(".row-title").all_inner_texts()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    with page.expect_response(lambda answer: answer.url.endswith("/v1/choices")) as recorded:
        page.keyboard.press("Enter")
    assert recorded.value.status == 204
    expect(page.get_by_role("heading", level=2, name=names[1])).to_be_visible()
    page = visit.open("find")
    visit.field.fill("ma")
    expect(visit.options.first.locator(".row-title")).to_have_text(names[1])
    page = visit.open("settings")
    page.get_by_role("button", name="Forget everything").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget everything").click()
    expect(page.get_by_text("Everything you chose is forgotten.")).to_be_visible()
    assert client.rows("/v1/choices") == []


@only_on("desktop")
def test_learning_can_be_switched_off(visit, client):
    page = visit.open("settings")
    group = page.get_by_role("group", name="Learning")
    expect(group.get_by_role("button", name="On")).to_have_attribute("aria-pressed", "true")
    group.get_by_role("button", name="Off").click()
    expect(group.get_by_role("button", name="Off")).to_have_attribute("aria-pressed", "true")
    visit.open("contacts")
    visit.field.fill("ma")
    visit.options.nth(1).click()
    assert client.rows("/v1/choices") == []


def test_the_home_view_has_all_favourites_and_what_comes_up(visit, client):
    # The last contact of a list that is longer than a page is a favourite, and the reminders before the pending one are finished.
    total = client.ask("GET", "/v1/contacts?limit=1")["total"]
    last = client.rows(f"/v1/contacts?limit=1&cursor={total - 1}")[0]
    client.ask("PATCH", f"/v1/contacts/{last['id']}", {"favourite": True})
    for number in range(55):
        person = client.ask("POST", "/v1/prospects", {"name": f"Finished {number}"})["id"]
        client.ask("PUT", f"/v1/prospects/{person}/reminder", {"in": 600})
        client.ask("PATCH", f"/v1/prospects/{person}", {"contacted": True})
    person = client.rows("/v1/prospects?q=grace")[0]["id"]
    client.ask("PUT", f"/v1/prospects/{person}/reminder", {"in": 3600})
    page = visit.open("find")
    section = page.locator("section.block")
    expect(section.filter(has=page.get_by_role("heading", name="Favourites"))).to_contain_text(last["title"])
    expect(section.filter(has=page.get_by_role("heading", name="Upcoming reminders"))).to_contain_text("Grace Hopper")
