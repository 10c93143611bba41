import asyncio
import contextlib
import os
import select
import stat
import sys
import time
from pathlib import Path

import pytest

from bashkit.toolset import check

from ..web import Web


class Folder:
    """A folder in which a toolset file is written and checked."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name, text, executable=False):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if text.startswith("#!/bin/sh\n") and not Path("/bin/sh").exists():
            pytest.skip("not installed here: /bin/sh")
        if executable:
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def problems(self, text, resolve=False, environ=None):
        """``line:column: message`` of each problem, and its hint after a bar."""
        found = check(self.write("t.yaml", text), resolve, environ=environ or {})
        return [f"{p.line}:{p.column}: {p.message}" + (f" | {p.hint}" if p.hint else "") for p in found]


def cost(work):
    """How many functions in Python some work calls: what it costs on any machine, whatever else runs there."""
    calls = 0

    def count(frame, event, arg):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


async def overdue(running, hours_pass):
    """Let hours pass for a task that has set itself a time limit, and wait for what comes of it."""
    while not asyncio.get_running_loop()._scheduled:  # noqa: ASYNC110 - asyncio has no event for that
        await asyncio.sleep(0)
    hours_pass()
    return await running


class Pipe:
    """A named pipe that processes of a test open for writing: it tells when one of them writes, and when the last is gone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self.descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    async def written(self, running):
        """Wait until a task's process has written; a task that ends before is an error."""
        loop = asyncio.get_running_loop()
        written = asyncio.Event()
        loop.add_reader(self.descriptor, written.set)
        waiting = asyncio.create_task(written.wait())
        await asyncio.wait([waiting, running], return_when=asyncio.FIRST_COMPLETED)
        loop.remove_reader(self.descriptor)
        waiting.cancel()
        assert not running.done(), running

    def ended(self):
        end = time.perf_counter() + 60
        while time.perf_counter() < end:
            with contextlib.suppress(BlockingIOError):  # somebody could still write
                if not os.read(self.descriptor, 100):
                    return True
            select.select([self.descriptor], [], [], 0.2)
        return False


@pytest.fixture
def pipe(folder):
    """A pipe called ``alive``."""
    made = Pipe(folder.path / "alive")
    yield made
    os.close(made.descriptor)


@pytest.fixture
def folder(tmp_path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def web():
    server = Web()
    yield server
    server.close()
