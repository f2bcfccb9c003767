"""Makes each system call that changes a file fail, once or from then on: failing.c, preloaded."""

import errno
import os
import pathlib
import random
import shutil
import subprocess

from bench import Bench, Row, Server, card


def library(bench):
    """Compiles the library that makes calls fail; None if there is no compiler."""
    source = pathlib.Path(__file__).with_name("failing.c")
    made = bench.root / "failing.so"
    compiler = shutil.which("clang") or shutil.which("cc")
    if compiler is None:
        return None
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", str(source), "-o", str(made), "-ldl"], check=True)
    return made


class Operation:
    """A command that writes, run on a fresh copy of a folder."""

    def __init__(self, name, *arguments, starts_new=False, finds=False):
        self.name = name
        self.arguments = arguments
        self.starts_new = starts_new
        self.finds = finds


OPERATIONS = [
    Operation("a new database", "contacts", "add", "--name", "New Bird", starts_new=True),
    Operation("adding", "contacts", "add", "--name", "New Bird", "--phone", "+44 7700 900123"),
    Operation("importing", "contacts", "import", "{root}/cards.vcf"),
    Operation("items", "index", "put", "{root}/items.json"),
    Operation("a choice", "airports", "choose", "LHR"),
    Operation("a search that builds the index", "contacts", "find", "ana", finds=True),
    Operation("a backup", "database", "backup", "{folder}/backup.sqlite"),
    Operation("a restore", "database", "restore", "{root}/old.sqlite"),
    Operation("optimizing", "database", "optimize"),
]


def state(bench, database):
    return (bench.contacts(database), bench.items(database),
            [row["id"] for row in bench.json("airports", "recent", database=database)["results"]])


def test_failing_calls(programs):
    bench = Bench(programs)
    shim = library(bench)
    if shim is None:
        bench.end()
        return [Row("A file-system error at each call", "skipped: no C compiler", "–")]
    template = bench.root / "template"
    template.mkdir()
    database = template / "people.sqlite"
    bench.done("contacts", "add", "--name", "Old Bird", database=database)
    bench.done("database", "backup", bench.root / "old.sqlite", database=database)
    bench.done("contacts", "add", "--name", "Ana Bird", database=database)
    bench.done("index", "put", "-", text='{"id": "first", "title": "First"}', database=database)
    shutil.rmtree(template / "people.index", ignore_errors=True)
    (bench.root / "cards.vcf").write_text("".join(card(f"Person{n} Late") for n in range(60)))
    (bench.root / "items.json").write_text("".join(f'{{"id": "late-{n}", "title": "Item {n}"}}\n' for n in range(60)))
    folder = bench.root / "place"
    empty = ([], [], [])

    def inject(operation, number, code=errno.EIO, goes_on=False):
        """Returns the result, the number of calls, and the name of the failed one."""
        shutil.rmtree(folder, ignore_errors=True)
        if operation.starts_new:
            folder.mkdir()
        else:
            shutil.copytree(template, folder)
        count = bench.root / "count"
        environment = {"LD_PRELOAD": str(shim), "FAILING_FOLDER": str(folder) + "/", "FAILING_AT": str(number),
                       "FAILING_CODE": str(code), "FAILING_COUNT": str(count)}
        if goes_on:
            environment["FAILING_ON"] = "1"
        arguments = [part.format(root=bench.root, folder=folder) for part in operation.arguments]
        ending = bench.run(*arguments, database=folder / "people.sqlite", environment=environment)
        calls, name = count.read_text().split()
        return ending, int(calls), name

    rng = random.Random(5)
    tried = refused = tolerated = in_doubt = 0
    names = set()
    for operation in OPERATIONS:
        here = folder / "people.sqlite"
        ending, calls, _ = inject(operation, 0)
        assert ending.status == 0 and calls > 0, (operation.name, ending, calls)
        before = empty if operation.starts_new else state(bench, database)
        after = state(bench, here)
        numbers = range(1, calls + 1)
        most = programs.pick(3, 400)
        if calls > most:
            # The first calls create and open the file: SQLite falls back to reading if it cannot open it for writing.
            numbers = sorted({1, 2, *rng.sample(numbers, most)})
        for number in numbers:
            for code, goes_on in programs.pick(
                    [(errno.EIO, False) if number < 3 else rng.choice([(errno.EIO, False), (errno.ENOSPC, True)])],
                    [(errno.EIO, False), (errno.EIO, True), (errno.ENOSPC, False), (errno.ENOSPC, True)]):
                place = f"{operation.name}: call {number} of {calls}, {errno.errorcode[code]}{' and all later ones' if goes_on else ''}"
                ending, _, name = inject(operation, number, code, goes_on)
                names.add(name)
                tried += 1
                if ending.status != 0:
                    refused += 1
                    ending.complaint(74)
                else:
                    tolerated += 1
                if operation.finds:
                    # An index is derived from the data: without its file the result is the same.
                    assert ending.status == 0 and "Ana Bird" in ending.output, (place, ending)
                left = [name for name in os.listdir(folder) if name.endswith(".tmp")]
                assert not left, (place, left)
                now = state(bench, here)
                if ending.status == 0:
                    assert now == after, (place, "acknowledged but lost", now)
                else:
                    assert now in (before, after), (place, "partially applied", now)
                    if now == after != before:
                        in_doubt += 1
                bench.check(here)
                backup = folder / "backup.sqlite"
                if backup.exists():
                    bench.check(backup)
                    assert state(bench, backup) == before, place
                elif operation.name == "a backup":
                    assert ending.status != 0, place
                # The database works again.
                bench.done("contacts", "add", "--name", "Again Bird", database=here)
                found = bench.done("contacts", "find", "again", database=here)
                assert "Again Bird" in found.output, (place, found)
    bench.end()
    return [Row(
        f"A file-system error (EIO, ENOSPC; once, and from then on) at each write, sync, open, truncate and rename of {len(OPERATIONS)} commands",
        f"{tried:,} errors in {', '.join(sorted(names - {'-'}))}: {refused:,} commands refused, {tolerated:,} tolerated",
        f"none; each refused with one line and status 74 and works again; {in_doubt} refused although the write was "
        "applied (its last sync failed), none partially")]


def test_failing_server(programs):
    bench = Bench(programs)
    shim = library(bench)
    if shim is None:
        bench.end()
        return [Row("The disk of a running server fails", "skipped: no C compiler", "–")]
    during = bench.root / "fails"
    people = bench.root / "server" / "people"
    server = Server(bench, environment={
        "LD_PRELOAD": str(shim), "FAILING_FOLDER": str(people) + "/", "FAILING_WHILE": str(during)})
    connection = server.connect()
    acknowledged, maybe, refused = set(), set(), 0
    rounds = programs.pick(3, 100)

    def add(name):
        status, body = connection.ask("POST", "/v1/contacts", {"name": name})
        if status == 201:
            acknowledged.add(name)
            return True
        assert status == 500, (status, body)
        assert b"/" not in body.replace(b"about:blank", b""), body
        maybe.add(name)
        return False

    for round in range(rounds):
        assert add(f"Before{round} Bird"), round
        during.touch()
        for number in range(5):
            refused += not add(f"During{round}x{number} Bird")
        status, body = connection.ask("GET", "/v1/contacts?q=before0")
        assert status == 200 and b"Before0 Bird" in body, (status, body)
        during.unlink()
    assert add("After Bird")
    assert refused > 0
    bench.check(server.database)
    names = {name for name, *_ in bench.contacts(server.database)}
    assert acknowledged <= names <= acknowledged | maybe, (acknowledged - names, names - acknowledged - maybe)
    server.stop()
    bench.end()
    return [Row(
        "The disk of a running server fails (EIO) at every write for a while", f"{rounds} times, {refused} writes refused",
        "none; searches continue, and writes work again afterwards")]
