"""Writes any number of fictitious contacts to standard output, reproducibly for a count and seed.

Usage: generate-contacts --count N [--seed S] [--format vcard|jsonl]

Names, numbers, companies and e-mail addresses are those of the package Faker, in its locales below.
"""

import argparse
import json
import random
import sys

from faker import Faker

# The locales with their shares, and the usual form of a name there.
WESTERN, TWO_FAMILY_NAMES, PATRONYMIC, FAMILY_FIRST, WITH_READING = range(5)
LOCALES = [
    ("en_US", 16, WESTERN),
    ("en_GB", 6, WESTERN),
    ("en_IN", 5, WESTERN),
    ("de_DE", 9, WESTERN),
    ("fr_FR", 7, WESTERN),
    ("es_ES", 7, TWO_FAMILY_NAMES),
    ("es_MX", 4, TWO_FAMILY_NAMES),
    ("pt_BR", 6, TWO_FAMILY_NAMES),
    ("it_IT", 5, WESTERN),
    ("nl_NL", 3, WESTERN),
    ("pl_PL", 4, WESTERN),
    ("cs_CZ", 2, WESTERN),
    ("tr_TR", 3, WESTERN),
    ("ru_RU", 6, PATRONYMIC),
    ("uk_UA", 3, PATRONYMIC),
    ("el_GR", 2, WESTERN),
    ("ja_JP", 4, WITH_READING),
    ("zh_CN", 4, FAMILY_FIRST),
    ("ko_KR", 2, FAMILY_FIRST),
    ("hi_IN", 2, WESTERN),
]
LABELS = ["CELL", "HOME", "WORK"]


def people(count: int, seed: int):
    """Yields a dictionary with the fields of a contact, and its locale."""
    source = random.Random(seed)
    fakers = {}
    for number, (locale, _, _) in enumerate(LOCALES):
        fakers[locale] = Faker(locale)
        fakers[locale].seed_instance(seed * 1000 + number)
    shares = [share for _, share, _ in LOCALES]
    for index in range(count):
        locale, _, form = source.choices(LOCALES, weights=shares)[0]
        fake = fakers[locale]
        person = {"id": f"made-up-{index}", "locale": locale}
        is_woman = source.random() < 0.5

        def given() -> str:
            return fake.first_name_female() if is_woman else fake.first_name_male()

        def family() -> str:
            return fake.last_name_female() if is_woman else fake.last_name_male()

        if form == WITH_READING:
            first, spoken_first = (fake.first_name_female_pair() if is_woman else fake.first_name_male_pair())[:2]
            last, spoken_last = fake.last_name_pair()[:2]
            person["phonetic"] = (spoken_first, spoken_last)
        else:
            first, last = given(), family()
        if form in (WESTERN, TWO_FAMILY_NAMES) and source.random() < 0.25 and (second := given()) != first:
            first += " " + second
        if form == TWO_FAMILY_NAMES:
            last += " " + family()
        elif form == PATRONYMIC and source.random() < 0.6:
            first += " " + (fake.middle_name_female() if is_woman else fake.middle_name_male())
        person["given"], person["family"] = first, last
        person["name"] = (
            f"{last}{'' if locale == 'zh_CN' else ' '}{first}" if form >= FAMILY_FIRST else f"{first} {last}"
        )
        person["phones"] = [fake.phone_number() for _ in range(source.choices((1, 2, 3), weights=(6, 3, 1))[0])]
        chance = source.random()
        if chance < 0.05:
            person["nickname"] = given()
        elif chance < 0.3:
            person["organization"] = fake.company()
        if source.random() < 0.4:
            person["email"] = fake.ascii_safe_email()
        yield person


def vcard(person: dict) -> str:
    lines = [
        f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{person['id']}\r\nFN:{escaped(person['name'])}",
        f"N:{escaped(person['family'])};{escaped(person['given'])};;;",
    ]
    if "phonetic" in person:
        lines.append("X-PHONETIC-FIRST-NAME:{}\r\nX-PHONETIC-LAST-NAME:{}".format(*person["phonetic"]))
    if "nickname" in person:
        lines.append(f"NICKNAME:{escaped(person['nickname'])}")
    if "organization" in person:
        lines.append(f"ORG:{escaped(person['organization'])}")
    lines.extend(f"TEL;TYPE={LABELS[i]}:{number}" for i, number in enumerate(person["phones"]))
    if "email" in person:
        lines.append(f"EMAIL;TYPE=INTERNET:{person['email']}")
    lines.append("END:VCARD\r\n")
    return "\r\n".join(lines)


def escaped(text: str) -> str:
    """A value with the characters escaped that separate values in a vCard."""
    return text.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")


def json_line(person: dict) -> str:
    fields = {
        "id": person["id"],
        "name": person["name"],
        "givenName": person["given"],
        "familyName": person["family"],
        "language": person["locale"][:2],
    }
    if "phonetic" in person:
        fields["phoneticName"] = "{1} {0}".format(*person["phonetic"])
    for key in ("nickname", "organization"):
        if key in person:
            fields[key] = person[key]
    fields["phones"] = person["phones"]
    if "email" in person:
        fields["emails"] = [person["email"]]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="generate-contacts", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, required=True, help="how many contacts")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same contacts (default 1)")
    parser.add_argument("--format", choices=("vcard", "jsonl"), default="vcard")
    arguments = parser.parse_args()
    if arguments.count < 0:
        parser.error("--count must not be negative")
    write = vcard if arguments.format == "vcard" else json_line
    sys.stdout.reconfigure(encoding="utf-8", newline="")
    buffer: list[str] = []
    try:
        for person in people(arguments.count, arguments.seed):
            buffer.append(write(person))
            if len(buffer) == 4096:
                sys.stdout.write("".join(buffer))
                buffer.clear()
        sys.stdout.write("".join(buffer))
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
