"""Takes the screenshots of the documentation: python3 Tests/EndToEnd/Page/screenshots.py SERVER FOLDER"""

import io
import pathlib
import sys
import tempfile

from PIL import Image
from playwright.sync_api import expect

from browsing import Browser, Visit, camera_film
from service import Client, Service, fill


def main(program, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with Service(program) as service, tempfile.TemporaryDirectory(prefix="switchboard-film-") as scratch:
        film = pathlib.Path(scratch) / "badge.mjpeg"
        guest = Client(service, service.token("guest"))
        guest.ask("PUT", "/v1/me", {"name": "Katherine Johnson", "email": "katherine@orbit.example"})
        camera_film(guest.ask("GET", "/v1/me/badge.png"), film)
        token = service.token("ana")
        client = Client(service, token)
        fill(client)
        person = client.rows("/v1/prospects?q=grace")[0]["id"]
        client.ask("PATCH", f"/v1/prospects/{person}", {"contacted": True})
        person = client.rows("/v1/prospects?q=ada")[0]["id"]
        client.ask("PUT", f"/v1/prospects/{person}/reminder", {"timeZone": "Europe/Berlin"})
        with Browser(service.base, film) as browser:
            for size, scheme, name, take in PICTURES:
                visit = Visit(browser, size).sign_in(token)
                visit.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                take(visit)
                visit.page.wait_for_timeout(600)
                save(visit.page.screenshot(), folder / f"{name}.png")
                visit.close()


def save(picture, path):
    """Saves a screenshot with a reduced palette."""
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(192, dither=Image.Dither.NONE)
    image.save(path, optimize=True)
    print(f"{path} {path.stat().st_size // 1024} KiB")


def finding(visit):
    visit.open("find")
    visit.field.fill("gra")
    expect(visit.options.first).to_be_visible()


def home(visit):
    visit.open("find")
    expect(visit.rows().first).to_be_visible()


def keypad(visit):
    visit.open("contacts")
    visit.page.get_by_role("button", name="Keypad").click()
    for key in ["2 abc", "3 def", "4 ghi", "2 abc", "9 wxyz"]:
        visit.page.get_by_role("button", name=key).click()
    expect(visit.options.first).to_be_visible()


def prospects(visit):
    visit.open("prospects")
    expect(visit.rows()).to_have_count(4)


def camera(visit):
    visit.open("prospects/camera")
    expect(visit.page.get_by_role("dialog")).to_contain_text("Katherine", timeout=20_000)


def badge(visit):
    visit.open("prospects/me")
    visit.page.locator("dialog img").evaluate("image => image.decode()")


def airports(visit):
    visit.open("airports")
    visit.field.fill("san")
    expect(visit.options.first).to_be_visible()


PICTURES = [
    ("phone", "light", "page-find", home), ("phone", "dark", "page-keypad", keypad), ("phone", "light", "page-prospects", prospects),
    ("phone", "dark", "page-camera", camera), ("phone", "light", "page-badge", badge),
    ("desktop", "light", "page-find-desk", finding), ("desktop", "dark", "page-airports-desk", airports),
]

if __name__ == "__main__":
    main(*sys.argv[1:])
