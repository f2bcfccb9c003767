"""Rows of the table from what fuzzers and sanitizers have printed: counts.py fuzz SECONDS | api | address | thread < OUTPUT"""

import re
import sys

from bench import Row

# What the fuzzers print, and what that is called.
FUZZERS = [
    (r"^cards: (\d+) files", "vCards"), (r"^tables: (\d+) files", "tables of contacts"),
    (r"^Items read: (\d+)", "items as JSON"), (r"^Queries read: (\d+), refused: (\d+)", "queries"),
    (r"^Pages read: (\d+)", "web pages"), (r"^Payloads understood: (\d+), refused: (\d+)", "payloads of codes"),
    (r"^Pictures read: (\d+), refused: (\d+)", "pictures"), (r"^Snapshots taken: (\d+), refused: (\d+)", "popular lists"),
    (r"^Backups restored: (\d+), refused: (\d+)", "backups"), (r"^Databases opened: (\d+).* refused: (\d+)", "databases"),
    (r"^Keys read: (\d+), refused: (\d+)", "key strings"), (r"^Texts entered \(\w+\): (\d+)", "key sequences"),
    (r"^Lists opened: (\d+), refused: (\d+)", "lists of words"), (r"^Damaged blocks: (\d+)", "indexes in memory"),
    (r"^Damaged files: (\d+)", "index files"),
]


def fuzz(text, seconds):
    counts = []
    for pattern, name in FUZZERS:
        found = re.findall(pattern, text, re.M)
        numbers = [int(number) for groups in found for number in ([groups] if isinstance(groups, str) else groups)]
        if not numbers:
            sys.exit(f"counts.py: nothing was printed of {name}")
        counts.append(f"{sum(numbers):,} {name}")
    return Row(
        "Readers fed with mutations of sound and of once-found input", f"{seconds} s each, all at once: {', '.join(counts)}",
        "no crash, nothing read otherwise than it was")


def api(text):
    found = re.search(r"(\d[\d,]*) generated", text)
    if not found:
        sys.exit("counts.py: schemathesis has not said how much it has asked")
    return Row(
        "The server asked what its description says, and what it does not (schemathesis)", f"{int(found[1].replace(',', '')):,} requests",
        "no crash, no answer that the description does not promise")


def sanitizer(text, name):
    found = re.findall(r"Test run with (\d+) tests? in \d+ suites? passed", text)
    if not found:
        sys.exit("counts.py: no tests were run")
    return Row(f"Tests under the {name} sanitizer (Scripts/sanitize)", f"{sum(map(int, found)):,} tests", "it has found nothing")


def main():
    what, text = sys.argv[1], sys.stdin.read()
    print(fuzz(text, sys.argv[2]) if what == "fuzz" else api(text) if what == "api" else sanitizer(text, what))


main()
