#!/usr/bin/env python3
"""Writes the two generated tables of the module SwitchboardTextNormalization.

    pip install -r Scripts/data/han/requirements.txt
    Scripts/data/folding-tables.py [UNIHAN]

UNIHAN is the folder with Unihan_Readings.txt.bz2 and the other files of Debian's package unicode-data (15.0.0), by default
/usr/share/unicode. The folder Modules/Core/CTextTables/data has the tables and a README with their formats.

folding.table    compatibility decomposition, case folding, decimal digits, and letters without a decomposition, from
                 Python's unicodedata; one form of each Han character, from Unihan (both Unicode licence), OpenCC
                 (Apache License 2.0) and han/names.txt
mandarin.table   the most common Mandarin reading of U+3400…9FFF without tones, from Unihan's kMandarin (Unicode
                 licence)

Also checks the readings of mandarin-readings.txt: Unihan must have each of them.
"""
import re
import struct
import sys
import unicodedata
from pathlib import Path

from han.variants import representatives, unihan

UNIHAN = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
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
    # the vertical form of the iteration mark of Han characters
    "〻": "々",
    # Malayalam letters without a vowel
    "ൺ": "ണ്", "ൻ": "ന്", "ർ": "ര്", "ൽ": "ല്", "ൾ": "ള്", "ൿ": "ക്",
}

# Candrabindu is often written as anusvara; Gurmukhi has two signs for one nasal.
ANUSVARA = {chr(block + sign): block + 2 for block in range(0x900, 0xD80, 0x80) for sign in (0, 1)
            if unicodedata.name(chr(block + sign), "").endswith(("CANDRABINDU", "ABOVE", "BINDI"))}
ANUSVARA["\u0A70"] = 0x0A02

HAN_FORMS = {a: b for a, b in representatives(UNIHAN).items() if max(a, b) < END}


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
            out.append(ANUSVARA.get(d, ord(d)))
            continue
        for e in unicodedata.normalize("NFKD", d.casefold()):
            if unicodedata.category(e) == "Nd":
                out.append(ord("0") + unicodedata.digit(e))
                continue
            if ord(e) in HAN_FORMS:
                out.append(HAN_FORMS[ord(e)])
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


def without_tone(reading):
    """Returns a syllable of pinyin in lower case letters, with v for ü."""
    reading = unicodedata.normalize("NFD", reading).replace("u\u0308", "v")
    return "".join(c for c in reading if "a" <= c <= "z")


def mandarin_table(readings):
    offsets, syllables, cells = {}, bytearray(1), []
    for scalar in HAN:
        reading = without_tone(readings.get(scalar, ""))
        if reading and reading not in offsets:
            offsets[reading] = len(syllables)
            syllables += reading.encode("ascii") + b"\0"
        cells.append(offsets.get(reading, 0))
    return struct.pack(f"<{len(cells)}H", *cells) + syllables


def check_readings(known):
    """Reports each reading of the list that Unihan has for no form of the character."""
    of_forms = {}
    for scalar, syllables in known.items():
        of_forms.setdefault(HAN_FORMS.get(scalar, scalar), set()).update(syllables)

    def unknown(character, reading):
        scalar = ord(character)
        return reading not in of_forms.get(HAN_FORMS.get(scalar, scalar), ())

    for entry in (FOLDER / "mandarin-readings.txt").read_text(encoding="utf-8").split():
        name, readings = entry.split(":")
        readings = readings.split("/")
        pairs = zip(name * len(readings) if len(name) == 1 else name, readings)
        for character, reading in pairs:
            if unknown(character, reading):
                print(f"mandarin-readings.txt: Unihan does not have {character}:{reading}", file=sys.stderr)


def main():
    folding, count = folding_table()
    (FOLDER / "folding.table").write_bytes(folding)
    readings, known = {}, {}
    for scalar, name, value in unihan(UNIHAN, "Readings"):
        if name == "kMandarin":
            readings[scalar] = value.split()[0]
        if name in ("kMandarin", "kHanyuPinyin", "kTGHZ2013", "kXHC1983", "kHanyuPinlu"):
            syllables = re.findall(r"[^\W\d_]+", re.sub(r"[\d.*]+:|\(\d+\)", " ", unicodedata.normalize("NFC", value)))
            known.setdefault(scalar, set()).update(map(without_tone, syllables))
    (FOLDER / "mandarin.table").write_bytes(mandarin_table(readings))
    check_readings(known)
    print(f"{count} foldings of Unicode {unicodedata.unidata_version}, {len(HAN_FORMS)} of them of Han characters")


main()
