"""The terminal interface in tmux."""

import itertools
import os
import signal
import subprocess
import time


class Terminal:
    numbers = itertools.count(1)

    def __init__(self, bench, columns=100, rows=30):
        self.environment = {key: value for key, value in bench.environment.items() if key != "NO_COLOR"}
        self.environment["TERM"] = "tmux-256color"
        # Each terminal has its own tmux server, because one that is exiting refuses new sessions.
        self.tmux = ["tmux", "-S", str(bench.root / f"tmux-{next(Terminal.numbers)}")]
        program = f"'{bench.programs.terminal}' --database '{bench.database}'"
        # The shell keeps the terminal open when the interface is killed.
        subprocess.run(
            [*self.tmux, "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), f"{program}; sleep 600"],
            check=True, env=self.environment)

    def run(self, *words):
        return subprocess.run([*self.tmux, *words], capture_output=True, text=True, env=self.environment).stdout

    def press(self, *keys):
        self.run("send-keys", *keys)

    def type(self, text):
        self.run("send-keys", "-l", text)

    def wait(self, text):
        for _ in range(6000):
            if text in self.run("capture-pane", "-p"):
                return
            time.sleep(0.01)
        raise AssertionError(f"the terminal does not show “{text}”: {self.run('capture-pane', '-p')}")

    def kill(self):
        """Kills the interface with SIGKILL."""
        shell = self.run("display-message", "-p", "#{pane_pid}").strip()
        with open(f"/proc/{shell}/task/{shell}/children") as children:
            os.kill(int(children.read().split()[0]), signal.SIGKILL)

    def end(self):
        self.run("kill-server")
