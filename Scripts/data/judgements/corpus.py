"""The rows that a query may mean, and the rule that decides whether another row matches it as well.

A row matches a query if each typed word begins a different word of the row, with at most the given errors per word. The
rule knows nothing of the order of the search's results.
"""

from folding import digits, prefix_distance, romanized, words


class Row:
    """A person or an item: the title, and the folded words of all its fields."""

    def __init__(self, title: str, *fields: str):
        self.title = title
        own = {word for text in (title, *fields) for word in words(text)}
        self.words = sorted(own.union(*map(romanized, own)))
        joined = words(title)
        # Neighboring words are also typed without the gap.
        self.joined = [a + b for a, b in zip(joined, joined[1:])]
        self.keys = [key for word in [*self.words, "".join(joined), *self.joined] if (key := digits(word))]

    def matches(self, typed: list[str], errors: int = 0) -> bool:
        """True if each typed word begins a word of its own. Words of up to three letters have no errors."""
        return assign(typed, self.words + self.joined, errors)


def assign(typed: list[str], candidates: list[str], errors: int) -> bool:
    if not typed:
        return True
    allowed = errors if len(typed[0]) > 3 else 0
    for place, word in enumerate(candidates):
        fits = word.startswith(typed[0]) or (allowed and prefix_distance(typed[0], word) <= allowed)
        if fits and assign(typed[1:], candidates[:place] + candidates[place + 1 :], errors):
            return True
    return False


def is_only(row: Row, rows: list[Row], query: str, errors: int = 0) -> bool:
    """True if no other row matches the query."""
    typed = sorted(words(query), key=len, reverse=True)
    return not any(other is not row and other.matches(typed, errors) for other in rows)


def has_rivals(row: Row, rows: list[Row], word: str) -> bool:
    """True if only this row has the word as it is, and others have longer or similar words."""
    return not any(other is not row and word in other.words for other in rows) and not is_only(row, rows, word, 1)
