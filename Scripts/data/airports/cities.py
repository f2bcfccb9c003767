"""Rows of metro cities with several airports and of places without an airport."""

from collections import defaultdict

import languages
from naming import SHORT_CITIES, bare, folded, region_of
from position import distance
from sources import Point, by_hand

#: A place within this distance (kilometers) of an airport of the same name is the city of that airport.
SAME_PLACE = 60.0
#: The same distance for a manually listed place that an airport with scheduled flights serves by name.
SERVED_PLACE = 90.0


def city_rows(points: list[Point], airports: list[dict]) -> list[dict]:
    rows = metro_rows(points, airports)
    taken = {row["code"] for row in rows}
    rows += place_rows(points, airports, taken)
    rows.sort(key=lambda row: row["code"])
    return rows


def metro_rows(points: list[Point], airports: list[dict]) -> list[dict]:
    """A row for each code that several airports share, with the busiest airport first in `airports`."""
    members = defaultdict(list)
    for airport in airports:
        if airport["cityCode"] != airport["code"] or airport["inMetro"]:
            members[airport["cityCode"]].append(airport)
    cities = {}
    for point in points:
        if point.is_city and not point.date_until:
            known = cities.get(point.code)
            if known is None or point.population > known.population:
                cities[point.code] = point
    rows = []
    for code, group in members.items():
        if len(group) < 2:
            continue
        point = cities.get(code)
        name = METRO_NAMES.get(code) or (SHORT_CITIES.get(point.name, bare(point.name)) if point else group[0]["city"])
        rows.append(row(code, name, point, group[0], [airport["code"] for airport in group]))
    return rows


def place_rows(points: list[Point], airports: list[dict], taken: set[str]) -> list[dict]:
    """Places of OpenTravelData that no airport serves by name."""
    by_name = defaultdict(list)
    codes = {airport["code"] for airport in airports}
    for airport in airports:
        names = {airport["city"], *airport["otherCities"]}
        for name in names:
            by_name[(airport["country"], folded(name))].append((airport["latitude"], airport["longitude"]))
    best: dict[tuple[str, str, str], Point] = {}
    for point in points:
        if not (point.is_city or point.kinds == "O") or point.date_until or point.code in codes or point.code in taken:
            continue
        if not point.feature.startswith("PPL"):
            continue
        name = bare(point.name)
        near = by_name.get((point.country, folded(name)), [])
        if any(distance(place, (point.latitude, point.longitude)) < SAME_PLACE for place in near):
            continue
        key = (point.country, point.region, folded(name))
        if key not in best or best[key].population < point.population:
            best[key] = point
    chosen: dict[str, Point] = {}
    for point in best.values():
        if point.code not in chosen or chosen[point.code].population < point.population:
            chosen[point.code] = point
    rows = [row(code, bare(point.name), point, None, []) for code, point in chosen.items()]
    known = {(entry["country"], folded(entry["name"])) for entry in rows}
    served = served_names(airports)
    for entry in by_hand("places.tsv"):
        key = (entry["country"], folded(entry["name"]))
        place = (float(entry["latitude"]), float(entry["longitude"]))
        if key not in known and not any(distance(place, airport) < SERVED_PLACE for airport in served[key]):
            rows.append(by_hand_row(entry))
    return rows


def served_names(airports: list[dict]) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """The positions of airports with scheduled flights by the English and colloquial names of the places they serve."""
    served = defaultdict(list)
    for airport in airports:
        if airport["scheduled"]:
            said = [
                part.partition("=")[2] for part in airport["cityNames"].split(";") if part.startswith(("en=", "x="))
            ]
            for name in {airport["city"], *(name for names in said for name in names.split("|"))}:
                served[(airport["country"], folded(name))].append((airport["latitude"], airport["longitude"]))
    return served


def by_hand_row(entry: dict[str, str]) -> dict:
    names: dict[str, list[str]] = {}
    for part in filter(None, entry["names"].split(";")):
        language, _, texts = part.partition("=")
        names[language] = texts.split("|")
    return {
        "code": entry["code"],
        "name": entry["name"],
        "country": entry["country"],
        "region": entry["region"],
        "latitude": round(float(entry["latitude"]), 4),
        "longitude": round(float(entry["longitude"]), 4),
        "population": int(entry["population"]),
        "names": languages.compact(names, [entry["name"]]),
        "airports": "",
    }


def row(code: str, name: str, point: Point | None, airport: dict | None, members: list[str]) -> dict:
    names = languages.collect(
        languages.names_of_city(point) if point else [],
        languages.of_row((point or airport["point"]).country, bool(members)) + ([""] if members else []),
        False,
        3,
    )
    languages.settle_unnamed(names, name)
    for language, text in COLLOQUIAL.get(code, []):
        # Appended because the first name of a language is displayed.
        names.setdefault(language, []).append(text)
    source = point or airport["point"]
    return {
        "code": code,
        "name": name,
        "country": source.country,
        "region": region_of(source, True) if folded(source.region) != folded(name) else "",
        "latitude": round(source.latitude, 4),
        "longitude": round(source.longitude, 4),
        "population": source.population,
        "names": languages.compact(names, [name]),
        "airports": ",".join(members),
    }


COLLOQUIAL = languages.colloquial()
METRO_NAMES = {entry["code"]: entry["name"] for entry in by_hand("metro-names.tsv")}
