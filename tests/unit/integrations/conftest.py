"""A toolset for servers, and clients of the SDK for them."""

import asyncio
import sys
import threading
from contextlib import asynccontextmanager

import pytest
from mcp import Client

from bashkit.integrations.mcp import Service, Settings
from bashkit.integrations.mcp.server import make_server

TOOLSET = """\
version: 1
name: desk
description: A desk with drawers
limits: {timeout: 1h, max_commands: 1000000000000, max_loop_iterations: 1000000000000}
prompt: {context: [rules.md]}
tools:
  - name: look
    description: Look something up
    effects: read
    input_schema: {type: object, properties: {id: {type: integer}}, required: [id]}
    output_schema: {type: object, properties: {id: {type: integer}}}
    callback: {python: desk_callbacks.look}
  - {name: fail, effects: read, callback: {python: desk_callbacks.fail}}
  - {name: ponder, effects: read, callback: {python: desk_callbacks.ponder}}
  - {name: late, effects: read, timeout: 50ms, callback: {python: desk_callbacks.ponder}}
  - {name: loud, effects: read, callback: {python: desk_callbacks.loud}}
  - name: purge
    effects: destructive
    input_schema: {type: object, properties: {days: {type: integer}}}
    callback: {python: desk_callbacks.purge}
"""
CALLBACKS = """\
import asyncio, os
from pathlib import Path

pondering = Path(__file__).with_name("pondering")

def look(args): return {"id": args.params["id"]}
def fail(args): raise ValueError("the drawer is stuck")
def purge(args): return "purged\\n"

def loud(args):
    print("on the way to standard output")
    os.write(1, b"and past sys.stdout\\n")
    return "said\\n"

async def ponder(args):
    pondering.touch()
    try:
        await asyncio.sleep(3600)
    finally:
        pondering.unlink()
"""


@pytest.fixture
def desk(tmp_path):
    """The path of a toolset with tools that answer, fail, ponder, and want an approval. A file ``pondering`` is there meanwhile."""
    (tmp_path / "desk.yaml").write_text(TOOLSET, encoding="utf-8")
    (tmp_path / "desk_callbacks.py").write_text(CALLBACKS, encoding="utf-8")
    (tmp_path / "rules.md").write_text("# Rules of the desk\n\nClose every drawer.\n", encoding="utf-8")
    yield tmp_path / "desk.yaml"
    sys.modules.pop("desk_callbacks", None)


@pytest.fixture
async def nothing_is_left():
    """Fails when a test leaves a task or a thread of a script behind."""
    before = asyncio.all_tasks()
    yield
    for _ in range(200):
        left = [task for task in asyncio.all_tasks() - before - {asyncio.current_task()} if "_shutdown_watcher" not in repr(task)]
        if not left:
            break
        await asyncio.sleep(0.01)
    assert not left
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("bashkit-mcp")]


@pytest.fixture
def until():
    """Waits until a condition holds."""

    async def until(condition):
        async with asyncio.timeout(60):  # only a machine that is stuck needs that long
            while not condition():  # noqa: ASYNC110 - what is awaited is in other processes, too
                await asyncio.sleep(0.005)

    return until


@pytest.fixture
def serving():
    """A context manager that gives a client of a server of its own in memory; its ``service`` is the service behind it."""

    @asynccontextmanager
    async def serving(*paths, mode="auto", client=None, **settings):
        async with (
            Service(Settings(paths, **{"reload": None, **settings})) as service,
            Client(make_server(service), mode=mode, **(client or {})) as connected,
        ):
            connected.service = service
            yield connected

    return serving
