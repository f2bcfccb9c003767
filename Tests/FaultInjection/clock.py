"""Sets the clock back with faketime."""

import json
import shutil

from bench import SAMPLE, Bench, Row


def test_clock(programs):
    if shutil.which("faketime") is None:
        return [Row("The clock is set back", "skipped: faketime is missing", "–")]
    rounds = [clock_set_back(programs, back) for back in programs.pick(["2025-11-21"], ["2026-11-20", "2025-11-21", "1999-12-31", "1971-01-02"])]
    return [Row(
        "The clock is set back by a day to 55 years (faketime): reminders, expiry, recent airports, incremental indexes, backups",
        f"{len(rounds)} clocks, {sum(rounds)} steps",
        "none; no reminder early or repeated, the last choice first, every change found")]


def clock_set_back(programs, back):
    bench = Bench(programs)
    steps = 0

    def at(time, *arguments, status=0, text=None):
        nonlocal steps
        steps += 1
        ending = bench.run(*arguments, text=text, prefix=["faketime", "-f", f"@{time}"])
        assert ending.status == status, f"{time}: {ending}"
        return ending

    today, later, past = "2026-11-21 12:00:00", "2026-11-21 14:00:00", f"{back} 12:00:00"
    at(today, "access", "grant", "notifications")
    at(today, "contacts", "import", SAMPLE)

    # A reminder is delivered once, and not before it is due.
    prospect = json.loads(at(today, "prospects", "add", "--name", "Bo Guest", "--json").output)["id"]
    at(today, "prospects", "remind", prospect, "--in", "1h")
    told = bench.root / "told"
    deliver = ["reminders", "run", "--once", "--deliver-with", f"echo told >> '{told}'"]
    at(past, *deliver)
    assert not told.exists(), "delivered early"
    at(later, *deliver)
    at(later, *deliver)
    at(past, *deliver)
    at(later, *deliver)
    assert told.read_text() == "told\n", told.read_text()
    # A reminder scheduled in the past is due by that clock.
    at(past, "prospects", "remind", prospect, "--in", "1h")
    at(f"{back} 14:00:00", *deliver)
    assert told.read_text() == "told\n" * 2, told.read_text()

    # An expired item is not found. An item that has not expired yet is not removed.
    at(today, "index", "put", "-", text='{"id": "short", "title": "Short", "expiresAt": "2026-11-21T12:30:00Z"}')
    found = [row["id"] for row in json.loads(at(past, "index", "search", "short", "--json").output)["results"]]
    assert found == ["short"], found
    at(later, "index", "search", "short", status=1)
    at(later, "index", "query", 'title == "Short"', status=1)
    # An item without an expiry date, added in the past, expires relative to that clock.
    at(past, "index", "put", "-", text='{"id": "old", "title": "Old"}')
    assert at(past, "index", "search", "old").output

    # The last chosen airport comes first, whatever the clock shows.
    for time, code in ((today, "LHR"), (past, "JFK"), (today, "FRA"), (past, "IST")):
        at(time, "airports", "choose", code)
        recent = [row["id"] for row in json.loads(at(time, "airports", "recent", "--json").output)["results"]]
        assert recent[0] == code, (time, recent)

    # The index follows generations, not times.
    for number, (name, time) in enumerate(
            (("Zebedee", past), ("Quentin", today), ("Ottoline", past), ("Perpetua", past), ("Balthasar", today))):
        identifier = json.loads(at(time, "contacts", "add", "--name", f"{name} Quick", "--json").output)["id"]
        for look in (today, past):
            output = at(look, "contacts", "find", name).output
            assert f"{name} Quick" in output, (time, look, output)
        at(time, "contacts", "call", identifier)
        at(past, "contacts", "edit", identifier, "--note", "changed")
        if number % 2:
            at(past, "contacts", "remove", identifier)
            at(today, "contacts", "find", name, status=1)
    bench.expect_same_as_new(["zebedee", "jogo", "guest", ""])

    # A backup from the future is restored in the past, where its index files have newer times than the data.
    at(today, "database", "backup", bench.root / "backup.sqlite")
    at(today, "contacts", "add", "--name", "Xaverius Bird")
    at(today, "contacts", "find", "xaverius")
    at(past, "database", "restore", bench.root / "backup.sqlite")
    at(past, "contacts", "find", "xaverius", status=1)
    at(past, "contacts", "add", "--name", "Newer Bird")
    assert "Newer Bird" in at(today, "contacts", "find", "newer").output
    bench.check()
    bench.end()
    return steps
