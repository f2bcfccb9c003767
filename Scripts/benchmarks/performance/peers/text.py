"""Text searches of contacts and airports. Each returns at most ten record numbers."""

import sqlite3

import rapidfuzz
import tantivy
from symspellpy import SymSpell, Verbosity

Documents = list[list[str]]


class FullText:
    """FTS5 with a prefix index, all words as prefixes, ranked by BM25."""

    title = "FTS5 with prefix index, bm25"
    is_forgiving = False

    def __init__(self, documents: Documents):
        self.database = sqlite3.connect(":memory:", isolation_level=None)
        self.database.execute("CREATE VIRTUAL TABLE document USING fts5(text, prefix = '1 2 3')")
        self.database.execute("BEGIN")
        self.database.executemany(
            "INSERT INTO document (rowid, text) VALUES (?, ?)", ((n, " ".join(d)) for n, d in enumerate(documents))
        )
        self.database.execute("COMMIT")
        self.database.execute("INSERT INTO document (document) VALUES ('optimize')")

    def ask(self, text: str) -> list[int]:
        match = " ".join('"' + word.replace('"', "") + '"*' for word in text.split())
        if not match:
            return []
        rows = self.database.execute(
            "SELECT rowid FROM document WHERE document MATCH ? ORDER BY rank LIMIT 10", (match,)
        )
        return [row[0] for row in rows]


class Corrected(FullText):
    """The same after replacing each word with the nearest known one (SymSpell, two edits)."""

    title = "the same, corrected by SymSpell"
    is_forgiving = True

    def __init__(self, documents: Documents):
        super().__init__(documents)
        self.spelling = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
        counts: dict[str, int] = {}
        for document in documents:
            for word in " ".join(document).split():
                counts[word] = counts.get(word, 0) + 1
        for word, count in counts.items():
            self.spelling.create_dictionary_entry(word, count)

    def ask(self, text: str) -> list[int]:
        words = []
        for word in text.split():
            found = self.spelling.lookup(word, Verbosity.TOP, max_edit_distance=1 if len(word) < 8 else 2)
            words.append(found[0].term if found else word)
        return super().ask(" ".join(words))


class Tantivy:
    """tantivy: all words within one edit (two from eight letters on), the last one as a prefix."""

    title = "tantivy, fuzzy"
    is_forgiving = True
    edits = True

    def __init__(self, documents: Documents):
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", stored=False)
        builder.add_integer_field("number", stored=True, fast=True)
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema)
        writer = self.index.writer(200_000_000, 1)
        for number, document in enumerate(documents):
            writer.add_document(tantivy.Document(text=" ".join(document), number=number))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def distance(self, word: str) -> int:
        if not self.edits:
            return 0
        return 0 if len(word) < 4 else 1 if len(word) < 8 else 2

    def ask(self, text: str) -> list[int]:
        words = text.lower().split()
        clauses = [
            (
                tantivy.Occur.Must,
                tantivy.Query.fuzzy_term_query(
                    self.schema,
                    "text",
                    word,
                    distance=self.distance(word),
                    transposition_cost_one=True,
                    prefix=place == len(words) - 1,
                ),
            )
            for place, word in enumerate(words)
        ]
        if not clauses:
            return []
        hits = self.searcher.search(tantivy.Query.boolean_query(clauses), limit=10).hits
        return [self.searcher.doc(address)["number"][0] for _, address in hits]


class TantivyPrefix(Tantivy):
    """tantivy without edits."""

    title = "tantivy"
    is_forgiving = False
    edits = False


class Fuzz:
    """RapidFuzz: a scan over the first spelling of all names (WRatio)."""

    title = "RapidFuzz, WRatio"
    is_forgiving = True

    def __init__(self, documents: Documents):
        self.names = [document[0] for document in documents]

    def ask(self, text: str) -> list[int]:
        found = rapidfuzz.process.extract(text, self.names, scorer=rapidfuzz.fuzz.WRatio, limit=10)
        return [number for _, _, number in found]


PEERS = [FullText, Corrected, TantivyPrefix, Tantivy, Fuzz]
