"""Writes any number of fictitious contacts to standard output, reproducibly for a count and seed.

Usage: generate-contacts --count N [--seed S] [--format vcard|jsonl]
"""

import argparse
import json
import random
import sys

from locales import LOCALES, Locale

BATCH = 5_000
ORGANIZATIONS = [
    "Initech",
    "Umbrella Tea",
    "Hooli Gardens",
    "Vandelay Imports",
    "Soylent Kitchens",
    "Tyrell Optics",
    "Globex",
]
NICKNAMES = [
    "Buddy",
    "Coach",
    "Doc",
    "Ace",
    "Red",
    "Shorty",
    "Nana",
    "Саня",
    "Лёша",
    "Bibi",
    "Kiki",
    "Chico",
    "Memo",
    "Abi",
]
LABELS = ["CELL", "HOME", "WORK"]


def numbers(source: random.Random, locale: Locale, count: int) -> list[str]:
    """A number in an international or national format, as found in address books."""
    patterns = source.choices(locale.patterns, k=count)
    styles = source.choices((0, 1, 2), weights=(6, 3, 1), k=count)
    result = []
    for pattern, style in zip(patterns, styles):
        holes = pattern.count("n")
        fixed = pattern[: len(pattern) - holes] if pattern.endswith("n" * holes) else None
        if fixed is None:
            digits = str(source.randrange(10**holes)).zfill(holes)
            national = pattern
            for digit in digits:
                national = national.replace("n", digit, 1)
        else:
            national = fixed + str(source.randrange(10**holes)).zfill(holes)
        if style == 0:
            result.append(f"+{locale.country_code}{national}")
        elif style == 1:
            result.append(f"+{locale.country_code} {national[:3]} {national[3:6]} {national[6:]}")
        else:
            result.append(national if locale.language in ("en", "es", "pl", "el", "zh") else f"0{national}")
    return result


def people(count: int, seed: int):
    """Yields (index, locale, given, family, numbers, nickname, organization, email)."""
    source = random.Random(seed)
    locales = [Locale(language) for language in LOCALES]
    shares = [locale.share for locale in locales]
    index = 0
    while index < count:
        # A batch has one locale, so names and numbers are drawn in bulk. Batches are small compared with the whole.
        size = min(BATCH if count >= 50 * BATCH else max(1, count // 250), count - index)
        locale = source.choices(locales, weights=shares)[0]
        genders = source.choices((0, 1), k=size)
        given = [choice.many(source, size) for choice in locale.given]
        family = [choice.many(source, size) for choice in locale.family]
        middle = locale.given[0].many(source, size), locale.given[1].many(source, size)
        amounts = source.choices((1, 2, 3), weights=(6, 3, 1), k=size)
        telephone = iter(numbers(source, locale, sum(amounts)))
        extras = source.choices(range(100), k=size)
        for i in range(size):
            gender = genders[i]
            first, last = given[gender][i], family[gender][i]
            if extras[i] >= 85 and not locale.family_first:
                first = f"{first} {middle[gender][i]}"
            phonetic = None
            if locale.language == "ja":
                first, _, spoken_first = first.partition("/")
                last, _, spoken_last = last.partition("/")
                phonetic = (spoken_first, spoken_last)
            yield (
                index,
                locale,
                first,
                last,
                phonetic,
                [next(telephone) for _ in range(amounts[i])],
                NICKNAMES[index % len(NICKNAMES)] if extras[i] < 5 else None,
                ORGANIZATIONS[index % len(ORGANIZATIONS)] if 5 <= extras[i] < 15 else None,
                f"p{index}@example.com" if extras[i] % 4 == 0 else None,
            )
            index += 1


def vcard(person) -> str:
    index, locale, given, family, phonetic, telephone, nickname, organization, email = person
    name = f"{family}{locale.separator}{given}" if locale.family_first else f"{given} {family}"
    lines = [f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:made-up-{index}\r\nFN:{name}\r\nN:{family};{given};;;"]
    if phonetic:
        lines.append(f"X-PHONETIC-FIRST-NAME:{phonetic[0]}\r\nX-PHONETIC-LAST-NAME:{phonetic[1]}")
    if nickname:
        lines.append(f"NICKNAME:{nickname}")
    if organization:
        lines.append(f"ORG:{organization}")
    lines.extend(f"TEL;TYPE={LABELS[i]}:{number}" for i, number in enumerate(telephone))
    if email:
        lines.append(f"EMAIL;TYPE=INTERNET:{email}")
    lines.append("END:VCARD\r\n")
    return "\r\n".join(lines)


def json_line(person) -> str:
    index, locale, given, family, phonetic, telephone, nickname, organization, email = person
    name = f"{family}{locale.separator}{given}" if locale.family_first else f"{given} {family}"
    fields = {
        "id": f"made-up-{index}",
        "name": name,
        "givenName": given,
        "familyName": family,
        "language": locale.language,
    }
    if phonetic:
        fields["phoneticName"] = f"{phonetic[1]} {phonetic[0]}"
    if nickname:
        fields["nickname"] = nickname
    if organization:
        fields["organization"] = organization
    fields["phones"] = telephone
    if email:
        fields["emails"] = [email]
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
