"""A temporary folder and database, and the program that uses them."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile


class Fixture:
    def __init__(self, program):
        self.program = program
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="switchboard-vdir-"))
        self.folder = self.root / "folder"
        self.folder.mkdir()
        self.environment = dict(os.environ, HOME=str(self.root), SWITCHBOARD_DATABASE=str(self.root / "people.sqlite"),
                                SWITCHBOARD_REGION="TR", LANG="C.UTF-8", NO_COLOR="1",
                                XDG_CONFIG_HOME=str(self.root / "config"), NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")

    def remove(self):
        shutil.rmtree(self.root)

    def command(self, *arguments):
        return [self.program, *map(str, arguments)]

    def run(self, *arguments, status=0):
        result = subprocess.run(self.command(*arguments), env=self.environment, capture_output=True, text=True)
        assert result.returncode == status, (arguments, result.returncode, result.stdout, result.stderr)
        return result.stdout

    def json(self, *arguments, status=0):
        return json.loads(self.run(*arguments, "--json", status=status))

    def sync(self, status=0):
        return self.json("contacts", "sync", status=status)

    def contacts(self):
        """Returns the contacts by name."""
        return {row["title"]: row["contact"] for row in self.json("contacts", "list")["results"]}

    def files(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}


def card(identifier, name, *lines, version="3.0"):
    family = name.split()[-1]
    given = " ".join(name.split()[:-1])
    text = ["BEGIN:VCARD", f"VERSION:{version}", f"UID:{identifier}", f"FN:{name}", f"N:{family};{given};;;", *lines,
            "END:VCARD", ""]
    return "\r\n".join(text)
