"""Programs that people have: vdirsyncer and khard."""

import pathlib
import random
import subprocess
import sys

from client import card

BIN = pathlib.Path(sys.executable).parent


class Syncer:
    """A vdirsyncer that keeps a folder for each address book in step with the server."""

    def __init__(self, root, client, number=0):
        self.root = root / f"device{number}"
        self.folder = self.root / "books" / "contacts"
        self.root.mkdir()
        self.configuration = self.root / "vdirsyncer.ini"
        self.configuration.write_text(f"""[general]
status_path = "{self.root}/status/"
[pair contacts]
a = "server"
b = "folder"
collections = ["from a"]
conflict_resolution = "a wins"
[storage server]
type = "carddav"
url = "http://{client.host}/"
username = "{client.person}"
password = "{client.password}"
[storage folder]
type = "filesystem"
path = "{self.root}/books"
fileext = ".vcf"
[pair tasks]
a = "calendars"
b = "lists"
collections = ["from a"]
[storage calendars]
type = "caldav"
item_types = ["VTODO"]
url = "http://{client.host}/"
username = "{client.person}"
password = "{client.password}"
[storage lists]
type = "filesystem"
path = "{self.root}/lists"
fileext = ".ics"
""")
        self.run("discover", text="y\n" * 10)

    def run(self, *arguments, text=""):
        result = subprocess.run([BIN / "vdirsyncer", "-c", self.configuration, *arguments], input=text, capture_output=True, text=True)
        assert result.returncode == 0, (arguments, result.stdout, result.stderr)
        return result.stderr

    def sync(self):
        return self.run("sync")

    def cards(self):
        return {path.name: path.read_bytes() for path in self.folder.glob("*.vcf")}


def hard_cards(count, seed):
    """Cards with what other servers lose: groups, odd parameters, data URIs, folded lines, both versions, any order."""
    chance = random.Random(seed)
    names = ["Ayşe Öztürk", "Łukasz Nowak", "李 小龍", "Zoë O’Brien-Smith", "محمد علي", "Ana; Maria", "Jürgen Groß", "🦊 𠮷"]
    lines = [
        "item1.TEL:+49 30 123456\r\nitem1.X-ABLabel:_$!<HomeFAX>!$_", "NICKNAME:a,b,c", "X-ODD;A=\"b;c:d\";E=f:g\\,h\\;i",
        "PHOTO;ENCODING=b;TYPE=JPEG:" + "/9j/4AAQSkZJRgABAQ" * 20, "NOTE:line\\nline\\, and a very long text that needs to be folded\r\n  because it is\r\n  so long",
        "BDAY:--0229", "BDAY;VALUE=text:around 1980", "ADR;TYPE=\"home,postal\";LABEL=\"x^ny\":;;Main St. 1;Town;;12345;", "ORG:A\\;B;C;;D",
        "EMAIL;PREF=1;TYPE=work:a@example.org", "CATEGORIES:Friends,Rock \\, Roll", "X-SOCIALPROFILE;type=x;x-user=y:https://example.org/y",
        "REV:20200101T000000Z", "item2.X-ABDATE:1999-01-01\r\nitem2.X-ABLabel:_$!<Anniversary>!$_", "TEL;TYPE=cell;VALUE=uri:tel:+49-170-1234567", "IMPP:xmpp:a@b.example",
        "X-EMPTY:", "LANG:de", "GEO:geo:1.0,2.0", "TITLE:Dr.\\, Prof.",
    ]
    for number in range(count):
        name = f"{chance.choice(names)} {number}"
        extra = chance.sample(lines, chance.randint(0, 9))
        yield card(f"hard-{seed}-{number}", name.replace(";", "\\;"), *extra, version=chance.choice(["3.0", "4.0"]))


def test_vdirsyncer(service, client, api):
    root = pathlib.Path(service.folder.name)
    first, second = Syncer(root, client, 1), Syncer(root, client, 2)
    sent = {f"{card.split(b'UID:')[1].split(bytes([13]))[0].decode()}.vcf": card for card in hard_cards(300, 48)}
    for name, text in sent.items():
        (first.folder / name).write_bytes(text)
    first.sync()
    second.sync()
    received = second.cards()
    assert len(received) >= 300
    assert {text for text in received.values()} >= set(sent.values()), "cards have changed on the way"
    # Nothing is in motion any more.
    assert "Uploading" not in first.sync() and "Uploading" not in second.sync()

    # Both ways: an edit and a removal on a device, an edit and a new contact elsewhere.
    name = sorted(sent)[7]
    (first.folder / name).write_bytes(sent[name].replace(b"END:VCARD", b"NOTE:from a device\r\nEND:VCARD"))
    (first.folder / sorted(sent)[8]).unlink()
    api.ask("POST", "/v1/contacts", {"name": "Made Elsewhere", "phones": [{"number": "+4930999"}]})
    row = api.rows("/v1/contacts?q=nowak")[0]
    api.ask("PATCH", f"/v1/contacts/{row['id']}", {"title": "Admiral"})
    first.sync()
    second.sync()
    assert first.cards().keys() == second.cards().keys()
    texts = second.cards().values()
    assert sum(b"NOTE:from a device" in text for text in texts) == 1 and len(texts) == 300
    assert any(b"Made Elsewhere" in text for text in texts) and any(b"TITLE:Admiral" in text for text in texts)

    # A conflict: the server's version wins here, and every device has the same.
    name = next(iter(first.cards()))
    for syncer, word in [(first, b"one"), (second, b"two")]:
        text = (syncer.folder / name).read_bytes()
        (syncer.folder / name).write_bytes(text.replace(b"END:VCARD", b"X-SIDE:" + word + b"\r\nEND:VCARD"))
    for syncer in [first, second, first]:
        syncer.sync()
    assert first.cards() == second.cards()

    # What a device has is found with khard.
    (first.root / "khard.conf").write_text(f"[addressbooks]\n[[book]]\npath = {first.folder}\n")
    listed = subprocess.run([BIN / "khard", "-c", first.root / "khard.conf", "list"], capture_output=True, text=True)
    assert "Made Elsewhere" in listed.stdout, listed.stderr


TESTS = [test_vdirsyncer]
