"""People of Faker: names, companies, nicknames of the package nicknames, and numbers reserved for fiction."""

import random
import sys
from pathlib import Path

from faker import Faker
from folding import distance, fold
from nicknames import NickNamer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "contacts"))
from numbers_of_fiction import PATTERNS, number  # noqa: E402

# Locale, number of people, region of the numbers.
LOCALES = [
    ("en_US", 80, "US"), ("en_GB", 80, "GB"), ("de_DE", 70, "DE"), ("fr_FR", 55, "FR"), ("es_ES", 45, "ES"),
    ("nl_NL", 40, "NL"), ("it_IT", 35, "IT"), ("pt_BR", 30, "BR"), ("pl_PL", 25, "PL"), ("tr_TR", 25, "TR"),
    ("en_IN", 30, "IN"), ("ru_RU", 25, "RU"), ("el_GR", 15, "GR"), ("ja_JP", 15, "JP"), ("zh_CN", 15, "CN"),
    ("ko_KR", 10, "KR"), ("he_IL", 10, "IL"),
]
FAMILY_FIRST = {"ja_JP", "zh_CN", "ko_KR"}
ENGLISH = {"en_US", "en_GB"}
# The share of people whose given or family name is drawn from those that have a spelling at least two edits away.
SHARE_WITH_SPELLINGS = 0.12


def international(region: str, serial: int, choice: int) -> str:
    """A number of fiction with its country code."""
    places = [place for place, pattern in enumerate(PATTERNS[region]) if pattern.startswith("+")]
    return number(region, serial, places[choice % len(places)])


def people(seed: int, variants: dict[tuple[str, str], dict[str, list[str]]]) -> list[dict]:
    """The people in the order of a shuffled address book. Names are unique."""
    spelt = {
        (locale, field): sorted(
            name for name, others in names.items() if any(distance(fold(name), fold(other)) > 1 for other in others))
        for (locale, field), names in variants.items()}
    source = random.Random(seed)
    nicknames = NickNamer()
    found: list[dict] = []
    names: set[str] = set()
    serial = 0
    for place, (locale, count, region) in enumerate(LOCALES):
        fake = Faker(locale)
        fake.seed_instance(seed * 100 + place)
        rest = count
        while rest:
            is_woman = source.random() < 0.5
            given = (fake.first_name_female() if is_woman else fake.first_name_male()).strip()
            family = (fake.last_name_female() if is_woman else fake.last_name_male()).strip()
            if (options := spelt.get((locale, "given"))) and source.random() < SHARE_WITH_SPELLINGS / 2:
                given = source.choice(options)
            if (options := spelt.get((locale, "family"))) and source.random() < SHARE_WITH_SPELLINGS / 2:
                family = source.choice(options)
            if locale == "es_ES":
                family += " " + fake.last_name()
            space = "" if locale == "zh_CN" else " "
            name = family + space + given if locale in FAMILY_FIRST else f"{given} {family}"
            if fold(name) in names:
                continue
            names.add(fold(name))
            rest -= 1
            serial += 1
            phones = [international(region, serial, source.randrange(4))]
            if source.random() < 0.3 and (second := international(region, serial + 300, source.randrange(4))) not in phones:
                phones.append(second)
            nickname = ""
            if locale in ENGLISH and source.random() < 0.2:
                options = sorted(option for option in nicknames.nicknames_of(given) if option != given.lower())
                nickname = source.choice(options).title() if options else ""
            found.append({
                "name": name, "given": given, "family": family, "nickname": nickname,
                "organization": fake.company() if source.random() < 0.2 else "", "phones": "|".join(phones),
                "locale": locale,
            })
    source.shuffle(found)
    return found
