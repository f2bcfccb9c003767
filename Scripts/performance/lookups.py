"""Asks a book of contacts through the command line and tabulates what it says of its time: finding and ordering alone.

Usage: lookups.py SWITCHBOARD DATABASE QUESTIONS

QUESTIONS is the table that the benchmarks made of the same contacts. Three processes are asked everything in one batch; of each question the
shortest `elapsedMicroseconds` counts, and the percentiles are over the questions.
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
                sys.exit(f"lookups: {len(batch)} questions, {len(answers)} answers")
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
