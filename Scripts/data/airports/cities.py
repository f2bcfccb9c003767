"""Rows of metro cities with several airports."""

from collections import defaultdict

import languages
from naming import SHORT_CITIES, bare, folded, region_of
from sources import Point, by_hand

def city_rows(points: list[Point], airports: list[dict]) -> list[dict]:
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
    rows.sort(key=lambda row: row["code"])
    return rows


def row(code: str, name: str, point: Point | None, airport: dict | None, members: list[str]) -> dict:
    names = languages.collect(
        languages.names_of_city(point) if point else [],
        languages.of_row((point or airport["point"]).country, bool(members)) + ([""] if members else []),
        False,
        3,
    )
    languages.settle_unnamed(names, name)
    listed = COLLOQUIAL.get(code, [])
    languages.add_by_hand(names, listed)
    source = point or airport["point"]
    return {
        "code": code,
        "name": name,
        "country": source.country,
        "region": region_of(source, True) if folded(source.region) != folded(name) else "",
        "latitude": round(source.latitude, 4),
        "longitude": round(source.longitude, 4),
        "population": source.population,
        "names": languages.compact(names, [name], listed),
        "airports": ",".join(members),
    }


COLLOQUIAL = languages.colloquial()
METRO_NAMES = {entry["code"]: entry["name"] for entry in by_hand("metro-names.tsv")}
