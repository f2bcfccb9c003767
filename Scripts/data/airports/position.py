"""Resolves the position and the time zone of an airport when sources disagree."""

from datetime import datetime
from functools import cache
from math import asin, cos, radians, sin, sqrt
from zoneinfo import ZoneInfo, available_timezones

from timezonefinder import TimezoneFinder

from sources import Point, by_hand

EARTH_RADIUS = 6371.0  # kilometres
AGREEMENT = 20.0  # kilometres within which two sources agree
ZONES = available_timezones()


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Great-circle distance in kilometres."""
    lat1, lon1, lat2, lon2 = (radians(x) for x in (*a, *b))
    h = sin((lat2 - lat1) / 2) ** 2 + cos(lat1) * cos(lat2) * sin((lon2 - lon1) / 2) ** 2
    return 2 * EARTH_RADIUS * asin(min(1.0, sqrt(h)))


def candidates(point: Point, airports_py: dict, airportsdata: dict) -> dict[str, tuple[float, float]]:
    places = {"opentraveldata": (point.latitude, point.longitude)}
    row = airportsdata.get(point.code)
    if row and row["country"] == point.country:
        places["airportsdata"] = (float(row["lat"]), float(row["lon"]))
    row = airports_py.get(point.code)
    if row and row["country_code"] == point.country and row["latitude"] not in ("", None):
        places["airports-py"] = (float(row["latitude"]), float(row["longitude"]))
    return places


def place(point: Point, airports_py: dict, airportsdata: dict) -> tuple[tuple[float, float], bool]:
    """The coordinates with the most votes, and a flag that is true if at least two sources agree.

    A source has a vote from each source within 20 km. Ties go to airportsdata, then to OpenTravelData; airports-py is
    often rounded to minutes.
    """
    decided = DECIDED.get(point.code)
    if decided and decided["latitude"]:
        return (float(decided["latitude"]), float(decided["longitude"])), True
    places = candidates(point, airports_py, airportsdata)
    votes = {a: sum(distance(places[a], places[b]) < AGREEMENT for b in places) for a in places}
    order = ["airportsdata", "opentraveldata", "airports-py"]
    best = max(places, key=lambda source: (votes[source], -order.index(source)))
    return places[best], votes[best] > 1


def time_zone(point: Point, place: tuple[float, float], town: str, airports_py: dict, airportsdata: dict) -> str:
    """The most frequent time zone of the sources, unless both its boundaries and the next town have other hours.

    China's airports use Beijing time, which the boundaries do not have in Xinjiang.
    """
    decided = DECIDED.get(point.code, {}).get("timeZone")
    if decided:
        return decided
    named = [point.time_zone]
    for row, country, zone in (
        (airportsdata.get(point.code), "country", "tz"),
        (airports_py.get(point.code), "country_code", "time"),
    ):
        if row and row[country] == point.country:
            named.append(row[zone])
    named = [zone for zone in named if zone in ZONES]
    usual = max(named, key=lambda zone: (named.count(zone), -named.index(zone))) if named else town
    found = FINDER.timezone_at(lat=place[0], lng=place[1]) or ""
    if point.country == "CN" or not {town, found} <= ZONES or hours(found) != hours(town):
        return usual
    return usual if hours(usual) == hours(town) else town


@cache
def hours(zone: str) -> list:
    """The offsets of a zone from UTC in the year of the sources, month by month."""
    return [datetime(2026, month, 15, tzinfo=ZoneInfo(zone)).utcoffset() for month in range(1, 13)]


FINDER = TimezoneFinder(in_memory=True)
DECIDED = {row["code"]: row for row in by_hand("placed-by-hand.tsv")}
