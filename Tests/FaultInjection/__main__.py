"""Hard days: python Tests/FaultInjection COMMAND SERVER TERMINAL [--short] [--minutes N] [--table FILE] [NAME]"""

import argparse
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

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
    parser = argparse.ArgumentParser(prog="Tests/FaultInjection")
    parser.add_argument("command", help="the program switchboard")
    parser.add_argument("server", help="the program switchboard-server")
    parser.add_argument("terminal", help="the program switchboard-tui")
    parser.add_argument("name", nargs="?", default="", help="a part of a test's name")
    parser.add_argument("--short", action="store_true", help="each a few times")
    parser.add_argument("--minutes", type=float, help="how long to load the server")
    parser.add_argument("--table", help="append the rows of the table to this file")
    options = parser.parse_intermixed_args()
    programs = Programs(options.command, options.server, options.terminal, options.short, options.minutes)
    # Some seconds under load tell nothing: the soak is run in the long run, or when it is named.
    chosen = [
        test for test in TESTS
        if options.name in test.__name__ and (not options.short or test is not soaking.test_soak or options.name)
    ]
    # The long ones wait for disks and processes most of the time: two at once take little more than half as long.
    with ThreadPoolExecutor(max_workers=1 if options.short else 2) as pool:
        endings = list(pool.map(lambda test: attempt(test, programs), chosen))
    rows = [row for ending in endings for row in ending or []]
    if options.table:
        with open(options.table, "a", encoding="utf-8") as table:
            table.writelines(f"{row}\n" for row in rows)
    failed = [test.__name__ for test, ending in zip(chosen, endings) if ending is None]
    if failed:
        print(f"failed: {', '.join(failed)}", flush=True)
    return 1 if failed else 0 if chosen else 64


def attempt(test, programs):
    """The rows of a test; None if it has failed, which keeps no other from running: together they are an hour's work."""
    begun = time.monotonic()
    print(test.__name__, flush=True)
    try:
        rows = test(programs)
    except Exception:
        print(f"{test.__name__} failed:\n{traceback.format_exc()}", flush=True)
        return None
    print(f"{test.__name__} passed after {time.monotonic() - begun:.1f} s", *rows, sep="\n", flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main())
