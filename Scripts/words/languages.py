"""The languages of text entry: their letters, the keys of these, and their words of one letter."""

import unicodedata
from dataclasses import dataclass

# The keys 2 to 9, as in KeypadInput's layouts; a test of that module compares what comes out.
LATIN = "abc def ghi jkl mno pqrs tuv wxyz"
RUSSIAN = "абвг дежзё ийкл мноп рсту фхцч шщъы ьэюя"
UKRAINIAN = "абвгґ деєжз иіїйкл мноп рсту фхцч шщ ьюя"
GREEK = "αβγ δεζ ηθι κλμ νξο πρσς τυφ χψω"

# Letters that no decomposition reaches.
OTHER_LATIN = {"ı": "4", "ł": "5", "ø": "6", "đ": "3"}

# Letters written with two: typed as these, and with the key of the first one alone, as telephones have them.
DOUBLE = {"ß": ("77", "7"), "œ": ("63", "6"), "æ": ("23", "2")}

# Typed words may hold these; no key is pressed for them, or the key 1.
APOSTROPHE = "'"


@dataclass(frozen=True)
class Language:
    code: str
    layout: str
    # What is a word although it is one letter. Others come last among the words of their key.
    one_letter_words: str


LANGUAGES = [
    Language("en", LATIN, "ai"),
    Language("es", LATIN, "yaoeu"),
    Language("tr", LATIN, "o"),
    Language("ru", RUSSIAN, "висяакуо"),
    Language("de", LATIN, ""),
    Language("fr", LATIN, "aàyôldcjnstm"),
    Language("pt", LATIN, "aoeéàó"),
    Language("it", LATIN, "eaèioldcmstv"),
    Language("pl", LATIN, "wizoau"),
    Language("uk", UKRAINIAN, "віузаяєйжбо"),
    Language("el", GREEK, "ηοήόω"),
]


def letter_keys(language: Language) -> dict[str, str]:
    """The key of each letter of the layout."""
    return {
        letter: str(key)
        for key, letters in enumerate(language.layout.split(" "), start=2)
        for letter in letters
    }


def key_of(letter: str, letters: dict[str, str]) -> str | None:
    """The key of a letter, with or without marks; None if the language does not write it."""
    if letter in letters:
        return letters[letter]
    if "a" in letters and letter in OTHER_LATIN:
        return OTHER_LATIN[letter]
    base = unicodedata.normalize("NFD", letter)[0]
    return letters.get(base)
