"""The name an airport is shown by, the city it serves, and the region that tells namesakes apart."""

import re
import unicodedata

from sources import Point, by_hand

OVERRIDES = {row["code"]: row for row in by_hand("naming.tsv")}

#: Federal or large countries where people name the state along with the town.
COUNTRIES_WITH_REGION = set("US CA AU BR MX IN AR CN RU ID PH CO VE NZ PG ZA JP GB DE ES IT FR MY NG TH".split())


def folded(text: str) -> str:
    """Without marks and case, for comparing names only."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold().replace("’", "'")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))


def city_of(point: Point, by_geoname: dict[str, Point]) -> tuple[str, str, list[str], list[Point]]:
    """The city's name, its code, the names of further cities, and their points (main city first).

    OpenTravelData may name several cities (EWR: New York City, Newark). The main one is the most populous.
    """
    cities = []
    for code, geoname, name in point.cities:
        city = by_geoname.get((code, geoname)) or by_geoname.get(geoname)
        cities.append((city.population if city else 0, code, name, city))
    # max, not sort: the first of equals stays the first.
    main = max(cities, key=lambda c: c[0]) if cities else (0, point.code, "", None)
    others = [c for c in cities if c is not main]
    name = main[2] or bare(point.name)
    if bare(name) != name:
        name = bare(name)
    code, extra = main[1], [bare(c[2]) for c in others]
    override = OVERRIDES.get(point.code, {})
    if override.get("city") and override["city"] != name:
        # The city's full name stays findable, unless it is another city.
        if set(words(override["city"])) <= set(words(name)):
            extra.append(name)
        name = override["city"]
    code = override.get("cityCode") or code
    extra += [c for c in (override.get("otherCities") or "").split("|") if c]
    points = [main[3]] if main[3] else []
    points += [c[3] for c in others if c[3]]
    return SHORT_CITIES.get(name, name), code, extra, points


#: OpenTravelData's official names of cities that everybody calls by a shorter one.
SHORT_CITIES = {"New York City": "New York", "Frankfurt am Main": "Frankfurt", "Washington, D.C.": "Washington"}

TAIL = re.compile(r"\s+(International\s+)?(Airport|Aerodrome|Airfield|Airstrip|Airpark)$|\s+International$", re.IGNORECASE)


def bare(name: str) -> str:
    """`name` without a tail that says only that it is an airport."""
    stripped = TAIL.sub("", name.strip())
    return stripped.strip(" -–,") or name.strip()


def display_name(point: Point, city: str, city_names: set[str], several: bool) -> str:
    """The airport's name as a title.

    1. " Airport" and " International Airport" (and Aerodrome, Airfield, Airstrip) are cut from the end.
    2. A city's name in its own language at the beginning becomes the English one (Milano Malpensa: Milan Malpensa).
    3. A name without the city gets it in front (Sheremetyevo: Moscow Sheremetyevo).
    4. What is left only the city's name keeps " International" or " Airport" when the city has several airports.
    """
    override = OVERRIDES.get(point.code, {})
    if override.get("name"):
        return override["name"]
    full = " ".join(point.name.split())
    name = bare(full)
    for other in sorted(city_names, key=lambda n: (-len(n), n)):
        if folded(other) != folded(city) and re.match(re.escape(other) + r"[\s–-]", name) and other.isascii() == other.isascii():
            name = city + name[len(other) :]
            break
    if not set(words(city)) <= set(words(name)):
        name = f"{city} {name}"
    if several and words(name) == words(city):
        tail = full[len(bare(full)) :].strip()
        tail = "International" if "International" in tail else "Airport"
        name = f"{name} {tail}"
    return name


def region_of(point: Point, needs_region: bool) -> str:
    if not point.region or not (point.country in COUNTRIES_WITH_REGION or needs_region):
        return ""
    return re.sub(r"^(State of|Province of|Republic of)\s+", "", point.region)
