#!/usr/bin/env python3
"""Writes the two generated tables of the module SwitchboardTextNormalization.

    Scripts/folding-tables.py UNIHAN_READINGS OUTPUT_FOLDER

UNIHAN_READINGS is Unihan_Readings.txt, plain or .bz2, as in Debian's package unicode-data
(/usr/share/unicode/Unihan_Readings.txt.bz2). OUTPUT_FOLDER is Modules/Core/TextNormalization/Tables.

ScalarFoldingTable+Data.swift   compatibility decomposition, case folding, decimal digits, and letters without a
                                decomposition, from Python's unicodedata (Unicode licence)
PinyinTable+Data.swift          the most common Mandarin reading of U+3400…9FFF without tones, from Unihan's kMandarin
                                (Unicode licence)

Numbers are printable ASCII, which the compiler stores as constant bytes: digits of base 32, lowest first, each 48 +
digit, plus 32 if another digit follows. Line breaks are skipped.
"""
import bz2
import sys
import textwrap
import unicodedata

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


def number(n, into):
    while True:
        digit, n = n & 31, n >> 5
        into.append(chr(48 + digit + (32 if n else 0)))
        if not n:
            return


def signed(n, into):
    number(n << 1 if n >= 0 else (-n << 1) - 1, into)


def folding_table():
    out, last_key, last_value, count = [], 0, 0, 0
    for o in range(0x80, 0x30000):
        if 0xD800 <= o < 0xE000 or 0xAC00 <= o < 0xD7A4:
            continue
        sequence = fold(chr(o))
        if sequence is None:
            continue
        number(o - last_key, out)
        last_key = o
        number(len(sequence), out)
        for value in sequence:
            signed(value - last_value, out)
            last_value = value
        count += 1
    return "".join(out), count


def pinyin_table(path):
    opener = bz2.open if path.endswith(".bz2") else open
    readings, version = {}, "?"
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# Unicode version"):
                version = line.split()[-1].strip()
            parts = line.rstrip("\n").split("\t")
            if len(parts) == 3 and parts[1] == "kMandarin":
                readings[int(parts[0][2:], 16)] = parts[2].split()[0]
    syllables, cells = {}, []
    for o in range(0x3400, 0xA000):
        reading = unicodedata.normalize("NFD", readings.get(o, "")).replace("u\u0308", "v")
        reading = "".join(c for c in reading if "a" <= c <= "z")
        index = 0 if not reading else syllables.setdefault(reading, len(syllables) + 1)
        cells.append(chr(48 + (index & 63)) + chr(48 + (index >> 6)))
    return "".join(cells), list(syllables), version


def literal(text, width=110):
    if " " in text:
        lines = textwrap.wrap(text, width)
    else:
        lines = [text[i : i + width] for i in range(0, len(text), width)]
    return '#"""\n' + "\n".join("        " + line for line in lines) + '\n        """#'


def write(path, body):
    with open(path, "w", encoding="utf-8") as file:
        file.write("// Generated by Scripts/folding-tables.py: do not edit.\n// swift-format-ignore-file\n\n" + body)


def main():
    readings, folder = sys.argv[1:]
    data, count = folding_table()
    write(
        f"{folder}/ScalarFoldingTable+Data.swift",
        f"extension ScalarFoldingTable {{\n    /// The folding of {count} scalars, Unicode {unicodedata.unidata_version}.\n"
        f"    static let data: StaticString = {literal(data)}\n    static let entryCount = {count}\n}}\n",
    )
    cells, syllables, version = pinyin_table(readings)
    assert len(syllables) < 4096
    write(
        f"{folder}/PinyinTable+Data.swift",
        f"extension PinyinTable {{\n    /// The number of the syllable of each scalar from U+3400, in two base-64 characters; 0 for none. Unihan {version}.\n"
        f"    static let cells: StaticString = {literal(cells)}\n"
        f"    static let syllableData: StaticString = {literal(' '.join(syllables))}\n}}\n",
    )
    print(f"{count} foldings in {len(data)} bytes, {len(syllables)} syllables")


main()
