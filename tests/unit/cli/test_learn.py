"""bashkit learn: output schemas from what tools print, for the author to review."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.toolset import load
from bashkit.toolset.learning.shapes import schema_of, undeclared

FILE = """\
version: 1
name: t
tools:
  # about users
  - name: get_user
    description: Get a user
    input_schema: {properties: {id: {type: integer}}}  # keep me
    # what comes back without a callback
    stubs:
      - {when: {id: 1}, value: {id: 1, name: Ada, address: {city: Oslo}, joined: null}}
      - {when: {id: 2}, value: {id: 2, name: Bo, address: {city: Rome, zip: "1"}, joined: "2024"}}

  - name: total
    output_schema: {type: object, properties: {sum: {type: integer}}}
    stub: {sum: 3}
  - {name: text, stub: plain}
  - name: last
    callback: {python: "json.dumps"}
tests:
  - name: users
    script: get_user --id 2 | jq -r .name
    expect: {stdout: "Bo\\n"}
"""
LEARNED = """\
    input_schema: {properties: {id: {type: integer}}}  # keep me
    output_schema:
      type: object
      properties:
        id:
          type: integer
        name:
          type: string
        address:
          type: object
          properties:
            city:
              type: string
            zip:
              type: string
          required: [city]
        joined:
          type: [string, 'null']
      required: [id, name, address, joined]
    # what comes back without a callback
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text(FILE)
    return path


def learn(*words):
    return CliRunner().invoke(cli, ["learn", *map(str, words)])


def test_a_schema_is_written_below_the_input_and_nothing_else_changes(file):
    result = learn(file)
    assert result.exit_code == 0, result.output
    assert file.read_text() == FILE.replace(LEARNED.splitlines(keepends=True)[0] + LEARNED.splitlines(keepends=True)[-1], LEARNED)
    assert (
        "get_user: learned from 2 outputs: {id: integer, name: string, address: {city, zip}, joined: string or null}"
        in result.output
    )
    assert "text: prints text" in result.output
    assert "last: nothing to learn from: give it a stub or a test" in result.output
    assert "total: 1 output as output_schema says" in result.output
    assert "Output: `{id: integer, name: string" in load(file, environ={}).tool.system_prompt()
    again = learn(file)
    assert "wrote" not in again.output
    assert again.exit_code == 0


def test_a_script_tool_learns_from_no_recording(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("version: 1\nname: t\ntools:\n  - {name: a, callback: {script: echo 1}}\n")
    assert "a: nothing to learn from: give it a stub or a test, or -c SCRIPT\n" in learn(path).output


def test_check_writes_nothing_and_fails(file):
    assert learn(file, "--check").exit_code == 1
    assert file.read_text() == FILE
    learn(file)
    assert learn(file, "--check").exit_code == 0


def test_what_drifted_is_told(file):
    file.write_text(FILE.replace("stub: {sum: 3}", 'stub: {sum: "3", more: 1}'))
    result = learn(file, "total")
    assert result.exit_code == 1
    assert result.output.splitlines()[1:] == ["    .sum: expected integer, got '3'", "    .more: not in output_schema"]


def test_recorded_calls_and_scripts_teach_too(file, tmp_path):
    recording = tmp_path / "calls.jsonl"
    recording.write_text(
        json.dumps({"tool": "last", "arguments": {}, "stdout": '[{"a": 1}]\n', "exit_code": 0})
        + "\n"
        + json.dumps({"tool": "last", "arguments": {"x": 1}, "error": "no", "exit_code": 1})
        + "\n"
    )
    assert "last: learned from 1 output: [{a: integer}]" in learn(file, "last", "--recording", recording, "--dry-run").stderr
    live = file.read_text().replace('last\n    callback: {python: "json.dumps"}', "last\n    stub: {b: 2}")
    file.write_text(live)
    assert "last: learned from 1 output: {b: integer}" in learn(file, "last", "-c", "last | cat").output


def test_a_tool_in_braces_is_left_to_its_author(file):
    file.write_text(FILE.replace("stub: plain", "stub: {a: 1}"))
    result = learn(file)
    assert result.exit_code == 2
    assert "t.yaml:16:6: the tool stands in braces; write its keys one below the other" in result.output
    assert "get_user" not in file.read_text().partition("stubs:")[2].partition("tests:")[0]


def test_wrong_words_are_refused(file):
    assert "declares no tool 'nobody'" in learn(file, "nobody").output
    assert learn(file, "nobody").exit_code == 2


@pytest.mark.parametrize(
    ("values", "schema"),
    [
        ([1, 2.5], {"type": "number"}),
        ([None, "a"], {"type": ["string", "null"]}),
        ([[], [1]], {"type": "array", "items": {"type": "integer"}}),
        ([{}], {"type": "object"}),
        ([{"a": 1}], {"type": "object", "properties": {"a": {"type": "integer"}}}),
        (
            [{"a": 1, "b": True}, {"a": 2}],
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}, "required": ["a"]},
        ),
        (
            [{"2024-01-01": {"low": 1}, "2024-01-02": {"low": 2}}],
            {
                "type": "object",
                "additionalProperties": {"type": "object", "properties": {"low": {"type": "integer"}}, "required": ["low"]},
            },
        ),
        ([], {}),
    ],
)
def test_the_schema_of_values(values, schema):
    assert schema_of(values) == schema


def test_fields_that_a_schema_does_not_mention():
    declared = {"type": "array", "items": {"$ref": "#/$defs/x"}, "$defs": {"x": {"type": "object", "properties": {"a": {}}}}}
    assert list(undeclared(declared, [[{"a": 1, "b": 2}, {"b": 3}]])) == ["[].b"]
    assert not list(undeclared({"type": "object", "additionalProperties": {}}, [{"b": 1}]))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of files")
def test_a_full_disk_costs_no_toolset(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text(FILE)
    room = len(FILE.encode())
    program = f"""
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))
from bashkit.cli import main
main(["learn", "t.yaml", "get_user"])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, path.read_text()) == (2, FILE)
    assert "File too large" in done.stderr
