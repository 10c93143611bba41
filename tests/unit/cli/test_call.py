import pytest
from click.testing import CliRunner

from bashkit.cli import cli

TOOLSET = """\
version: 1
name: t
secrets: [KEY]
policy: {write: deny, undeclared: allow}
tools:
  - {name: get, effects: read, input_schema: {properties: {id: {type: integer}}, required: [id]}, callback: {python: MODULE.get}}
  - {name: put, effects: write, callback: {python: MODULE.put}}
  - {name: wipe, effects: destructive, callback: {python: MODULE.put}}
  - {name: fail, callback: {python: MODULE.fail}}
  - {name: crash, callback: {python: MODULE.crash}}
  - {name: leak, callback: {python: MODULE.leak}}
  - {name: spent, max_calls: 0, callback: {python: MODULE.put}}
  - {name: slow, timeout: 20ms, callback: {script: sleep 60}}
  - {name: both, callback: {script: 'get --id "$(jq -r .id <<< "$1")"; put'}}
"""
MODULE = """\
from bashkit.tools import ToolError

def get(args):
    return {"id": args["id"]}

def put(args):
    raise AssertionError("it must not run")

def fail(args):
    raise ToolError("no luck", exit_code=3, stdout="half of it\\n")

def crash(args):
    raise RuntimeError("boom")

def leak(args):
    raise ToolError(f"bad key {args.env['KEY']}", stdout=args.env["KEY"])
"""


@pytest.fixture
def call(tmp_path, monkeypatch, request):
    module = "called_" + "".join(letter for letter in request.node.name if letter.isalnum())
    monkeypatch.setenv("KEY", "sekrit")
    (tmp_path / f"{module}.py").write_text(MODULE)
    file = tmp_path / "t.yaml"
    file.write_text(TOOLSET.replace("MODULE", module))
    return lambda *arguments, stdin=None: CliRunner().invoke(cli, ["call", str(file), *arguments], input=stdin)


@pytest.mark.parametrize(
    ("arguments", "status", "stdout", "stderr"),
    [
        (["get", '{"id": 7}'], 0, '{"id":7}\n', ""),
        (["get", "{}"], 1, "", "bashkit: get: id is required: expected integer\n"),
        (["get", '{"id": "x"}'], 1, "", "bashkit: get: id: expected integer, got 'x'\n"),
        (["get", "[]"], 1, "", "bashkit: get: the arguments are not a JSON object\n"),
        (["gte"], 1, "", "bashkit: unknown tool 'gte': did you mean get?\n"),
        (["put"], 1, "", "put: the call is not allowed\n"),
        (["put", "--allow", "write"], 1, "", "put: the call is not allowed\n"),
        (["spent"], 1, "", "spent: called more than 0 times in one script\n"),
        (["fail"], 2, "half of it\n", "fail: no luck\n"),
        (["slow"], 2, "", "slow: timed out after 0.02 s\n"),
        (["leak"], 2, "***", "leak: bad key ***\n"),
        (["both", '{"id": 3}'], 2, '{"id":3}\n', "put: the call is not allowed\n"),
    ],
)
def test_x05_exit_statuses_and_streams(call, arguments, status, stdout, stderr):
    result = call(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (status, stdout, stderr)


def test_the_arguments_come_from_standard_input(call):
    assert call("get", stdin='{"id": 4}').stdout == call("get", "-", stdin='{"id": 4}\n').stdout == '{"id":4}\n'
    assert call("get", stdin="[4]").exit_code == call("get", stdin="").exit_code == 1


def test_x05_a_destructive_call_needs_to_be_allowed(call):
    refused = call("wipe")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "--allow destructive" in refused.stderr
    assert call("wipe", "--allow", "destructive").stderr == "wipe: AssertionError\n"


def test_x05_what_a_callback_raises_is_no_traceback(call):
    result = call("crash")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("crash: ")
    assert "Traceback" not in result.stderr


def test_a_dry_run_checks_and_prints_and_calls_nothing(call):
    assert (call("put", '{"a": 1}', "--dry-run").stdout, call("get", '{"id": 7}', "--dry-run").stdout) == (
        '{"a":1}\n',
        '{"id":7}\n',
    )
    assert call("get", "{}", "--dry-run").exit_code == 1


@pytest.mark.needs("sh", "cat")
def test_x04_one_executable_is_enough(tmp_path):
    tool = tmp_path / "show.sh"
    described = '{"name": "show", "description": "d", "parameters": {"properties": {"n": {"default": 2}}}}'
    tool.write_text(f'#!/bin/sh\nif [ "$1" = --describe ]; then echo \'{described}\'; else echo "got $1"; fi\n')
    tool.chmod(0o755)

    def run(*words, stdin=None):
        result = CliRunner().invoke(cli, list(words), input=stdin)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    assert '"name": "show"' in run("catalog", str(tool))
    assert run("call", str(tool), '{"n": 1}') == run("call", str(tool), "show", '{"n": 1}') == 'got {"n":1}\n'
    assert run("call", str(tool), "-", stdin='{"n": 3}') == 'got {"n":3}\n'
    assert run("call", str(tool), "--dry-run") == '{"n":2}\n'


def test_without_a_name_there_must_be_one_tool(call):
    result = call()
    assert result.exit_code == 2
    assert "Missing argument 'TOOL'" in result.stderr


def test_of_many_tools_the_first_are_listed():
    from bashkit.toolset.text.suggestions import instead

    names = [f"tool_{letter}" for letter in "abcdefghijkl"]
    assert instead("tool_bb", names) == "did you mean tool_b?"
    assert instead("x", names) == f"there are {', '.join(names[:10])} and 2 more"
    assert instead("x", []) == "there are none"
    assert instead("x", ["greet"]) == "there is only greet"
