"""Switchboard beside khard, which reads and changes the files themselves."""

import pathlib
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
