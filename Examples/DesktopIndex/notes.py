#!/usr/bin/python3
"""Puts notes into the desktop's search, or finds them there. Needs Debian's python3-dbus.

    notes.py add ID TEXT
    notes.py remove ID
    notes.py find TEXT
    notes.py sync FILE      puts a file with a note per line, if it has changed
"""
import hashlib
import json
import sys

import dbus

NAME = "org.example.Notes"  # the name on the bus is also the domain of the items


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 64
    command, *arguments = sys.argv[1:]
    bus = dbus.SessionBus()
    bus.request_name(NAME)
    service = bus.get_object("org.switchboard.Switchboard", "/org/switchboard/Index")
    index = dbus.Interface(service, "org.switchboard.Index1")
    try:
        if command == "add":
            put(index, [note(arguments[0], " ".join(arguments[1:]))])
        elif command == "remove":
            index.Delete(NAME, arguments)
        elif command == "find":
            found = json.loads(index.Search(NAME, " ".join(arguments), dbus.UInt32(10)))
            for result in found["results"]:
                print(result["id"], result["title"])
        elif command == "sync":
            sync(index, arguments[0])
    except dbus.DBusException as error:
        print(f"notes.py: {error.get_dbus_message()}", file=sys.stderr)
        return 1
    return 0


def note(identifier: str, text: str) -> dict:
    return {"id": identifier, "title": text, "contentType": "public.text", "expiresAt": None}


def put(index: dbus.Interface, items: list[dict], **states: str) -> None:
    options = dbus.Dictionary({name.replace("_", "-"): text for name, text in states.items()}, signature="sv")
    indexed, updated, _ = index.Put(NAME, json.dumps(items), options)
    print(f"indexed {indexed}, updated {updated}")


def sync(index: dbus.Interface, file: str) -> None:
    """The client state is the hash of the file, stored with the notes in one transaction."""
    with open(file, "rb") as lines:
        content = lines.read()
    state = hashlib.sha256(content).hexdigest()
    known = index.GetClientState(NAME)
    if known == state:
        print("unchanged")
        return
    notes = [note(f"line-{number}", line) for number, line in enumerate(content.decode().splitlines()) if line]
    put(index, notes, client_state=state, expected_state=known)


if __name__ == "__main__":
    sys.exit(main())
