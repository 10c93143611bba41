"""X08: the same toolset with its callbacks, with stubs, recorded and replayed."""

import json
import sys

import pytest

from bashkit.errors import RecordingError
from bashkit.toolset import in_mode, load, recorded

TOOLSET = """\
version: 1
name: t
secrets: [TOKEN]
tools:
  - name: twice
    input_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
    callback: {python: doubling.twice}
    stub: stubbed
  - name: later
    callback: {python: doubling.later}
  - name: fails
    callback: {python: doubling.fails}
  - name: breaks
    callback: {python: doubling.breaks}
  - name: raw
    callback: {executable: ./raw.sh}
"""
MODULE = """\
from bashkit import ToolError
calls = 0

def twice(args):
    global calls
    calls += 1
    return {"n": 2 * args["n"], "call": calls, "stdin": args.stdin}

async def later(args):
    return args.env["TOKEN"]

def fails(args):
    raise ToolError("not today", exit_code=7)

def breaks(args):
    raise OSError("cannot open /etc/secret/file")
"""
SCRIPT = "twice --n 1; twice --n 1; echo in | twice --n 1; later; fails; breaks; raw | od -An -tx1"


@pytest.fixture
def toolset(folder, monkeypatch):
    monkeypatch.delitem(sys.modules, "doubling", raising=False)  # another test's
    folder.write("doubling.py", MODULE)
    folder.write("raw.sh", "#!/bin/sh\nprintf '\\377\\n'; echo note >&2; exit 0\n", executable=True)
    return load(folder.write("t.yaml", TOOLSET), environ={"TOKEN": "hunter2hunter2"})


def outcome(tool, script=SCRIPT):
    response = tool.execute_sync(script)
    return response.stdout, response.stderr, response.exit_code


def test_x08_a_replay_gives_what_was_recorded_and_runs_no_callback(toolset, folder):
    recording = folder.path / "calls.jsonl"
    first = outcome(recorded(toolset, recording).make_tool())
    assert "not today" in first[1] and " ff 0a" in first[0]
    folder.write("doubling.py", "raise SystemExit")
    (folder.path / "raw.sh").unlink()
    assert outcome(in_mode(toolset, "replay", recording).make_tool()) == first


def test_x08_a_recording_is_a_line_of_json_for_each_call_and_holds_no_secret(toolset, folder):
    recording = folder.path / "calls.jsonl"
    outcome(recorded(toolset, recording).make_tool(), "echo 5 | twice --n 1; later; fails; breaks; raw")
    text = recording.read_text(encoding="utf-8")
    assert "hunter2" not in text
    calls = [json.loads(line) for line in text.splitlines()]
    assert calls[0]["stdin"] == "5\n" and calls[0]["arguments"] == {"n": 1} and calls[0]["exit_code"] == 0
    assert calls[1:] == [
        {"tool": "later", "arguments": {}, "stdout": "***", "exit_code": 0},
        {"tool": "fails", "arguments": {}, "error": "not today", "exit_code": 7},
        {"tool": "breaks", "arguments": {}, "error": "OSError", "exit_code": 1},
        {"tool": "raw", "arguments": {}, "stdout_base64": "/wo=", "stderr": "note\n", "exit_code": 0},
    ]
    assert recording.stat().st_mode & 0o077 == 0


def test_x08_the_last_of_equal_calls_is_given_from_then_on(toolset, folder):
    recording = folder.path / "calls.jsonl"
    first = outcome(recorded(toolset, recording).make_tool(), "twice --n 1; twice --n 1")[0].splitlines()
    again = outcome(in_mode(toolset, "replay", recording).make_tool(), "twice --n 1; twice --n 1; twice --n 1")[0].splitlines()
    assert again == [*first, first[-1]]


def test_x08_a_call_that_was_not_recorded_is_a_clear_error(toolset, folder):
    recording = folder.path / "calls.jsonl"
    outcome(recorded(toolset, recording).make_tool(), "twice --n 1; twice --n 25")
    tool = in_mode(toolset, "replay", recording).make_tool()
    assert outcome(tool, "twice --n 2") == (
        "",
        'twice: calls.jsonl has no call of twice with {"n":2}; it has {"n":25}, {"n":1}\n',
        1,
    )
    assert outcome(tool, "fails") == ("", "fails: calls.jsonl has no call of fails\n", 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense\n", ":1:1: not a JSON object"),
        ('\n{"tool": "a"}\n', ":2:1: a recorded call has a tool and its arguments"),
        ('{"tool": "a", "arguments": {}, "stdout": 3}\n', ":1:1: 'stdout' is not a text"),
        ('{"tool": "a", "arguments": {}, "exit_code": "3"}\n', ":1:1: 'exit_code' is not a number"),
        (None, ": No such file or directory"),
    ],
)
def test_x08_a_recording_that_is_none(toolset, folder, text, message):
    recording = folder.path / "calls.jsonl"
    if text is not None:
        recording.write_text(text)
    with pytest.raises(RecordingError) as caught:
        in_mode(toolset, "replay", recording)
    assert str(caught.value) == f"{recording}{message}"


def test_x08_stubs_stand_in_for_callbacks_and_real_takes_them_away(toolset):
    stubbed = in_mode(toolset, "stub")
    assert outcome(stubbed.make_tool(), "twice --n 1")[0] == "stubbed\n"
    assert '"n":2' in outcome(in_mode(stubbed, "real").make_tool(), "twice --n 1")[0]
    assert in_mode(toolset, "real") is toolset


def test_a_replay_needs_a_recording(toolset):
    with pytest.raises(ValueError, match="a replay needs a recording"):
        in_mode(toolset, "replay")


def test_requests_are_recorded_and_replayed(folder, web):
    call = f"{{http: {{url: '{web.url}/{{n}}', allow_private: true}}}}"
    tool = "  - {name: ask, description: d, input_schema: {properties: {n: {type: string}}}, callback: CALL}\n"
    toolset = load(folder.write("t.yaml", "version: 1\nname: t\ntools:\n" + tool.replace("CALL", call)), environ={})
    web.answers["/none"] = (404, {}, b"nothing")
    script = "ask --n one; ask --n none"
    real = outcome(recorded(toolset, folder.path / "calls.jsonl").tool, script)
    assert real == ('{"ok":true}\n', "ask: HTTP 404 Not Found: nothing\n", 1)
    web.seen.clear()
    replay = in_mode(toolset, "replay", folder.path / "calls.jsonl")
    assert (outcome(replay.tool, script), web.seen) == (real, [])
