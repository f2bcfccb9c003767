"""Switchboard killed at any moment: both sides stay whole, and the next run goes on."""

import random
import subprocess
import time

from bench import Bench, card

PEOPLE = 120
TURNS = 4


def test_killing(program):
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    bench = Bench(program)
    bench.run("access", "grant", "contacts")
    for number in range(PEOPLE):
        (bench.folder / f"u-{number}.vcf").write_text(
            card(f"u-{number}", f"Person{number} Smith", f"TEL:+90532{number:07}", "X-KEPT:yes"))
    killed = 0

    def sync_and_kill(longest):
        nonlocal killed
        process = subprocess.Popen(bench.command("contacts", "sync"), env=bench.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        try:
            output, _ = process.communicate(timeout=chance.uniform(0, longest))
            assert process.returncode == 0, (seed, output)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
        # Whatever stands under a name that counts is a whole card.
        for path in bench.folder.glob("[!.]*.vcf"):
            text = path.read_bytes().decode()
            assert text.startswith("BEGIN:VCARD") and text.endswith("END:VCARD\r\n"), (seed, path, text)

    # Linked, and killed while they come in for the first time.
    process = subprocess.Popen(bench.command("contacts", "link", bench.folder), env=bench.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=chance.uniform(0, 0.3))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    bench.run("contacts", "link", bench.folder)
    contacts = bench.contacts()
    assert len(contacts) == PEOPLE, (seed, len(contacts))

    def change_everybody(turn, first=0):
        table = bench.root / "people.vcf"
        table.write_text("".join(
            card(f"u-{number}", f"Person{number} Smith", f"EMAIL:p{number}.{turn}@example.org")
            for number in range(first, PEOPLE)))
        bench.run("contacts", "import", table)

    # How long all of it takes on this machine.
    change_everybody("first")
    begun = time.monotonic()
    assert bench.sync()["written"] == PEOPLE
    longest = time.monotonic() - begun

    for turn in range(TURNS):
        # Here: everybody is changed by an import, somebody is added, somebody is removed. There: some are changed and one is removed.
        change_everybody(turn, first=turn)
        bench.run("contacts", "add", "--name", f"Newcomer{turn} Jones", "--phone", f"+1212555{turn:04}")
        bench.run("contacts", "remove", bench.contacts()[f"Person{turn} Smith"]["id"])
        for number in chance.sample(range(20, 100), 10):
            path = bench.folder / f"u-{number}.vcf"
            other = bench.folder / ".other.tmp"
            other.write_bytes(path.read_bytes().decode().replace("END:VCARD", f"URL:https://{number}-{turn}.example\r\nEND:VCARD").encode())
            other.rename(path)
        (bench.folder / f"u-{110 + turn}.vcf").unlink()
        for _ in range(4):
            sync_and_kill(longest)

    # The file of somebody who was changed here and removed there is written again: the change wins.
    bench.sync()
    report = bench.sync()
    assert report["written"] + report["updated"] + report["added"] + report["removed"] + report["deleted"] == 0, (seed, report)
    names = [path.name for path in bench.folder.iterdir()]
    assert not [name for name in names if name.endswith(".tmp")], (seed, names)
    contacts = bench.contacts()
    assert len(contacts) == len(names) == PEOPLE, (seed, len(contacts), len(names))
    for number in range(TURNS, PEOPLE):
        text = (bench.folder / f"u-{number}.vcf").read_bytes().decode()
        assert "X-KEPT:yes" in text or 110 <= number < 110 + TURNS, (seed, text)
        contact = contacts[f"Person{number} Smith"]
        written = {line.split(":", 1)[1] for line in text.split("\r\n") if line.startswith("EMAIL")}
        assert written == {email["address"] for email in contact["emails"]} and len(written) == TURNS + 1, (seed, text, contact)
    print(f"  killed {killed} times (seed {seed})")
    bench.end()
