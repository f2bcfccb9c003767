"""English pairs of words, counted in running text: how likely a word is after another one."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable

# A word, a mark that ends the context, or another sequence. Commas and quotation marks are skipped.
TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)*|[^\sa-z,\"]+")
# A pair must occur as often as this.
LEAST = 2
# A cost is stored as a byte: in steps of this.
STEP = 4
# The most words kept after one word, which bounds the time of a search.
MOST = 1_000


def counted(texts: Iterable[str], words: set[str]) -> dict[str, Counter[str]]:
    """The words after each word, with their counts."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        previous = None
        for token in TOKEN.findall(text.lower().replace("’", "'").replace("--", " - ")):
            word = token if token in words else None
            if word and previous:
                found[previous][word] += 1
            previous = word
    return found


def pairs(texts: Iterable[str], costs: dict[str, int]) -> dict[str, dict[str, int]]:
    """The words that are more likely after another word than elsewhere, each with its cost in steps.

    The probability is smoothed by the method of Witten and Bell with the share of the word in running text.
    """
    found: dict[str, dict[str, int]] = {}
    for previous, following in counted(texts, set(costs)).items():
        total, kinds = following.total(), len(following)
        likely = {}
        for word, count in following.items():
            share = 10 ** (-costs[word] / 100)
            probability = (count + kinds * share) / (total + kinds)
            if count >= LEAST and probability > share:
                likely[word] = min(255, round(-100 * math.log10(probability) / STEP))
        if likely:
            best = sorted(likely, key=lambda word: (likely[word], costs[word], word))[:MOST]
            found[previous] = {word: likely[word] for word in best}
    return found
