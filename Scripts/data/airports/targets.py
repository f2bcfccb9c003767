"""Writes the targets of the keystroke measurement: the 500 most used airports and the city a traveller types for each.

Usage: targets.py CATALOGUE-DIRECTORY OUTPUT. The file is made once and kept, so that figures can be compared over time.
"""

import sys
from pathlib import Path

from check import table

COUNT = 500


def main() -> None:
    airports = table(Path(sys.argv[1]) / "airports.tsv")[:COUNT]
    lines = ["code\tcity"] + [f"{row['code']}\t{row['city']}" for row in airports]
    Path(sys.argv[2]).write_bytes(("\n".join(lines) + "\n").encode("utf-8"))


if __name__ == "__main__":
    main()
