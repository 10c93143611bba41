"""The command line of the MCP Inspector, from npm, speaks to ``bashkit serve`` over both transports.

Not part of the whole suite, because it downloads the Inspector: ``python -m pytest tests/real``. Without npm it is skipped.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = "@modelcontextprotocol/inspector@0.18"
SHOP = Path(__file__).parents[2] / "toolsets" / "shop.yaml"
SERVE = [sys.executable, "-m", "bashkit", "serve", str(SHOP)]
SCRIPT = "commands=get_user --id 1 | jq -r .name"


@pytest.fixture(scope="module")
def inspector(tmp_path_factory):
    """A function that runs the Inspector on a server and gives its JSON."""
    folder = tmp_path_factory.mktemp("inspector")
    try:
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, PACKAGE], check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm cannot install {PACKAGE}: {error}")

    def ask(server, method, *words):
        line = [folder / "node_modules" / ".bin" / "mcp-inspector", "--cli", *server, "--method", method, *words]
        done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


@pytest.fixture(scope="module", params=["stdio", "http"])
def server(request):
    """The words that name the server to the Inspector."""
    if request.param == "stdio":
        yield SERVE
        return
    with subprocess.Popen([*SERVE, "--transport", "http", "--port", "0"], stderr=subprocess.PIPE, text=True) as running:
        url = re.search(r"http://\S+", running.stderr.readline())[0]
        yield [url, "--transport", "http"]
        running.terminate()


def test_it_lists_what_there_is(inspector, server):
    (tool,) = inspector(server, "tools/list")["tools"]
    assert (tool["name"], tool["inputSchema"]["required"]) == ("shop", ["commands"])
    assert [prompt["name"] for prompt in inspector(server, "prompts/list")["prompts"]] == ["shop"]
    assert [one["uri"] for one in inspector(server, "resources/list")["resources"]] == ["bashkit://shop/context/1"]


def test_it_calls_the_tool(inspector, server):
    answer = inspector(server, "tools/call", "--tool-name", "shop", "--tool-arg", SCRIPT)
    assert answer["structuredContent"] == {"stdout": "Ada Lovelace\n", "stderr": "", "exit_code": 0}
    assert answer["isError"] is False
