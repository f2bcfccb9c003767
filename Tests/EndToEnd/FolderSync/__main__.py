"""Tests of following a folder: python Tests/EndToEnd/FolderSync PROGRAM [NAME]"""

import sys
import time

import carddav
import killing
import reading

TESTS = [carddav.test_carddav, reading.test_khard, reading.test_unwritable, killing.test_killing]


def main():
    program = sys.argv[1]
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    for test in TESTS:
        if wanted not in test.__name__:
            continue
        begun = time.monotonic()
        print(test.__name__, flush=True)
        test(program)
        print(f"  passed after {time.monotonic() - begun:.1f} s", flush=True)


main()
