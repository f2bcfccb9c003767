"""Files that have gone bad: the database, its log, the index files, backups."""

import random
import shutil

from bench import SAMPLE, Bench, Row

QUERIES = ["jogo", "5646", "smth", "first", "item", "a", "london", ""]

# What reads the tables of all modules.
COMMANDS = [
    "contacts list", "contacts find jogo", "contacts dial 5646", "contacts duplicates", "contacts groups", "contacts export",
    "prospects list", "prospects find guest", "prospects export", "reminders list", "index list --limit 0",
    "index search item", "index query title=='Item*'", "index stats", "activity list", "airports recent", "airports popular",
    "keypad words 4663", "database stats",
]


def damaged(bytes, chance):
    """What disks and people do to files, and what it is called."""
    data = bytearray(bytes)
    kind = chance.choice(["flip", "flip", "noise", "head", "zeros", "cut", "swap", "append", "empty"])
    place = chance.randrange(max(len(data), 1))
    if kind == "flip":
        data[place] ^= 1 << chance.randrange(8)
    elif kind == "noise":
        for _ in range(64):
            data[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == "head":
        data[chance.randrange(min(len(data), 256))] = chance.randrange(256)
    elif kind == "zeros":
        page = place // 4096 * 4096
        data[page:page + 4096] = bytes_of_zeros(len(data[page:page + 4096]))
    elif kind == "cut":
        del data[place:]
    elif kind == "swap":
        one, other = place // 4096 * 4096, chance.randrange(len(data)) // 4096 * 4096
        data[one:one + 4096], data[other:other + 4096] = data[other:other + 4096], data[one:one + 4096]
    elif kind == "append":
        data += chance.randbytes(chance.randrange(1, 9000))
    else:
        data.clear()
    return kind, type(bytes)(data)


def bytes_of_zeros(count):
    return b"\0" * count


def filled(bench):
    bench.done("contacts", "import", SAMPLE)
    text = "".join(f'{{"id": "item-{n}", "title": "Item {n}", "contentDescription": "{"word " * 40}"}}\n' for n in range(400))
    bench.done("index", "put", "-", text='{"id": "first", "title": "First"}\n' + text)
    for name in ("Bo Guest", "Mia Guest"):
        bench.done("prospects", "add", "--name", name)
    bench.done("access", "grant", "notifications")
    bench.done("prospects", "remind", bench.json("prospects", "list")["results"][0]["id"], "--in", "9d")
    bench.done("airports", "choose", "LHR")
    bench.done("keypad", "learn", "good")
    bench.done("activity", "begin", "-", text='{"activityType": "com.example.show", "title": "Watching"}')


def everything(bench, database=None):
    return bench.contacts(database), bench.prospects(database), bench.items(database)


def test_damaged_database(programs):
    bench = Bench(programs)
    filled(bench)
    bench.done("database", "optimize")
    backup = bench.root / "backup.sqlite"
    bench.done("database", "backup", backup)
    sound = bench.database.read_bytes()
    right = everything(bench)
    index = bench.root / "people.index"
    chance = random.Random(7)
    rounds = programs.pick(25, 1500)
    refused = found = harmless = unseen = restored = 0
    commands = [command.split() for command in COMMANDS]
    for round in range(rounds):
        kind, data = damaged(sound, chance)
        for old in bench.root.glob("people.sqlite*"):
            old.unlink()
        if chance.random() < 0.7:
            shutil.rmtree(index, ignore_errors=True)
        bench.database.write_bytes(data)
        complaints = 0
        for command in chance.sample(commands, 4):
            ending = bench.run(*command)
            if ending.status not in (0, 1):
                # An export is written as it is read: what comes before the damage is out already.
                if command[-1] == "export":
                    ending.output = ""
                line = ending.complaint(65)
                assert "database restore" in line or "choose another file" in line or "newer version" in line, line
                complaints += 1
        check = bench.run("database", "check")
        assert check.status in (0, 65), check
        if check.status == 65:
            assert len(check.errors.splitlines()) >= 1, check
            found += complaints == 0
            refused += complaints > 0
        elif data == sound or kind == "append":
            harmless += 1
        else:
            # SQLite keeps no checksums of its pages: a letter in the middle of a text may be another one.
            try:
                same = everything(bench) == right
            except AssertionError:
                same = False
            harmless += same
            unseen += not same
        # Whatever it is: a backup brings everything back.
        if kind != "empty" and "newer version" not in check.errors:
            ending = bench.run("database", "restore", backup)
            if ending.status != 0:
                assert "newer version" in ending.errors or "another program" in ending.errors, (kind, ending)
                continue
            assert everything(bench) == right, kind
            bench.check()
            restored += 1
    bench.end()
    return [Row(
        "A damaged database: bits, bytes and pages changed, zeroed, exchanged, cut off, appended",
        f"{rounds:,} times: {refused:,} refused at once with a line that names the backup, {found:,} found by `database check`, "
        f"{harmless:,} without effect, {unseen:,} unseen (a letter or number inside a value: SQLite keeps no checksums)",
        f"nothing that was in the backup: {restored:,} times everything was restored; no command trapped")]


def test_damaged_files(programs):
    bench = Bench(programs)
    filled(bench)
    searches = {"contacts": "contacts find", "prospects": "prospects find", "items": "index search", "airports": "airports search"}
    expected = {name: bench.answers(QUERIES, [search]) for name, search in searches.items()}
    index = bench.root / "people.index"
    files = {path.name: path.read_bytes() for path in index.iterdir()}
    assert len(files) >= 4, sorted(files)
    chance = random.Random(11)
    tried = made_anew = 0

    def expect_right(name, kind):
        nonlocal tried
        tried += 1
        search = next(search for search in searches if name.startswith(search))
        for one, other in zip(bench.answers(QUERIES, [searches[search]]), expected[search], strict=True):
            assert one == other, (name, kind, one, other)

    for name, sound in sorted(files.items()):
        place = index / name
        # Making the index of the airports takes seconds.
        rounds = programs.pick(1, 40) if name.startswith("airports") else programs.pick(8, 400)
        for _ in range(rounds):
            kind, data = damaged(sound, chance)
            # Another file in its place: what was mapped before stays as it was.
            place.unlink(missing_ok=True)
            place.write_bytes(data)
            expect_right(name, kind)
            made_anew += place.read_bytes() != data
        if not name.startswith("airports"):
            # As a folder, and as a link to nowhere, it is no file at all.
            place.unlink(missing_ok=True)
            place.mkdir()
            expect_right(name, "folder")
            place.rmdir()
            place.symlink_to("/nowhere/at/all")
            expect_right(name, "dead link")
        place.unlink(missing_ok=True)
        place.write_bytes(sound)
    shutil.rmtree(index)
    index.write_text("no folder")
    expect_right("contacts", "no folder")
    index.unlink()
    # Another database's files are not taken for this one's.
    other = Bench(programs)
    other.done("contacts", "add", "--name", "Jogo Other")
    other.done("index", "put", "-", text='{"id": "other", "title": "First Other"}')
    other.answers(QUERIES)
    shutil.copytree(other.root / "people.index", index)
    for name in ("contacts", "prospects", "items"):
        expect_right(name, "another database's")
    other.end()
    bench.end()
    return [Row(
        f"A damaged index file ({', '.join(sorted(files))}), a folder or a dead link in its place, the files of another database",
        f"{tried:,} times", f"nothing; every answer was right, {made_anew:,} files made anew")]
