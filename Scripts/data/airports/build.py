"""Writes the airport catalogue: airports.tsv, cities.tsv, places.tsv and countries.tsv."""

import argparse
from collections import defaultdict
from collections.abc import Set
from pathlib import Path

import countries
import geonames
import languages
import sources
from cities import city_rows
from liveness import is_raw_name, is_scheduled, live_airports
from naming import bare, city_of, display_name, folded, region_of
from places import place_rows
from popularity import CAPITAL_FLOOR, Model, known_passengers, popularity
from position import distance, place, time_zone

#: The date of the newest source. Airports that open later are excluded, and the output is reproducible.
TODAY = "2026-09-05"
POPULAR = 1500
#: The maximum distance in kilometers between a metro city and an airport that belongs to it.
METRO_RADIUS = 130.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    output = parser.parse_args().output

    points = sources.opentraveldata()
    airports_py, airportsdata = sources.airports_py(), sources.airportsdata()
    airports = live_airports(points, airports_py, airportsdata, TODAY)
    for code, point in airports.items():
        if is_raw_name(point):
            point.name = airportsdata[code]["name"]
    regions = geonames.regions(points)
    catalogue = build_airports(points, airports, airports_py, airportsdata, regions)
    cities = city_rows(points, catalogue)
    places = place_rows(points, catalogue, regions)
    used = {row["country"] for row in catalogue + cities + places}

    write(output / "airports.tsv", AIRPORT_COLUMNS, catalogue)
    write(output / "cities.tsv", CITY_COLUMNS, cities)
    write(output / "places.tsv", PLACE_COLUMNS, places)
    rows = [{"code": code, "names": names} for code, names in countries.country_rows(used)]
    write(output / "countries.tsv", ["code", "names"], rows)


AIRPORT_COLUMNS = (
    "code icao name city cityCode country region latitude longitude timeZone popularity flags"
    " cityNames airportNames".split()
)
CITY_COLUMNS = "code name country region latitude longitude population names airports".split()
PLACE_COLUMNS = "name country region latitude longitude population airports names".split()


def build_airports(points, airports, airports_py, airportsdata, regions) -> list[dict]:
    by_geoname = {}
    for point in points:
        if point.is_city or point.kinds == "O":
            by_geoname.setdefault((point.code, point.geoname), point)
            by_geoname.setdefault(point.geoname, point)
            if point.population >= by_geoname.setdefault(point.code, point).population:
                by_geoname[point.code] = point
    served = {code: city_of(point, by_geoname) for code, point in airports.items()}
    main_city = {code: (cities[0] if cities else None) for code, (_, _, _, cities) in served.items()}
    model = Model(airports, main_city, airports_py)
    print(f"{len(airports)} airports; the model explains {model.explained:.3f} of the variance of log passengers")
    neighbors = geonames.Neighbors(geonames.towns())
    print("weights: " + " ".join(f"{w:.3f}" for w in model.weights))

    rows = []
    for code in sorted(airports):
        point = airports[code]
        city, city_code, other_cities, city_points = served[code]
        (latitude, longitude), agreed = place(point, airports_py, airportsdata)
        division, zone = geonames.surroundings(point, (latitude, longitude), neighbors)
        if division in regions:
            point.region = regions[division].name
        passengers = model.passengers(point, main_city[code])
        scheduled = is_scheduled(code, airports_py) or bool(known_passengers(code))
        rows.append(
            {
                "code": code,
                "icao": icao(code, point, airportsdata, airports_py),
                "city": city,
                "cityCode": city_code,
                "country": point.country,
                "latitude": latitude,
                "longitude": longitude,
                "division": division,
                "timeZone": time_zone(point, (latitude, longitude), zone, airports_py, airportsdata),
                "passengers": passengers,
                "scheduled": scheduled,
                "point": point,
                "otherCities": other_cities,
                "cityPoints": city_points,
            }
        )
    lift_capitals(rows)
    most = max(row["passengers"] for row in rows)
    for row in rows:
        row["popularity"] = popularity(row["passengers"], most)
    rows.sort(key=lambda row: (-row["popularity"], row["code"]))
    settle_metros(rows)
    for rank, row in enumerate(rows):
        row["flags"] = ("p" if rank < POPULAR else "") + ("s" if row["scheduled"] else "")
    namesakes = defaultdict(set)
    for row in rows:
        namesakes[(row["country"], folded(row["city"]))].add(row["point"].region)
    several = defaultdict(int)
    for row in rows:
        several[row["cityCode"]] += 1
    for row in rows:
        is_namesake = len(namesakes[(row["country"], folded(row["city"]))]) > 1
        finish(row, is_namesake, several[row["cityCode"]] > 1, namesakes.keys())
    return rows


def lift_capitals(rows: list[dict]) -> None:
    """Raises the passengers of each capital's main airport so that it is popular: users search for small capitals, too."""
    capitals = {row["code"] for row in sources.by_hand("capitals.tsv")}
    for row in rows:
        if row["code"] in capitals:
            row["passengers"] = max(row["passengers"], CAPITAL_FLOOR)


def settle_metros(rows: list[dict]) -> None:
    """Keeps a metro code only if at least two airports with known passengers share it; otherwise an airport is its own city.

    The scheduled flags of airports-py are too generous here (air taxis, bases), so only airports in passengers.tsv count.
    """
    members = defaultdict(list)
    for row in rows:
        if known_passengers(row["code"]):
            members[row["cityCode"]].append(row)
    for row in rows:
        group = members[row["cityCode"]]
        centre = group[0] if group else row
        near = distance((centre["latitude"], centre["longitude"]), (row["latitude"], row["longitude"])) <= METRO_RADIUS
        row["metro"] = row["cityCode"]
        row["inMetro"] = bool(known_passengers(row["code"])) and near
    for row in rows:
        if not row["inMetro"] or sum(r["inMetro"] for r in members[row["metro"]]) < 2:
            row["cityCode"] = row["code"]


def icao(code, point, airportsdata, airports_py) -> str:
    """The most frequent code of the sources, ignoring sources that place the airport in another country."""
    named = [point.icao]
    for row, country in ((airportsdata.get(code), "country"), (airports_py.get(code), "country_code")):
        if row and row[country] == point.country:
            named.append(row["icao"])
    named = [name for name in named if name and len(name) == 4 and name.isalpha()]
    return max(named, key=lambda name: (named.count(name), -named.index(name))) if named else ""


def finish(row: dict, has_namesakes: bool, several: bool, cities: Set[tuple[str, str]]) -> None:
    point, city_points = row["point"], row["cityPoints"]
    popular = "p" in row["flags"]
    kept = languages.of_row(point.country, popular)
    # Names of other cities that an airport serves are not shown as those of its city: Miami for Fort Lauderdale.
    own = own_points(row, cities)
    city_names, others = (
        languages.collect(
            [name for city in points for name in languages.names_of_city(city)],
            kept + [""] if popular else kept, airport=False, per_language=3
        )
        for points in (own, [city for city in city_points if city not in own])
    )
    for language, names in others.items():
        city_names.setdefault(language if language in city_names else languages.FORMER, []).extend(names)
    latin = {name for language in "en de fr es it pt tr".split() for name in city_names.get(language, [])}
    for city in city_points[:1]:
        latin.add(city.name)
    row["name"] = display_name(point, row["city"], latin, several)
    row["region"] = region_of(point, has_namesakes)
    languages.settle_unnamed(city_names, row["city"])
    city_names["en"] = row["otherCities"] + city_names.get("en", [])
    airport_names = languages.collect(
        point.names, kept, airport=True, per_language=2
    )
    listed = [name for code in dict.fromkeys([row["code"], row["metro"]]) for name in COLLOQUIAL.get(code, [])]
    languages.add_by_hand(city_names, listed)
    row["cityNames"] = languages.compact(city_names, [row["city"], row["name"]], listed)
    airport_names["en"] = [bare(point.name)] + airport_names.get("en", [])
    for language, title in TITLES.get(row["code"], {}).items():
        airport_names[language] = [title] + airport_names.get(language, [])
    said = [row["city"], row["name"]] + [name for names in city_names.values() for name in names]
    row["airportNames"] = languages.compact(airport_names, said)


def own_points(row: dict, cities: Set[tuple[str, str]]) -> list[sources.Point]:
    """The point of the city that a row names, or else the first one that is not the city of another airport.

    `cities` has the countries and names of the cities of all airports.
    """
    city = folded(row["city"])
    names = [(point, folded(bare(point.name))) for point in row["cityPoints"]]
    named = [point for point, name in names if name in city or city in name]
    return (named or [point for point, name in names if (point.country, name) not in cities])[:1]


COLLOQUIAL = languages.colloquial()
TITLES = languages.titles()


def write(path: Path, columns: list[str], rows: list[dict]) -> None:
    lines = ["\t".join(columns)]
    for row in rows:
        cells = []
        for column in columns:
            value = row[column]
            if isinstance(value, float):
                value = f"{value:.4f}"
            cells.append(str(value).replace("\t", " ").replace("\n", " "))
        lines.append("\t".join(cells))
    data = ("\n".join(lines) + "\n").encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{path.name}: {len(rows)} rows, {len(data) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
