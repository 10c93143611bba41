"""Large answers that clients do not read: the next ones of the same client wait, and then its requests are refused."""

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest

from bashkit.integrations.mcp import Service, Settings, unread
from bashkit.integrations.mcp.bodies import WholeBodies
from bashkit.integrations.mcp.guard import Access
from bashkit.integrations.mcp.http import listening, make_app

pytestmark = pytest.mark.usefixtures("nothing_is_left")
LARGE = 4_000_000  # characters, of which the buffers of two sockets hold but a part
LARGE_SCRIPT = f"head -c {LARGE} /dev/zero | tr '\\0' x"
TOKENS = ("one", "two")


@pytest.fixture
async def served(desk, monkeypatch, request):
    """A service whose clients have room for one large answer, and its port. A parameter has further settings."""
    monkeypatch.setattr(unread, "_MOST", 1_000_000)
    desk.write_text(desk.read_text(encoding="utf-8") + f"output: {{max_chars: {2 * LARGE}}}\n", encoding="utf-8")
    async with (
        Service(Settings((desk,), shared=True, reload=None, **getattr(request, "param", {}))) as service,
        listening(make_app(service, Access.to("127.0.0.1", TOKENS, (), ())), "127.0.0.1", 0) as port,
    ):
        yield service, port


@asynccontextmanager
async def posted(served, method, params, token="one", **message):
    """What can be read of the answer to a request."""
    headers = message.pop("headers", ())
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params, **message})
    head = (
        "POST /mcp HTTP/1.1",
        "Host: localhost",
        "Connection: close",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"Authorization: Bearer {token}",
        f"Content-Length: {len(body)}",
        *headers,
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", served[1])
    writer.write(("\r\n".join(head) + "\r\n\r\n" + body).encode())
    try:
        yield reader
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def answer(served, script, token="one"):
    async with asked(served, script, token) as reader:
        return await reader.read()


def asked(served, script, token="one", **message):
    """What can be read of the answer to a script."""
    return posted(served, "tools/call", {"name": "desk", "arguments": {"commands": script}}, token, **message)


def taken(service):
    """What the answers of all clients take: those on their way, and those that wait."""
    of_all = service.unread._answers.values()
    return sum(each.unread for each in of_all), sum(each.waiting for each in of_all)


@pytest.fixture
async def two(served, until):
    """A large answer that nobody reads, and one that waits for it."""
    service, _ = served
    async with asked(served, LARGE_SCRIPT) as first:
        await until(lambda: taken(service)[0])
        async with asked(served, LARGE_SCRIPT) as second:
            await until(lambda: taken(service)[1])
            yield first, second


async def test_an_answer_waits_until_the_one_before_it_is_read(served, two):
    first, second = two
    waits = asyncio.create_task(second.readuntil(b"xxxxx"))
    held = await first.readuntil(b"xxxxx")
    assert taken(served[0])[1] > LARGE
    assert not waits.done()
    assert len(held + await first.read()) > 2 * LARGE
    assert len(await waits + await second.read()) > 2 * LARGE


async def test_requests_are_refused_while_too_much_waits(served, two, until):
    first, second = two
    assert b"too many large answers of this client wait to be read" in await answer(served, "echo small")
    async with posted(served, "ping", {}) as pinged:
        assert b'"result":{}' in await pinged.read()
    assert b"small" in await answer(served, "echo small", "two")
    await first.read()
    await second.read()
    await until(lambda: not any(taken(served[0])))
    assert b"small" in await answer(served, "echo small")


async def test_another_client_waits_for_nobody(served, two):
    assert len(await answer(served, LARGE_SCRIPT, "two")) > 2 * LARGE


async def test_who_has_gone_is_not_waited_for(served, until):
    service, _ = served
    async with asked(served, LARGE_SCRIPT):
        await until(lambda: taken(service)[0])
        async with asked(served, LARGE_SCRIPT):
            await until(lambda: taken(service)[1])
        await until(lambda: not taken(service)[1])
        waits = asyncio.create_task(answer(served, LARGE_SCRIPT))
        await until(lambda: taken(service)[1])
    assert len(await waits) > 2 * LARGE
    await until(lambda: not any(taken(service)))


async def test_small_answers_have_always_room(served, until):
    async with asked(served, LARGE_SCRIPT):
        await until(lambda: taken(served[0])[0])
        assert b"small" in await answer(served, "echo small")


async def test_what_is_sent_at_a_time_is_short():
    """So that an exchange ends when its answer is read, however the application sends it."""
    body, sent = bytes(range(256)) * 1000, []

    async def app(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    async def receive():
        return {"type": "http.request", "body": b"{}"}

    async def send(message):
        sent.append(message)

    await WholeBodies(app)({"type": "http", "method": "POST", "headers": []}, receive, send)
    start, *parts = sent
    assert start["status"] == 200
    assert b"".join(part["body"] for part in parts) == body
    assert max(len(part["body"]) for part in parts) < len(body) // 3
    assert [bool(part.get("more_body")) for part in parts] == [True] * (len(parts) - 1) + [False]


@pytest.mark.parametrize("served", [{"sessions": True}], indirect=True)
async def test_files_are_not_made_an_answer_of_while_too_much_waits(served, until, monkeypatch):
    """Though nothing waited yet when they were asked for: the session has to come back first."""
    who = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    async with posted(served, "initialize", who) as begun:
        head = (await begun.read()).decode()
    session = next(line for line in head.splitlines() if line.lower().startswith("mcp-session-id"))
    headers = [session, "MCP-Protocol-Version: 2025-11-25"]
    async with asked(served, f"{LARGE_SCRIPT} > f", headers=headers) as done:
        assert b"exit_code" in await done.read()

    comes_back, number, shells = asyncio.Event(), 0, Service.shells

    async def later(self, session):
        nonlocal number
        number += 1
        await comes_back.wait()
        return await shells(self, session)

    monkeypatch.setattr(Service, "shells", later)
    wanted = {"uri": "bashkit://desk/files/home/user/f"}
    async with AsyncExitStack() as stack:
        readers = [
            await stack.enter_async_context(posted(served, "resources/read", wanted, headers=headers, id=place))
            for place in range(5)
        ]
        await until(lambda: number == 5)
        comes_back.set()
        answers = await asyncio.gather(*(reader.read() for reader in readers))
    refused = [b"too many large answers" in found for found in answers]
    assert sorted(refused) == [False, False, True, True, True]
