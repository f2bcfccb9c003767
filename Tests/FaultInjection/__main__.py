"""Fault injection: python Tests/FaultInjection COMMAND SERVER TERMINAL [--short] [--minutes N] [--table FILE] [NAME]"""

import argparse
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import clock
import contention
import corruption
import disks
import failing
import isolation
import killing
import memory
import soak
import upgrade
from bench import Programs

TESTS = [
    killing.test_killing, contention.test_contention, disks.test_full_disk, disks.test_read_only, failing.test_failing_calls,
    failing.test_failing_server, corruption.test_corrupt_database, corruption.test_corrupt_index_files, clock.test_clock, isolation.test_isolation,
    upgrade.test_upgrade, memory.test_memory, soak.test_soak,
]


def main():
    parser = argparse.ArgumentParser(prog="Tests/FaultInjection")
    parser.add_argument("command", help="the program switchboard")
    parser.add_argument("server", help="the program switchboard-server")
    parser.add_argument("terminal", help="the program switchboard-tui")
    parser.add_argument("name", nargs="?", default="", help="a part of a test's name")
    parser.add_argument("--short", action="store_true", help="run a few rounds of each test")
    parser.add_argument("--minutes", type=float, help="the duration of the soak test")
    parser.add_argument("--table", help="append the rows of the table to this file")
    options = parser.parse_intermixed_args()
    programs = Programs(options.command, options.server, options.terminal, options.short, options.minutes)
    # A soak of a few seconds shows nothing: it runs only in the long run, or when it is named.
    chosen = [
        test for test in TESTS
        if options.name in test.__name__ and (not options.short or test is not soak.test_soak or options.name)
    ]
    # In the long run, most tests wait for disks and processes, so two at a time take little more than half the time.
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
    """Returns the rows of a test, or None if it failed. A failure does not stop the other tests."""
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
