import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from bashkit.cli import cli
from bashkit.integrations.mcp import pipes

HEADERS = b"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
MODES = pytest.mark.parametrize("mode", ["legacy", "auto"])
COMMAND = ["-c", "import bashkit.cli; bashkit.cli.main()", "serve"]


def parameters(*arguments):
    return StdioServerParameters(command=sys.executable, args=[*COMMAND, *map(str, arguments)], env=dict(os.environ))


@pytest.fixture
def start():
    """Starts servers of the command line."""
    started = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, *COMMAND, *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def said(process, message):
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()


def begin(process):
    who = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    said(process, {"id": 0, "method": "initialize", "params": who})
    answer = json.loads(process.stdout.readline())
    said(process, {"method": "notifications/initialized"})
    return answer["result"]


def call(process, number, script):
    said(process, {"id": number, "method": "tools/call", "params": {"name": "desk", "arguments": {"commands": script}}})


def answer(process, number):
    for line in process.stdout:
        message = json.loads(line)
        if message.get("id") == number:
            return message
    return None


@pytest.mark.thorough
@MODES
async def test_a_client_over_standard_input_and_output(desk, mode):
    async with Client(parameters(desk, "--expose", "both"), mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools][:2] == ["desk", "look"]
        result = await client.call_tool("desk", {"commands": "look --id 4; loud"})
        assert result.structured_content["stdout"] == '{"id":4}\nsaid\n'
        running = asyncio.create_task(client.call_tool("desk", {"commands": "while :; do :; done"}))
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (await client.call_tool("desk", {"commands": "echo on"})).structured_content["stdout"] == "on\n"


async def test_a_saved_session_goes_on(desk, tmp_path):
    for script, output in (("x=1", ""), ("echo $x", "1\n")):
        async with Client(parameters(desk, "--sessions", tmp_path / "saved")) as client:
            assert (await client.call_tool("desk", {"commands": script})).structured_content["stdout"] == output


def test_nothing_but_messages_is_printed(desk, start):
    process = start(desk)
    about = begin(process)
    assert about["serverInfo"]["name"] == "desk"
    assert about["instructions"] == "Call desk with a bash script, in which every tool of the toolset is a command."
    assert about["capabilities"]["tools"] == {"listChanged": True}
    call(process, 9, "printf '%s' '\ud800'")
    assert answer(process, 9)["result"]["structuredContent"]["stdout"] == "\ufffd"
    call(process, 1, "loud")
    assert answer(process, 1)["result"]["structuredContent"]["stdout"] == "said\n"
    rest, noise = process.communicate()
    assert (rest, process.returncode) == ("", 0)
    assert "on the way to standard output" in noise
    assert "and past sys.stdout" in noise


TOO_LONG = [  # what stands before and after very many letters, and the number that is read of it
    ('{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "', '"}}', 5),
    ('{"method": "tools/call", "params": {"name": "', '"}, "jsonrpc": "2.0", "id": "a-1"}', "a-1"),
    ('{"method": "tools/call", "params": {"id": 7, "name": "', '"}, "jsonrpc": "2.0"}', None),
    ("no message ", "", None),
]


def test_what_is_no_message_is_refused_and_the_next_one_answered(desk, start):
    invalid = "Invalid request: a message is an object with jsonrpc, method and params as JSON-RPC 2.0 has them"
    refusals = [
        ("this is no message", None, -32700, "Parse error: Expecting value: line 1 column 1 (char 0)"),
        ('{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', None, -32700, "Parse error: NaN is not JSON"),
        ('{"a":' * 90_000, None, -32700, "Parse error: nested too deeply"),
        ("9" * 5000, None, -32700, "Parse error: an integer has more than 4300 digits"),
        ('{"jsonrpc": "2.0", "id": {}, "method": 7}', None, -32600, invalid),
        ('{"jsonrpc": "2.0", "id": "a", "method": 7}', "a", -32600, invalid),
        ('{"jsonrpc": "2.0", "id": 5, "reply": 7}', None, -32600, invalid),
        ('{"jsonrpc": "2.0", "id": {}, "method": "ping"}', None, -32600, invalid),
        ("[]", None, -32600, invalid),
        ("[" + '{"jsonrpc": "2.0", "id": 5, "method": "ping"},' * 200_000 + "{}]", None, -32600, invalid),
        (
            '{"jsonrpc": "2.0", "id": 6, "method": "ping", "params": ' + '{"a":' * 900 + "1" + "}" * 901,
            6,
            -32600,
            "Invalid request: a message has at most 150 arrays and objects inside each other",
        ),
        (
            '{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": {"_meta": {"x": [' + "1," * 200_000 + "1]}}}",
            8,
            -32600,
            "Invalid request: a message has at most 200000 values",
        ),
    ]
    process = start(desk)
    begin(process)
    for line, number, code, reason in refusals:
        process.stdin.write(f"\n{line}\n")
        process.stdin.flush()
        refused = json.loads(process.stdout.readline())
        assert (refused["id"], refused["error"]) == (number, {"code": code, "message": reason})
        said(process, {"method": "notifications/cancelled", "params": {"requestId": 7, "id": 8}})
        said(process, {"id": 1, "method": "ping"})
        assert answer(process, 1)["result"] == {}
    too_long = "Invalid request: a message has at most 16 MB"
    for before, after, number in TOO_LONG:
        process.stdin.write(before + "x" * (pipes.MAX_MESSAGE + 1) + after + "\n")
        said(process, {"id": 1, "method": "ping"})
        refused = json.loads(process.stdout.readline())
        assert (refused["id"], refused["error"]) == (number, {"code": -32600, "message": too_long})
        assert json.loads(process.stdout.readline())["id"] == 1
    rest, noise = process.communicate()
    assert (rest, process.returncode) == ("", 0)
    assert noise.count(too_long) == len(TOO_LONG)
    for _, _, _, reason in refusals:
        assert f"the client has sent what is no message: {reason}" in noise


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.thorough)])
def test_a_signal_ends_it_in_mid_call(desk, start, number):
    process = start(desk)
    begin(process)
    call(process, 1, "ponder")
    while not desk.with_name("pondering").exists():
        assert process.poll() is None
    process.send_signal(number)
    _, _ = process.communicate()
    assert process.returncode == 128 + number
    assert not desk.with_name("pondering").exists()


@pytest.mark.thorough
@pytest.mark.needs("sh", "sleep")
@pytest.mark.parametrize("end", ["cancel", "leave", "signal"])
def test_the_processes_of_a_call_end_with_it(tmp_path, start, end):
    tool = tmp_path / "slow.sh"
    tool.write_text("#!/bin/sh\necho $$ > pid\nexec sleep 1000\n", encoding="utf-8")
    tool.chmod(0o755)
    toolset = tmp_path / "desk.yaml"
    toolset.write_text("version: 1\nname: desk\ntools: [{name: slow, callback: {executable: ./slow.sh}}]\n", encoding="utf-8")
    process = start(toolset)
    begin(process)
    call(process, 1, "slow")
    pid = tmp_path / "pid"
    while not (pid.exists() and pid.read_text(encoding="utf-8").strip()):
        assert process.poll() is None
    child = Path(f"/proc/{int(pid.read_text(encoding='utf-8'))}")
    if end == "cancel":
        said(process, {"method": "notifications/cancelled", "params": {"requestId": 1}})
        call(process, 2, "echo on")
        assert answer(process, 2)["result"]["structuredContent"]["stdout"] == "on\n"
    elif end == "leave":
        process.communicate()
        assert process.returncode == 0
    else:
        process.terminate()
        process.communicate()
    while child.exists() and "Z" not in child.joinpath("stat").read_text(encoding="utf-8").rpartition(")")[2][:3]:
        pass


def test_over_http(desk, start):
    process = start(desk, "--transport", "http", "--port", "0")
    line = process.stderr.readline()
    assert line.startswith("INFO: listening at http://127.0.0.1:")
    url = line.split()[-1]

    async def use():
        async with Client(url) as client:
            return (await client.call_tool("desk", {"commands": "look --id 4"})).structured_content["stdout"]

    assert asyncio.run(use()) == '{"id":4}\n'
    assert json.loads(process.stderr.readline())["tool"] == "desk"
    with socket.create_connection(("127.0.0.1", urlsplit(url).port)) as gone:  # in the middle of its message
        gone.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + HEADERS + b"Content-Length: 100\r\n\r\n{")
    assert process.stderr.readline() == "INFO: a client has gone in the middle of a message\n"
    process.terminate()
    assert process.communicate() == ("", "")
    assert process.returncode == 128 + signal.SIGTERM


@pytest.mark.thorough
def test_the_bound_of_all_sessions_is_that_of_the_command_line(desk, start):
    process = start(desk, "--transport", "http", "--port", "0", "--sessions", "--max-sessions-bytes", "1000")
    url = process.stderr.readline().split()[-1]

    async def use():
        async with Client(url) as client:
            await client.call_tool("desk", {"commands": "true"})
            with pytest.raises(MCPError, match="the session has ended"):
                await client.call_tool("desk", {"commands": "true"})

    asyncio.run(use())


@pytest.mark.thorough
def test_tokens_of_the_environment_are_seen_by_no_tool(desk, start, monkeypatch):
    monkeypatch.setenv("BASHKIT_TOKENS", "one\ntwo")
    text = desk.read_text(encoding="utf-8").replace("desk_callbacks.loud", "desk_callbacks.tokens")
    desk.write_text(text, encoding="utf-8")
    module = desk.with_name("desk_callbacks.py")
    seen = 'def tokens(args): return os.environ.get("BASHKIT_TOKENS", "none") + args.env.get("BASHKIT_TOKENS", "none")\n'
    module.write_text(module.read_text(encoding="utf-8") + seen, encoding="utf-8")
    process = start(desk, "--transport", "http", "--port", "0", "--isolation", "inline")
    url = process.stderr.readline().split()[-1]

    async def use(token):
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return (await client.call_tool("desk", {"commands": "loud"})).structured_content["stdout"]

    assert asyncio.run(use("two")) == "nonenone"
    assert httpx2.post(url).status_code == 401


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Missing argument 'FILE...'"),
        (["--sessions", "desk.yaml"], "Missing argument 'FILE...'"),
        (["desk.yaml", "--sessions", "desk.yaml"], "desk.yaml is a file, not a directory"),
        (["desk.yaml", "--sessions", "desk.yaml/saved"], "desk.yaml/saved cannot be made: Not a directory"),
        (["desk.yaml", "--host", "127.0.0.1"], "--host needs --transport http"),
        (["desk.yaml", "--no-auth"], "--no-auth needs --transport http"),
        (["desk.yaml", "--max-sessions-bytes", "1"], "--max-sessions-bytes needs --transport http"),
        (["desk.yaml", "--transport", "http", "--max-sessions-bytes", "0"], "0 is not in the range x>=1"),
        (["desk.yaml", "--transport", "http", "--host", "0.0.0.0"], "pass --token-file FILE, or --no-auth"),
        (["desk.yaml", "--transport", "http", "--token-file", "empty"], "there is no token in empty"),
        (["desk.yaml", "--transport", "http", "--idle", "soon"], "'soon' is not a duration"),
        (["wrong.yaml"], "wrong.yaml:1:"),
    ],
)
def test_a_wrong_command_line_is_2(desk, monkeypatch, arguments, told):
    monkeypatch.chdir(desk.parent)
    Path("empty").write_text("# none\n", encoding="utf-8")
    Path("wrong.yaml").write_text("tools: 3\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["serve", *arguments])
    assert result.exit_code == 2
    assert told in result.stderr


def test_it_says_how_to_install_what_is_missing(desk, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setattr("bashkit.integrations.mcp", sys.modules["bashkit.integrations.mcp"])  # which the import replaces
    for name in [name for name in sys.modules if name.startswith("bashkit.integrations.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    result = CliRunner().invoke(cli, ["serve", str(desk)])
    assert (result.exit_code, result.stderr) == (
        2,
        "bashkit: serving over MCP needs an extra: pip install 'bashkit-toolsets[mcp]'\n",
    )
