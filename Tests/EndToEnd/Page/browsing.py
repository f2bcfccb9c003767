"""A headless Chromium at the sizes of a phone and a desktop, with a badge in front of its camera; or a headless Firefox.

SWITCHBOARD_BROWSER=firefox selects Firefox, which Playwright drives over WebDriver BiDi. It has neither a camera nor touch.
"""

import contextlib
import functools
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import re
import subprocess

from PIL import Image
from playwright.sync_api import Error, sync_playwright

from service import TIME_ZONE

SIZES = {
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}


IS_FIREFOX = os.environ.get("SWITCHBOARD_BROWSER") == "firefox"
# How many times slower the pages of Chromium run, to find tests that look before the page has done what they look for.
SLOWNESS = int(os.environ.get("SWITCHBOARD_SLOW_PAGES", "1"))


def camera_film(picture, path):
    """Writes a film for the fake camera (Motion JPEG) that shows a slightly rotated badge."""
    badge = Image.open(io.BytesIO(picture)).convert("RGB").resize((300, 300))
    frame = Image.new("RGB", (640, 480), (120, 128, 126))
    frame.paste(badge.rotate(4, expand=True, fillcolor=(120, 128, 126)), (160, 80))
    content = io.BytesIO()
    frame.save(content, "JPEG", quality=88)
    with open(path, "wb") as film:
        film.write(content.getvalue() * 3)


# The headers of the page's files, fetched once.
POLICY = {}


@functools.cache
def bundle():
    """Returns the script that bundles the page, as a module."""
    path = str(pathlib.Path(__file__).resolve().parents[3] / "Scripts/page/bundle")
    loader = importlib.machinery.SourceFileLoader("bundle", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bundle", loader))
    loader.exec_module(module)
    return module


def serve_sources(route):
    """Serves the page from the source folder instead of the program, to try a change without building."""
    path, content = bundle().served()["/" + route.request.url.split("/", 3)[3].split("?")[0]]
    if not POLICY:
        POLICY.update({name: value for name, value in route.fetch().headers.items() if name in ["content-security-policy", "etag"]})
    route.fulfill(status=200, body=content, headers={**POLICY, "content-type": bundle().TYPES[path.suffix]})


class Browser:
    """A browser with one context for each size, so that the page is loaded only once; Chromium has a camera."""

    def __init__(self, base, film):
        self.base = base
        self.film = film

    def __enter__(self):
        if IS_FIREFOX:
            os.environ["NODE_OPTIONS"] = f"--require {pathlib.Path(__file__).with_name('firefox.js')}"
        self.playwright = sync_playwright().start()
        self.launch()
        return self

    def launch(self):
        self.windows = {}
        if IS_FIREFOX:
            self.program = self.playwright.firefox.launch(channel="moz-firefox", executable_path="/usr/bin/firefox-esr")
        else:
            self.program = self.playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
                "--no-sandbox", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                f"--use-file-for-fake-video-capture={self.film}",
            ])

    def restart(self):
        """Ends the browser with all that it knows, and launches another one."""
        with contextlib.suppress(Error):
            self.program.close()
        self.launch()

    def kill(self):
        """Ends the process of Chromium, so that calls that wait for it fail. Called from any thread."""
        subprocess.run(["pkill", "-KILL", "-f", "--", f"--use-file-for-fake-video-capture={self.film}"], check=False)

    def __exit__(self, *_):
        self.program.close()
        self.playwright.stop()

    def window(self, size):
        """Returns the context of a size, without a session. Its requests can be intercepted, so it has no service worker."""
        if size not in self.windows:
            self.windows[size] = self.open_window(size, service_workers="block")
        return self.windows[size]

    def open_window(self, size, base=None, **options):
        """Opens a context of a size."""
        features = SIZES[size] if not IS_FIREFOX else {
            name: value for name, value in SIZES[size].items() if name not in ("is_mobile", "has_touch")}
        permissions = ["geolocation"] if IS_FIREFOX else ["geolocation", "camera"]
        return self.program.new_context(
            **features, base_url=base or self.base, timezone_id=TIME_ZONE, reduced_motion="reduce",
            geolocation={"latitude": 51.50735, "longitude": -0.12776}, permissions=permissions, **options)


def box_of(element):
    """Waits until an element is visible, and returns its place and size. It has none while the page draws it again."""
    for _ in range(500):
        if box := element.bounding_box():
            return box
        element.page.wait_for_timeout(20)
    raise AssertionError(f"not visible: {element}")


def menu_of(page, place=".detail"):
    """Opens the menu of the shown details, or of a list."""
    page.locator(place).get_by_role("button", name="More").click()


def remove_shown(page):
    """Presses Remove in the menu of the shown details."""
    menu_of(page)
    page.locator(".detail").get_by_role("button", name="Remove", exact=True).click()


def wait_for(page, condition):
    """Waits until a condition of the server or of the page holds."""
    for _ in range(1_000):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError("the condition does not hold")


class Visit:
    """An open page and its errors."""

    def __init__(self, browser, size, context=None):
        self.browser = browser
        self.context = context or browser.window(size)
        if os.environ.get("SWITCHBOARD_PAGE_SOURCES"):
            self.context.route(re.compile(re.escape(browser.base) + r"/($|page/|manifest|embed/)"), serve_sources)
        self.size = size
        self.has_own_clock = False
        self.complaints = []
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        if SLOWNESS > 1:
            self.context.new_cdp_session(self.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWNESS})
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("console", self._console)

    def _console(self, message):
        # The browser also reports requests that fail on purpose.
        if message.type == "error" and not re.search(r"Failed to load resource", message.text):
            self.complaints.append(f"console: {message.text}")

    def sign_in(self, token):
        """Signs in without the form."""
        answer = self.context.request.post("/v1/session", headers={"Authorization": f"Bearer {token}"})
        assert answer.status == 204, answer.status
        return self

    def open(self, place):
        self.page.goto("/" if place == "" else f"/#/{place}")
        self.page.locator("h1").wait_for()
        return self.page

    @property
    def field(self):
        return self.page.get_by_role("combobox").first

    @property
    def options(self):
        # Those of a select element are not results.
        return self.page.locator("[role=option]")

    @property
    def status(self):
        return self.page.get_by_role("status")

    def install_clock(self):
        """Gives the page a clock of its own, and returns it. A clock belongs to the window, in which no other test then runs."""
        self.has_own_clock = True
        self.page.clock.install()
        return self.page.clock

    def rows(self):
        return self.page.locator("ul.rows > li:not(.upcoming *)").filter(visible=True)

    def close(self):
        for page in self.context.pages:
            if page.url.startswith(self.browser.base):
                page.evaluate("localStorage.clear()")
            page.close()
        self.context.unroute_all()
        self.context.clear_cookies()
        if self.has_own_clock:
            self.context.close()
            self.browser.windows.pop(self.size, None)
