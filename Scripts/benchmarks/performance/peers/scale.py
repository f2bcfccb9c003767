"""How searches, imports and sizes grow with the number of contacts, beside two peers in the same run."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import data
import keypad
import text
from timing import Times, asked

KEYPAD = ["name", "long name", "initials", "part of a number", "one digit wrong", "nothing"]
TEXT = ["prefix", "one typo"]
OURS, PEERS = "ours", "AOSP's table, tantivy"
IMPORT, DISK, MEMORY = "importing", "bytes per contact on disk", "MB of memory while importing"

# Runs a command and prints its seconds and kilobytes. A process of its own, because the memory of a new process begins with
# that of its parent, and ours holds the data of the peers.
RUN = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


class Scale:
    """The cells of the table by row, by who is measured, and by number of contacts."""

    def __init__(self, figure: Callable[[float], str], cell: Callable[[Times | None, Times | None], str]):
        self.cells: dict[tuple[str, str, int], list[str]] = {}
        self.figure = figure
        self.cell = cell

    def add(self, row: str, who: str, count: int, cell: str) -> None:
        self.cells.setdefault((row, who, count), []).append(cell)

    def compare(self, ours: dict[str, Times], folder: Path, count: int) -> None:
        """Asks the peers what we were asked."""
        for kind, times in ours.items():
            self.add(kind, OURS, count, self.cell(times, times))
        contacts = data.contacts(folder, count)
        names = [contact.name for contact in contacts]
        questions = data.questions(folder / f"queries-{count}.tsv")
        start = time.perf_counter()
        table = keypad.PrefixTable(contacts)
        self.add(IMPORT, PEERS, count, f"AOSP's table {self.figure(time.perf_counter() - start)} s")
        for kind in KEYPAD:
            if kind in table.kinds:
                kind = f"keypad {kind}"
                times = asked(questions[kind], table.ask, names, counts=False)
                self.add(kind, PEERS, count, self.cell(times, ours[kind]))
        del table

        documents = [contact.spellings for contact in contacts]
        start = time.perf_counter()
        built = text.Tantivy(documents)
        self.add(IMPORT, PEERS, count, f"tantivy {self.figure(time.perf_counter() - start)} s")
        for kind in TEXT:
            built.edits = "typo" in kind
            kind = f"text {kind}"
            times = asked(questions[kind], built.ask, names, counts=built.edits)
            self.add(kind, PEERS, count, self.cell(times, ours[kind]))

    def import_cards(self, program: str, folder: Path, count: int) -> None:
        """Imports the people as a vCard file with the program, and reads their index."""
        with tempfile.TemporaryDirectory(dir=folder) as place:
            cards = Path(place) / "people.vcf"
            with open(cards, "wb") as output:
                known = {**os.environ, "SWITCHBOARD_DATABASE": str(folder / f"contacts-{count}.sqlite")}
                subprocess.run([program, "contacts", "export", "--format", "vcard"], stdout=output, env=known, check=True)
            database = Path(place) / "people.sqlite"
            command = [program, "contacts", "import", "--region", "GB", str(cards)]
            measured = subprocess.run(
                [sys.executable, "-c", RUN, *command],
                env={**os.environ, "SWITCHBOARD_DATABASE": str(database)},
                stdout=subprocess.PIPE,
                check=True,
            )
            seconds, kilobytes = map(float, measured.stdout.split())
            size = sum(file.stat().st_size for file in Path(place).rglob("*") if file.is_file() and file != cards)
        self.add(IMPORT, OURS, count, f"{self.figure(seconds)} s")
        self.add(MEMORY, OURS, count, self.figure(kilobytes * 1024 / 1e6))
        self.add(DISK, OURS, count, self.figure(size / count))

    def print(self, counts: list[int]) -> None:
        print("\n| contacts | " + " | ".join(f"{count:,} | {PEERS}" for count in counts) + " |")
        print("| --- |" + " ---: |" * 2 * len(counts))
        for row in [f"keypad {kind}" for kind in KEYPAD] + [f"text {kind}" for kind in TEXT] + [IMPORT, MEMORY, DISK]:
            cells = [self.cells.get((row, who, count), []) for count in counts for who in (OURS, PEERS)]
            print(f"| {row} | " + " | ".join(", ".join(cell) or "–" for cell in cells) + " |")
