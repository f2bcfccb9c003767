"""Other programs that find items. Each is given the items and a folder, and answers with at most ten numbers of items."""

import sqlite3
from pathlib import Path

import tantivy
import xapian
from corpus import KINDS
from symspellpy import SymSpell, Verbosity

EXACT = [kind for kind in KINDS if kind != "one typo"]


def texts(item: dict) -> tuple[str, str, str]:
    return item["title"], " ".join(item["keywords"]), item["contentDescription"]


class FullText:
    """FTS5 in a file of its own, a column for each field, titles weighed most, by bm25."""

    name = "fts5"
    title = "FTS5, prefix index, bm25"
    kinds = EXACT
    options = "prefix = '1 2 3'"

    def __init__(self, items: list[dict], folder: Path):
        self.database = sqlite3.connect(folder / "items.sqlite", isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = FULL")
        self.database.execute(f"CREATE VIRTUAL TABLE item USING fts5 (title, keywords, description, {self.options})")
        self.database.execute("BEGIN")
        self.database.executemany(
            "INSERT INTO item (rowid, title, keywords, description) VALUES (?, ?, ?, ?)",
            ((number, *texts(item)) for number, item in enumerate(items)),
        )
        self.database.execute("COMMIT")
        self.database.execute("PRAGMA wal_checkpoint (TRUNCATE)")

    def ask(self, text: str) -> list[int]:
        words = text.split()
        match = " ".join(f'"{word}"' for word in words[:-1]) + f' "{words[-1]}"*'
        rows = self.database.execute(
            "SELECT rowid FROM item WHERE item MATCH ? ORDER BY bm25(item, 10, 5, 1) LIMIT 10", (match,)
        )
        return [row[0] for row in rows]


class Trigrams(FullText):
    """FTS5 with trigrams: any three letters, so misspelt words are found by those that are right."""

    name = "trigram"
    title = "FTS5 trigram"
    kinds = ["prefix", "words of the title", "one typo"]
    options = "tokenize = 'trigram'"

    def ask(self, text: str) -> list[int]:
        grams = {word[start : start + 3] for word in text.split() for start in range(max(len(word) - 2, 1))}
        grams = {gram for gram in grams if len(gram) == 3}
        if not grams:
            return []
        match = " OR ".join(f'"{gram}"' for gram in grams)
        rows = self.database.execute(
            "SELECT rowid FROM item WHERE item MATCH ? ORDER BY bm25(item, 10, 5, 1) LIMIT 10", (match,)
        )
        return [row[0] for row in rows]


class Corrected(FullText):
    """FTS5, every word first replaced by the nearest known one."""

    name = "corrected"
    title = "FTS5, corrected by SymSpell"
    kinds = ["one typo", "one letter"]

    def __init__(self, items: list[dict], folder: Path):
        super().__init__(items, folder)
        self.spelling = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
        counts: dict[str, int] = {}
        for item in items:
            for word in " ".join(texts(item)).lower().replace(".", "").split():
                counts[word] = counts.get(word, 0) + 1
        for word, count in counts.items():
            self.spelling.create_dictionary_entry(word, count)

    def ask(self, text: str) -> list[int]:
        words = []
        for word in text.split():
            found = self.spelling.lookup(word, Verbosity.TOP, max_edit_distance=1) if len(word) > 3 else []
            words.append(found[0].term if found else word)
        return super().ask(" ".join(words))


class Tantivy:
    """tantivy in a folder, a field for each, titles weighed most; misspelt words within one edit."""

    name = "tantivy"
    title = "tantivy"
    kinds = EXACT
    edits = 0
    fields = [("title", 3.0), ("keywords", 2.0), ("description", 1.0)]

    def __init__(self, items: list[dict], folder: Path):
        builder = tantivy.SchemaBuilder()
        for field, _ in self.fields:
            builder.add_text_field(field, stored=False)
        builder.add_integer_field("number", stored=True, fast=True)
        self.schema = builder.build()
        index = tantivy.Index(self.schema, path=str(folder))
        writer = index.writer(200_000_000, 2)
        for number, item in enumerate(items):
            title, keywords, description = texts(item)
            writer.add_document(
                tantivy.Document(title=title, keywords=keywords, description=description, number=number)
            )
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self.searcher = index.searcher()

    def ask(self, text: str) -> list[int]:
        words = text.lower().split()
        clauses = []
        for place, word in enumerate(words):
            edits = self.edits if len(word) >= 4 else 0
            isPrefix = place == len(words) - 1
            choices = []
            for field, boost in self.fields:
                if edits or isPrefix:
                    query = tantivy.Query.fuzzy_term_query(
                        self.schema, field, word, distance=edits, transposition_cost_one=True, prefix=isPrefix
                    )
                else:
                    query = tantivy.Query.term_query(self.schema, field, word)
                choices.append((tantivy.Occur.Should, tantivy.Query.boost_query(query, boost)))
            clauses.append((tantivy.Occur.Must, tantivy.Query.boolean_query(choices)))
        hits = self.searcher.search(tantivy.Query.boolean_query(clauses), limit=10, count=False).hits
        return [self.searcher.doc(address)["number"][0] for _, address in hits]


class TantivyFuzzy(Tantivy):
    """The same with one edit a word."""

    name = "tantivy-fuzzy"
    title = "tantivy, fuzzy"
    kinds = ["one typo"]
    edits = 1


class Xapian:
    """Xapian with the terms of all fields, titles weighed most; spelling correction by its own dictionary."""

    name = "xapian"
    title = "Xapian"
    kinds = KINDS

    def __init__(self, items: list[dict], folder: Path):
        database = xapian.WritableDatabase(str(folder / "database"), xapian.DB_CREATE_OR_OPEN)
        generator = xapian.TermGenerator()
        generator.set_database(database)
        generator.set_flags(xapian.TermGenerator.FLAG_SPELLING)
        database.begin_transaction()
        for number, item in enumerate(items):
            document = xapian.Document()
            generator.set_document(document)
            for text, weight in zip(texts(item), (10, 5, 1)):
                generator.index_text(text, weight)
            document.set_data(str(number))
            database.add_document(document)
        database.commit_transaction()
        database.close()
        self.database = xapian.Database(str(folder / "database"))
        self.parser = xapian.QueryParser()
        self.parser.set_database(self.database)
        self.parser.set_default_op(xapian.Query.OP_AND)
        self.enquire = xapian.Enquire(self.database)

    def ask(self, text: str) -> list[int]:
        flags = xapian.QueryParser.FLAG_PARTIAL | xapian.QueryParser.FLAG_SPELLING_CORRECTION
        query = self.parser.parse_query(text, flags)
        self.enquire.set_query(query)
        found = [int(match.document.get_data()) for match in self.enquire.get_mset(0, 10)]
        corrected = self.parser.get_corrected_query_string()
        if found or not corrected:
            return found
        self.enquire.set_query(self.parser.parse_query(corrected, xapian.QueryParser.FLAG_PARTIAL))
        return [int(match.document.get_data()) for match in self.enquire.get_mset(0, 10)]


PEERS = [FullText, Trigrams, Tantivy, TantivyFuzzy, Xapian, Corrected]
