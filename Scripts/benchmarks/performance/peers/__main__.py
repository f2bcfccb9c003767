"""Prints tables that compare our program with others. Run by Scripts/benchmarks/peers.

Usage: peers MEASURE FOLDER [--items] [--count 100000]
       peers MEASURE FOLDER --scale PROGRAM COUNT…
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
import items
import keypad
import nearest
import text
from scale import Scale
from timing import Times, asked, times

KEYPAD = [
    "name",
    "long name",
    "initials",
    "part of a number",
    "one digit wrong",
    "nothing",
    "one digit",
    "one typo",
]
TEXT = ["prefix", "words in any order", "one letter", "one typo", "one typo, unfinished"]
ITEMS = [items.PREFIX, items.WORDS, items.TYPO, items.LETTER]
AIRPORTS = ["prefix, any language", "whole name, one typo", "half a name, one typo"]


def progress(*words: object) -> None:
    print(*words, "…", file=sys.stderr, flush=True)


def said(measure: str, *arguments: str) -> tuple[dict[str, Times], dict[str, float]]:
    """The measurements of our own program by kind, and single figures."""
    progress("ours:", *arguments)
    output = subprocess.run([measure, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [line.split("\t") for line in output.splitlines()]
    rows = {
        kind: Times(float(p50), float(p99), float(found) if found else None)
        for kind, p50, p99, found in (line[1:] for line in lines if line[0] == "row")
    }
    return rows, {line[1]: float(line[2]) for line in lines if line[0] == "fact"}


def measured(measure: str, *arguments: str) -> dict[str, Times]:
    return said(measure, *arguments)[0]


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
    """Prints a table. The first row is ours; ratios refer to it."""
    ours = rows[0][1]
    print(f"\n| {title} | " + " | ".join(kinds) + " |")
    print("| --- |" + " ---: |" * len(kinds))
    for name, row in rows:
        print(f"| {name} | " + " | ".join(cell(row.get(kind), ours.get(kind)) for kind in kinds) + " |", flush=True)


def without(prefix: str, rows: dict[str, Times]) -> dict[str, Times]:
    return {kind.removeprefix(prefix): row for kind, row in rows.items() if kind.startswith(prefix)}


def compare_contacts(measure: str, folder: Path, count: int) -> None:
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
                misspelt = "typo" in kind or "wrong" in kind
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


def compare_scale(measure: str, folder: Path, program: str, counts: list[int]) -> None:
    scale = Scale(figure, cell)
    for count in counts:
        measured(measure, "import", str(count))
        subprocess.run([measure, "corpus", str(count)], check=True)
        scale.compare(measured(measure, "contacts", str(count)), folder, count)
        scale.import_cards(program, folder, count)
    scale.print(counts)


def compare_airports(measure: str, folder: Path) -> None:
    subprocess.run([measure, "corpus", "airports"], check=True)
    ours = measured(measure, "airports")
    airports = data.airports(folder)
    cities = [airport.city for airport in airports]
    questions = data.questions(folder / "airport-queries.tsv")
    rows = [("**ours, rows ready to show**", ours)]
    documents = [airport.names for airport in airports]
    for peer in text.PEERS:
        # SymSpell and RapidFuzz work best with only the main names.
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


def compare_items(measure: str, folder: Path, count: int) -> None:
    said(measure, "item-queries", str(count))
    put, index = said(measure, "item-put", str(count))[1], said(measure, "item-index", str(count))[1]
    rows = measured(measure, "item-search", str(count))
    known = data.items(folder, count)
    ids = [item.id for item in known]
    questions = data.questions(folder / f"item-queries-{count}.tsv")

    print(f"\n| {count:,} items | " + " | ".join(ITEMS + ["put, items/s", "MB on disk"]) + " |")
    print("| --- |" + " ---: |" * (len(ITEMS) + 2))

    def print_row(title: str, times: dict[str, Times], *rest: str) -> None:
        cells = [cell(times.get(kind), rows[kind]) for kind in ITEMS]
        print("| " + " | ".join([title, *cells, *rest]) + " |", flush=True)

    both = put["put seconds"] + index["index seconds"]
    speed = f"{figure(count / put['put seconds'])}; {figure(count / both)} with the index"
    size = f"{megabytes(index['index bytes'])} the index, {megabytes(put['database bytes'])} the items"
    print_row("**ours, the search**", rows, speed, size)
    whole = {kind: rows[f"{kind}, whole answer"] for kind in ITEMS}
    print_row("ours, items read, with highlights", whole, "", "")

    for peer in items.PEERS:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            progress(peer.title, "putting")
            built = peer(Path(place))
            start = time.perf_counter()
            built.put(known)
            seconds = time.perf_counter() - start
            built.prepare(known)
            size = sum(file.stat().st_size for file in Path(place).rglob("*") if file.is_file())
            times = {}
            for kind in [kind for kind in ITEMS if kind in peer.kinds]:
                progress(peer.title, kind)
                times[kind] = asked(
                    questions[kind], lambda text: built.ask(text, kind), ids, counts=kind != items.LETTER, most=500
                )
            print_row(peer.title, times, figure(count / seconds), megabytes(size))
            del built


def megabytes(size: float) -> str:
    return figure(size / 1e6)


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers", description=__doc__.splitlines()[0])
    parser.add_argument("measure")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--items", action="store_true", help="the table of items, instead of the others")
    parser.add_argument("--scale", nargs="+", metavar=("PROGRAM", "COUNT"), help="the table of several numbers of contacts")
    arguments = parser.parse_args()
    names = ["tantivy"]
    if not arguments.scale:
        names += ["symspellpy"] if arguments.items else ["rapidfuzz", "symspellpy", "scipy"]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    if arguments.items and items.xapian:
        versions += f", Xapian {items.xapian.version_string()}"
    print(
        f"SQLite {sqlite3.sqlite_version}, {versions}. Microseconds in process, p50 / p99, each question's shortest\n"
        "of five rounds; in parentheses how many times the p50 of ours; "
        + ("and\nhow many were found in ten." if arguments.items else "of misspelled questions\nhow many were found in ten.")
    )
    if arguments.scale:
        compare_scale(arguments.measure, arguments.folder, arguments.scale[0], list(map(int, arguments.scale[1:])))
        return 0
    if arguments.items:
        compare_items(arguments.measure, arguments.folder, arguments.count)
        return 0
    compare_contacts(arguments.measure, arguments.folder, arguments.count)
    compare_airports(arguments.measure, arguments.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
