"""Switchboard beside khard, which reads and changes the files themselves, and in a folder that it may only read."""

import os
import pathlib
import shutil
import subprocess
import sys

from bench import Bench, card

BIN = pathlib.Path(sys.executable).parent


def test_khard(program):
    bench = Bench(program)
    configuration = bench.root / "khard.conf"
    configuration.write_text(f"[addressbooks]\n[[personal]]\npath = {bench.folder}\n[general]\neditor = true\n"
                             "[contact table]\ndisplay = formatted_name\n[vcard]\npreferred_version = 3.0\n")

    def khard(*arguments, text=None):
        ending = subprocess.run([BIN / "khard", "-c", configuration, *arguments], env=bench.environment, input=text,
                                capture_output=True, text=True)
        assert ending.returncode == 0 and "Traceback" not in ending.stderr, (arguments, ending.stdout, ending.stderr)
        return ending.stdout + ending.stderr

    (bench.folder / "u-1.vcf").write_text(card("u-1", "Carmen Luz Diaz", "TEL;TYPE=cell:+34 600 11 22 33"))
    (bench.folder / "u-4.vcf").write_text(
        card("u-4", "Ayşe Öztürk", "EMAIL;PREF=1:ayse@example.org", "X-WEIRD;A=b:c", version="4.0"))
    bench.run("access", "grant", "contacts")
    bench.run("contacts", "link", bench.folder)
    contacts = bench.contacts()
    bench.run("contacts", "edit", contacts["Carmen Luz Diaz"]["id"], "--phone", "Boat, red:+34 600 99 88 77",
              "--email", "work:carmen@example.org", "--organization", "Müller; Söhne, KG", "--note", "one\ntwo, three; four")
    bench.run("contacts", "edit", contacts["Ayşe Öztürk"]["id"], "--phone", "work:0212 555 01 00")
    bench.run("contacts", "favourite", contacts["Ayşe Öztürk"]["id"])
    bench.run("contacts", "add", "--name", "Łukasz Nowak", "--phone", "0532 123 45 67", "--email", "lukasz@example.org")
    bench.sync()

    listed = khard("list")
    for name in ["Carmen Luz Diaz", "Ayşe Öztürk", "Łukasz Nowak"]:
        assert name in listed, listed
    shown = khard("show", "Carmen")
    for text in ["Boat, red", "+34 600 99 88 77", "carmen@example.org", "Müller; Söhne, KG", "two, three; four"]:
        assert text in shown, shown
    assert "+34 600 11 22 33" not in shown
    assert "lukasz@example.org" in khard("email", "--parsable", "lukasz")
    assert "0212 555 01 00" in khard("phone", "--parsable", "Ayşe")

    # What khard makes and removes arrives here.
    khard("new", "-a", "personal", text="First name : Zoe\nLast name : Adams\nPhone :\n    cell : +1 212 555 0123\n")
    khard("remove", "--force", "Nowak")
    report = bench.sync()
    assert (report["added"], report["removed"]) == (1, 1), report
    assert set(bench.contacts()) == {"Carmen Luz Diaz", "Ayşe Öztürk", "Zoe Adams"}
    assert bench.contacts()["Zoe Adams"]["phones"][0]["e164"] == "+12125550123"
    bench.end()


def test_unwritable(program):
    """A folder that cannot be written is read, and changes made here wait."""
    bench = Bench(program)
    if os.geteuid() == 0:
        # Root may write anywhere, so this is done by nobody.
        own = bench.root / "switchboard"
        shutil.copy(program, own)
        own.chmod(0o755)
        for path in [bench.root, bench.folder]:
            os.chown(path, 65534, 65534)
        bench.command = lambda *arguments: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", str(own), *map(str, arguments)]
    file = bench.folder / "u-1.vcf"
    file.write_text(card("u-1", "Carmen Luz Diaz"))
    file.chmod(0o444)
    bench.folder.chmod(0o555)
    bench.run("access", "grant", "contacts")
    assert bench.json("contacts", "link", bench.folder)["added"] == 1
    carmen = bench.contacts()["Carmen Luz Diaz"]["id"]
    bench.run("contacts", "edit", carmen, "--nickname", "Luzi")
    report = bench.sync(status=74)
    assert [skipped["file"] for skipped in report["skipped"]] == [str(bench.folder)], report
    assert "(1)" in report["skipped"][0]["reason"], report
    bench.folder.chmod(0o755)
    assert bench.sync()["written"] == 1
    assert "NICKNAME:Luzi" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o444
    # One that cannot be read is a fault of its own, and its person stays.
    if os.geteuid() != 0:
        file.chmod(0)
        assert bench.sync(status=74)["skipped"], "unreadable"
        assert "Carmen Luz Diaz" in bench.contacts()
    bench.end()
