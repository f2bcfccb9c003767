"""English words beyond the small list of wordfreq, and the case of names, from SCOWL (Debian's scowl)."""

import unicodedata
from pathlib import Path

import wordfreq

from languages import APOSTROPHE, Language, letter_keys
from lists import Entry

FOLDER = "usr/share/dict/scowl"
REGIONS = ("english", "american", "british", "british_z")
# The largest lists used; SCOWL calls 70 the largest size for spelling checkers.
SIZE = 70
# The highest cost of a word beyond the small list: one in ten million.
RAREST = 700
# By so much smaller is the smallest list with a capital than that without: "English" (10) and "english" (70).
MUCH = 20
# The cases of a word: as listed, Abc, ABC.
AS_LISTED, CAPITAL, CAPITALS = range(3)


def forms(root: Path, *kinds: str) -> dict[str, int]:
    """The words of some kinds of lists in their usual case, each with the smallest size that has it."""
    found: dict[str, int] = {}
    for region in REGIONS:
        for kind in kinds:
            for file in (root / FOLDER).glob(f"{region}-{kind}.*"):
                if (size := int(file.suffix[1:])) <= SIZE:
                    for form in file.read_text("latin-1").split():
                        found[form] = min(size, found.get(form, size))
    return found


def further_entries(root: Path, language: Language, known: list[Entry]) -> list[Entry]:
    """The words of wordfreq's large list that SCOWL has, too, most frequent first."""
    letters = letter_keys(language).keys() | {APOSTROPHE}
    seen = {entry.text for entry in known}
    spelt = {form.lower() for form in forms(root, "words", "contractions", "upper", "proper-names")}
    found = []
    for cost, words in enumerate(wordfreq.get_frequency_list(language.code, "large")[: RAREST + 1]):
        for word in words:
            text = unicodedata.normalize("NFC", word).replace("’", APOSTROPHE)
            if text in spelt and text not in seen and letters.issuperset(text):
                seen.add(text)
                found.append(Entry(text, cost, known[-1].position + len(found) + 1))
    return found


def cases(root: Path) -> dict[str, int]:
    """The case of each word that is more common with a capital than without ("I", "Felix"), or is always in capitals ("BBC")."""
    lower = {form: size for form, size in forms(root, "words", "contractions").items() if form == form.lower()}
    found: dict[str, int] = {}
    for form, size in sorted(forms(root, "words", "contractions", "upper", "proper-names", "abbreviations").items()):
        word = form.lower()
        if len(word) == 1:
            # SCOWL has all letters in both cases.
            if word == "i":
                found[word] = CAPITAL
        elif form == form.upper():
            if word not in lower:
                found.setdefault(word, CAPITALS)
        # Of two letters, most are symbols such as Na.
        elif len(word) > 2 and form == word.capitalize() and size + MUCH <= lower.get(word, SIZE + MUCH):
            found[word] = CAPITAL
    return found
