"""Full and read-only disks."""

import os
import shutil
import subprocess

from bench import SAMPLE, Bench, Row, Server, card


class SmallDisk:
    """A tmpfs, where this machine allows mounting one."""

    def __init__(self, folder, size):
        self.folder = folder
        self.folder.mkdir(exist_ok=True)
        self.filler = self.folder / "filler"
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(self.folder)], capture_output=True)
        self.is_mounted = mounted.returncode == 0

    def fill(self, leaving):
        """Fills the disk except for a number of bytes, in pages of 4096."""
        with open(self.filler, "ab", buffering=0) as filler:
            while True:
                room = os.statvfs(self.folder).f_bavail * 4096 - leaving
                if room < 4096:
                    break
                try:
                    filler.write(b"x" * min(room, 1 << 20))
                except OSError:
                    break

    def empty(self):
        self.filler.unlink(missing_ok=True)

    def remount(self, how):
        subprocess.run(["mount", "-o", f"remount,{how}", str(self.folder)], check=True)

    def end(self):
        subprocess.run(["umount", "-l", str(self.folder)], check=False)


WRITES = [
    ("contacts", "add", "--name", "Late Bird", "--note", "x" * 3000),
    ("contacts", "import", "{cards}"),
    ("prospects", "add", "--name", "Late Guest", "--email", "late@example.org"),
    ("index", "put", "{items}"),
    ("airports", "choose", "LHR"),
    ("database", "backup", "{disk}/backup.sqlite"),
    ("database", "optimize",),
]


def state(bench, database=None):
    return (bench.contacts(database), bench.prospects(database), bench.items(database),
            [row["id"] for row in bench.json("airports", "recent", database=database)["results"]])


def test_full_disk(programs):
    bench = Bench(programs)
    disk = SmallDisk(bench.root / "disk", "6m")
    if not disk.is_mounted:
        bench.end()
        return [Row("A full disk", "skipped: mounting needs root", "–")]
    try:
        return [full_disk(programs, bench, disk), full_disk_of_server(programs)]
    finally:
        disk.end()
        bench.end()


def full_disk(programs, bench, disk):
    bench.database = disk.folder / "people.sqlite"
    names = {"disk": disk.folder, "cards": bench.root / "cards.vcf", "items": bench.root / "items.json"}
    names["cards"].write_text("".join(card(f"Person{n} Late", "NOTE:" + "x" * 1000) for n in range(300)))
    names["items"].write_text("".join(f'{{"id": "late-{n}", "title": "Item {n}", "contentDescription": "{"x" * 500}"}}\n'
                                      for n in range(600)))
    bench.done("contacts", "add", "--name", "Ana Bird")
    bench.done("prospects", "add", "--name", "Bo Guest")
    bench.done("index", "put", "-", text='{"id": "first", "title": "First"}')
    before_all = bench.root / "before"
    shutil.copytree(disk.folder, before_all)
    saved = [name for name in os.listdir(before_all) if name.startswith("people.sqlite")]
    tried = refused = 0
    steps = programs.pick([0, 30, 150], range(0, 400, 8))
    for pages in steps:
        for command in WRITES:
            before = state(bench)
            disk.fill(leaving=pages * 4096)
            ending = bench.run(*(part.format(**names) for part in command))
            tried += 1
            if ending.status != 0:
                refused += 1
                complaint = ending.complaint(74)
                assert "the disk is full" in complaint, complaint
            # Everything can still be read and found on the full disk.
            after = state(bench)
            found = bench.done("contacts", "find", "ana")
            assert "Ana Bird" in found.output, found
            disk.empty()
            if ending.status != 0:
                assert after == before, f"refused but applied: {command} with {pages} pages"
            bench.check()
            rest = [name for name in os.listdir(disk.folder) if name.endswith(".tmp")]
            assert not rest, f"left behind by {command}: {rest}"
            if "backup.sqlite" in os.listdir(disk.folder):
                assert ending.status == 0 or command[1] != "backup"
                bench.check(disk.folder / "backup.sqlite")
                (disk.folder / "backup.sqlite").unlink()
            if command[0] == "contacts" and ending.status == 0:
                late = [row["id"] for row in bench.json("contacts", "find", "late", "--limit", "0")["results"]]
                bench.done("contacts", "remove", *late)
            elif command[0] == "prospects" and ending.status == 0:
                late = [row["id"] for row in bench.json("prospects", "find", "late", "--limit", "0")["results"]]
                bench.done("prospects", "remove", *late)
            elif command[0] == "index" and ending.status == 0:
                bench.done("index", "delete", *[name for name in bench.items() if name != "first"])
        # What was removed is kept for a while, and would fill the disk in the end.
        for file in disk.folder.glob("people.sqlite*"):
            file.unlink()
        for name in saved:
            shutil.copy(before_all / name, disk.folder / name)
        shutil.rmtree(disk.folder / "people.index", ignore_errors=True)
    # A completely full disk accepts no new database, and a failed creation leaves no unusable file.
    disk.fill(leaving=0)
    new = disk.folder / "new.sqlite"
    ending = bench.run("contacts", "add", "--name", "Ana", database=new)
    assert "the disk is full" in ending.complaint(74), ending
    disk.empty()
    bench.done("contacts", "add", "--name", "Ana", database=new)
    bench.check(new)
    return Row(
        f"A full disk (tmpfs): {len(WRITES)} commands that write, with room for 0 to {max(steps)} pages",
        f"{tried + 1} commands, {refused + 1} refused",
        "none; each refused with one line and status 74 and rolled back, and works again with room")


def full_disk_of_server(programs):
    bench = Bench(programs)
    disks = []
    server = Server(bench, people=lambda folder: disks.append(SmallDisk(folder, "3m")))
    disk = disks[0]
    try:
        connection = server.connect()
        rounds = programs.pick(2, 20)
        acknowledged, refused = set(), 0

        def add(name):
            nonlocal refused
            status, body = connection.ask("POST", "/v1/contacts", {"name": name, "note": "x" * 3000})
            assert status == 201 or (status == 503 and b'"diskFull"' in body), (status, body)
            if status == 201:
                acknowledged.add(name)
            refused += status != 201
            return status == 201

        for round in range(rounds):
            assert add(f"Before{round} Bird"), round
            disk.fill(leaving=0)
            for number in range(20):
                add(f"Full{round}x{number} Bird")
                status, body = connection.ask("GET", "/v1/contacts?q=before0")
                assert status == 200 and b"Before0 Bird" in body, (status, body)
            disk.empty()
        assert add("After Bird") and refused > 0
        bench.check(server.database)
        names = {name for name, *_ in bench.contacts(server.database)}
        assert names == acknowledged, names ^ acknowledged
        server.stop()
    finally:
        if server.process.poll() is None:
            server.kill()
        disk.end()
        bench.end()
    return Row(
        "The disk of a running server is full for a while", f"{rounds} times, {refused} writes refused",
        "none; searches continue, and writes work again with room")


def test_read_only(programs):
    bench = Bench(programs)
    disk = SmallDisk(bench.root / "disk", "3m")
    if not disk.is_mounted:
        bench.end()
        return [Row("A read-only disk", "skipped: mounting needs root", "–")]
    try:
        bench.database = disk.folder / "people.sqlite"
        bench.done("contacts", "import", SAMPLE)
        bench.done("index", "put", "-", text='{"id": "first", "title": "First"}')
        names = {"disk": disk.folder, "cards": bench.root / "cards.vcf", "items": bench.root / "items.json"}
        names["cards"].write_text(card("Late Bird"))
        names["items"].write_text('{"id": "late", "title": "Late"}')
        queries = ["jogo", "5646", "first", ""]
        tried = 0
        for index in ("without its index files", "with them"):
            before, answers = None, None
            if index == "with them":
                bench.answers(queries)
            before = {path.name: path.read_bytes() for path in disk.folder.rglob("*") if path.is_file()}
            disk.remount("ro")
            for command in WRITES:
                ending = bench.run(*(part.format(**names) for part in command))
                ending.complaint(74)
                tried += 1
            answers = bench.answers(queries)
            assert any("Jogo" in str(row) for _, row in answers), answers
            bench.check()
            bench.done("database", "backup", bench.root / f"{index}.sqlite")
            disk.remount("rw")
            assert before == {path.name: path.read_bytes() for path in disk.folder.rglob("*") if path.is_file()}
            bench.check(bench.root / f"{index}.sqlite")
        bench.done("contacts", "add", "--name", "After Bird")
        bench.check()
        return [Row(
            "A disk remounted read-only", f"{tried} commands that write, all refused",
            "none; one line, status 74; searching, checking and backing up elsewhere work, and no byte changes")]
    finally:
        disk.remount("rw")
        disk.end()
        bench.end()
