"""Draws the terminal interface with sample data as SVG pictures for the documentation.

    Scripts/screenshots/tui

Writes docs/images/tui-*.svg: text and rectangles, no picture of a letter, so that they stay small and sharp.
"""
from __future__ import annotations

import html
import re
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from terminal import Terminal, program  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH, HEIGHT = 8.4, 18
GROUND, TEXT = "#1c1f26", "#d8dce4"
BLOCKS = "█▀▄"
BASIC = ["#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dce4"]


def colour(number: int) -> str:
    """One of the 256 colours (xterm)."""
    if number < 16:
        return BASIC[number % 8]
    if number >= 232:
        return f"#{(number - 232) * 10 + 8:02x}" * 1 + f"{(number - 232) * 10 + 8:02x}" * 2
    number -= 16
    levels = [0, 95, 135, 175, 215, 255]
    return f"#{levels[number // 36]:02x}{levels[number // 6 % 6]:02x}{levels[number % 6]:02x}"


def columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Look:
    """The attributes that escape sequences set."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.bold = self.dim = self.reverse = self.underline = False
        self.front: str | None = None
        self.back: str | None = None

    def take(self, codes: list[int]) -> None:
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code in (1, 2, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 4: "underline", 7: "reverse"}[code], True)
            elif code == 22:
                self.bold = self.dim = False
            elif code == 24:
                self.underline = False
            elif code == 27:
                self.reverse = False
            elif code in (38, 48) and codes[:1] == [5]:
                setattr(self, "front" if code == 38 else "back", colour(codes[1]))
                del codes[:2]
            elif 30 <= code <= 37:
                self.front = BASIC[code - 30]
            elif 40 <= code <= 47:
                self.back = BASIC[code - 40]
            elif code == 39:
                self.front = None
            elif code == 49:
                self.back = None

    def key(self) -> tuple:
        front, back = self.front or TEXT, self.back
        if self.reverse:
            front, back = back or GROUND, front
        return front, back, self.bold, self.dim and not self.reverse, self.underline


def picture(screen: str, width: int, height: int) -> str:
    """Returns an SVG picture of a screen from the output of tmux with escape sequences."""
    parts: list[str] = []
    look = Look()
    for row, line in enumerate(screen.split("\n")[:height]):
        column = 0
        runs: list[tuple[tuple, int, str]] = []
        for piece in re.split(r"(\x1b\[[0-9;]*m|\x1b[()][A-Z0-9]|\x0e|\x0f)", line):
            if piece.startswith("\x1b["):
                look.take([int(code or 0) for code in piece[2:-1].split(";")])
            elif piece and piece[0] not in "\x1b\x0e\x0f":
                for character in piece:
                    span = columns(character)
                    joins = runs and runs[-1][0] == look.key() and span < 2 and runs[-1][1] + len(runs[-1][2]) == column
                    if span == 0 and runs:
                        runs[-1] = (runs[-1][0], runs[-1][1], runs[-1][2] + character)
                    elif joins and (character.isascii() and runs[-1][2].isascii() or character in BLOCKS and runs[-1][2][-1] == character):
                        runs[-1] = (runs[-1][0], runs[-1][1], runs[-1][2] + character)
                    else:
                        runs.append((look.key(), column, character))
                    column += span
        for (front, back, bold, dim, underline), start, text in runs:
            x, y = start * WIDTH, row * HEIGHT
            span = sum(columns(character) for character in text)
            if back:
                parts.append(f'<rect x="{x:.1f}" y="{y}" width="{span * WIDTH:.1f}" height="{HEIGHT}" fill="{back}"/>')
            if text[0] in BLOCKS:
                top = y + (HEIGHT / 2 if text[0] == "▄" else 0)
                tall = HEIGHT if text[0] == "█" else HEIGHT / 2
                parts.append(f'<rect x="{x:.1f}" y="{top:g}" width="{span * WIDTH:.1f}" height="{tall:g}" fill="{front}"/>')
                continue
            for words in re.finditer(r"\S+(?: \S+)*", text):
                x = (start + sum(columns(character) for character in text[: words.start()])) * WIDTH
                span = sum(columns(character) for character in words.group())
                style = f' fill="{front}"' if front != TEXT else ""
                style += ' font-weight="bold"' if bold else ""
                style += ' opacity="0.65"' if dim else ""
                style += ' text-decoration="underline"' if underline else ""
                parts.append(
                    f'<text x="{x:.1f}" y="{y + 13.5:g}" textLength="{span * WIDTH:.1f}"{style}>{html.escape(words.group())}</text>')
    w, h = width * WIDTH, height * HEIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {w + 20:.0f} {h + 20}" width="{w + 20:.0f}" '
        f'height="{h + 20}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="{TEXT}" '
        f'xml:space="preserve">\n<rect x="-10" y="-10" width="{w + 20:.0f}" height="{h + 20}" rx="8" fill="{GROUND}"/>\n'
        + "\n".join(parts) + "\n</svg>\n")


def main() -> None:
    tui, cli = program(ROOT, "switchboard-tui"), program(ROOT, "switchboard")
    images = ROOT / "docs/images"
    images.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        database = folder + "/people.sqlite"

        def run(*arguments: str) -> str:
            return subprocess.run(
                [cli, "--database", database, *arguments], check=True, capture_output=True, text=True).stdout

        run("contacts", "import", str(ROOT / "Apps/switchboard/Samples/contacts.vcf"), "--region", "GB")
        run("prospects", "me", "set", "--name", "Łukasz Nowak", "--email", "lukasz@example.org")
        run("find", "an")
        for name, width, height, keys in [
            ("tui-keypad", 100, 24, [("type", "5646"), ("wait", "Jogo")]),
            ("tui-airports", 110, 26, [("press", "M-4"), ("wait", "Popular"), ("type", "frankfrut"), ("wait", "misspelled")]),
            ("tui-keypad-typing", 80, 24, [("press", "M-2"), ("wait", "contacts:"), ("press", "M-a"), ("press", "F9"), ("wait", "2–9"), ("type", "#3673*"), ("wait", "Dose")]),
            ("tui-badge", 80, 28, [("press", "M-b"), ("wait", "█")]),
        ]:
            terminal = Terminal(f"{tui} --database {database}", width, height)
            try:
                terminal.wait("Activity")
                for action, argument in keys:
                    getattr(terminal, action)(argument)
                terminal.quiet()
                # Elapsed times differ between runs.
                screen = re.sub(r"[\d.]+ (ms|µs)(?=\s*\n)", "", terminal.screen(True))
                (images / f"{name}.svg").write_text(picture(screen, width, height), encoding="utf-8")
                print(f"docs/images/{name}.svg")
            finally:
                terminal.close()


if __name__ == "__main__":
    main()
