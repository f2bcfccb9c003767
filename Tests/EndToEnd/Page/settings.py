"""Settings: permissions, tokens and the calendar address."""

import pathlib
import urllib.error
import urllib.request
import zipfile

from playwright.sync_api import expect

from marks import only_on


@only_on("phone")
def test_permissions_are_granted_and_denied(visit, client):
    page = visit.open("settings")
    group = page.get_by_role("group", name="Reminders")
    group.get_by_role("button", name="Allow", exact=True).click()
    expect(group.get_by_role("button", name="Allow", exact=True)).to_have_attribute("aria-pressed", "true")
    group.get_by_role("button", name="Deny").click()
    expect(group.get_by_role("button", name="Deny")).to_have_attribute("aria-pressed", "true")
    status = {row["what"]: row["status"] for row in client.rows("/v1/access")}
    assert status["notifications"] == "denied" and status["location"] == "notDetermined"


@only_on("desktop")
def test_a_token_is_revoked_after_confirmation(visit, client):
    person = client.rows("/v1/tokens")[0]["person"]
    other = client.service.token(person, "contacts:read")
    page = visit.open("settings")
    expect(page.get_by_text("This browser", exact=True)).to_be_visible()
    expect(page.get_by_text("contacts:read")).to_be_visible()
    identity = next(row["id"] for row in client.rows("/v1/tokens") if row["scopes"] == ["contacts:read"])
    page.get_by_role("button", name=f"Revoke {identity}").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("contacts:read")).to_have_count(0)
    request = urllib.request.Request(client.base + "/v1/contacts", headers={"Authorization": f"Bearer {other}"})
    try:
        urllib.request.urlopen(request)
        raise AssertionError("the token still works")
    except urllib.error.HTTPError as error:
        assert error.code == 401


def test_another_device_is_signed_in_by_a_link(visit, client):
    page = visit.open("settings")
    page.get_by_role("button", name="Sign another device in").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img", name="QR code of the link")).to_be_visible()
    page.wait_for_function("() => document.querySelector('.qr').naturalWidth > 20")
    link = dialog.get_by_label("Link").input_value()
    other = visit.browser.open_window("phone", service_workers="block")
    try:
        device = other.new_page()
        device.goto(link)
        expect(device.get_by_role("heading", level=1, name="Find")).to_be_visible()
        assert "pair" not in device.url
    finally:
        other.close()
    page.keyboard.press("Escape")
    label = client.rows("/v1/tokens")[0]["label"]
    assert " on " in label, label
    expect(page.locator(".tokens").first.get_by_text(label)).to_be_visible()


@only_on("desktop")
def test_a_lost_browser_is_signed_out_alone(visit, client):
    page = visit.open("settings")
    other = visit.browser.open_window(
        "phone", service_workers="block",
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1")
    try:
        device = other.new_page()
        device.goto(client.ask("POST", "/v1/pairing")["url"])
        expect(device.get_by_role("heading", level=1, name="Find")).to_be_visible()
        page.reload()
        [name] = [row["device"] for row in client.rows("/v1/sessions") if "iPhone" in row["device"]]
        page.get_by_role("button", name=f"Sign {name} out").click()
        expect(page.get_by_role("button", name=f"Sign {name} out")).to_have_count(0)
        device.reload()
        expect(device.get_by_label("Token")).to_be_visible()
    finally:
        other.close()
    expect(page.get_by_text("(this one)")).to_be_visible()


def test_a_telephone_gets_a_password_of_its_own(visit, client):
    page = visit.open("settings")
    page.get_by_role("button", name="Set up a telephone").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name of the device")).to_be_focused()
    dialog.get_by_label("Name of the device").fill("Ana's telephone")
    dialog.get_by_role("button", name="Create password").click()
    expect(dialog.get_by_role("img", name="QR code with address, name and password")).to_be_visible()
    person = client.ask("GET", "/v1/session")["person"]
    expect(dialog.get_by_label("User name")).to_have_value(person)
    password = dialog.get_by_label("Password").input_value()
    assert password.startswith("sb_")
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Profile for iOS and macOS").click()
    assert password in pathlib.Path(download.value.path()).read_text()
    page.keyboard.press("Escape")
    expect(page.locator(".tokens").get_by_text("Ana's telephone")).to_be_visible()


@only_on("desktop")
def test_everything_is_exported_and_then_deleted_after_typing_the_name(visit, client):
    client.ask("POST", "/v1/contacts", {"name": "Zoë Quill"})
    page = visit.open("settings")
    expect(page.get_by_text(" MB are used.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export everything").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert "FN:Zoë Quill" in archive.read("contacts.vcf").decode()
    page.get_by_role("button", name="Delete account").click()
    dialog = page.get_by_role("dialog")
    sure = dialog.get_by_role("button", name="Delete account")
    expect(sure).to_be_disabled()
    dialog.get_by_role("textbox").fill(client.ask("GET", "/v1/session")["person"])
    sure.click()
    expect(page.get_by_label("Token")).to_be_visible()
    try:
        client.rows("/v1/contacts")
        raise AssertionError("the account still exists")
    except urllib.error.HTTPError as error:
        assert error.code == 401


@only_on("desktop")
def test_the_calendar_address_can_be_renewed(visit, client):
    page = visit.open("settings")
    field = page.get_by_label("Calendar address")
    expect(field).to_be_visible()
    first = field.input_value()
    with urllib.request.urlopen(first) as answer:
        assert answer.read().startswith(b"BEGIN:VCALENDAR")
    page.get_by_role("button", name="New address").click()
    page.get_by_role("dialog").get_by_role("button", name="New address").click()
    expect(page.get_by_text("New address created")).to_be_visible()
    second = page.get_by_label("Calendar address").input_value()
    assert second != first
