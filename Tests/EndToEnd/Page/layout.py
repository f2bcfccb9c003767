"""What is on the screen, and what comes first: phones upright and on their side, and wide screens."""

from playwright.sync_api import expect

from browsing import box_of
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
    page.get_by_role("button", name="Remove", exact=True).tap()
    notice = page.get_by_text("Rio Grande removed")
    expect(notice).to_be_visible()
    page.get_by_role("button", name="Keypad").tap()
    keypad = box_of(page.get_by_role("group", name="Keypad"))
    box = box_of(page.locator(".notice"))
    assert box["y"] + box["height"] <= keypad["y"], (box, keypad)
    page.get_by_role("button", name="7 pqrs").tap()
    expect(visit.field).to_have_value("7")


@only_on("phone")
def test_ways_to_reach_a_person_come_before_the_removal(visit, client):
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["id"]
    client.ask("PATCH", f"/v1/contacts/{contact}", {"emails": ["rio@example.com"]})
    page = visit.open(f"contacts/{contact}")
    bottoms = [box_of(page.locator(".quick-actions").get_by_role("link", name=name)) for name in ["Call", "Message", "Mail"]]
    assert all(box["y"] + box["height"] <= 740 for box in bottoms), bottoms
    numbers = box_of(page.get_by_role("list", name="Phone numbers"))
    removal = box_of(page.get_by_role("button", name="Remove", exact=True))
    assert max(box["y"] for box in bottoms) < numbers["y"] < removal["y"], (bottoms, numbers, removal)


@only_on("phone")
def test_the_labels_of_file_buttons_have_padding(visit, client):
    for place, name in [("contacts", "Import"), ("prospects", "Picture")]:
        page = visit.open(place)
        label = page.locator(".file label").filter(has_text=name)
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
