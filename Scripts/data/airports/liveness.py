"""Selects the codes of airports in operation."""

import re

from sources import Point, by_hand

ABANDONED = "AIRQ"
HELIPORT = "AIRH"
SEAPLANE_BASE = "AIRS"


def live_airports(points: list[Point], airports_py: dict, airportsdata: dict, today: str) -> dict[str, Point]:
    """One point for each code in operation.

    Excludes points that ended according to OpenTravelData, abandoned fields, heliports, and seaplane bases without
    scheduled flights in airports-py. `liveness.tsv` overrides these rules.
    """
    verdicts = {row["code"]: row["verdict"] for row in by_hand("liveness.tsv")}
    live = {}
    for point in points:
        if not point.is_airport or point.date_until or point.date_from > today:
            continue
        verdict = verdicts.get(point.code)
        if verdict == "out" or (verdict is None and not is_likely_live(point, airports_py, airportsdata)):
            continue
        known = live.get(point.code)
        if known is None or known.page_rank < point.page_rank:
            live[point.code] = point
    return live


def is_raw_name(point: Point) -> bool:
    """True if the name is an unedited entry of a list of locations ("Muharraq BH", "Ozona TX US Municipal")."""
    return re.search(rf" {point.country}\b", point.name) is not None


def is_likely_live(point: Point, airports_py: dict, airportsdata: dict) -> bool:
    if is_raw_name(point) and point.code not in airportsdata:
        return False  # Pseudo codes, fictitious points, unknown hamlets.
    if not point.date_from and point.code not in airportsdata and point.code not in airports_py:
        return False
    scheduled = is_scheduled(point.code, airports_py)
    if point.feature in (ABANDONED, HELIPORT) or airports_py.get(point.code, {}).get("type") == "heliport":
        return False
    if point.feature == SEAPLANE_BASE:
        return scheduled and point.code in airportsdata
    if not point.feature.startswith("AIR"):
        # A row for a town and its airfield counts only if another source has the airfield.
        return point.code in airportsdata or point.code in airports_py
    return True


def is_scheduled(code: str, airports_py: dict) -> bool:
    return airports_py.get(code, {}).get("scheduled_service") == "TRUE"
