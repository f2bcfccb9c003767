"""Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->` in a document with standard input.

Usage: document.py FILE NAME < TEXT
"""

import re
import sys
from pathlib import Path


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: document.py FILE NAME < TEXT", file=sys.stderr)
        return 64
    path, name = Path(sys.argv[1]), sys.argv[2]
    text = sys.stdin.read().strip()
    if not text:
        print(f"document.py: no input for {name}; {path} is unchanged", file=sys.stderr)
        return 65
    between = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- /{re.escape(name)} -->)", re.DOTALL)
    before = path.read_text(encoding="utf-8")
    after, count = between.subn(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", before)
    if count != 1:
        print(f"document.py: {path} has {count} sections named {name} instead of one", file=sys.stderr)
        return 65
    path.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
