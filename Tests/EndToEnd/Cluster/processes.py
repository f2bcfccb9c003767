"""PostgreSQL and switchboard-server as processes on this machine."""

import glob
import hashlib
import http.client
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path


def wait(description: str, is_so, seconds: float = 60) -> None:
    """Waits until `is_so()` is true, and ends the program if that takes too long."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            sys.exit(f"not within {seconds:.0f} s: {description}")
        time.sleep(0.02)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def as_postgres() -> list[str]:
    """The beginning of a command of PostgreSQL, which refuses to run as root."""
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []


def postgres_programs() -> str:
    """The folder of the programs of the newest PostgreSQL."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if not found:
        sys.exit("PostgreSQL is not installed; run Scripts/prepare")
    return found[-1]


class Postgres:
    """A PostgreSQL server in a folder, reached through a Unix socket."""

    def __init__(self, folder: Path):
        self.folder, self.programs, self.port = folder, postgres_programs(), free_port()
        self.process: subprocess.Popen | None = None

    def run(self, *arguments: str) -> None:
        command = [*as_postgres(), f"{self.programs}/{arguments[0]}", *arguments[1:]]
        subprocess.run(command, check=True, cwd="/tmp", stdout=subprocess.DEVNULL)

    def create(self) -> None:
        self.run("initdb", "-D", f"{self.folder}/{self.port}", "-A", "trust", "-U", "switchboard", "-E", "UTF8", "--no-sync")

    def copy(self, primary: "Postgres") -> None:
        self.run(
            "pg_basebackup", "-h", str(primary.folder), "-p", str(primary.port), "-U", "switchboard", "-R", "-X", "stream",
            "-D", f"{self.folder}/{self.port}", "--checkpoint=fast", "--no-sync")

    def start(self) -> None:
        options = ["-c", "listen_addresses=", "-c", "max_connections=200", "-c", "wal_retrieve_retry_interval=200ms"]
        command = [f"{self.programs}/postgres", "-D", f"{self.folder}/{self.port}", "-k", str(self.folder), "-p", str(self.port)]
        self.process = subprocess.Popen(
            [*as_postgres(), *command, *options], cwd="/tmp", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait("PostgreSQL accepts connections", lambda: self.sql("SELECT 1") == "1")

    def sql(self, statement: str) -> str:
        command = [f"{self.programs}/psql", "-h", str(self.folder), "-p", str(self.port), "-U", "switchboard", "-AtX", "postgres"]
        return subprocess.run(
            [*command, "-c", statement], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()

    def kill(self) -> None:
        """Ends the server at once, as a crash does."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()


class Server:
    """A switchboard-server with a folder of copies.

    `inside` is the beginning of its command, and `options` are further options of `serve`.
    """

    def __init__(self, program: Path, folder: Path, connection: str | None, *, host="127.0.0.1", port=0, name="", inside=(), options=()):
        self.program, self.folder, self.connection = program, folder, connection
        self.host, self.port, self.inside, self.options = host, port or free_port(), inside, options
        # The public host name.
        self.name = name or f"{self.host}:{self.port}"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        command = [self.program, "serve", "--data", self.folder, "--host", self.host, "--port", str(self.port)]
        cluster = ["--cluster", self.connection] if self.connection else []
        with self.folder.with_suffix(".log").open("a") as log:
            self.process = subprocess.Popen(
                [*self.inside, *command, *cluster, "--requests-per-second", "0", "--log-level", "error", *self.options],
                stdout=subprocess.DEVNULL, stderr=log)
        wait("the server is ready", lambda: self.ask("GET", "/readyz")[0] == 200)

    def ask(self, method: str, path: str, token: str = "", body: str | None = None) -> tuple[int, str]:
        """Sends a request. The status is 0 if there was no response."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            authorization = {"Authorization": f"Bearer {token}"} if token else {}
            connection.request(method, path, body, {"Host": self.name, **authorization})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        except (OSError, http.client.HTTPException):
            return 0, ""
        finally:
            connection.close()

    def signal(self, number: signal.Signals) -> None:
        assert self.process
        self.process.send_signal(number)

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()

    def command(self, *arguments: str | Path) -> str:
        """Runs a command of the program on the data of this server, and returns its output."""
        cluster = ["--cluster", self.connection] if self.connection else []
        return subprocess.run(
            [self.program, *arguments, *cluster, "--data", self.folder], check=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True).stdout.strip()

    def create_token(self, person: str) -> str:
        return self.command("token", "create", "--create", "--person", person, "--scope", "all")

    def names(self, token: str) -> list[str]:
        status, cards = self.ask("GET", "/v1/contacts.vcf", token)
        assert status == 200, cards
        return re.findall(r"^FN[^:]*:(\S+)", cards, re.M)

    def dump(self) -> dict[str, str]:
        """A hash of each table of each person's copy, with the position in the journal."""
        hashes = {}
        for file in sorted(glob.glob(f"{self.folder}/people/*.sqlite")):
            database = sqlite3.connect(file)
            tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
            for (table,) in tables.fetchall():
                rows = sorted(map(repr, database.execute(f'SELECT * FROM "{table}"')))
                hashes[f"{Path(file).name} {table}"] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
            database.close()
        return hashes
