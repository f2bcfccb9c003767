"""The real server with a temporary data folder and sample data."""

import datetime
import json
import os
import pathlib
import subprocess
import tempfile
import time
import urllib.request
import zoneinfo

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The time zone of the server and of the browser.
TIME_ZONE = "Europe/Berlin"


def today():
    """Returns the date of the server and of the browser, which is not that of this process around midnight."""
    return datetime.datetime.now(zoneinfo.ZoneInfo(TIME_ZONE)).date()


class Service:
    """A server that runs during the tests."""

    def __init__(self, program, site=None, options=()):
        self.program = program
        # A site whose pages may use the airport picker.
        self.site = site
        self.options = options
        self.folder = tempfile.TemporaryDirectory(prefix="switchboard-page-")
        self.process = None
        self.base = ""

    def __enter__(self):
        data = pathlib.Path(self.folder.name)
        port_file = data / "port"
        self.log = open(data / "server.log", "w")
        environment = {**os.environ, "TZ": TIME_ZONE}
        self.process = subprocess.Popen(
            [self.program, "serve", "--data", str(data / "people"), "--port", "0", "--port-file", str(port_file),
             "--requests-per-second", "0", "--log-level", "warning", *self.options,
             *(["--allow-origin", self.site.origin] if self.site else [])],
            stdout=self.log, stderr=subprocess.STDOUT, env=environment)
        for _ in range(600):
            if self.process.poll() is not None:
                raise SystemExit(f"The server has exited: {(data / 'server.log').read_text()}")
            if port_file.exists() and port_file.read_text().strip():
                break
            time.sleep(0.05)
        else:
            raise SystemExit("The server does not listen.")
        self.base = f"http://127.0.0.1:{port_file.read_text().strip()}"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.folder.cleanup()

    def token(self, person, scope="all"):
        """Returns a new token of a person, who is created if missing."""
        return self._run("token", "create", "--create", "--person", person, "--scope", scope)

    def pairing_address(self, person):
        """Returns a URL that signs a browser in once."""
        return self._run("pair", "--create", "--person", person, "--url", self.base).splitlines()[-1]

    def _run(self, *arguments):
        people = pathlib.Path(self.folder.name) / "people"
        return subprocess.run(
            [self.program, *arguments, "--data", str(people)], check=True, capture_output=True, text=True).stdout.strip()


class Client:
    """An API client."""

    def __init__(self, service, token):
        self.base = service.base
        self.token = token

    def ask(self, method, path, body=None, type="application/json"):
        """Returns the response as JSON, as bytes if it is not JSON, or None if it is empty."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=body, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        if body is not None:
            request.add_header("Content-Type", type)
        with urllib.request.urlopen(request, timeout=30) as answer:
            content = answer.read()
            if "json" in answer.headers.get("Content-Type", ""):
                return json.loads(content)
            return content or None

    def rows(self, path):
        return self.ask("GET", path)["results"]


# Characters outside the BMP are one scalar but two UTF-16 code units.
WIDE = "🦊𠮷 Zorro"
HOSTILE = '<img src=x onerror="document.title=\'owned\'">'
MET = [
    {"name": "Ada Lovelace", "email": "ada@analytical.example", "organization": "Analytical Engines", "met": "London"},
    {"name": "Grace Hopper", "email": "grace@navy.example", "phone": "+44 20 7946 0018"},
    {"name": "Łukasz Żuk", "email": "lukasz@zuk.example", "met": "Booth 12"},
    {"name": "Mei Wang", "email": "mei@wang.example", "organization": "Wang Labs"},
]
ITEMS = [
    {"id": "peaks", "domain": "tv-shows", "title": "Twin Peaks", "contentDescription": "An agent comes to a small town.",
     "keywords": ["mystery", "coffee"], "contentType": "public.movie", "url": "https://example.com/twin-peaks"},
    {"id": "checklist", "domain": "notes", "title": "Booth checklist", "contentDescription": "Badges, cable, coffee."},
]
ACTIVITY = {
    "activityType": "com.example.show", "title": "Watching Twin Peaks, episode 3", "persistentIdentifier": "episode-3",
    "userInfo": {"episode": 3}, "webpageURL": "https://example.com/twin-peaks/3", "eligibleForHandoff": True,
}


def fill(client):
    """Adds sample data for a person."""
    samples = (ROOT / "Apps/switchboard/Samples/contacts.vcf").read_bytes()
    client.ask("POST", "/v1/contacts/import?region=GB", samples, "text/vcard")
    client.ask("POST", "/v1/contacts", {"givenName": WIDE, "phones": [{"number": "+44 7700 900999"}]})
    for prospect in MET:
        client.ask("POST", "/v1/prospects", prospect)
    client.ask("PUT", "/v1/index/items", ITEMS)
    client.ask("POST", "/v1/activities", ACTIVITY)
    for code in ["JFK", "LHR"]:
        client.ask("POST", "/v1/airports/recent", {"code": code})
    client.ask("PUT", "/v1/me", {"name": "Ana Example", "email": "ana@example.com"})
