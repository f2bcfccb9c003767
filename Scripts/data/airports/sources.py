"""Reads the source packages."""

import csv
import gzip
import json
from collections import defaultdict
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

HERE = Path(__file__).parent


@dataclass
class Name:
    """An alternative name in OpenTravelData; flags: p preferred, s short, c colloquial, h historic."""

    language: str
    text: str
    flags: str


@dataclass
class Point:
    """A point of reference of OpenTravelData: an airport, a city, a station, or several of these in one row."""

    code: str
    icao: str
    geoname: str
    name: str
    latitude: float
    longitude: float
    feature: str
    page_rank: float
    date_from: str
    date_until: str
    country: str
    region: str
    #: The country and code of the region in GeoNames, such as `DE.02`.
    division: str
    population: int
    time_zone: str
    cities: list[tuple[str, str, str]]  # code, GeoNames identifier, name
    kinds: str
    names: list[Name] = field(default_factory=list)

    @property
    def is_airport(self) -> bool:
        return "A" in self.kinds

    @property
    def is_city(self) -> bool:
        return "C" in self.kinds


def alternative_names(section: str) -> list[Name]:
    names = []
    for entry in section.split("="):
        parts = entry.split("|")
        if len(parts) == 3 and parts[1].strip():
            names.append(Name(parts[0], " ".join(parts[1].split()), parts[2]))
    return names


def city_details(section: str) -> list[tuple[str, str, str]]:
    details = []
    for entry in section.split("="):
        parts = entry.split("|")
        if len(parts) >= 3:
            details.append((parts[0], parts[1], parts[2]))
    return details


def opentraveldata() -> list[Point]:
    text = files("neobase").joinpath("optd_por_public.csv").read_text(encoding="utf-8")
    points = []
    for row in csv.DictReader(text.splitlines(), delimiter="^", quotechar='"'):
        points.append(
            Point(
                code=row["iata_code"],
                icao=row["icao_code"],
                geoname=row["geoname_id"],
                name=row["name"],
                latitude=float(row["latitude"] or 0),
                longitude=float(row["longitude"] or 0),
                feature=row["fcode"],
                page_rank=float(row["page_rank"] or 0),
                date_from=row["date_from"],
                date_until=row["date_until"],
                country=row["country_code"],
                region=row["adm1_name_utf"],
                division=f"{row['country_code']}.{row['adm1_code']}" if row["adm1_code"] else "",
                population=int(row["population"] or 0),
                time_zone=row["timezone"],
                cities=city_details(row["city_detail_list"]),
                kinds=row["location_type"],
                names=alternative_names(row["alt_name_section"]),
            )
        )
    return points


def airportsdata() -> dict[str, dict]:
    text = files("airportsdata").joinpath("airports.csv").read_text(encoding="utf-8")
    return {row["iata"]: row for row in csv.DictReader(text.splitlines()) if row["iata"]}


def airports_py() -> dict[str, dict]:
    text = gzip.decompress(files("airports").joinpath("data/airports.gz").read_bytes())
    return {row["iata"]: row for row in json.loads(text) if row["iata"]}


def by_hand(name: str) -> list[dict[str, str]]:
    """A table of this folder. Lines that start with `#` are comments; the first other line names the columns."""
    text = (HERE / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    columns = lines[0].split("\t")
    return [dict(zip(columns, line.split("\t") + [""] * len(columns))) for line in lines[1:]]


def by_code(points: list[Point]) -> dict[str, list[Point]]:
    grouped = defaultdict(list)
    for point in points:
        grouped[point.code].append(point)
    return grouped
