"""Two servers, PostgreSQL and its standby as processes of one machine: the form of the test for CI."""

import argparse
import os
import pwd
import shutil
import signal
import time
from pathlib import Path

from load import HEADER, Address, Cluster, Fault, measure
from processes import Postgres, Server, wait


def start_postgres(folder: Path) -> tuple[Postgres, Postgres, str]:
    """Starts PostgreSQL with a synchronous standby. Returns both, and their connection string."""
    sockets = folder / "postgres"
    sockets.mkdir()
    if os.geteuid() == 0:
        os.chown(sockets, pwd.getpwnam("postgres").pw_uid, -1)
    primary, standby = Postgres(sockets), Postgres(sockets)
    primary.create()
    primary.start()
    standby.copy(primary)
    standby.start()
    primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
    primary.sql("SELECT pg_reload_conf()")
    wait("the standby is synchronous", lambda: primary.sql("SELECT sync_state FROM pg_stat_replication") == "sync")
    connection = (
        f"host={sockets},{sockets} port={primary.port},{standby.port} user=switchboard dbname=postgres "
        "target_session_attrs=read-write")
    return primary, standby, connection


def run(folder: Path, options: argparse.Namespace) -> int:
    primary, standby, connection = start_postgres(folder)
    cluster = Cluster([], [], [], folder / "deliveries", options.seconds)
    try:
        for name in ("one", "two"):
            server = Server(options.program, folder / name, connection, options=cluster.deliver_option())
            cluster.servers.append(server)
            cluster.addresses.append(Address(server.host, server.port))
            server.start()
        cluster.tokens += [cluster.servers[0].create_token(f"person {number}") for number in range(options.writers)]
        print(HEADER)
        results = [
            measure(cluster, fault, number)
            for number, fault in enumerate(faults(cluster, primary, standby)) if options.only in fault.name]
        print(f"\n{cluster.servers[0].command('cluster', 'check')}")
        return 0 if all(results) else 1
    finally:
        for each in [*cluster.servers, primary, standby]:
            each.kill()


def faults(cluster: Cluster, primary: Postgres, standby: Postgres) -> list[Fault]:
    one, two = cluster.servers
    promotions: list[float] = []

    def nothing() -> None:
        time.sleep(cluster.seconds)

    def kill_server() -> None:
        one.kill()
        time.sleep(cluster.seconds)
        one.start()

    def stop_server() -> None:
        two.signal(signal.SIGSTOP)
        time.sleep(cluster.seconds)
        two.signal(signal.SIGCONT)

    def delete_copies() -> None:
        one.kill()
        shutil.rmtree(one.folder)
        one.start()

    def restart_primary() -> None:
        primary.kill()
        primary.start()

    def promote_standby() -> None:
        primary.kill()
        time.sleep(0.5)
        standby.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
        standby.sql("SELECT pg_promote()")
        promotions.append(time.monotonic())

    return [
        Fault("none", nothing), Fault("a server killed, later restarted", kill_server),
        Fault(f"a server stopped for {cluster.seconds:.0f} s and continued", stop_server),
        Fault("a server killed, its copies deleted", delete_copies),
        Fault("PostgreSQL killed and restarted", restart_primary),
        Fault("primary killed, standby promoted 0.5 s later", promote_standby, lambda: promotions[-1])]
