"""A server under load for minutes: memory, open files, databases and threads stay what they are."""

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
    """What a process holds at a moment."""

    def __init__(self, process, begun):
        self.minute = (time.monotonic() - begun) / 60
        folder = pathlib.Path(f"/proc/{process.pid}")
        fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
        self.resident = int(fields["VmRSS"].split()[0]) / 1024
        self.own = int(fields["RssAnon"].split()[0]) / 1024
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
    """What clients do, so that as much goes as comes."""

    def __init__(self, server):
        self.server = server
        self.tokens = [server.administer("token", "create", "--person", f"p{n}", "--scope", "all")["token"] for n in range(PEOPLE)]
        self.requests = 0
        self.statuses = collections.Counter()

    def client(self, crew, number):
        chance = random.Random(number)
        connection = self.server.connect()
        mine = collections.defaultdict(list)
        turn = 0
        while not crew.is_over.is_set():
            person = chance.randrange(PEOPLE)
            # Each in turn, then for a while only some: databases are closed when nobody asks, and opened again.
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

            kind = chance.random()
            if kind < 0.15:
                status, answer = ask("POST", "/v1/contacts", {"name": f"Person{chance.randrange(10**6)} Bird", "phones": [f"+44 7700 9{chance.randrange(10**5):05}"]})
                assert status == 201, answer
                mine[person].append(identifier(answer))
                if len(mine[person]) > 20:
                    status, answer = ask("DELETE", f"/v1/contacts/{mine[person].pop(0)}")
                    assert status == 204, answer
            elif kind < 0.25:
                item = f"item-{number}-{chance.randrange(50)}"
                if chance.random() < 0.6:
                    ask("PUT", "/v1/index/items", {"id": item, "title": f"Item {chance.randrange(1000)}", "keywords": ["bird"]})
                else:
                    ask("DELETE", f"/v1/index/items/{item}")
            elif kind < 0.45:
                ask("GET", f"/v1/contacts?q={chance.choice(['bird', 'persn', 'per', 'b', ''])}")
            elif kind < 0.55:
                ask("GET", f"/v1/contacts?keypad={chance.choice(['7377', '2473', '7700', '2'])}")
            elif kind < 0.7:
                ask("GET", f"/v1/airports?q={chance.choice(['lon', 'frankfrut', 'new york', 'x', 'moskva'])[:chance.randrange(1, 9)].replace(' ', '%20')}")
            elif kind < 0.85:
                ask("GET", f"/v1/find?q={chance.choice(['bird', 'item', 'lond', 'per'])}")
            elif kind < 0.9:
                ask("GET", f"/v1/index/search?q={chance.choice(['item', 'bird', 'itm'])}")
            elif kind < 0.93:
                ask("POST", "/v1/airports/recent", {"code": chance.choice(["LHR", "JFK", "IST", "FRA"])})
            elif kind < 0.96:
                ask("POST", "/v1/contacts", {"nonsense": True})
            elif kind < 0.98:
                ask("GET", "/v1/contacts/nobody")
            else:
                # Who goes away in the middle, and comes again.
                connection.close()

    def visitor(self, crew):
        """Pages that listen for what happens, and go away."""
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
    """Growth per hour, by the least squares."""
    line = statistics.linear_regression([sample.minute for sample in samples], [value(sample) for sample in samples])
    return line.slope * 60


def soak(programs, minutes):
    bench = Bench(programs)
    # Short idle times, so that databases are opened and closed many times in a short run.
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
                print(f"  {last.minute:5.1f} min: {last.resident:6.1f} MiB ({last.own:.1f} its own), {last.files} files, "
                      f"{last.databases} of people's databases, {last.threads} threads, {load.requests:,} requests", flush=True)
    finally:
        crew.join()
    # When nobody asks any more, all databases are closed.
    end = time.monotonic() + 90
    while (rest := Sample(server.process, begun)).databases > 0 and time.monotonic() < end:
        time.sleep(0.5)
    assert rest.databases == 0, f"{rest.databases} files of people's databases stay open"
    errors = [line for line in server.log_text.splitlines() if '"level": "error"' in line]
    assert not errors, errors[:3]
    server.stop()
    bench.end()
    # The first third is warming up: caches fill, threads are made.
    steady = samples[len(samples) // 3:]
    third = len(steady) // 3
    first, last = steady[:third], steady[-third:]

    def mean(part, value):
        return statistics.fmean(value(sample) for sample in part)

    growth = mean(last, lambda sample: sample.own) - mean(first, lambda sample: sample.own)
    files = max(sample.files for sample in last) - max(sample.files for sample in first)
    text = (f"its own memory {mean(first, lambda s: s.own):.1f} MiB in the first third after warming up, "
            f"{mean(last, lambda s: s.own):.1f} in the last ({slope(steady, lambda s: s.own):+.1f} MiB an hour); at most "
            f"{max(s.files for s in first)} and {max(s.files for s in last)} open files, {max(s.threads for s in last)} threads; "
            "with nobody asking, nobody's database stays open")
    print(f"  {load.requests:,} requests ({dict(sorted(load.statuses.items()))}); {text}")
    # In the first minutes everything is still warming up.
    if minutes >= 5:
        assert growth < 8 + 0.1 * mean(first, lambda sample: sample.own), f"memory grows: {text}"
        assert files <= 30, f"open files grow: {text}"
    return [Row(
        f"A server under load: {CLIENTS} clients of {PEOPLE} people write, remove, search and go away; pages listen; databases close when idle",
        f"{minutes:g} minutes, {load.requests:,} requests", f"no error, nothing; {text}")]


def test_soak(programs):
    return soak(programs, programs.minutes or programs.pick(0.3, 10))
