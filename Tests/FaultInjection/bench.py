"""A temporary folder with a database, and the programs that run on it."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

SAMPLE = pathlib.Path(__file__).parents[2] / "Apps/switchboard/Samples/contacts.vcf"


class Programs:
    """The programs to test, and the length of the run."""

    def __init__(self, command, server, terminal, is_short, minutes=None):
        self.command = command
        self.server = server
        self.terminal = terminal
        self.is_short = is_short
        self.minutes = minutes

    def pick(self, short, long):
        return short if self.is_short else long


class Row:
    """A row of the table: the fault, the number of runs, and the data lost."""

    def __init__(self, what, how_often, lost):
        self.what = what
        self.how_often = how_often
        self.lost = lost

    def __str__(self):
        return f"| {self.what} | {self.how_often} | {self.lost} |"


class Ending:
    """The result of a command."""

    def __init__(self, arguments, status, output, errors):
        self.arguments = arguments
        self.status = status
        self.output = output
        self.errors = errors

    def __repr__(self):
        return f"{' '.join(map(str, self.arguments))}: {self.status}, {self.output!r}, {self.errors!r}"

    @property
    def json(self):
        return json.loads(self.output)

    def complaint(self, *statuses):
        """Returns the single line of the error."""
        assert self.status in statuses, self
        assert self.output == "", self
        lines = self.errors.splitlines()
        assert len(lines) == 1 and lines[0].startswith("switchboard: "), self
        return lines[0]


class Crash(Exception):
    """A program ended with a signal or reported a bug. Fails a test whatever it expects."""


class Bench:
    def __init__(self, programs, root=None):
        self.programs = programs
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="switchboard-fault-")) if root is None else pathlib.Path(root)
        self.is_own = root is None
        self.database = self.root / "people.sqlite"
        self.environment = {
            "HOME": str(self.root), "SWITCHBOARD_REGION": "GB", "LANG": "C.UTF-8", "NO_COLOR": "1", "TZ": "Europe/Berlin",
            "PATH": os.environ["PATH"], "XDG_DATA_HOME": str(self.root / "data"), "NO_PROXY": "127.0.0.1",
        }

    def end(self):
        if self.is_own:
            shutil.rmtree(self.root, ignore_errors=True)

    def command(self, *arguments, database=None):
        return [self.programs.command, *map(str, arguments), "--database", str(database or self.database)]

    def start(self, *arguments, database=None, environment=None, text=None, prefix=()):
        process = subprocess.Popen(
            [*prefix, *self.command(*arguments, database=database)], env=self.environment | (environment or {}),
            stdin=subprocess.PIPE if text is not None else subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        return process

    def run(self, *arguments, database=None, environment=None, text=None, prefix=()):
        """Runs a command to its end."""
        process = self.start(
            *arguments, database=database, environment=environment, text=text, prefix=prefix)
        output, errors = process.communicate(text)
        ending = Ending(arguments, process.returncode, output, errors)
        # No fault in a file may crash the program or appear as a bug.
        if ending.status < 0 or ending.status == 70 or ending.status >= 128:
            raise Crash(ending)
        return ending

    def done(self, *arguments, **more):
        """Runs a command that must succeed."""
        ending = self.run(*arguments, **more)
        assert ending.status == 0, ending
        return ending

    def json(self, *arguments, **more):
        return self.done(*arguments, "--json", **more).json

    # MARK: Contents

    def contacts(self, database=None):
        """Returns the names and numbers of all contacts."""
        rows = self.json("contacts", "list", database=database)["results"]
        return sorted((row["title"], *(phone["number"] for phone in row["contact"]["phones"])) for row in rows)

    def prospects(self, database=None):
        rows = self.json("prospects", "list", database=database)["results"]
        return sorted((row["title"], row["prospect"]["contacted"]) for row in rows)

    def items(self, database=None):
        rows = self.json("index", "list", "--limit", "0", database=database)["results"]
        return sorted(row["id"] for row in rows)

    def check(self, database=None):
        ending = self.done("database", "check", database=database)
        assert ending.output == "sound\n", ending

    def answers(self, queries, searches=("contacts find", "prospects find", "index search"), database=None):
        """Returns the results of searches without their durations."""
        text = "".join(query + "\n" for query in queries)
        lines = []
        for command in searches:
            command = [*command.split(), "--limit", "0"]
            output = self.done(*command, "--batch", database=database, text=text).output
            for line in output.splitlines():
                answer = json.loads(line)
                assert "error" not in answer, answer
                lines.append((answer["query"], answer["results"]))
        return lines

    def expect_same_as_new(self, queries):
        """Expects the same results from the index files as from new ones over a copy of the database."""
        copy = self.root / "copy.sqlite"
        self.done("database", "backup", copy)
        shutil.rmtree(self.root / "copy.index", ignore_errors=True)
        here, there = self.answers(queries), self.answers(queries, database=copy)
        for one, other in zip(here, there, strict=True):
            assert one == other, f"an index file returns other results than a new one: {one} | {other}"


class Server:
    """A running server with its own data folder."""

    def __init__(self, bench, *options, environment=None, people=None):
        """`people` is called with the folder of the users' databases before the server starts."""
        self.bench = bench
        self.data = bench.root / "server"
        self.options = options
        self.environment = environment or {}
        if not self.data.exists():
            self.data.mkdir(mode=0o700)
        if people:
            (self.data / "people").mkdir(mode=0o700)
            people(self.data / "people")
        self.start()
        made = self.administer("token", "create", "--create", "--person", "ana", "--scope", "all")
        self.token = made["token"]
        self.database = pathlib.Path(self.administer("person", "list")["results"][0]["database"])

    def administer(self, *arguments):
        ending = subprocess.run(
            [self.bench.programs.server, *arguments, "--data", str(self.data), "--json"], env=self.bench.environment,
            capture_output=True, text=True)
        assert ending.returncode == 0, (arguments, ending.stderr)
        return json.loads(ending.stdout)

    def start(self):
        port_file = self.data / "port"
        port_file.unlink(missing_ok=True)
        self.log = open(self.bench.root / "server-log", "ab")
        self.process = subprocess.Popen(
            [self.bench.programs.server, "serve", "--data", str(self.data), "--port", "0", "--port-file",
             str(port_file), "--requests-per-second", "0", *self.options],
            env=self.bench.environment | self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=self.log)
        for _ in range(6000):
            if port_file.exists() and port_file.read_text().strip():
                self.port = int(port_file.read_text())
                return
            assert self.process.poll() is None, f"the server has exited: {self.log_text[-2000:]}"
            time.sleep(0.01)
        raise AssertionError("the server is not listening")

    @property
    def log_text(self):
        return (self.bench.root / "server-log").read_text()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0, self.log_text[-2000:]

    def connect(self):
        return Connection(self)


class Connection:
    """A connection that is reopened when it is lost."""

    def __init__(self, server):
        self.server = server
        self.token = server.token
        self.http = None
        self.port = None

    def ask(self, method, path, body=None, kind="application/json"):
        """Returns the status and body of the response; the status is None if there was none."""
        try:
            if self.http is None or self.port != self.server.port:
                self.port = self.server.port
                self.http = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            headers = {"Authorization": f"Bearer {self.token}"}
            if data is not None:
                headers["Content-Type"] = kind
            self.http.request(method, path, data, headers)
            answer = self.http.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return None, b""

    def done(self, method, path, body=None, kind="application/json"):
        """Returns the JSON or the text of a response, which must be a success."""
        status, text = self.ask(method, path, body, kind)
        assert status in (200, 201, 204), (method, path, status, text)
        try:
            return json.loads(text) if text else None
        except ValueError:
            return text.decode()

    def close(self):
        if self.http is not None:
            self.http.close()
        self.http = None


class Crew:
    """Threads whose first failure fails all."""

    def __init__(self):
        self.threads = []
        self.failure = None
        self.is_over = threading.Event()

    def add(self, work, *arguments):
        def run():
            try:
                work(*arguments)
            except BaseException as failure:  # Raised by join().
                self.failure = self.failure or failure
                self.is_over.set()

        thread = threading.Thread(target=run, daemon=True)
        self.threads.append(thread)
        thread.start()

    def join(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join(300)
            assert not thread.is_alive(), "a thread hangs"
        if self.failure:
            raise self.failure


def card(name, *lines):
    family = name.split()[-1]
    given = " ".join(name.split()[:-1])
    return "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", f"FN:{name}", f"N:{family};{given};;;", *lines, "END:VCARD", ""])
