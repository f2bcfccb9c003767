#!/usr/bin/env python3
"""Writes the two generated tables of the module SwitchboardTextNormalization.

    Scripts/data/folding-tables.py UNIHAN_READINGS

UNIHAN_READINGS is Unihan_Readings.txt, plain or .bz2, as in Debian's package unicode-data
(/usr/share/unicode/Unihan_Readings.txt.bz2). The folder Modules/Core/CTextTables/data has the tables and a README with
their formats.

folding.table    compatibility decomposition, case folding, decimal digits, and letters without a decomposition, from
                 Python's unicodedata (Unicode licence)
mandarin.table   the most common Mandarin reading of U+3400…9FFF without tones, from Unihan's kMandarin (Unicode
                 licence)
"""
import bz2
import struct
import sys
import unicodedata
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "Modules/Core/CTextTables/data"
# The scalars that may have a folding, in blocks of 32.
END, BLOCK = 0x30000, 32
# The Han characters with readings.
HAN = range(0x3400, 0xA000)

# Private-use marks for letters whose second spelling must survive folding.
STROKE, SLASH, SCHWA, ENG = 0x0335, 0x0338, 0xE000, 0xE001

# Letters without a decomposition, in lower case.
EXTRA = {
    "ı": "i", "ȷ": "j", "ł": "l", "đ": ("d", STROKE), "ð": "d", "ø": ("o", SLASH), "æ": "ae", "œ": "oe", "ß": "ss",
    "þ": "th", "ħ": "h", "ŧ": "t", "ŋ": ("n", ENG), "ĸ": "k", "ə": ("e", SCHWA), "ɛ": "e", "ɔ": "o", "ɓ": "b",
    "ɗ": "d", "ɖ": "d", "ƒ": "f", "ɠ": "g", "ɣ": "g", "ƙ": "k", "ɲ": "n", "ɨ": "i", "ʉ": "u", "ƴ": "y", "ƀ": "b",
    "ƶ": "z", "ɋ": "q", "ɍ": "r", "ɏ": "y", "ɉ": "j", "ⱥ": "a", "ȼ": "c", "ɇ": "e", "ⱦ": "t", "ƚ": "l", "ǥ": "g",
    "ǝ": "e", "ʒ": "z", "ƣ": "g", "ƿ": "w", "ƈ": "c", "ƥ": "p", "ƭ": "t", "ʋ": "v", "ɩ": "i", "ʊ": "u", "ƞ": "n",
    # Hebrew final forms, Yiddish pairs, geresh and gershayim
    "ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ", "װ": "וו", "ױ": "וי", "ײ": "יי", "״": "",
    # Arabic, Persian, Urdu: one form of each letter; tatweel
    "ٱ": "ا", "ى": "ي", "ی": "ي", "ے": "ي", "ې": "ي", "ۍ": "ي", "ک": "ك", "ڪ": "ك", "ہ": "ه", "ھ": "ه", "ە": "ه",
    "ۃ": "ة", "ں": "ن", "ٲ": "ا", "ٳ": "ا", "ٵ": "ا", "ٶ": "و", "ٷ": "و", "ٸ": "ي", "ـ": "", "ۀ": "ه", "ۂ": "ه",
    "ټ": "ت", "ډ": "د", "ړ": "ر", "ګ": "گ", "ڼ": "ن", "ښ": "ش", "ږ": "ژ", "څ": "خ", "ځ": "ج",
    # Greek symbols without a case folding
    "ϲ": "σ", "ϳ": "ι",
    # modifier letters for soft and hard signs
    "ʹ": "", "ʺ": "",
}


def katakana(c):
    o = ord(c)
    if 0x30A1 <= o <= 0x30F6 or 0x30FD <= o <= 0x30FE:
        return chr(o - 0x60)
    if 0x31F0 <= o <= 0x31FF:  # small katakana of Ainu
        return unicodedata.normalize("NFKD", "くしすとぬはひふへほむらりるれろ"[o - 0x31F0])
    return c


def fold(c):
    """Returns the folded scalars, or None if the scalar folds to itself."""
    text = unicodedata.normalize("NFKD", c)
    out = []
    for d in text:
        if unicodedata.category(d).startswith("M"):
            out.append(ord(d))
            continue
        for e in unicodedata.normalize("NFKD", d.casefold()):
            if unicodedata.category(e) == "Nd":
                out.append(ord("0") + unicodedata.digit(e))
                continue
            extra = EXTRA.get(e, katakana(e))
            out.extend(ord(x) if isinstance(x, str) else x for x in extra)
    return None if out == [ord(c)] else out


def folding_table():
    """Returns the table as 24-bit numbers, and the number of foldings."""
    foldings = []
    for scalar in range(0x80, END):
        is_excluded = 0xD800 <= scalar < 0xE000 or 0xAC00 <= scalar < 0xD7A4
        sequence = None if is_excluded else fold(chr(scalar))
        if sequence is not None:
            foldings.append((scalar, sequence))
    first_entry = END // BLOCK + 1
    first_value = first_entry + len(foldings) + 1
    blocks, entries, values = [], [], []
    for scalar, sequence in foldings:
        while len(blocks) * BLOCK <= scalar:
            blocks.append(first_entry + len(entries))
        entries.append(scalar % BLOCK << 19 | first_value + len(values))
        values += sequence
    blocks += [first_entry + len(entries)] * (first_entry - len(blocks))
    entries.append(first_value + len(values))
    assert first_value + len(values) < 1 << 19
    return b"".join(number.to_bytes(3, "little") for number in blocks + entries + values), len(foldings)


def mandarin_table(path):
    """Returns the readings and the version of Unihan."""
    opener = bz2.open if path.endswith(".bz2") else open
    readings, version = {}, "?"
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# Unicode version"):
                version = line.split()[-1].strip()
            parts = line.rstrip("\n").split("\t")
            if len(parts) == 3 and parts[1] == "kMandarin":
                readings[int(parts[0][2:], 16)] = parts[2].split()[0]
    offsets, syllables, cells = {}, bytearray(1), []
    for scalar in HAN:
        reading = unicodedata.normalize("NFD", readings.get(scalar, "")).replace("u\u0308", "v")
        reading = "".join(c for c in reading if "a" <= c <= "z")
        if reading and reading not in offsets:
            offsets[reading] = len(syllables)
            syllables += reading.encode("ascii") + b"\0"
        cells.append(offsets.get(reading, 0))
    return struct.pack(f"<{len(cells)}H", *cells) + syllables, version


def main():
    folding, count = folding_table()
    (FOLDER / "folding.table").write_bytes(folding)
    mandarin, version = mandarin_table(sys.argv[1])
    (FOLDER / "mandarin.table").write_bytes(mandarin)
    print(f"{count} foldings of Unicode {unicodedata.unidata_version}, readings of Unihan {version}")


main()
