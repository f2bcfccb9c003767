"""Shows what an answer consists of: the instructions of each stage, counted by valgrind, whatever the speed of the machine.

Usage: stages.py SWITCHBOARD DATABASE QUESTIONS

QUESTIONS is the table that the benchmarks wrote for the same contacts or items. A process answers the first 60 queries of a
kind, another all of them twice, and the difference is what the second round took: the work of a start is left out.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

QUERIES = 60

# The functions whose instructions, with those of all they call, are a stage.
SEARCHING = {
    "beginnings": r"TierSearch\.wordSuffixes\(",
    "initials, words in any order": r"TierSearch\.(segmentations|acrossValues)\(",
    "inside words": r"TierSearch\.infix\(",
    "typos": r"TierSearch\.typos\(",
    "sound-alikes": r"TierSearch\.soundAlikes\(",
}
SEARCH = r"(SearchIndex\.search\(_:\)|SegmentedIndex\.search<A>\(_:keys:\))$"
READING = r"(SourceIndex\.storedHits\(_:\)|static ItemHit\.reading\(_:searchable:in:\))$"
JSON = r"static OrderedJSON\.bytes<A>"


def command(kind: str) -> list[str]:
    if kind.startswith("keypad "):
        return ["contacts", "dial"]
    return ["contacts", "find"] if kind.startswith("text ") else ["index", "search"]


def counted(program: str, database: str, kind: str, queries: list[str]) -> tuple[int, collections.Counter]:
    """The instructions of a process, and of each function with those that it calls."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "callgrind")
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={file}", program, *command(kind), "--batch", "--json", "--database", database],
            input="".join(query + "\n" for query in queries), text=True, check=False, capture_output=True,
        )
        listing = subprocess.run(
            ["callgrind_annotate", "--inclusive=yes", "--threshold=100", file], check=True, capture_output=True, text=True
        ).stdout
    listing = subprocess.run(["swift", "demangle", "--simplified"], input=listing, check=True, capture_output=True, text=True).stdout
    functions = collections.Counter()
    total = 0
    for line in listing.splitlines():
        if found := re.match(r"\s*([\d,]+) \(.*?\)\s+PROGRAM TOTALS", line):
            total = int(found[1].replace(",", ""))
        elif found := re.match(r"\s*([\d,]+) \(\s*[\d.]+%\)\s+\S*?:(.*?)(?: \[.*)?$", line):
            functions[found[2].removeprefix("specialized ")] += int(found[1].replace(",", ""))
    return total, functions


def stages(program: str, database: str, kind: str, queries: list[str]) -> dict[str, float]:
    (once, first), (twice, second) = (counted(program, database, kind, queries * rounds) for rounds in (1, 2))

    def cost(pattern: str) -> float:
        names = [name for name in second if re.search(pattern, name) and not re.search(r"closure|partial apply|'\d", name)]
        # A generic function has several forms, each with the work of the same calls.
        return max((second[name] - first[name] for name in names), default=0)

    parts = {name: cost(pattern) for name, pattern in SEARCHING.items()}
    if not cost(SEARCH) or not cost(JSON):
        sys.exit("stages: the functions of the stages were not found; does SWITCHBOARD have symbols?")
    search = cost(SEARCH)
    parts["rest of the search"] = search - sum(parts.values())
    parts["rows read and highlighted"] = cost(READING)
    parts["JSON"] = cost(JSON)
    parts["rest"] = twice - once - sum(parts.values())
    return {name: count / len(queries) for name, count in ({"all": twice - once} | parts).items()}


def main() -> int:
    program, database, questions = sys.argv[1:4]
    asked = collections.defaultdict(list)
    with open(questions, encoding="utf-8") as file:
        for line in file:
            kind, text = line.rstrip("\n").split("\t")[:2]
            asked[kind].append(text)
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind reads the symbols, but not the rest of the debug information.
        stripped = f"{folder}/{pathlib.Path(program).name}"
        subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=True)
        rows = {kind: stages(stripped, database, kind, texts[:QUERIES]) for kind, texts in asked.items()}
    names = list(next(iter(rows.values())))
    print("| thousand instructions | " + " | ".join(names) + " |")
    print("| --- |" + " ---: |" * len(names))
    for kind, parts in rows.items():
        print(f"| {kind} | " + " | ".join(f"{parts[name] / 1000:,.0f}" for name in names) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
