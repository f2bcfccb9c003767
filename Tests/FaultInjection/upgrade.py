"""A server's data folder of an earlier version is opened by this version: nothing is lost, and what could be undone can be.

python Tests/FaultInjection/upgrade.py COMMAND SERVER VERSION writes the folder and what its server answers, with the programs
of that version, to Tests/FaultInjection/upgrade/VERSION.tar.xz.
"""

import json
import pathlib
import shutil
import sys
import tarfile
import time
from urllib.parse import quote

from bench import SAMPLE, Bench, Programs, Row, Server

FOLDER = pathlib.Path(__file__).parent / "upgrade"

# A picture of one pixel; groups, foreign properties and parameters; a number without an international form.
CARDS = """BEGIN:VCARD\r
VERSION:3.0\r
UID:hard-1\r
N:Łąka;Żaneta;Q.;Dr.;\r
FN:Dr. Żaneta Q. Łąka\r
NICKNAME:Żaba\r
item1.TEL:*100#\r
item1.X-ABLabel:Balance\r
TEL;TYPE=CELL;X-SLOT=2:+48 601 234 567\r
EMAIL;TYPE=WORK:zaneta@laka.example\r
ADR;TYPE=HOME:;;Lindenweg 1\\, links;Łódź;;90-001;Polska\r
ORG:Works;Garden\r
BDAY:1980-04-15\r
CATEGORIES:Choir,Neighbours\r
X-SKYPE:laka935\r
NOTE:First line\\nsecond line with ❤️\r
PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmM\r
 IQAAAABJRU5ErkJggg==\r
END:VCARD\r
BEGIN:VCARD\r
VERSION:3.0\r
UID:hard-2\r
FN:Mom 🐝\r
TEL:030 901820\r
END:VCARD\r
"""
ITEMS = [
    {"id": "lamp", "domain": "shop", "title": "Clay lamp", "contentDescription": "Drama\nFriday", "keywords": ["light"],
     "textContent": "今天天气很好 and Łódź", "expiresAt": "2099-01-01T00:00:00Z"},
    {"id": "show", "title": "The Show", "startDate": "2031-05-01T20:15:00Z", "expiresAt": "2099-01-01T00:00:00Z"},
]

# The lists of a person.
LISTS = {
    "contacts": "/v1/contacts?limit=100", "prospects": "/v1/prospects?limit=100", "reminders": "/v1/reminders",
    "items": "/v1/index/items?limit=100", "activities": "/v1/activities", "groups": "/v1/contacts/groups",
    "choices": "/v1/choices",
}


def fill(person):
    """Stores something of each kind, and changes that can be undone."""
    person.done("POST", "/v1/contacts/import", SAMPLE.read_bytes(), "text/vcard")
    person.done("POST", "/v1/contacts/import", CARDS.encode(), "text/vcard")
    mom = person.done("GET", "/v1/contacts?q=mom")["results"][0]["id"]
    person.done("PATCH", f"/v1/contacts/{mom}", {"favourite": True, "note": "edited"})
    person.done("POST", f"/v1/contacts/{mom}/call", {})
    *merged, removed = [row["id"] for row in person.done("GET", "/v1/contacts?limit=5")["results"]][2:]
    person.done("POST", "/v1/contacts/merge", {"ids": merged})
    person.done("DELETE", f"/v1/contacts/{removed}")
    person.done("PUT", "/v1/access/notifications", {"status": "authorized"})
    ids = [person.done("POST", "/v1/prospects", {
        "name": name, "email": f"{name[0].lower()}@example.org", "phone": "+44 20 7946 0018", "organization": "Works",
        "note": "at the booth"})["id"] for name in ("Bo Quill", "Ida Øst", "Uwe Ek")]
    person.done("PUT", f"/v1/prospects/{ids[0]}/reminder", {"at": "2031-05-02T09:00:00Z"})
    person.done("PATCH", f"/v1/prospects/{ids[1]}", {"contacted": True})
    person.done("PUT", "/v1/index/items", ITEMS)
    person.done("POST", "/v1/activities", {"activityType": "org.example.read", "title": "Reading on", "expirationDate": "2099-01-01T00:00:00Z"})
    person.done("POST", "/v1/choices", {"q": "clay", "kind": "item", "id": "lamp"})
    return {"merged": merged[0], "removed": removed}


def answered(person):
    """Returns the rows of all lists."""
    return {name: person.done("GET", path)["results"] for name, path in LISTS.items()}


def write(programs, version):
    bench = Bench(programs)
    server = Server(bench)
    person = server.connect()
    undoable = fill(person)
    expected = {"undoable": undoable, "token": server.token, "lists": answered(person)}
    expected["cards"] = person.done("GET", "/v1/contacts.vcf")
    server.stop()
    (bench.root / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1))
    FOLDER.mkdir(exist_ok=True)
    with tarfile.open(FOLDER / f"{version}.tar.xz", "w:xz") as archive:
        for path in (server.data, bench.root / "expected.json"):
            archive.add(path, path.name, filter=lambda file: None if file.name.endswith((".index", "port")) else file)
    bench.end()


def card_lines(text):
    """Returns the unfolded lines of each card, sorted."""
    cards = text.replace("\r\n ", "").replace("\r\n", "\n").split("BEGIN:VCARD")[1:]
    return sorted(sorted(line for line in card.split("\n") if not line.startswith(("REV", "PRODID"))) for card in cards)


def differences(old, new, path=""):
    """Returns what a later version answers otherwise, by path. How a row describes its thing may change."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [line for name in old.keys() - {"subtitle"} for line in differences(old[name], new.get(name), f"{path}.{name}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [line for number, pair in enumerate(zip(old, new)) for line in differences(*pair, f"{path}.{number}")]
    return [] if old == new else [f"{path}: {old!r} was, {new!r} is"]


def test_upgrade(programs):
    archives = sorted(FOLDER.glob("*.tar.xz"))
    assert archives, f"{FOLDER} has no archive"
    return [upgrade(programs, archive) for archive in archives]


def upgrade(programs, archive):
    version = archive.name.removesuffix(".tar.xz")
    bench = Bench(programs)
    with tarfile.open(archive) as files:
        files.extractall(bench.root, filter="data")
    expected = json.loads((bench.root / "expected.json").read_text())
    [database] = (bench.root / "server/people").glob("*.sqlite")
    undoing(bench, database, expected["undoable"])

    server = Server(bench)
    person = server.connect()
    person.token = expected["token"]
    lost = differences(expected["lists"], answered(person))
    assert not lost, "\n".join(lost)
    old, new = card_lines(expected["cards"]), card_lines(person.done("GET", "/v1/contacts.vcf"))
    assert old == new, [(one, other) for one, other in zip(old, new) if one != other][:3]
    # What was stored is found, and can be changed, as if this version had stored it.
    for query in ("żaba", "laka935", "mom 🐝", "*100#"):
        assert person.done("GET", f"/v1/contacts?q={quote(query)}")["results"], query
    # Full texts are folded anew in the background, from the first search on.
    begun = time.monotonic()
    while [row["id"] for row in person.done("GET", f"/v1/index/search?q={quote('天气')}")["results"]] != ["lamp"]:
        assert time.monotonic() < begun + 60, "a full text is not found"
        time.sleep(0.05)
    for row in person.done("GET", "/v1/contacts?limit=100")["results"]:
        person.done("PATCH", f"/v1/contacts/{row['id']}", {"department": "Upgraded"})
    server.stop()
    bench.check(database)
    bench.end()
    counts = ", ".join(f"{len(rows)} {name}" for name, rows in expected["lists"].items())
    return Row(
        f"The data of a server of version {version} is opened by this one", f"{len(old)} cards, {counts}",
        "none; a merge and a removal of that version are undone, and its tokens hold")


def undoing(bench, database, undoable):
    """Undoes what the earlier version has merged and removed, on a copy, within the time for which it is kept."""
    if shutil.which("faketime") is None:
        return
    copy = shutil.copy(database, bench.root / "copy.sqlite")

    def at(*arguments):
        return bench.done("contacts", *arguments, "--json", database=copy, prefix=["faketime", "-f", "@2026-11-29 12:00:00"]).json

    before = len(at("list")["results"])
    at("merge", "--undo", undoable["merged"])
    at("remove", "--undo", undoable["removed"])
    assert len(at("list")["results"]) == before + 2


if __name__ == "__main__":
    write(Programs(sys.argv[1], sys.argv[2], None, True), sys.argv[3])
