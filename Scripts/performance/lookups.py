"""Measures searches of contacts through the command line: the elapsed time that each response reports.

Usage: lookups.py SWITCHBOARD DATABASE QUESTIONS

QUESTIONS is the table that the benchmarks wrote for the same contacts. Three processes answer all queries in one batch. The
shortest `elapsedMicroseconds` of each query counts, and the percentiles are over the queries.
"""

import collections
import json
import subprocess
import sys

ROUNDS = 3


def main() -> int:
    program, database, questions = sys.argv[1:4]
    with open(questions, encoding="utf-8") as file:
        asked = [line.rstrip("\n").split("\t")[:2] for line in file]
    shortest: dict[tuple[str, str], float] = {}
    for _ in range(ROUNDS):
        for command, kind in (("dial", "keypad"), ("find", "text")):
            batch = [question for question in asked if question[0].startswith(kind)]
            answers = subprocess.run(
                [program, "contacts", command, "--batch", "--database", database],
                input="".join(text + "\n" for _, text in batch),
                capture_output=True,
                text=True,
                check=True,
            ).stdout.splitlines()
            if len(answers) != len(batch):
                sys.exit(f"lookups: {len(batch)} queries but {len(answers)} responses")
            for (name, text), answer in zip(batch, answers):
                time = json.loads(answer)["elapsedMicroseconds"]
                shortest[name, text] = min(shortest.get((name, text), time), time)
    times = collections.defaultdict(list)
    for (name, _), time in shortest.items():
        times[name].append(time)
    print("| question | µs, p50 / p99 |")
    print("| --- | ---: |")
    for name, values in times.items():
        values.sort()
        print(f"| {name} | {values[len(values) // 2]:,.0f} / {values[int(len(values) * 0.99)]:,.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
