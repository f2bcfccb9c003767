"""Evolution Data Server, which GNOME Contacts and Evolution use, without a screen on a bus of its own."""

import os
import pathlib
import subprocess
import time

from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection

SERVICES = "org.gnome.evolution.dataserver"
REGISTRY = pathlib.Path("/usr/libexec/evolution-source-registry")

SOURCE = """[Data Source]
DisplayName={kind}
Enabled=true
Parent={backend}-stub

[{kind}]
BackendName={backend}

[Authentication]
Host={host}
Port={port}
User={user}
Method=plain/password
RememberPassword=false

[Security]
Method=none

[WebDAV Backend]
ResourcePath={path}
"""


class Evolution:
    """The books and lists of an account."""

    def __init__(self, root, client, paths):
        self.client = client
        environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        folders = {f"XDG_{name.upper()}_HOME": str(root / name) for name in ["config", "data", "cache"]}
        environment |= {"HOME": str(root), "GSETTINGS_BACKEND": "memory", "GIO_USE_NETWORK_MONITOR": "base", **folders}
        sources = root / "config/evolution/sources"
        sources.mkdir(parents=True)
        host, port = client.host.split(":")
        for kind, (backend, path) in paths.items():
            text = SOURCE.format(kind=kind, backend=backend, host=host, port=port, user=client.person, path=path)
            (sources / f"{kind.replace(' ', '')}.source").write_text(text)
        reader, writer = os.pipe()
        with open(root / "evolution.log", "w") as log:
            self.bus = subprocess.Popen(
                ["dbus-daemon", "--session", "--nofork", f"--print-address={writer}"], env=environment, pass_fds=[writer], stdout=log, stderr=log)
        os.close(writer)
        with os.fdopen(reader) as address:
            self.connection = open_dbus_connection(address.readline().strip())

    def close(self):
        self.connection.close()
        self.bus.terminate()
        self.bus.wait()

    def call(self, address, method, signature="", *values):
        reply = self.connection.send_and_get_reply(new_method_call(address, method, signature or None, values), timeout=30)
        if reply.header.message_type == MessageType.error:
            raise AssertionError(f"{method}: {reply.body}")
        return reply.body

    def open(self, kind, service, factory, method):
        """Opens a book or list with the password of the account, and returns its address."""
        sources = f"{SERVICES}.Sources5"
        manager = DBusAddress("/org/gnome/evolution/dataserver/SourceManager", sources, "org.freedesktop.DBus.ObjectManager")
        objects, = self.call(manager, "GetManagedObjects")
        name = kind.replace(" ", "")
        source = next(path for path, faces in objects.items() if faces[f"{SERVICES}.Source"]["UID"][1] == name)
        place = DBusAddress(f"/org/gnome/evolution/dataserver/{factory}", f"{SERVICES}.{service}", f"{SERVICES}.{factory}")
        path, owner = self.call(place, method, "s", name)
        address = DBusAddress(path, owner, f"{SERVICES}.{factory.removesuffix('Factory')}")
        self.call(address, "Open")
        credentials = [f"username:{self.client.person}", f"password:{self.client.password}"]
        self.call(DBusAddress(source, sources, f"{SERVICES}.Source"), "InvokeAuthenticate", "as", credentials)
        return address


def eventually(look):
    """Looks until the result is true, and returns it."""
    deadline = time.monotonic() + 30
    while not (result := look()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return result


def test_evolution(service, client, api):
    if not REGISTRY.exists():
        print("evolution-data-server is not installed; run Scripts/prepare --optional")
        return
    root = pathlib.Path(service.folder.name) / "evolution"
    evolution = Evolution(root, client, {
        "Address Book": ("carddav", client.path("contacts", "")), "Task List": ("caldav", client.path("reminders", "", home="calendars"))})
    try:
        contacts_are_in_step(evolution, client, api)
        tasks_are_in_step(evolution, api)
    finally:
        evolution.close()


def contacts_are_in_step(evolution, client, api):
    api.ask("POST", "/v1/contacts", {"name": "Ana Smith", "phones": [{"number": "+44 7700 900123"}]})
    odd = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:odd\r\nFN:Odd One\r\nN:One;Odd;;;\r\nitem1.TEL:+44 7700 900124\r\n" \
        "item1.X-ABLabel:boat\r\nX-ODD;A=\"b;c\":kept\r\nEND:VCARD\r\n"
    assert client.put(client.path("contacts", "odd.vcf"), odd.encode()).status == 201
    book = evolution.open("Address Book", "AddressBook10", "AddressBookFactory", "OpenAddressBook")

    def cards():
        texts, = evolution.call(book, "GetContactList", "s", '(contains "x-evolution-any-field" "")')
        return {text.split("\r\nFN:")[1].split("\r\n")[0]: text for text in texts}

    def card(name, part=""):
        return eventually(lambda: part in (text := cards().get(name, "")) and text)

    def found(text):
        return [row["title"] for row in api.rows(f"/v1/contacts?q={text}")]

    assert card("Ana Smith") and card("Odd One")
    # Made, changed and removed in Evolution.
    made = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:made\r\nFN:Bo Jones\r\nN:Jones;Bo;;;\r\nX-EVOLUTION-FILE-AS:Jones\\, Bo\r\nEND:VCARD\r\n"
    evolution.call(book, "CreateContacts", "asu", [made], 0)
    assert found("jones") == ["Bo Jones"]
    evolution.call(book, "ModifyContacts", "asu", [card("Odd One").replace("END:VCARD", "NOTE:from GNOME\r\nEND:VCARD")], 0)
    kept = client.ask("GET", client.path("contacts", "odd.vcf")).text
    assert all(line in kept for line in ["NOTE:from GNOME", "item1.X-ABLabel:boat", "X-ODD;A=\"b;c\":kept", "item1.TEL"]), kept
    # Evolution names no version, so it replaces what it has not read yet.
    token = api.ask("GET", "/v1/contacts?changedSince=")["token"]
    odd = api.rows("/v1/contacts?q=odd")[0]["id"]
    api.ask("PATCH", f"/v1/contacts/{odd}", {"title": "Admiral"})
    evolution.call(book, "ModifyContacts", "asu", [card("Odd One", "from GNOME").replace("from GNOME", "again from GNOME")], 0)
    replaced = api.ask("GET", f"/v1/contacts?changedSince={token}")["removed"]
    assert [api.ask("POST", f"/v1/contacts/{one}/restore")["contact"]["title"] for one in replaced] == ["Admiral"]
    api.ask("DELETE", f"/v1/contacts/{replaced[0]}")
    # A client that names the version means what it leaves out.
    place = client.path("contacts", "odd.vcf")
    known = client.ask("GET", place)
    token = api.ask("GET", f"/v1/contacts?changedSince={token}")["token"]
    without = "\r\n".join(line for line in known.text.split("\r\n") if not line.startswith("NOTE"))
    assert client.put(place, without.encode(), If_Match=known.tag).status == 204
    assert api.ask("GET", f"/v1/contacts?changedSince={token}")["removed"] == []
    # Changed and removed elsewhere.
    bo = api.rows("/v1/contacts?q=jones")[0]["id"]
    api.ask("PATCH", f"/v1/contacts/{bo}", {"title": "Admiral"})
    evolution.call(book, "Refresh")
    changed = card("Bo Jones", "TITLE:Admiral")
    assert changed and "X-EVOLUTION-FILE-AS:Jones\\, Bo" in changed
    api.ask("DELETE", f"/v1/contacts/{api.rows('/v1/contacts?q=smith')[0]['id']}")
    evolution.call(book, "Refresh")
    assert eventually(lambda: "Ana Smith" not in cards())
    uid = changed.split("\r\nUID:")[1].split("\r\n")[0]
    evolution.call(book, "RemoveContacts", "asu", [uid], 0)
    assert found("jones") == [] and list(cards()) == ["Odd One"]


def tasks_are_in_step(evolution, api):
    api.ask("PUT", "/v1/access/notifications", {"status": "authorized"})
    person = api.ask("POST", "/v1/prospects", {"name": "Grace Hopper"})["id"]
    api.ask("PUT", f"/v1/prospects/{person}/reminder", {"in": 86_400})
    tasks = evolution.open("Task List", "Calendar8", "CalendarFactory", "OpenTaskList")

    def listed():
        texts, = evolution.call(tasks, "GetObjectList", "s", "#t")
        return texts

    task, = eventually(listed)
    assert "Grace Hopper" in task
    evolution.call(tasks, "ModifyObjects", "assu", [task.replace("END:VTODO", "STATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\nEND:VTODO")], "all", 0)
    assert eventually(lambda: api.ask("GET", f"/v1/prospects/{person}")["prospect"]["contacted"])


TESTS = [test_evolution]
