"""The queries about people and items. Each function draws one class; `Draw` collects and counts."""

import random

from corpus import Row, has_rivals, is_only
from folding import digits, distance, fold, is_latin, prefix_distance, words
from slips import dialled_wrongly, typed_wrongly

STOP_WORDS = set("a an the of and in to for on from with at by is it my me your you be or as not no".split())


class Draw:
    """The drawn queries, at most once each."""

    def __init__(self, seed: int):
        self.source = random.Random(seed)
        self.rows: list[dict] = []
        self.seen: set[tuple[str, str]] = set()

    def add(self, group: str, kind: str, how: str, query: str, expected: str, origin: str) -> bool:
        if (kind, query.lower()) in self.seen:
            return False
        self.seen.add((kind, query.lower()))
        self.rows.append({
            "class": group, "kind": kind, "input": how, "query": query, "expected": expected, "source": origin})
        return True

    def some(self, things: list, count: int, attempt) -> None:
        """Calls a function with the things in random order until it has accepted `count` of them."""
        accepted = 0
        for thing in self.source.sample(things, len(things)):
            if accepted == count:
                return
            accepted += bool(attempt(thing))


class People:
    def __init__(self, draw: Draw, people: list[dict], version: str, variants: dict):
        self.draw, self.source, self.variants = draw, draw.source, variants
        self.people = people
        for person in people:
            person["row"] = Row(person["name"], person["nickname"], person["organization"])
            person["origin"] = f"Faker {version} {person['locale']}"
        self.rows = [person["row"] for person in people]
        self.latin = [person for person in people if all(is_latin(word) for word in words(person["name"]))]
        self.numbers = {
            number: person for person in people for phone in person["phones"].split("|")
            if (number := "".join(filter(str.isdigit, phone)))}

    def add(self, group: str, person: dict, query: str, how: str = "text", note: str = "", kind: str = "contact") -> bool:
        origin = person["origin"] + ("; " + note if note else "")
        return self.draw.add(group, kind, how, query, person["name"], origin)

    def exact_name(self, person):
        query = person["name"] if self.source.random() < 0.5 else fold(person["name"])
        return is_only(person["row"], self.rows, query) and self.add("people: exact name", person, query)

    def beginning(self, person):
        given, family = words(person["given"])[0], words(person["family"])[0]
        query = f"{given} {family[: self.source.choice((1, 1, 2, 3))]}"
        if len(family) < 3 or not is_only(person["row"], self.rows, query):
            return False
        return self.add("people: beginning of the full name", person, query)

    def family_name(self, person):
        query = person["family"].lower()
        if len(fold(query)) < 3 or not is_only(person["row"], self.rows, query):
            return False
        return self.add("people: family name", person, query)

    def whole_name(self, person):
        """A family name that begins, or resembles, a word of another person."""
        family = words(person["family"])
        if len(family) != 1 or len(family[0]) < 3 or not has_rivals(person["row"], self.rows, family[0]):
            return False
        return self.add("people: family name beside similar ones", person, family[0])

    def first_letters_with_slip(self, person):
        family = words(person["family"])[-1]
        if len(family) < 7 or not (wrong := typed_wrongly(family[: self.source.choice((5, 6))], self.source)):
            return False
        if not is_only(person["row"], self.rows, wrong[0], 1):
            return False
        note = f"typing model: {wrong[1]}"
        return self.add("people: first letters, one typing error", person, wrong[0], note=note)

    def other_order(self, person):
        name = words(person["name"])
        if len(name) < 2:
            return False
        query = " ".join([*name[1:], name[0]] if len(name) == 2 else [name[-1], *name[:-1]])
        if not is_only(person["row"], self.rows, query):
            return False
        return self.add("people: words in another order", person, query)

    def slip(self, person, group="people: one typing error", kind="contact", rows=None):
        """An error in the family name, which is typed alone or after the given name."""
        family = words(person["family"])[-1]
        if len(family) < 5 or not (wrong := typed_wrongly(family, self.source)):
            return False
        query = wrong[0] if self.source.random() < 0.5 else f"{words(person['given'])[0]} {wrong[0]}"
        if len(wrong[0]) < 4 or not is_only(person["row"], rows or self.rows, query, 1):
            return False
        return self.add(group, person, query, note=f"typing model: {wrong[1]}", kind=kind)

    def sound(self, person, least: int = 1):
        """Another spelling of the given or family name, alone if only one person comes near."""
        for field in self.source.sample(("family", "given"), 2):
            name = fold(person[field])
            spellings = self.variants.get((person["locale"], field), {})
            options = [
                option for option in spellings.get(person[field], [])
                if distance(fold(option), name) >= least and not any(fold(option) in row.words for row in self.rows)
            ]
            if not options:
                continue
            option = self.source.choice(options).lower()
            errors = distance(fold(option), name)
            other = person["given" if field == "family" else "family"].lower()
            forms = [f"{other} %s" if field == "family" else f"%s {other}"]
            if field == "family":
                forms.insert(0, "%s")
            for form in forms:
                query = form % option
                alike = [form % name for name in spellings.get(option.title(), [])]
                if is_only(person["row"], self.rows, query, errors) and all(
                    is_only(person["row"], self.rows, each) for each in alike):
                    note = f"sounds like {person[field]}, edits: {errors}"
                    return self.add("people: sound-alike spelling", person, query, note=note)
        return False

    def sound_with_edits(self, person):
        return self.sound(person, 2)

    def keys_of(self, person) -> str | None:
        """The first five to eight keys of the family name or of the name as a whole."""
        family, whole = "".join(words(person["family"])), "".join(words(person["name"]))
        length = self.source.randint(5, 8)
        name = family if len(family) >= length else whole
        keys = digits(name[:length])
        return keys if keys and len(keys) == length else None

    def is_only_by_keys(self, person, keys: str, wrong: int) -> bool:
        """True if no number contains the keys, and no other name begins with them or comes as near as a wrong digit."""
        if any(keys in number for number in self.numbers):
            return False
        others = (key for row in self.rows if row is not person["row"] for key in row.keys)
        return not any(key.startswith(keys) or (wrong and prefix_distance(keys, key) <= wrong) for key in others)

    def dialled(self, person):
        keys = self.keys_of(person)
        if not keys or not self.is_only_by_keys(person, keys, 0):
            return False
        return self.add("people: name by keypad", person, keys, "keys")

    def dialled_wrongly(self, person):
        keys = self.keys_of(person)
        if not keys or not self.is_only_by_keys(person, wrong := dialled_wrongly(keys, self.source), 1):
            return False
        return self.add("people: name by keypad, one wrong digit", person, wrong, "keys", "neighbouring key")

    def part_of_number(self, person):
        """Digits from the end of a number, perhaps without the last; on the keypad at least five."""
        number = "".join(filter(str.isdigit, self.source.choice(person["phones"].split("|"))))
        how = self.source.choice(("text", "keys"))
        length = self.source.randint(5 if how == "keys" else 4, 7)
        start = len(number) - length - self.source.choice((0, 0, 0, 1))
        part = number[start : start + length]
        if part.startswith("0") or len({id(other) for each, other in self.numbers.items() if part in each}) > 1:
            return False
        if how == "keys" and any(key.startswith(part) for row in self.rows for key in row.keys):
            return False
        return self.add("people: part of a phone number", person, part, how)

    def write(self, count: int) -> None:
        for attempt, people in (
            (self.exact_name, self.people), (self.beginning, self.people), (self.family_name, self.people),
            (self.whole_name, self.people), (self.other_order, self.people), (self.slip, self.latin),
            (self.first_letters_with_slip, self.latin),
            (self.dialled, self.people), (self.dialled_wrongly, self.people), (self.part_of_number, self.people),
        ):
            self.draw.some(people, count, attempt)
        # Half of the spellings have two or more edits, as far as there are such, and the others any number.
        before = len(self.draw.rows)
        self.draw.some(self.latin, count // 2, self.sound_with_edits)
        self.draw.some(self.latin, count - (len(self.draw.rows) - before), self.sound)


class Items:
    def __init__(self, draw: Draw, titles: list[dict], origin: str, spellings: dict, codespell: str, vocabulary: set):
        self.draw, self.source, self.origin = draw, draw.source, origin
        self.titles, self.spellings, self.codespell, self.vocabulary = titles, spellings, codespell, vocabulary
        for work in titles:
            work["row"] = Row(work["title"], work["author"])
            work["words"] = words(work["title"])
        self.rows = [work["row"] for work in titles]

    def add(self, group: str, work: dict, query: str, note: str = "", kind: str = "item") -> bool:
        return self.draw.add(group, kind, "text", query, work["title"], self.origin + ("; " + note if note else ""))

    def first_words(self, work):
        """The first two or three words, the last of them perhaps not to its end."""
        count = self.source.choice((2, 2, 3))
        if len(work["words"]) <= count:
            return False
        first = work["words"][:count]
        cut = self.source.choice((0, 1, 2))
        first[-1] = first[-1][: max(2, len(first[-1]) - cut)]
        query = " ".join(first)
        return is_only(work["row"], self.rows, query) and self.add("items: first words", work, query)

    def middle_words(self, work):
        """One or two neighbouring words after the first that are not stop words."""
        places = [place for place, word in enumerate(work["words"]) if place and word not in STOP_WORDS and len(word) > 2]
        if not places:
            return False
        place = self.source.choice(places)
        query = " ".join(work["words"][place : place + (2 if place + 1 in places and self.source.random() < 0.5 else 1)])
        return is_only(work["row"], self.rows, query) and self.add("items: words from the middle", work, query)

    def whole_word(self, work):
        """A word that begins, or resembles, a word of another title or author."""
        options = [word for word in work["words"] if word not in STOP_WORDS and len(word) > 2]
        options = [word for word in options if has_rivals(work["row"], self.rows, word)]
        return bool(options) and self.add("items: word beside similar ones", work, self.source.choice(options))

    def misspelt(self, work):
        """A word as codespell's dictionary has it wrong, with a neighbour if other titles come near."""
        places = [place for place, word in enumerate(work["words"]) if word in self.spellings and len(word) > 4]
        if not places:
            return False
        place = self.source.choice(places)
        right = work["words"][place]
        wrong = self.source.choice(self.spellings[right])
        if any(wrong in row.words for row in self.rows):
            return False
        errors = distance(wrong, right)
        before, after = work["words"][max(place - 1, 0) : place], work["words"][place + 1 : place + 2]
        for query in (wrong, " ".join([wrong, *after]), " ".join([*before, wrong])):
            if is_only(work["row"], self.rows, query, errors):
                return self.add("items: misspelt word", work, query, f"codespell {self.codespell}: {right}")
        return False

    def slip(self, work, group="items: one typing error", kind="item", rows=None):
        places = [place for place, word in enumerate(work["words"]) if len(word) > 4 and is_latin(word)]
        if not places:
            return False
        place = self.source.choice(places)
        if not (wrong := typed_wrongly(work["words"][place], self.source)):
            return False
        query = " ".join([*work["words"][max(place - self.source.choice((0, 1)), 0) : place], wrong[0]])
        if len(wrong[0]) < 4 or not is_only(work["row"], rows or self.rows, query, 1):
            return False
        return self.add(group, work, query, f"typing model: {wrong[1]}", kind)

    def joined_or_split(self, work):
        """Two neighbouring words without the gap, or a compound with one."""
        title = work["words"]
        splits = [
            (place, f"{word[:cut]} {word[cut:]}") for place, word in enumerate(title)
            for cut in range(3, len(word) - 2) if len(word) > 7 and {word[:cut], word[cut:]} <= self.vocabulary
        ]
        joins = [
            (place, title[place] + title[place + 1]) for place in range(len(title) - 1)
            if not {title[place], title[place + 1]} & STOP_WORDS and len(title[place] + title[place + 1]) > 6
        ]
        if not splits and not joins:
            return False
        place, query = self.source.choice(splits or joins)
        if not splits and len(title) > 2 and self.source.random() < 0.4:
            query = " ".join([*title[max(place - 1, 0) : place], query])
        if not is_only(work["row"], self.rows, query):
            return False
        return self.add("items: joined or split words", work, query, "split" if splits else "joined")

    def write(self, count: int) -> None:
        for attempt in (self.first_words, self.middle_words, self.whole_word, self.misspelt, self.slip, self.joined_or_split):
            self.draw.some(self.titles, count, attempt)
