"""Keypad searches of contacts. Each returns at most ten record numbers."""

import sqlite3
from itertools import combinations

from data import Contact


class Scan:
    """Scans all lines of digits because a better match may follow."""

    title = "linear scan of digit strings (`bytes.count`)"
    kinds = {"name", "long name", "initials", "part of a number", "nothing", "one digit"}

    def __init__(self, contacts: list[Contact]):
        self.blob = b""
        ends = []
        parts = []
        size = 0
        for contact in contacts:
            line = " ".join([keys.replace(" ", "") for keys in contact.keys] + contact.numbers).encode() + b"\n"
            parts.append(line)
            size += len(line)
            ends.append(size)
        self.blob = b"".join(parts)
        self.ends = ends

    def ask(self, text: str) -> list[int]:
        from bisect import bisect_right

        query = text.encode()
        self.blob.count(query)
        found: list[int] = []
        place = self.blob.find(query)
        while place >= 0 and len(found) < 10:
            record = bisect_right(self.ends, place)
            found.append(record)
            place = self.blob.find(query, self.ends[record])
        return found


def prefixes(keys: str) -> set[str]:
    """The stored keys of a name: the suffix from each word on, with up to three initials before it."""
    words = keys.split(" ")
    result = {"".join(words[start:]) for start in range(len(words))}
    for size in (1, 2, 3):
        for chosen in combinations(range(len(words)), size):
            for last in range(chosen[-1] + 1, len(words)):
                result.add("".join(words[place][:1] for place in chosen) + "".join(words[last:]))
    return result


class PrefixTable:
    """AOSP's method: a table of all prefixes and one range scan."""

    title = "SQLite table of prefixes (AOSP)"
    kinds = {"name", "long name", "initials", "nothing", "one digit"}

    def __init__(self, contacts: list[Contact]):
        self.database = sqlite3.connect(":memory:", isolation_level=None)
        self.database.execute("CREATE TABLE prefix (key TEXT NOT NULL, contact INTEGER NOT NULL)")
        self.database.execute("BEGIN")
        self.database.executemany(
            "INSERT INTO prefix VALUES (?, ?)",
            (
                (key, number)
                for number, contact in enumerate(contacts)
                for key in set().union(*map(prefixes, contact.keys), contact.numbers)
            ),
        )
        self.database.execute("CREATE INDEX prefix_key ON prefix (key, contact)")
        self.database.execute("COMMIT")

    def ask(self, text: str) -> list[int]:
        rows = self.database.execute(
            "SELECT DISTINCT contact FROM prefix WHERE key >= ? AND key < ? ORDER BY contact LIMIT 10",
            (text, text[:-1] + chr(ord(text[-1]) + 1)),
        )
        return [row[0] for row in rows]


class Trigrams:
    """FTS5 with the trigram tokenizer over keys and numbers; any trigram for typos, ranked by BM25."""

    title = "FTS5 trigram"
    kinds = {
        "name",
        "long name",
        "initials",
        "part of a number",
        "one digit wrong",
        "nothing",
        "one digit",
        "one typo",
    }

    def __init__(self, contacts: list[Contact]):
        self.database = sqlite3.connect(":memory:", isolation_level=None)
        self.database.execute("CREATE VIRTUAL TABLE contact USING fts5(keys, tokenize = 'trigram')")
        self.database.execute("BEGIN")
        self.database.executemany(
            "INSERT INTO contact (rowid, keys) VALUES (?, ?)",
            (
                (number, " ".join([keys.replace(" ", "") for keys in contact.keys] + contact.numbers))
                for number, contact in enumerate(contacts)
            ),
        )
        self.database.execute("COMMIT")
        self.database.execute("INSERT INTO contact (contact) VALUES ('optimize')")

    def ask(self, text: str, typo: bool = False) -> list[int]:
        if len(text) < 3:
            rows = self.database.execute("SELECT rowid FROM contact WHERE keys LIKE ? LIMIT 10", (f"%{text}%",))
            return [row[0] for row in rows]
        match = f'"{text}"'
        if typo:
            match = " OR ".join(f'"{text[place : place + 3]}"' for place in range(len(text) - 2))
        rows = self.database.execute("SELECT rowid FROM contact WHERE keys MATCH ? ORDER BY rank LIMIT 10", (match,))
        return [row[0] for row in rows]

    def ask_misspelt(self, text: str) -> list[int]:
        return self.ask(text, typo=True)


PEERS = [Scan, PrefixTable, Trigrams]
