"""The words of a language with their frequencies, out of wordfreq's small lists."""

import unicodedata
from dataclasses import dataclass

import wordfreq

from german import with_sharp_s
from languages import APOSTROPHE, DOUBLE, Language, key_of, letter_keys

# A word is ranked as if it were this much rarer, in hundredths of a power of ten, if a key was left out for its apostrophe ("its" before
# "it's", which has a key more) …
LEFT_OUT = 100
# … or if it is a letter that is no word.
NO_WORD = 400


@dataclass(frozen=True)
class Entry:
    """A word as it is shown."""

    text: str
    # How rare: −100 times the decimal logarithm of its share in running text, rounded, as wordfreq has it.
    cost: int
    # The position in wordfreq's list, which breaks ties.
    position: int


def entries(language: Language) -> list[Entry]:
    """All words that keys can type, the most frequent first, each once."""
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
    """A word of the list as people write it; None if it is none."""
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
    """What words of the same keys are ordered by, the smallest first."""
    cost = entry.cost
    if APOSTROPHE in entry.text:
        cost += LEFT_OUT
    if len(entry.text) == 1 and entry.text not in language.one_letter_words:
        cost += NO_WORD
    return cost
