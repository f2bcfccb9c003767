"""A sync killed at a random time leaves both sides consistent, and the next sync continues."""

import random
import subprocess
import time

from fixture import Fixture, card

PEOPLE = 120
ROUNDS = 4


def test_killing(program):
    seed = random.randrange(1 << 32)
    rng = random.Random(seed)
    fixture = Fixture(program)
    fixture.run("access", "grant", "contacts")
    for number in range(PEOPLE):
        (fixture.folder / f"u-{number}.vcf").write_text(
            card(f"u-{number}", f"Person{number} Smith", f"TEL:+90532{number:07}", "X-KEPT:yes"))
    killed = 0

    def sync_and_kill(longest):
        nonlocal killed
        process = subprocess.Popen(fixture.command("contacts", "sync"), env=fixture.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        try:
            output, _ = process.communicate(timeout=rng.uniform(0, longest))
            assert process.returncode == 0, (seed, output)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
        # Each visible file is a complete card.
        for path in fixture.folder.glob("[!.]*.vcf"):
            text = path.read_bytes().decode()
            assert text.startswith("BEGIN:VCARD") and text.endswith("END:VCARD\r\n"), (seed, path, text)

    # Kills the first import.
    process = subprocess.Popen(fixture.command("contacts", "link", fixture.folder), env=fixture.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=rng.uniform(0, 0.3))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    fixture.run("contacts", "link", fixture.folder)
    contacts = fixture.contacts()
    assert len(contacts) == PEOPLE, (seed, len(contacts))

    def change_all(round, first=0):
        table = fixture.root / "people.vcf"
        table.write_text("".join(
            card(f"u-{number}", f"Person{number} Smith", f"EMAIL:p{number}.{round}@example.org")
            for number in range(first, PEOPLE)))
        fixture.run("contacts", "import", table)

    # The duration of a full sync on this machine.
    change_all("first")
    start = time.monotonic()
    assert fixture.sync()["written"] == PEOPLE
    longest = time.monotonic() - start

    for round in range(ROUNDS):
        # In the book: all contacts change by an import, one is added, one is removed. In the folder: ten change, one is removed.
        change_all(round, first=round)
        fixture.run("contacts", "add", "--name", f"New{round} Jones", "--phone", f"+1212555{round:04}")
        fixture.run("contacts", "remove", fixture.contacts()[f"Person{round} Smith"]["id"])
        for number in rng.sample(range(20, 100), 10):
            path = fixture.folder / f"u-{number}.vcf"
            other = fixture.folder / ".other.tmp"
            other.write_bytes(path.read_bytes().decode().replace("END:VCARD", f"URL:https://{number}-{round}.example\r\nEND:VCARD").encode())
            other.rename(path)
        (fixture.folder / f"u-{110 + round}.vcf").unlink()
        for _ in range(4):
            sync_and_kill(longest)

    # A contact that changed in the book and was removed in the folder gets its file back: the change wins.
    fixture.sync()
    report = fixture.sync()
    assert report["written"] + report["updated"] + report["added"] + report["removed"] + report["deleted"] == 0, (seed, report)
    names = [path.name for path in fixture.folder.iterdir()]
    assert not [name for name in names if name.endswith(".tmp")], (seed, names)
    contacts = fixture.contacts()
    assert len(contacts) == len(names) == PEOPLE, (seed, len(contacts), len(names))
    for number in range(ROUNDS, PEOPLE):
        text = (fixture.folder / f"u-{number}.vcf").read_bytes().decode()
        assert "X-KEPT:yes" in text or 110 <= number < 110 + ROUNDS, (seed, text)
        contact = contacts[f"Person{number} Smith"]
        written = {line.split(":", 1)[1] for line in text.split("\r\n") if line.startswith("EMAIL")}
        assert written == {email["address"] for email in contact["emails"]} and len(written) == ROUNDS + 1, (seed, text, contact)
    print(f"  killed {killed} times (seed {seed})")
    fixture.remove()
