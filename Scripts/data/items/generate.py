"""Writes fictitious items as JSON lines, reproducibly for a count and seed. Run by Scripts/data/generate-items.

The words have the frequencies of English, so the distributions of lengths, shared prefixes and words one edit apart are
realistic. Descriptions use all words; titles and keywords exclude the most frequent ones, such as `the`, `to` and `and`.
"""

import argparse
import json
import random
import re
import sys
from itertools import accumulate

import wordfreq

# The most frequent words, down to about "must" and "show", do not occur in titles.
TOO_FREQUENT = 200
DOMAINS = [
    "books.chapters",
    "books.covers",
    "mail.archive",
    "mail.inbox",
    "music.albums",
    "music.songs",
    "notes",
    "photos.albums",
    "places",
    "recipes",
    "tasks.home",
    "tasks.work",
    "tv-shows",
    "web.pages",
]


class Words:
    """Draws words by frequency."""

    def __init__(self, frequencies: list[tuple[str, float]], chance: random.Random):
        self.words = [word for word, _ in frequencies]
        self.sums = list(accumulate(frequency for _, frequency in frequencies))
        self.chance = chance

    def some(self, least: int, most: int) -> list[str]:
        return self.chance.choices(self.words, cum_weights=self.sums, k=self.chance.randint(least, most))

    def different(self, least: int, most: int) -> list[str]:
        return list(dict.fromkeys(self.some(least, most)))


def vocabulary() -> list[tuple[str, float]]:
    """English words of the letters a to z with their frequencies, most frequent first."""
    known = wordfreq.get_frequency_dict("en", wordlist="small")
    words = [(word, frequency) for word, frequency in known.items() if re.fullmatch("[a-z]+", word)]
    return sorted(words, key=lambda entry: (-entry[1], entry[0]))


def main() -> int:
    parser = argparse.ArgumentParser(prog="generate-items", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    known = vocabulary()
    everything = Words(known, chance)
    telling = Words([(word, frequency) for word, frequency in known[TOO_FREQUENT:] if len(word) > 2], chance)
    for number in range(arguments.count):
        title = telling.different(2, 6)
        while len(title) < 2:
            title = telling.different(2, 6)
        item = {
            "id": f"item-{number:07}",
            "domain": chance.choice(DOMAINS),
            "title": " ".join(word.capitalize() for word in title),
            "contentDescription": " ".join(everything.some(8, 16)).capitalize() + ".",
            "keywords": telling.different(1, 4),
        }
        sys.stdout.write(json.dumps(item) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
