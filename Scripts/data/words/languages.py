"""The languages of text entry: letters, keys, and words of one letter."""

import unicodedata
from dataclasses import dataclass

# The keys 2 to 9, as in the layouts of SwitchboardKeypad; a test compares the results.
LATIN = "abc def ghi jkl mno pqrs tuv wxyz"
RUSSIAN = "абвг дежзё ийкл мноп рсту фхцч шщъы ьэюя"
UKRAINIAN = "абвгґ деєжз иіїйкл мноп рсту фхцч шщ ьюя"
GREEK = "αβγ δεζ ηθι κλμ νξο πρσς τυφ χψω"

# Letters without a decomposition.
OTHER_LATIN = {"ı": "4", "ł": "5", "ø": "6", "đ": "3"}

# Digraphs: typed with both keys, or with the first one alone as on phones.
DOUBLE = {"ß": ("77", "7"), "œ": ("63", "6"), "æ": ("23", "2")}

# The apostrophe is typed with the key 1 or skipped.
APOSTROPHE = "'"


@dataclass(frozen=True)
class Language:
    code: str
    layout: str
    # Words of one letter. Other letters come last among the words of their key.
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
    """The key of a letter with or without marks, or None if the language does not use it."""
    if letter in letters:
        return letters[letter]
    if "a" in letters and letter in OTHER_LATIN:
        return OTHER_LATIN[letter]
    base = unicodedata.normalize("NFD", letter)[0]
    return letters.get(base)
