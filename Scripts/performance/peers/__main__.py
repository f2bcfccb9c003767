"""Prints the tables that compare ours with other programs. Run by Scripts/peers.

Usage: peers MEASURE FOLDER [--count 100000]
"""

import argparse
import importlib.metadata
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import data
import keypad
import nearest
import text
from timing import Times, asked, times

KEYPAD = ["name", "initials", "part of a number", "one digit", "one typo", "one typo, unfinished"]
TEXT = ["prefix", "words in any order", "one letter", "one typo", "one typo, unfinished"]
AIRPORTS = ["prefix, any language", "whole name, one typo", "half a name, one typo"]


def progress(*words: object) -> None:
    print(*words, "…", file=sys.stderr, flush=True)


def measured(measure: str, *arguments: str) -> dict[str, Times]:
    """What our own program says of itself, kind by kind."""
    progress("ours:", *arguments)
    output = subprocess.run([measure, *arguments], check=True, capture_output=True, text=True).stdout
    rows = (line.split("\t") for line in output.splitlines() if line.startswith("row\t"))
    return {kind: Times(float(p50), float(p99), float(found) if found else None) for _, kind, p50, p99, found in rows}


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cell(value: Times | None, ours: Times | None) -> str:
    if value is None:
        return "–"
    cell = f"{figure(value.p50)} / {figure(value.p99)}"
    if ours and value is not ours:
        cell += f" (×{figure(value.p50 / ours.p50)})"
    if value.found is not None:
        cell += f", {value.found:.0%}"
    return cell


def table(title: str, kinds: list[str], rows: list[tuple[str, dict[str, Times]]]) -> None:
    """The first row is ours; the others' ratios are to it."""
    ours = rows[0][1]
    print(f"\n| {title} | " + " | ".join(kinds) + " |")
    print("| --- |" + " ---: |" * len(kinds))
    for name, row in rows:
        print(f"| {name} | " + " | ".join(cell(row.get(kind), ours.get(kind)) for kind in kinds) + " |", flush=True)


def without(prefix: str, rows: dict[str, Times]) -> dict[str, Times]:
    return {kind.removeprefix(prefix): row for kind, row in rows.items() if kind.startswith(prefix)}


def compare_contacts(measure: str, folder: Path, count: int) -> None:
    if not (folder / f"queries-{count}.tsv").exists():
        measured(measure, "import", str(count))
    subprocess.run([measure, "corpus", str(count)], check=True)
    index = measured(measure, "engine", str(count))
    book = measured(measure, "contacts", str(count))
    contacts = data.contacts(folder, count)
    names = [contact.name for contact in contacts]
    questions = data.questions(folder / f"queries-{count}.tsv")

    rows = [("**ours, the index**", without("keypad ", index)), ("ours, contacts read", without("keypad ", book))]
    for peer in keypad.PEERS:
        progress(peer.title, "building")
        built = peer(contacts)
        row = {}
        for kind in KEYPAD:
            if kind in peer.kinds:
                progress(peer.title, kind)
                misspelt = "typo" in kind
                ask = built.ask_misspelt if misspelt else built.ask
                row[kind] = asked(questions[f"keypad {kind}"], ask, names, misspelt)
        rows.append((peer.title, row))
        del built
    table(f"{count:,} contacts by keypad", KEYPAD, rows)

    rows = [("**ours, the index**", without("text ", index)), ("ours, contacts read", without("text ", book))]
    documents = [contact.spellings for contact in contacts]
    for peer in text.PEERS:
        rows.append((peer.title, ask_text(peer, documents, names, questions, "text ", TEXT)))
    table(f"{count:,} contacts by text", TEXT, rows)
    compare_fzf(contacts)


def ask_text(peer, documents, names, questions, prefix: str, kinds: list[str]) -> dict[str, Times]:
    progress(peer.title, "building")
    start = time.perf_counter()
    built = peer(documents)
    progress(f"{peer.title} built in {time.perf_counter() - start:.1f} s")
    row = {}
    for kind in kinds:
        misspelt = "typo" in kind
        if misspelt <= peer.is_forgiving and (misspelt or peer is not text.Fuzz):
            progress(peer.title, kind)
            row[kind] = asked(questions[prefix + kind], built.ask, names, misspelt)
    return row


def compare_fzf(contacts: list[data.Contact]) -> None:
    if not (fzf := shutil.which("fzf")):
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as lines:
        lines.writelines(
            f"{contact.name} {' '.join(contact.keys)} {' '.join(contact.numbers)}\n" for contact in contacts
        )
        lines.flush()
        walls = []
        for _ in range(20):
            lines.seek(0)
            start = time.perf_counter()
            with open(lines.name, encoding="utf-8") as input:
                subprocess.run([fzf, "--exact", "--filter=5646"], stdin=input, stdout=subprocess.DEVNULL, check=False)
            walls.append((time.perf_counter() - start) * 1000)
        print(f"\n`fzf --filter=5646` over the same contacts, a whole process: {figure(sorted(walls)[10])} ms (of 20).")


def compare_airports(measure: str, folder: Path) -> None:
    subprocess.run([measure, "corpus", "airports"], check=True)
    ours = measured(measure, "airports")
    airports = data.airports(folder)
    cities = [airport.city for airport in airports]
    questions = data.questions(folder / "airport-queries.tsv")
    rows = [("**ours, rows ready to show**", ours)]
    documents = [airport.names for airport in airports]
    for peer in text.PEERS:
        # SymSpell and RapidFuzz are at their best with the main names alone.
        known = [[airport.main] for airport in airports] if peer in (text.Corrected, text.Fuzz) else documents
        rows.append((peer.title, ask_text(peer, known, cities, questions, "", AIRPORTS)))
    table("airports", AIRPORTS, rows)

    places = data.places(folder / "places.tsv")
    kind = "nearest ten, by distance"
    rows = [("**ours, airports ready to show**", ours)]
    for peer in nearest.PEERS:
        built = peer(data.places(folder / "airport-places.tsv"))
        rows.append((peer.title, {kind: times(places, built.ask)}))
    table("airports", [kind], rows)


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers", description=__doc__.splitlines()[0])
    parser.add_argument("measure")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    arguments = parser.parse_args()
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("tantivy", "rapidfuzz", "symspellpy", "scipy")
    )
    print(
        f"SQLite {sqlite3.sqlite_version}, {versions}. Microseconds in process, p50 / p99, each question's shortest\n"
        "of five rounds; in parentheses how many times the p50 of ours in the first row; of misspelt questions\n"
        "how many were found in ten."
    )
    compare_contacts(arguments.measure, arguments.folder, arguments.count)
    compare_airports(arguments.measure, arguments.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
