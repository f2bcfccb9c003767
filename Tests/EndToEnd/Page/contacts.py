"""Contacts: keypad, adding, editing, deleting with undo, importing."""

import contextlib
import re
import urllib.error
from pathlib import Path

from playwright.sync_api import Error, expect

from browsing import IS_FIREFOX, box_of, remove_shown, wait_for
from marks import only_in_chromium, only_on


def test_the_keypad_searches_by_digits(visit, client):
    page = visit.open("contacts")
    page.get_by_role("button", name="Keypad").click()
    for key in ["5 jkl", "6 mno", "4 ghi", "6 mno"]:
        button = page.get_by_role("button", name=key)
        box = box_of(button)
        assert box["width"] >= 44 and box["height"] >= 44
        button.tap() if visit.size == "phone" else button.click()
    expect(visit.field).to_have_value("5646")
    expect(visit.options.first).to_contain_text("Jogo")
    expect(visit.options.first.locator("mark")).to_have_text("Jogo")
    page.get_by_role("button", name="Delete last digit").click()
    expect(visit.field).to_have_value("564")


def test_a_contact_is_added_edited_and_made_a_favourite_by_keyboard(visit, client):
    page = visit.open("contacts/new")
    expect(page.get_by_label("Given name")).to_be_focused()
    page.keyboard.type("Zoë")
    page.keyboard.press("Tab")
    page.keyboard.type("Quill")
    page.get_by_label("Phone", exact=True).press_sequentially("+44 7700 900321")
    page.get_by_label("E-mail", exact=True).fill("zoe@example.com")
    page.keyboard.press("Enter")
    heading = page.get_by_role("heading", level=2, name="Zoë Quill")
    expect(heading).to_be_visible()
    contact = client.ask("GET", "/v1/contacts?q=zoe+quill")["results"][0]["contact"]
    assert contact["phones"][0]["e164"] == "+447700900321" and contact["emails"][0]["address"] == "zoe@example.com"
    expect(page.get_by_role("link", name="+44 7700 900321")).to_have_attribute("href", "tel:+447700900321")
    page.locator(".detail").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Edit").focus()
    page.keyboard.press("e")
    page.get_by_label("Nickname").fill("Zed")
    page.get_by_role("button", name="Remove E-mail").click()
    page.get_by_role("button", name="Save").click()
    expect(heading).to_be_visible()
    expect(page.get_by_text("“Zed”")).to_be_visible()
    contact = client.ask("GET", f"/v1/contacts/{contact['id']}")["contact"]
    assert contact["nickname"] == "Zed" and contact["favourite"] and contact["emails"] == []
    assert contact["phones"][0]["e164"] == "+447700900321"


def test_deleting_can_be_undone(visit, client):
    contact = client.ask("GET", "/v1/contacts?q=rio+grande")["results"][0]["id"]
    page = visit.open(f"contacts/{contact}")
    remove_shown(page)
    expect(page.locator(f"[data-id='{contact}']")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    visit.field.fill("rio grande")
    expect(visit.options.first).to_contain_text("Rio Grande")
    assert client.ask("GET", f"/v1/contacts/{contact}")["contact"]["uid"]
    page.keyboard.press("Enter")
    remove_shown(page)
    visit.field.fill("rio grande")
    # The server has it until the deletion is completed.
    expect(visit.status).to_have_text("0 of 1 result")
    expect(visit.options).to_have_count(0)
    # Leaving the page completes the deletion.
    page.goto("about:blank")
    if is_deleted_soon(page, client, contact):
        return
    # This browser has not told the page that it is left, or not sent its request, so the next page does.
    assert IS_FIREFOX
    visit.open("find")
    assert is_deleted_soon(page, client, contact)


def is_deleted_soon(page, client, contact):
    for _ in range(50):
        try:
            client.ask("GET", f"/v1/contacts/{contact}")
        except urllib.error.HTTPError as error:
            return error.code == 404
        page.wait_for_timeout(100)
    return False


@only_on("desktop")
def test_a_deletion_is_completed_by_the_next_page_if_the_last_one_could_not(visit, client):
    for number, answer in enumerate(["new Promise(() => {})", *(f"Promise.resolve(new Response(null, {{ status: {status} }}))" for status in [401, 429, 503])]):
        contact = client.ask("POST", "/v1/contacts", {"givenName": f"Leaving {number}"})["id"]
        page = visit.open(f"contacts/{contact}")
        remove_shown(page)
        expect(page.locator(f"[data-id='{contact}']")).to_have_count(0)
        # No page that is really left is sure to see its response.
        page.evaluate(f"() => {{ globalThis.fetch = () => {answer}; dispatchEvent(new PageTransitionEvent('pagehide')); }}")
        page.goto("about:blank")
        assert client.ask("GET", f"/v1/contacts/{contact}")
        visit.open("find")
        assert is_deleted_soon(page, client, contact), answer


@only_on("desktop")
@only_in_chromium
def test_a_deletion_is_completed_by_another_page_if_the_last_one_crashes(visit, client):
    contact = client.ask("POST", "/v1/contacts", {"givenName": "Crashing"})["id"]
    page = visit.open(f"contacts/{contact}")
    other = visit.context.new_page()
    other.goto("/")
    expect(other.get_by_role("combobox").first).to_be_visible()
    for choice in ["Undo", "crash"]:
        remove_shown(page)
        expect(page.get_by_role("button", name="Undo")).to_be_visible()
        if choice == "crash":
            # A page that starts meanwhile does not complete it.
            other.reload()
            expect(other.get_by_role("combobox").first).to_be_visible()
        other.wait_for_timeout(500)
        assert client.ask("GET", f"/v1/contacts/{contact}")
        if choice == "Undo":
            page.get_by_role("button", name="Undo").click()
            page.goto(f"/#/contacts/{contact}")
        else:
            with contextlib.suppress(Error):
                page.goto("chrome://crash")
            page.close()
            assert is_deleted_soon(other, client, contact)
    expect(other.get_by_text("1 change sent")).to_be_visible()


@only_on("desktop")
def test_a_file_is_imported(visit, client):
    page = visit.open("contacts")
    good = b"BEGIN:VCARD\r\nVERSION:3.0\r\nN:Imported;Ines;;;\r\nFN:Ines Imported\r\nTEL:+34 600 000 999\r\nEND:VCARD\r\n"
    field = page.get_by_label("Import a vCard or CSV file")
    field.set_input_files({"name": "ines.vcf", "mimeType": "text/vcard", "buffer": good})
    expect(page.get_by_text("1 contact added")).to_be_visible()
    broken = good.replace(b"Ines", b"Igor") + b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Nobody\r\n"
    field.set_input_files({"name": "broken.vcf", "mimeType": "text/vcard", "buffer": broken})
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Skipped")
    assert client.rows("/v1/contacts?q=igor")[0]["title"] == "Igor Imported"
    dialog.get_by_role("button", name="Undo the import").click()
    expect(page.get_by_text("Import undone: 1 contact removed")).to_be_visible()
    assert "Igor Imported" not in [row["title"] for row in client.rows("/v1/contacts?q=igor")]
    assert client.rows("/v1/contacts?q=ines")[0]["title"] == "Ines Imported"


@only_on("desktop")
def test_numbers_are_dialed_as_they_are_stored(visit, client):
    lines = (Path(__file__).parents[2] / "Support/telephone-uris.tsv").read_text().splitlines()[1:]
    cases = [(number, uri) for number, region, _, uri in (line.split("\t") for line in lines) if region == "" and uri]
    page = visit.page
    # Two notations of one number are one number of a contact.
    for some in (cases[::2], cases[1::2]):
        added = client.ask("POST", "/v1/contacts", {"name": "Dial Me", "phones": [{"number": number} for number, _ in some]})
        page.goto(f"/#/contacts/{added['id']}")
        links = page.get_by_role("list", name="Phone numbers").get_by_role("link")
        expect(links).to_have_count(len(some))
        assert [link.get_attribute("href") for link in links.all()] == [uri for _, uri in some]
        client.ask("DELETE", f"/v1/contacts/{added['id']}")


@only_on("desktop")
def test_an_open_page_follows_changes_made_elsewhere(visit, client):
    page = visit.open("prospects")
    expect(visit.rows().first).to_be_visible()
    client.ask("POST", "/v1/prospects", {"name": "Newly Met", "email": "new@example.com"})
    expect(page.get_by_text("Newly Met").first).to_be_visible(timeout=5_000)


def test_what_was_opened_and_focused_while_a_view_loads_stays(visit, client):
    held = []
    page = visit.page
    page.route("**/v1/contacts/groups", lambda route: held.append(route))
    visit.open("contacts")
    row = visit.rows().nth(2).get_by_role("link")
    row.focus()
    wait_for(page, lambda: held)
    with page.expect_response("**/v1/contacts/groups"):
        held.pop().continue_()
    page.wait_for_timeout(100)
    expect(row).to_be_focused()
    visit.open("find")
    visit.open("contacts")
    wait_for(page, lambda: held)
    name = visit.rows().nth(2).locator(".row-title").inner_text()
    row.click()
    heading = page.get_by_role("heading", level=2, name=name)
    expect(heading).to_be_visible()
    with page.expect_response("**/v1/contacts/groups"):
        held.pop().continue_()
    page.wait_for_timeout(100)
    expect(heading).to_be_visible()


@only_on("phone")
def test_a_call_is_recorded(visit, client):
    contact = client.ask("GET", "/v1/contacts?q=rio+grande")["results"][0]["id"]
    page = visit.open(f"contacts/{contact}")
    with page.expect_request(re.compile(f"/v1/contacts/{contact}/call")):
        page.locator("a.way").first.wait_for()
        page.evaluate("document.querySelector('a.way').addEventListener('click', event => event.preventDefault())")
        page.locator("a.way").first.click()
    wait_for(page, lambda: client.ask("GET", f"/v1/contacts/{contact}")["contact"]["callCount"] == 1)


@only_on("desktop")
def test_signing_out_completes_pending_deletions(visit, client):
    contact = client.ask("GET", "/v1/contacts?q=rio+grande")["results"][0]["id"]
    page = visit.open(f"contacts/{contact}")
    remove_shown(page)
    page.get_by_role("link", name="Settings", exact=True).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    assert contact not in [row["id"] for row in client.rows("/v1/contacts?q=rio+grande")]


@only_on("desktop")
def test_signing_out_in_another_tab_completes_pending_deletions(visit, client):
    contact = client.ask("GET", "/v1/contacts?q=rio+grande")["results"][0]["id"]
    page = visit.open(f"contacts/{contact}")
    remove_shown(page)
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    other = visit.context.new_page()
    other.goto("/#/settings")
    other.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    # The message names a contact of someone who has signed out.
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    visit.sign_in(client.token)
    page.reload()
    assert is_deleted_soon(page, client, contact)
    expect(page.get_by_text("1 change waits")).to_have_count(0)


@only_on("desktop")
def test_a_photo_replaces_the_initials(visit, client):
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    script = "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxzY3JpcHQ+YWxlcnQoMSk8L3NjcmlwdD48L3N2Zz4="
    cards = (
        f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Petra Pictured\r\nCATEGORIES:Rowing,Choir\r\nPHOTO;ENCODING=b;TYPE=PNG:{picture}\r\nEND:VCARD\r\n"
        f"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Vera Vector\r\nPHOTO:data:image/svg+xml;base64,{script}\r\nEND:VCARD\r\n"
    )
    page = visit.open("contacts")
    page.get_by_label("Import a vCard or CSV file").set_input_files({"name": "p.vcf", "mimeType": "text/vcard", "buffer": cards.encode()})
    expect(page.get_by_text("2 contacts added")).to_be_visible()
    rows = {name: client.rows(f"/v1/contacts?q={name}")[0]["id"] for name in ["petra", "vera"]}
    visit.open(f"contacts/{rows['petra']}")
    photo = page.get_by_role("img", name="Photo of Petra Pictured")
    expect(photo).to_be_visible()
    assert photo.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    expect(page.get_by_text("Rowing, Choir")).to_be_visible()
    # The server does not serve SVG photos, which may contain scripts, so the initials are shown.
    visit.open(f"contacts/{rows['vera']}")
    expect(page.locator("span.portrait")).to_have_text("VV")
    expect(page.get_by_role("img", name="Photo of Vera Vector")).to_have_count(0)


def test_letters_with_the_open_keypad_are_searched_as_text(visit, client):
    page = visit.open("contacts")
    answers = []
    page.on("response", lambda response: answers.append(response.status))
    page.get_by_role("button", name="Keypad").click()
    visit.field.press_sequentially("rio gr")
    expect(visit.options.first).to_contain_text("Rio Grande")
    expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)
    assert 400 not in answers, answers
    expect(page).to_have_url(re.compile(r"q=rio%20gr$"))
    # Also from an address.
    visit.field.fill("")
    page.goto("/#/contacts?q=rio+grande")
    expect(visit.options.first).to_contain_text("Rio Grande")
    # Digits are those of the keypad still.
    visit.field.fill("5646")
    expect(visit.options.first).to_contain_text("Jogo")


def test_a_wrong_address_shows_no_one(visit, client):
    for view, name in [("contacts", "Rio Grande"), ("prospects", "Grace Hopper")]:
        row = client.rows(f"/v1/{view}?q={name.replace(' ', '+')}")[0]["id"]
        page = visit.open(f"{view}/{row}")
        expect(page.get_by_role("heading", level=2, name=name)).to_be_visible()
        page.goto(f"/#/{view}/nonexistent")
        expect(page.get_by_role("alert").filter(visible=True)).to_contain_text("nonexistent")
        expect(page.get_by_role("heading", level=2, name=name)).to_have_count(0)
        expect(page.locator(".detail").get_by_role("button", name="More")).to_have_count(0)
        # The error does not follow to another place.
        page.goto(f"/#/{view}/new")
        expect(page.locator(".detail").get_by_role("heading", level=2)).to_contain_text("New")
        expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)


@only_on("desktop")
def test_a_picture_is_not_imported(visit, client):
    page = visit.open("contacts")
    page.get_by_label("Import a vCard or CSV file").set_input_files({"name": "me.jpg", "mimeType": "image/jpeg", "buffer": b"\xff\xd8\xff\xe0JFIF"})
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text("“me.jpg” is not a vCard or CSV file")


@only_on("phone")
def test_people_are_told_apart_in_lists(visit, client):
    for mail in ["ana@hooli.example", "ana@initech.example"]:
        client.ask("POST", "/v1/contacts", {"name": "Aa Twin", "organization": "Hooli", "emails": [mail]})
    contact = client.ask("POST", "/v1/contacts", {"name": "Aa Pictured"})["id"]
    client.ask("PUT", f"/v1/contacts/{contact}/photo", client.picture, "image/png")
    page = visit.open("contacts")
    twins = visit.rows().filter(has_text="Aa Twin").locator(".row-subtitle")
    expect(twins).to_have_text(["Hooli · ana@hooli.example", "Hooli · ana@initech.example"])
    # The photograph, or else the initials on a color of the name.
    photo = page.locator(f"[data-id='{contact}'] img.row-picture")
    expect(photo).to_be_visible()
    assert photo.evaluate("image => image.decode().then(() => image.naturalWidth)") > 20
    colors = visit.rows().locator(".avatar").evaluate_all("avatars => new Set(avatars.map(one => getComputedStyle(one).backgroundColor)).size")
    assert colors > 3, colors
