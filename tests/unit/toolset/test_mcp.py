"""MCP servers as a source: live over standard input and output, or a saved answer to tools/list."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from bashkit.errors import CallbackNotFoundError, ToolError, ToolsetError
from bashkit.tools import Policy, ToolArgs
from bashkit.toolset import load
from bashkit.toolset.callbacks.mcp import McpCallback
from bashkit.toolset.callbacks.mcp.connection import Connection
from bashkit.toolset.callbacks.mcp.server import McpServer
from bashkit.toolset.callbacks.mcp.stdio import without_frames

pytest.importorskip("mcp", reason="the MCP SDK is an extra")

# a server written with the SDK
SERVER = '''
import asyncio
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from pydantic import BaseModel

server = MCPServer("demo")

class Sum(BaseModel):
    total: int

@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> Sum:
    """Add two numbers."""
    return Sum(total=a + b)

@server.tool(annotations=ToolAnnotations(read_only_hint=False, destructive_hint=True), structured_output=False)
def remove(name: str) -> str:
    """Remove a thing."""
    if name == "none":
        raise ValueError("there is no such thing")
    return "removed " + name

together = asyncio.Barrier(3)

@server.tool(structured_output=False)
async def meet() -> str:
    await together.wait()
    return "met"

server.run()
'''

# a server of the bare protocol, which starts in no time and can misbehave
BARE = """
import json, os, sys, time
behaviour = sys.argv[1] if len(sys.argv) > 1 else ""
def send(value):
    sys.stdout.write(json.dumps(value) + "\\n")
    sys.stdout.flush()
if behaviour == "dies":
    sys.exit("no database here")
if behaviour == "raises":
    raise LookupError("no database here")
if behaviour == "hangs":
    time.sleep(300)
if behaviour == "floods":
    while True:
        sys.stdout.write("noise\\n")
if behaviour == "long":
    while True:
        sys.stdout.write("x" * 65536)
if behaviour == "banner":
    print("Welcome!", flush=True)
if behaviour == "forks":
    child = os.fork()
    if child == 0:
        time.sleep(300)
    open("child", "w").write(str(child))
tools = [{"name": "say", "description": "Say", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}},
         {"name": "pid", "inputSchema": {"type": "object"}}, {"name": "environ", "inputSchema": {"type": "object"}},
         {"name": "doze", "inputSchema": {"type": "object"}}, {"name": "die", "inputSchema": {"type": "object"}},
         {"name": "bad name", "inputSchema": {"type": "object"}}]
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
    elif method == "tools/list":
        if behaviour == "lists-slowly":
            time.sleep(300)
        cursor = (message.get("params") or {}).get("cursor")
        result = {"tools": tools[3:]} if cursor else {"tools": tools[:3], "nextCursor": "more"}
    elif method == "tools/call":
        name = message["params"]["name"]
        if name == "doze":
            time.sleep(300)
        if name == "die":
            sys.stderr.write("out of luck\\n")
            sys.exit(1)
        text = {"say": message["params"].get("arguments", {}).get("text", ""), "pid": str(os.getpid()), "environ": json.dumps(dict(os.environ))}[name]
        result = {"content": [{"type": "text", "text": text}]}
    elif number is None:
        continue
    else:
        result = {}
    send({"jsonrpc": "2.0", "id": number, "result": result})
"""


@pytest.fixture
def serve(folder):
    """Writes a server and a toolset of it, loads it, and ends the server afterwards."""
    loaded = []

    def make(server=BARE, *words, more="", source="", environ=None, program=sys.executable):
        folder.write("server.py", server)
        command = json.dumps([program, str(folder.path / "server.py"), *words])
        text = f"version: 1\nname: t\n{more}sources:\n  - mcp: {{command: {command}{source}}}\n"
        toolset = load(folder.write("t.yaml", text), environ=environ or {})
        loaded.append(toolset)
        return toolset

    yield make
    for toolset in loaded:
        toolset.close()


def gone(pid):
    """Whether a process has ended; it gets a moment."""
    for _ in range(6000):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        threading.Event().wait(0.01)
    return False


# -- a server of the SDK -----------------------------------------------------------------------------------------------


def test_a_server_written_with_the_sdk(serve):
    toolset = serve(SERVER)
    found = {tool.name: tool for tool in toolset.tools}
    assert toolset.warnings == []
    assert [(tool.name, tool.description, tool.effects) for tool in found.values()] == [
        ("add", "Add two numbers.", "read"),
        ("remove", "Remove a thing.", "destructive"),
        ("meet", "", None),
    ]
    assert set(found["add"].input_schema["properties"]) == {"a", "b"}
    assert found["add"].output_schema["properties"]["total"]["type"] == "integer"
    tool = toolset.make_tool(policy=Policy({"destructive": "allow"}))
    response = tool.execute_sync("add --a 40 --b 2 | jq .total; remove thing; remove none; add --a x")
    assert response.stdout == "42\nremoved thing\n"
    assert "remove: Error executing tool remove" in response.stderr
    assert "add: --a: expected integer, got 'x'" in response.stderr


def test_a_json_object_on_standard_input_has_arguments_and_flags_precede_it(serve):
    toolset = serve(BARE)
    assert [tool.stdin for tool in toolset.tools if tool.name in {"say", "pid"}] == ["json", False]
    response = toolset.tool.execute_sync(
        """jq -n '{text: "piped"}' | say; echo '{"text": "piped"}' | say --text given; echo x | pid | grep -c .
        printf '1\\n2\\n' | while read n; do say --text $n; done; echo text | say"""
    )
    assert (response.stdout, response.exit_code) == ("piped\ngiven\n1\n1\n2\n", 2)
    assert "say: standard input: expected a JSON object of parameters" in response.stderr


@pytest.mark.thorough
def test_calls_run_at_the_same_time_over_one_connection(serve):
    toolset = serve(SERVER)
    toolset.entries()
    response = toolset.tool.execute_sync("for i in 1 2 3; do meet & done; wait")
    assert response.stdout == "met\n" * 3


# -- the connection ----------------------------------------------------------------------------------------------------


def test_every_page_is_listed_and_what_is_no_tool_is_one_warning(serve):
    toolset = serve()
    assert [tool.name for tool in toolset.tools] == ["say", "pid", "environ", "doze", "die"]
    (warning,) = toolset.warnings
    assert warning.message.startswith("tool 6 is skipped: ")
    assert (warning.severity, warning.hint) == ("warning", 'exclude: ["bad name"]')


def test_loading_starts_nothing_and_one_server_serves_calls_of_many_loops(serve):
    toolset = serve()
    assert toolset.sources[0].connection._session is None
    first = toolset.tool.execute_sync("pid").stdout
    assert toolset.tool.execute_sync("pid").stdout == first

    async def both():
        return await asyncio.gather(*(toolset.tool.execute("pid") for _ in range(3)))

    assert {response.stdout for response in asyncio.run(both())} == {first}


def test_close_ends_the_server_and_a_later_call_starts_it_again(serve):
    toolset = serve()
    first = int(toolset.tool.execute_sync("pid").stdout)
    toolset.close()
    assert gone(first)
    second = int(toolset.tool.execute_sync("pid").stdout)
    assert second != first


@pytest.mark.thorough
def test_the_server_ends_with_the_interpreter(serve, folder):
    serve()
    code = f"import bashkit; t = bashkit.load({str(folder.path / 't.yaml')!r}); print(t.tool.execute_sync('pid').stdout)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stderr == ""
    assert gone(int(done.stdout))


def test_the_server_ends_with_its_toolset(serve, folder):
    connection = serve().sources[0].connection
    own = Connection(connection.server)
    process = own._connected({})
    process.ready.result(60)
    pid = process.process.process.pid
    del own, process
    assert gone(pid)


def test_the_environment_is_its_own(serve, monkeypatch):
    monkeypatch.setenv("HOST_SECRET", "leak")
    toolset = serve(
        more="env: {REGION: eu}\nsecrets: [KEY]\n", source=", env: {MODE: '${MODE}', N: 1}", environ={"KEY": "k3y", "MODE": "m"}
    )
    response = toolset.tool.execute_sync("environ")
    seen = json.loads(response.stdout)
    assert set(seen) - {"LC_CTYPE"} == {"PATH", "LANG", "REGION", "KEY", "MODE", "N", "BASHKIT_CALL"}
    assert (seen["MODE"], seen["N"], seen["KEY"]) == ("m", "1", "***")


def test_stub_mode_is_told(serve):
    toolset = serve(environ={"SHELLCLAW_STUB": "1"})
    assert json.loads(toolset.tool.execute_sync("environ").stdout)["SHELLCLAW_STUB"] == "1"


# -- what goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("dies", "the MCP server cannot be used: Connection closed (it wrote: no database here)"),
        ("raises", "the MCP server cannot be used: Connection closed (it wrote: LookupError: no database here)"),
        ("hangs", "the MCP server does not answer within 0.2 s"),
        ("floods", "the MCP server cannot be used: Connection closed (it prints text that is not an MCP message)"),
        ("long", "the MCP server cannot be used: Connection closed (it sent a message larger than 16 MB)"),
    ],
)
def test_a_server_that_misbehaves_costs_one_warning_and_its_time_limit(serve, behaviour, message):
    seconds = "200ms" if behaviour == "hangs" else "60s"
    toolset = serve(BARE, behaviour, source=f", timeout: {seconds}")
    assert toolset.tools == ()
    assert [warning.message for warning in toolset.warnings] == [message]


GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "x.py", line 6, in <module>
  |     asyncio.run(main())
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "x.py", line 3, in f
    | ValueError: no key
    +------------------------------------
"""
NODE = "Error: no key\n    at f (x.js:2:20)\n    at x.js:3:1\n"


@pytest.mark.parametrize(
    ("text", "cut", "kept"),
    [
        (GROUP, False, ["ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)", "ValueError: no key"]),
        (GROUP[80:], True, ["ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)", "ValueError: no key"]),
        (NODE, False, ["Error: no key"]),
        ("usage: x\n  --db FILE is missing\n", False, ["usage: x", "  --db FILE is missing"]),
    ],
)
def test_of_a_traceback_the_error_is_shown(text, cut, kept):
    assert without_frames(text, cut=cut).splitlines() == kept


def test_a_server_that_lists_no_tools_costs_one_warning_and_its_time_limit(serve):
    toolset = serve(BARE, "lists-slowly")
    connection = toolset.sources[0].connection
    connection._connected({}).ready.result(60)
    connection.server = replace(connection.server, timeout=0.2)
    assert toolset.tools == ()
    assert [warning.message for warning in toolset.warnings] == ["the MCP server does not list its tools within 0.2 s"]


def test_a_server_that_cannot_be_started_is_one_warning(folder):
    text = "version: 1\nname: t\nsources:\n  - mcp: {command: [no-such-server]}\n"
    toolset = load(folder.write("t.yaml", text), environ={})
    assert toolset.tools == ()
    assert toolset.warnings[0].message.startswith("the MCP server cannot be used: there is no program no-such-server in /")


def test_a_server_that_is_installed_beside_bashkit_needs_no_path(serve, monkeypatch, tmp_path):
    real = sys.executable
    program = tmp_path / "the-server"
    program.write_text(f'#!/bin/sh\nexec {real} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert serve(BARE, program="the-server").tool.execute_sync("say --text hi").stdout == "hi\n"


def test_a_banner_on_standard_output_is_forgiven(serve):
    assert serve(BARE, "banner").tool.execute_sync("say --text hi").stdout == "hi\n"


def test_what_a_server_forks_is_ended_with_it(serve, folder):
    toolset = serve(BARE, "forks", source=", cwd: .")
    toolset.entries()
    child = int((folder.path / "child").read_text(encoding="utf-8"))
    toolset.close()
    assert gone(child)


def test_a_call_that_hangs_is_124_and_the_server_is_killed_and_started_again(serve, monkeypatch):
    monkeypatch.setattr("bashkit.toolset.callbacks.mcp.connection._PING", 0.2)
    toolset = serve()
    connection = toolset.sources[0].connection
    first = int(toolset.tool.execute_sync("pid").stdout)
    with pytest.raises(ToolError) as caught:
        asyncio.run(McpCallback(connection, "doze", 0.3)(ToolArgs({})))
    assert (caught.value.message, caught.value.exit_code) == ("timed out after 0.3 s", 124)
    assert gone(first)
    assert int(toolset.tool.execute_sync("pid").stdout) != first


def test_a_server_that_dies_in_a_call_is_named_and_started_again(serve):
    toolset = serve()
    response = toolset.tool.execute_sync("die; pid")
    assert response.stderr.splitlines() == [
        "die: the MCP server has ended (it wrote: out of luck)",
        "pid: the MCP server was started again: what it had in memory is lost",
    ]
    assert response.stdout.strip().isdigit()
    assert toolset.tool.execute_sync("pid").stderr == ""


def test_a_server_that_was_closed_or_not_used_has_forgotten_nothing(serve):
    toolset = serve()
    toolset.tool.execute_sync("pid")
    toolset.close()
    assert toolset.tool.execute_sync("pid").stderr == ""


def test_without_the_sdk_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    tool = McpCallback(Connection(McpServer(("x",))), "t")
    with pytest.raises(CallbackNotFoundError, match=r"pip install 'bashkit-toolsets\[mcp\]' adds it"):
        tool.resolve()
    with pytest.raises(ToolError, match=r"pip install 'bashkit-toolsets\[mcp\]' adds it"):
        asyncio.run(tool(ToolArgs({})))


# -- a server with an address ------------------------------------------------------------------------------------------


def streamable(body):
    """What a server with streamable HTTP answers."""
    message = json.loads(body or b"{}")
    result = {
        "initialize": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "b", "version": "1"},
        },
        "tools/list": {
            "tools": [{"name": "shout", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}]
        },
        "tools/call": {"content": [{"type": "text", "text": "HI"}]},
    }.get(message.get("method"))
    if "id" not in message or result is None:
        return 202, {}, b""
    return (
        200,
        {"Content-Type": "application/json"},
        json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode(),
    )


def test_a_server_with_an_address_and_headers_that_hold_a_secret(folder, web):
    web.answers["/mcp"] = streamable
    text = f"version: 1\nname: t\nsecrets: [KEY]\nsources:\n  - mcp: {{url: {web.url}/mcp, headers: {{Authorization: 'Bearer ${{KEY}}'}}}}\n"
    toolset = load(folder.write("t.yaml", text), environ={"KEY": "s3cret"})
    try:
        response = toolset.tool.execute_sync("shout --text hi")
        assert (response.stdout, response.stderr, toolset.warnings) == ("HI\n", "", [])
        assert {headers["authorization"] for method, _, headers, _ in web.seen if method == "POST"} == {"Bearer s3cret"}
    finally:
        toolset.close()


@pytest.mark.parametrize("refusal", [(404, b"Not Found"), (400, b'{"error": "No valid session ID"}')], ids=["404", "400"])
def test_a_server_with_an_address_that_was_started_again_says_so_and_is_called(folder, web, refusal):
    alive = ["first"]

    def answer(body):
        if b'"initialize"' in body:
            status, headers, text = streamable(body)
            return status, {**headers, "Mcp-Session-Id": alive[0]}, text
        session = web.seen[-1][2].get("mcp-session-id")
        return streamable(body) if session == alive[0] else (refusal[0], {}, refusal[1])

    web.answers["/mcp"] = answer
    with load(folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - mcp: {{url: {web.url}/mcp}}\n"), environ={}) as toolset:
        assert toolset.tool.execute_sync("shout --text hi").stdout == "HI\n"
        alive[0] = "second"
        response = toolset.tool.execute_sync("shout --text hi; shout --text hi")
        note = "shout: the MCP server was started again: what it had in memory is lost\n"
        assert (response.stdout, response.stderr) == ("HI\nHI\n", note)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "it answers 401 Unauthorized"),
        (404, "it answers 404 Not Found; is this the address of MCP over HTTP? The older transport, SSE, is not supported"),
    ],
)
def test_the_status_of_an_address_that_refuses_is_told(folder, web, status, said):
    web.answers["/mcp"] = (status, {}, b"")
    toolset = load(folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - mcp: {{url: {web.url}/mcp}}\n"), environ={})
    assert toolset.tools == ()
    assert [warning.message for warning in toolset.warnings] == [f"the MCP server cannot be used: {said}"]


def cataloged(path):
    """What ``bashkit catalog`` prints: pytest has handlers of its own for what is logged."""
    done = subprocess.run([sys.executable, "-m", "bashkit", "catalog", str(path)], capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


@pytest.mark.thorough
def test_what_the_sdk_logs_of_an_address_is_not_printed(folder, web):
    web.answers["/mcp"] = lambda body: (200, {"Content-Type": "application/json", "Mcp-Session-Id": "1"}, b"no JSON")
    path = folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - mcp: {{url: {web.url}/mcp, timeout: 5s}}\n")
    said = "the MCP server cannot be used: what it answers is no message of MCP"
    assert cataloged(path) == ("[]\n", f"warning: {path}:4:10: {said}\n")


@pytest.mark.thorough
def test_what_the_sdk_logs_of_a_program_is_not_printed(folder):
    odd = 'print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "odd"}}), flush=True)'
    folder.write("server.py", BARE.replace("for line in sys.stdin:", f"for line in sys.stdin:\n    {odd}", 1))
    command = json.dumps([sys.executable, "server.py"])
    path = folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - mcp: {{command: {command}}}\n")
    stdout, stderr = cataloged(path)
    assert json.loads(stdout)[0]["name"] == "say"
    assert [line.partition(" is skipped")[0] for line in stderr.splitlines()] == [f"warning: {path}:4:10: tool 6"]


def test_a_call_may_take_longer_than_the_server_may_to_start(folder, web):
    def late(body):
        if b"tools/call" in body:
            web.closing.wait(0.8)
        return streamable(body)

    web.answers["/mcp"] = late
    text = f"version: 1\nname: t\nsources:\n  - {{mcp: {{url: '{web.url}/mcp', timeout: 500ms}}, timeout: 20s}}\n"
    with load(folder.write("t.yaml", text), environ={}) as toolset:
        response = toolset.tool.execute_sync("shout --text hi")
        assert (response.stdout, response.stderr) == ("HI\n", "")


def test_an_address_where_nobody_listens_is_one_warning(folder, web):
    web.close()
    toolset = load(
        folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - mcp: {{url: {web.url}/mcp, timeout: 5s}}\n"), environ={}
    )
    assert toolset.tools == ()
    assert [warning.message for warning in toolset.warnings] == [
        "the MCP server cannot list its tools: All connection attempts failed"
    ]


# -- saved answers -----------------------------------------------------------------------------------------------------

SAVED = {
    "tools": [
        {
            "name": "peer",
            "title": "Look around",
            "inputSchema": {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "properties": {"at": {"type": "string"}},
            },
            "outputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
        }
    ]
}
HEAD = "version: 1\nname: t\nsources:\n  - "


@pytest.mark.parametrize("value", [SAVED, SAVED["tools"], {"jsonrpc": "2.0", "id": 1, "result": SAVED}])
def test_a_saved_answer(folder, value):
    folder.write("tools.json", json.dumps(value))
    toolset = load(folder.write("t.yaml", HEAD + "mcp: ./tools.json\n"), environ={})
    (tool,) = toolset.tools
    assert (tool.name, tool.description, tool.effects, tool.output_schema) == ("peer", "Look around", "read", {"type": "object"})
    assert tool.input_schema == {"type": "object", "properties": {"at": {"type": "string"}}}
    response = toolset.tool.execute_sync("peer --at x")
    assert response.stderr == "peer: only the description of this tool is saved; give its source a command or a url to call it\n"
    assert toolset.sources[0].files() == (folder.path / "tools.json",)


def test_a_saved_answer_with_a_command_starts_the_server_at_the_first_call(serve, folder):
    folder.write(
        "tools.json", json.dumps([{"name": "say", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}])
    )
    toolset = serve(source=", tools: tools.json")
    assert toolset.tool.system_prompt()
    assert toolset.sources[0].connection._session is None
    assert toolset.tool.execute_sync("say --text hi").stdout == "hi\n"
    assert toolset.sources[0].connection._session is not None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "t.yaml:4:10: it cannot be read: No such file or directory"),
        ('{"tools":\n  [}', "tools.json:2:4: this is not JSON: Expecting value"),
        ('{"a": 1}', "tools.json:1:1: this is not an answer to tools/list"),
        ("\udcff", "t.yaml:4:10: it cannot be read: it is not UTF-8"),
    ],
)
def test_a_saved_answer_that_is_none(folder, text, problem):
    if text is not None:
        (folder.path / "tools.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ToolsetError) as caught:
        load(folder.write("t.yaml", HEAD + "mcp: tools.json\n"), environ={}).entries()
    assert str(caught.value).removeprefix(f"{folder.path}/") == problem


@pytest.mark.parametrize(
    ("hints", "effects"),
    [
        ({}, None),
        ({"readOnlyHint": True, "destructiveHint": True}, "read"),
        ({"readOnlyHint": False}, "destructive"),
        ({"readOnlyHint": False, "destructiveHint": False}, "write"),
        ({"destructiveHint": False}, "write"),
        ({"destructiveHint": True}, "destructive"),
    ],
)
def test_annotations_say_what_a_call_does(hints, effects):
    from bashkit.toolset.sources.mcp import tool_of

    assert tool_of({"name": "t", "inputSchema": {"type": "object"}, "annotations": hints}).effects == effects


@pytest.mark.parametrize(
    ("source", "problems"),
    [
        ("mcp: {}", ["4:10: an MCP server needs a command or a url | mcp: {command: [my-server, --stdio]}"]),
        ("mcp: 3", ["4:10: expected string or object, got integer | such as {command: [mcp-server-time]}"]),
        ("mcp: {command: server}", ["4:20: expected array, got string | write [server]"]),
        (
            "mcp: {comand: [a]}",
            [
                "4:10: an MCP server needs a command or a url | mcp: {command: [my-server, --stdio]}",
                "4:11: unknown key 'comand' | did you mean command?",
            ],
        ),
        (
            "mcp: {command: [a], timeout: soon}",
            ["4:34: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h"],
        ),
        (
            "mcp: {command: [a], env: {A: '${NONE}'}}",
            ["4:34: the variable NONE is not set and has no default | set it, or give it a default: ${NAME:-default}"],
        ),
        (
            "mcp: {url: 'https://e.com', headers: {A: '${NONE}'}}",
            ["4:46: the variable NONE is neither in env nor in secrets | secrets: [NONE]"],
        ),
        ("mcp: {url: e.com}", ["4:16: a URL begins with http:// or https://"]),
        ("{mcp: t.json, skills: ./s}", ["4:6: a source of skills takes no 'mcp'"]),
    ],
)
def test_y02_mistakes_have_positions(folder, source, problems):
    assert [line.replace(" | did you mean string?", "") for line in folder.problems(HEAD + source + "\n")] == problems
