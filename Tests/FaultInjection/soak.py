"""A server under load for minutes: memory, open files, databases and threads must not grow."""

import collections
import json
import os
import pathlib
import random
import socket
import statistics
import sys
import time

from bench import Bench, Crew, Row, Server

PEOPLE = 12
CLIENTS = 8


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

    def __init__(self, server):
        self.server = server
        self.tokens = [server.administer("token", "create", "--create", "--person", f"p{n}", "--scope", "all")["token"] for n in range(PEOPLE)]
        self.requests = 0
        self.statuses = collections.Counter()

    def client(self, crew, number):
        rng = random.Random(number)
        connection = self.server.connect()
        mine = collections.defaultdict(list)
        turn = 0
        while not crew.is_over.is_set():
            person = rng.randrange(PEOPLE)
            # All users in turn, then only some: idle databases are closed and reopened.
            if turn // 400 % 2:
                person %= 3
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
                if len(mine[person]) > 20:
                    status, answer = ask("DELETE", f"/v1/contacts/{mine[person].pop(0)}")
                    assert status == 204, answer
            elif kind < 0.25:
                item = f"item-{number}-{rng.randrange(50)}"
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
            else:
                # The client disconnects and reconnects.
                connection.close()

    def visitor(self, crew):
        """Pages that listen for events and disconnect."""
        while not crew.is_over.is_set():
            token = random.choice(self.tokens)
            with socket.create_connection(("127.0.0.1", self.server.port)) as page:
                page.sendall(f"GET /v1/events HTTP/1.1\r\nHost: localhost:{self.server.port}\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
                page.settimeout(10)
                assert b"200" in page.recv(100)
                crew.is_over.wait(0.5)


def identifier(answer):
    return json.loads(answer)["id"]


def slope(samples, value):
    """Returns the growth per hour by linear regression."""
    line = statistics.linear_regression([sample.minute for sample in samples], [value(sample) for sample in samples])
    return line.slope * 60


def run(programs, minutes):
    bench = Bench(programs)
    # Short idle times, so that databases are opened and closed often.
    server = Server(bench, "--idle-seconds", "5", "--log-level", "error")
    load = Load(server)
    crew = Crew()
    samples = []
    begun = time.monotonic()
    for number in range(CLIENTS):
        crew.add(load.client, crew, number)
    crew.add(load.visitor, crew)
    try:
        while not crew.is_over.is_set() and time.monotonic() - begun < minutes * 60:
            crew.is_over.wait(min(5, minutes * 60 / 40))
            samples.append(Sample(server.process, begun))
            if sys.stdout.isatty() or len(samples) % 12 == 0:
                last = samples[-1]
                print(f"  {last.minute:5.1f} min: {last.resident:6.1f} MiB ({last.private:.1f} private), {last.files} files, "
                      f"{last.databases} database files, {last.threads} threads, {load.requests:,} requests", flush=True)
    finally:
        crew.join()
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
            "no database stays open when idle")
    print(f"  {load.requests:,} requests ({dict(sorted(load.statuses.items()))}); {text}")
    # Short runs consist of the warm-up.
    if minutes >= 5:
        assert growth < 8 + 0.1 * mean(first, lambda sample: sample.private), f"memory grows: {text}"
        assert files <= 30, f"the number of open files grows: {text}"
    return [Row(
        f"A server under load: {CLIENTS} clients of {PEOPLE} users write, remove, search and disconnect; pages listen; idle databases close",
        f"{minutes:g} minutes, {load.requests:,} requests", f"none, no error; {text}")]


def test_soak(programs):
    return run(programs, programs.minutes or programs.pick(0.3, 10))
