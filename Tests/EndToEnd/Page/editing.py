"""Text that someone types is neither lost nor overwritten: drafts, and changes made elsewhere."""

from playwright.sync_api import expect

from browsing import remove_shown
from contacts import is_deleted_soon
from marks import only_in_chromium, only_on


def contact_of(client, query):
    return client.rows(f"/v1/contacts?q={query}")[0]["id"]


def test_typed_text_survives_escape_navigation_and_reload(visit, client):
    place = f"contacts/{contact_of(client, 'rio+grande')}/edit"
    page = visit.open(place)
    page.get_by_label("Note").fill("Met at the lake")
    page.get_by_role("button", name="Add phone").click()
    page.get_by_label("Phone", exact=True).last.fill("+44 7700 900777")
    page.get_by_label("Note").press("Escape")
    expect(page.get_by_text("Your unsaved text is kept.")).to_be_visible()
    page.get_by_role("button", name="Continue editing").click()
    expect(page.get_by_label("Note")).to_have_value("Met at the lake")
    page.get_by_role("link", name="Prospects", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Prospects")
    visit.open(place)
    expect(page.get_by_label("Note")).to_have_value("Met at the lake")
    page.reload()
    expect(page.get_by_text("Your unsaved text is back.")).to_be_visible()
    expect(page.get_by_label("Note")).to_have_value("Met at the lake")
    expect(page.get_by_label("Phone", exact=True).last).to_have_value("+44 7700 900777")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Met at the lake")).to_be_visible()
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["contact"]
    assert contact["phones"][-1]["number"].replace(" ", "").endswith("7700900777"), contact
    # Nothing is kept once it is saved.
    visit.open(place)
    expect(page.get_by_label("Note")).to_have_value("Met at the lake")
    expect(page.get_by_text("Your unsaved text is back.")).to_have_count(0)


@only_on("desktop")
def test_cancelled_text_can_be_brought_back(visit, client):
    page = visit.open("prospects/new")
    page.get_by_label("Name").fill("Half Written")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_label("Name")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Name")).to_have_value("Half Written")
    page.get_by_role("button", name="Discard it").click()
    expect(page.get_by_label("Name")).to_have_value("")
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("")


def test_typed_text_survives_an_expired_session(visit, client):
    person = client.rows("/v1/prospects?q=ada")[0]["id"]
    page = visit.open(f"prospects/{person}/edit")
    page.get_by_label("Note").fill("Wants a demonstration")
    visit.context.clear_cookies()
    page.get_by_role("button", name="Save").click()
    page.get_by_label("Token").fill(client.token)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Note")).to_have_value("Wants a demonstration")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Wants a demonstration")).to_be_visible()
    assert client.ask("GET", f"/v1/prospects/{person}")["prospect"]["note"] == "Wants a demonstration"


@only_on("desktop")
def test_signing_out_removes_unsaved_text(visit, client):
    page = visit.open("contacts/new")
    page.get_by_label("Given name").fill("Secret")
    page.get_by_role("link", name="Settings", exact=True).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    page.wait_for_function("() => sessionStorage.length === 0")


def test_a_change_made_elsewhere_does_not_replace_the_form_and_is_merged(visit, client):
    person = client.rows("/v1/prospects?q=ada")[0]["id"]
    page = visit.open(f"prospects/{person}/edit")
    page.get_by_label("Note").fill("Mine")
    # The focus is outside of the form.
    page.evaluate("document.activeElement.blur()")
    client.ask("PATCH", f"/v1/prospects/{person}", {"organization": "Elsewhere Ltd"})
    page.wait_for_timeout(1_200)
    expect(page.get_by_label("Note")).to_have_value("Mine")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Ada Lovelace saved")).to_be_visible()
    stored = client.ask("GET", f"/v1/prospects/{person}")["prospect"]
    assert stored["note"] == "Mine" and stored["organization"] == "Elsewhere Ltd", stored


@only_in_chromium
def test_the_form_sends_only_what_changed(visit, client):
    contact = contact_of(client, "rio+grande")
    page = visit.open(f"contacts/{contact}/edit")
    page.get_by_label("Nickname").fill("Ri")
    client.ask("PATCH", f"/v1/contacts/{contact}", {"phones": ["+44 7700 900555"], "emails": ["new@example.com"]})
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        page.get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {"nickname": "Ri"}
    expect(page.get_by_text("“Ri”")).to_be_visible()
    stored = client.ask("GET", f"/v1/contacts/{contact}")["contact"]
    assert stored["nickname"] == "Ri" and stored["emails"][0]["address"] == "new@example.com", stored


@only_on("desktop")
def test_two_changes_of_one_field_are_shown_side_by_side(visit, client):
    contact = contact_of(client, "rio+grande")
    for choice, expected in [("Keep theirs", "theirs"), ("Keep mine", "mine")]:
        page = visit.open(f"contacts/{contact}/edit")
        page.get_by_label("Note").fill("mine")
        client.ask("PATCH", f"/v1/contacts/{contact}", {"note": "theirs", "department": choice})
        page.get_by_role("button", name="Save").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Yours: mine")
        expect(dialog).to_contain_text("Theirs: theirs")
        # Closing the question changes nothing and keeps the form.
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(page.get_by_label("Note")).to_have_value("mine")
        page.get_by_role("button", name="Save").click()
        dialog.get_by_role("button", name=choice).click()
        expect(page.get_by_label("Note")).to_have_count(0)
        stored = client.ask("GET", f"/v1/contacts/{contact}")["contact"]
        assert stored["note"] == expected and stored["department"] == choice, stored
        client.ask("PATCH", f"/v1/contacts/{contact}", {"note": ""})


def test_an_error_is_shown_at_its_field(visit, client):
    page = visit.open("prospects/new")
    page.get_by_label("Name").fill("Ana")
    page.get_by_label("E-mail").fill("not an address")
    page.get_by_role("button", name="Save").click()
    field = page.get_by_label("E-mail")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Cannot read the e-mail address “not an address”; use the form ana@example.org")
    # In Firefox, Playwright appends to the address.
    field.press("Control+a")
    page.keyboard.type("ana@example.org")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    page.get_by_label("Note").fill("x" * 70_000)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Note")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Note").fill("short")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=2, name="Ana")).to_be_visible()


def test_notices_are_shown_one_at_a_time_and_go_away(visit, client):
    ids = [client.ask("POST", "/v1/contacts", {"givenName": name})["id"] for name in ["First Gone", "Second Gone"]]
    page = visit.open("contacts")
    clock = visit.install_clock()
    for contact in ids:
        page.goto(f"/#/contacts/{contact}")
        remove_shown(page)
    notices = page.locator(".notice")
    expect(notices).to_have_count(1)
    expect(notices).to_contain_text("Second Gone removed")
    # The earlier one is there again once the newer one is closed.
    page.get_by_role("button", name="Close this message").click()
    expect(notices).to_contain_text("First Gone removed")
    page.get_by_role("button", name="Undo").click()
    expect(notices).to_have_count(0)
    assert client.ask("GET", f"/v1/contacts/{ids[0]}")
    # Nobody closes the next one.
    page.goto(f"/#/contacts/{ids[0]}")
    remove_shown(page)
    expect(notices).to_contain_text("First Gone removed")
    page.mouse.move(1, 1)
    clock.fast_forward(7_000)
    expect(notices).to_have_count(1)
    # The focus holds it.
    page.get_by_role("button", name="Undo").focus()
    clock.fast_forward(60_000)
    expect(notices).to_have_count(1)
    assert client.ask("GET", f"/v1/contacts/{ids[0]}")
    visit.field.focus()
    clock.fast_forward(2_000)
    expect(notices).to_have_count(0)
    assert is_deleted_soon(page, client, ids[0])


@only_on("desktop")
def test_after_delete_on_the_keyboard_u_undoes(visit, client):
    contact = contact_of(client, "rio+grande")
    page = visit.open("contacts")
    expect(visit.rows().first).to_be_visible()
    page.goto(f"/#/contacts/{contact}")
    page.get_by_role("heading", level=2, name="Rio Grande").wait_for()
    page.locator(".detail").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    expect(visit.field).to_have_value("")
    assert client.ask("GET", f"/v1/contacts/{contact}")
