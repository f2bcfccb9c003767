"""Converts the output of fuzzers and sanitizers to rows of the table: counts.py fuzz | api | address | thread < OUTPUT"""

import re
import sys

from bench import Row

# The output of each fuzzer, and the name of its inputs.
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


def fuzz(text):
    counts = []
    for pattern, name in FUZZERS:
        found = re.findall(pattern, text, re.M)
        numbers = [int(number) for groups in found for number in ([groups] if isinstance(groups, str) else groups)]
        if not numbers:
            sys.exit(f"counts.py: the output contains no number of {name}")
        counts.append(f"{sum(numbers):,} {name}")
    return Row("Mutations of valid inputs, and of inputs that failed before", ", ".join(counts), "no crash, no misread input")


def api(text):
    found = re.search(r"(\d[\d,]*) generated", text)
    if not found:
        sys.exit("counts.py: the output of schemathesis contains no number of requests")
    return Row(
        "Valid and invalid requests generated from the API description (schemathesis)", f"{int(found[1].replace(',', '')):,} requests",
        "no crash, no undocumented response")


def sanitizer(text, name):
    found = re.findall(r"Test run with (\d+) tests? in \d+ suites? passed", text)
    if not found:
        sys.exit("counts.py: the output contains no tests")
    return Row(f"Tests with the {name} sanitizer (Scripts/sanitize)", f"{sum(map(int, found)):,} tests", "no findings")


def main():
    what, text = sys.argv[1], sys.stdin.read()
    print(fuzz(text) if what == "fuzz" else api(text) if what == "api" else sanitizer(text, what))


main()
