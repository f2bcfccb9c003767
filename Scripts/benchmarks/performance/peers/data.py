"""Reads the data and queries of `measure corpus`, `measure item-queries` and `Scripts/data/generate-items`."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Contact:
    name: str
    spellings: list[str]
    keys: list[str]
    numbers: list[str]


@dataclass
class Question:
    kind: str
    text: str
    meant: str


@dataclass
class Place:
    """A city with an airport: its folded name, and all names of the city and the airport."""

    city: str
    main: str
    names: list[str]


@dataclass
class Item:
    id: str
    title: str
    keywords: list[str]
    description: str

    @property
    def text(self) -> str:
        return " ".join([self.title, *self.keywords, self.description])


def lines(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n") if line]


def contacts(folder: Path, count: int) -> list[Contact]:
    rows = lines(folder / f"contacts-{count}.tsv")
    return [
        Contact(name, spellings.split("|"), keys.split("|"), numbers.split()) for name, spellings, keys, numbers in rows
    ]


def questions(path: Path) -> dict[str, list[Question]]:
    by_kind: dict[str, list[Question]] = {}
    for kind, text, meant in lines(path):
        by_kind.setdefault(kind, []).append(Question(kind, text, meant))
    return by_kind


def items(folder: Path, count: int) -> list[Item]:
    with open(folder / f"items-{count}.jsonl", encoding="utf-8") as file:
        rows = map(json.loads, file)
        return [Item(row["id"], row["title"], row["keywords"], row["contentDescription"]) for row in rows]


def airports(folder: Path) -> list[Place]:
    return [Place(city, main, names.split("|")) for city, main, names in lines(folder / "airports.tsv")]


def places(path: Path) -> list[tuple[float, float]]:
    return [(float(latitude), float(longitude)) for latitude, longitude in lines(path)]
