"""Cities of time zones with their names in several languages (CLDR), the airports that serve them, and typed codes."""

import csv
from pathlib import Path

import airportsdata
from babel import Locale
from babel.core import get_global
from folding import fold, words

LANGUAGES = ["de", "fr", "es", "it", "pt", "pl", "cs", "tr", "hu", "nl", "ru", "el", "he", "ar", "ja", "ko", "zh"]
# A tenth of the passengers is 0.14 less popular; see docs/data.md. Two places are comparable within half of that; for
# misspelled queries, within all of it.
COMPARABLE = 0.07
TENTH = 0.14
# Cities whose main airport is in dispute.
CONTESTED = {"Nicosia"}


def table(file: Path) -> list[dict]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


class Airports:
    """The airports of the catalogue with their passengers, and the cities that the judgements are about."""

    def __init__(self, catalogue: Path):
        self.rows = table(catalogue / "airports.tsv")
        for row in self.rows:
            row["popularity"] = float(row["popularity"])
            row["words"] = sorted({*words(row["name"]), *words(row["city"])})
            row["names"] = {fold(row["name"]), fold(row["city"])}
        self.by_code = {row["code"]: row for row in self.rows}
        self.metropolitan = {row["code"]: row for row in table(catalogue / "cities.tsv") if row["airports"]}
        self.codes = {row["code"] for row in self.rows} | {row["icao"] for row in self.rows} | set(self.metropolitan)
        self.countries = {
            fold(names.split(";")[0].removeprefix("en=")) for row in table(catalogue / "countries.tsv")
            if (names := row["names"])}
        self.published = airportsdata.load("IATA")
        self.cities = self.served_cities()

    def city(self, name: str, country: str) -> dict | None:
        """A city with the code of the row to expect; None without airports and if the choice of the row is open."""
        airports = [row for row in self.rows if fold(row["city"]) == fold(name) and row["country"] == country]
        if not airports:
            return None
        best, *others = sorted(airports, key=lambda row: -row["popularity"])
        code = best["cityCode"] if best["cityCode"] in self.metropolitan else None
        if code and fold(self.metropolitan[code]["name"]) != fold(name):
            return None
        if code is None and any(row["popularity"] > best["popularity"] - COMPARABLE for row in others):
            return None
        return {
            "name": name, "code": code or best["code"], "popularity": best["popularity"],
            "airports": {row["code"] for row in airports}, "names": {},
        }

    def served_cities(self) -> list[dict]:
        """The cities of time zones that have an airport, with their names in other languages."""
        english = Locale("en").time_zones
        found = {}
        for zone, country in sorted(get_global("zone_territories").items()):
            name = english.get(zone, {}).get("city") or zone.rsplit("/", 1)[-1].replace("_", " ")
            if name in CONTESTED or "/" not in zone or not (city := self.city(name, country)):
                continue
            city["names"] = {
                language: Locale(language).time_zones[zone]["city"] for language in LANGUAGES
                if "city" in Locale(language).time_zones.get(zone, {})
            }
            found[fold(name), country] = city
        return sorted(found.values(), key=lambda city: (-city["popularity"], city["name"]))

    def is_name_elsewhere(self, city: dict, typed: str) -> bool:
        """True if the letters are the whole name of another place, however small."""
        return any(
            typed in row["names"] and row["code"] not in city["airports"] and row["cityCode"] != city["code"]
            for row in self.rows)

    def rivals(self, city: dict, matches, margin: float = COMPARABLE) -> list[dict]:
        """The airports elsewhere with comparable or more passengers that a predicate accepts."""
        least = city["popularity"] - margin
        return [
            row for row in self.rows
            if row["popularity"] > least and row["code"] not in city["airports"] and row["cityCode"] != city["code"]
            and matches(row)
        ]
