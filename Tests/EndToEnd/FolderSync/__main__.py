"""Tests of folder sync: python Tests/EndToEnd/FolderSync PROGRAM [NAME]"""

import sys
import time

import carddav
import killing
import reading

TESTS = [carddav.test_carddav, reading.test_khard, reading.test_unwritable, killing.test_killing]


def main():
    program = sys.argv[1]
    name = sys.argv[2] if len(sys.argv) > 2 else ""
    for test in TESTS:
        if name not in test.__name__:
            continue
        start = time.monotonic()
        print(test.__name__, flush=True)
        test(program)
        print(f"  passed after {time.monotonic() - start:.1f} s", flush=True)


main()
