"""Titles of works and their authors from the attributions in Debian's fortunes: `-- Lewis Carroll, "Jabberwocky"`."""

import random
import re
from collections import Counter
from pathlib import Path

from folding import words

ATTRIBUTION = re.compile(r'^\s*-- ([^"\n\[\]()?;]+), +"([^"\n\[\]]+)"\s*$', re.M)
ARTICLES = {"the", "a", "an"}
# Attributions that name a periodical or an organization, swap title and author, or repeat another title misspelled.
DROPPED = {
    "analog", "actor", "austin american-statesman", "bulletin of atomic scientists", "cyberiad", "datamation", "discover",
    "dr. who", "e.t", "edutopia magazine, issue 2, november 2004", "esquire", "gentlemen's quarterly", "ghost-busters",
    "huckleberry finn", "i knoooooowww nooooothing!", "interactive easyflow", "jack and the beanstack", "john crowley",
    "kind john", "lake wobegone days", "lao tsu, #74", "les gu^epes", "newsweek", "observer", "philip massinger",
    "pornography", "rich hall & friends", "romeo and juliet, ii. 2", "rs's 1974 expectation of days", "saki", "steely dan",
    "tao te ching", "the hollow man", "the secret", "the washington post", "was (not was)",
    "will wozniak's class give apple to teacher?", "yacc guide acknowledgements", "yankee group",
}


def fortunes(folder: Path) -> str:
    """The text of all collections, in the order of their names."""
    files = sorted(file for file in folder.iterdir() if file.is_file() and not file.suffix and not file.is_symlink())
    return "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files)


def key(title: str) -> tuple[str, ...]:
    return tuple(word for word in words(title) if word not in ARTICLES)


def titles(text: str, count: int, seed: int) -> list[dict]:
    """Different titles, each with its most frequent author, in the order of a shuffled index."""
    authors: dict[tuple[str, ...], Counter] = {}
    for author, title in ATTRIBUTION.findall(text):
        author, title = " ".join(author.split()), " ".join(title.split()).rstrip(",.")
        is_name = (title + author).isprintable() and "\ufffd" not in title + author
        if key(title) and title.lower() not in DROPPED and len(title) <= 70 and 4 <= len(author) <= 40 and is_name:
            authors.setdefault(key(title), Counter())[(title, author)] += 1
    works = [min(pairs, key=lambda pair: (-pairs[pair], pair)) for _, pairs in sorted(authors.items())]
    source = random.Random(seed)
    source.shuffle(works)
    return [{"title": title, "author": author} for title, author in works[:count]]
