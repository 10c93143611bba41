"""MCP servers whose tools change while they run: the next execution has the new ones."""

import json
import re
import subprocess
import sys
import threading

import pytest

from bashkit.toolset import load

pytest.importorskip("mcp", reason="the MCP SDK is an extra")

# has a tool "grow" that adds the tool of the name it is given, and "shrink" that takes it away
SERVER = """
import json, sys

def send(value):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **value}) + "\\n")
    sys.stdout.flush()

changed = {"method": "notifications/tools/list_changed"}
schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
names = ["grow", "shrink"]
for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        tools = {"tools": {"listChanged": True}}
        result = {"protocolVersion": params["protocolVersion"], "capabilities": tools, "serverInfo": {"name": "b", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": name, "inputSchema": schema} for name in names]}
    elif method == "tools/call":
        name, given = params["name"], params["arguments"]["name"]
        if name in ("grow", "shrink"):
            names.append(given) if name == "grow" else names.remove(given)
            send(changed)
            send(changed)
        result = {"content": [{"type": "text", "text": name + " " + given}]}
    else:
        continue
    send({"id": message["id"], "result": result})
"""


@pytest.fixture
def growing(folder):
    """A toolset of the server."""
    folder.write("server.py", SERVER)
    command = json.dumps([sys.executable, str(folder.path / "server.py")])
    text = f"version: 1\nname: t\nsources:\n  - mcp: {{command: {command}}}\n    prefix: x_\n    exclude: [hidden]\n"
    with load(folder.write("t.yaml", text)) as toolset:
        yield toolset


def names(toolset):
    return [tool.name for tool in toolset.tools]


@pytest.mark.parametrize("options", [{}, {"persistent": True}])
def test_the_next_execution_has_the_tools_that_have_come_and_not_those_that_have_gone(growing, options):
    tool = growing.make_tool(**options)
    assert tool.execute_sync("x_grow fresh").stdout == "grow fresh\n"
    assert tool.execute_sync("x_fresh --name a").stdout == "fresh a\n"
    assert tool.execute_sync("x_shrink fresh").exit_code == 0
    gone = tool.execute_sync("x_fresh --name a")
    assert (gone.exit_code, "command not found" in gone.stderr) == (127, True)
    assert tool.execute_sync("x_grow fresh; x_grow more").exit_code == 0
    assert tool.execute_sync("x_fresh b; x_more c").stdout == "fresh b\nmore c\n"


async def test_a_direct_call_has_them_too(growing):
    await growing.tool.call("x_grow", {"name": "fresh"})
    assert (await growing.tool.call("x_fresh", {"name": "a"})).stdout == "fresh a\n"


def test_the_prompt_and_every_other_tool_of_the_toolset_have_them(growing):
    other = growing.make_tool()
    assert "x_fresh" not in other.system_prompt()
    growing.tool.execute_sync("x_grow fresh")
    assert names(growing) == ["x_grow", "x_shrink", "x_fresh"]
    assert "x_fresh" in growing.tool.system_prompt()
    assert "x_fresh" in other.system_prompt()
    assert "x_fresh" in growing.tool.execute_sync("discover --search fresh").stdout


def test_what_the_file_excludes_stays_excluded(growing):
    growing.tool.execute_sync("x_grow hidden")
    assert names(growing) == ["x_grow", "x_shrink"]


def test_tools_that_cannot_be_used_together_leave_those_before_and_a_warning(folder):
    folder.write("server.py", SERVER)
    command = json.dumps([sys.executable, str(folder.path / "server.py")])
    tool = "tools:\n  - {name: mine, description: d, input_schema: {}, callback: {script: 'echo mine'}}\n"
    text = f"version: 1\nname: t\n{tool}sources:\n  - mcp: {{command: {command}}}\n"
    with load(folder.write("t.yaml", text)) as toolset:
        toolset.tool.execute_sync("grow mine")
        assert toolset.tool.execute_sync("mine").stdout == "mine\n"
        assert [warning.message for warning in toolset.warnings] == [
            "the MCP tool mine and the tool on line 4 are both called 'mine'"
        ]


def test_no_other_source_is_asked_again(folder):
    folder.write("server.py", SERVER)
    log = folder.path / "asked"
    tools = folder.path / "bin"
    tools.mkdir()
    (tools / "one").write_text(f'#!/bin/sh\necho asked >> {log}\necho \'{{"name": "one"}}\'\n', encoding="utf-8")
    (tools / "one").chmod(0o755)
    command = json.dumps([sys.executable, str(folder.path / "server.py")])
    text = f"version: 1\nname: t\nsources:\n  - executables: ./bin\n  - mcp: {{command: {command}}}\n"
    with load(folder.write("t.yaml", text)) as toolset:
        toolset.tool.execute_sync("grow fresh")
        assert toolset.tool.execute_sync("fresh a").stdout == "fresh a\n"
        assert log.read_text(encoding="utf-8").count("asked") == 1


@pytest.mark.thorough
def test_a_server_with_an_address_is_followed_too(folder):
    head = "version: 1\nname: s\ntools:\n"
    tool = "  - {name: NAME, description: d, input_schema: {}, callback: {script: 'echo NAME'}}\n"
    served = folder.write("s.yaml", head + tool.replace("NAME", "first"))
    words = ["serve", str(served), "--expose", "tools", "--sessions", "--transport", "http", "--port", "0"]
    with subprocess.Popen([sys.executable, "-m", "bashkit", *words], stderr=subprocess.PIPE, text=True) as server:
        url = re.search(r"http://\S+", server.stderr.readline())[0]
        with load(folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - mcp: {{url: '{url}'}}\n")) as toolset:
            assert names(toolset) == ["first"]
            folder.write("s.yaml", head + tool.replace("NAME", "first") + tool.replace("NAME", "second"))
            for _ in range(600):
                if len(names(toolset)) > 1:
                    break
                threading.Event().wait(0.05)
            assert toolset.tool.execute_sync("second").stdout == "second\n"
        server.terminate()
