"""What people expect of an address book: all fields, groups, photographs, birthdays, duplicates and export."""

import datetime
import io
import pathlib

from PIL import Image
from playwright.sync_api import expect

from browsing import Visit, menu_of
from marks import only_in_chromium, only_on
from service import today


@only_in_chromium
@only_on("phone")
def test_all_fields_of_a_contact_are_edited(visit, client):
    page = visit.open("contacts/new")
    page.get_by_label("Given name", exact=True).fill("Zoë")
    page.get_by_text("More fields").click()
    filled = {
        "Prefix": "Dr.", "Middle name": "Ada", "Suffix": "PhD", "Phonetic first name": "Zo-ee", "Phonetic last name": "Quill",
        "Title": "Engineer", "Department": "Bridges", "Birthday": "1975-03-14", "Groups, separated by commas": "Rowing, Choir",
    }
    for name, text in filled.items():
        page.get_by_label(name, exact=True).fill(text)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".detail").get_by_role("heading", level=2)).to_contain_text("Zoë")
    contact = client.rows("/v1/contacts?q=zoe%20ada")[0]["contact"]
    stored = {key: contact[key] for key in [
        "namePrefix", "middleName", "nameSuffix", "phoneticGivenName", "phoneticFamilyName", "title", "department", "birthday", "groups"]}
    assert list(stored.values()) == [*list(filled.values())[:-1], ["Choir", "Rowing"]] or stored["groups"] == ["Rowing", "Choir"], stored
    # The fields are open again, and only what changed is sent.
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Department", exact=True).fill("")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        page.get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {"department": ""}
    expect(page.locator(".facts")).to_contain_text("Rowing")
    assert "department" not in client.rows("/v1/contacts?q=zoe%20ada")[0]["contact"]


LISTS = {
    "name": "Zoë Quill", "relatedNames": ["Otto Quill"], "urls": [{"label": "blog", "url": "https://example.org/zoe"}],
    "phones": [{"label": "mobile", "number": "+44 7700 900321", "preferred": True}, {"number": "+44 7700 900322"}],
    "emails": [{"label": "home", "address": "zoe@example.org"}],
    "addresses": [{"label": "home", "box": "PO 7", "extended": "Flat 2", "street": "Rua Nova 3", "locality": "Porto",
                   "region": "Norte", "postalCode": "4000-002", "country": "Portugal"}],
}


@only_in_chromium
def test_addresses_pages_related_people_and_labels_are_edited(visit, client):
    contact = client.ask("POST", "/v1/contacts", LISTS)["id"]
    page = visit.open(f"contacts/{contact}")
    for text in ["Address (home)", "PO 7, Flat 2, Rua Nova 3, Porto", "Page (blog)", "Otto Quill"]:
        expect(page.locator(".facts")).to_contain_text(text)
    page.get_by_role("link", name="Edit").click()
    # Nothing has changed, so nothing is sent but an empty change.
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        page.get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {}, sent.value.post_data_json
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Label of phone").nth(1).fill("work")
    page.get_by_label("Label of e-mail").fill("club")
    page.get_by_label("City").fill("Braga")
    page.get_by_role("button", name="Remove Page").click()
    page.get_by_role("button", name="Add related person").click()
    page.get_by_label("Related person", exact=True).last.fill("Vera, née Lux")
    page.get_by_role("button", name="Add address").click()
    place = page.get_by_role("group", name="Address").last
    place.get_by_label("Label of address").fill("work")
    place.get_by_label("Street").fill("Side Street 1")
    page.get_by_role("button", name="Add page").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".facts")).to_contain_text("Address (work)")
    stored = client.ask("GET", f"/v1/contacts/{contact}")["contact"]
    assert [(phone["label"], phone.get("preferred")) for phone in stored["phones"]] == [("mobile", True), ("work", None)], stored
    assert [email["label"] for email in stored["emails"]] == ["club"]
    assert [address["locality"] for address in stored["addresses"]] == ["Braga", ""] and stored["addresses"][0]["box"] == "PO 7", stored
    assert stored["addresses"][1]["street"] == "Side Street 1" and stored["addresses"][1]["label"] == "work"
    assert stored["relatedNames"] == ["Otto Quill", "Vera, née Lux"] and "urls" not in stored, stored


@only_on("desktop")
def test_errors_of_lists_are_shown_at_their_fields(visit, client):
    page = visit.open("contacts/new")
    page.get_by_label("Given name", exact=True).fill("Zoë")
    page.get_by_role("button", name="Add phone").click()
    phone = page.get_by_label("Phone", exact=True).last
    phone.fill("none")
    page.get_by_role("button", name="Save").click()
    expect(phone).to_be_focused()
    expect(phone).to_have_accessible_description("The phone number “none” has no digits; use digits, such as +44 20 7946 0018")
    phone.fill("+44 7700 900321")
    page.get_by_text("More fields").click()
    page.get_by_role("button", name="Add address").click()
    page.get_by_label("Country").fill("x" * 2_000)
    page.get_by_text("More fields").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Country")).to_be_focused()
    expect(page.get_by_label("Country")).to_have_accessible_description("Address: longer than 1 KiB; shorten it")


@only_on("phone")
def test_the_form_is_loaded_when_it_is_opened(visit, client):
    context = visit.browser.open_window("phone", service_workers="block")
    window = Visit(visit.browser, "phone", context).sign_in(client.token)
    try:
        scripts = []
        window.page.on("request", lambda request: scripts.append(request.url) if "/contact-form-" in request.url else None)
        window.open("contacts")
        expect(window.rows().first).to_be_visible()
        assert scripts == []
        # Without the server, the page says what to do.
        context.set_offline(True)
        window.page.get_by_role("link", name="Add contact").click()
        expect(window.page.get_by_role("alert")).to_contain_text("Reload the page")
        context.set_offline(False)
        window.page.reload()
        expect(window.page.get_by_label("Given name", exact=True)).to_be_visible()
    finally:
        context.close()


def test_groups_and_favourites_are_listed(visit, client):
    names = ["Ann", "Bea", "Cem"]
    for name in names:
        client.ask("POST", "/v1/contacts", {"name": f"{name} Member", "groups": ["Rowing"], "favourite": name == "Bea"})
    page = visit.open("contacts")
    choice = page.get_by_label("Contacts to list")
    choice.select_option("Rowing (3)")
    expect(visit.rows().locator(".row-title")).to_have_text([f"{name} Member" for name in names])
    expect(page.get_by_role("slider", name="First letter")).to_have_count(0)
    choice.select_option("Favourites")
    expect(visit.rows().locator(".row-title")).to_have_text(["Bea Member"])
    # A change elsewhere keeps the choice.
    client.ask("POST", "/v1/contacts", {"name": "Dov Member", "favourite": True})
    expect(visit.rows().locator(".row-title")).to_have_text(["Bea Member", "Dov Member"])
    choice.select_option("All contacts")
    expect(visit.status).to_have_text("347 contacts")


@only_on("desktop")
def test_a_photo_is_set_and_removed(visit, client):
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["id"]
    page = visit.open(f"contacts/{contact}")
    page.get_by_label("Photo").set_input_files({"name": "rio.png", "mimeType": "image/png", "buffer": client.picture})
    photo = page.get_by_role("img", name="Photo of Rio Grande")
    expect(photo).to_be_visible()
    assert photo.evaluate("image => image.decode().then(() => image.naturalWidth)") > 20
    assert client.ask("GET", f"/v1/contacts/{contact}")["contact"]["photo"]["type"] == "image/png"
    menu_of(page)
    page.get_by_role("button", name="Remove photo").click()
    expect(photo).to_have_count(0)
    assert "photo" not in client.ask("GET", f"/v1/contacts/{contact}")["contact"]
    page.get_by_label("Photo").set_input_files({"name": "bad.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(page.get_by_role("alert")).not_to_be_empty()


@only_on("phone")
def test_a_photo_that_browsers_cannot_show_is_converted_or_refused(visit, client):
    contact = client.rows("/v1/contacts?q=rio+grande")[0]["id"]
    page = visit.open(f"contacts/{contact}")
    content = io.BytesIO()
    Image.new("RGB", (3_000, 1_500), (90, 120, 60)).save(content, "AVIF", quality=60)
    page.get_by_label("Photo").set_input_files({"name": "rio.avif", "mimeType": "image/avif", "buffer": content.getvalue()})
    photo = page.get_by_role("img", name="Photo of Rio Grande")
    expect(photo).to_be_visible()
    assert photo.evaluate("image => image.decode().then(() => image.naturalWidth)") == 2_048
    assert client.ask("GET", f"/v1/contacts/{contact}")["contact"]["photo"]["type"] == "image/jpeg"
    # Safari can read HEIC, Chromium cannot.
    heic = pathlib.Path(__file__).resolve().parents[2] / "Unit/BadgesTests/Resources/code.heic"
    page.get_by_label("Photo").set_input_files({"name": "rio.heic", "mimeType": "image/heic", "buffer": heic.read_bytes()})
    expect(page.get_by_role("alert")).to_contain_text("a phone can share a HEIC picture as a JPEG")
    assert client.ask("GET", f"/v1/contacts/{contact}")["contact"]["photo"]["type"] == "image/jpeg"


@only_on("phone")
def test_birthdays_and_all_reminders_are_shown(visit, client):
    day = today() + datetime.timedelta(days=3)
    client.ask("POST", "/v1/contacts", {"name": "Bir Thday", "birthday": f"1980-{day:%m-%d}"})
    for row in client.rows("/v1/prospects"):
        client.ask("PUT", f"/v1/prospects/{row['id']}/reminder", {"in": 3600})
    page = visit.open("find")
    section = page.locator("section.block").filter(has=page.get_by_role("heading", name="Birthdays"))
    expect(section).to_contain_text("Bir Thday")
    expect(section).to_contain_text(f"turns {day.year - 1980}")
    page.get_by_role("link", name="Show all").click()
    expect(page.get_by_role("list", name="Reminders").get_by_role("listitem")).to_have_count(4)


def test_duplicates_are_merged_and_separated(visit, client):
    for number in ["+44 7700 900111", "+44 7700 900222"]:
        client.ask("POST", "/v1/contacts", {"name": "Dup Licate", "emails": ["dup@example.com"], "phones": [number]})
    page = visit.open("contacts")
    menu_of(page, ".tools")
    page.get_by_role("link", name="Duplicates").click()
    group = page.get_by_role("list", name="Dup Licate")
    expect(group.get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_text("same e-mail address dup@example.com")).to_be_visible()
    block = page.locator("section.block").filter(has=group)
    block.get_by_role("button", name="Merge these 2").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("+44 7700 900222")).to_be_visible()
    dialog.get_by_role("button", name="Merge").click()
    expect(group).to_have_count(0)
    [merged] = client.rows("/v1/contacts?q=dup+licate")
    assert len(merged["contact"]["phones"]) == 2, merged
    page.get_by_role("button", name="Undo").click()
    expect(group.get_by_role("listitem")).to_have_count(2)
    assert len(client.rows("/v1/contacts?q=dup+licate")) == 2
    block.get_by_role("button", name="Not duplicates").click()
    expect(group).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(group.get_by_role("listitem")).to_have_count(2)


@only_on("desktop")
def test_contacts_are_exported(visit, client):
    page = visit.open("contacts")
    with page.expect_download() as download:
        menu_of(page, ".tools")
        page.get_by_role("link", name="Export").click()
    assert download.value.suggested_filename == "contacts.vcf"
    cards = download.value.path().read_text()
    assert cards.count("BEGIN:VCARD") == 343 and "Rio Grande" in cards


def test_a_search_is_in_the_address(visit, client):
    page = visit.open("contacts")
    visit.field.fill("rio grande")
    expect(visit.options.first).to_contain_text("Rio Grande")
    assert page.url.endswith("#/contacts?q=rio%20grande"), page.url
    visit.options.first.click()
    expect(page.get_by_role("heading", level=2, name="Rio Grande")).to_be_visible()
    page.go_back()
    assert page.url.endswith("#/contacts?q=rio%20grande"), page.url
    page.reload()
    expect(visit.field).to_have_value("rio grande")
    expect(visit.options.first).to_contain_text("Rio Grande")
    page.goto("/#/prospects?q=grace")
    expect(visit.options.first).to_contain_text("Grace Hopper")
    page.get_by_role("link", name="Contacts", exact=True).click()
    expect(visit.field).to_have_value("rio grande")
    assert page.url.endswith("#/contacts?q=rio%20grande"), page.url
    visit.field.fill("")
    expect(visit.rows().first).to_be_visible()
    assert page.url.endswith("#/contacts"), page.url
