"""Runs several servers and PostgreSQL, causes faults under load, and prints a table. See Scripts/cluster."""

import argparse
import sys
import tempfile
from pathlib import Path

import cost
import machines
import page
import processes_only

ROOT = Path(__file__).resolve().parents[3]


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/cluster/run")
    parser.add_argument("--seconds", type=float, default=4, help="the time of load before and after a fault")
    parser.add_argument("--writers", type=int, default=8, help="the number of people who add contacts at the same time")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--machines", action="store_true", help="with machines of their own, etcd, Patroni and HAProxy")
    form.add_argument("--soak", type=float, metavar="MINUTES", help="as --machines, with faults at random")
    form.add_argument("--page", action="store_true", help="the commands of docs/cluster.md")
    form.add_argument("--cost", action="store_true", help="the processor time of a request beside a single server")
    parser.add_argument("--seed", type=int, default=1, help="the seed of --soak")
    parser.add_argument("--only", default="", help="only faults with this in their names")
    parser.add_argument("program", nargs="?", type=Path, default=ROOT / ".build/release/switchboard-server")
    options = parser.parse_args()
    if not options.program.exists():
        sys.exit(f"{options.program} does not exist; run Scripts/build-tests")
    options.program = options.program.resolve()
    if options.machines or options.soak or options.page:
        machines.enter_namespaces()
    if options.page:
        return page.main(options)
    with tempfile.TemporaryDirectory(prefix="switchboard-cluster-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        if options.cost:
            return cost.run(folder, options)
        return machines.main(folder, options) if options.machines or options.soak else processes_only.run(folder, options)


if __name__ == "__main__":
    sys.exit(main())
