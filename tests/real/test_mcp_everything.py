"""The reference server of the MCP project, from npm, as a source: what it answers with, and what it asks for.

Not part of the whole suite, because it downloads the server: ``python -m pytest tests/real``. Without npm it is skipped.
"""

import json
import subprocess

import pytest

from bashkit.tools import Policy
from bashkit.toolset import check, load

pytest.importorskip("mcp", reason="the MCP SDK is an extra")

PACKAGE = "@modelcontextprotocol/server-everything@2026.8.31"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("everything")
    try:
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, PACKAGE], check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm cannot install {PACKAGE}: {error}")
    program = folder / "node_modules" / ".bin" / "mcp-server-everything"
    source = f"  - mcp: {{command: {json.dumps([str(program), 'stdio'])}}}\n    exclude: [echo, simulate-research-query]\n"
    (folder / "t.yaml").write_text(f"version: 1\nname: everything\nsources:\n{source}", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def toolset(folder):
    with load(folder / "t.yaml") as toolset:
        yield toolset


def test_it_is_checked_without_a_mistake(folder):
    assert check(folder / "t.yaml") == []


def test_an_image_is_a_file_of_the_session(toolset):
    response = toolset.tool.execute_sync("get-tiny-image; head -c 4 /tmp/get-tiny-image-1.png | xxd -p")
    assert (response.stderr, response.exit_code) == ("", 0)
    assert response.stdout.splitlines()[1].endswith(" bytes: /tmp/get-tiny-image-1.png]")
    assert response.stdout.endswith("\n89504e47\n")


def test_resource_links_are_read(toolset):
    script = "get-resource-links --count 2 | sed -n 's/^.*: \\(mcp_resource .*\\)]$/\\1/p' | bash"
    response = toolset.tool.execute_sync(script)
    assert response.stderr == ""
    assert "Resource 2: This is a plaintext resource" in response.stdout
    assert "/tmp/mcp_resource-1.txt" in response.stdout


def test_structured_content_is_json(toolset):
    response = toolset.tool.execute_sync("get-structured-content --location 'New York' | jq .temperature")
    assert response.stdout == "33\n"


async def test_progress_is_a_status(toolset):
    statuses = []
    await toolset.tool.execute_with_status("trigger-long-running-operation --duration 1 --steps 4", statuses.append)
    assert [one.percent_complete for one in statuses if one.phase == "call"] == [25.0, 50.0, 75.0, 100.0]


def test_a_question_is_an_approval(toolset):
    questions = []

    def approve(call):
        questions.append(call.question)
        return {"name": "Ada"}

    response = toolset.make_tool(policy=Policy(approve=approve)).execute_sync("trigger-elicitation-request")
    assert questions == ["Please provide inputs for the following fields:"]
    assert ("Name: Ada" in response.stdout, response.stderr) == (True, "")
    refused = toolset.tool.execute_sync("trigger-elicitation-request")
    assert "nobody can be asked" in refused.stderr
