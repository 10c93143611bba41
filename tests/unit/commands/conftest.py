"""Runs one utility by itself, without a shell."""

import ast
import errno
import random
import shlex
import time
from dataclasses import dataclass
from datetime import UTC

import pytest

from bashkit import commands
from bashkit.fs import BytesStream, MemoryFileSystem
from bashkit.interp.runtime.capture import Capture, Substitution
from bashkit.interp.utility.process import Process, invoke
from bashkit.limits import Budget, ExecutionLimits

NOW = 1_700_000_000.0  # 2023-11-14 22:13:20 UTC


@dataclass
class Outcome:
    stdout: str
    stderr: str
    status: int


class FakeSystem:
    """A machine whose clock stands still."""

    username = "user"
    hostname = "sandbox"

    def __init__(self) -> None:
        self.random = random.Random(1)
        self.slept: list[float] = []
        self.network = None

    def now(self) -> float:
        return NOW

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def timezone(self, name: str) -> object:
        from zoneinfo import ZoneInfo

        try:
            return ZoneInfo(name) if name else UTC
        except (ValueError, OSError):
            return UTC

    def call(self, function, *, inline=False, timeout=None):
        import asyncio
        import inspect

        result = function()
        return asyncio.run(result) if inspect.isawaitable(result) else result


class FakeLauncher:
    """Runs other utilities with the same streams, so that env, xargs and the like can be tested alone; ``echo`` too."""

    def __init__(self) -> None:
        self.process: Process | None = None
        self.started: list[list[str]] = []

    def place(self) -> str:
        return ""

    def exists(self, name: str) -> bool:
        return name == "echo" or commands.find_command(name) is not None

    def obstacle(self, name, env=None):
        return 0 if self.exists(name) else errno.ENOENT

    def ignored(self) -> frozenset[str]:
        return frozenset()

    def jobs(self) -> list[tuple[int, str]]:
        return []

    def run(self, argv, *, env=None, cwd=None, stdin=None, stdout=None, stderr=None, timeout=None, ignored=None) -> int:
        self.started.append(argv)
        if argv[0] == "echo":
            (stdout or self.process.stdout).write((" ".join(argv[1:]) + "\n").encode())
            return 0
        command = commands.find_command(argv[0])
        if command is None:
            return 127
        outer = self.process
        descriptors = {0: stdin or outer.stdin, 1: stdout or outer.stdout, 2: stderr or outer.stderr}
        inner = Process(
            argv[0],
            argv[1:],
            descriptors,
            outer.env if env is None else env,
            cwd or outer.cwd,
            outer.umask,
            outer.fs,
            outer.budget,
            outer.system,
            self,
        )
        return invoke(command, inner)

    def run_limited(self, argv, limit):
        return self.run(argv), False

    def open(self, argv, *, write, env=None):
        pipe = Substitution(self.process.budget)
        if write:
            return pipe, lambda: self.run(argv, stdin=BytesStream(pipe.value()), env=env)
        status = self.run(argv, stdout=pipe, env=env)
        return BytesStream(pipe.value()), lambda: status

    def run_all(self, commands, *, parallel, goes_on=None, **streams) -> list[int]:
        return [self.run(argv, **streams) for argv in commands]


@dataclass
class Utility:
    fs: MemoryFileSystem
    system: FakeSystem
    launcher: FakeLauncher
    cwd: str = "/home/user"

    def __call__(self, name, *argv, stdin=b"", env=None, **limits) -> Outcome:
        """Run ``name argv...`` within ``limits`` and return what it printed and its status."""
        budget = Budget(ExecutionLimits(**limits), time.monotonic)
        stdout, stderr = Capture(budget), Capture(budget)
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        process = Process(
            name,
            list(argv),
            {0: BytesStream(stdin), 1: stdout, 2: stderr},
            env or {},
            self.cwd,
            0o022,
            self.fs,
            budget,
            self.system,
            self.launcher,
        )
        self.launcher.process = process
        command = commands.find_command(name)
        assert command is not None, f"no utility {name}"
        status = invoke(command, process)
        return Outcome(*(stream.value().decode("utf-8", "surrogateescape") for stream in (stdout, stderr)), status)

    def write(self, path, content) -> None:
        path = path if path.startswith("/") else f"{self.cwd}/{path}"
        self.fs.makedirs(path.rpartition("/")[0])
        self.fs.write_file(path, content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)

    def read(self, path) -> str:
        path = path if path.startswith("/") else f"{self.cwd}/{path}"
        return self.fs.read_file(path).decode("utf-8", "surrogateescape")


@pytest.fixture
def utility() -> Utility:
    fs = MemoryFileSystem(clock=lambda: NOW)
    fs.makedirs("/home/user")
    fs.makedirs("/tmp")
    return Utility(fs, FakeSystem(), FakeLauncher())


@pytest.fixture
def replay(utility):
    """Replays a transcript: what a terminal would have shown.

    A line ``$ COMMAND`` runs a utility, ``$ COMMAND < 'TEXT'`` with standard input, and ``$ > FILE 'TEXT'`` writes a file. Under it
    stand its output, its messages after ``! ``, and its status in brackets unless that is 0.
    """

    def run(transcript: str, env=None) -> None:
        shown = ""
        for line in transcript.splitlines():
            if not line.startswith("$ "):
                continue
            shown += line + "\n"
            words = shlex.split(line[2:])
            if words[0] == ">":
                utility.write(words[1], ast.literal_eval(f'"""{words[2]}"""'))
                continue
            stdin = ast.literal_eval(f'"""{words[-1]}"""') if len(words) > 2 and words[-2] == "<" else None
            outcome = utility(*(words if stdin is None else words[:-2]), stdin=stdin or "", env=env)
            shown += outcome.stdout + ("\n" if outcome.stdout and not outcome.stdout.endswith("\n") else "")
            shown += "".join(f"! {message}\n" for message in outcome.stderr.splitlines())
            shown += f"[{outcome.status}]\n" if outcome.status else ""
        assert shown == transcript.removeprefix("\n")

    return run
