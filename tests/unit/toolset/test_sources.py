"""What all sources have in common: their keys, names, clashes, and that a bad one costs a warning or a positioned error."""

import json
import os
import sys
import threading
from pathlib import Path

import pytest

from bashkit.errors import ToolsetError
from bashkit.toolset import load
from bashkit.toolset.callbacks.executable.process import run_process
from bashkit.toolset.sources import Asking, Found, SourceError, ask_all
from bashkit.toolset.sources.executables import describing

HEAD = "version: 1\nname: t\nsources:\n  - "
KINDS = ("executables: ./tools", "skills: ./skills", "mcp: ./tools.json", "openapi: ./api.json")
API = {"openapi": "3.1.0", "servers": [{"url": "https://e.com"}], "paths": {"/a": {"get": {"operationId": "fromApi"}}}}
DESCRIBES = """#!/bin/sh
echo '{"name": "from_tools", "description": "d", "parameters": {"type": "object"}}'
"""


@pytest.fixture
def everything(folder):
    """A folder with a source of every kind."""
    folder.write("tools/a.sh", DESCRIBES, executable=True)
    folder.write("skills/s/SKILL.md", "---\nname: from-skills\ndescription: d\n---\n")
    folder.write("tools.json", json.dumps({"tools": [{"name": "from_mcp", "inputSchema": {"type": "object"}}]}))
    folder.write("api.json", json.dumps(API))
    return folder


def made(folder, *sources):
    return load(folder.write("t.yaml", HEAD + "\n  - ".join(sources) + "\n"), environ={})


@pytest.mark.parametrize(
    ("source", "problems"),
    [
        ("{}", ["4:5: a source needs executables, skills, mcp or openapi"]),
        ("timeout: 3s", ["4:5: a source needs executables, skills, mcp or openapi"]),
        ("skill: ./s", ["4:5: unknown key 'skill' | did you mean skills?"]),
        ("[]", ["4:5: expected object, got array"]),
        ("{executables: a, skills: b}", ["4:22: a source of executables takes no 'skills'"]),
        ("{executables: a, base_url: 'https://e.com'}", ["4:22: a source of executables takes no 'base_url'"]),
        ("{skills: a, cwd: b}", ["4:17: a source of skills takes no 'cwd'"]),
        (
            "{skills: a, headers: {}, allow: []}",
            ["4:17: a source of skills takes no 'headers'", "4:30: a source of skills takes no 'allow'"],
        ),
        ("{mcp: a.json, cwd: b}", ["4:19: an MCP source takes no 'cwd'"]),
        ("{openapi: a, mcp: b}", ["4:6: an MCP source takes no 'openapi'"]),
        ("{openapi: a, cwd: b}", ["4:18: an OpenAPI source takes no 'cwd'"]),
        ("{skills: ''}", ["4:14: expected some text, got ''"]),
        (
            "{skills: '${NONE}'}",
            ["4:14: the variable NONE is not set and has no default | set it, or give it a default: ${NAME:-default}"],
        ),
        (
            "{openapi: '${NONE}'}",
            ["4:15: the variable NONE is not set and has no default | set it, or give it a default: ${NAME:-default}"],
        ),
        (
            "{mcp: '${NONE}'}",
            ["4:11: the variable NONE is not set and has no default | set it, or give it a default: ${NAME:-default}"],
        ),
        ("{skills: a, timeout: 0s}", ["4:26: a duration is more than 0"]),
        (
            "{skills: a, prefix: 'a b'}",
            ["4:25: a prefix starts with a letter or underscore and goes on with letters, digits, _ . : and -"],
        ),
        ("{skills: a, include: a}", ["4:26: expected array, got string | write [a]"]),
        ("{skills: a, x-note: b}", []),
    ],
)
def test_y02_exactly_one_kind_and_no_key_of_another(folder, source, problems):
    found = folder.problems(HEAD + source + "\n")
    assert sorted(found) == sorted(problems)


def test_a_toolset_may_have_sources_of_every_kind(everything):
    toolset = made(everything, *KINDS)
    assert [tool.name for tool in toolset.tools] == ["from_tools", "from-skills", "from_mcp", "from_api"]
    assert toolset.warnings == []
    assert [len(source.files()) > 0 for source in toolset.sources] == [True] * 4


@pytest.mark.parametrize("kind", KINDS)
def test_prefix_include_and_exclude_of_every_kind(everything, kind):
    name = made(everything, kind).tools[0].name
    assert [tool.name for tool in made(everything, f"{kind}\n    prefix: my_").tools] == [f"my_{name}"]
    assert made(everything, f"{kind}\n    include: [other*]").tools == ()
    assert made(everything, f"{kind}\n    exclude: ['from[-_]*']").tools == ()
    assert len(made(everything, kind, f"{kind}\n    prefix: my_").tools) == 2


def test_a_name_in_two_sources_is_an_error_with_both_places(everything):
    everything.write("tools.json", json.dumps([{"name": "from_api", "inputSchema": {"type": "object"}}]))
    with pytest.raises(ToolsetError) as caught:
        made(everything, *KINDS).entries()
    (problem,) = caught.value.problems
    assert (
        str(problem).rpartition("t.yaml:")[2]
        == "7:14: GET /a and the MCP tool from_api of the source on line 6 are both called 'from_api'"
    )
    assert problem.hint == "give one of the sources a prefix, or exclude the tool"


def test_a_name_that_would_hide_a_command_is_a_warning(everything):
    everything.write("tools.json", json.dumps([{"name": "grep", "inputSchema": {"type": "object"}}]))
    toolset = made(everything, "mcp: ./tools.json")
    assert toolset.tools == ()
    assert [warning.message for warning in toolset.warnings] == ["the MCP tool grep is skipped: it would hide the command 'grep'"]


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("skills: ./none", "skills"),
        ("mcp: ./none", "mcp"),
        ("openapi: ./none", "openapi"),
        ("executables: ./none", "executables"),
    ],
)
def test_one_that_is_missing_is_an_error_at_its_place(folder, kind, key):
    with pytest.raises(ToolsetError, match=rf"t\.yaml:4:{7 + len(key)}: .* cannot be read: No such file or directory"):
        made(folder, kind).entries()


@pytest.mark.parametrize("kind", ["mcp: ./pipe", "openapi: ./pipe"])
def test_a_file_that_nobody_writes_does_not_hang(folder, kind):
    os.mkfifo(folder.path / "pipe")
    with pytest.raises(ToolsetError, match="it is not a regular file"):
        made(folder, kind).entries()


def test_a_skill_md_or_script_that_nobody_writes_does_not_hang(everything):
    (everything.path / "skills/wait").mkdir()
    os.mkfifo(everything.path / "skills/wait/SKILL.md")
    os.mkfifo(everything.path / "skills/s/run.sh")
    toolset = made(everything, "skills: ./skills")
    assert [tool.name for tool in toolset.tools] == ["from-skills"]
    assert [warning.message for warning in toolset.warnings] == ["SKILL.md cannot be read: it is not a regular file"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("exec sleep 300", "--describe timed out after 0.2 s"),
        ("exec yes", "--describe timed out after 0.2 s"),
        ("kill -9 $$", "--describe killed by SIGKILL"),
        ("sleep 300 & sleep 300 & exit 4", "--describe exits with 4"),
        ("exit 1", "--describe exits with 1"),
    ],
)
def test_an_executable_that_hangs_floods_forks_or_dies_is_one_warning(everything, monkeypatch, body, reason):
    async def run(argv, **options):  # the time of the bad one only is short
        patience = 0.2 if "timed out" in reason and Path(argv[0]).name == "b.sh" else 60.0
        return await run_process(argv, **{**options, "patience": patience})

    monkeypatch.setattr(describing, "run_process", run)
    everything.write("tools/b.sh", f"#!/bin/sh\n{body}\n", executable=True)
    toolset = made(everything, "executables: ./tools")
    assert [tool.name for tool in toolset.tools] == ["from_tools"]
    assert [warning.message for warning in toolset.warnings] == [f"b.sh is skipped: {reason}"]


def test_one_bad_server_does_not_take_the_other_sources_with_it(everything):
    pytest.importorskip("mcp", reason="the MCP SDK is an extra")
    command = json.dumps([sys.executable, "-c", "raise SystemExit('broken')"])
    toolset = made(everything, KINDS[0], f"mcp: {{command: {command}}}", KINDS[3])
    assert [tool.name for tool in toolset.tools] == ["from_tools", "from_api"]
    assert [warning.message for warning in toolset.warnings] == [
        "the MCP server cannot be used: Connection closed (it wrote: broken)"
    ]


class Meeting:
    """A source that answers only once another one is asked."""

    def __init__(self, barrier):
        self.barrier = barrier

    def ask(self, asking):
        try:
            self.barrier.wait(60)
        except threading.BrokenBarrierError:
            raise SourceError("it was alone") from None
        return Found()


def test_all_sources_are_asked_at_the_same_time():
    barrier = threading.Barrier(3)
    assert ask_all([Meeting(barrier) for _ in range(3)], Asking()) == [Found()] * 3


def test_y03_loading_reads_and_starts_nothing(folder):
    toolset = made(folder, "skills: ./none", "mcp: ./none", "openapi: ./none", "mcp: {command: [no-such]}")
    assert len(toolset.sources) == 4
    assert toolset.declared == ()
    toolset.close()
