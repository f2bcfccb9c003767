"""Names and number patterns by locale for fictitious contacts."""

import re
from itertools import accumulate
from pathlib import Path

NAMES = Path(__file__).parent / "names"

#: Locale → (share of contacts, country code, patterns of the national number; n is any digit).
LOCALES = {
    "en": (30, "1", ["2nn555nnnn", "3nn555nnnn", "4nn555nnnn", "6nn555nnnn", "7nn555nnnn", "8nn555nnnn"]),
    "es": (10, "34", ["6nnnnnnnn", "7nnnnnnnn"]),
    "tr": (9, "90", ["53nnnnnnnn", "54nnnnnnnn", "55nnnnnnnn"]),
    "ru": (10, "7", ["90nnnnnnnn", "91nnnnnnnn", "92nnnnnnnn", "49nnnnnnnn"]),
    "de": (8, "49", ["151nnnnnnnn", "160nnnnnnn", "30nnnnnnnn", "89nnnnnnn"]),
    "fr": (7, "33", ["6nnnnnnnn", "7nnnnnnnn", "1nnnnnnnn"]),
    "pl": (5, "48", ["5nnnnnnnn", "6nnnnnnnn", "7nnnnnnnn"]),
    "uk": (4, "380", ["67nnnnnnn", "50nnnnnnn", "44nnnnnnn"]),
    "el": (3, "30", ["69nnnnnnnn", "21nnnnnnnn"]),
    "ar": (4, "20", ["10nnnnnnnn", "11nnnnnnnn", "12nnnnnnnn"]),
    "zh": (4, "86", ["13nnnnnnnnn", "15nnnnnnnnn", "18nnnnnnnnn"]),
    "ja": (3, "81", ["90nnnnnnnn", "80nnnnnnnn"]),
    "ko": (3, "82", ["10nnnnnnnn"]),
}


class Choice:
    """Draws from a list with a flattened Zipf distribution, like the frequencies of names."""

    def __init__(self, items: list[str], exponent: float = 0.8):
        self.items = items
        self.weights = list(accumulate(1.0 / (rank + 3.0) ** exponent for rank in range(len(items))))

    def many(self, random, count: int) -> list[str]:
        return random.choices(self.items, cum_weights=self.weights, k=count)


class Locale:
    def __init__(self, language: str):
        self.language = language
        self.share, self.country_code, self.patterns = LOCALES[language]
        sections = read(NAMES / f"{language}.txt")
        family = sections["family"]
        if "signs" in sections:
            signs = list(sections["signs"][0])
            given = [a + b for a in signs[:60] for b in signs[::3] if a != b] + signs
            self.given = [Choice(given, 0.4)] * 2
        else:
            self.given = [Choice(sections["women"]), Choice(sections["men"])]
        women = [of_a_woman(language, name) for name in family]
        self.family = [Choice(women), Choice(family)]
        self.family_first = language in ("zh", "ja", "ko")
        self.separator = "" if self.family_first else " "


def read(path: Path) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line[1:-1], [])
        elif not line.startswith("#"):
            current.extend(name.replace("_", " ") for name in line.split())
    return sections


#: Endings of family names for women by language: (ending, replacement), the first match applies.
ENDINGS = {
    "ru": [(r"(ский|цкий)$", lambda m: m.group()[:-2] + "ая"), (r"(ов|ев|ёв|ин|ын)$", lambda m: m.group() + "а")],
    "uk": [(r"(ський|цький)$", lambda m: m.group()[:-2] + "а"), (r"ий$", lambda m: "а")],
    "pl": [(r"(ski|cki|dzki)$", lambda m: m.group()[:-1] + "a")],
    "el": [
        (r"όπουλος$", lambda m: "οπούλου"),
        (r"άκης$", lambda m: "άκη"),
        (r"ίδης$", lambda m: "ίδου"),
        (r"ς$", lambda m: ""),
    ],
}


def of_a_woman(language: str, name: str) -> str:
    for ending, replacement in ENDINGS.get(language, []):
        changed, count = re.subn(ending, replacement, name)
        if count:
            return changed
    return name
