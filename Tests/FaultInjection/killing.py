"""SIGKILL at any moment, while command line, server and terminal interface write into one file."""

import json
import random
import signal
import threading
import time

from bench import Bench, Crew, Row, Server, card
from terminal import Terminal

QUERIES = ["a", "person", "parson", "item", "7377", "guest", "terminal", "brd", ""]
BATCH = 7


class Book:
    """What was acknowledged, and what may or may not be there."""

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
        """Somebody else's no more; may be there or not until it is removed."""
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
        assert not lost, f"acknowledged and lost, {kind}: {sorted(lost)}"
        back = {name for (what, name) in self.gone if what == kind} & there
        assert not back, f"removed and there again, {kind}: {sorted(back)}"
        known = {name for (what, name) in [*self.must, *self.may] if what == kind}
        assert there <= known, f"nobody has written {kind}: {sorted(there - known)}"


class Fair:
    """Writers of every kind on one file, and somebody who kills them."""

    def __init__(self, programs, seed):
        self.bench = Bench(programs)
        self.chance = random.Random(seed)
        self.server = Server(self.bench)
        self.bench.database = self.server.database
        self.book = Book()
        self.running = {}
        self.lock = threading.Lock()
        self.pause = threading.Condition()
        self.is_paused = False
        self.busy = 0
        self.kills = {"command": 0, "server": 0, "terminal": 0}
        self.terminals = 0

    # MARK: Taking turns with the inspector

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
        """Status and output of a command that somebody may kill."""
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

    def write_by_command(self, crew, chance):
        while not crew.is_over.is_set():
            self.enter()
            try:
                self.write_once_by_command(chance)
            finally:
                self.leave()

    def write_once_by_command(self, chance):
        kind = chance.choice(["contact", "contact", "prospect", "items", "cards", "remove"])
        number = self.book.name()
        if kind == "contact":
            name = f"Person{number} Bird"
            self.book.began("contact", name)
            status, output = self.command("contacts", "add", "--name", name, "--phone", f"+44 7700 9{number:05}", "--json")
            if status == 0:
                self.book.ended("contact", name, json.loads(output)["id"])
        elif kind == "prospect":
            name = f"Guest{number} Bird"
            self.book.began("prospect", name)
            if self.command("prospects", "add", "--name", name, "--email", f"g{number}@example.org")[0] == 0:
                self.book.ended("prospect", name)
        elif kind == "items":
            names = [f"item-{number}-{part}" for part in range(BATCH)]
            for name in names:
                self.book.began("item", name)
            text = "".join(json.dumps({"id": name, "title": f"Item {name}"}) + "\n" for name in names)
            if self.command("index", "put", "-", text=text)[0] == 0:
                for name in names:
                    self.book.ended("item", name)
        elif kind == "cards":
            names = [f"Card{number}x{part} Bird" for part in range(BATCH)]
            for name in names:
                self.book.began("contact", name)
            text = "".join(card(name, f"EMAIL:{name.split()[0]}@example.org") for name in names)
            if self.command("contacts", "import", "-", text=text)[0] == 0:
                for name in names:
                    self.book.ended("contact", name)
        else:
            with self.book.lock:
                mine = [(name, value) for (what, name), value in self.book.must.items()
                        if what == "contact" and isinstance(value, str)]
            if len(mine) > 20:
                name, identifier = chance.choice(mine)
                try:
                    self.book.removing("contact", name)
                except KeyError:
                    return
                if self.command("contacts", "remove", identifier)[0] == 0:
                    self.book.removed("contact", name)

    def write_by_server(self, crew, chance):
        connection = self.server.connect()
        while not crew.is_over.is_set():
            self.enter()
            try:
                number = self.book.name()
                if chance.random() < 0.5:
                    name = f"Web{number} Bird"
                    self.book.began("contact", name)
                    status, _ = connection.ask("POST", "/v1/contacts", {"name": name})
                    self.answered("contact", [name], status)
                else:
                    names = [f"item-{number}-{part}" for part in range(BATCH)]
                    for name in names:
                        self.book.began("item", name)
                    status, _ = connection.ask(
                        "PUT", "/v1/index/items", [{"id": name, "title": f"Item {name}"} for name in names])
                    self.answered("item", names, status)
            finally:
                self.leave()
            if status is None:
                time.sleep(0.05)

    def answered(self, kind, names, status):
        assert status is None or 200 <= status < 300, f"the server has answered {status}"
        if status is not None:
            for name in names:
                self.book.ended(kind, name)

    # MARK: Killing

    def kill_command(self):
        for _ in range(400):
            with self.lock:
                running = list(self.running.values())
            if running:
                victim = self.chance.choice(running)
                time.sleep(self.chance.uniform(0, 0.03))
                with self.lock:
                    if victim.pid in self.running and victim.poll() is None:
                        victim.kill()
                        self.kills["command"] += 1
                        return
            time.sleep(0.002)

    def kill_server(self):
        time.sleep(self.chance.uniform(0, 0.03))
        self.server.kill()
        self.kills["server"] += 1
        self.server.start()

    def kill_all(self):
        """As when a machine stops: everybody at the same moment."""
        with self.lock:
            for process in self.running.values():
                if process.poll() is None:
                    process.kill()
                    self.kills["command"] += 1
        self.kill_server()

    def kill_terminal(self):
        """Somebody is added in the terminal interface, which is killed when it says so, or before."""
        self.terminals += 1
        name = f"Terminal{self.terminals} Bird"
        terminal = Terminal(self.bench)
        try:
            terminal.wait("Activity")
            terminal.press("M-2")
            terminal.wait("contacts:")
            self.book.began("contact", name)
            terminal.press("M-a")
            terminal.wait("New contact")
            terminal.type(name)
            terminal.wait(name)
            terminal.press("C-s")
            if self.chance.random() < 0.5:
                terminal.wait(f"{name} added")
                self.book.ended("contact", name)
            else:
                time.sleep(self.chance.uniform(0, 0.1))
            terminal.kill()
            self.kills["terminal"] += 1
        finally:
            terminal.end()

    # MARK: Looking

    def inspect(self):
        bench = self.bench
        # While the log of the killed is still there, and after.
        bench.check()
        self.book.expect("contact", (name for name, *_ in bench.contacts()))
        self.book.expect("prospect", (name for name, _ in bench.prospects()))
        items = bench.items()
        self.book.expect("item", items)
        # A transaction is whole or not at all.
        for what, names in (("item", items), ("card", [n.split()[0] for n, *_ in bench.contacts() if n.startswith("Card")])):
            stems = [name.rsplit("-" if what == "item" else "x", 1)[0] for name in names]
            for stem in set(stems):
                assert stems.count(stem) == BATCH, f"half a transaction: {what} {stem} has {stems.count(stem)} of {BATCH}"
        bench.expect_same_as_new(QUERIES)
        # What nobody acknowledged and what is there now stays: it is no longer open.
        with self.book.lock:
            names = {"contact": {n for n, *_ in bench.contacts()}, "prospect": {n for n, _ in bench.prospects()}, "item": set(items)}
            for kind, name in list(self.book.may):
                self.book.may.discard((kind, name))
                if name in names[kind]:
                    self.book.must[kind, name] = True
                else:
                    self.book.gone.add((kind, name))


def test_killing(programs):
    wanted = programs.pick(20, 1000)
    seed = random.randrange(1 << 32)
    fair = Fair(programs, seed)
    crew = Crew()
    for number in range(3):
        crew.add(fair.write_by_command, crew, random.Random(seed + number))
    for number in range(2):
        crew.add(fair.write_by_server, crew, random.Random(seed + 10 + number))
    inspections = 0
    try:
        killed = 0
        while killed < wanted:
            assert crew.failure is None, (seed, crew.failure)
            turn = fair.chance.random()
            if turn < 0.75:
                fair.kill_command()
            elif turn < 0.93:
                fair.kill_server()
            elif turn < 0.97:
                fair.kill_all()
            else:
                fair.kill_terminal()
            before, killed = killed, sum(fair.kills.values())
            if killed // programs.pick(20, 50) > before // programs.pick(20, 50):
                fair.quietly(fair.inspect)
                inspections += 1
                print(f"  {killed} killed, {fair.book.writes:,} writes acknowledged", flush=True)
        if fair.kills["terminal"] == 0:
            fair.kill_terminal()
    finally:
        crew.join()
    fair.inspect()
    fair.server.stop()
    fair.bench.end()
    kills = fair.kills
    return [Row(
        "SIGKILL at a random moment while three command lines, a server with two clients and now and then a terminal interface "
        "write into one file",
        f"{sum(kills.values()):,} kills ({kills['command']:,} command lines, {kills['server']:,} servers, {kills['terminal']} terminals), "
        f"{fair.book.writes:,} acknowledged writes, looked through {inspections + 1} times",
        "nothing; no transaction was there in part, every check sound, every index file as a new one")]
