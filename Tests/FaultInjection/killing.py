"""SIGKILL at random moments while command lines, a server and the terminal interface write to one file."""

import json
import random
import signal
import threading
import time

from bench import Bench, Crew, Row, Server, card
from terminal import Terminal

QUERIES = ["a", "person", "parson", "item", "7377", "guest", "terminal", "brd", ""]
BATCH = 7


class Ledger:
    """The acknowledged writes, and those in doubt."""

    def __init__(self):
        self.lock = threading.Lock()
        self.next = 0
        self.must = {}
        self.may = set()
        self.gone = set()
        self.writes = 0

    def name(self):
        with self.lock:
            self.next += 1
            return self.next

    def began(self, kind, name):
        with self.lock:
            self.may.add((kind, name))

    def ended(self, kind, name, value=True):
        with self.lock:
            self.may.discard((kind, name))
            self.must[kind, name] = value
            self.writes += 1

    def removing(self, kind, name):
        """Marks a contact as in doubt until its removal is acknowledged."""
        with self.lock:
            value = self.must.pop((kind, name))
            self.may.add((kind, name))
            return value

    def removed(self, kind, name):
        with self.lock:
            self.may.discard((kind, name))
            self.gone.add((kind, name))
            self.writes += 1

    def expect(self, kind, there):
        there = set(there)
        lost = {name for (what, name) in self.must if what == kind} - there
        assert not lost, f"acknowledged but lost, {kind}: {sorted(lost)}"
        back = {name for (what, name) in self.gone if what == kind} & there
        assert not back, f"removed but present, {kind}: {sorted(back)}"
        known = {name for (what, name) in [*self.must, *self.may] if what == kind}
        assert there <= known, f"never written, {kind}: {sorted(there - known)}"


class Scenario:
    """Writers of every kind on one file, and a thread that kills them."""

    def __init__(self, programs, seed):
        self.bench = Bench(programs)
        self.rng = random.Random(seed)
        self.server = Server(self.bench)
        self.bench.database = self.server.database
        self.ledger = Ledger()
        self.running = {}
        self.lock = threading.Lock()
        self.pause = threading.Condition()
        self.is_paused = False
        self.busy = 0
        self.kills = {"command": 0, "server": 0, "terminal": 0}
        self.terminals = 0

    # MARK: Pausing for the inspection

    def enter(self):
        with self.pause:
            while self.is_paused:
                self.pause.wait()
            self.busy += 1

    def leave(self):
        with self.pause:
            self.busy -= 1
            self.pause.notify_all()

    def quietly(self, work):
        with self.pause:
            self.is_paused = True
            self.pause.wait_for(lambda: self.busy == 0, 120)
            assert self.busy == 0, "a writer hangs"
        try:
            work()
        finally:
            with self.pause:
                self.is_paused = False
                self.pause.notify_all()

    # MARK: Writers

    def command(self, *arguments, text=None):
        """Returns the status and output of a command that may be killed."""
        process = self.bench.start(*arguments, text=text)
        with self.lock:
            self.running[process.pid] = process
        try:
            output, errors = process.communicate(text)
        finally:
            with self.lock:
                del self.running[process.pid]
        assert process.returncode in (0, -signal.SIGKILL), (arguments, process.returncode, output, errors)
        return process.returncode, output

    def write_by_command(self, crew, rng):
        while not crew.is_over.is_set():
            self.enter()
            try:
                self.write_once_by_command(rng)
            finally:
                self.leave()

    def write_once_by_command(self, rng):
        kind = rng.choice(["contact", "contact", "prospect", "items", "cards", "remove"])
        number = self.ledger.name()
        if kind == "contact":
            name = f"Person{number} Bird"
            self.ledger.began("contact", name)
            status, output = self.command("contacts", "add", "--name", name, "--phone", f"+44 7700 9{number:05}", "--json")
            if status == 0:
                self.ledger.ended("contact", name, json.loads(output)["id"])
        elif kind == "prospect":
            name = f"Guest{number} Bird"
            self.ledger.began("prospect", name)
            if self.command("prospects", "add", "--name", name, "--email", f"g{number}@example.org")[0] == 0:
                self.ledger.ended("prospect", name)
        elif kind == "items":
            names = [f"item-{number}-{part}" for part in range(BATCH)]
            for name in names:
                self.ledger.began("item", name)
            text = "".join(json.dumps({"id": name, "title": f"Item {name}"}) + "\n" for name in names)
            if self.command("index", "put", "-", text=text)[0] == 0:
                for name in names:
                    self.ledger.ended("item", name)
        elif kind == "cards":
            names = [f"Card{number}x{part} Bird" for part in range(BATCH)]
            for name in names:
                self.ledger.began("contact", name)
            text = "".join(card(name, f"EMAIL:{name.split()[0]}@example.org") for name in names)
            if self.command("contacts", "import", "-", text=text)[0] == 0:
                for name in names:
                    self.ledger.ended("contact", name)
        else:
            with self.ledger.lock:
                mine = [(name, value) for (what, name), value in self.ledger.must.items()
                        if what == "contact" and isinstance(value, str)]
            if len(mine) > 20:
                name, identifier = rng.choice(mine)
                try:
                    self.ledger.removing("contact", name)
                except KeyError:
                    return
                if self.command("contacts", "remove", identifier)[0] == 0:
                    self.ledger.removed("contact", name)

    def write_by_server(self, crew, rng):
        connection = self.server.connect()
        while not crew.is_over.is_set():
            self.enter()
            try:
                number = self.ledger.name()
                if rng.random() < 0.5:
                    name = f"Web{number} Bird"
                    self.ledger.began("contact", name)
                    status, _ = connection.ask("POST", "/v1/contacts", {"name": name})
                    self.answered("contact", [name], status)
                else:
                    names = [f"item-{number}-{part}" for part in range(BATCH)]
                    for name in names:
                        self.ledger.began("item", name)
                    status, _ = connection.ask(
                        "PUT", "/v1/index/items", [{"id": name, "title": f"Item {name}"} for name in names])
                    self.answered("item", names, status)
            finally:
                self.leave()
            if status is None:
                time.sleep(0.05)

    def answered(self, kind, names, status):
        assert status is None or 200 <= status < 300, f"the server responded with {status}"
        if status is not None:
            for name in names:
                self.ledger.ended(kind, name)

    # MARK: Killing

    def kill_command(self):
        for _ in range(400):
            with self.lock:
                running = list(self.running.values())
            if running:
                victim = self.rng.choice(running)
                time.sleep(self.rng.uniform(0, 0.03))
                with self.lock:
                    if victim.pid in self.running and victim.poll() is None:
                        victim.kill()
                        self.kills["command"] += 1
                        return
            time.sleep(0.002)

    def kill_server(self):
        time.sleep(self.rng.uniform(0, 0.03))
        self.server.kill()
        self.kills["server"] += 1
        self.server.start()

    def kill_all(self):
        """Kills all processes at the same moment, as a power failure would."""
        with self.lock:
            for process in self.running.values():
                if process.poll() is None:
                    process.kill()
                    self.kills["command"] += 1
        self.kill_server()

    def kill_terminal(self):
        """Adds a contact in the terminal interface and kills it before or after the confirmation."""
        self.terminals += 1
        name = f"Terminal{self.terminals} Bird"
        terminal = Terminal(self.bench)
        try:
            terminal.wait("Activity")
            terminal.press("M-2")
            terminal.wait("contacts:")
            self.ledger.began("contact", name)
            terminal.press("M-a")
            terminal.wait("New contact")
            terminal.type(name)
            terminal.wait(name)
            terminal.press("C-s")
            if self.rng.random() < 0.5:
                terminal.wait(f"{name} added")
                self.ledger.ended("contact", name)
            else:
                time.sleep(self.rng.uniform(0, 0.1))
            terminal.kill()
            self.kills["terminal"] += 1
        finally:
            terminal.end()

    # MARK: Inspection

    def inspect(self):
        bench = self.bench
        # The first check runs while the log of killed processes still exists.
        bench.check()
        self.ledger.expect("contact", (name for name, *_ in bench.contacts()))
        self.ledger.expect("prospect", (name for name, _ in bench.prospects()))
        items = bench.items()
        self.ledger.expect("item", items)
        # Transactions are atomic.
        for what, names in (("item", items), ("card", [n.split()[0] for n, *_ in bench.contacts() if n.startswith("Card")])):
            stems = [name.rsplit("-" if what == "item" else "x", 1)[0] for name in names]
            for stem in set(stems):
                assert stems.count(stem) == BATCH, f"partial transaction: {what} {stem} has {stems.count(stem)} of {BATCH}"
        bench.expect_same_as_new(QUERIES)
        # Unacknowledged writes are now either applied or not, and must stay so.
        with self.ledger.lock:
            names = {"contact": {n for n, *_ in bench.contacts()}, "prospect": {n for n, _ in bench.prospects()}, "item": set(items)}
            for kind, name in list(self.ledger.may):
                self.ledger.may.discard((kind, name))
                if name in names[kind]:
                    self.ledger.must[kind, name] = True
                else:
                    self.ledger.gone.add((kind, name))


def test_killing(programs):
    wanted = programs.pick(20, 1000)
    seed = random.randrange(1 << 32)
    scenario = Scenario(programs, seed)
    crew = Crew()
    for number in range(3):
        crew.add(scenario.write_by_command, crew, random.Random(seed + number))
    for number in range(2):
        crew.add(scenario.write_by_server, crew, random.Random(seed + 10 + number))
    inspections = 0
    try:
        killed = 0
        while killed < wanted:
            assert crew.failure is None, (seed, crew.failure)
            turn = scenario.rng.random()
            if turn < 0.75:
                scenario.kill_command()
            elif turn < 0.93:
                scenario.kill_server()
            elif turn < 0.97:
                scenario.kill_all()
            else:
                scenario.kill_terminal()
            before, killed = killed, sum(scenario.kills.values())
            if killed // programs.pick(20, 50) > before // programs.pick(20, 50):
                scenario.quietly(scenario.inspect)
                inspections += 1
                print(f"  {killed} kills, {scenario.ledger.writes:,} acknowledged writes", flush=True)
        if scenario.kills["terminal"] == 0:
            scenario.kill_terminal()
    finally:
        crew.join()
    scenario.inspect()
    scenario.server.stop()
    scenario.bench.end()
    kills = scenario.kills
    return [Row(
        "SIGKILL at a random moment while three command lines, a server with two clients and occasionally a terminal interface "
        "write to one file",
        f"{sum(kills.values()):,} kills ({kills['command']:,} command lines, {kills['server']:,} servers, {kills['terminal']} terminals), "
        f"{scenario.ledger.writes:,} acknowledged writes, {inspections + 1} inspections",
        "none; no partial transaction, every check sound, every index file equal to a new one")]
