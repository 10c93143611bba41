"""How fast the inspector is, measured from outside, through a pseudo-terminal: python tests/bench/inspector.py

A table of medians: first paint (anything), first useful paint (the tools are there), the time from a key to what it changes on
the screen, and the memory in use. A Textual application with nothing but a tree stands beside it, and so do posting and harlequin if
PATH has them.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from dataclasses import dataclass
from pathlib import Path

ROWS, COLUMNS = 40, 140
RUNS = 7
KEYS = 60
PATIENCE = 20.0  # seconds until something that does not come is an error
QUIET = 0.6  # seconds without output after which a screen is complete
PAUSE = 0.15  # the same after a key
GOALS = {"useful": 600.0, "key": 15.0, "memory": 80.0}
OTHERS = {"posting": b"Collection", "harlequin": b"Data Catalog"}  # what they write when they are useful
EMPTY = """
from textual.app import App
from textual.widgets import Tree

class Empty(App):
    def compose(self):
        tree = Tree("MARK")
        for number in range(12):
            tree.root.add_leaf(str(number))
        tree.root.expand()
        yield tree

Empty().run()
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One start: milliseconds until the first and the first useful paint, of every key, and megabytes in the end."""

    first: float
    useful: float
    keys: tuple[float, ...]
    memory: float


class Terminal:
    """A program in a pseudo-terminal of a fixed size."""

    def __init__(self, command: list[str]) -> None:
        self.began = time.perf_counter()
        self.pid, self._descriptor = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LINES=str(ROWS), COLUMNS=str(COLUMNS))
            os.execvp(command[0], command)
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.seen = b""

    def read(self, seconds: float) -> bytes:
        """What comes within so many seconds, at most one piece; b"" when nothing does."""
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return b""
        try:
            piece = os.read(self._descriptor, 1 << 16)
        except OSError as error:  # Linux says so when the program has ended
            raise SystemExit(f"the program ended: {self.seen[-500:].decode(errors='replace')}") from error
        self.seen += piece
        return piece

    def until(self, mark: bytes) -> float:
        """Milliseconds from the start until ``mark`` was written."""
        while mark not in self.seen:
            if time.perf_counter() - self.began > PATIENCE:
                raise SystemExit(f"{mark!r} never came")
            self.read(PATIENCE)
        return (time.perf_counter() - self.began) * 1000

    def settle(self) -> None:
        """Read until nothing comes any more."""
        while self.read(QUIET):
            pass

    def key(self, key: bytes) -> float:
        """Milliseconds from a key to the first change on the screen."""
        began = time.perf_counter()
        os.write(self._descriptor, key)
        if not self.read(PATIENCE):
            raise SystemExit(f"nothing came after {key!r}")
        elapsed = (time.perf_counter() - began) * 1000
        while self.read(PAUSE):
            pass
        return elapsed

    def memory(self) -> float:
        """Megabytes that are in use (VmRSS of proc(5))."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024

    def end(self) -> None:
        """Stop the program."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._descriptor)


def measure(command: list[str], mark: bytes, keys: list[bytes]) -> Measured:
    """Start a program once.

    Args:
        command: The program.
        mark: What is written when the screen is useful.
        keys: What is pressed then.
    """
    terminal = Terminal(command)
    try:
        first = _first_paint(terminal)
        useful = terminal.until(mark)
        terminal.settle()
        pressed = tuple(terminal.key(key) for key in keys)
        return Measured(first, useful, pressed, terminal.memory())
    finally:
        terminal.end()


def _first_paint(terminal: Terminal) -> float:
    """Milliseconds until the first frame: Textual puts the cursor home, or begins a synchronized update."""
    while not any(sign in terminal.seen for sign in (b"\x1b[?2026h", b"\x1b[1;1H", b"\x1b[H")):
        if not terminal.read(PATIENCE):
            raise SystemExit("nothing was painted")
    return (time.perf_counter() - terminal.began) * 1000


def large_toolset(folder: Path, number: int = 1000) -> Path:
    """A file with so many tools."""
    tools = "".join(
        f"  - {{name: tool_{index:04d}, description: Does thing number {index}, category: group_{index % 20:02d}, effects: read, "
        f"input_schema: {{type: object, properties: {{id: {{type: integer, description: An ID}}}}, required: [id]}}, stub: {index}}}\n"
        for index in range(number)
    )
    path = folder / "large.yaml"
    path.write_text(f"version: 1\nname: large\ndescription: Many tools\ntools:\n{tools}")
    return path


def main() -> None:
    """Measure and print."""
    shop = str(Path(__file__).parents[2] / "toolsets" / "shop.yaml")
    bashkit = [str(Path(sys.executable).with_name("bashkit"))]
    keys = ([b"\x1b[B"] * 6 + [b"\x1b[A"] * 6) * (KEYS // 12)
    with tempfile.TemporaryDirectory() as folder:
        large = str(large_toolset(Path(folder)))
        cases = {
            "a Textual application, a tree": ([sys.executable, "-c", EMPTY], b"MARK", keys),
            "bashkit tui shop.yaml": ([*bashkit, "tui", shop], b"get_user", keys),
            "bashkit tui, 1000 tools": ([*bashkit, "tui", large], b"tool_0000", keys),
        }
        cases |= {name: ([found], mark, []) for name, mark in OTHERS.items() if (found := shutil.which(name))}
        print(f"{'median of ' + str(RUNS):34} first ms  useful ms  key ms  memory MB")
        for name, (command, mark, pressed) in cases.items():
            try:
                found = [measure(command, mark, pressed) for _ in range(RUNS)]
            except SystemExit as error:
                if name not in OTHERS:
                    raise
                print(f"{name:34} does not run here: {str(error)[:60]!r}")
                continue
            latencies = [value for one in found for value in one.keys]
            key = f"{statistics.median(latencies):7.1f}" if latencies else "      -"
            print(
                f"{name:34} {statistics.median(one.first for one in found):8.0f}  {statistics.median(one.useful for one in found):9.0f} {key}"
                f"  {statistics.median(one.memory for one in found):9.1f}"
            )
    print(f"goals for shop.yaml: useful {GOALS['useful']:.0f} ms, key {GOALS['key']:.0f} ms, memory {GOALS['memory']:.0f} MB")


if __name__ == "__main__":
    main()
