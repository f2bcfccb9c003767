"""Measures text entry: the keystrokes of the program next to the minimum with a fixed order of words.

The minimum is computed from wordfreq with the keys of languages.py, independently of the shipped lists: words of the same
keys in order of frequency. A word costs its keys, a NEXT for each word before it and the space; it yields its letters and
the space.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import english
import texts
from languages import APOSTROPHE, DOUBLE, LANGUAGES, Language, key_of, letter_keys
from lists import Entry, entries

COUNT = 9_025


def keys(word: str, letters: dict[str, str]) -> str:
    """The keys of a word; the apostrophe is 1."""
    return "".join(
        "1" if letter == APOSTROPHE else DOUBLE[letter][1] if letter in DOUBLE else key_of(letter, letters) for letter in word
    )


def counted(language: Language, whole: bool, debian: Path) -> list[Entry]:
    """The counted words: for comparison with others, without apostrophes and single letters that are not words."""
    words = entries(language)
    if whole:
        return words + english.further_entries(debian, language, words) if language.code == "en" else words
    return [
        word
        for word in words
        if APOSTROPHE not in word.text and (len(word.text) > 1 or word.text in language.one_letter_words)
    ][:COUNT]


def least(rows: list[tuple[str, str, float]]) -> float:
    """Keystrokes per character when words of the same keys are in order of frequency."""
    strokes = letters = 0.0
    seen: dict[str, int] = {}
    for word, typed, frequency in sorted(rows, key=lambda row: -row[2]):
        place = seen.get(typed, 0)
        seen[typed] = place + 1
        strokes += frequency * (len(typed) + place + 1)
        letters += frequency * (len(word) + 1)
    return strokes / letters


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--debian", type=Path, required=True, help="the extracted Debian packages")
    options = parser.parse_args()
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lowest: dict[tuple[str, str], tuple[int, float]] = {}
        for language in LANGUAGES:
            letters = letter_keys(language)
            for which in ("9025", "all"):
                rows = [(word.text, keys(word.text, letters), 10 ** (-word.cost / 100)) for word in counted(language, which == "all", options.debian)]
                lowest[language.code, which] = (len(rows), least(rows))
                (folder / f"{language.code}.{which}.tsv").write_text("".join(f"{w}\t{k}\t{f!r}\n" for w, k, f in rows))
        found = subprocess.run([options.program, "words", folder], check=True, capture_output=True, text=True).stdout
        lines += [
            "| language | 9,025 words: least | ours | first is right | whole list | least | ours | first is right | look-up µs p50 / p99 | after “the” |",
            "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ]
        reached = {tuple(line.split("\t")[:2]): [float(cell) for cell in line.split("\t")[2:]] for line in found.splitlines()}
        for language in LANGUAGES:
            few, every = reached[language.code, "9025"], reached[language.code, "all"]
            count, bottom = lowest[language.code, "all"]
            lines.append(
                f"| {language.code} | {lowest[language.code, '9025'][1]:.4f} | {few[0]:.4f} | {few[1]:.1%} "
                f"| {count:,} | {bottom:.4f} | {every[0]:.4f} | {every[1]:.1%} | {every[2]:.1f} / {every[3]:.1f} "
                f"| {every[4]:.1f} / {every[5]:.1f} |"
            )
        lines += [
            "",
            "| running text | | words | first is right | spelt | KSPC, words and spaces | KSPC, whole text |",
            "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
        ]
        for title, paragraphs in (("Tom Sawyer", texts.tom_sawyer), ("Dasher's text", texts.dasher)):
            text = folder / "text"
            text.write_text("\n".join(paragraphs(options.debian)))
            found = subprocess.run([options.program, "text", text], check=True, capture_output=True, text=True).stdout
            for line in found.splitlines():
                label, words, first, spelt, plain, whole = line.split("\t")
                lines.append(
                    f"| {title} | {label} | {int(words):,} | {float(first):.1%} | {float(spelt):.2%} "
                    f"| {float(plain):.4f} | {float(whole):.4f} |"
                )
    print("\n".join(lines))


if __name__ == "__main__":
    main()
