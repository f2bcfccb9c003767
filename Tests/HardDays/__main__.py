"""Hard days: python Tests/HardDays COMMAND SERVER TERMINAL [--short] [--minutes N] [--table FILE] [NAME]"""

import argparse
import sys
import time

import clock
import crowd
import damage
import disks
import failing
import killing
import soaking
from bench import Programs

TESTS = [
    killing.test_killing, crowd.test_crowd, disks.test_full_disk, disks.test_read_only, failing.test_failing_calls,
    failing.test_failing_server, damage.test_damaged_database, damage.test_damaged_files, clock.test_clock, soaking.test_soak,
]


def main():
    parser = argparse.ArgumentParser(prog="Tests/HardDays")
    parser.add_argument("command", help="the program switchboard")
    parser.add_argument("server", help="the program switchboard-server")
    parser.add_argument("terminal", help="the program switchboard-tui")
    parser.add_argument("name", nargs="?", default="", help="a part of a test's name")
    parser.add_argument("--short", action="store_true", help="each a few times")
    parser.add_argument("--minutes", type=float, help="how long to load the server")
    parser.add_argument("--table", help="append the rows of the table to this file")
    options = parser.parse_intermixed_args()
    programs = Programs(options.command, options.server, options.terminal, options.short, options.minutes)
    rows = []
    for test in TESTS:
        # Some seconds under load tell nothing: the soak is run in the long run, or when it is named.
        if options.name not in test.__name__ or (options.short and test is soaking.test_soak and not options.name):
            continue
        begun = time.monotonic()
        print(test.__name__, flush=True)
        rows += test(programs)
        print(f"  passed after {time.monotonic() - begun:.1f} s", flush=True)
    text = "".join(f"{row}\n" for row in rows)
    print(text, end="")
    if options.table:
        with open(options.table, "a", encoding="utf-8") as table:
            table.write(text)
    return 0 if rows else 64


if __name__ == "__main__":
    sys.exit(main())
