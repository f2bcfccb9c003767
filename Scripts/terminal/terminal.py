"""A tmux terminal that runs the terminal interface and waits for expected output instead of fixed times."""
from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path


class Terminal:
    """A private tmux server with one window."""

    def __init__(self, command: str, columns: int = 80, rows: int = 24, environment: dict[str, str] | None = None):
        self.folder = tempfile.TemporaryDirectory(prefix="sb-tmux-")
        self.socket = str(Path(self.folder.name) / "s")
        configuration = Path(self.folder.name) / "conf"
        configuration.write_text("set -g default-terminal tmux-256color\nset -g escape-time 0\nset -g status off\n")
        variables = {"LANG": "C.UTF-8", "SWITCHBOARD_REGION": "GB", "TZ": "Europe/Berlin", **(environment or {})}
        words = " ".join(f"{name}='{value}'" for name, value in variables.items())
        self.tmux("-f", str(configuration), "new-session", "-d", "-x", str(columns), "-y", str(rows), f"env {words} {command}")

    def tmux(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-S", self.socket, *arguments], capture_output=True, text=True, check=False)
        return done.stdout

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tmux("send-keys", key)

    def screen(self, colours: bool = False) -> str:
        return self.tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def wait(self, text: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if text in self.screen():
                return
            time.sleep(0.05)
        raise SystemExit(f"timeout while waiting for {text!r}; the screen is\n{self.screen()}")

    def quiet(self) -> None:
        """Waits until the screen stops changing."""
        last = None
        while last != (last := self.screen(True)):
            time.sleep(0.5)

    def close(self) -> None:
        self.tmux("kill-server")
        self.folder.cleanup()


def program(root: Path, name: str) -> str:
    """The path of a release build; SWITCHBOARD_PROGRAMS names a folder of programs that are already built."""
    if folder := os.environ.get("SWITCHBOARD_PROGRAMS"):
        return str(Path(folder) / name)
    build = subprocess.run([str(root / "Scripts/build-program"), name], check=True, stdout=subprocess.PIPE, text=True)
    return build.stdout.strip().splitlines()[-1]
