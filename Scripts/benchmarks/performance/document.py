"""Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->` in docs/performance.md with standard input.

Usage: document.py NAME < TEXT
"""

import re
import sys
from pathlib import Path


PAGE = Path(__file__).resolve().parents[3] / "docs/performance.md"


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: document.py NAME < TEXT", file=sys.stderr)
        return 64
    name = sys.argv[1]
    text = sys.stdin.read().strip()
    if not text:
        print(f"document.py: no input for {name}; nothing is changed", file=sys.stderr)
        return 65
    between = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- /{re.escape(name)} -->)", re.DOTALL)
    page = PAGE.read_text(encoding="utf-8")
    count = len(between.findall(page))
    if count != 1:
        print(f"document.py: the page has {count} sections named {name} instead of one", file=sys.stderr)
        return 65
    PAGE.write_text(between.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
