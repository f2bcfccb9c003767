"""Runs the commands of docs/cluster.md as they are: two servers by copy and paste, a backup, and its restoration.

In namespaces of the test's own, PostgreSQL has its usual places, and `sudo` and `apt` are stand-ins.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from machines import PAGE, run
from processes import postgres_programs

STAND_INS = {
    # The options that the page uses.
    "sudo": """\
if [ "$1" = -u ]; then user=$2; shift 2; exec setpriv --reuid="$user" --regid="$user" --clear-groups -- env HOME=/tmp "$@"; fi
exec "$@"
""",
    "apt": """\
shift 2
dpkg-query -W "$@" >/dev/null
""",
}


def code_blocks(heading: str) -> list[str]:
    """The shell commands of a section."""
    section = re.search(rf"^#+ {heading}\n(.*?)(?=^#+ )", PAGE.read_text(), re.M | re.S)
    assert section, f"{PAGE} has no section “{heading}”"
    return re.findall(r"^```sh\n(.*?)^```", section[1], re.M | re.S)


def main(options: argparse.Namespace) -> int:
    programs = Path("/run/programs")
    programs.mkdir()
    for name, commands in STAND_INS.items():
        (programs / name).write_text("#!/bin/sh\n" + commands)
        (programs / name).chmod(0o755)
    (programs / "switchboard-server").symlink_to(options.program)
    # The places of Debian, empty.
    for place in ("/var/lib/postgresql", "/etc/postgresql", "/var/backups", "/var/log/postgresql"):
        run("mount", "--types", "tmpfs", "tmpfs", place)
    run("mount", "--types", "tmpfs", "--options", "mode=1777", "tmpfs", "/tmp")
    for place in ("/run/postgresql", "/var/lib/postgresql", "/etc/postgresql", "/var/log/postgresql"):
        run("install", "-d", "-o", "postgres", place)
    run("pg_createcluster", Path(postgres_programs()).parent.name, "main", "--", "--no-sync")
    run("pg_ctlcluster", "15", "main", "start")

    servers, backup = code_blocks("Two servers by copy and paste"), code_blocks("Backup")
    add_another = """curl -sf -H "Authorization: Bearer $TOKEN" --json '{"name": "Too Late"}' http://127.0.0.1:8081/v1/contacts"""
    names = """for port in 8081 8082; do curl -sf -H "Authorization: Bearer $TOKEN" http://127.0.0.1:$port/v1/contacts.vcf | grep ^FN; done"""
    script = [
        "trap 'kill $(jobs -p); wait' EXIT", *servers[:3], 'echo "both servers after $SECONDS s"', backup[0], add_another, backup[1],
        'echo "restored after $SECONDS s"', names]
    made = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(script)], text=True, cwd="/tmp", stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, "PATH": f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin"})
    print("\n".join(line for line in made.stdout.splitlines() if '"level": "info"' not in line))
    found = re.findall(r"^FN.*:(.*?)\r?$", made.stdout, re.M)
    if made.returncode == 0 and found == ["Zoë Jogo", "Zoë Jogo"]:
        return 0
    print(f"status {made.returncode}, restored {found}", file=sys.stderr)
    return 1
