"""Checks the built catalogue: order, closed and new airports, positions, capitals, format.

Usage: check.py DIRECTORY. Prints statistics and failed checks. Exits with 1 if a check fails.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path
from zoneinfo import available_timezones

import geonames
import languages
from naming import joined, words
from places import LARGE, SAME_PLACE, names_in
from position import distance
from sources import by_hand

TOP_30 = "ATL DXB DFW LHR HND DEN IST ORD DEL PVG LAX CAN ICN CDG SIN PEK AMS MAD JFK BKK FRA".split()
ORDERED = [
    pair.split(">")
    for pair in (
        "DXB>STL BKK>DMK LHR>LGW CDG>ORY HND>NRT ATL>IST SVO>DME"
        " ORD>MDW JFK>SWF GRU>VCP ICN>GMP DXB>DWC IST>SAW KZN>IGT"
    ).split()
]
POPULAR = 1500
#: An airport whose next town is this near (kilometers) is in the country of the town, unless its own is little farther.
NEARBY, BORDER = 30.0, 40.0


def table(path: Path) -> list[dict[str, str]]:
    text = path.read_bytes().decode("utf-8")
    assert "\r" not in text and text.endswith("\n")
    lines = text.split("\n")[:-1]
    columns = lines[0].split("\t")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        assert len(cells) == len(columns), f"{path.name}:{number}: {len(cells)} cells"
        rows.append(dict(zip(columns, cells)))
    return rows


def place(row: dict[str, str]) -> tuple[float, float]:
    return float(row["latitude"]), float(row["longitude"])


def main() -> int:
    directory = Path(sys.argv[1])
    airports = table(directory / "airports.tsv")
    cities = table(directory / "cities.tsv")
    countries = {row["code"] for row in table(directory / "countries.tsv")}
    by_code = {row["code"]: row for row in airports}
    rank = {row["code"]: index + 1 for index, row in enumerate(airports)}
    broken: list[str] = []

    def expect(truth: bool, what: str) -> None:
        if not truth:
            broken.append(what)

    expect(9_000 <= len(airports) <= 9_600, f"{len(airports)} airports")
    expect(len(by_code) == len(airports), "duplicate code")
    keys = [(-float(row["popularity"]), row["code"]) for row in airports]
    expect(keys == sorted(keys), "order is not popularity, then code")
    for path in directory.glob("*.tsv"):
        expect(path.stat().st_size < 4_000_000, f"{path.name} is larger than 4 MB")

    zones = available_timezones()
    names = re.compile(r"^([a-z]{1,2}=[^;=|]+(\|[^;=|]+)*(;[a-z]{1,2}=[^;=|]+(\|[^;=|]+)*)*)?$")
    for row in airports:
        code = row["code"]
        expect(bool(re.fullmatch(r"[A-Z]{3}", code)), f"{code}: not an IATA code")
        expect(not row["icao"] or bool(re.fullmatch(r"[A-Z]{4}", row["icao"])), f"{code}: ICAO {row['icao']}")
        expect(-90 <= float(row["latitude"]) <= 90 and -180 <= float(row["longitude"]) <= 180, f"{code}: place")
        expect(row["timeZone"] in zones, f"{code}: zone {row['timeZone']}")
        expect(row["country"] in countries, f"{code}: country {row['country']}")
        expect(bool(row["name"] and row["city"] and row["cityCode"]), f"{code}: no name or city")
        for column in ("cityNames", "airportNames"):
            expect(bool(names.match(row[column])), f"{code}: {column} {row[column][:60]}")
    expect(sum("p" in row["flags"] for row in airports) == POPULAR, "not 1,500 popular airports")

    closed = [row["code"] for row in by_hand("checks/closed.tsv")]
    for code in closed:
        expect(code not in by_code, f"{code}: closed but in the catalogue")
    opened = by_hand("checks/opened.tsv")
    for row in opened:
        found = by_code.get(row["code"])
        expect(found is not None, f"{row['code']}: missing ({row['reason']})")
        if found:
            far = distance(place(found), place(row))
            expect(far < 8, f"{row['code']}: {far:.0f} km from its position ({row['reason']})")

    for code in TOP_30:
        expect(rank.get(code, 9999) <= 30, f"{code}: rank {rank.get(code)}")
    figures = sorted(by_hand("passengers.tsv"), key=lambda row: -float(row["millions"]))
    busiest = [row["code"] for row in figures if not row["note"]][:100]
    for code in busiest:
        expect(rank.get(code, 9999) <= 160, f"{code}: rank {rank.get(code)}")
    for row in figures:
        expect(row["code"] in by_code, f"{row['code']}: passengers known but not in the catalogue")
    for above, below in ORDERED:
        expect(rank[above] < rank[below], f"{above} ({rank[above]}) is not above {below} ({rank[below]})")

    capitals = by_hand("capitals.tsv")
    for row in capitals:
        found = rank.get(row["code"], 9999)
        expect(found <= POPULAR, f"{row['code']}: rank {found} ({row['capital']})")

    for row in cities:
        members = [code for code in row["airports"].split(",") if code]
        known = all(code in by_code and by_code[code]["cityCode"] == row["code"] for code in members)
        expect(known, f"city {row['code']}: airports {members}")
        expect(row["country"] in countries, f"city {row['code']}: country")
        expect(bool(names.match(row["names"])), f"city {row['code']}: names {row['names'][:60]}")
        expect(members != [] or row["code"] not in by_code, f"city {row['code']} is an airport's code")

    scheduled = sum("s" in row["flags"] for row in airports)
    places = table(directory / "places.tsv")
    expect(len(places) > 30_000, f"{len(places)} places")
    for row in places:
        what = f"place {row['name']}"
        expect(bool(row["name"]) and row["country"] in countries, f"{what}: country {row['country']}")
        expect(-90 <= float(row["latitude"]) <= 90 and -180 <= float(row["longitude"]) <= 180, f"{what}: position")
        expect(all(code in by_code for code in row["airports"].split(",") if code), f"{what}: {row['airports']}")
        expect(bool(names.match(row["names"])), f"{what}: names {row['names'][:60]}")

    named = defaultdict(list)
    for row in airports + places:
        own = names_in(row.get("airportNames", ""))
        names_of_row = [row["name"], row.get("city", ""), *names_in(row.get("cityNames", row.get("names", ""))), *own]
        for name in {joined(name) for name in names_of_row} | {word for name in own for word in words(name)}:
            named[(row["country"], name)].append(place(row))
    for town in geonames.towns():
        found = named[(town.country, joined(languages.clean(town.name)))] if town.population > LARGE else [town.place]
        near = any(distance(town.place, position) < SAME_PLACE for position in found)
        expect(near, f"town {town.name}, {town.country} ({town.population} people): not found by its name")

    neighbors = geonames.Neighbors(geonames.towns())
    decided = {row["code"] for row in by_hand("checks/positions.tsv")}
    for row in airports:
        near = neighbors.nearest(place(row), 24)
        own = next((far for far, town in near if town.country == row["country"]), float("inf"))
        if near and near[0][0] < NEARBY and own > near[0][0] + BORDER and row["code"] not in decided:
            expect(False, f"{row['code']}: in {row['country']}, but near {near[0][1].name}, {near[0][1].country}")
    print(
        f"checked: {len(airports)} airports, {scheduled} with scheduled service, {len(cities)} metro cities, "
        f"{len(places)} places without an airport, {len(closed)} closed, {len(opened)} opened or moved, "
        f"{len(capitals)} capitals, {len(broken)} broken"
    )
    for line in broken:
        print(f"  {line}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
