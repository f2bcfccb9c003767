"""Prospects: contacted, filters, reminders, camera, pictures and badge."""

import io
import pathlib
import re

from PIL import Image
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from browsing import Visit, box_of
from marks import only_in_chromium, only_on


def row_of(visit, name):
    return visit.rows().filter(has_text=name)


def test_contacted_is_set_filtered_and_undone(visit, client):
    page = visit.open("prospects")
    expect(visit.rows()).to_have_count(4)
    expect(page.get_by_role("combobox")).to_have_count(1)
    expect(page.get_by_label("Contacted", exact=True).filter(visible=True)).to_have_count(4)
    row_of(visit, "Grace Hopper").get_by_role("checkbox", name="Contacted").check()
    expect(page.get_by_text("Grace Hopper was contacted")).to_be_visible()
    page.get_by_role("button", name="Contacted", exact=True).click()
    expect(visit.rows()).to_have_count(1)
    expect(visit.status).to_have_text("1 person")
    expect(row_of(visit, "Grace Hopper").get_by_role("checkbox", name="Contacted")).to_be_checked()
    page.get_by_role("button", name="Uncontacted", exact=True).click()
    expect(visit.rows()).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(visit.rows()).to_have_count(4)
    assert all(not row["prospect"]["contacted"] for row in client.rows("/v1/prospects"))
    page.get_by_role("button", name="Everyone", exact=True).click()
    page.get_by_role("button", name="Order: Recently met first").click()
    expect(visit.rows().first).to_contain_text("Ada Lovelace")


@only_on("desktop")
def test_a_row_is_controlled_by_the_keyboard(visit, client):
    page = visit.open("prospects")
    link = row_of(visit, "Ada Lovelace").get_by_role("link")
    link.focus()
    page.keyboard.press("Space")
    expect(row_of(visit, "Ada Lovelace").get_by_role("checkbox")).to_be_checked()
    expect(link).to_be_focused()
    page.keyboard.press("u")
    expect(row_of(visit, "Ada Lovelace").get_by_role("checkbox")).not_to_be_checked()
    row_of(visit, "Ada Lovelace").get_by_role("link").focus()
    page.keyboard.press("r")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Ada Lovelace")
    dialog.get_by_role("button", name=re.compile("Tomorrow at nine")).press("Enter")
    expect(row_of(visit, "Ada Lovelace").locator(".row-reminder")).to_contain_text("09:00")
    reminder = client.rows("/v1/reminders")[0]
    assert reminder["timeZone"] == "Europe/Berlin" and re.search(r"T0[78]:00:00Z", reminder["dueAt"]), reminder
    row_of(visit, "Ada Lovelace").get_by_role("link").focus()
    page.keyboard.press("Delete")
    expect(visit.rows()).to_have_count(3)
    page.keyboard.press("u")
    expect(visit.rows()).to_have_count(4)
    # Undo restores the reminder too.
    expect(row_of(visit, "Ada Lovelace").locator(".row-reminder")).to_be_visible()


@only_in_chromium
@only_on("phone")
def test_swipes_mark_as_contacted_and_remind(visit, client):
    page = visit.open("prospects")
    touch = visit.context.new_cdp_session(page)

    def swipe(row, pixels):
        expect(row).to_be_visible()
        box = box_of(row)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 11):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + pixels * step / 10, "y": y}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(row_of(visit, "Mei Wang"), 130)
    expect(row_of(visit, "Mei Wang").get_by_role("checkbox")).to_be_checked()
    swipe(row_of(visit, "Ada Lovelace"), 40)
    expect(row_of(visit, "Ada Lovelace").get_by_role("checkbox")).not_to_be_checked()
    # The list is drawn again when the server has stored the first change. A gesture under way then ends, so swipe again.
    for _ in range(3):
        swipe(row_of(visit, "Ada Lovelace"), -130)
        try:
            page.get_by_role("dialog").wait_for(timeout=5000)
            break
        except PlaywrightTimeout:
            pass
    expect(page.get_by_role("dialog")).to_contain_text("Ada Lovelace")
    assert page.url.endswith("#/prospects")


@only_on("phone")
def test_a_denied_reminder_asks_again(visit, client):
    client.ask("PUT", "/v1/access/notifications", {"status": "denied"})
    person = client.rows("/v1/prospects?q=mei")[0]["id"]
    page = visit.open(f"prospects/{person}")
    page.get_by_role("button", name="Remind me").click()
    page.get_by_role("dialog").get_by_label("Date and time").fill("2031-05-04T14:30")
    page.get_by_role("dialog").get_by_role("button", name="Remind me").click()
    expect(page.get_by_role("dialog")).to_contain_text("Allow Switchboard to remind you?")
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_text("Reminder on 4 May 2031 at 14:30")).to_be_visible()
    assert client.rows("/v1/reminders")[0]["dueAt"] == "2031-05-04T12:30:00Z"
    page.get_by_role("button", name="Cancel reminder").click()
    expect(page.get_by_text("Reminder on 4 May 2031")).to_have_count(0)


@only_in_chromium
def test_the_camera_reads_a_badge(visit, client):
    page = visit.open("prospects")
    expect(visit.rows()).to_have_count(4)
    page.get_by_role("button", name="Scan with the camera").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Katherine Johnson added", timeout=20_000)
    dialog.get_by_role("button", name="Scan another").click()
    expect(dialog).to_contain_text("is already in your list", timeout=20_000)
    dialog.get_by_role("button", name="Done").click()
    expect(dialog).to_have_count(0)
    expect(row_of(visit, "Katherine Johnson")).to_be_visible()
    # The camera is off.
    expect(page.locator("video")).to_have_count(0)
    assert client.rows("/v1/prospects?q=katherine")[0]["prospect"]["email"] == "katherine@orbit.example"


@only_in_chromium
@only_on("phone")
def test_the_camera_and_the_badge_are_loaded_when_they_are_opened(visit, client):
    context = visit.browser.open_window("phone", service_workers="block")
    window = Visit(visit.browser, "phone", context).sign_in(client.token)
    page = window.page
    try:
        scripts = []
        page.on("request", lambda request: scripts.append(request.url) if re.search("/(camera|badge)-", request.url) else None)
        window.open("prospects")
        expect(window.rows()).to_have_count(4)
        assert scripts == []
        # Without the server, the page says what to do, and keeps its place.
        context.set_offline(True)
        page.get_by_role("button", name="Scan with the camera").click()
        expect(page.get_by_role("alert")).to_contain_text("Reload the page")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.wait_for_function("() => location.hash === '#/prospects'")
        context.set_offline(False)
        page.reload()
        for role, name in [("button", "Scan with the camera"), ("link", "My badge")]:
            page.get_by_role(role, name=name).click()
            expect(page.get_by_role("dialog")).to_be_visible()
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
        assert len(scripts) == 3, scripts
    finally:
        context.close()


@only_on("phone")
def test_a_picture_of_a_badge_is_read(visit, client):
    page = visit.open("prospects")
    field = page.get_by_label("Picture of a badge")
    field.set_input_files([{"name": "badge.png", "mimeType": "image/png", "buffer": client.picture}])
    expect(row_of(visit, "Katherine Johnson")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("1 person added")).to_be_visible()
    field.set_input_files([{"name": "no-picture.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n broken"}])
    expect(page.get_by_role("dialog")).to_contain_text("no-picture.png")


@only_on("desktop")
def test_pictures_of_phones_and_cameras_are_read(visit, client):
    page = visit.open("prospects")
    field = page.get_by_label("Picture of a badge")
    assert "image/*" in field.get_attribute("accept") and ".heic" in field.get_attribute("accept")
    pictures = pathlib.Path(__file__).resolve().parents[2] / "Unit/BadgesTests/Resources"
    for name in ["code.heic", "lossy.webp", "transparent.webp", "code.gif", "progressive.jpg"]:
        # Chromium knows no type for HEIC.
        field.set_input_files([{"name": name, "mimeType": "", "buffer": (pictures / name).read_bytes()}])
        expect(row_of(visit, "José Ñandú")).to_be_visible(timeout=20_000)
        person = client.rows("/v1/prospects?q=nandu")[0]["id"]
        client.ask("DELETE", f"/v1/prospects/{person}")
        expect(row_of(visit, "José Ñandú")).to_have_count(0)
    # The server cannot read AVIF, but the browser can.
    content = io.BytesIO()
    Image.open(io.BytesIO(client.picture)).convert("RGB").resize((600, 600)).save(content, "AVIF", quality=90)
    field.set_input_files([{"name": "badge.avif", "mimeType": "image/avif", "buffer": content.getvalue()}])
    expect(row_of(visit, "Katherine Johnson")).to_be_visible(timeout=20_000)
    field.set_input_files([{"name": "badge.svg", "mimeType": "image/svg+xml", "buffer": b"<svg"}])
    expect(page.get_by_role("dialog")).to_contain_text("Not a PNG, JPEG, HEIC, WebP or GIF file; choose another picture")


def test_the_badge_fills_the_screen(visit, client):
    page = visit.open("prospects/me")
    dialog = page.get_by_role("dialog")
    image = dialog.get_by_role("img", name="QR code of Ana Example")
    expect(image).to_be_visible()
    image.evaluate("image => image.decode()")
    box = box_of(image)
    assert box["width"] >= 260, box
    dialog.get_by_role("button", name="Edit details").click()
    dialog.get_by_label("Name").fill("Ana B. Example")
    dialog.get_by_label("Title").fill("Engineer")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("img", name="QR code of Ana B. Example")).to_be_visible()
    assert client.ask("GET", "/v1/me")["me"]["title"] == "Engineer"
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Prospects")


@only_on("desktop")
def test_a_badge_that_was_changed_elsewhere_is_merged(visit, client):
    page = visit.open("prospects/me")
    dialog = page.get_by_role("dialog").first
    dialog.get_by_role("button", name="Edit details").click()
    dialog.get_by_label("Title").fill("Mine")
    me = client.ask("GET", "/v1/me")["me"]
    client.ask("PUT", "/v1/me", {**me, "organization": "Elsewhere Ltd"})
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("img", name="QR code of")).to_be_visible()
    stored = client.ask("GET", "/v1/me")["me"]
    assert stored["title"] == "Mine" and stored["organization"] == "Elsewhere Ltd", stored

    dialog.get_by_role("button", name="Edit details").click()
    dialog.get_by_label("Title").fill("Mine again")
    client.ask("PUT", "/v1/me", {**stored, "title": "Theirs"})
    dialog.get_by_role("button", name="Save").click()
    question = page.get_by_role("dialog").last
    expect(question).to_contain_text("Yours: Mine again")
    question.get_by_role("button", name="Keep theirs").click()
    expect(dialog.get_by_role("img", name="QR code of")).to_be_visible()
    assert client.ask("GET", "/v1/me")["me"]["title"] == "Theirs"


@only_on("desktop")
def test_a_prospect_is_added_and_edited(visit, client):
    page = visit.open("prospects/new")
    page.get_by_label("Name").fill("Hedy Lamarr")
    page.get_by_label("E-mail").fill("hedy@hop.example")
    page.get_by_label("Met", exact=True).fill("Vienna")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=2, name="Hedy Lamarr")).to_be_visible()
    expect(page.get_by_text(re.compile("Met today at .*, Vienna"))).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Note").fill("Frequency hopping")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Frequency hopping")).to_be_visible()
    page.get_by_role("checkbox", name="Contacted").filter(visible=True).last.check()
    expect(page.get_by_text("Hedy Lamarr was contacted")).to_be_visible()
    assert client.rows("/v1/prospects?q=hedy")[0]["prospect"]["contacted"]
