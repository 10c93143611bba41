"""What MCP tools answer: texts, JSON, images and audio as files of the session, resources and links to them."""

import base64
import json
import sys

import pytest
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.tools import ToolArgs
from bashkit.toolset import load

pytest.importorskip("mcp", reason="the MCP SDK is an extra")

PNG, WAV, ZIP = b"\x89PNG\r\n\0image", b"RIFF\0sound", b"PK\0\xff"

# answers tools/call with what the argument "answer" has, and has two resources
SERVER = """
import json, sys

resources = {
    "demo://text": {"uri": "demo://text", "mimeType": "text/plain", "text": "a text\\n"},
    "demo://a b": {"uri": "demo://a b", "mimeType": "application/zip", "blob": "UEsA/w=="},
}
schema = {"type": "object", "properties": {"answer": {"type": "object"}}}
string = {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}
for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        able = {"tools": {}, "resources": {}}
        result = {"protocolVersion": params["protocolVersion"], "capabilities": able, "serverInfo": {"name": "b", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": "give", "inputSchema": schema}, {"name": "wrapped", "inputSchema": schema, "outputSchema": string}]}
    elif method == "resources/list":
        result = {"resources": [{"uri": "demo://text", "name": "text", "title": "The Text"}]}
    elif method == "resources/templates/list":
        result = {"resourceTemplates": [{"uriTemplate": "demo://{name}", "name": "any"}]}
    elif method == "resources/read":
        if params["uri"] not in resources:
            error = {"code": -32602, "message": "there is no such resource"}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}), flush=True)
            continue
        result = {"contents": [resources[params["uri"]]]}
    elif method == "tools/call":
        result = params["arguments"]["answer"]
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture(scope="module")
def toolset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    (folder / "server.py").write_text(SERVER, encoding="utf-8")
    command = json.dumps([sys.executable, str(folder / "server.py")])
    text = f"version: 1\nname: t\nsources:\n  - {{mcp: {{command: {command}}}, prefix: x_}}\n"
    (folder / "t.yaml").write_text(text, encoding="utf-8")
    with load(folder / "t.yaml") as toolset:
        yield toolset


def text(value):
    return {"type": "text", "text": value}


def data(kind, mime, content):
    return {"type": kind, "mimeType": mime, "data": base64.b64encode(content).decode()}


def give(*content, tool="x_give", **result):
    return f"{tool} '{json.dumps({'answer': {'content': content, **result}})}'"


def run(toolset, script, **options):
    return toolset.make_tool(**options).execute_sync(script)


@pytest.mark.parametrize("options", [{}, {"isolation": "process"}])
def test_images_and_audio_are_files_with_a_note(toolset, options):
    script = give(text("Look:"), data("image", "image/png", PNG), data("audio", "audio/x-wav", WAV))
    response = run(toolset, f"{script}; xxd -p /tmp/x_give-1.png; xxd -p /tmp/x_give-1.wav", **options)
    assert response.stderr == ""
    assert response.stdout.splitlines() == [
        "Look:",
        f"[image/png, {len(PNG)} bytes: /tmp/x_give-1.png]",
        f"[audio/x-wav, {len(WAV)} bytes: /tmp/x_give-1.wav]",
        PNG.hex(),
        WAV.hex(),
    ]


def test_a_further_file_replaces_none(toolset):
    script = give(data("image", "image/png", PNG))
    response = run(toolset, f"echo mine > /tmp/x_give-1.png; {script}; cat /tmp/x_give-1.png")
    assert response.stdout == f"[image/png, {len(PNG)} bytes: /tmp/x_give-2.png]\nmine\n"


def test_where_no_file_can_be_kept_the_note_says_so(toolset):
    response = run(toolset, give(data("image", "image/png", PNG)), filesystem="none")
    assert response.stdout.startswith(f"[image/png, {len(PNG)} bytes: /tmp/x_give-1.png: files are switched off here")


async def test_without_a_session_they_stay_json(toolset):
    (callback,) = (item.callback for item in toolset.entries() if item.definition.name == "x_give")
    piece = data("image", "image/png", PNG)
    result = await callback(ToolArgs({"answer": {"content": [piece]}}))
    assert json.loads(result.stdout) == piece


def test_a_text_that_is_json_stays_json(toolset):
    value = '{"a":\n [1, 2]}'
    assert run(toolset, give(text(value)) + " | jq -c .a").stdout == "[1,2]\n"
    wrapped = give(text(value), tool="x_wrapped", structuredContent={"result": value})
    assert run(toolset, wrapped).stdout == f"{value}\n"
    assert {tool.name: tool.output_schema for tool in toolset.tools}["x_wrapped"] is None


def test_a_note_does_not_come_between_structured_content_and_its_reader(toolset):
    response = run(toolset, give(data("image", "image/png", PNG), structuredContent={"size": 3}) + " | jq .size")
    assert response.stdout == "3\n"
    assert response.stderr == f"x_give: [image/png, {len(PNG)} bytes: /tmp/x_give-1.png]\n"


def test_links_say_how_their_resources_are_read(toolset):
    links = [
        {"type": "resource_link", "name": "t", "uri": "demo://text", "mimeType": "text/plain"},
        {"type": "resource_link", "name": "z", "title": "A Zip", "uri": "demo://a b"},
    ]
    lines = run(toolset, give(*links)).stdout.splitlines()
    assert lines == ["[resource t, text/plain: x_mcp_resource demo://text]", "[resource A Zip: x_mcp_resource 'demo://a b']"]
    commands = [line.partition(": ")[2].rstrip("]") for line in lines]
    response = run(toolset, f"{commands[0]}; {commands[1]}; xxd -p /tmp/x_mcp_resource-1.zip")
    assert response.stdout == f"a text\n[application/zip, 4 bytes: /tmp/x_mcp_resource-1.zip]\n{ZIP.hex()}\n"


def test_embedded_resources_are_texts_and_files(toolset):
    resources = [{"uri": "u:a", "text": "embedded"}, {"uri": "u:b", "mimeType": "application/zip", "blob": "UEsA/w=="}]
    pieces = [{"type": "resource", "resource": resource} for resource in resources]
    assert run(toolset, give(*pieces)).stdout == "embedded\n[application/zip, 4 bytes: /tmp/x_give-1.zip]\n"


def test_the_reader_lists_the_resources_and_names_one_that_is_missing(toolset):
    assert "demo://text  The Text\ndemo://{name}  any\n" in run(toolset, "help x_mcp_resource").stdout
    response = run(toolset, "x_mcp_resource demo://none")
    assert (response.exit_code, "there is no such resource" in response.stderr) == (1, True)


def test_a_server_without_templates_has_a_reader_too(folder):
    server = SERVER.replace('"resources/templates/list"', '"none"').replace(
        "    else:\n        continue\n",
        "    elif 'id' in message:\n"
        "        answer = {'jsonrpc': '2.0', 'id': message['id'], 'error': {'code': -32601, 'message': 'Method not found'}}\n"
        "        print(json.dumps(answer), flush=True)\n"
        "        continue\n"
        "    else:\n        continue\n",
    )
    folder.write("server.py", server)
    command = json.dumps([sys.executable, str(folder.path / "server.py")])
    with load(folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - mcp: {{command: {command}}}\n")) as toolset:
        assert toolset.tool.execute_sync("mcp_resource demo://text").stdout == "a text\n"


def test_a_second_server_without_a_prefix_leaves_the_reader_of_the_first_and_a_warning(folder):
    folder.write("server.py", SERVER)
    command = json.dumps([sys.executable, str(folder.path / "server.py")])
    sources = f"  - mcp: {{command: {command}}}\n  - mcp: {{command: {command}}}\n    exclude: [give, wrapped]\n"
    with load(folder.write("t.yaml", f"version: 1\nname: t\nsources:\n{sources}")) as toolset:
        assert [tool.name for tool in toolset.tools] == ["give", "wrapped", "mcp_resource"]
        (warning,) = toolset.warnings
        assert (warning.severity, warning.hint) == ("warning", "give one of the sources a prefix, or exclude the tool")


def test_imported_tools_read_resources_too(folder):
    folder.write("server.py", SERVER)
    written = folder.path / "imported.yaml"
    words = ["import", "mcp", "-o", str(written), "--", sys.executable, str(folder.path / "server.py")]
    assert CliRunner().invoke(cli, words).exit_code == 0
    with load(written) as toolset:
        assert toolset.tool.execute_sync("mcp_resource demo://text").stdout == "a text\n"
