"""Checks the corpus of queries against the catalogue: format, known codes, no duplicates.

Usage: queries.py CATALOGUE-DIRECTORY QUERIES
"""

import sys
from collections import Counter
from pathlib import Path

from check import table


def main() -> int:
    directory = Path(sys.argv[1])
    codes = {row["code"] for name in ("airports.tsv", "cities.tsv") for row in table(directory / name)}
    queries = table(Path(sys.argv[2]))
    broken = []
    seen = set()
    for row in queries:
        key = (row["query"], row["expected"], row["language"])
        if key in seen:
            broken.append(f"duplicate: {row['query']}")
        seen.add(key)
        if row["maxRow"] not in ("1", "3", "5"):
            broken.append(f"{row['query']}: maxRow {row['maxRow']}")
        unknown = [code for code in row["expected"].split("|") if code not in codes]
        if unknown:
            broken.append(f"{row['query']}: unknown {unknown}")
    print(
        f"{len(queries)} queries: " + ", ".join(f"{n} {c}" for c, n in Counter(r["category"] for r in queries).items())
    )
    for line in broken:
        print(f"  {line}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
