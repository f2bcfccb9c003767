"""Sync of a folder that khard changes, and of a read-only folder."""

import os
import pathlib
import shutil
import subprocess
import sys

from fixture import Fixture, card

BIN = pathlib.Path(sys.executable).parent


def test_khard(program):
    fixture = Fixture(program)
    configuration = fixture.root / "khard.conf"
    configuration.write_text(f"[addressbooks]\n[[personal]]\npath = {fixture.folder}\n[general]\neditor = true\n"
                             "[contact table]\ndisplay = formatted_name\n[vcard]\npreferred_version = 3.0\n")

    def khard(*arguments, text=None):
        result = subprocess.run([BIN / "khard", "-c", configuration, *arguments], env=fixture.environment, input=text,
                                capture_output=True, text=True)
        assert result.returncode == 0 and "Traceback" not in result.stderr, (arguments, result.stdout, result.stderr)
        return result.stdout + result.stderr

    (fixture.folder / "u-1.vcf").write_text(card("u-1", "Carmen Luz Diaz", "TEL;TYPE=cell:+34 600 11 22 33"))
    (fixture.folder / "u-4.vcf").write_text(
        card("u-4", "Ayşe Öztürk", "EMAIL;PREF=1:ayse@example.org", "X-WEIRD;A=b:c", version="4.0"))
    fixture.run("access", "grant", "contacts")
    fixture.run("contacts", "link", fixture.folder)
    contacts = fixture.contacts()
    fixture.run("contacts", "edit", contacts["Carmen Luz Diaz"]["id"], "--phone", "Boat, red:+34 600 99 88 77",
              "--email", "work:carmen@example.org", "--organization", "Müller; Söhne, KG", "--note", "one\ntwo, three; four")
    fixture.run("contacts", "edit", contacts["Ayşe Öztürk"]["id"], "--phone", "work:0212 555 01 00")
    fixture.run("contacts", "favourite", contacts["Ayşe Öztürk"]["id"])
    fixture.run("contacts", "add", "--name", "Łukasz Nowak", "--phone", "0532 123 45 67", "--email", "lukasz@example.org")
    fixture.sync()

    listed = khard("list")
    for name in ["Carmen Luz Diaz", "Ayşe Öztürk", "Łukasz Nowak"]:
        assert name in listed, listed
    shown = khard("show", "Carmen")
    for text in ["Boat, red", "+34 600 99 88 77", "carmen@example.org", "Müller; Söhne, KG", "two, three; four"]:
        assert text in shown, shown
    assert "+34 600 11 22 33" not in shown
    assert "lukasz@example.org" in khard("email", "--parsable", "lukasz")
    assert "0212 555 01 00" in khard("phone", "--parsable", "Ayşe")

    # Sync imports the changes of khard.
    khard("new", "-a", "personal", text="First name : Zoe\nLast name : Adams\nPhone :\n    cell : +1 212 555 0123\n")
    khard("remove", "--force", "Nowak")
    report = fixture.sync()
    assert (report["added"], report["removed"]) == (1, 1), report
    assert set(fixture.contacts()) == {"Carmen Luz Diaz", "Ayşe Öztürk", "Zoe Adams"}
    assert fixture.contacts()["Zoe Adams"]["phones"][0]["e164"] == "+12125550123"
    fixture.remove()


def test_unwritable(program):
    """A read-only folder is imported, and changes in the book wait."""
    fixture = Fixture(program)
    if os.geteuid() == 0:
        # Root can write anywhere, so the program runs as another user.
        own = fixture.root / "switchboard"
        shutil.copy(program, own)
        own.chmod(0o755)
        for path in [fixture.root, fixture.folder]:
            os.chown(path, 65534, 65534)
        fixture.command = lambda *arguments: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", str(own), *map(str, arguments)]
    file = fixture.folder / "u-1.vcf"
    file.write_text(card("u-1", "Carmen Luz Diaz"))
    file.chmod(0o444)
    fixture.folder.chmod(0o555)
    fixture.run("access", "grant", "contacts")
    assert fixture.json("contacts", "link", fixture.folder)["added"] == 1
    carmen = fixture.contacts()["Carmen Luz Diaz"]["id"]
    fixture.run("contacts", "edit", carmen, "--nickname", "Luzi")
    report = fixture.sync(status=74)
    assert [skipped["file"] for skipped in report["skipped"]] == [str(fixture.folder)], report
    assert "(1)" in report["skipped"][0]["reason"], report
    fixture.folder.chmod(0o755)
    assert fixture.sync()["written"] == 1
    assert "NICKNAME:Luzi" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o444
    # An unreadable file is reported, and its contact stays.
    if os.geteuid() != 0:
        file.chmod(0)
        assert fixture.sync(status=74)["skipped"], "unreadable"
        assert "Carmen Luz Diaz" in fixture.contacts()
    fixture.remove()
