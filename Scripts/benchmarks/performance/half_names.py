#!/usr/bin/env python3
"""How many of the questions "half a name, one typo" can be answered at all: Scripts/benchmarks/performance/half_names.py [FOLDER] [QUESTIONS]

An airport cannot be among the first ten rows if ten others are nearer to the question, or as near and more popular. Counts
the questions for which that holds, once with the main names only and once with all names of the first QUESTIONS (50), in
the data that Scripts/bench peers made (in Benchmarks/.build/data).
"""
import sys
import unicodedata
from pathlib import Path

MOST = 10


def folded(text: str) -> str:
    marked = unicodedata.normalize("NFD", text.lower())
    return "".join(c for c in marked if c == " " or c.isalnum() and not unicodedata.combining(c))


def edits(question: str, name: str) -> int:
    """The edits (optimal string alignment) to the nearest prefix of a name."""
    name = name[: len(question) + 2]
    before, last = [], list(range(len(name) + 1))
    for i, letter in enumerate(question, 1):
        row = [i]
        for j, other in enumerate(name, 1):
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == name[j - 2] and question[i - 2] == other:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before, last = last, row
    return min(last)


def hidden(question: str, meant: int, names: list[list[str]]) -> bool:
    """Whether ten airports come before one. Names are in order of popularity."""
    own = min(edits(question, name) for name in names[meant])
    count = 0
    for number, known in enumerate(names):
        if number == meant:
            continue
        nearest = min(edits(question, name) for name in known if may_begin(question, name) or name == known[0])
        if nearest <= 1 and (nearest < own or nearest == own and number < meant):
            count += 1
            if count == MOST:
                return True
    return False


def may_begin(question: str, name: str) -> bool:
    """Whether one edit can lead from one to the other, as far as their beginnings tell."""
    letters = {(i, j) for i in (0, 1) for j in (0, 1) if question[i : i + 1] == name[j : j + 1] != ""}
    return len(name) >= len(question) - 1 and bool(letters)


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "Benchmarks/.build/data")
    some = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    rows = [line.split("\t") for line in (folder / "airports.tsv").read_text("utf-8").splitlines()]
    place: dict[str, int] = {}
    for number, (city, _, _) in enumerate(rows):
        place.setdefault(city, number)
    lines = [line.split("\t") for line in (folder / "airport-queries.tsv").read_text("utf-8").splitlines()]
    questions = [(folded(text), place[city]) for kind, text, city in lines if kind == "half a name, one typo" and city in place]
    main_names = [[main] for _, main, _ in rows]
    all_names = [[main, *names.split("|")] for _, main, names in rows]
    for title, names, asked in (("main names", main_names, questions), ("all names", all_names, questions[:some])):
        print(f"{title}: {sum(hidden(*question, names) for question in asked)} of {len(asked)} cannot be among the first ten")
    return 0


if __name__ == "__main__":
    sys.exit(main())
