"""Runs one tool's command by itself, without a shell."""

import asyncio
import inspect
import random
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
import yaml

from bashkit.fs import BytesStream, MemoryFileSystem
from bashkit.interp.runtime.capture import Capture
from bashkit.interp.utility.process import Process, invoke
from bashkit.limits import Budget, ExecutionLimits
from bashkit.tools import ToolDef
from bashkit.tools.call.adapter import ToolAdapter
from bashkit.tools.call.context import CallContext


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
    deadline = float("inf")

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
    calls: CallContext = field(default_factory=CallContext)

    def command(self, command, *words, stdin=b""):
        budget = Budget(ExecutionLimits(timeout=10.0), time.monotonic)
        stdout, stderr = Capture(budget), Capture(budget)
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        process = Process(
            command.name,
            list(words),
            {0: BytesStream(stdin), 1: stdout, 2: stderr},
            {},
            "/",
            0o022,
            MemoryFileSystem(),
            budget,
            FakeSystem(),
            None,
            line=3,
            column=5,
        )
        status = invoke(command, process)
        return Outcome(*(stream.value().decode("utf-8", "surrogateescape") for stream in (stdout, stderr)), status)

    def __call__(self, definition, callback, *words, stdin=b""):
        return self.command(ToolAdapter(definition, callback).command(self.calls), *words, stdin=stdin)


@pytest.fixture
def run() -> Runner:
    return Runner()


DISCOVERY = Path(__file__).parent / "discovery"
INTEGER = {"type": "integer"}


def plural(noun):
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "es" if noun.endswith(("s", "x", "ch", "sh")) else noun + "s"


@cache
def business_tools():
    """Several hundred tools of a dozen business domains: list, get, create, update, delete and special verbs for each entity."""
    found = []
    for domain, entities in yaml.safe_load((DISCOVERY / "catalog.yaml").read_text(encoding="utf-8")).items():
        for entity, about in entities.items():
            noun, own = about["noun"], {name: {"type": "string"} for name in about["fields"]}
            whole = {"type": "object", "properties": {"id": INTEGER} | own}
            one = {"type": "object", "properties": {"id": {**INTEGER, "description": f"ID of the {noun}"}}, "required": ["id"]}
            new = {"type": "object", "properties": own, "required": about["fields"][:1]}
            changed = {"type": "object", "properties": one["properties"] | own, "required": ["id"]}
            listed = {"type": "object", "properties": own | {"limit": {**INTEGER, "default": 50, "maximum": 500}}}
            found += [
                ToolDef(
                    f"list_{plural(entity)}", f"List {plural(noun)}", listed, {"type": "array", "items": whole}, effects="read"
                ),
                ToolDef(f"get_{entity}", f"Fetch one {noun} by ID", one, whole, effects="read").with_examples(
                    f"get_{entity} --id 1 | jq .{about['fields'][0]}"
                ),
                ToolDef(f"create_{entity}", f"Create a {noun}", new, whole, effects="write"),
                ToolDef(f"update_{entity}", f"Change fields of a {noun}", changed, whole, effects="write"),
                ToolDef(f"delete_{entity}", f"Delete a {noun}", one, effects="destructive"),
                *(ToolDef(name, text, one) for name, text in about["also"].items()),
            ]
            found[-5 - len(about["also"]) :] = [item.with_category(domain) for item in found[-5 - len(about["also"]) :]]
    return tuple(found)


@pytest.fixture(scope="session")
def business():
    return business_tools()
