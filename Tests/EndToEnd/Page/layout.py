"""What is on the screen, and what comes first: phones upright and on their side, and wide screens."""

from playwright.sync_api import expect

from browsing import box_of, remove_shown, wait_for
from marks import only_on


@only_on("phone")
def test_the_keypad_of_a_phone_on_its_side_covers_neither_the_field_nor_the_results(visit, client):
    visit.page.set_viewport_size({"width": 740, "height": 360})
    page = visit.open("contacts")
    page.get_by_role("button", name="Keypad").tap()
    page.get_by_role("button", name="5 jkl").tap()
    expect(visit.options.first).to_be_visible()
    keypad = box_of(page.get_by_role("group", name="Keypad"))
    visit.options.first.scroll_into_view_if_needed()
    for covered in [visit.field, visit.options.first]:
        box = box_of(covered)
        keypad = box_of(page.get_by_role("group", name="Keypad"))
        assert box["y"] >= keypad["y"] + keypad["height"] or box["y"] + box["height"] <= keypad["y"], (box, keypad)


@only_on("phone")
def test_messages_do_not_cover_the_keypad(visit, client):
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["id"]
    page = visit.open(f"contacts/{contact}")
    remove_shown(page)
    notice = page.get_by_text("Rio Grande removed")
    expect(notice).to_be_visible()
    page.get_by_role("button", name="Keypad").tap()
    keypad = box_of(page.get_by_role("group", name="Keypad"))
    box = box_of(page.locator(".notice"))
    assert box["y"] + box["height"] <= keypad["y"], (box, keypad)
    page.get_by_role("button", name="7 pqrs").tap()
    expect(visit.field).to_have_value("7")


def test_a_notice_covers_nothing_that_can_be_used(visit, client):
    visit.page.set_viewport_size({"width": 390, "height": 844} if visit.size == "phone" else {"width": 1280, "height": 800})
    for name in ["One", "Two", "Three"]:
        client.ask("POST", "/v1/contacts", {"givenName": name, "familyName": "Covered", "note": "A longer text. " * 60})
    [third, *others] = [row["id"] for row in client.rows("/v1/contacts?q=covered")]
    page = visit.open("contacts")
    for contact in others:
        page.goto(f"/#/contacts/{contact}")
        remove_shown(page)
    expect(page.locator(".notice")).to_have_count(1)
    # Each notice is read at once: its time must not end before the test does.
    visit.install_clock().pause_at(page.evaluate("Date.now()") + 100)
    page.goto(f"/#/contacts/{third}/edit")
    save = page.get_by_role("button", name="Save")
    expect(save).to_be_visible()
    for button in [save, page.get_by_role("button", name="Cancel")]:
        # Where the form begins, in the middle and at its end. On a wide screen the form has its own end, too.
        for part in [0, 0.5, 1]:
            page.evaluate("""part => {
                document.scrollingElement.scrollTo(0, part * document.scrollingElement.scrollHeight);
                document.querySelector(".detail").scrollTo(0, 10_000);
            }""", part)
            wait_for(page, lambda: is_on_top(button))
    # The text of a cancelled form can be brought back.
    page.get_by_label("Note").fill("Another text")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".notice")).to_contain_text("discarded")
    for view in ["contacts", f"contacts/{third}", "prospects", "airports", "activity", "settings"]:
        page.goto(f"/#/{view}")
        page.locator("h1").wait_for()
        expect(page.locator(".notice")).to_have_count(1)
        page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
        last = page.locator("main a, main button, main input, main select").filter(visible=True).last
        # Rows that arrive meanwhile move or replace the last one.
        wait_for(page, lambda: is_on_top(last, scrolls=True))


def is_on_top(element, scrolls=False):
    """Returns whether a click on the middle of an element hits it, which an element that was replaced never is."""
    return element.evaluate("""(element, scrolls) => {
        if (scrolls) element.scrollIntoView({ behavior: "instant", block: "center" });
        const { left, top, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        return hit !== null && (element.contains(hit) || hit.contains(element));
    }""", scrolls)


@only_on("phone")
def test_ways_to_reach_a_person_come_before_the_removal(visit, client):
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["id"]
    client.ask("PATCH", f"/v1/contacts/{contact}", {"emails": ["rio@example.com"]})
    page = visit.open(f"contacts/{contact}")
    bottoms = [box_of(page.locator(".quick-actions").get_by_role("link", name=name)) for name in ["Call", "Message", "Mail"]]
    assert all(box["y"] + box["height"] <= 740 for box in bottoms), bottoms
    numbers = box_of(page.get_by_role("list", name="Phone numbers"))
    removal = box_of(page.locator(".detail").get_by_role("button", name="More"))
    assert max(box["y"] for box in bottoms) < numbers["y"] < removal["y"], (bottoms, numbers, removal)


@only_on("phone")
def test_the_labels_of_file_buttons_have_padding(visit, client):
    page = visit.open("prospects")
    label = page.locator(".file label").filter(has_text="Picture")
    padding = label.evaluate("label => parseFloat(getComputedStyle(label).paddingTop)")
    other = page.locator(".tools > .button:not(.file)").first.evaluate("button => parseFloat(getComputedStyle(button).paddingTop)")
    assert padding == other >= 8, (padding, other)


@only_on("desktop")
def test_a_wide_screen_is_filled(visit, client):
    visit.page.set_viewport_size({"width": 1920, "height": 1080})
    for place in ["contacts", "prospects", "airports", "activity"]:
        page = visit.open(place)
        expect(visit.rows().first).to_be_visible()
        right = box_of(page.locator(".view"))
        assert right["x"] + right["width"] >= 0.9 * 1920, (place, right)


def test_details_are_shown_before_the_server_answers(visit, client):
    for view, name in [("contacts", None), ("prospects", "Grace Hopper")]:
        page = visit.open(view)
        row = visit.rows().filter(has_text=name).first if name else visit.rows().first
        expect(row).to_be_visible()
        title = row.locator(".row-title").inner_text()
        held = []
        page.route(f"**/v1/{view}/*", lambda route: held.append(route))
        row.get_by_role("link").click()
        expect(page.get_by_role("heading", level=2, name=title)).to_be_visible()
        page.wait_for_timeout(100)
        assert held
        for route in held:
            route.continue_()
        page.unroute_all(behavior="wait")
        expect(page.get_by_role("heading", level=2, name=title)).to_be_visible()


@only_on("phone")
def test_values_have_the_whole_width_of_a_form(visit, client):
    page = visit.open("contacts/new")
    whole = box_of(page.get_by_label("Given name", exact=True))
    for name in ["Phone", "E-mail"]:
        box = box_of(page.get_by_label(name, exact=True))
        assert abs(box["width"] - whole["width"]) < 2, (name, box, whole)


@only_on("desktop")
def test_a_person_and_what_comes_up_are_beside_the_list(visit, client):
    person = client.rows("/v1/prospects?q=ada")[0]["id"]
    client.ask("PUT", f"/v1/prospects/{person}/reminder", {"in": 7200})
    page = visit.page
    upcoming = page.get_by_role("region", name="What comes up")
    visit.open("contacts")
    expect(upcoming.get_by_role("link", name="Ada Lovelace").first).to_be_visible()
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["id"]
    visit.open(f"contacts/{contact}")
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_be_visible()
    expect(upcoming).to_be_hidden()
    page.set_viewport_size({"width": 1920, "height": 1080})
    visit.open("contacts")
    visit.open(f"contacts/{contact}")
    expect(upcoming.get_by_role("link", name="Ada Lovelace").first).to_be_visible()
    list_, detail, more = (box_of(page.locator(f".view {place}")) for place in [".list", ".detail", ".upcoming"])
    assert list_["x"] + list_["width"] <= detail["x"] and detail["x"] + detail["width"] <= more["x"], (list_, detail, more)


@only_on("desktop")
def test_no_width_needs_scrolling_sideways(visit, client):
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["id"]
    for width in [320, 390, 768, 899, 900, 1280, 1500, 1920]:
        visit.page.set_viewport_size({"width": width, "height": 900})
        for place in ["contacts", f"contacts/{contact}", f"contacts/{contact}/edit", "prospects", "prospects/day"]:
            page = visit.open(place)
            page.wait_for_timeout(200)
            wide = page.evaluate("""() => {
                const width = document.documentElement.clientWidth;
                if (document.documentElement.scrollWidth <= width) return [];
                return [...document.querySelectorAll("body *")].filter(one => one.getBoundingClientRect().right > width).map(one => one.outerHTML.slice(0, 80));
            }""")
            assert wide == [], (width, place, wide)
        visit.open("contacts")
        page.get_by_role("button", name="Select", exact=True).click()
        assert not page.evaluate("() => document.documentElement.scrollWidth > document.documentElement.clientWidth"), width
        page.get_by_role("button", name="End selecting").click()


@only_on("phone")
def test_a_notice_does_not_cover_the_actions_on_selected_rows(visit, client):
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    for _ in range(2):
        page.get_by_role("button", name="Select", exact=True).click()
        visit.rows().nth(1).get_by_role("checkbox").click()
        page.get_by_role("toolbar").get_by_role("button", name="Remove").click()
        expect(page.locator(".notice")).to_have_count(1)
    page.get_by_role("button", name="Select", exact=True).click()
    visit.rows().nth(1).get_by_role("checkbox").click()
    for button in page.get_by_role("toolbar").get_by_role("button").all():
        wait_for(page, lambda: is_on_top(button))
