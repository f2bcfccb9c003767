"""Measures searches of contacts through the command line, as a program that calls it sees them.

Usage: lookups.py SWITCHBOARD DATABASE QUESTIONS

QUESTIONS is the table that the benchmarks wrote for the same contacts. One process answers all queries of a kind: a line
into `--batch --json`, and a line of JSON back through two pipes. "Own" is the `elapsedMicroseconds` of the response, the
search alone; "caller" is the time until the caller has the whole line. The shortest time of each query in three rounds
counts, and the percentiles are over the queries.
"""

import collections
import json
import os
import subprocess
import sys
import time

ROUNDS = 3


class Session:
    """A process that answers queries."""

    def __init__(self, program: str, command: str, database: str):
        self.process = subprocess.Popen(
            [program, "contacts", command, "--batch", "--json", "--database", database],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
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
    print("| query | own | caller | found in ten |")
    print("| --- | ---: | ---: | ---: |")
    for kind in own:
        hits = found[kind].values()
        share = f"{sum(hits) / len(hits):.0%}" if "typo" in kind or "wrong" in kind or "long" in kind else ""
        print(f"| {kind} | {percentiles(list(own[kind].values()))} | {percentiles(list(caller[kind].values()))} | {share} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
