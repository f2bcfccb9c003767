"""Display names of airports, the cities they serve, and regions that distinguish cities of the same name."""

import re
import unicodedata

from sources import Point, by_hand

OVERRIDES = {row["code"]: row for row in by_hand("naming.tsv")}

#: Countries in which the state or region is usually named along with the town.
COUNTRIES_WITH_REGION = set("US CA AU BR MX IN AR CN RU ID PH CO VE NZ PG ZA JP GB DE ES IT FR MY NG TH".split())


def folded(text: str) -> str:
    """Removes diacritics and case for comparisons."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold().replace("’", "'")


def joined(text: str) -> str:
    """The folded letters and digits, as a search compares them: `Ning’er` is `ninger`."""
    return "".join(words(text))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))


def city_of(point: Point, by_geoname: dict[str, Point]) -> tuple[str, str, list[str], list[Point]]:
    """The city's name, its code, the names of other cities, and their points, main city first.

    OpenTravelData may name several cities (EWR: New York City, Newark). The main one is the most populous.
    """
    cities = []
    for code, geoname, name in point.cities:
        city = by_geoname.get((code, geoname)) or by_geoname.get(geoname)
        cities.append((city.population if city else 0, code, name, city))
    # max returns the first of equal elements.
    main = max(cities, key=lambda c: c[0]) if cities else (0, point.code, "", None)
    others = [c for c in cities if c is not main]
    name = bare(without_codes(main[2] or point.name, point.country))
    code, extra = main[1], [bare(c[2]) for c in others]
    override = OVERRIDES.get(point.code, {})
    if override.get("city") and override["city"] != name:
        # The full name of the city can still be found, unless it is another city.
        if set(words(override["city"])) <= set(words(name)):
            extra.append(name)
        name = override["city"]
    code = override.get("cityCode") or code
    extra += [c for c in (override.get("otherCities") or "").split("|") if c]
    points = [main[3]] if main[3] else []
    points += [c[3] for c in others if c[3]]
    source = by_geoname.get(override.get("namesFrom", ""))
    if source:
        points = [source] + points
    return SHORT_CITIES.get(name, name), code, extra, points


def without_codes(name: str, country: str) -> str:
    """The town of an unedited entry: "Prentice" of "Prentice WI US"."""
    return re.sub(rf"(?<=\w)( [A-Z]{{2}})? {country}( .*)?$", "", name)


#: Official names in OpenTravelData of cities with a shorter common name.
SHORT_CITIES = {"New York City": "New York", "Frankfurt am Main": "Frankfurt", "Washington, D.C.": "Washington"}

SAYS_AIRPORT = (
    r"(Airport|Aerodrome|Airfield|Airstrip|Airstriip|Airpark|Lufthavn|Lufthamn|Flygplats|Flughafen|Havalimanı)"
)
TAIL = re.compile(rf"\s+(International\s+)?{SAYS_AIRPORT}$|\s+International$", re.IGNORECASE)
MIDDLE = re.compile(rf"\s+(International\s+)?{SAYS_AIRPORT}(?=\W)", re.IGNORECASE)
HEAD = re.compile(
    r"^(Aeropuerto|Aeroporto|Aéroport|Aeroport|Aérodrome)( (Internacional|International|Nacional))?( d[eoi]\b| d')?\s*",
    re.IGNORECASE,
)
SEPARATORS = re.compile(r"\s+/\s+|\s*,\s+|\s+[-–—]\s+")


def bare(name: str) -> str:
    """Removes words for "airport", brackets and separators from a name."""
    name = name.replace("’", "'").replace("‘", "'").strip()
    stripped = re.sub(r"\s*[\(\[].*?[\)\]]", "", name).replace('"', "")
    stripped = MIDDLE.sub("", stripped)
    stripped = TAIL.sub("", stripped)
    stripped = HEAD.sub("", stripped)
    stripped = SEPARATORS.sub(" ", stripped)
    return " ".join(stripped.split()).strip(" -–,") or name


def display_name(point: Point, city: str, city_names: set[str], several: bool) -> str:
    """The airport's name as a title.

    1. " Airport", " International Airport" and similar words are removed.
    2. A name or a part of a name of the city (Trivandrum, Newcastle upon Tyne) becomes the name of the city.
    3. A local name of the city at the start becomes the English one (Milano Malpensa: Milan Malpensa).
    4. A name without the city is prefixed with it (Sheremetyevo: Moscow Sheremetyevo).
    5. If only the name of a city with several airports remains, " International" or " Airport" is kept.
    """
    override = OVERRIDES.get(point.code, {})
    if override.get("name"):
        return override["name"]
    full = " ".join(point.name.split())
    name = bare(full)
    others = sorted(city_names, key=lambda n: (-len(n), n))
    if folded(name) in {folded(other) for other in others} or set(words(name)) <= set(words(city)):
        name = city
    elif not folded(name).startswith(folded(city)):
        for other in others:
            if len(other) > 2 and re.match(re.escape(folded(other)) + r"[\s–-]", folded(name)):
                name = city + name[len(other) :]
                break
    if not set(words(city)) <= set(words(name)):
        name = f"{city} {name}"
    if several and words(name) == words(city):
        name = f"{name} International" if "International" in full else f"{name} Airport"
    return name


def region_of(point: Point, needs_region: bool) -> str:
    if not point.region or not (point.country in COUNTRIES_WITH_REGION or needs_region):
        return ""
    return re.sub(r"^(State of|Province of|Republic of)\s+", "", point.region)
