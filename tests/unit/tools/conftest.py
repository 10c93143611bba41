"""Runs one tool's command by itself, without a shell."""

import asyncio
import inspect
import random
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass, field

import pytest

from bashkit.fs import BytesStream, MemoryFileSystem
from bashkit.interp.capture import Capture
from bashkit.interp.process import Process, invoke
from bashkit.limits import Budget, ExecutionLimits
from bashkit.tools.adapter import Calls, ToolAdapter


@dataclass
class Outcome:
    stdout: str
    stderr: str
    status: int


class FakeSystem:
    """Calls like the shell's: in a worker thread, what is awaitable awaited, a late result dropped."""

    username = "user"
    hostname = "sandbox"
    random = random.Random(1)

    def call(self, function, *, inline=False, timeout=None):
        def run():
            result = function()
            return asyncio.run(_await(result)) if inspect.isawaitable(result) else result

        if inline:
            return run()
        pool = ThreadPoolExecutor(1)
        try:
            return pool.submit(run).result(timeout)
        except Late:
            raise TimeoutError from None
        finally:
            pool.shutdown(wait=False)


async def _await(awaitable):
    return await awaitable


@dataclass
class Runner:
    calls: Calls = field(default_factory=Calls)

    def command(self, command, *words, stdin=b""):
        budget = Budget(ExecutionLimits(timeout=10.0), time.monotonic)
        stdout, stderr = Capture(budget), Capture(budget)
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        process = Process(command.name, list(words), {0: BytesStream(stdin), 1: stdout, 2: stderr}, {}, "/", 0o022,
                          MemoryFileSystem(), budget, FakeSystem(), None, line=3, column=5)
        status = invoke(command, process)
        return Outcome(*(stream.value().decode("utf-8", "surrogateescape") for stream in (stdout, stderr)), status)

    def __call__(self, definition, callback, *words, stdin=b""):
        return self.command(ToolAdapter(definition, callback).command(self.calls), *words, stdin=stdin)


@pytest.fixture
def run() -> Runner:
    return Runner()
