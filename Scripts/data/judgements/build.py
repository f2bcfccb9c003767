"""Writes people.tsv, titles.tsv and queries.tsv: build.py --fortunes FOLDER --catalogue FOLDER --output FOLDER"""

import argparse
import csv
import hashlib
from collections import Counter, defaultdict
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from babel.core import get_cldr_version
from cities import Airports
from folding import words
from judgements import Draw, Items, People
from people import people
from places import AcrossKinds, Places
from sounds import variants
from titles import fortunes, titles

SEED = 20
TITLES = 420
QUERIES = 60


def misspellings() -> dict[str, list[str]]:
    """The wrong spellings of each word that codespell corrects without doubt."""
    found = defaultdict(list)
    for line in files("codespell_lib").joinpath("data/dictionary.txt").read_text(encoding="utf-8").splitlines():
        wrong, _, right = line.partition("->")
        if "," not in right and wrong.isalpha() and wrong.isascii():
            found[right.strip().lower()].append(wrong.lower())
    return found


def half(query: str) -> str:
    """The half of a query: queries to tune with, and queries to report."""
    return ("tune", "report")[hashlib.sha256(query.encode()).digest()[0] % 2]


def write(file: Path, columns: list[str], rows: list[dict]) -> None:
    with file.open("w", encoding="utf-8", newline="") as lines:
        table = csv.DictWriter(
            lines, columns, delimiter="\t", lineterminator="\n", extrasaction="ignore", quoting=csv.QUOTE_NONE,
            quotechar=None)
        table.writeheader()
        table.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    for option in ("--fortunes", "--catalogue", "--output"):
        parser.add_argument(option, type=Path, required=True)
    options = parser.parse_args()
    text = fortunes(options.fortunes)
    spellings = variants()
    book, works = people(SEED, spellings), titles(text, TITLES, SEED)
    common = {word for word, count in Counter(words(text)).items() if count >= 10}

    draw = Draw(SEED)
    contacts = People(draw, book, version("Faker"), spellings)
    wrong, codespell = misspellings(), version("codespell")
    items = Items(draw, works, "fortunes 1:1.99.1-7.3", wrong, codespell, common)
    cldr = f"CLDR {get_cldr_version()}"
    published = f"airportsdata {version('airportsdata')}"
    places = Places(draw, Airports(options.catalogue), cldr, published, wrong, codespell)
    for part in (contacts, items, places):
        part.write(QUERIES)
    AcrossKinds(contacts, items, places).write(QUERIES)
    for row in draw.rows:
        row["half"] = half(row["query"])

    options.output.mkdir(parents=True, exist_ok=True)
    write(options.output / "people.tsv", ["name", "given", "family", "nickname", "organization", "phones", "locale"], book)
    write(options.output / "titles.tsv", ["title", "author"], works)
    write(options.output / "queries.tsv", ["class", "half", "kind", "input", "query", "expected", "source"], draw.rows)
    for (group, part), count in sorted(Counter((row["class"], row["half"]) for row in draw.rows).items()):
        print(f"{group}, {part}: {count}")
    print(f"{len(book)} people, {len(works)} titles, {len(draw.rows)} queries")


if __name__ == "__main__":
    main()
