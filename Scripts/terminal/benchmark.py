"""Measures the time from a key press to the screen for the terminal interface and fzf on the same contacts.

    Scripts/bench tui [--sizes 10000,100000,1000000] [--data FOLDER] [--write]

Each program runs in a pseudo-terminal of 100 columns and 30 rows. Names are typed letter by letter; the time of a key ends
with the last byte that the program writes in response. --data keeps the databases in a folder. --write updates
docs/tui.md.

Exits with 1 if a goal is missed: p99 below 16 ms, and the first key of a new picker within 30 ms.
"""
from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from terminal import program  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/tui.md"
COLUMNS, ROWS = 100, 30
NAMES = 12
GOAL = 16.0
PICKER_GOAL = 30.0
PAD = {letter: digit for digit, letters in zip("23456789", ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"]) for letter in letters}


class Watched:
    """A program in a pseudo-terminal."""

    # Seconds without output after which a response is complete.
    QUIET = 0.2

    def __init__(self, command: list[str], environment: dict[str, str]):
        self.begun = time.perf_counter()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment})
        self.written = b""

    def settle(self, wanted: bytes = b"", longest: float = 120, quiet: float | None = None) -> float:
        """Reads until the output pauses. Returns the time of the last bytes."""
        last = time.perf_counter()
        end, seen = last + longest, b""
        while time.perf_counter() < end:
            ready, _, _ = select.select([self.terminal], [], [], quiet or self.QUIET)
            if ready:
                try:
                    seen += os.read(self.terminal, 1 << 16)
                except OSError:
                    break
                last = time.perf_counter()
            elif wanted in seen:
                break
        self.written = seen
        return last

    def press(self, keys: str) -> float:
        """Milliseconds from a key to the end of the response."""
        start = time.perf_counter()
        os.write(self.terminal, keys.encode())
        return (self.settle(longest=10) - start) * 1000

    def memory(self) -> tuple[float, float]:
        """Resident memory and its anonymous part, in MB."""
        text = Path(f"/proc/{self.process}/status").read_text(encoding="utf-8")
        sizes = {name: int(size) / 1024 for name, size in re.findall(r"^(\w+):\s+(\d+) kB", text, re.M)}
        return sizes["VmRSS"], sizes["RssAnon"]

    def end(self) -> None:
        os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def people(folder: Path, count: int, cli: str) -> tuple[Path, Path, list[str]]:
    """The database, the list for fzf and all names of `count` contacts."""
    database, listing, cards = (folder / f"{count}{suffix}" for suffix in (".sqlite", ".txt", ".vcf"))
    generate = [str(ROOT / "Scripts/data/generate-contacts"), "--count", str(count), "--seed", "1"]
    if not database.exists():
        with cards.open("w", encoding="utf-8") as file:
            subprocess.run(generate, check=True, stdout=file)
        subprocess.run([cli, "--database", str(database), "contacts", "import", str(cards), "--quiet"], check=True)
        subprocess.run([cli, "--database", str(database), "contacts", "find", "a"], check=True, capture_output=True)
    names, lines = [], []
    made = subprocess.run([*generate, "--format", "jsonl"], check=True, capture_output=True, text=True).stdout
    for line in made.splitlines():
        person = json.loads(line)
        name, number = person["name"], next(iter(person.get("phones", [])), "")
        names.append(name)
        lines.append(f"{name}\t{number}\n")
    listing.write_text("".join(lines), encoding="utf-8")
    return database, listing, names


def typed(names: list[str]) -> list[str]:
    """Typed prefixes of names in plain letters: the given name, a space and three letters of the family name."""
    plain = sorted({name.lower() for name in names if re.fullmatch(r"[A-Za-z]{3,9} [A-Za-z]{3,12}", name)})
    chosen = random.Random(1).sample(plain, NAMES)
    return [name[: name.index(" ") + 4] for name in chosen]


def measure(watched: Watched, texts: list[str], clear: str = "\x15") -> list[float]:
    times = []
    for text in texts:
        times += [watched.press(letter) for letter in text]
        watched.press(clear)
    return times


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--sizes", default="10000,100000,1000000")
    options.add_argument("--data", type=Path)
    options.add_argument("--write", action="store_true")
    arguments = options.parse_args()
    tui, cli = program(ROOT, "switchboard-tui"), program(ROOT, "switchboard")
    fzf = subprocess.run(["fzf", "--version"], check=True, capture_output=True, text=True).stdout.split()[0]
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.data or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        sizes = [int(size) for size in arguments.sizes.split(",")]
        made = {size: people(folder, size, cli) for size in sizes}
        load = os.getloadavg()[0]
        rows, start, missed = [], [], []
        for size in sizes:
            database, listing, names = made[size]
            texts = typed(names)
            digits = ["".join(PAD.get(letter, "") for letter in text) for text in texts]
            environment = {"SWITCHBOARD_REGION": "GB", "SWITCHBOARD_REMOTE": ""}

            def run_tui(tab: str, what: list[str]) -> tuple[float, list[float], tuple[float, float]]:
                watched = Watched([tui, "--database", str(database)], environment)
                begun = (watched.settle(b"rows") - watched.begun) * 1000
                watched.press(tab)
                times = measure(watched, what)
                memory = watched.memory()
                watched.end()
                return begun, times, memory

            def run_picker() -> tuple[float, list[float], tuple[float, float]]:
                """The first key of a new picker, for each name."""
                begun, times, memory = [], [], (0.0, 0.0)
                for text in texts:
                    watched = Watched([tui, "--database", str(database), "--pick", "contact"], environment)
                    begun.append((watched.settle(quiet=0.1) - watched.begun) * 1000)
                    times.append(watched.press(text[0]))
                    memory = watched.memory()
                    watched.end()
                return percentile(begun, 0.5), times, memory

            def run_fzf() -> tuple[float, list[float], tuple[float, float]]:
                watched = Watched(["sh", "-c", f"exec fzf <'{listing}'"], {"FZF_DEFAULT_OPTS": ""})
                begun = (watched.settle(f"{size}/{size}".encode(), quiet=0.6) - watched.begun) * 1000
                times = measure(watched, texts)
                memory = watched.memory()
                watched.end()
                return begun, times, memory

            for name, ended in [
                ("Contacts, text", run_tui("\x1b2", texts)), ("Contacts, keypad", run_tui("\x1b2", digits)),
                ("Find, text", run_tui("\x1b1", texts)), ("Picker, the first key", run_picker()), (f"fzf {fzf}, text", run_fzf()),
            ]:
                begun, times, (resident, own) = ended
                p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
                rows.append(f"| {size:,} | {name} | {p50:.1f} | {p99:.1f} | {max(times):.1f} | {begun:.0f} | {resident:.0f} | {own:.0f} |")
                print(rows[-1], flush=True)
                goal = PICKER_GOAL if name.startswith("Picker") else GOAL
                if not name.startswith("fzf") and p99 >= goal:
                    missed.append(f"{name} with {size:,}: p99 {p99:.1f} ms")
        commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
        date = time.strftime("%Y-%m-%d", time.gmtime())
        text = (
            f"{date}, commit {commit.stdout.strip()}, {NAMES} names typed letter by letter. Load before the run: {load:.2f}.\n\n"
            "| people | | p50, ms | p99, ms | slowest, ms | start-up, ms | resident, MB | of it no file's, MB |\n"
            "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n" + "\n".join(rows) + "\n\n"
            + ("Missed: " + "; ".join(missed) + ".\n" if missed else "All goals are met.\n"))
        print(text)
        if arguments.write:
            page = PAGE.read_text(encoding="utf-8")
            page = re.sub(r"(<!-- tui -->\n\n).*?(\n<!-- /tui -->)", lambda match: match[1] + text + match[2], page, flags=re.S)
            PAGE.write_text(page, encoding="utf-8")
        return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
