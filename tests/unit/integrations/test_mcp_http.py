import asyncio
import gc
import json
import os
import signal
import weakref
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx2
import pytest
from mcp import Client, MCPError, types
from mcp.client.streamable_http import streamable_http_client

from bashkit.errors import BashkitError
from bashkit.integrations.mcp import Service, Settings, bodies, connections, guard, http, observing, values
from bashkit.integrations.mcp.guard import Access
from bashkit.integrations.mcp.http import listening, make_app, serve, write_record
from bashkit.sandbox.pool import pool

MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])
pytestmark = pytest.mark.usefixtures("nothing_is_left")
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
LOCAL = Access.to("127.0.0.1", (), (), ())


class Served:
    """A service behind an ephemeral port of this machine."""

    def __init__(self, service, port):
        self.service = service
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    @asynccontextmanager
    async def client(self, mode="auto", token=None, session=None, **options):
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        headers |= {} if session is None else {"Bashkit-Session": session}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(f"{self.url}/mcp", http_client=http)
            async with Client(transport, mode=mode, **options) as client:
                yield client

    async def get(self, path, **headers):
        async with httpx2.AsyncClient() as http:
            return await http.get(f"{self.url}{path}", headers=headers)


@asynccontextmanager
async def reached(path, access=LOCAL, idle=1800.0, **settings):
    async with (
        Service(Settings((path,), shared=True, reload=None, **settings)) as service,
        listening(make_app(service, access, idle), "127.0.0.1", 0) as port,
    ):
        yield Served(service, port)


async def output(client, script):
    return (await client.call_tool("desk", {"commands": script})).structured_content["stdout"]


# -- calls -----------------------------------------------------------------------------------------------------------------


@MODES
async def test_calls_need_nothing_of_those_before_them(desk, mode):
    async with reached(desk) as served, served.client(mode) as client:
        assert await output(client, "x=1; look --id 4") == '{"id":4}\n'
        assert await output(client, "echo $x") == "\n"
        with pytest.raises(MCPError, match="there is no tool 'none'"):
            await client.call_tool("none", {})


async def test_a_request_needs_no_handshake(desk):
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "desk", "arguments": {"commands": "echo hi"}}}
    async with reached(desk) as served, httpx2.AsyncClient() as http:
        answer = await http.post(f"{served.url}/mcp", json=call, headers=HEADERS)
        assert json.loads(answer.text.partition("data: ")[2])["result"]["structuredContent"]["stdout"] == "hi\n"


@pytest.mark.parametrize("piece", [7, 1 << 20])
async def test_halves_of_characters_are_replaced(desk, piece):
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "desk", "arguments": {"commands": "SCRIPT"}}}
    script = rb"printf '%s\n' '\ud800' '\uDFFFa' '\ud83d\ude00' '\ud83d\ud83d\ude00' '\\ud800' '\\\ud800' '\u00e9'"
    content = json.dumps(call).encode().replace(b"SCRIPT", script.replace(rb"\n", rb"\\n"))

    async def pieces():
        for place in range(0, len(content), piece):
            yield content[place : place + piece]

    async with reached(desk) as served, httpx2.AsyncClient() as http:
        answer = await http.post(f"{served.url}/mcp", content=pieces(), headers=HEADERS)
        found = json.loads(answer.text.partition("data: ")[2])["result"]["structuredContent"]["stdout"]
    assert found.split("\n") == ["\ufffd", "\ufffda", "\U0001f600", "\ufffd\U0001f600", r"\ud800", "\\\ufffd", "\u00e9", ""]


async def test_a_stream_that_cannot_be_gone_on_with_is_a_new_one(desk):
    headers = {"Accept": "text/event-stream", "Last-Event-ID": "1"}
    async with (
        reached(desk) as served,
        httpx2.AsyncClient() as http,
        http.stream("GET", f"{served.url}/mcp", headers=headers) as answer,
    ):
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")


@MODES
async def test_progress_and_log_messages_come_while_the_script_runs(desk, mode):
    told = []

    async def logged(params):
        told.append(params.data["tool"])

    async def progress(_number, _total, message):
        told.append(message)

    options = {"logging_callback": logged, "log_level": "info"}
    async with reached(desk) as served, served.client(mode, **options) as client:
        await client.call_tool("desk", {"commands": "echo one; look --id 1 > x"}, progress_callback=progress)
        assert set(told) == {"one\n", "look"}


@pytest.mark.thorough
async def test_a_hostile_client_does_not_hold_the_others(desk, until):
    async with reached(desk, isolation="process") as served, served.client() as hostile:
        endless = asyncio.create_task(output(hostile, "while :; do :; done"))
        await until(lambda: served.service.metrics.running)

        async def ask(number):
            async with served.client() as client:
                return await output(client, f"look --id {number}")

        answers = await asyncio.gather(*(ask(number) for number in range(20)))
        assert answers == [f'{{"id":{number}}}\n' for number in range(20)]
        assert not endless.done()
        endless.cancel()
        with pytest.raises(asyncio.CancelledError):
            await endless


@pytest.mark.parametrize(("version", "sessions"), [("2025-11-25", False), ("2025-11-25", True), ("2026-07-28", False)])
async def test_a_client_that_is_gone_in_mid_call_leaves_nothing(desk, until, version, sessions):
    meta = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}
    params = {"name": "desk", "arguments": {"commands": "ponder"}}
    headers = HEADERS | {"MCP-Protocol-Version": version}
    if version > "2026":
        params["_meta"] = meta
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": "desk"}
    async with reached(desk, sessions=sessions) as served:
        if sessions:
            begun = await begin(served, headers)
            headers["Mcp-Session-Id"] = begun.headers["Mcp-Session-Id"]
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        lines = [f"{name}: {text}\r\n" for name, text in {**headers, "Host": "localhost", "Content-Length": len(body)}.items()]
        writer.write(("POST /mcp HTTP/1.1\r\n" + "".join(lines) + "\r\n").encode() + body)
        await until(desk.with_name("pondering").exists)
        writer.close()
        await until(lambda: not served.service.metrics.running)
        assert not desk.with_name("pondering").exists()
        await reader.read()


def descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


async def left(served, desk, until, phase, headers):
    """Have a client leave in a phase of its request."""
    pondering, scripts = desk.with_name("pondering"), served.service.metrics._scripts
    script = "head -c 9000000 /dev/zero | tr '\\0' x" if phase == "while it is answered" else "ponder"
    params = {"name": "desk", "arguments": {"commands": script}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    head = ["POST /mcp HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", *map(": ".join, headers.items()), ""]
    reached = {
        "at once": lambda: True,
        "while it waits": lambda: pool._waiting,
        "while it runs": pondering.exists,
        "while it is answered": lambda: served.service.metrics._scripts > scripts,
    }
    async with connected(served, [*head, body]) as (_, writer):
        await writer.drain()
        await until(reached[phase])


@pytest.mark.parametrize("sessions", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("phase", ["at once", "while it waits", "while it runs", "while it is answered"])
async def test_a_request_that_is_cancelled_leaves_no_process_and_no_descriptor(desk, monkeypatch, until, phase, sessions):
    """There is one sandbox process, which others can use when the client is gone."""
    monkeypatch.setattr(pool, "most", 1)
    monkeypatch.setattr(pool, "_idle", [])
    desk.write_text(f"{desk.read_text(encoding='utf-8')}output: {{max_chars: 10000000}}\n", encoding="utf-8")
    counts = []
    async with reached(desk, sessions=sessions, isolation="process") as served, served.client() as other:
        headers = HEADERS | {"MCP-Protocol-Version": "2025-11-25"}
        if sessions:
            headers["Mcp-Session-Id"] = (await begin(served, headers)).headers["Mcp-Session-Id"]
        for _ in range(4):
            busy = asyncio.create_task(output(other, "ponder" if phase == "while it waits" else "true"))
            if phase == "while it waits":
                await until(desk.with_name("pondering").exists)
            else:
                await busy
            await left(served, desk, until, phase, headers)
            await until(lambda: not pool._waiting)
            busy.cancel()
            await asyncio.wait({busy})
            await until(lambda: not (served.service.metrics.running or pool._lent))
            assert (len(pool._waiting), pool._promised) == (0, 0)
            assert await output(other, "echo on") == "on\n"
            await until(lambda: not counts or descriptors() <= counts[0] + 2)  # a thread that is used again has a pipe
            counts.append(descriptors())


async def begin(served, headers):
    who = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    async with httpx2.AsyncClient() as http:
        begun = await http.post(
            f"{served.url}/mcp",
            headers=headers,
            json={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": who},
        )
        if begun.is_success:
            headers = {**headers, "Mcp-Session-Id": begun.headers["Mcp-Session-Id"]}
            await http.post(f"{served.url}/mcp", headers=headers, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        return begun


@MODES
@pytest.mark.parametrize("sessions", [False, True])
async def test_approvals(desk, mode, sessions):
    async def asked(_context, _params):
        return types.ElicitResult(action="accept")

    async with reached(desk, sessions=sessions) as served, served.client(mode, elicitation_callback=asked) as client:
        result = (await client.call_tool("desk", {"commands": "purge"})).structured_content
        if mode == "legacy" and not sessions:  # a request alone has no way back to the client
            assert "--allow destructive" in result["stderr"]
        else:
            assert result["stdout"] == "purged\n"


async def test_requests_of_one_id_at_the_same_time_are_not_mistaken_for_each_other(desk, until):
    async with reached(desk, sessions=True) as served, httpx2.AsyncClient(timeout=60) as http:

        async def ask(number, script, session):
            params = {"name": "desk", "arguments": {"commands": script}}
            call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
            return await http.post(f"{served.url}/mcp", json=call, headers=session)

        version = HEADERS | {"MCP-Protocol-Version": "2025-11-25"}
        one, other = [version | {"Mcp-Session-Id": (await begin(served, version)).headers["Mcp-Session-Id"]} for _ in range(2)]
        first = asyncio.create_task(ask(1, "ponder", one))
        await until(desk.with_name("pondering").exists)
        for number in (1, "1"):
            refused = await ask(number, "echo second", one)
            assert refused.status_code == 409
            assert refused.json()["error"]["message"] == "a request of this session with the id 1 is being answered"
        assert "second" in (await ask(1, "echo second", other)).text
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        assert (await http.post(f"{served.url}/mcp", json=cancelled, headers=one)).status_code == 202
        assert "cancelled" in (await first).text
        assert "second" in (await ask(1, "echo second", one)).text


# -- sessions --------------------------------------------------------------------------------------------------------------


@MODES
async def test_each_client_has_a_session_of_its_own(desk, mode):
    async with reached(desk, sessions=True) as served, served.client(mode) as one, served.client(mode) as other:
        assert one.session.protocol_version == "2025-11-25"
        await output(one, "x=1; echo hi > note")
        await output(other, "x=2")
        assert await output(one, "echo $x; cat note") == "1\nhi\n"
        assert await output(other, "echo $x; ls") == "2\n"
        assert [item.name for item in (await one.list_resources()).resources[1:]] == ["/home/user/note"]


async def test_a_session_without_requests_ends(desk):
    async with reached(desk, sessions=True, idle=0.02) as served:
        begun = await begin(served, HEADERS | {"MCP-Protocol-Version": "2025-11-25"})
        headers = HEADERS | {"Mcp-Session-Id": begun.headers["Mcp-Session-Id"], "MCP-Protocol-Version": "2025-11-25"}
        await asyncio.sleep(0.3)
        async with httpx2.AsyncClient() as http:
            ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            assert (await http.post(f"{served.url}/mcp", json=ping, headers=headers)).status_code == 404


async def test_a_session_is_that_of_its_token(desk):
    access = Access.to("127.0.0.1", ["one", "two"], (), ())
    async with reached(desk, access, sessions=True) as served:
        headers = HEADERS | {"MCP-Protocol-Version": "2025-11-25", "Authorization": "Bearer one"}
        begun = await begin(served, headers)
        headers["Mcp-Session-Id"] = begun.headers["Mcp-Session-Id"]
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        async with httpx2.AsyncClient() as http:
            assert (await http.post(f"{served.url}/mcp", json=ping, headers=headers)).status_code == 200
            headers["Authorization"] = "Bearer two"
            assert (await http.post(f"{served.url}/mcp", json=ping, headers=headers)).status_code == 404


async def test_each_client_has_so_many_sessions(desk, monkeypatch):
    monkeypatch.setattr(http, "_MOST_SESSIONS", 1)
    async with reached(desk, Access.to("127.0.0.1", ["one", "two"], (), ()), sessions=True) as served:
        headers = HEADERS | {"MCP-Protocol-Version": "2025-11-25"}
        for token, status in (("one", 200), ("one", 503), ("two", 200)):
            assert (await begin(served, headers | {"Authorization": f"Bearer {token}"})).status_code == status


@pytest.mark.parametrize("session", [None, "mine"])
async def test_sessions_of_one_client_do_not_end_those_of_another(desk, session):
    access = Access.to("127.0.0.1", ["one", "two"], (), ())
    async with (
        reached(desk, access, sessions=True, max_sessions_bytes=1_500_000) as served,
        served.client(token="two", session=session) as small,
        served.client(token="one", session=session) as first,
        served.client(token="one") as last,
    ):
        await output(small, "x=1")
        for client in (first, last):
            await output(client, "head -c 1000000 /dev/zero > f")
        assert await output(small, "echo $x") == "1\n"
        with pytest.raises(MCPError, match="the session has ended"):
            await output(first, "true")


async def test_a_session_with_a_name_is_come_back_to(desk, tmp_path):
    access = Access.to("127.0.0.1", ["one", "two"], (), ())
    settings = {"sessions": True, "folder": tmp_path / "saved"}
    async with (
        reached(desk, access, **settings) as served,
        served.client(token="one", session="mine") as client,
        served.client(token="one") as lone,
        served.client(token="one", session="mine") as again,
        served.client(token="two", session="mine") as other,
    ):
        await output(client, "x=1; echo hi > note")
        await output(lone, "x=2")
        assert await output(again, "echo $x") == "1\n"
        assert await output(other, "echo $x") == "\n"
    assert len(list((tmp_path / "saved").glob("*.snapshot"))) == 2
    async with reached(desk, access, **settings) as served, served.client(token="one", session="mine") as client:
        assert await output(client, "echo $x; cat note") == "1\nhi\n"


# -- who may ---------------------------------------------------------------------------------------------------------------


async def test_tokens(desk):
    access = Access.to("127.0.0.1", ["one", "two"], (), ())
    async with reached(desk, access) as served:
        for token in ("one", "two"):
            async with served.client(token=token) as client:
                assert await output(client, "echo in") == "in\n"
        for header, challenge in (
            ({}, 'Bearer realm="bashkit"'),
            ({"Authorization": "Bearer three"}, 'Bearer realm="bashkit", error="invalid_token"'),
            ({"Authorization": "Basic one"}, 'Bearer realm="bashkit", error="invalid_token"'),
        ):
            for path in ("/mcp", "/metrics", "/none"):
                answer = await served.get(path, **header)
                assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, challenge)
        assert (await served.get("/health")).json() == {"status": "ok"}
        assert (await served.get("/metrics", Authorization="Bearer two")).status_code == 200


@pytest.mark.parametrize(
    ("access", "headers", "status"),
    [
        (LOCAL, {"Host": "localhost"}, 200),
        (LOCAL, {"Host": "[::1]:8000"}, 200),
        (LOCAL, {"Host": "evil.example"}, 421),
        (LOCAL, {"Host": ""}, 421),
        (LOCAL, {"Host": "[::1"}, 421),
        (LOCAL, {"Origin": "http://[::1"}, 403),
        (LOCAL, {"Host": "127.0.0.1.evil.example:80"}, 421),
        (LOCAL, {"Origin": "http://localhost:6274"}, 200),
        (LOCAL, {"Origin": "https://evil.example"}, 403),
        (LOCAL, {"Origin": "null"}, 403),
        (Access.to("127.0.0.1", (), ["tools.example"], ["https://app.example"]), {"Host": "tools.example:443"}, 200),
        (Access.to("127.0.0.1", (), ["Tools.example:443"], ()), {"Host": "tools.example"}, 200),
        (Access.to("127.0.0.1", (), ["2001:db8::1"], ()), {"Host": "[2001:db8::1]:8000"}, 200),
        (Access.to("127.0.0.1", (), (), ["https://app.example"]), {"Origin": "https://app.example"}, 200),
        (Access.to("127.0.0.1", (), (), ["https://App.example/"]), {"Origin": "https://app.example"}, 200),
        (Access.to("0.0.0.0", (), (), ()), {"Host": "any.example"}, 200),
        (Access.to("0.0.0.0", (), (), ()), {"Origin": "http://localhost"}, 403),
        (Access.to("0.0.0.0", (), ["tools.example"], ()), {"Host": "localhost"}, 421),
    ],
)
async def test_names_and_pages(desk, access, headers, status):
    async with reached(desk, access) as served:
        assert (await served.get("/health", **headers)).status_code == status


@pytest.mark.parametrize(
    ("hosts", "origins", "told"),
    [
        (["*"], [], "a host is a name such as tools.example.com, not '*'"),
        (["https://tools.example"], [], "a host is a name such as tools.example.com, not 'https://tools.example'"),
        ([], ["*"], "an origin is written SCHEME://NAME or SCHEME://NAME:PORT, as https://chat.example.com, not '*'"),
        ([], ["app.example"], "not 'app.example'"),
        ([], ["https://app.example/chat"], "not 'https://app.example/chat'"),
        ([], ["null"], "not 'null'"),
    ],
)
def test_hosts_and_origins_that_no_request_could_have(hosts, origins, told):
    with pytest.raises(BashkitError) as error:
        Access.to("127.0.0.1", (), hosts, origins)
    assert str(error.value).endswith(told)


async def test_a_browser_is_told_what_a_page_may_do(desk):
    access = Access.to("127.0.0.1", ["one"], (), ["https://app.example"])
    page = {"Origin": "https://app.example"}
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,mcp-protocol-version"}
    async with reached(desk, access) as served, httpx2.AsyncClient() as http:
        preflight = await http.options(f"{served.url}/mcp", headers={**page, **asked})
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-headers"] == "authorization,mcp-protocol-version"
        for token, status in (("one", 200), ("two", 401)):
            answer = await served.get("/metrics", Authorization=f"Bearer {token}", **page)
            assert answer.status_code == status
            assert answer.headers["access-control-allow-origin"] == "https://app.example"
            assert answer.headers["access-control-expose-headers"] == "Mcp-Session-Id"
        strange = await http.options(f"{served.url}/mcp", headers={**asked, "Origin": "https://evil.example"})
        assert strange.status_code == 403
        assert "access-control-allow-origin" not in strange.headers


@asynccontextmanager
async def connected(served, head=()):
    """A connection on which lines of a request's head have been sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write("".join(f"{line}\r\n" for line in head).encode())
    try:
        yield reader, writer
    finally:
        writer.close()


def posting(*headers, path="/mcp"):
    return f"POST {path} HTTP/1.1", "Host: localhost", *(f"{name}: {text}" for name, text in HEADERS.items()), *headers, ""


TOO_LARGE = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the body of a request has at most 4 MB"}}'


@pytest.mark.parametrize(
    ("path", "token", "said"),
    [
        ("/mcp", "one", f"413/{TOO_LARGE}"),
        ("/mcp", "two", '401/{"error":"a bearer token is needed"}'),
        ("/observe/answer", "one", '400/{"error":"an answer is {\\"question\\": KEY, \\"allow\\": true or false}"}'),
        ("/nothing", "one", "404/Not Found"),
    ],
)
@pytest.mark.parametrize("framed", ["Content-Length: 20971520", "Transfer-Encoding: chunked"])
async def test_a_refusal_arrives_after_a_large_body_on_a_connection_that_ends(desk, path, token, said, framed):
    piece = b"x" * (1 << 20)
    piece = piece if "Length" in framed else b"100000\r\n" + piece + b"\r\n"
    head = posting(f"Authorization: Bearer {token}", "Connection: close", framed, path=path)
    async with reached(desk, Access.to("127.0.0.1", ("one",), (), ())) as served, connected(served, head) as (reader, writer):
        for _ in range(20):
            writer.write(piece)
            await writer.drain()
        if "chunked" in framed:
            writer.write(b"0\r\n\r\n")
        answer = (await reader.read()).decode()
    assert f"{answer.split()[1]}/{answer.rpartition(chr(10))[2]}" == said


async def test_a_client_is_told_why_a_large_body_is_refused(desk):
    async with reached(desk) as served, served.client() as client:
        with pytest.raises(MCPError, match="the body of a request has at most 4 MB"):
            await output(client, "x" * (5 << 20))
        assert await output(client, "echo on") == "on\n"


async def test_a_large_body_is_not_asked_for(desk):
    head = posting("Content-Length: 20971520", "Expect: 100-continue")
    async with reached(desk) as served, connected(served, head) as (reader, _):
        assert (await reader.readline()).startswith(b"HTTP/1.1 413 ")


async def test_a_body_that_does_not_come(desk, monkeypatch):
    monkeypatch.setattr(bodies, "_PATIENCE", 0.01)
    async with reached(desk) as served, connected(served, posting("Content-Length: 10")) as (reader, _):
        assert await reader.readline() == b"HTTP/1.1 408 Request Timeout\r\n"


async def test_an_observers_answer_that_does_not_come(desk, monkeypatch):
    for module in (bodies, observing):
        monkeypatch.setattr(module, "_PATIENCE", 0.01)
    async with reached(desk) as served, connected(served, posting("Content-Length: 10", path="/observe/answer")) as (reader, _):
        assert await reader.readline() == b"HTTP/1.1 400 Bad Request\r\n"


MANY = '{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": {"x": [VALUES]}}}'
PIECES = {"numbers": "1,1", "texts": '"","\\\\"', "arrays": "[[],[]]", "objects": '{"a":{}},1'}


@pytest.mark.parametrize("piece", PIECES.values(), ids=list(PIECES))
async def test_a_message_of_very_many_values_is_not_decoded(desk, piece):
    async with reached(desk) as served, httpx2.AsyncClient() as http:
        body = MANY.replace("VALUES", ",".join([piece] * (values.MOST // 2)))
        answer = await http.post(f"{served.url}/mcp", content=body, headers=HEADERS)
        assert (answer.status_code, answer.json()["error"]["message"]) == (413, "a message has at most 200000 values")


async def test_what_is_in_a_text_is_no_value(desk):
    async with reached(desk) as served, served.client() as client:
        script = ": '" + '"[1,2,{\\' * values.MOST + "'; echo done"
        assert await output(client, script) == "done\n"


async def test_the_large_bodies_of_a_client_have_an_end_to_what_they_take(desk, monkeypatch, until):
    """Whether they are complete or not; small ones have room always, and all of it when the large ones are gone."""
    monkeypatch.setattr(bodies, "_MOST_TOGETHER", 1 << 20)
    taken = []
    made = bodies.WholeBodies.__init__
    monkeypatch.setattr(bodies.WholeBodies, "__init__", lambda self, app: [made(self, app), taken.append(self._taken)][0])
    large = MANY.replace("VALUES", f'"{"x" * 300_000}"')
    async with reached(desk) as served, httpx2.AsyncClient() as http:
        async with connected(served, posting("Content-Length: 1000000")) as (_, writer):
            writer.write(b"x" * 900_000)
            await until(lambda: taken[0].total() == 900_000)
            answer = await http.post(f"{served.url}/mcp", content=large, headers=HEADERS)
            assert (answer.status_code, "too many large requests" in answer.text) == (429, True)
            assert (await http.post(f"{served.url}/mcp", content=MANY.replace("VALUES", ""), headers=HEADERS)).status_code == 200
        await until(lambda: not taken[0])
        assert (await http.post(f"{served.url}/mcp", content=large, headers=HEADERS)).status_code == 200


@pytest.mark.parametrize("head", [(), ("GET /health HTTP/1.1",), ("GET /health HTTP/1.1", "Host: localhost", "", "GET /health")])
async def test_a_connection_without_a_request_is_closed(desk, monkeypatch, head):
    monkeypatch.setattr(connections, "_PATIENCE", 0.05)
    async with reached(desk) as served, connected(served, head) as (reader, _):
        assert (await reader.read()).count(b"HTTP/1.1 200 OK") == head.count("")


DRIPPING = {
    "head": ("GET /health HTTP/1.1",),
    "body": posting("Content-Length: 100000"),
    "chunks": posting("Transfer-Encoding: chunked"),
    "answer": posting("Content-Length: 4000", path="/observe/answer"),
    "unread": posting("Content-Length: 100000", path="/nothing"),
}


@pytest.mark.parametrize("head", DRIPPING.values(), ids=list(DRIPPING))
async def test_clients_that_send_byte_after_byte_are_left(desk, monkeypatch, until, head):
    """Nothing is held of them, and others are answered meanwhile."""
    for module in (bodies, connections, observing):
        monkeypatch.setattr(module, "_PATIENCE", 0.1)
    made = weakref.WeakSet()
    begin = connections.Connection.__init__
    monkeypatch.setattr(
        connections.Connection, "__init__", lambda self, *given, **more: [begin(self, *given, **more), made.add(self)][0]
    )

    async def drip(served):
        async with connected(served, head) as (reader, writer):
            reading = asyncio.create_task(reader.read())
            while not reading.done():
                writer.write(b"1\r\nx\r\n" if head is DRIPPING["chunks"] else b"x")
                await asyncio.sleep(0.01)
            with suppress(OSError):
                await reading

    async with reached(desk) as served:
        clients = [asyncio.create_task(drip(served)) for _ in range(30)]
        await until(lambda: len(made) == 30)
        status = 0
        while status != 200:
            with suppress(httpx2.TransportError):  # on a loaded machine this connection may be taken for one of them
                status = (await served.get("/health")).status_code
        await asyncio.gather(*clients)
        await until(lambda: gc.collect() + 1 and not made)


async def test_a_client_that_does_not_read_is_left(desk, monkeypatch, until):
    """Its answers would stay for ever, and so would what its connection has begun."""
    lost = []
    monkeypatch.setattr(connections, "_PATIENCE", 0.2)
    leave = connections.Connection.connection_lost
    monkeypatch.setattr(connections.Connection, "connection_lost", lambda self, error: [leave(self, error), lost.append(self)])
    async with reached(desk) as served, connected(served) as (_, writer):
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20_000)
        await until(lambda: lost)


async def test_a_request_that_takes_long_is_not_cut_off(desk, monkeypatch):
    monkeypatch.setattr(connections, "_PATIENCE", 0.02)
    async with reached(desk) as served, served.client() as client:
        assert await output(client, "sleep 0.2; echo done") == "done\n"


async def test_connections_have_an_end_to_their_number(desk, monkeypatch):
    monkeypatch.setattr(connections, "_MOST", 1)
    async with reached(desk) as served, connected(served) as first, connected(served) as second:
        assert await second[0].read() == b""
        first[1].write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert await first[0].readline() == b"HTTP/1.1 200 OK\r\n"


async def test_the_requests_of_a_client_have_an_end_to_their_number(desk, monkeypatch):
    monkeypatch.setattr(guard, "_MOST", 2)
    stream = {"Accept": "text/event-stream"}
    token = [{"Authorization": f"Bearer {name}"} for name in ("one", "two")]
    async with (
        reached(desk, Access.to("127.0.0.1", ("one", "two"), (), ())) as served,
        httpx2.AsyncClient() as http,
        http.stream("GET", f"{served.url}/mcp", headers=stream | token[0]),
    ):
        assert (await served.get("/metrics", **token[0])).status_code == 200
        async with http.stream("GET", f"{served.url}/mcp", headers=stream | token[0]):
            for headers, status in ((token[0], 429), (token[1], 200)):
                assert (await served.get("/metrics", **headers)).status_code == status


async def test_a_balancer_is_answered_however_many_requests_there_are(desk, monkeypatch):
    monkeypatch.setattr(guard, "_MOST", 1)
    stream = {"Accept": "text/event-stream"}
    async with reached(desk) as served, httpx2.AsyncClient() as http, http.stream("GET", f"{served.url}/mcp", headers=stream):
        assert [(await served.get(path)).status_code for path in ("/metrics", "/health")] == [429, 200]


async def test_a_port_that_is_taken_is_told(desk):
    async with reached(desk) as served:
        with pytest.raises(BashkitError, match=f"nobody can listen at 127.0.0.1 port {served.port}"):
            async with listening(make_app(served.service, LOCAL), "127.0.0.1", served.port):
                pass


# -- the end ---------------------------------------------------------------------------------------------------------------


async def test_a_server_that_stops_takes_no_more_calls_and_ends_those_that_run(desk, until):
    async with reached(desk) as served, served.client() as client:
        call = asyncio.create_task(client.call_tool("desk", {"commands": "ponder"}))
        await until(desk.with_name("pondering").exists)
        await served.service.stop(0)
        with pytest.raises(MCPError, match="the server stops"):
            await call
        assert not desk.with_name("pondering").exists()
        assert (await served.get("/health")).status_code == 503
        with pytest.raises(MCPError, match="the server is stopping"):
            await output(client, "true")


@pytest.mark.parametrize(
    ("patience", "script", "answer"), [(60.0, "sleep 0.2; echo done", "done\n"), (0.0, "ponder", "the server stops")]
)
async def test_on_sigterm_running_scripts_have_some_time(desk, monkeypatch, caplog, until, patience, script, answer):
    monkeypatch.setattr("bashkit.integrations.mcp.http.PATIENCE", patience)
    caplog.set_level("INFO", "bashkit.mcp")
    serving = asyncio.create_task(serve(Settings((desk,), shared=True, reload=None), LOCAL, "127.0.0.1", 0))
    await until(lambda: "listening at" in caplog.text)
    begun = asyncio.Event()

    async def progress(*_):
        begun.set()

    async with Client(caplog.records[-1].getMessage().split()[-1]) as client:
        await client.list_tools()  # which it would ask for after the answer, from a server that has stopped
        arguments = {"commands": f"echo begun; {script}"}
        call = asyncio.create_task(client.call_tool("desk", arguments, progress_callback=progress))
        await begun.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        try:
            found = (await call).structured_content["stdout"]
        except MCPError as error:
            found = str(error)
    assert answer in found
    assert await serving == signal.SIGTERM
    assert not desk.with_name("pondering").exists()


async def test_records_hold_no_arguments(desk, tmp_path):
    async with reached(desk, sessions=True) as served, served.client() as client:
        with (tmp_path / "log").open("w", encoding="utf-8") as log:
            served.service.on_record = lambda record: write_record(log, record)
            await output(client, "look --id 4; ghost; echo private")
        (line,) = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
        record = json.loads(line)
        assert set(record) == {"time", "session", "tool", "ms", "exit_code", "error", "calls"}
        assert (record["tool"], record["exit_code"], record["error"], record["calls"]) == ("desk", 0, None, 1)
        assert len(record["session"]) == 12
        assert "private" not in line
