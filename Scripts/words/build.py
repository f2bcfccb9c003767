"""Packs the words of each language into a file for memory-mapped searches. See Modules/Search/CWordLists/data/README.md."""

import argparse
import struct
from pathlib import Path

from languages import APOSTROPHE, DOUBLE, LANGUAGES, Language, key_of, letter_keys
from lists import entries, rank

BLOCK = 16
MAGIC = b"SBWORDS1"


def alphabet(language: Language, texts: list[str]) -> list[tuple[str, str]]:
    """The used letters and their keys: by key, letters of the layout first, then those with marks by frequency."""
    letters = letter_keys(language)
    counts: dict[str, int] = {}
    for text in texts:
        for letter in text:
            counts[letter] = counts.get(letter, 0) + 1
    found = []
    for letter, key in letters.items():
        found.append((key, 0, 0, letter, key))
    for letter, count in counts.items():
        if letter in letters or letter == APOSTROPHE:
            continue
        if letter in DOUBLE:
            for keys in DOUBLE[letter]:
                found.append((keys[0], 1, -count, letter, keys))
        else:
            key = key_of(letter, letters)
            found.append((key, 1, -count, letter, key))
    found.sort(key=lambda entry: entry[:3])
    return [(APOSTROPHE, "")] + [(letter, keys) for _, _, _, letter, keys in found]


def spelt(text: str, codes: dict[tuple[str, str], int], keys: dict[str, list[str]]) -> list[tuple[str, bytes]]:
    """The key sequences of a word with its letters as codes. All digraphs of a word are typed the same way."""
    ways = []
    for way in range(2 if any(letter in DOUBLE for letter in text) else 1):
        typed, coded = "", []
        for letter in text:
            options = keys[letter]
            key = options[min(way, len(options) - 1)]
            typed += key
            coded.append(codes[(letter, key)])
        ways.append((typed, bytes(coded)))
    return ways


def pack(language: Language) -> tuple[bytes, int]:
    words = entries(language)
    table = alphabet(language, [word.text for word in words])
    assert len(table) < 256, language.code
    codes = {entry: code for code, entry in enumerate(table)}
    keys: dict[str, list[str]] = {}
    for letter, typed in table:
        keys.setdefault(letter, []).append(typed)
    for letter in DOUBLE:
        if letter in keys:
            keys[letter].sort(key=len, reverse=True)
    rows = sorted(
        (typed, rank(word, language), word.position, coded, word.cost)
        for word in words
        for typed, coded in spelt(word.text, codes, keys)
    )
    body = bytearray()
    offsets, best = [], []
    previous = b""
    for number, (_, _, _, coded, cost) in enumerate(rows):
        shared = 0
        if number % BLOCK == 0:
            offsets.append(len(body))
            best.append(cost)
        else:
            while shared < min(15, len(coded), len(previous)) and coded[shared] == previous[shared]:
                shared += 1
            best[-1] = min(best[-1], cost)
        rest = coded[shared:]
        body.append(shared << 4 | min(15, len(rest)))
        if len(rest) >= 15:
            assert len(rest) - 15 < 256
            body.append(len(rest) - 15)
        body += rest
        previous = coded
    head = MAGIC + struct.pack("<IIHHI8s", len(rows), len(offsets), len(table), 0, len(body), language.code.encode())
    for letter, typed in table:
        scalar = ord(letter)
        assert scalar < 0x10000
        first, second = (typed + "\0\0")[:2]
        head += struct.pack("<HBB", scalar, ord(first), ord(second))
    packed = head
    packed += struct.pack(f"<{len(offsets)}I", *offsets)
    packed += struct.pack(f"<{len(best)}H", *best)
    packed += struct.pack(f"<{len(rows)}H", *(row[4] for row in rows))
    return bytes(packed + body), len(words)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", type=Path, required=True)
    folder = parser.parse_args().output
    total = 0
    for language in LANGUAGES:
        packed, count = pack(language)
        (folder / f"{language.code}.words").write_bytes(packed)
        total += len(packed)
        print(f"{language.code}: {count} words, {len(packed)} bytes")
    print(f"{total} bytes in all")


if __name__ == "__main__":
    main()
