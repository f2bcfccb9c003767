"""Machines with a network each: a balancer, two servers, two PostgreSQL servers with Patroni, and etcd.

The machines are network namespaces of this one, joined by a bridge. Their addresses, and the configurations of HAProxy and
Patroni, are those of docs/cluster.md. All of it is in namespaces of the test's own, which end with it.
"""

import argparse
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

from load import HEADER, Address, Cluster, Fault, measure
from processes import Server, as_postgres, postgres_programs, wait

PAGE = Path(__file__).resolve().parents[3] / "docs" / "cluster.md"
# An address that no machine has: what is sent to it disappears.
NO_HARDWARE_ADDRESS = "02:00:00:00:00:ff"


def enter_namespaces() -> None:
    """Runs this program again in namespaces of its own, unless it is there already."""
    if os.geteuid() != 0:
        sys.exit("networks of machines need the rights of root: run it with sudo")
    if os.environ.get("SWITCHBOARD_CLUSTER_NAMESPACES") is None:
        os.environ["SWITCHBOARD_CLUSTER_NAMESPACES"] = "1"
        namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        # The shell is the first process of the namespace, and so ends what loses its parent, as an init does.
        init = ["bash", "-c", '"$@"; exit $?', "bash"]
        os.execvp("unshare", ["unshare", *namespaces, *init, sys.executable, *sys.argv])
    run("mount", "--types", "tmpfs", "tmpfs", "/run")
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "bridge", "type", "bridge")
    run("ip", "address", "add", "10.0.0.254/24", "dev", "bridge")
    run("ip", "link", "set", "bridge", "up")


def run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


class Machine:
    """A network namespace with an address on the bridge."""

    def __init__(self, name: str, address: str):
        self.name, self.address = name, address
        run("ip", "netns", "add", name)
        run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "-n", name, "address", "add", f"{address}/24", "dev", "eth0")
        run("ip", "link", "set", f"to-{name}", "master", "bridge", "up")
        for device in ("lo", "eth0"):
            run("ip", "-n", name, "link", "set", device, "up")

    @property
    def inside(self) -> list[str]:
        return ["ip", "netns", "exec", self.name]

    def start(self, *command: str | Path, log: Path) -> None:
        with log.open("a") as file:
            subprocess.Popen([*self.inside, *command], stdout=file, stderr=file, cwd="/tmp")

    def lose_power(self) -> None:
        """Ends the machine so that others hear nothing more of it."""
        run("ip", "link", "set", f"to-{self.name}", "down")
        stop(self.name)

    def get_power(self) -> None:
        run("ip", "link", "set", f"to-{self.name}", "up")

    def separate(self, other: "Machine") -> None:
        """Lets everything disappear that two machines send each other."""
        for one, two in ((self, other), (other, self)):
            run("ip", "-n", one.name, "neighbour", "replace", two.address, "lladdr", NO_HARDWARE_ADDRESS, "dev", "eth0", "nud", "permanent")

    def join(self, other: "Machine") -> None:
        for one, two in ((self, other), (other, self)):
            run("ip", "-n", one.name, "neighbour", "delete", two.address, "dev", "eth0")


def stop(machine: str, program: str = "") -> None:
    """Kills the processes of a machine, or those of one program."""
    for process in run("ip", "netns", "pids", machine).split():
        try:
            if program in Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace"):
                os.kill(int(process), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


class Node:
    """A machine with PostgreSQL, managed by Patroni."""

    def __init__(self, machine: Machine, folder: Path, etcd: Machine, certificates: "Certificates"):
        self.machine, self.folder = machine, folder
        folder.mkdir()
        shutil.chown(folder, "postgres")
        certificate, key = certificates.create(machine, folder)
        shutil.chown(key, "postgres")
        sockets = folder / "sockets"
        sockets.mkdir()
        shutil.chown(sockets, "postgres")
        # The short form of the test runs without this package.
        import yaml

        recipe = yaml.safe_load(code_block("yaml"))
        recipe["bootstrap"]["dcs"]["postgresql"]["use_pg_rewind"] = True
        recipe["bootstrap"]["dcs"]["postgresql"]["parameters"]["max_connections"] = 200
        recipe["bootstrap"]["initdb"] = [{"encoding": "UTF8"}, "data-checksums"]
        access = ["local all all trust", "hostssl all all 10.0.0.0/24 scram-sha-256", "hostssl replication all 10.0.0.0/24 scram-sha-256"]
        recipe |= {
            "scope": "switchboard", "name": machine.name,
            "restapi": {"listen": f"{machine.address}:8008", "connect_address": f"{machine.address}:8008"},
            "etcd3": {"host": f"{etcd.address}:2379"},
            "postgresql": {
                "listen": f"{machine.address}:5432", "connect_address": f"{machine.address}:5432",
                "data_dir": f"{folder}/data", "pgpass": f"{folder}/pgpass", "bin_dir": postgres_programs(), "pg_hba": access,
                "authentication": {
                    "superuser": {"username": "postgres", "password": "secret"},
                    "replication": {"username": "replicator", "password": "secret"}},
                "parameters": {
                    "unix_socket_directories": str(sockets), "ssl": "on", "ssl_cert_file": str(certificate), "ssl_key_file": str(key)}}}
        self.configuration = folder / "patroni.yml"
        self.configuration.write_text(yaml.safe_dump(recipe))

    def start(self) -> None:
        self.machine.start(*as_postgres(), "env", f"HOME={self.folder}", "patroni", self.configuration, log=self.folder / "patroni.log")

    def is_state(self, state: str) -> bool:
        """Asks Patroni: `primary` is true of a primary, `synchronous` of a synchronous standby."""
        try:
            urllib.request.urlopen(f"http://{self.machine.address}:8008/{state}", timeout=1).close()
            return True
        except OSError:
            return False

    def sql(self, statement: str) -> str:
        return run(*self.machine.inside, *as_postgres(), "env", f"HOME={self.folder}", "psql", "-h", str(self.folder / "sockets"), "-AtXc", statement, "postgres")


class Certificates:
    """A certificate authority for the test."""

    def __init__(self, folder: Path):
        self.folder, self.root = folder, folder / "root.pem"
        folder.mkdir()
        self.openssl("req", "-x509", "-days", "2", "-subj", "/CN=Test", "-keyout", folder / "root.key", "-out", self.root)

    @staticmethod
    def openssl(command: str, *arguments: str | Path) -> None:
        algorithm = ["-newkey", "rsa:2048", "-noenc"] if command == "req" else []
        subprocess.run(["openssl", command, *algorithm, *arguments], check=True, stderr=subprocess.DEVNULL)

    def create(self, machine: Machine, folder: Path) -> tuple[Path, Path]:
        """Creates a certificate for the address of a machine. Returns the files of it and of its key."""
        certificate, key, request = folder / "certificate.pem", folder / "key.pem", folder / "request"
        extension = folder / "extension"
        extension.write_text(f"subjectAltName=IP:{machine.address}\n")
        self.openssl("req", "-subj", f"/CN={machine.name}", "-keyout", key, "-out", request)
        self.openssl(
            "x509", "-req", "-in", request, "-CA", self.root, "-CAkey", self.folder / "root.key", "-CAcreateserial",
            "-days", "2", "-extfile", extension, "-out", certificate)
        return certificate, key


def code_block(language: str) -> str:
    """A recipe of the page on clusters."""
    found = re.search(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert found, f"{PAGE} has no recipe in {language}"
    return found[1]


class Machines:
    """All machines with their programs, running."""

    def __init__(self, folder: Path, options: argparse.Namespace):
        self.folder = folder
        certificates = Certificates(folder / "certificates")
        self.balancer = Machine("balancer", "10.0.0.1")
        self.etcd = Machine("etcd", "10.0.0.31")
        self.start_etcd()
        self.nodes = [
            Node(Machine(f"pg{number}", f"10.0.0.2{number}"), folder / f"pg{number}", self.etcd, certificates)
            for number in (1, 2)]
        for node in self.nodes:
            node.start()
        self.wait_until_healthy()
        self.primary.sql("CREATE USER switchboard PASSWORD 'secret'")
        self.primary.sql("CREATE DATABASE switchboard OWNER switchboard")

        hosts = ",".join(node.machine.address for node in self.nodes)
        connection = (
            f"host={hosts} target_session_attrs=read-write sslmode=verify-full sslrootcert={certificates.root} "
            "dbname=switchboard user=switchboard password=secret")
        self.machines = [Machine("one", "10.0.0.11"), Machine("two", "10.0.0.12")]
        tls = ssl.create_default_context(cafile=certificates.root)
        self.cluster = Cluster([], [Address(self.balancer.address, 443, tls)], [], folder / "deliveries", options.seconds)
        proxy = ["--behind-tls", "--public-host", self.balancer.address, "--trusted-proxy", f"{self.balancer.address}/32"]
        for machine in self.machines:
            data = folder / machine.name
            data.mkdir()
            run("mount", "--types", "tmpfs", "--options", "size=512m", "tmpfs", data)
            self.cluster.servers.append(Server(
                options.program, data, connection, host=machine.address, port=8080, name=self.balancer.address, inside=machine.inside,
                options=[*proxy, *self.cluster.deliver_option()]))
        for server in self.cluster.servers:
            server.start()
        self.cluster.tokens += [self.cluster.servers[0].create_token(f"person {number}") for number in range(options.writers)]

        pair = folder / "balancer.pem"
        (folder / "balancer").mkdir()
        certificate, key = certificates.create(self.balancer, folder / "balancer")
        pair.write_text(certificate.read_text() + key.read_text())
        configuration = folder / "haproxy.cfg"
        configuration.write_text(code_block("haproxy").replace("/etc/ssl/people-with-key.pem", str(pair)))
        self.balancer.start("haproxy", "-db", "-f", configuration, log=folder / "haproxy.log")
        wait("the balancer answers", self.cluster.addresses[0].answers)

    def start_etcd(self) -> None:
        address = f"http://{self.etcd.address}"
        self.etcd.start(
            "etcd", "--data-dir", self.folder / "etcd", "--listen-client-urls", f"{address}:2379",
            "--advertise-client-urls", f"{address}:2379", log=self.folder / "etcd.log")

    @property
    def primary(self) -> Node:
        return next(node for node in self.nodes if node.is_state("primary"))

    @property
    def standby(self) -> Node:
        return next(node for node in self.nodes if node.is_state("synchronous"))

    def wait_until_healthy(self) -> None:
        for state in ("primary", "synchronous"):  # WAIT
            wait(f"Patroni reports a {state} node", lambda: any(node.is_state(state) for node in self.nodes), 40)


class Promotion:
    """Watches until another node is the primary, and keeps the time."""

    def __init__(self, machines: Machines):
        former = machines.primary
        self.time: float | None = None
        self.other = next(node for node in machines.nodes if node is not former)
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self) -> None:
        # Patroni reports a primary once it has the lock in etcd, before PostgreSQL is promoted.
        while not self.other.is_state("primary") or self.other.sql("SELECT pg_is_in_recovery()") != "f":
            time.sleep(0.05)
        self.time = time.monotonic()

    def wait(self) -> None:
        wait("the standby is promoted", lambda: self.time is not None, 90)


def run_table(machines: Machines, options: argparse.Namespace) -> int:
    print(HEADER)
    results = []
    for number, fault in enumerate(faults(machines)):
        if options.only not in fault.name:
            continue
        machines.wait_until_healthy()
        results.append(measure(machines.cluster, fault, number))
    print(f"\n{machines.cluster.servers[0].command('cluster', 'check')}")
    return 0 if results and all(results) else 1


def faults(machines: Machines) -> list[Fault]:
    cluster = machines.cluster
    one, two = cluster.servers
    seconds = cluster.seconds
    promotion: list[Promotion] = []

    def killed() -> None:
        one.kill()
        time.sleep(seconds)
        one.start()

    def stopped() -> None:
        # `ip netns exec` becomes the server.
        two.signal(signal.SIGSTOP)
        time.sleep(seconds)
        two.signal(signal.SIGCONT)

    def copies_deleted() -> None:
        one.kill()
        empty(one.folder)
        one.start()

    def disk_full() -> None:
        with (one.folder / "filler").open("wb") as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
                    file.flush()
            except OSError:
                pass
        time.sleep(seconds)
        (one.folder / "filler").unlink()

    def server_lost() -> None:
        machines.machines[0].lose_power()
        time.sleep(seconds)
        one.kill()
        machines.machines[0].get_power()
        one.start()

    def postgres_killed() -> None:
        stop(machines.primary.machine.name, "/bin/postgres")
        time.sleep(seconds)

    def primary_lost() -> None:
        node = machines.primary
        promotion.append(Promotion(machines))
        node.machine.lose_power()
        promotion[-1].wait()
        time.sleep(seconds)
        node.machine.get_power()
        node.start()
        machines.wait_until_healthy()

    def separated(pairs: list[tuple[Machine, Machine]], until_promoted: bool) -> None:
        if until_promoted:
            promotion.append(Promotion(machines))
        for one, two in pairs:
            one.separate(two)
        time.sleep(seconds)
        if until_promoted:
            promotion[-1].wait()
            time.sleep(seconds)
        for one, two in pairs:
            one.join(two)
        machines.wait_until_healthy()

    def server_and_primary() -> None:
        separated([(machines.machines[0], machines.primary.machine)], until_promoted=False)

    def primary_and_standby() -> None:
        separated([(machines.primary.machine, machines.standby.machine)], until_promoted=False)

    def primary_and_etcd() -> None:
        separated([(machines.primary.machine, machines.etcd)], until_promoted=True)

    def primary_and_both() -> None:
        primary = machines.primary.machine
        separated([(primary, machines.etcd), (primary, machines.standby.machine)], until_promoted=True)

    def last() -> float | None:
        return promotion[-1].time

    return [
        Fault("none", lambda: time.sleep(seconds)),
        Fault("a server killed, later restarted", killed),
        Fault("a server's machine lost", server_lost),
        Fault(f"a server stopped for {seconds:.0f} s and continued", stopped),
        Fault("a server killed, its copies deleted", copies_deleted),
        Fault("a server's disk full", disk_full),
        Fault("the primary killed, restarted by Patroni", postgres_killed),
        Fault("the primary's machine lost, the standby promoted", primary_lost, last),
        Fault("a server separated from the primary", server_and_primary),
        Fault("the primary separated from its standby", primary_and_standby),
        Fault("the primary separated from etcd", primary_and_etcd, last),
        Fault("the primary separated from etcd and its standby", primary_and_both, last)]


def empty(folder: Path) -> None:
    """Removes what is in a folder."""
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def soak(machines: Machines, options: argparse.Namespace) -> int:
    """Causes faults at random, and checks after each of them."""
    numbers = random.Random(options.seed)
    cluster = machines.cluster
    end = time.monotonic() + options.soak * 60
    number = 0
    print(HEADER)
    while time.monotonic() < end:
        machines.wait_until_healthy()
        possible = faults(machines)
        chosen = numbers.choice(possible)
        cluster.seconds = numbers.uniform(0.5, 6)
        # A second fault of the servers at a random time within the first.
        victim, pause = numbers.choice(cluster.servers), numbers.uniform(0.01, 3)
        length = numbers.uniform(0.01, 2)

        def stop_briefly() -> None:
            time.sleep(cluster.seconds + pause)
            try:
                victim.signal(signal.SIGSTOP)
                time.sleep(length)
                victim.signal(signal.SIGCONT)
            except ProcessLookupError:
                pass

        thread = threading.Thread(target=stop_briefly, daemon=True)
        thread.start()
        is_good = measure(cluster, chosen, 1000 + number)
        thread.join()
        if not is_good:
            return 1
        number += 1
    print(f"\n{cluster.servers[0].command('cluster', 'check')}")
    return 0


def logs(folder: Path) -> str:
    """The ends of the programs' logs."""
    files = [*folder.glob("*.log"), *folder.glob("*/*.log")]
    return "\n".join(f"== {file.name}\n{file.read_text()[-3000:]}" for file in files)


def main(folder: Path, options: argparse.Namespace) -> int:
    try:
        machines = Machines(folder, options)
        return soak(machines, options) if options.soak else run_table(machines, options)
    except BaseException:
        print(logs(folder), file=sys.stderr)
        raise
    finally:
        for name in run("ip", "netns", "list").split("\n"):
            stop(name.split(" ")[0])
        for mount in ("one", "two"):
            subprocess.run(["umount", "--lazy", folder / mount], stderr=subprocess.DEVNULL)
