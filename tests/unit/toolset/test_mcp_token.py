"""MCP servers with an address whose token a command prints."""

import pytest

from bashkit.toolset import load

from .test_mcp import streamable

pytest.importorskip("mcp", reason="the MCP SDK is an extra")

# counts its runs in a file and prints a token with the number
COMMAND = '#!/bin/sh\necho x >> "$RUNS"\nprintf "token-%s\\n" "$(wc -l < "$RUNS" | tr -d " ")"\n'


@pytest.fixture
def server(folder, web):
    """A toolset of a server with an address; ``server.good`` are the tokens that it takes."""

    class Server:
        good = ("token-1",)
        runs = folder.path / "runs"

        def load(self, command=COMMAND, more=""):
            folder.write("token.sh", command)
            (folder.path / "token.sh").chmod(0o755)
            options = f"url: {web.url}/mcp, token_command: ['{folder.path}/token.sh'], env: {{RUNS: '{self.runs}'}}{more}"
            return load(folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - mcp: {{{options}}}\n"), environ={})

        @property
        def tokens(self):
            return [headers.get("authorization") for method, _, headers, _ in web.seen if method == "POST"]

    made = Server()

    def answer(body):
        if web.seen[-1][2].get("authorization", "").removeprefix("Bearer ") not in made.good:
            return 401, {}, b""
        return streamable(body)

    web.answers["/mcp"] = answer
    return made


def test_the_token_is_sent_and_asked_for_once(server):
    with server.load() as toolset:
        assert toolset.tool.execute_sync("shout; shout").stdout == "HI\nHI\n"
    assert set(server.tokens) == {"Bearer token-1"}
    assert server.runs.read_text(encoding="utf-8") == "x\n"


def test_a_token_that_is_refused_is_replaced_by_a_new_one(server):
    with server.load() as toolset:
        assert toolset.tool.execute_sync("shout").exit_code == 0
        server.good = ("token-2",)
        response = toolset.tool.execute_sync("shout")
        assert (response.stdout, response.stderr) == ("HI\n", "")
    assert server.tokens[-2:] == ["Bearer token-1", "Bearer token-2"]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("#!/bin/sh\necho log in first >&2; exit 3\n", "status 3 (it wrote: log in first)"),
        ("#!/bin/sh\necho two words\n", "it prints no token of one line"),
        ("#!/bin/sh\n", "it prints no token of one line"),
    ],
)
def test_a_command_that_prints_no_token_is_named(server, command, reason):
    with server.load(command) as toolset:
        assert toolset.tools == ()
        assert [warning.message for warning in toolset.warnings] == [f"the token command has failed: {reason}"]
    assert server.tokens == []


def test_a_token_command_belongs_to_an_address(folder):
    problems = folder.problems("version: 1\nname: t\nsources:\n  - mcp: {command: [x], token_command: [y]}\n")
    assert problems == ["4:25: token_command belongs to an MCP server with a url"]
