"""Packs the words of each language into a file for memory-mapped searches. See Modules/Search/CWordLists/data/README.md."""

import argparse
import struct
from pathlib import Path

import english
import texts
from languages import APOSTROPHE, DOUBLE, LANGUAGES, Language, key_of, letter_keys
from lists import Entry, entries, rank
from pairs import pairs

BLOCK = 16
MAGIC = b"SBWORDS2"
# The bits of a cost that hold the case of the word.
CASE_SHIFT = 14


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


def varint(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first; the high bit says that another one follows."""
    packed = bytearray()
    while number >= 0x80:
        packed.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(packed + bytes([number]))


def packed_pairs(likely: dict[str, dict[str, int]], positions: dict[str, int]) -> tuple[bytes, bytes, int]:
    """The index of previous words, the words after each of them, and the number of pairs."""
    index, body, count = bytearray(), bytearray(), 0
    for previous in sorted(likely, key=positions.__getitem__):
        index += struct.pack("<II", positions[previous], len(body))
        last = 0
        for position, cost in sorted((positions[word], cost) for word, cost in likely[previous].items()):
            body += varint(position - last) + bytes([cost])
            last = position
            count += 1
    return bytes(index), bytes(body), count


def pack(language: Language, words: list[Entry], cases: dict[str, int], likely: dict[str, dict[str, int]]) -> tuple[bytes, int]:
    """The bytes of a list and its number of pairs."""
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
        (typed, rank(word, language), word.position, coded, word.cost, word.text)
        for word in words
        for typed, coded in spelt(word.text, codes, keys)
    )
    positions = {row[5]: position for position, row in enumerate(rows)}
    body = bytearray()
    offsets, best = [], []
    previous = b""
    for number, (_, _, _, coded, cost, _) in enumerate(rows):
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
    index, following, count = packed_pairs(likely, positions)
    head = MAGIC + struct.pack("<IIHHI8s", len(rows), len(offsets), len(table), 0, len(body), language.code.encode())
    head += struct.pack("<II", len(index) // 8, len(following))
    for letter, typed in table:
        scalar = ord(letter)
        assert scalar < 0x10000
        first, second = (typed + "\0\0")[:2]
        head += struct.pack("<HBB", scalar, ord(first), ord(second))
    packed = head
    packed += struct.pack(f"<{len(offsets)}I", *offsets)
    packed += struct.pack(f"<{len(best)}H", *best)
    packed += struct.pack(f"<{len(rows)}H", *(row[4] | cases.get(row[5], 0) << CASE_SHIFT for row in rows))
    return bytes(packed + index + body + following), count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--debian", type=Path, required=True, help="the extracted Debian packages")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    total = 0
    for language in LANGUAGES:
        words = entries(language)
        cases, likely = {}, {}
        if language.code == "en":
            words += english.further_entries(options.debian, language, words)
            cases = english.cases(options.debian)
            running = [*texts.austen(options.debian), *texts.wordnet(options.debian)]
            likely = pairs(running, {word.text: word.cost for word in words})
        packed, count = pack(language, words, cases, likely)
        (options.output / f"{language.code}.words").write_bytes(packed)
        total += len(packed)
        print(f"{language.code}: {len(words)} words, {count} pairs, {len(packed)} bytes")
    print(f"{total} bytes in all")


if __name__ == "__main__":
    main()
