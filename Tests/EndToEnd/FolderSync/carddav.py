"""Switchboard beside a CardDAV server: Radicale, and vdirsyncer between it and the folder."""

import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

from bench import Bench, card

BIN = pathlib.Path(sys.executable).parent


class Server:
    """A Radicale with an address book of one person."""

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
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            return answer.read().decode()

    def put(self, identifier, text):
        self.request("PUT", f"{identifier}.vcf", text)

    def all(self):
        """The whole address book, as Radicale gives it out: read and written again by it."""
        return self.request("GET", "")

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


class Syncer:
    """A vdirsyncer between the server and the folder."""

    def __init__(self, bench, server):
        self.bench = bench
        (bench.root / "vdir").mkdir()
        self.folder = bench.folder = bench.root / "vdir" / "book"
        self.folder.mkdir()
        self.configuration = bench.root / "vdirsyncer.ini"
        self.configuration.write_text(f"""[general]
status_path = "{bench.root}/status/"
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
path = "{bench.root}/vdir"
fileext = ".vcf"
""")
        self.run("discover")

    def run(self, *arguments):
        ending = subprocess.run([BIN / "vdirsyncer", "-c", self.configuration, *arguments], env=self.bench.environment,
                                capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert ending.returncode == 0, (arguments, ending.stdout, ending.stderr)

    def sync(self):
        self.run("sync")


def test_carddav(program):
    bench = Bench(program)
    server = Server(bench.root)
    try:
        server.put("u-1", card("u-1", "Carmen Luz Diaz", "TEL;TYPE=cell:+34 600 11 22 33", "TITLE:Captain",
                               "item1.X-MASCOT:cat", "item1.X-ABLabel:Pet"))
        server.put("u-2", card("u-2", "Ayşe Öztürk", "EMAIL:ayse@example.org", "NOTE:met in Bergen"))
        syncer = Syncer(bench, server)
        syncer.sync()

        # Nobody has been asked yet.
        bench.run("contacts", "link", bench.folder, status=77)
        bench.run("access", "grant", "contacts")
        assert bench.json("contacts", "link", bench.folder)["added"] == 2
        assert set(bench.contacts()) == {"Carmen Luz Diaz", "Ayşe Öztürk"}

        # From here to the server: an edit, somebody new.
        carmen = bench.contacts()["Carmen Luz Diaz"]["id"]
        bench.run("contacts", "edit", carmen, "--email", "carmen@example.org", "--nickname", "Luzi")
        new = bench.json("contacts", "add", "--name", "Łukasz Nowak", "--phone", "0532 123 45 67")["id"]
        assert bench.sync()["written"] == 2
        syncer.sync()
        book = server.all()
        assert "carmen@example.org" in book and "Luzi" in book and "item1.X-MASCOT:cat" in book, book
        assert "Łukasz Nowak" in book and f"UID:{new}" in book, book

        # From the server to here: an edit, somebody new, somebody removed.
        server.put("u-2", card("u-2", "Ayşe Öztürk", "EMAIL:ayse@example.com", "NOTE:met in Bergen", "ORG:Initech"))
        server.put("u-3", card("u-3", "Bob Smith", "TEL:+1 212 555 0123"))
        syncer.sync()
        report = bench.sync()
        assert (report["added"], report["updated"], report["conflicts"]) == (1, 1, []), report
        ayse = bench.contacts()["Ayşe Öztürk"]
        assert ayse["organization"] == "Initech" and ayse["emails"][0]["address"] == "ayse@example.com", ayse
        server.request("DELETE", "u-3.vcf")
        syncer.sync()
        assert bench.sync()["removed"] == 1
        assert "Bob Smith" not in bench.contacts()

        # Both at once: different facts come together, of the same one both are kept, and the server has it all.
        bench.run("contacts", "edit", carmen, "--phone", "mobile:+34 600 11 22 33", "--phone", "home:+34 910 00 00 00",
                  "--note", "ours")
        bench.run("contacts", "edit", ayse["id"], "--organization", "Globex")
        server.put("u-1", card("u-1", "Carmen Luz Diaz", "TEL;TYPE=cell:+34 600 11 22 33", "TITLE:Admiral",
                               "EMAIL:carmen@example.org", "NICKNAME:Luzi", "NOTE:theirs"))
        server.put("u-2", card("u-2", "Ayşe Öztürk", "EMAIL:ayse@example.com", "NOTE:met in Bergen", "ORG:Umbrella"))
        syncer.sync()
        report = bench.sync()
        conflicts = {conflict["name"]: conflict["fields"] for conflict in report["conflicts"]}
        assert conflicts == {"Carmen Luz Diaz": ["note"], "Ayşe Öztürk": ["organization"]}, report
        syncer.sync()
        book = server.all()
        for text in ["Admiral", "910 00 00 00", "theirs", "ours", "Umbrella", "Globex"]:
            assert text in book, (text, book)
        contacts = bench.contacts()
        assert contacts["Ayşe Öztürk"]["organization"] == "Umbrella"
        assert [phone["number"] for phone in contacts["Carmen Luz Diaz"]["phones"]] == ["+34 600 11 22 33", "+34 910 00 00 00"]

        # Removed here, merged, and undone.
        bench.run("contacts", "remove", new)
        bench.run("contacts", "merge", carmen, ayse["id"])
        assert bench.sync()["deleted"] == 2
        syncer.sync()
        assert "Nowak" not in server.all() and "\nUID:u-2" not in server.all()
        bench.run("contacts", "merge", "--undo", carmen)
        assert bench.sync()["written"] == 2
        syncer.sync()
        assert "\nUID:u-2" in server.all() and "Ayşe" in server.all()

        # Nothing is left to do on any side.
        before = bench.files()
        syncer.sync()
        report = bench.sync()
        assert report["unchanged"] == 2 and report["written"] + report["updated"] + report["added"] == 0, report
        assert bench.files() == before
    finally:
        server.end()
    bench.end()
