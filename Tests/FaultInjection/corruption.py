"""Corrupts the database, its log, the index files and backups."""

import random
import shutil

from bench import SAMPLE, Bench, Row

QUERIES = ["jogo", "5646", "smth", "first", "item", "a", "london", ""]

# Commands that read the tables of all modules.
COMMANDS = [
    "contacts list", "contacts find jogo", "contacts dial 5646", "contacts duplicates", "contacts groups", "contacts export",
    "prospects list", "prospects find guest", "prospects export", "reminders list", "index list --limit 0",
    "index search item", "index query title=='Item*'", "index stats", "activity list", "airports recent", "airports popular",
    "keypad words 4663", "database stats",
]


def corrupted(bytes, rng):
    """Returns the corrupted bytes and the kind of corruption."""
    data = bytearray(bytes)
    kind = rng.choice(["flip", "flip", "noise", "head", "zeros", "cut", "swap", "append", "empty"])
    place = rng.randrange(max(len(data), 1))
    if kind == "flip":
        data[place] ^= 1 << rng.randrange(8)
    elif kind == "noise":
        for _ in range(64):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif kind == "head":
        data[rng.randrange(min(len(data), 256))] = rng.randrange(256)
    elif kind == "zeros":
        page = place // 4096 * 4096
        data[page:page + 4096] = bytes_of_zeros(len(data[page:page + 4096]))
    elif kind == "cut":
        del data[place:]
    elif kind == "swap":
        one, other = place // 4096 * 4096, rng.randrange(len(data)) // 4096 * 4096
        data[one:one + 4096], data[other:other + 4096] = data[other:other + 4096], data[one:one + 4096]
    elif kind == "append":
        data += rng.randbytes(rng.randrange(1, 9000))
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


def test_corrupt_database(programs):
    bench = Bench(programs)
    filled(bench)
    bench.done("database", "optimize")
    backup = bench.root / "backup.sqlite"
    bench.done("database", "backup", backup)
    sound = bench.database.read_bytes()
    right = everything(bench)
    index = bench.root / "people.index"
    rng = random.Random(7)
    rounds = programs.pick(25, 1500)
    refused = found = harmless = unseen = restored = 0
    commands = [command.split() for command in COMMANDS]
    for round in range(rounds):
        kind, data = corrupted(sound, rng)
        for old in bench.root.glob("people.sqlite*"):
            old.unlink()
        if rng.random() < 0.7:
            shutil.rmtree(index, ignore_errors=True)
        bench.database.write_bytes(data)
        complaints = 0
        for command in rng.sample(commands, 4):
            ending = bench.run(*command)
            if ending.status not in (0, 1):
                # An export is written while it is read, so the part before the corruption is already printed.
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
            # SQLite has no page checksums, so a changed letter in a text is not detected.
            try:
                same = everything(bench) == right
            except AssertionError:
                same = False
            harmless += same
            unseen += not same
        # A backup restores everything.
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
        "A corrupt database: bits, bytes and pages changed, zeroed, swapped, truncated, appended",
        f"{rounds:,} times: {refused:,} refused at once with one line of advice, {found:,} found by `database check`, "
        f"{harmless:,} without effect, {unseen:,} undetected (a changed letter or number: SQLite has no checksums)",
        f"nothing that was in the backup: {restored:,} complete restores; no crash")]


def test_corrupt_index_files(programs):
    bench = Bench(programs)
    filled(bench)
    # The index of the bundled airports is embedded in the program, that of a loaded list is a file.
    bench.done("airports", "snapshot", "--output", bench.root / "popular.gz")
    bench.done("airports", "update", "--from", bench.root / "popular.gz")
    searches = {"contacts": "contacts find", "prospects": "prospects find", "items": "index search", "airports": "airports search"}
    expected = {name: bench.answers(QUERIES, [search]) for name, search in searches.items()}
    index = bench.root / "people.index"
    files = {path.name: path.read_bytes() for path in index.iterdir()}
    assert len(files) == 5, sorted(files)
    rng = random.Random(11)
    tried = rebuilt = 0

    def expect_right(name, kind):
        nonlocal tried
        tried += 1
        search = next(search for search in searches if name.startswith(search))
        for one, other in zip(bench.answers(QUERIES, [searches[search]]), expected[search], strict=True):
            assert one == other, (name, kind, one, other)

    for name, sound in sorted(files.items()):
        place = index / name
        # Building the index of airports takes seconds.
        rounds = programs.pick(1, 40) if name.startswith("airports") else programs.pick(8, 400)
        for _ in range(rounds):
            kind, data = corrupted(sound, rng)
            # A new file, so that existing mappings stay intact.
            place.unlink(missing_ok=True)
            place.write_bytes(data)
            expect_right(name, kind)
            rebuilt += place.read_bytes() != data
        if not name.startswith("airports"):
            # A folder and a dangling link in place of the file.
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
    # The index files of another database are not used.
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
        f"A corrupt index file ({', '.join(sorted(files))}), a folder or a dangling link in its place, the files of another database",
        f"{tried:,} times", f"none; every result was correct, {rebuilt:,} files rebuilt")]
