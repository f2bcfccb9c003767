"""Load on the servers during a fault, and what must be true afterwards."""

import http.client
import json
import ssl
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from processes import Server, wait


@dataclass
class Address:
    """An address that clients use. `tls` is nil for plain HTTP."""

    host: str
    port: int
    tls: ssl.SSLContext | None = None

    def connect(self) -> http.client.HTTPConnection:
        if self.tls:
            return http.client.HTTPSConnection(self.host, self.port, timeout=5, context=self.tls)
        return http.client.HTTPConnection(self.host, self.port, timeout=5)

    def answers(self) -> bool:
        try:
            connection = self.connect()
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False


@dataclass
class Cluster:
    """What all faults have in common: the servers, the addresses of clients, a token of each person, and the deliveries."""

    servers: list[Server]
    addresses: list[Address]
    tokens: list[str]
    # A file to which the servers' `--deliver-with` adds the identifier of each delivered reminder.
    deliveries: Path
    seconds: float

    def deliver_option(self) -> list[str]:
        return ["--deliver-with", f'echo "$SWITCHBOARD_SUBJECT" >> {self.deliveries}']


@dataclass
class Fault:
    """A fault with its name in the table. `cause` returns when the fault is over."""

    name: str
    cause: Callable[[], None]
    # Returns the time of a promotion during the fault, by `time.monotonic()`.
    promotion: Callable[[], float | None] = field(default=lambda: None)


class Load:
    """A writer for each person, who adds contacts until the writers are stopped.

    A writer uses one address, and the next one after a failure.
    """

    def __init__(self, cluster: Cluster, prefix: str):
        self.cluster, self.prefix = cluster, prefix
        self.acknowledged: list[list[str]] = [[] for _ in cluster.tokens]
        self.times: list[list[float]] = [[time.monotonic()] for _ in cluster.tokens]
        self.failures: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.is_over = False
        self.threads = [threading.Thread(target=self.write, args=[person], daemon=True) for person in range(len(cluster.tokens))]
        for thread in self.threads:
            thread.start()

    def write(self, person: int) -> None:
        addresses = self.cluster.addresses
        target, number = person % len(addresses), 0
        connection: http.client.HTTPConnection | None = None
        header = {"Authorization": f"Bearer {self.cluster.tokens[person]}"}
        while not self.is_over:
            name = f"{self.prefix}-{person}-{number}"
            number += 1
            try:
                connection = connection or addresses[target].connect()
                connection.request("POST", "/v1/contacts", json.dumps({"name": name}), header)
                reply = connection.getresponse()
                body = reply.read()
                outcome = "" if reply.status == 201 else f"{reply.status} {code(body)}".strip()
            except (OSError, http.client.HTTPException) as error:
                outcome = type(error).__name__
            if outcome == "":
                self.acknowledged[person].append(name)
                self.times[person].append(time.monotonic())
                continue
            with self.lock:
                self.failures[outcome] += 1
            if connection:
                connection.close()
            connection, target = None, (target + 1) % len(addresses)
            time.sleep(0.02)

    def stop(self) -> None:
        self.is_over = True
        for thread in self.threads:
            thread.join()


def code(body: bytes) -> str:
    """The code of a problem, or nothing."""
    try:
        return json.loads(body).get("code", "")
    except (ValueError, AttributeError):
        return ""


def longest_wait(times: list[float]) -> float:
    return max((later - earlier for earlier, later in zip(times, times[1:])), default=0)


def remind(cluster: Cluster, delay: float) -> list[str]:
    """Adds a prospect with a reminder in `delay` seconds for each person. Returns the identifiers."""
    identifiers = []
    for token in cluster.tokens:
        server = cluster.servers[0]
        status, added = server.ask("POST", "/v1/prospects", token, json.dumps({"name": "Reminded"}))
        assert status == 201, added
        identifier = json.loads(added)["id"]
        status, text = server.ask("PUT", f"/v1/prospects/{identifier}/reminder", token, json.dumps({"in": int(delay)}))
        assert status == 200, text
        identifiers.append(identifier)
    return identifiers


def deliveries(cluster: Cluster, identifiers: list[str]) -> Counter[str]:
    text = cluster.deliveries.read_text() if cluster.deliveries.exists() else ""
    wanted = set(identifiers)
    return Counter(line for line in text.split("\n") if line in wanted)


HEADER = """\
| fault | writes/s | failed | gap | one person's | after promotion | acknowledged | lost | repeated | reminders | copies |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |"""


def measure(cluster: Cluster, fault: Fault, number: int) -> bool:
    """Causes a fault under load and prints a row of the table. Returns `True` if nothing was lost."""
    reminders = remind(cluster, 2 * cluster.seconds)
    load = Load(cluster, f"F{number}")
    start = time.monotonic()
    time.sleep(cluster.seconds)
    fault.cause()
    time.sleep(cluster.seconds)
    end = time.monotonic()
    load.stop()
    wait("all servers are ready", lambda: all(server.ask("GET", "/readyz")[0] == 200 for server in cluster.servers))
    stored = [[server.names(token) for token in cluster.tokens] for server in cluster.servers]
    lost = repeated = 0
    for person, acknowledged in enumerate(load.acknowledged):
        for each in stored:
            lost += len(set(acknowledged) - set(each[person]))
            repeated += len(each[person]) - len(set(each[person]))
    wait("all reminders are delivered", lambda: len(deliveries(cluster, reminders)) == len(reminders), 60)
    time.sleep(1)
    delivered = deliveries(cluster, reminders)
    # The delivery is recorded after the command, and read by the other server with its next request.
    is_equal = False
    for _ in range(50):
        for server in cluster.servers:
            for token in cluster.tokens:
                server.ask("GET", "/v1/contacts?limit=1", token)
        is_equal = all(server.dump() == cluster.servers[0].dump() for server in cluster.servers)
        if is_equal:
            break
        time.sleep(0.1)
    check = cluster.servers[0].command("cluster", "check")
    times = sorted(moment for each in load.times for moment in each)
    promotion = fault.promotion()
    after = min((moment - promotion for moment in times if promotion and moment > promotion), default=0)
    count = sum(map(len, load.acknowledged))
    once = sum(1 for times in delivered.values() if times == 1)
    print(
        f"| {fault.name} | {count / (end - start):.0f} | {sum(load.failures.values())} | {longest_wait(times):.2f} | "
        f"{max(longest_wait([*each, end]) for each in load.times):.2f} | {f'{after:.2f}' if promotion else ''} | {count} | "
        f"{lost} | {repeated} | {once} of {len(reminders)} | {'equal' if is_equal else 'DIFFERENT'} |", flush=True)
    if load.failures:
        print(f"<!-- {', '.join(f'{reason}: {times}' for reason, times in load.failures.most_common())} -->", flush=True)
    is_good = lost == 0 and repeated == 0 and is_equal and once == len(reminders)
    if not is_good:
        print(check)
    return is_good
