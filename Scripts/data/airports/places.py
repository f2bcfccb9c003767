"""Places without an airport: towns, regions, islands, landscapes, sights, and countries."""

import re
from collections import defaultdict

import countries
import geonames
import languages
from geonames import Neighbors, Region, Town
from languages import FORMER, MAIN, OF_COUNTRY
from naming import folded, joined, without_codes, words
from position import distance
from sources import Point, by_hand

#: The population from which towns are included.
LARGE = 15_000
#: From this population, towns have names in all main languages; below, in the most common ones and the country's own.
CITY = 50_000
#: A town within this distance (kilometers) of an airport of its name is the city of that airport.
SAME_PLACE = 60.0
#: The number of airports shown for a region, island or landscape.
AIRPORTS_SHOWN = 6
#: The popularity from which an airport without scheduled flights stands for its region.
KNOWN = 0.2
COUNTRY_LANGUAGE = OF_COUNTRY | {
    country: language
    for language, group in {
        "ru": "RU BY KZ KG TJ UZ TM UA GE AM AZ MD LV EE LT",
        "uk": "UA",
        "ar": "SA AE QA KW BH OM YE IQ SY JO LB PS EG LY TN DZ MA SD MR",
        "ja": "JP", "ko": "KR KP", "zh": "CN TW HK MO SG MY",
    }.items()
    for country in group.split()
}


def place_rows(points: list[Point], airports: list[dict], regions: dict[str, Region]) -> list[dict]:
    rows = area_rows(airports, regions) + station_rows(points, airports)
    rows += town_rows(points, airports, regions)
    rows.sort(key=lambda row: (-row["population"], row["country"], row["name"], row["latitude"]))
    return rows


# MARK: Towns


def town_rows(points: list[Point], airports: list[dict], regions: dict[str, Region]) -> list[dict]:
    coded = {point.geoname for point in points if point.is_city or point.kinds == "O"}
    served = served_names(airports)
    resorts = resort_towns()
    rows, known = [], defaultdict(list)
    for town in sorted(geonames.towns(), key=lambda town: -town.population):
        if not (town.population > LARGE or town.geoname in coded or town.geoname in resorts or geonames.is_well_known(town)):
            continue
        forms = {joined(name) for name in (town.name, geonames.catalog("en").get(town.geoname)) if name}
        if all(
            any(distance(town.place, airport) < SAME_PLACE for airport in served[(town.country, form)]) for form in forms
        ):
            continue
        # The larger of two neighbors of one name stands for both.
        same = known[(town.division, joined(town.name))]
        if all(distance(town.place, other) >= SAME_PLACE for other in same):
            same.append(town.place)
            rows.append(town_row(town, regions.get(town.division), resorts.get(town.geoname)))
    return rows


def resort_towns() -> dict[str, str]:
    """The towns of `resorts.tsv`, each the largest of its name in the country, with these names."""
    named = defaultdict(list)
    for town in geonames.towns():
        names = {folded(town.name): 1, **{folded(name): 0 for name in town.alternatives if folded(name) != folded(town.name)}}
        for name, is_main in names.items():
            named[(town.country, name)].append((is_main, town.population, town.geoname))
    found = {}
    for entry in by_hand("resorts.tsv"):
        for name in entry["towns"].split("|"):
            towns = named[(entry["country"], folded(name))]
            assert towns, f"resorts.tsv: {entry['country']} {name}"
            found[max(towns)[2]] = name
    return found


def served_names(airports: list[dict]) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """The positions of airports with scheduled flights by the joined names of the cities they serve, and by the words of their
    own names, in all languages."""
    served = defaultdict(list)
    for airport in airports:
        if airport["scheduled"]:
            own = [word for name in names_in(airport["airportNames"]) for word in words(name)]
            names = [airport["city"], *airport["otherCities"], *names_in(airport["cityNames"]), *own]
            for name in {joined(name) for name in names}:
                served[(airport["country"], name)].append((airport["latitude"], airport["longitude"]))
    return served


def names_in(text: str) -> list[str]:
    """The names of a column, such as `de=Genf;fr=Genève`, in all languages."""
    return [name for part in text.split(";") for name in part.partition("=")[2].split("|") if name]


def town_row(town: Town, region: Region | None, usual: str | None) -> dict:
    kept = languages_of(town.country, town.population >= CITY)
    names = geonames.names_of(town.geoname, town.country, kept)
    english = names.get("en", [town.name])[0]
    # The same name with other marks keeps those of GeoNames.
    name = town.name if folded(english) == folded(town.name) or town.population < CITY else english
    # Halle (Saale) is also typed without brackets.
    names.setdefault(FORMER, []).extend([town.name, re.sub("[()]", "", town.name)])
    if usual:
        names.setdefault("en", []).append(usual)
    # A resort weighs as much as the airports nearest to it, not as its people.
    weight = 0 if usual else max(town.population, 1)
    return row(name, town.country, region.name if region else "", town.place, weight, [], names)


def languages_of(country: str, is_large: bool) -> list[str]:
    """The languages in which a town or a region keeps its names: the common ones, and the country's own."""
    kept = MAIN if is_large else ["en", "de", "fr", "es"]
    return kept + [COUNTRY_LANGUAGE[country]] if country in COUNTRY_LANGUAGE else kept


# MARK: Stations


def station_rows(points: list[Point], airports: list[dict]) -> list[dict]:
    """Railway stations with a code that no airport has, if they are in their country."""
    taken = {airport["code"] for airport in airports} | {airport["cityCode"] for airport in airports}
    neighbors = Neighbors([town for town in geonames.towns() if town.population > 2000])
    rows = []
    for point in points:
        if point.code in taken or point.date_until or "R" not in point.kinds:
            continue
        place = (point.latitude, point.longitude)
        far, town = neighbors.nearest(place, 1)[0] if neighbors.nearest(place, 1) else (1e9, None)
        if town is None or town.country != point.country or far > STATION_DISTANCE:
            continue
        taken.add(point.code)
        if "generic" in folded(point.name):
            continue
        name = edited(" ".join(point.name.split()), point.country)
        if not re.search(r"station|gare|hbf|bahnhof|stazione|estaci", folded(name)):
            name += " railway station"
        rows.append(row(name, point.country, "", place, STATION_WEIGHT, [], {"en": [point.code]}))
    return rows


def edited(name: str, country: str) -> str:
    """Removes the codes of an unedited entry: "Ottawa Fallowfield" of "Ottawa ON CA Fallowfield Rail"."""
    town = without_codes(name, country)
    known = [folded(word) for word in town.split()]
    rest = re.findall(r"[^\W\d]+", name[len(town):].partition(f" {country}")[2])
    details = [
        word for word in rest
        if not any(other.startswith(folded(word)) for other in known)
        and not re.match(r"(rai\w*|s|st|stn|sta\w*)$", folded(word))
    ]
    return " ".join([town, *details])


#: A station is at most this far (kilometers) from a town, and weighs as much as so many people.
STATION_DISTANCE = 15.0
STATION_WEIGHT = 1000


# MARK: Regions and other areas


def area_rows(airports: list[dict], regions: dict[str, Region]) -> list[dict]:
    """A row for each region, and for each line of `places.tsv`."""
    inside = defaultdict(list)
    unscheduled = defaultdict(list)
    by_code = {}
    for airport in airports:
        by_code[airport["code"]] = airport
        if airport["scheduled"]:
            inside[airport["division"]].append(airport["code"])
        elif airport["popularity"] >= KNOWN:
            unscheduled[airport["division"]].append(airport["code"])
    scheduled = [airport for airport in airports if airport["scheduled"]]
    people = defaultdict(list)
    for town in geonames.towns():
        people[town.division].append(town)
    rows = []
    for division, region in regions.items():
        towns = people[division]
        serving = inside[division][:AIRPORTS_SHOWN]
        if not towns and not serving:
            continue
        # A region is where most of its people live.
        largest = max(towns, key=lambda town: town.population) if towns else None
        place = largest.place if largest else position(by_code[serving[0]])
        # Airports are listed only for a region that has some; otherwise those near its largest town stand for it.
        if not serving and unscheduled[division] and largest:
            # An airport without scheduled flights comes first, then the nearest two that have some.
            near = sorted(scheduled, key=lambda airport: distance(position(airport), place))[:2]
            serving = [unscheduled[division][0]] + [airport["code"] for airport in near]
        # A region without an airport weighs less than its towns, and is named in fewer languages; one with airports weighs
        # as much as these.
        weight = 0 if serving else sum(town.population for town in towns) // 100
        kept = languages_of(region.country, bool(serving))
        names = {language: texts for language, texts in region.names.items() if language in kept}
        rows.append(row(region.name, region.country, "", place, weight, serving, names))
    for entry in by_hand("places.tsv"):
        serving = [code for code in entry["airports"].split(",") if code]
        assert all(code in by_code for code in serving), f"places.tsv: {entry['name']}: {serving}"
        place = (float(entry["latitude"]), float(entry["longitude"])) if entry["latitude"] else position(by_code[serving[0]])
        names = by_language(entry["names"])
        region = next((r for r in regions.values() if (r.country, r.name) == (entry["country"], entry["name"])), None)
        for language, texts in region.names.items() if region else []:
            names.setdefault(language, []).extend(texts)
        if entry["name"] == countries.english(entry["country"]):
            for language, texts in countries.names(entry["country"]).items():
                names.setdefault(language, []).extend(texts)
        rows = [row for row in rows if (row["country"], row["name"]) != (entry["country"], entry["name"])]
        rows.append(row(entry["name"], entry["country"], entry["region"], place, 0, serving, names))
    return rows


def position(airport: dict) -> tuple[float, float]:
    return airport["latitude"], airport["longitude"]


def by_language(text: str) -> dict[str, list[str]]:
    """Names in the syntax `de=Gardasee;it=Lago di Garda|Benaco`; names without a language are English."""
    names: dict[str, list[str]] = {}
    for part in filter(None, text.split(";")):
        language, sign, texts = part.rpartition("=")
        names.setdefault(language if sign else "en", []).extend(texts.split("|"))
    return names


def row(name, country, region, place, population, airports, names) -> dict:
    return {
        "name": name,
        "country": country,
        "region": region if folded(region) != folded(name) else "",
        "latitude": round(place[0], 4),
        "longitude": round(place[1], 4),
        "population": population,
        "airports": ",".join(airports),
        "names": languages.compact({lang: [languages.clean(t) for t in texts] for lang, texts in names.items()}, [name]),
    }
