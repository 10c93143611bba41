"""What one call teaches: a schema, a stub, an example or a test, written into the file and nothing else changed."""

import sys

import pytest
import yaml

from bashkit.errors import ToolsetError
from bashkit.toolset import load
from bashkit.toolset.learning.from_call import NothingLearnedError, learn
from bashkit.toolset.starter import ScaffoldError

TEXT = """\
version: 1
name: garden
tools:
  # a comment that stays
  - name: get_plant
    description: Get a plant
    input_schema: {properties: {id: {type: integer}}}
    callback: {python: garden_api.get_plant}
  - name: say
    description: Say it
    input_schema: {properties: {text: {type: string}}}
    stubs:
      - when: {text: a}
        value: b
  - {name: flat, description: In braces, stub: 1}
tests:
  - name: first
    script: say --text a
"""
MODULE = """
def get_plant(args):
    if args["id"] > 3:
        raise ValueError("no such plant")
    return {"id": args["id"], "name": "fern" * (1000 if args["id"] == 3 else 1)}
"""


@pytest.fixture
def garden(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "garden_api", raising=False)
    (tmp_path / "garden_api.py").write_text(MODULE)
    (tmp_path / "garden.yaml").write_text(TEXT)

    def called(script):
        toolset = load(tmp_path / "garden.yaml")
        calls = list(toolset.make_tool(trace_streams=1 << 20).execute_sync(script).trace)
        return toolset, calls[-1]

    called.path = tmp_path / "garden.yaml"
    return called


def added(garden):
    """The lines that are new in the file."""
    old = TEXT.splitlines()
    new = garden.path.read_text().splitlines()
    assert [line for line in new if line in old] == old
    return "\n".join(line for line in new if line not in old)


def test_the_output_becomes_a_schema(garden):
    learn(*garden("get_plant --id 1"), "output_schema").save()
    schema = yaml.safe_load(garden.path.read_text())["tools"][0]["output_schema"]
    assert schema["properties"] == {"id": {"type": "integer"}, "name": {"type": "string"}}
    assert added(garden)
    with pytest.raises(NothingLearnedError, match="is as the tool's output_schema says"):
        learn(*garden("get_plant --id 2"), "output_schema")


def test_a_result_becomes_the_stub_for_its_arguments(garden):
    learn(*garden("get_plant --id 1"), "stub").save()
    learn(*garden("get_plant --id 9; true"), "stub").save()
    assert yaml.safe_load(garden.path.read_text())["tools"][0]["stubs"] == [
        {"when": {"id": 1}, "value": {"id": 1, "name": "fern"}},
        {"when": {"id": 9}, "error": "no such plant", "exit_code": 1},
    ]
    stubbed = load(garden.path, environ={"BASHKIT_STUBS": "1"})
    assert stubbed.make_tool().execute_sync("get_plant --id 1; get_plant --id 9").stdout == '{"id":1,"name":"fern"}\n'


def test_a_call_becomes_an_example(garden):
    learn(*garden("get_plant --id 1"), "example").save()
    learn(*garden("get_plant --id 3"), "example").save()
    assert yaml.safe_load(garden.path.read_text())["tools"][0]["examples"] == [
        {"command": "get_plant --id 1", "output": {"id": 1, "name": "fern"}},
        "get_plant --id 3",
    ]


def test_a_call_becomes_a_test_that_passes(garden):
    for script in ("get_plant --id 1", "get_plant --id 1", "get_plant --id 3", "get_plant --id 9"):
        learn(*garden(script), "test").save()
    assert yaml.safe_load(garden.path.read_text())["tests"][1:] == [
        {"name": "get_plant --id 1", "script": "get_plant --id 1", "expect": {"stdout": '{"id":1,"name":"fern"}\n'}},
        {"name": "get_plant --id 1 (2)", "script": "get_plant --id 1", "expect": {"stdout": '{"id":1,"name":"fern"}\n'}},
        {"name": "get_plant --id 3", "script": "get_plant --id 3", "snapshot": True},
        {"name": "get_plant --id 9", "script": "get_plant --id 9", "expect": {"exit_code": 1, "stdout": ""}},
    ]
    assert load(garden.path).path == garden.path


@pytest.mark.parametrize(
    ("script", "kind", "why"),
    [
        ("get_plant --id 9", "output_schema", "failed"),
        ("get_plant --id 9", "example", "failed"),
        ("say --text a", "output_schema", "is text"),
        ('echo \'{"text": "a"}\' | say', "test", "standard input"),
    ],
)
def test_what_a_call_does_not_teach(garden, script, kind, why):
    with pytest.raises(NothingLearnedError, match=why):
        learn(*garden(script), kind)


def test_what_was_cut_or_stands_in_braces_is_refused(garden):
    toolset, call = garden("flat")
    with pytest.raises(ScaffoldError, match="braces"):
        learn(toolset, call, "example")
    with pytest.raises(NothingLearnedError, match="answers every call"):
        learn(toolset, call, "stub")
    call.stdout = None
    with pytest.raises(NothingLearnedError, match="not kept whole"):
        learn(toolset, call, "test")


def test_a_file_that_has_changed_is_not_overwritten(garden):
    learned = learn(*garden("get_plant --id 1"), "test")
    garden.path.write_text(TEXT + "# mine\n")
    with pytest.raises(NothingLearnedError, match="changed meanwhile"):
        learned.save()
    assert garden.path.read_text() == TEXT + "# mine\n"


def test_a_tool_of_a_source_says_where_it_comes_from(garden):
    toolset, call = garden("get_plant --id 1")
    call.tool = "elsewhere"
    with pytest.raises((NothingLearnedError, ToolsetError), match="source"):
        learn(toolset, call, "test")
