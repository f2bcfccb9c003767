"""A server under load for minutes: memory, open files, databases and threads must not grow, and no reminder is lost or repeated."""

import collections
import json
import os
import pathlib
import random
import socket
import statistics
import struct
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from bench import Bench, Crew, Row, Server

CLIENTS = 8
STREAMS = 50
# The number of contacts that a client leaves a person: so few that they are reached in the warm-up of an hour's run.
KEPT = 2
# Reminders are set for these people, who have streams, and for as many others.
REMINDED = 2 * STREAMS


class Sample:
    """The resources of a process at a moment."""

    def __init__(self, process, begun):
        self.minute = (time.monotonic() - begun) / 60
        folder = pathlib.Path(f"/proc/{process.pid}")
        fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
        self.resident = int(fields["VmRSS"].split()[0]) / 1024
        self.private = int(fields["RssAnon"].split()[0]) / 1024
        self.threads = int(fields["Threads"])
        links = []
        for descriptor in (folder / "fd").iterdir():
            try:
                links.append(os.readlink(descriptor))
            except OSError:
                pass
        self.files = len(links)
        self.databases = sum("/people/" in link for link in links)


class Load:
    """A load whose deletions balance its additions."""

    def __init__(self, server, people):
        self.server = server

        def token(number):
            return server.administer("token", "create", "--create", "--person", f"p{number}", "--scope", "all")["token"]

        with ThreadPoolExecutor(4) as pool:
            self.tokens = list(pool.map(token, range(people)))
        self.requests = 0
        self.kills = 0
        self.statuses = collections.Counter()

    def client(self, crew, number):
        rng = random.Random(number)
        connection = self.server.connect()
        mine = collections.defaultdict(list)
        turn = 0
        while not crew.is_over.is_set():
            person = rng.randrange(len(self.tokens))
            # All people in turn, then only some: idle databases are closed and reopened.
            if turn // 400 % 2:
                person %= 12
            turn += 1

            def ask(method, path, body=None):
                connection.token = self.tokens[person]
                status, answer = connection.ask(method, path, body)
                assert status is not None and status < 500, (method, path, status, answer)
                self.requests += 1
                self.statuses[status] += 1
                return status, answer

            kind = rng.random()
            if kind < 0.15:
                status, answer = ask("POST", "/v1/contacts", {"name": f"Person{rng.randrange(10**6)} Bird", "phones": [f"+44 7700 9{rng.randrange(10**5):05}"]})
                assert status == 201, answer
                mine[person].append(identifier(answer))
                if len(mine[person]) > KEPT:
                    status, answer = ask("DELETE", f"/v1/contacts/{mine[person].pop(0)}")
                    assert status == 204, answer
            elif kind < 0.25:
                item = f"item-{number}-{rng.randrange(5)}"
                if rng.random() < 0.6:
                    ask("PUT", "/v1/index/items", {"id": item, "title": f"Item {rng.randrange(1000)}", "keywords": ["bird"]})
                else:
                    ask("DELETE", f"/v1/index/items/{item}")
            elif kind < 0.45:
                ask("GET", f"/v1/contacts?q={rng.choice(['bird', 'persn', 'per', 'b', ''])}")
            elif kind < 0.55:
                ask("GET", f"/v1/contacts?keypad={rng.choice(['7377', '2473', '7700', '2'])}")
            elif kind < 0.7:
                ask("GET", f"/v1/airports?q={rng.choice(['lon', 'frankfrut', 'new york', 'x', 'moskva'])[:rng.randrange(1, 9)].replace(' ', '%20')}")
            elif kind < 0.85:
                ask("GET", f"/v1/find?q={rng.choice(['bird', 'item', 'lond', 'per'])}")
            elif kind < 0.9:
                ask("GET", f"/v1/index/search?q={rng.choice(['item', 'bird', 'itm'])}")
            elif kind < 0.93:
                ask("POST", "/v1/airports/recent", {"code": rng.choice(["LHR", "JFK", "IST", "FRA"])})
            elif kind < 0.96:
                ask("POST", "/v1/contacts", {"nonsense": True})
            elif kind < 0.98:
                ask("GET", "/v1/contacts/nobody")
            elif kind < 0.99:
                # The client disconnects and reconnects.
                connection.close()
            else:
                # The client is killed in the middle of a request.
                request = head(self.server, self.tokens[person], rng.choice(["/v1/find?q=bird", "/v1/contacts", "/v1/airports?q=lon"]))
                abandoned = socket.create_connection(("127.0.0.1", self.server.port))
                abandoned.sendall(request[:rng.randrange(1, len(request) + 1)])
                kill(abandoned)
                self.kills += 1


class Pages:
    """Pages that listen for events, one for each of the first people, and are killed and opened again at random."""

    def __init__(self, server, tokens):
        self.server = server
        self.tokens = tokens
        self.kills = 0
        # How often the page of a person has shown each reminder.
        self.shown = collections.Counter()

    def listen(self, crew, number):
        rng = random.Random(number)
        while not crew.is_over.is_set():
            page = socket.create_connection(("127.0.0.1", self.server.port))
            page.sendall(head(self.server, self.tokens[number], "/v1/events"))
            page.settimeout(1)
            begun = rest = b""
            end = time.monotonic() + rng.uniform(1, 120)
            while not crew.is_over.is_set() and time.monotonic() < end:
                try:
                    data = page.recv(65536)
                except TimeoutError:
                    continue
                assert data, "the server has ended a stream"
                begun = begun or data
                *lines, rest = (rest + data).split(b"\n")
                for position, line in enumerate(lines):
                    if line == b"event: reminder":
                        # An event is written at once.
                        self.shown[json.loads(lines[position + 1].removeprefix(b"data: "))["id"]] += 1
            assert not begun or b" 200 " in begun[:20], begun
            kill(page)
            self.kills += 1


class Reminders:
    """Reminders that are set, awaited on a command and on pages, looked up as overdue, and acted on."""

    # The longest time in seconds until a command has delivered a reminder.
    PATIENCE = 300

    def __init__(self, server, tokens, delivered):
        self.server = server
        self.tokens = tokens
        self.delivered = delivered
        self.lock = threading.Lock()
        # The person, the prospect, the identifier of each reminder, and when it is due.
        self.pending = collections.deque()
        self.count = 0
        self.ended = False

    def asking(self, person):
        connection = self.server.connect()
        connection.token = self.tokens[person]

        def ask(expected, method, path, body=None):
            status, answer = connection.ask(method, path, body)
            assert status == expected, (method, path, status, answer)
            return json.loads(answer) if answer else None

        return ask

    def set(self, crew):
        rng = random.Random(1)
        while not crew.is_over.wait(0.5):
            person = rng.randrange(REMINDED)
            ask = self.asking(person)
            prospect = ask(201, "POST", "/v1/prospects", {"name": f"Guest {self.count}", "email": f"guest{self.count}@example.org"})["id"]
            seconds = rng.randrange(1, 30)
            reminder = ask(200, "PUT", f"/v1/prospects/{prospect}/reminder", {"in": seconds})["id"]
            with self.lock:
                self.pending.append((person, prospect, reminder, time.monotonic() + seconds))
            self.count += 1
        self.ended = True

    def deliveries(self):
        return collections.Counter(self.delivered.read_text().split()) if self.delivered.exists() else collections.Counter()

    def audit(self):
        """Expects each reminder to be delivered and overdue until someone acts on it."""
        while not self.ended or self.pending:
            with self.lock:
                due = bool(self.pending) and self.pending[0][3] + 10 < time.monotonic()
                one = self.pending.popleft() if due else None
            if one is None:
                time.sleep(0.5)
                continue
            person, prospect, reminder, due = one
            while reminder not in self.deliveries():
                assert time.monotonic() < due + self.PATIENCE, f"the reminder {reminder} is lost"
                time.sleep(0.5)
            ask = self.asking(person)

            def overdue():
                return [row["id"] for row in ask(200, "GET", "/v1/reminders?overdue=true")["results"]]

            assert reminder in overdue(), f"the reminder {reminder} is not overdue"
            ask(200, "PATCH", f"/v1/prospects/{prospect}", {"contacted": True})
            assert reminder not in overdue(), f"the reminder {reminder} is still overdue"
            ask(204, "DELETE", f"/v1/prospects/{prospect}")


def head(server, token, path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost:{server.port}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def kill(client):
    """Closes a socket as the kernel does for a killed process that has not read everything."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def identifier(answer):
    return json.loads(answer)["id"]


def slope(samples, value):
    """Returns the growth per hour by linear regression."""
    line = statistics.linear_regression([sample.minute for sample in samples], [value(sample) for sample in samples])
    return line.slope * 60


def run(programs, minutes):
    bench = Bench(programs)
    delivered = bench.root / "delivered"
    # Short idle times, so that databases are opened and closed often.
    server = Server(bench, "--idle-seconds", "5", "--log-level", "error", "--deliver-with", f"echo $SWITCHBOARD_ID >> '{delivered}'")
    load = Load(server, 1_000 if minutes >= 5 else REMINDED)
    pages = Pages(server, load.tokens)
    reminders = Reminders(server, load.tokens, delivered)
    crew = Crew()
    audits = Crew()
    samples = []
    begun = time.monotonic()
    for number in range(CLIENTS):
        crew.add(load.client, crew, number)
    for number in range(STREAMS):
        crew.add(pages.listen, crew, number)
    crew.add(reminders.set, crew)
    audits.add(reminders.audit)
    try:
        while not crew.is_over.is_set() and not audits.is_over.is_set() and time.monotonic() - begun < minutes * 60:
            crew.is_over.wait(min(5, minutes * 60 / 40))
            samples.append(Sample(server.process, begun))
            if sys.stdout.isatty() or len(samples) % 12 == 0:
                last = samples[-1]
                print(f"  {last.minute:5.1f} min: {last.resident:6.1f} MiB ({last.private:.1f} private), {last.files} files, "
                      f"{last.databases} database files, {last.threads} threads, {load.requests:,} requests", flush=True)
    finally:
        crew.join()
    audits.join()
    repeated = {name: [reminder for reminder, count in counts.items() if count > 1] for name, counts in [
        ("the command", reminders.deliveries()), ("a page", pages.shown)]}
    assert not any(repeated.values()), f"reminders arrived twice: {repeated}"
    # All databases are closed once there are no more requests.
    end = time.monotonic() + 90
    while (rest := Sample(server.process, begun)).databases > 0 and time.monotonic() < end:
        time.sleep(0.5)
    assert rest.databases == 0, f"{rest.databases} database files stay open"
    errors = [line for line in server.log_text.splitlines() if '"level": "error"' in line]
    assert not errors, errors[:3]
    server.stop()
    bench.end()
    # The first third is the warm-up: caches fill and threads start.
    steady = samples[len(samples) // 3:]
    third = len(steady) // 3
    first, last = steady[:third], steady[-third:]

    def mean(part, value):
        return statistics.fmean(value(sample) for sample in part)

    growth = mean(last, lambda sample: sample.private) - mean(first, lambda sample: sample.private)
    files = max(sample.files for sample in last) - max(sample.files for sample in first)
    text = (f"private memory {mean(first, lambda s: s.private):.1f} MiB in the first third after the warm-up, "
            f"{mean(last, lambda s: s.private):.1f} in the last ({slope(steady, lambda s: s.private):+.1f} MiB per hour); at most "
            f"{max(s.files for s in first)} and {max(s.files for s in last)} open files, {max(s.threads for s in last)} threads; "
            f"no database stays open when idle; {reminders.count:,} reminders, each delivered once by the command and overdue until acted on, "
            f"{len(pages.shown):,} also shown by a page, none twice")
    print(f"  {load.requests:,} requests ({dict(sorted(load.statuses.items()))}); {text}")
    # Short runs consist of the warm-up.
    if minutes >= 5:
        assert growth < 8 + 0.1 * mean(first, lambda sample: sample.private), f"memory grows: {text}"
        assert files <= 30, f"the number of open files grows: {text}"
    return [Row(
        f"A server under load: {CLIENTS} clients of {len(load.tokens):,} people write, remove and search, {STREAMS} pages listen, both are killed at random; "
        "idle databases close",
        f"{minutes:g} minutes, {load.requests:,} requests, {load.kills + pages.kills:,} kills", f"none, no error; {text}")]


def test_soak(programs):
    return run(programs, programs.minutes or programs.pick(0.3, 10))
