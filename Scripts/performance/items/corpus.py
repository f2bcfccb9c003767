"""Made-up items and questions about them; the same each time.

The words are the most frequent ones of English, as wordfreq counts them, drawn nearly as often as they are used.
"""

import random
from dataclasses import dataclass

from wordfreq import iter_wordlist, word_frequency

KINDS = ["prefix", "words of the title", "one typo", "one letter"]
QUESTIONS = 500
DOMAINS = ["mail.inbox", "mail.sent", "notes", "tv-shows", "files.documents"]


@dataclass
class Question:
    text: str
    # The identifier of the item that is looked for, if there is one.
    meant: str


def vocabulary() -> tuple[list[str], list[float]]:
    words = []
    for word in iter_wordlist("en", wordlist="small"):
        if word.isascii() and word.isalpha() and len(word) > 2:
            words.append(word)
        if len(words) == 25_000:
            break
    # Titles and descriptions have fewer of the most frequent words than running text.
    weights = [word_frequency(word, "en", wordlist="small") ** 0.7 for word in words]
    return words, weights


def make_items(count: int) -> list[dict]:
    chance = random.Random(2026)
    words, weights = vocabulary()
    sums, total = [], 0.0
    for weight in weights:
        total += weight
        sums.append(total)

    def some(fewest: int, most: int) -> list[str]:
        return chance.choices(words, cum_weights=sums, k=chance.randint(fewest, most))

    return [
        {
            "id": f"item-{number}",
            "domain": chance.choice(DOMAINS),
            "title": " ".join(some(2, 6)).capitalize(),
            "contentDescription": " ".join(some(8, 16)).capitalize() + ".",
            "keywords": some(1, 4),
        }
        for number in range(count)
    ]


def misspelt(word: str, chance: random.Random) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    place = chance.randrange(1, len(word))
    match chance.randrange(4):
        case 0:
            return word[:place] + word[place + 1 :]
        case 1:
            return word[:place] + chance.choice(letters) + word[place:]
        case 2:
            return word[:place] + chance.choice(letters.replace(word[place], "")) + word[place + 1 :]
        case _:
            if place + 1 < len(word) and word[place] != word[place + 1]:
                return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
            return word[:place] + word[place + 1 :]


def make_questions(items: list[dict]) -> dict[str, list[Question]]:
    chance = random.Random(7)
    questions: dict[str, list[Question]] = {kind: [] for kind in KINDS}
    while any(len(asked) < QUESTIONS for asked in questions.values()):
        item = chance.choice(items)
        title = item["title"].lower().split()
        # What somebody types of a title: some of its beginning, the last word unfinished.
        typed = " ".join(title)[: chance.randint(3, 14)].strip()
        questions["prefix"].append(Question(typed, item["id"]))
        some = chance.sample(title, min(len(title), chance.randint(2, 3)))
        questions["words of the title"].append(Question(" ".join(some), item["id"]))
        long = [place for place, word in enumerate(some) if len(word) >= 5]
        if long:
            place = chance.choice(long)
            some[place] = misspelt(some[place], chance)
            questions["one typo"].append(Question(" ".join(some), item["id"]))
        questions["one letter"].append(Question(title[0][0], ""))
    return {kind: asked[:QUESTIONS] for kind, asked in questions.items()}
