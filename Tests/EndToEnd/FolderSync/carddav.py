"""Sync with a CardDAV server: Radicale, with vdirsyncer between the server and the folder."""

import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

from fixture import Fixture, card

BIN = pathlib.Path(sys.executable).parent


class Server:
    """A Radicale server with one address book."""

    def __init__(self, root):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        configuration = root / "radicale.ini"
        configuration.write_text(f"""[server]
hosts = 127.0.0.1:{self.port}
[auth]
type = none
[rights]
type = owner_only
[storage]
filesystem_folder = {root}/radicale
""")
        self.log = open(root / "radicale.log", "w")
        self.process = subprocess.Popen([BIN / "radicale", "--config", configuration], stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 300
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                break
            except OSError:
                assert self.process.poll() is None and time.monotonic() < deadline, (root / "radicale.log").read_text()
                time.sleep(0.05)
        self.request("MKCOL", "", """<?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><set><prop>
            <resourcetype><collection/><C:addressbook/></resourcetype></prop></set></mkcol>""", "application/xml")

    def request(self, method, name, body=None, kind="text/vcard; charset=utf-8"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/ana/book/{name}", method=method,
                                         data=body.encode() if body else None)
        if body:
            request.add_header("Content-Type", kind)
        # "ana" with the password "ana".
        request.add_header("Authorization", "Basic YW5hOmFuYQ==")
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
            return response.read().decode()

    def put(self, identifier, text):
        self.request("PUT", f"{identifier}.vcf", text)

    def all(self):
        """Returns the whole address book as serialized by Radicale."""
        return self.request("GET", "")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


class Syncer:
    """A vdirsyncer configuration for the server and the folder."""

    def __init__(self, fixture, server):
        self.fixture = fixture
        (fixture.root / "vdir").mkdir()
        self.folder = fixture.folder = fixture.root / "vdir" / "book"
        self.folder.mkdir()
        self.configuration = fixture.root / "vdirsyncer.ini"
        self.configuration.write_text(f"""[general]
status_path = "{fixture.root}/status/"
[pair contacts]
a = "server"
b = "folder"
collections = ["book"]
[storage server]
type = "carddav"
url = "http://127.0.0.1:{server.port}/ana/"
username = "ana"
password = "ana"
[storage folder]
type = "filesystem"
path = "{fixture.root}/vdir"
fileext = ".vcf"
""")
        self.run("discover")

    def run(self, *arguments):
        result = subprocess.run([BIN / "vdirsyncer", "-c", self.configuration, *arguments], env=self.fixture.environment,
                                capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert result.returncode == 0, (arguments, result.stdout, result.stderr)

    def sync(self):
        self.run("sync")


def test_carddav(program):
    fixture = Fixture(program)
    server = Server(fixture.root)
    try:
        server.put("u-1", card("u-1", "Carmen Luz Diaz", "TEL;TYPE=cell:+34 600 11 22 33", "TITLE:Captain",
                               "item1.X-MASCOT:cat", "item1.X-ABLabel:Pet"))
        server.put("u-2", card("u-2", "Ayşe Öztürk", "EMAIL:ayse@example.org", "NOTE:met in Bergen"))
        syncer = Syncer(fixture, server)
        syncer.sync()

        # Access is not granted yet.
        fixture.run("contacts", "link", fixture.folder, status=77)
        fixture.run("access", "grant", "contacts")
        assert fixture.json("contacts", "link", fixture.folder)["added"] == 2
        assert set(fixture.contacts()) == {"Carmen Luz Diaz", "Ayşe Öztürk"}

        # From the book to the server: an edit and a new contact.
        carmen = fixture.contacts()["Carmen Luz Diaz"]["id"]
        fixture.run("contacts", "edit", carmen, "--email", "carmen@example.org", "--nickname", "Luzi")
        new = fixture.json("contacts", "add", "--name", "Łukasz Nowak", "--phone", "0532 123 45 67")["id"]
        assert fixture.sync()["written"] == 2
        syncer.sync()
        book = server.all()
        assert "carmen@example.org" in book and "Luzi" in book and "item1.X-MASCOT:cat" in book, book
        assert "Łukasz Nowak" in book and f"UID:{new}" in book, book

        # From the server to the book: an edit, a new contact and a removal.
        server.put("u-2", card("u-2", "Ayşe Öztürk", "EMAIL:ayse@example.com", "NOTE:met in Bergen", "ORG:Initech"))
        server.put("u-3", card("u-3", "Bob Smith", "TEL:+1 212 555 0123"))
        syncer.sync()
        report = fixture.sync()
        assert (report["added"], report["updated"], report["conflicts"]) == (1, 1, []), report
        ayse = fixture.contacts()["Ayşe Öztürk"]
        assert ayse["organization"] == "Initech" and ayse["emails"][0]["address"] == "ayse@example.com", ayse
        server.request("DELETE", "u-3.vcf")
        syncer.sync()
        assert fixture.sync()["removed"] == 1
        assert "Bob Smith" not in fixture.contacts()

        # Changes on both sides: different properties are merged, conflicting values are both kept.
        fixture.run("contacts", "edit", carmen, "--phone", "mobile:+34 600 11 22 33", "--phone", "home:+34 910 00 00 00",
                  "--note", "ours")
        fixture.run("contacts", "edit", ayse["id"], "--organization", "Globex")
        server.put("u-1", card("u-1", "Carmen Luz Diaz", "TEL;TYPE=cell:+34 600 11 22 33", "TITLE:Admiral",
                               "EMAIL:carmen@example.org", "NICKNAME:Luzi", "NOTE:theirs"))
        server.put("u-2", card("u-2", "Ayşe Öztürk", "EMAIL:ayse@example.com", "NOTE:met in Bergen", "ORG:Umbrella"))
        syncer.sync()
        report = fixture.sync()
        conflicts = {conflict["name"]: conflict["fields"] for conflict in report["conflicts"]}
        assert conflicts == {"Carmen Luz Diaz": ["note"], "Ayşe Öztürk": ["organization"]}, report
        syncer.sync()
        book = server.all()
        for text in ["Admiral", "910 00 00 00", "theirs", "ours", "Umbrella", "Globex"]:
            assert text in book, (text, book)
        contacts = fixture.contacts()
        assert contacts["Ayşe Öztürk"]["organization"] == "Umbrella"
        assert [phone["number"] for phone in contacts["Carmen Luz Diaz"]["phones"]] == ["+34 600 11 22 33", "+34 910 00 00 00"]

        # A removal, a merge, and undoing the merge.
        fixture.run("contacts", "remove", new)
        fixture.run("contacts", "merge", carmen, ayse["id"])
        assert fixture.sync()["deleted"] == 2
        syncer.sync()
        assert "Nowak" not in server.all() and "\nUID:u-2" not in server.all()
        fixture.run("contacts", "merge", "--undo", carmen)
        assert fixture.sync()["written"] == 2
        syncer.sync()
        assert "\nUID:u-2" in server.all() and "Ayşe" in server.all()

        # Another sync changes nothing.
        before = fixture.files()
        syncer.sync()
        report = fixture.sync()
        assert report["unchanged"] == 2 and report["written"] + report["updated"] + report["added"] == 0, report
        assert fixture.files() == before
    finally:
        server.stop()
    fixture.remove()
