"""The queries about airports and those across all kinds."""

from cities import COMPARABLE, LANGUAGES, TENTH, Airports
from corpus import is_only
from folding import fold, is_latin, prefix_distance, words
from judgements import STOP_WORDS, Draw, Items, People
from slips import typed_wrongly


# Cities whose names are English words, which codespell means instead.
WORDS = {"Bologna", "Cologne", "Mobile", "Split"}


class Places:
    def __init__(self, draw: Draw, airports: Airports, cldr: str, published: str, spellings: dict, codespell: str):
        self.draw, self.source, self.airports = draw, draw.source, airports
        self.spellings, self.codespell = spellings, codespell
        self.cldr, self.published = cldr, published
        self.large = [city for city in airports.cities if city["popularity"] >= 0.7]
        self.largest = [city for city in airports.cities if city["popularity"] >= 0.75]

    def begins(self, typed: str):
        """A predicate: a word of the name or city, or either as a whole, begins with the typed letters."""
        return lambda row: any(
            name.startswith(typed) or name.replace(" ", "").startswith(typed) for name in (*row["names"], *row["words"]))

    def resembles(self, typed: str):
        return lambda row: any(prefix_distance(typed, name) <= 1 for name in (*row["names"], *row["words"]))

    def add(self, group: str, query: str, code: str, origin: str, kind: str = "airport") -> bool:
        return self.draw.add(group, kind, "text", query, code, origin)

    def exact_city(self, city, group="airports: exact name", kind="airport"):
        typed = fold(city["name"])
        if self.airports.rivals(city, lambda row: typed in row["names"]):
            return False
        return self.add(group, city["name"].lower(), city["code"], self.cldr + " en", kind)

    def exact_airport(self, row):
        """The name in another catalogue, if no other airport with comparable traffic has all its words."""
        other = self.airports.published.get(row["code"])
        if not other or len(words(other["name"])) < 2:
            return False
        typed = set(words(other["name"]))
        rivals = [each for each in self.airports.published.values() if each["iata"] != row["code"]]
        if any(typed <= set(words(each["name"])) for each in rivals):
            return False
        return self.add("airports: exact name", " ".join(words(other["name"])), row["code"], self.published)

    def first_letters(self, city, group="airports: first letters of a large city", kind="airport"):
        name = fold(city["name"]).replace(" ", "")
        typed = name[: min(self.source.choice((3, 4, 5)), len(name) - 1)]
        if not is_latin(typed) or len(typed) < 3 or typed.upper() in self.airports.codes:
            return False
        if self.airports.is_name_elsewhere(city, typed) or self.airports.rivals(city, self.begins(typed)):
            return False
        return self.add(group, typed, city["code"], self.cldr + " en", kind)

    def slip(self, city, group="airports: misspelt city", kind="airport"):
        typed = fold(city["name"])
        if not is_latin(typed) or len(typed) < 5 or not (wrong := typed_wrongly(typed, self.source)):
            return False
        if len(wrong[0]) < 5 or self.airports.rivals(city, self.resembles(wrong[0]), TENTH):
            return False
        return self.add(group, wrong[0], city["code"], f"{self.cldr} en; typing model: {wrong[1]}", kind)

    def first_letters_with_slip(self, city):
        name = fold(city["name"]).replace(" ", "")
        length = self.source.choice((5, 6))
        if not is_latin(name) or len(name) <= length or not (wrong := typed_wrongly(name[:length], self.source)):
            return False
        if self.airports.is_name_elsewhere(city, wrong[0]) or self.airports.rivals(city, self.resembles(wrong[0]), TENTH):
            return False
        origin = f"{self.cldr} en; typing model: {wrong[1]}"
        return self.add("airports: first letters, one typing error", wrong[0], city["code"], origin)

    def misspelt(self, city):
        """A misspelling that codespell's dictionary lists, if any."""
        if not (options := self.spellings.get(city["name"].lower())):
            return False
        query = self.source.choice(options)
        if self.airports.rivals(city, self.resembles(query), TENTH):
            return False
        return self.add("airports: misspelt city", query, city["code"], f"codespell {self.codespell}")

    def other_language(self, pair):
        city, language = pair
        name = city["names"].get(language, "")
        if not name or fold(name) in {fold(city["name"]), *self.airports.countries}:
            return False
        if self.airports.is_name_elsewhere(city, fold(name)) or self.airports.rivals(city, self.begins(fold(name))):
            return False
        return self.add("airports: name in another language", name.lower(), city["code"], f"{self.cldr} {language}")

    def code(self, pair):
        row, code = pair
        rivals = [
            other for other in self.airports.rows
            if other["popularity"] > row["popularity"] - COMPARABLE and other["cityCode"] != row["cityCode"]
            and self.begins(fold(code))(other)
        ]
        published = self.airports.published.get(row["code"])
        is_name = any(fold(code) in other["names"] and other["cityCode"] != row["cityCode"] for other in self.airports.rows)
        if rivals or is_name or not published or code not in (published["iata"], published["icao"], row["cityCode"]):
            return False
        return self.add("airports: code", code.lower(), code if code == row["cityCode"] else row["code"], self.published)

    def write(self, count: int) -> None:
        popular = self.airports.rows[:500]
        self.draw.some(self.large, count * 2 // 3, self.exact_city)
        self.draw.some(self.airports.rows[:300], count - count * 2 // 3, self.exact_airport)
        self.draw.some(self.largest, count, self.first_letters)
        self.draw.some(self.largest, count, self.first_letters_with_slip)
        named = {
            (row["city"], row["country"]) for row in self.airports.rows[:1500]
            if row["city"].lower() in self.spellings and row["city"] not in WORDS}
        listed = [city for name, country in sorted(named) if (city := self.airports.city(name, country))]
        before = len(self.draw.rows)
        self.draw.some(listed, count // 2, self.misspelt)
        self.draw.some(self.airports.cities[:220], count - (len(self.draw.rows) - before), self.slip)
        self.draw.some([(city, language) for city in self.large for language in LANGUAGES], count, self.other_language)
        self.draw.some([(row, row["code"]) for row in popular], count * 2 // 3, self.code)
        self.draw.some([(row, row["icao"]) for row in popular[:200]], count // 6, self.code)
        cities = [(row, row["cityCode"]) for row in popular if row["cityCode"] in self.airports.metropolitan]
        self.draw.some(cities, count - count * 2 // 3 - count // 6, self.code)


class AcrossKinds:
    """Queries of the other classes for which neither another kind nor another row of the kind is meant as well."""

    def __init__(self, people: People, items: Items, places: Places):
        self.people, self.items, self.places = people, items, places
        self.rows = people.rows + items.rows
        self.served = [row for row in places.airports.rows if row["popularity"] >= 0.5]

    def is_place(self, query: str, errors: int = 0) -> bool:
        """True if an airport with passengers may be meant."""
        typed = fold(query)
        begins = self.places.resembles(typed) if errors and len(typed) > 3 else self.places.begins(typed)
        return typed.upper() in self.places.airports.codes or any(begins(row) for row in self.served)

    def person(self, person):
        query = self.people.source.choice((
            person["family"].lower(), person["given"].lower() + " " + person["family"][:1].lower(), fold(person["name"])))
        if len(fold(query)) < 3 or self.is_place(query) or not is_only(person["row"], self.rows, query):
            return False
        return self.people.add("across kinds: a person", person, query, kind="find")

    def person_with_slip(self, person):
        if any(self.is_place(word, 1) for word in words(person["family"])):
            return False
        return self.people.slip(person, "across kinds: a person", "find", self.rows)

    def item(self, work):
        places = [place for place, word in enumerate(work["words"]) if word not in STOP_WORDS]
        if not places:
            return False
        place = self.items.source.choice(places)
        query = " ".join(work["words"][place : place + self.items.source.choice((1, 2))])
        if len(query) < 4 or self.is_place(query) or not is_only(work["row"], self.rows, query):
            return False
        return self.items.add("across kinds: an item", work, query, kind="find")

    def item_with_slip(self, work):
        if any(self.is_place(word, 1) for word in work["words"] if len(word) > 4):
            return False
        return self.items.slip(work, "across kinds: an item", "find", self.rows)

    def city(self, city):
        attempt = self.places.source.choice((self.places.exact_city, self.places.first_letters, self.places.slip))
        names = [fold(city["name"]), fold(city["name"])[:3]]
        typed = names[0 if attempt == self.places.exact_city else 1]
        if any(row.matches(words(typed)) for row in self.rows):
            return False
        return attempt(city, "across kinds: an airport", "find")

    def write(self, count: int) -> None:
        draw, slips = self.people.draw, count // 3
        draw.some(self.people.people, count - slips, self.person)
        draw.some(self.people.latin, slips, self.person_with_slip)
        draw.some(self.items.titles, count - slips, self.item)
        draw.some(self.items.titles, slips, self.item_with_slip)
        draw.some(self.places.large, count, self.city)
