"""Measures searches of contacts through the command line, as a program that calls it sees them.

Usage: lookups.py SWITCHBOARD DATABASE QUESTIONS

QUESTIONS is the table that the benchmarks wrote for the same contacts. One process answers all queries of a kind: a line
into `--batch --json`, and a line of JSON back through two pipes. "Own" is the `elapsedMicroseconds` of the response, the
search alone; "caller" is the time until the caller has the whole line. The shortest time of each query in three rounds
counts, and the percentiles are over the queries. "Allocations" are those of the whole answer, counted in a process of their
own by a library that is loaded before the C library's.
"""

import collections
import json
import mmap
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROUNDS = 3


class Session:
    """A process that answers queries."""

    def __init__(self, program: str, command: str, database: str, environment: dict[str, str] | None = None):
        self.process = subprocess.Popen(
            [program, "contacts", command, "--batch", "--json", "--database", database],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | (environment or {}),
        )
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()

    def ask(self, text: str) -> tuple[float, dict]:
        """The microseconds until the whole response has arrived, and the response."""
        query = text.encode() + b"\n"
        begin = time.perf_counter_ns()
        os.write(self.input, query)
        answer = os.read(self.output, 1 << 16)
        while not answer.endswith(b"\n"):
            more = os.read(self.output, 1 << 20)
            if not more:
                sys.exit(f"lookups: no response to {text!r}")
            answer += more
        return (time.perf_counter_ns() - begin) / 1000, json.loads(answer)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class Counter:
    """Counts the allocations of sessions."""

    def __init__(self, folder: str):
        library, counts = pathlib.Path(folder, "allocations.so"), pathlib.Path(folder, "count")
        source = pathlib.Path(__file__).with_name("allocations.c")
        subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        counts.write_bytes(bytes(8))
        self.environment = {"LD_PRELOAD": str(library), "ALLOCATIONS": str(counts)}
        with open(counts, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 8)

    @property
    def count(self) -> int:
        return int.from_bytes(self.page[:], sys.byteorder)


def percentiles(values: list[float]) -> str:
    values = sorted(values)
    return f"{values[len(values) // 2]:,.0f} / {values[int(len(values) * 0.99)]:,.0f}"


def main() -> int:
    program, database, questions = sys.argv[1:4]
    with open(questions, encoding="utf-8") as file:
        asked = [line.rstrip("\n").split("\t") for line in file]
    own: dict[str, dict[str, float]] = collections.defaultdict(dict)
    caller: dict[str, dict[str, float]] = collections.defaultdict(dict)
    found: dict[str, dict[str, bool]] = collections.defaultdict(dict)
    allocations: dict[str, list[float]] = collections.defaultdict(list)
    for command, prefix in (("dial", "keypad"), ("find", "text")):
        batch = [question for question in asked if question[0].startswith(prefix)]
        session = Session(program, command, database)
        for _, text, _ in batch[:20]:
            session.ask(text)
        for _ in range(ROUNDS):
            for kind, text, meant in batch:
                took, answer = session.ask(text)
                caller[kind][text] = min(caller[kind].get(text, took), took)
                searched = answer["elapsedMicroseconds"]
                own[kind][text] = min(own[kind].get(text, searched), searched)
                found[kind][text] = any(row["title"] == meant for row in answer["results"])
        session.close()
        with tempfile.TemporaryDirectory() as folder:
            counter = Counter(folder)
            session = Session(program, command, database, counter.environment)
            for _, text, _ in batch[:20]:
                session.ask(text)
            for kind, text, _ in batch:
                before = counter.count
                session.ask(text)
                allocations[kind].append(counter.count - before)
            session.close()
    print("| query | own | caller | allocations | found in ten |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for kind in own:
        hits = found[kind].values()
        share = f"{sum(hits) / len(hits):.0%}" if "typo" in kind or "wrong" in kind or "long" in kind else ""
        times = " | ".join(percentiles(list(part[kind].values())) for part in (own, caller))
        print(f"| {kind} | {times} | {percentiles(allocations[kind])} | {share} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
