"""Runs the tests of the web page against a real server and a real browser: python3 Tests/EndToEnd/Page SERVER [NAME]

Tests are the functions `test_…` of the modules in this folder. Each gets a signed-in page (`visit`), at the size of a phone and of a
desktop unless marked otherwise, and a person with sample data (`client`).
"""

import contextlib
import importlib
import inspect
import multiprocessing
import os
import pathlib
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

# Before Playwright starts: routes also get the requests of service workers.
os.environ["PW_EXPERIMENTAL_SERVICE_WORKER_NETWORK_EVENTS"] = "1"

from playwright.sync_api import Error, expect

from browsing import IS_FIREFOX, Browser, Visit, camera_film
from other_site import Site
from service import Client, Service, fill

MODULES = ["signing_in", "finding", "contacts", "address_book", "prospects", "event", "keyboard", "lists", "editing", "reminders", "tabs", "airports", "activity", "settings", "hostile", "layout", "accessible", "embedding", "offline", "pushing"]
# Those that run in Firefox, at the size of a desktop.
FIREFOX_MODULES = ["signing_in", "finding", "contacts", "address_book", "prospects", "event", "keyboard", "lists", "editing", "reminders", "tabs", "airports", "activity", "settings", "hostile"]

# The number of tests that may pass only when they are repeated. The browser is not ours, and neither is the load of the machine.
MAXIMUM_UNSTABLE = 2

# The time in seconds after which a test fails. Most calls have a limit of their own, but a script that waits for a stopped clock has
# none. The longest test takes half a minute.
LONGEST_TEST = 150

# The number of the first test that no process has begun.
next_test = multiprocessing.Value("i", 0)


def main(program, only=""):
    # A browser waits for more than half of the time. A part of the tests is run to look at them, one after the other.
    processes = 1 if only else 2
    with ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        ended = sum(pool.map(run, [program] * processes, [only] * processes), [])
    outcomes = Counter(outcome for outcome, _, _ in ended)
    # Once more at the end, where someone looks first.
    for outcome, name, reason in ended:
        if outcome != "passed":
            print(f"{outcome} {name}\n{reason}")
    print(f"{outcomes['passed']} passed, {outcomes['UNSTABLE']} unstable, {outcomes['FAILED']} failed")
    return 1 if outcomes["FAILED"] or outcomes["UNSTABLE"] > MAXIMUM_UNSTABLE or not outcomes["passed"] else 0


def run(program, only):
    """Runs tests with a server and a browser of its own, until none are left. Returns their outcomes, names and reasons."""
    expect.set_options(timeout=20_000)
    ended = []
    site = Site()
    with Service(program, site) as service, tempfile.TemporaryDirectory(prefix="switchboard-film-") as folder:
        film = pathlib.Path(folder) / "badge.mjpeg"
        guest = Client(service, service.token("guest"))
        guest.ask("PUT", "/v1/me", {"name": "Katherine Johnson", "email": "katherine@orbit.example", "organization": "Orbit"})
        picture = guest.ask("GET", "/v1/me/badge.png")
        camera_film(picture, film)
        with Browser(service.base, film) as browser:
            for number, (name, test, size) in enumerate(tests(only)):
                with next_test.get_lock():
                    if number < next_test.value:
                        continue
                    next_test.value = number + 1
                began = time.monotonic()
                outcome = "passed"
                if reason := failure(test, size, browser, service, f"person{number}", picture):
                    print(reason, file=sys.stderr, flush=True)
                    # A part of the tests is run to look at them, and not repeated. A repetition has a browser of its own.
                    browser.restart()
                    again = None if only else failure(test, size, browser, service, f"person{number} again", picture)
                    if again:
                        reason += f"Again:\n{again}"
                    is_unstable = not only and not again
                    outcome = "UNSTABLE" if is_unstable else "FAILED"
                ended.append((outcome, f"{name} on a {size}", reason))
                print(f"{outcome} {name} on a {size} ({time.monotonic() - began:.1f} s)", flush=True)
    site.close()
    return ended


def failure(test, size, browser, service, person, picture):
    """Runs a test with a person of its own. Returns why it fails, and keeps a picture of the page; or returns nothing."""
    token = service.token(person)
    client = Client(service, token)
    client.picture = picture
    client.service = service
    fill(client)
    if not browser.program.is_connected():
        browser.launch()
    visit = Visit(browser, size)
    watchdog = threading.Timer(LONGEST_TEST, browser.kill)
    watchdog.start()
    try:
        if not getattr(test, "is_signed_out", False):
            visit.sign_in(token)
        test(visit, client)
        assert not visit.complaints, visit.complaints
        return None
    except Exception:
        reason = traceback.format_exc()
        with contextlib.suppress(Error):
            # The test may have closed its page.
            for page in visit.context.pages[:1]:
                page.screenshot(path=f".build/page-failure-{person.replace(' ', '-')}.png")
        return reason
    finally:
        with contextlib.suppress(Error):
            # A test that fails must not leave the next ones without the server.
            visit.context.set_offline(False)
            visit.close()
        watchdog.cancel()


def tests(only):
    for module in FIREFOX_MODULES if IS_FIREFOX else MODULES:
        for name, test in inspect.getmembers(importlib.import_module(module), inspect.isfunction):
            if name.startswith("test_") and only in f"{module}.{name}":
                if IS_FIREFOX and getattr(test, "is_only_in_chromium", False):
                    continue
                for size in getattr(test, "sizes", ["phone", "desktop"]):
                    if IS_FIREFOX and size != "desktop":
                        continue
                    yield f"{module}: {name[5:].replace('_', ' ')}", test, size


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
