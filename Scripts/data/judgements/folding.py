"""Folding of names for comparison, distances between words, and the digits of words on a keypad.

Written apart from the search, so that a mistake of the search is not repeated here.
"""

import re
import unicodedata

LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})
LATIN_KEYS = {"2": "abc", "3": "def", "4": "ghi", "5": "jkl", "6": "mno", "7": "pqrs", "8": "tuv", "9": "wxyz"}
# ETSI ES 202 130, as in docs/matching.md.
GREEK_KEYS = {"2": "αβγ", "3": "δεζ", "4": "ηθι", "5": "κλμ", "6": "νξο", "7": "πρσς", "8": "τυφ", "9": "χψω"}
HEBREW_KEYS = {"2": "דהו", "3": "אבג", "4": "מםנן", "5": "יכךל", "6": "זחט", "7": "רשת", "8": "צץק", "9": "סעפף"}
RUSSIAN_KEYS = {"2": "абвг", "3": "дежзё", "4": "ийкл", "5": "мноп", "6": "рсту", "7": "фхцч", "8": "шщъы", "9": "ьэюя"}
LAYOUTS = (LATIN_KEYS, RUSSIAN_KEYS, GREEK_KEYS, HEBREW_KEYS)
# The usual English spellings of Russian and Greek letters.
ROMAN = dict(zip(
    "абвгдежзийклмнопрстуфхцчшщъыьэюя" + "αβγδεζηθικλμνξοπρσςτυφχψω",
    "a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya".split()
    + "a v g d e z i th i k l m n x o p r s s t y f ch ps o".split(), strict=True))
KEYS = {letter: key for keys in LAYOUTS for key, letters in keys.items() for letter in letters}


def fold(text: str) -> str:
    """The text in lower case without accents. A Cyrillic й keeps its mark, as it is a letter of its own."""
    decomposed = unicodedata.normalize("NFKD", text.lower().translate(LETTERS).replace("й", "\0"))
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", plain.replace("\0", "й"))


def words(text: str) -> list[str]:
    """The folded words of a text, which apostrophes join and everything else separates."""
    return re.findall(r"\w+", re.sub(r"['’`]", "", fold(text)))


def is_latin(text: str) -> bool:
    return bool(re.fullmatch(r"[a-z]+", text))


def romanized(word: str) -> list[str]:
    """The usual English spellings of a Russian or Greek word; none for other words."""
    if word.isascii() or not set(word) <= set(ROMAN):
        return []
    plain = "".join(ROMAN[letter] for letter in word).replace("_", "")
    return [plain, "y" + plain] if word.startswith("е") else [plain]


def digits(word: str) -> str | None:
    """The keys of a folded word, or None if a letter is on no key."""
    keys = [KEYS.get(letter) for letter in word]
    return None if None in keys else "".join(keys)


def last_rows(query: str, text: str) -> list[int]:
    """The optimal string alignment distances between the query and each beginning of the text."""
    before: list[int] = []
    row = list(range(len(text) + 1))
    for i, letter in enumerate(query, start=1):
        older, before = before, row
        row = [i]
        for j, other in enumerate(text, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == text[j - 2] and query[i - 2] == other:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row


def distance(query: str, text: str) -> int:
    return last_rows(query, text)[-1]


def prefix_distance(query: str, text: str) -> int:
    """The distance to the nearest beginning of the text."""
    return min(last_rows(query, text))
