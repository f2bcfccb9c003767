"""Runs the tests of the web page against a real server and a real browser: python3 Tests/EndToEnd/Page SERVER [NAME]

Tests are the functions `test_…` of the modules in this folder. Each gets a signed-in page (`visit`), at the size of a phone and of a
desktop unless marked otherwise, and a person with sample data (`client`).
"""

import importlib
import inspect
import os
import pathlib
import sys
import tempfile
import time
import traceback

# Before Playwright starts: routes also get the requests of service workers.
os.environ["PW_EXPERIMENTAL_SERVICE_WORKER_NETWORK_EVENTS"] = "1"

from playwright.sync_api import expect

from browsing import Browser, Visit, camera_film
from other_site import Site
from service import Client, Service, fill

MODULES = ["signing_in", "finding", "contacts", "address_book", "prospects", "lists", "editing", "reminders", "tabs", "airports", "activity", "settings", "hostile", "layout", "accessible", "embedding", "offline", "pushing"]


def main(program, only=""):
    expect.set_options(timeout=20_000)
    passed = failed = 0
    site = Site()
    with Service(program, site) as service, tempfile.TemporaryDirectory(prefix="switchboard-film-") as folder:
        film = pathlib.Path(folder) / "badge.mjpeg"
        guest = Client(service, service.token("guest"))
        guest.ask("PUT", "/v1/me", {"name": "Katherine Johnson", "email": "katherine@orbit.example", "organization": "Orbit"})
        picture = guest.ask("GET", "/v1/me/badge.png")
        camera_film(picture, film)
        with Browser(service.base, film) as browser:
            for number, (name, test, size) in enumerate(tests(only)):
                began = time.monotonic()
                token = service.token(f"person{number}")
                client = Client(service, token)
                client.picture = picture
                client.service = service
                fill(client)
                visit = Visit(browser, size)
                try:
                    if not getattr(test, "is_signed_out", False):
                        visit.sign_in(token)
                    test(visit, client)
                    assert not visit.complaints, visit.complaints
                    passed += 1
                    outcome = "passed"
                except Exception:
                    failed += 1
                    outcome = "FAILED"
                    traceback.print_exc()
                    # The test may have closed its page.
                    for page in visit.context.pages[:1]:
                        page.screenshot(path=f".build/page-failure-{failed}.png")
                finally:
                    visit.close()
                print(f"{outcome} {name} on a {size} ({time.monotonic() - began:.1f} s)", flush=True)
    site.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def tests(only):
    for module in MODULES:
        for name, test in inspect.getmembers(importlib.import_module(module), inspect.isfunction):
            if name.startswith("test_") and only in f"{module}.{name}":
                for size in getattr(test, "sizes", ["phone", "desktop"]):
                    yield f"{module}: {name[5:].replace('_', ' ')}", test, size


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
