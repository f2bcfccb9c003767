"""Counts the names that a search by keypad tests for initials and words in any order: their number, whatever the machine.

Usage: tested_names.py SWITCHBOARD DATABASE QUESTIONS [COUNT]

QUESTIONS is the table that the benchmarks wrote for the same contacts. A process under valgrind answers each of the first COUNT
queries (60) of a kind by keypad, which takes some five seconds.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

# The calls of this method, by its mangled name.
TEST = r"SegmentationTestC\d+matchesIn\w*SbSiF"


def tested(program: str, database: str, query: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "callgrind")
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", program, "contacts", "dial", "--batch", "--json", "--database", database],
            input=query + "\n", text=True, check=False, capture_output=True,
        )
        names: dict[str, str] = {}
        count, called = 0, ""
        for line in file.read_text().splitlines():
            if found := re.match(r"c?fn=\((\d+)\)(?: (.+))?$", line):
                names.setdefault(found[1], found[2] or "")
                called = found[1]
            elif line.startswith("calls=") and re.search(TEST, names[called]):
                count += int(line.removeprefix("calls=").split()[0])
    if not any("SegmentedIndex" in name for name in names.values()):
        sys.exit("tested_names: the functions of a search were not found; does SWITCHBOARD have symbols?")
    return count


def main() -> int:
    program, database, questions = sys.argv[1:4]
    limit = int(sys.argv[4]) if len(sys.argv) > 4 else 60
    asked = collections.defaultdict(list)
    with open(questions, encoding="utf-8") as file:
        for line in file:
            kind, text = line.rstrip("\n").split("\t")[:2]
            if kind.startswith("keypad "):
                asked[kind].append(text)
    print("| names tested | queries | median | most |")
    print("| --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind reads the symbols, but not the rest of the debug information.
        stripped = f"{folder}/{pathlib.Path(program).name}"
        subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=True)
        for kind, texts in asked.items():
            counts = sorted(tested(stripped, database, text) for text in texts[:limit])
            print(f"| {kind} | {len(counts)} | {counts[len(counts) // 2]} | {counts[-1]} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
