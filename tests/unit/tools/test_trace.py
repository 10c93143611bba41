"""What a trace keeps of a call beyond its numbers, and the shell that a host may look into."""

import json

import pytest

from bashkit.bash import Bash
from bashkit.tools import ScriptedTool, ToolDef, ToolResult

ECHO = ToolDef("echo_back", stdin=True)


def answer(args):
    return ToolResult(stdout=f"out {args.stdin}", stderr="err s3cret\n")


def run(script, **options):
    return ScriptedTool("t", tools=[(ECHO, answer)], **options).execute_sync(script)


def test_streams_are_not_kept_unless_asked_for():
    call = run("echo hello | echo_back").trace[0]
    assert (call.stdin, call.stdout, call.stderr) == (None, None, None)
    assert not {"stdin", "stdout", "stderr"} & call.to_dict().keys()


def test_streams_are_kept_as_far_as_asked_for_with_a_mark_where_they_are_cut():
    call = run("echo hello | echo_back", trace_streams=8).trace[0]
    assert (call.stdin, call.stdout, call.stderr) == ("hello\n", "out hell… (10 bytes)", "err s3cr… (11 bytes)")
    assert call.to_dict()["stdin"] == "hello\n"


def test_a_call_without_standard_input_has_none():
    assert run("echo_back", trace_streams=100).trace[0].stdin is None


def test_kept_streams_show_no_secret():
    call = run("echo my s3cret | echo_back", trace_streams=100, secrets={"KEY": "s3cret"}).trace[0]
    assert (call.stdin, call.stdout, call.stderr) == ("my ***\n", "out my ***\n", "err ***\n")
    assert "s3cret" not in json.dumps(call.to_dict())


def test_bytes_that_are_no_text_are_kept():
    assert run(r"printf 'a\377' | echo_back", trace_streams=100).trace[0].stdin == "a\udcff"


@pytest.mark.parametrize("script", ["echo new > /tmp/x; rm /tmp/old", "echo new > /tmp/x; rm /tmp/old; exit 3"])
def test_a_host_sees_the_files_before_and_after_a_script(script):
    seen = []

    def look(bash):
        seen.append((bash, Bash.from_snapshot(bash.snapshot()).fs))

    run(script, on_shell=look, files={"/tmp/old": "1"})
    [(bash, before)] = seen
    assert (before.exists("/tmp/old"), before.exists("/tmp/x")) == (True, False)
    assert (bash.fs.exists("/tmp/old"), bash.fs.read_file("/tmp/x")) == (False, b"new\n")


def test_a_refused_call_has_a_row():
    schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    seen = []
    tool = ScriptedTool("t", tools=[(ToolDef("get", "", schema), lambda args: args["id"])], on_call=seen.append)
    response = tool.execute_sync("get --id 1\nget --id x; get --id y --dry-run")
    (first, refused) = response.trace
    assert (first.exit_code, first.attempts) == (0, 1)
    assert (refused.tool, refused.line, refused.exit_code, refused.attempts) == ("get", 2, 2, 0)
    assert refused.error == "--id: expected integer, got 'x'"
    assert seen == [first, refused]


def test_s22_json_lines_are_unicode_where_arguments_and_streams_are_not():
    tool = ScriptedTool("t", tools=[(ToolDef("get"), lambda args: b"\xff\n")], trace_streams=10)
    trace = tool.execute_sync(r"get --key $'\xfe'").trace
    assert trace[0].arguments == {"key": "\udcfe"}
    found = json.loads(trace.json_lines().encode())
    assert (found["arguments"], found["stdout"]) == ({"key": "\ufffd"}, "\ufffd\n")
