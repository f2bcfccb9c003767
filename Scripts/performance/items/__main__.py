"""Prints the table that compares our index of items with other programs. Run by Scripts/item-peers.

Usage: items PROGRAM [--count 100000]
"""

import argparse
import importlib.metadata
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import xapian
from corpus import KINDS, Question, make_items, make_questions
from peers import PEERS

ROUNDS = 5


def progress(*words: object) -> None:
    print(*words, "…", file=sys.stderr, flush=True)


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def percentiles(best: list[float]) -> tuple[float, float]:
    ascending = sorted(best)
    at = lambda part: ascending[min(max(math.ceil(len(ascending) * part) - 1, 0), len(ascending) - 1)]
    return at(0.5), at(0.99)


def cell(best: list[float], found: float | None) -> str:
    p50, p99 = percentiles(best)
    text = f"{figure(p50)} / {figure(p99)}"
    return text if found is None else f"{text} ({found:.2f})"


def megabytes(path: Path) -> float:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files) / 1e6


class Ours:
    """The command line: items as JSON lines, questions by --batch, times as it tells them."""

    def __init__(self, program: str, folder: Path, items: list[dict]):
        self.program = program
        self.folder = folder
        self.environment = dict(os.environ, SWITCHBOARD_DATABASE=str(folder / "items.sqlite"), LC_ALL="C.UTF-8")
        lines = folder / "items.jsonl"
        lines.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
        start = time.perf_counter()
        self.run("index", "put", str(lines))
        self.put_seconds = time.perf_counter() - start
        start = time.perf_counter()
        self.run("index", "search", "--limit", "1", items[0]["title"])
        self.index_seconds = time.perf_counter() - start

    def run(self, *arguments: str, text: str = "") -> str:
        done = subprocess.run(
            [self.program, *arguments], input=text, capture_output=True, text=True, env=self.environment, check=True)
        return done.stdout

    def ask(self, questions: list[Question]) -> tuple[list[float], list[set[str]]]:
        best = [math.inf] * len(questions)
        text = "".join(question.text + "\n" for question in questions)
        for _ in range(ROUNDS):
            answers = [json.loads(line) for line in self.run("index", "search", "--batch", text=text).splitlines()]
            best = [min(one, answer["elapsedMicroseconds"]) for one, answer in zip(best, answers)]
        return best, [{row["id"] for row in answer["results"]} for answer in answers]


def asked(peer, questions: list[Question], items: list[dict]) -> tuple[list[float], list[set[str]]]:
    """Of each question the shortest of some rounds; of slow peers fewer questions and rounds."""
    start = time.perf_counter()
    for question in questions[:5]:
        peer.ask(question.text)
    each = (time.perf_counter() - start) / 5
    questions = questions[: max(50, int(30 / max(each, 1e-9) / ROUNDS))]
    best = [math.inf] * len(questions)
    found: list[set[str]] = []
    for _ in range(ROUNDS):
        found = []
        for place, question in enumerate(questions):
            begin = time.perf_counter_ns()
            answer = peer.ask(question.text)
            best[place] = min(best[place], (time.perf_counter_ns() - begin) / 1000)
            found.append({items[number]["id"] for number in answer})
    return best, found


def share(questions: list[Question], found: list[set[str]]) -> float | None:
    if not questions[0].meant:
        return None
    return sum(question.meant in ids for question, ids in zip(questions, found)) / len(found)


def main() -> int:
    parser = argparse.ArgumentParser(prog="items", description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=100_000)
    arguments = parser.parse_args()
    progress("making", arguments.count, "items")
    items = make_items(arguments.count)
    questions = make_questions(items)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("tantivy", "symspellpy", "wordfreq"))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        progress("ours: putting")
        ours = Ours(arguments.program, folder, items)
        cells = []
        for kind in KINDS:
            progress("ours:", kind)
            best, found = ours.ask(questions[kind])
            cells.append(cell(best, share(questions[kind], found)))
        database = megabytes(folder / "items.sqlite")
        index = megabytes(folder / "items.index")
        rows = [
            ["**ours**", *cells, f"{arguments.count / ours.put_seconds:,.0f}", f"{database:.0f} + {index:.0f} derived"]
        ]
        for make in PEERS:
            (folder / make.name).mkdir()
            progress(make.title, "putting")
            start = time.perf_counter()
            peer = make(items, folder / make.name)
            seconds = time.perf_counter() - start
            row = [make.title]
            for kind in KINDS:
                if kind not in make.kinds:
                    row.append("–")
                    continue
                progress(make.title, kind)
                best, found = asked(peer, questions[kind], items)
                row.append(cell(best, share(questions[kind], found)))
            row += [f"{arguments.count / seconds:,.0f}", f"{megabytes(folder / make.name):.0f}"]
            rows.append(row)
            del peer
    print(f"SQLite {sqlite3.sqlite_version}, {versions}, Xapian {xapian.version_string()}. Microseconds in process, p50 / p99, each question's")
    print(f"shortest of {ROUNDS} rounds; in parentheses the share of questions whose item was among the first ten.")
    print(f"\n| {arguments.count:,} items | " + " | ".join(KINDS) + " | put, items/s | MB on disk |")
    print("| --- |" + " ---: |" * (len(KINDS) + 2))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(
        "\nOurs: put as JSON lines by the command line, a process from start to end, durable; the derived index is made by the first search,"
        f"\n{ours.index_seconds:.1f} s. The peers get their items as objects in memory.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
