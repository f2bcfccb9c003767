"""Tests of CardDAV and CalDAV with recorded dialogues and real programs: python Tests/EndToEnd/DAV SERVER [NAME]"""

import pathlib
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Page"))

import service as page_service
from client import Client

import dialogues
import evolution
import programs


class Service(page_service.Service):
    """A server that can be killed, backed up and restored."""

    def device_token(self, person, *options):
        """Returns a password for a telephone, or what else is shown with options."""
        return self._run("token", "create", "--create", "--person", person, "--device", "Telephone", *options)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._forget_port()

    def back_up(self):
        backup = pathlib.Path(self.folder.name) / "backup"
        self._administer("backup", backup)
        return backup

    def restore(self, backup):
        self.process.terminate()
        self.process.wait()
        self._forget_port()
        self._administer("restore", backup)
        self.__enter__()

    def _forget_port(self):
        (pathlib.Path(self.folder.name) / "port").unlink()

    def _administer(self, command, folder):
        people = pathlib.Path(self.folder.name) / "people"
        result = subprocess.run([self.program, command, folder, "--data", people], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr


def main():
    program = sys.argv[1]
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    for test in dialogues.TESTS + programs.TESTS + evolution.TESTS:
        if wanted not in test.__name__:
            continue
        start = time.monotonic()
        with Service(program) as service:
            client = Client(service, "Ana", service.device_token("Ana"))
            api = page_service.Client(service, service.token("Ana"))
            test(service, client, api)
        print(f"passed {test.__name__} ({time.monotonic() - start:.1f} s)", flush=True)


main()
