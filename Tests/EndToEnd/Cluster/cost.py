"""The processor time of a request: a single server, one server of a cluster, and two."""

import argparse
import json
import os
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from load import Address
from processes import Postgres, Server
from processes_only import start_postgres

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Setting:
    """Servers, a token of each person, and whether PostgreSQL belongs to it."""

    name: str
    servers: list[Server]
    tokens: list[str]
    postgres: list[Postgres]


@dataclass
class Request:
    """A kind of request. `body` returns the body of the n-th one."""

    name: str
    method: str
    path: str
    body: Callable[[int], str | None] = lambda number: None


REQUESTS = [
    Request("an airport search", "GET", "/v1/airports?q=lon"),
    Request("a private read", "GET", "/v1/contacts?q=person"),
    Request("a private write", "POST", "/v1/contacts", lambda number: json.dumps({"name": f"Person {number}"})),
]


def family(process: int) -> list[int]:
    """A process and its children."""
    children = subprocess.run(["pgrep", "-P", str(process)], stdout=subprocess.PIPE, text=True).stdout.split()
    return [process, *map(int, children)]


def processor_seconds(process: int) -> float:
    """The time of a process and its children, ended ones included."""
    total = 0
    for each in family(process):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15] if each == process else fields[11:13]))
    return total / TICKS


def measure(setting: Setting, request: Request, seconds: float) -> tuple[int, float, float, list[float]]:
    """Returns the number of requests, the processor time of servers and of PostgreSQL, and the times of the requests."""
    times: list[list[float]] = [[] for _ in setting.tokens]
    is_over = threading.Event()

    def client(person: int) -> None:
        server = setting.servers[person % len(setting.servers)]
        connection = Address(server.host, server.port).connect()
        number = 0
        while not is_over.is_set():
            start = time.perf_counter()
            connection.request(
                request.method, request.path, request.body(number), {"Authorization": f"Bearer {setting.tokens[person]}"})
            reply = connection.getresponse()
            text = reply.read()
            assert reply.status in (200, 201), (reply.status, text)
            times[person].append(time.perf_counter() - start)
            number += 1

    def used() -> tuple[float, float]:
        return (
            sum(processor_seconds(server.process.pid) for server in setting.servers if server.process),
            sum(processor_seconds(each.process.pid) for each in setting.postgres if each.process))

    before = used()
    threads = [threading.Thread(target=client, args=[person]) for person in range(len(setting.tokens))]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    is_over.set()
    for thread in threads:
        thread.join()
    after = used()
    all_times = [moment for each in times for moment in each]
    return len(all_times), after[0] - before[0], after[1] - before[1], all_times


def run(folder: Path, options: argparse.Namespace) -> int:
    primary, standby, connection = start_postgres(folder)
    servers: list[Server] = []
    try:
        settings = []
        for name, count, address in (("a single server", 1, None), ("one server of a cluster", 1, connection), ("two servers", 2, connection)):
            own = [Server(options.program, folder / f"{name} {number}", address) for number in range(count)]
            for server in own:
                server.start()
                servers.append(server)
            tokens = [own[0].create_token(f"{name} {number}") for number in range(options.writers)]
            settings.append(Setting(name, own, tokens, [primary, standby] if address else []))
        print("| request | setting | requests/s | median ms | 99 % ms | server µs | PostgreSQL µs | server, of a single server's |")
        print("| --- | --- | --: | --: | --: | --: | --: | --: |")
        for request in REQUESTS:
            rounds: dict[str, list[tuple[int, float, float, list[float]]]] = {setting.name: [] for setting in settings}
            for _ in range(5):
                for setting in settings:
                    rounds[setting.name].append(measure(setting, request, options.seconds))
            single = 0.0
            for setting in settings:
                results = rounds[setting.name]
                count = sum(result[0] for result in results)
                server = sum(result[1] for result in results) / count * 1e6
                postgres = sum(result[2] for result in results) / count * 1e6
                single = single or server
                times = sorted(moment * 1e3 for result in results for moment in result[3])
                print(
                    f"| {request.name} | {setting.name} | {count / (5 * options.seconds):.0f} | {statistics.median(times):.2f} | "
                    f"{times[len(times) * 99 // 100]:.1f} | {server:.0f} | {postgres:.0f} | {server / single:.2f} |", flush=True)
        return 0
    finally:
        for each in [*servers, primary, standby]:
            each.kill()
