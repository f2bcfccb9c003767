"""Searches of items by title, keywords and description. All keep their data in files, which are complete when `put` returns.
Each returns at most ten item numbers."""

import sqlite3
import sys
from pathlib import Path

import tantivy
from symspellpy import SymSpell, Verbosity

from data import Item

# Debian's Xapian module, which is not on PyPI.
sys.path.append("/usr/lib/python3/dist-packages")
try:
    import xapian
except ImportError:
    xapian = None

PREFIX, WORDS, TYPO, LETTER = "prefix", "words of the title", "one typo", "one letter"
# Weights of the title and the keywords relative to the description.
TITLE, KEYWORDS = 10, 5


class FullText:
    """FTS5 with a prefix index, all words as prefixes, ranked by BM25."""

    title = "FTS5, prefix index, bm25"
    kinds = {PREFIX, WORDS, LETTER}
    options = "prefix = '1 2 3', tokenize = \"unicode61 remove_diacritics 2\""

    def __init__(self, folder: Path):
        self.database = sqlite3.connect(folder / "items.sqlite", isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = FULL")
        self.database.execute(f"CREATE VIRTUAL TABLE item USING fts5(title, keywords, description, {self.options})")

    def put(self, items: list[Item]) -> None:
        self.database.execute("BEGIN")
        self.database.executemany(
            "INSERT INTO item (rowid, title, keywords, description) VALUES (?, ?, ?, ?)",
            ((n, item.title, " ".join(item.keywords), item.description) for n, item in enumerate(items)),
        )
        self.database.execute("COMMIT")
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def prepare(self, items: list[Item]) -> None:
        """Optimizations for searches that are not part of `put`."""
        self.database.execute("INSERT INTO item (item) VALUES ('optimize')")
        self.database.execute("INSERT INTO item (item, rank) VALUES ('rank', ?)", (f"bm25({TITLE}, {KEYWORDS}, 1)",))
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def found(self, match: str) -> list[int]:
        rows = self.database.execute("SELECT rowid FROM item WHERE item MATCH ? ORDER BY rank LIMIT 10", (match,))
        return [row[0] for row in rows]

    def ask(self, text: str, kind: str) -> list[int]:
        return self.found(" ".join(f'"{word}"*' for word in text.split()))


class Corrected(FullText):
    """The same after replacing each word with the nearest known one (SymSpell)."""

    title = "the same, corrected by SymSpell"
    kinds = {TYPO, LETTER}

    def prepare(self, items: list[Item]) -> None:
        super().prepare(items)
        self.spelling = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
        counts: dict[str, int] = {}
        for item in items:
            for word in item.text.lower().replace(".", "").split():
                counts[word] = counts.get(word, 0) + 1
        for word, count in counts.items():
            self.spelling.create_dictionary_entry(word, count)

    def ask(self, text: str, kind: str) -> list[int]:
        words = []
        for word in text.split():
            found = self.spelling.lookup(word, Verbosity.TOP, max_edit_distance=1 if len(word) < 8 else 2)
            words.append(found[0].term if found else word)
        return super().ask(" ".join(words), kind)


class Trigrams(FullText):
    """FTS5 with the trigram tokenizer: all substrings, or any trigrams of misspelt words, ranked by BM25."""

    title = "FTS5 trigram"
    kinds = {PREFIX, WORDS, TYPO}
    options = "tokenize = 'trigram'"

    def ask(self, text: str, kind: str) -> list[int]:
        if kind == TYPO:
            parts = {word[place : place + 3] for word in text.split() for place in range(len(word) - 2)}
            return self.found(" OR ".join(f'"{part}"' for part in sorted(parts)))
        words = text.split()
        # A word of fewer than three letters has a trigram only together with the previous word.
        parts = [text] if len(words[-1]) < 3 else words
        return self.found(" ".join(f'"{part}"' for part in parts if len(part) > 2))


class Tantivy:
    """tantivy: all words in any field, the last one as a prefix; if misspelt, words of four or more letters within one edit."""

    title = "tantivy"
    kinds = {PREFIX, WORDS, TYPO, LETTER}
    weights = {"title": TITLE, "keywords": KEYWORDS, "description": 1}

    def __init__(self, folder: Path):
        builder = tantivy.SchemaBuilder()
        for field in self.weights:
            builder.add_text_field(field, stored=False)
        builder.add_integer_field("number", stored=True, fast=True)
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema, path=str(folder))

    def put(self, items: list[Item]) -> None:
        writer = self.index.writer(200_000_000, 1)
        for number, item in enumerate(items):
            writer.add_document(
                tantivy.Document(
                    title=item.title, keywords=" ".join(item.keywords), description=item.description, number=number
                )
            )
        writer.commit()
        writer.wait_merging_threads()

    def prepare(self, items: list[Item]) -> None:
        self.index.reload()
        self.searcher = self.index.searcher()

    def word(self, field: str, word: str, is_last: bool, edits: int) -> tantivy.Query:
        if edits == 0 and not is_last:
            return tantivy.Query.term_query(self.schema, field, word)
        return tantivy.Query.fuzzy_term_query(
            self.schema, field, word, distance=edits, transposition_cost_one=True, prefix=is_last
        )

    def ask(self, text: str, kind: str) -> list[int]:
        words = text.split()
        clauses = []
        for place, word in enumerate(words):
            edits = 1 if kind == TYPO and len(word) > 3 else 0
            fields = [
                (
                    tantivy.Occur.Should,
                    tantivy.Query.boost_query(self.word(field, word, place == len(words) - 1, edits), weight),
                )
                for field, weight in self.weights.items()
            ]
            clauses.append((tantivy.Occur.Must, tantivy.Query.boolean_query(fields)))
        hits = self.searcher.search(tantivy.Query.boolean_query(clauses), limit=10).hits
        return [self.searcher.doc(address)["number"][0] for _, address in hits]


class Xapian:
    """Xapian: all words, the last one as a prefix; misspelt words through its spelling correction."""

    title = "Xapian"
    kinds = {PREFIX, WORDS, TYPO, LETTER}

    def __init__(self, folder: Path):
        self.path = str(folder)

    def put(self, items: list[Item]) -> None:
        database = xapian.WritableDatabase(self.path, xapian.DB_CREATE_OR_OPEN)
        generator = xapian.TermGenerator()
        generator.set_database(database)
        generator.set_flags(xapian.TermGenerator.FLAG_SPELLING)
        for item in items:
            document = xapian.Document()
            generator.set_document(document)
            generator.index_text(item.title, TITLE)
            generator.increase_termpos()
            generator.index_text(" ".join(item.keywords), KEYWORDS)
            generator.increase_termpos()
            generator.index_text(item.description)
            database.add_document(document)
        database.commit()
        database.close()

    def prepare(self, items: list[Item]) -> None:
        self.database = xapian.Database(self.path)
        self.parser = xapian.QueryParser()
        self.parser.set_database(self.database)
        self.parser.set_default_op(xapian.Query.OP_AND)
        self.enquire = xapian.Enquire(self.database)

    def corrected(self, word: str) -> str:
        # The flag of the parser would also replace known words.
        return word if self.database.term_exists(word) else self.database.get_spelling_suggestion(word).decode() or word

    def ask(self, text: str, kind: str) -> list[int]:
        if kind == TYPO:
            text = " ".join(map(self.corrected, text.split()))
        self.enquire.set_query(self.parser.parse_query(text, xapian.QueryParser.FLAG_PARTIAL))
        return [match.docid - 1 for match in self.enquire.get_mset(0, 10)]


PEERS = [FullText, Corrected, Trigrams, Tantivy] + ([Xapian] if xapian else [])
