"""The words of a language with their frequencies from wordfreq's small lists."""

import unicodedata
from dataclasses import dataclass

import wordfreq

from german import with_sharp_s
from languages import APOSTROPHE, DOUBLE, Language, key_of, letter_keys

# The penalty, in hundredths of a power of ten, of a word typed without the key for its apostrophe ("its" before "it's").
LEFT_OUT = 100
# The penalty of a single letter that is not a word.
NO_WORD = 400


@dataclass(frozen=True)
class Entry:
    """A word in its displayed spelling."""

    text: str
    # The rarity: −100 times the decimal logarithm of the frequency in running text, rounded, as in wordfreq.
    cost: int
    # The position in wordfreq's list, which breaks ties.
    position: int


def entries(language: Language) -> list[Entry]:
    """All words that keys can type, once each, most frequent first."""
    letters = letter_keys(language)
    found: list[Entry] = []
    seen: set[str] = set()
    position = 0
    for cost, words in enumerate(wordfreq.get_frequency_list(language.code, "small")):
        for word in words:
            position += 1
            text = shown(word, language)
            if text is None or text in seen or not all(is_typed(letter, letters) for letter in text):
                continue
            seen.add(text)
            found.append(Entry(text, cost, position))
    return found


def shown(word: str, language: Language) -> str | None:
    """The usual spelling of an entry, or None if it is not a word."""
    text = unicodedata.normalize("NFC", word).replace("’", APOSTROPHE)
    if text.startswith(APOSTROPHE) or text.endswith(APOSTROPHE):
        return None
    if language.code == "el" and text.endswith("σ") and len(text) > 1:
        text = text[:-1] + "ς"
    if language.code == "de":
        text = with_sharp_s(text)
    return text


def is_typed(letter: str, letters: dict[str, str]) -> bool:
    if letter == APOSTROPHE or ("a" in letters and letter in DOUBLE):
        return True
    return letter.isalpha() and key_of(letter, letters) is not None


def rank(entry: Entry, language: Language) -> int:
    """The sort key of words with the same keys."""
    cost = entry.cost
    if APOSTROPHE in entry.text:
        cost += LEFT_OUT
    if len(entry.text) == 1 and entry.text not in language.one_letter_words:
        cost += NO_WORD
    return cost
