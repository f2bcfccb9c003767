"""Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->` in docs/performance.md or docs/figures.md, whichever has
it, with standard input.

Usage: document.py NAME < TEXT
"""

import re
import sys
from pathlib import Path


DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
PAGES = [DOCS / "performance.md", DOCS / "figures.md"]


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
    pages = {path: path.read_text(encoding="utf-8") for path in PAGES}
    count = sum(len(between.findall(page)) for page in pages.values())
    if count != 1:
        print(f"document.py: the pages have {count} sections named {name} instead of one", file=sys.stderr)
        return 65
    for path, page in pages.items():
        path.write_text(between.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
