"""English texts from Debian packages: those that pairs of words are counted in, and those that text entry is measured with."""

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

# The headers of the two kinds of strings in R's serialized data.
R_STRING = re.compile(rb"(?:\x00\x04\x00\x09|\x00\x00\x80\x09)(....)", re.DOTALL)
LONGEST_LINE = 400


def austen(root: Path) -> Iterator[str]:
    """The paragraphs of Jane Austen's six novels (r-cran-janeaustenr): an R database of compressed lists of lines."""
    data = (root / "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb").read_bytes()
    while data:
        reader = zlib.decompressobj()
        book = reader.decompress(data[4:])
        data = reader.unused_data
        lines = []
        for header in R_STRING.finditer(book):
            length = struct.unpack(">i", header[1])[0]
            if 0 <= length < LONGEST_LINE:
                lines.append(book[header.end() : header.end() + length].decode())
        yield from paragraphs("\n".join(lines).replace("_", ""))


def wordnet(root: Path) -> Iterator[str]:
    """The definitions and examples of WordNet (wordnet-base), each on its own."""
    for part in ("adj", "adv", "noun", "verb"):
        for line in (root / f"usr/share/wordnet/data.{part}").read_text().splitlines():
            if " | " in line:
                yield from (gloss.strip(' "') for gloss in line.split(" | ", 1)[1].split(";"))


def tom_sawyer(root: Path) -> Iterator[str]:
    """The paragraphs of Mark Twain's Tom Sawyer (golang-github-klauspost-compress-dev)."""
    file = root / "usr/share/gocode/src/github.com/klauspost/compress/testdata/Mark.Twain-Tom.Sawyer.txt"
    text = file.read_text("latin-1")
    yield from paragraphs(text[text.index('"TOM!"') :])


def dasher(root: Path) -> Iterator[str]:
    """The lines of Dasher's English training text (dasher-data)."""
    yield from (root / "usr/share/dasher/training_english_GB.txt").read_text().splitlines()


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a text, each on one line."""
    for paragraph in re.split(r"\n\s*\n", text):
        if words := paragraph.split():
            yield " ".join(words)
