"""Measures whole processes: a table of the times of `switchboard` next to minimal programs.

Usage: cold.py SWITCHBOARD SAMPLE_DATABASE [LARGE_DATABASE] [--contacts 100000] [--runs 50]

Wall time includes the creation of the process and waiting for it; user and system time come from the kernel. The programs
run in turns, so other load on the machine affects them equally.
"""

import argparse
import os
import shutil
import statistics
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Program:
    title: str
    command: list[str]
    database: str | None = None
    place: str = ""
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    memory: int = 0
    status: int = 0

    def run(self) -> None:
        environment = dict(os.environ, LC_ALL="C.UTF-8")
        if self.database:
            environment["SWITCHBOARD_DATABASE"] = self.database
        silence = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]
        start = time.perf_counter()
        child = os.posix_spawn(self.command[0], self.command, environment, file_actions=silence)
        _, status, usage = os.wait4(child, 0)
        self.wall.append((time.perf_counter() - start) * 1000)
        self.cpu.append((usage.ru_utime + usage.ru_stime) * 1000)
        self.memory = max(self.memory, usage.ru_maxrss)
        self.status = os.waitstatus_to_exitcode(status)


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def row(program: Program) -> str:
    wall = sorted(program.wall)
    cells = [
        f"`{program.title}`{program.place}",
        figure(wall[0]),
        figure(statistics.median(wall)),
        figure(wall[int(len(wall) * 0.9)]),
        figure(statistics.median(program.cpu)),
        figure(program.memory / 1024),
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(prog="cold.py", description=__doc__.splitlines()[0])
    parser.add_argument("switchboard")
    parser.add_argument("sample")
    parser.add_argument("large", nargs="?")
    parser.add_argument("--contacts", type=int, default=100_000, help="how many are in the large database")
    parser.add_argument("--runs", type=int, default=50)
    arguments = parser.parse_args()
    ours = os.path.abspath(arguments.switchboard)

    programs = [Program("true", [shutil.which("true") or "/bin/true"])]
    if sqlite := shutil.which("sqlite3"):
        programs.append(Program("sqlite3 -version", [sqlite, "-version"]))
    programs.append(Program("switchboard --version", [ours, "--version"]))
    for title, database in (("the sample", arguments.sample), (f"{arguments.contacts:,} contacts", arguments.large)):
        if not database:
            continue
        for words in (["contacts", "dial", "5646"], ["contacts", "find", "gonzalse"]):
            programs.append(Program(" ".join(words), [ours, *words, "--json"], database, f" on {title}"))
    for words in ("airports search frankfrut", "airports search fra", "airports nearest 59.93,30.33"):
        words = words.split()
        programs.append(Program(" ".join(words), [ours, *words, "--json"], arguments.sample))

    for program in programs:
        for _ in range(3):
            program.run()
        program.wall.clear()
        program.cpu.clear()
    for _ in range(arguments.runs):
        for program in programs:
            program.run()

    print("| a whole process, ms | fastest | median | p90 | user + system | memory, MB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for program in programs:
        print(row(program))
        if program.status not in (0, 1):
            print(f"{program.title} ended with {program.status}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
