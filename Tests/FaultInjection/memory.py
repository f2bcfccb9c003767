"""A large file is imported piece by piece: memory grows with what the index needs of a record, and not with its text."""

import base64
import json
import os
import random

from bench import Bench, Row

# Megabytes of the program with the largest cache of pages, and for each thousand records while their index is built.
BASE, PER_THOUSAND = 190, 0.5


def test_memory(programs):
    bench = Bench(programs)
    count = programs.pick(40_000, 300_000)
    rng = random.Random(5)
    syllables = [consonant + vowel for consonant in "bdfghjklmnprstvz" for vowel in "aeiou"]

    def word():
        return "".join(rng.choices(syllables, k=rng.randint(2, 4)))

    def card(number):
        given, family = word().title(), word().title()
        # A picture is not indexed, so that reading the whole file at once would be noticed.
        photo = base64.b64encode(rng.randbytes(2_000)).decode()
        return (f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:person-{number}\r\nN:{family};{given};;;\r\nFN:{given} {family}\r\n"
                f"TEL:+4420{rng.randrange(10**8):08}\r\nEMAIL:{given}.{family}{number}@example.org\r\nPHOTO:data:image/png;base64,{photo}\r\nEND:VCARD\r\n")

    def item(number):
        return json.dumps({"id": f"item-{number}", "title": f"{word()} {word()}", "keywords": [word()],
                           "contentDescription": " ".join(word() for _ in range(12)),
                           "thumbnailData": base64.b64encode(rng.randbytes(2_000)).decode()}) + "\n"

    rows = []
    for what, record, command in (("contacts", card, ("contacts", "import")), ("items", item, ("index", "put"))):
        source = bench.root / f"{what}.txt"
        with open(source, "w", encoding="utf-8", newline="") as file:
            file.writelines(map(record, range(count)))
        process = bench.start(*command, source, database=bench.root / f"{what}.sqlite")
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, (output, process.stderr.read())
        megabytes, limit = usage.ru_maxrss / 1_024, BASE + PER_THOUSAND * count / 1_000
        assert megabytes <= limit, f"{count:,} {what} took {megabytes:.0f} MB, more than {limit:.0f}"
        rows.append(Row(f"{count:,} {what} are imported in bounded memory", f"a file of {source.stat().st_size / 1e6:.0f} MB",
                        f"none; at most {megabytes:.0f} MB of memory"))
    bench.end()
    return rows
