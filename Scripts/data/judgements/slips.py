"""A model of typing errors: a neighbouring key, two letters exchanged, a letter left out, a letter doubled.

The shares of the kinds are assumed, not measured. The place in the word is uniform.
"""

import random

ROWS = [("qwertyuiop", 0.0), ("asdfghjkl", 0.25), ("zxcvbnm", 0.75)]
PLACES = {letter: (x + shift, y) for y, (row, shift) in enumerate(ROWS) for x, letter in enumerate(row)}
NEIGHBOURS = {
    letter: sorted(
        other for other, (u, v) in PLACES.items() if other != letter and (x - u) ** 2 + (y - v) ** 2 <= 1.6)
    for letter, (x, y) in PLACES.items()
}
KINDS = [("neighbouring key", 35), ("transposition", 25), ("omission", 25), ("doubled letter", 15)]
# The keys beside, above and below each key of a telephone.
KEYPAD = {"2": "135", "3": "26", "4": "157", "5": "2468", "6": "359", "7": "48", "8": "5790", "9": "68"}


def typed_wrongly(word: str, source: random.Random) -> tuple[str, str] | None:
    """A word of Latin letters with one error, and the kind of the error; None if the draw changes nothing."""
    kind = source.choices([name for name, _ in KINDS], weights=[share for _, share in KINDS])[0]
    # A word without its last letter is the beginning of the word, not an error.
    place = source.randrange(len(word) - (kind == "omission"))
    before, letter, after = word[:place], word[place], word[place + 1 :]
    if kind == "neighbouring key":
        wrong = before + source.choice(NEIGHBOURS[letter]) + after
    elif kind == "transposition":
        wrong = before + after[:1] + letter + after[1:]
    elif kind == "omission":
        wrong = before + after
    else:
        wrong = before + letter + letter + after
    return None if wrong == word else (wrong, kind)


def dialled_wrongly(keys: str, source: random.Random) -> str:
    """The keys with one of them replaced by a key beside it that has letters."""
    place = source.randrange(len(keys))
    wrong = source.choice([key for key in KEYPAD[keys[place]] if key in KEYPAD])
    return keys[:place] + wrong + keys[place + 1 :]
