"""Form fields and command lines: what a form makes of a schema, and that the line it builds says exactly what was filled in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bashkit.tools import ScriptedTool, ToolCall, ToolDef, json_text
from bashkit.tools.call.command_line import call_line, command_line
from bashkit_tui.panes.tool.form_fields import Form, problems_of

SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1, "description": "Which one"},
        "title": {"type": "string"},
        "ratio": {"type": "number"},
        "mode": {"enum": ["fast", "slow", 3, None]},
        "verbose": {"type": "boolean"},
        "color": {"type": "boolean", "default": True},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sizes": {"type": "array", "items": {"type": "integer"}},
        "any": {},
        "either": {"type": ["string", "integer"]},
        "address": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "geo": {"type": "object", "properties": {"lat": {"type": "number"}}}},
            "required": ["city"],
        },
        "rows": {"type": "array", "items": {"type": "object"}},
        "odd name": {"type": "string"},
        "help-me": {"type": "string"},
    },
    "required": ["id"],
}
TOOL = ToolDef("tool", "", SCHEMA)

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "",
        "--",
        "-1",
        "--id",
        "--help",
        "--dry-run",
        "-h",
        "true",
        "5",
        "null",
        "a,b",
        "[1]",
        "{}",
        "it's",
        "$(ls)",
        "a\nb",
        "*",
        "~",
        "!x",
    ]
)
NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "id": st.integers(1, 10**6),
        "title": TEXT,
        "ratio": NUMBERS,
        "mode": st.sampled_from(["fast", "slow", 3, None]),
        "verbose": st.booleans(),
        "color": st.booleans(),
        "tags": st.lists(TEXT, max_size=4),
        "sizes": st.lists(st.integers(), max_size=4),
        "any": JSON,
        "either": TEXT | st.integers(),
        "address": st.fixed_dictionaries(
            {"city": TEXT}, optional={"geo": st.fixed_dictionaries({}, optional={"lat": NUMBERS}), "x": JSON}
        ),
        "rows": st.lists(st.dictionaries(TEXT, JSON, max_size=2), max_size=2),
        "odd name": TEXT,
        "help-me": TEXT,
    },
)


@pytest.mark.thorough
@settings(max_examples=300, deadline=None, database=None)
@given(PARAMS)
def test_a_command_line_says_exactly_the_parameters(params):
    seen = []
    free = {**SCHEMA, "required": []}
    tool = ScriptedTool("t", tools=[(ToolDef("tool", "", free), lambda args: seen.append(dict(args.params)))])
    response = tool.execute_sync(command_line(ToolDef("tool", "", free), params))
    assert response.stderr == ""
    assert json_text.encode({name: seen[0][name] for name in params}, sort=True) == json_text.encode(params, sort=True)
    assert seen[0].keys() - params.keys() <= {"color"}  # the default


@pytest.mark.parametrize(
    ("params", "line"),
    [
        ({}, "tool"),
        ({"id": 5}, "tool --id 5"),
        ({"title": "two words"}, "tool --title 'two words'"),
        ({"title": "-x"}, "tool --title=-x"),
        ({"title": ""}, "tool --title="),
        ({"verbose": True}, "tool --verbose"),
        ({"color": False}, "tool --no-color"),
        ({"tags": ["a", "b"]}, "tool --tags a --tags b"),
        ({"tags": ["a,b"]}, """tool --tags '["a,b"]'"""),
        ({"address": {"city": "Berlin", "geo": {"lat": 52.5}}}, "tool --address.city Berlin --address.geo.lat 52.5"),
        ({"rows": [{"a": 1}]}, """tool --rows '{"a":1}'"""),
        ({"either": "5"}, """tool '{"either":"5"}'"""),
        ({"odd name": "x", "id": 1}, """tool '{"odd name":"x","id":1}'"""),
        ({"mode": None}, "tool --mode null"),
    ],
)
def test_flags_are_written_as_a_person_would(params, line):
    assert command_line(TOOL, params) == line


def test_standard_input_is_piped_in():
    assert command_line(TOOL, {"id": 1}, "it's") == """printf %s 'it'"'"'s' | tool --id 1"""


def test_a_recorded_call_is_a_command_again():
    assert call_line(ToolCall("tool", 1, 1, {"id": 1, "title": "a b"}, 0.0), TOOL) == "tool --id 1 --title 'a b'"
    assert call_line(ToolCall("tool", 1, 1, ["-x", "a b"], 0.0), ToolDef("tool", raw=True)) == "tool -x 'a b'"
    assert call_line(ToolCall("gone", 1, 1, {"id": 1}, 0.0), None) == """gone '{"id":1}'"""


def test_every_property_gets_its_control_the_required_first():
    found = [(item.name, item.kind, item.required) for item in Form(TOOL).fields]
    assert found == [
        ("id", "number", True), ("title", "text", False), ("ratio", "number", False), ("mode", "select", False), ("verbose", "switch", False),
        ("color", "switch", False), ("tags", "rows", False), ("sizes", "rows", False), ("any", "text", False), ("either", "text", False),
        ("address.city", "text", False), ("address.geo.lat", "number", False), ("rows", "json", False), ("odd name", "text", False),
        ("help-me", "text", False), ("standard input", "lines", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "params", "problems"),
    [
        ({}, {}, ["--id is required: expected integer"]),
        ({("id",): "5"}, {"id": 5}, []),
        ({("id",): "x"}, {"id": "x"}, ["--id: expected integer, got 'x'"]),
        ({("id",): "0"}, {"id": 0}, ["--id: expected at least 1, got 0"]),
        ({("id",): "1", ("mode",): "3"}, {"id": 1, "mode": 3}, []),
        ({("id",): "1", ("mode",): "null"}, {"id": 1, "mode": None}, []),
        ({("id",): "1", ("color",): False, ("verbose",): False}, {"id": 1, "color": False}, []),
        ({("id",): "1", ("tags",): ["a", "", "b"]}, {"id": 1, "tags": ["a", "b"]}, []),
        ({("id",): "1", ("sizes",): ["1", "x"]}, {"id": 1, "sizes": [1, "x"]}, ["--sizes[1]: expected integer, got 'x'"]),
        ({("id",): "1", ("address", "geo", "lat"): "1.5"}, {"id": 1, "address": {"geo": {"lat": 1.5}}}, ["--address.city is required: expected string"]),
        ({("id",): "1", ("rows",): '[{"a": 1}]'}, {"id": 1, "rows": [{"a": 1}]}, []),
        ({("id",): "1", ("rows",): "[{"}, {"id": 1}, ["--rows: Expecting property name enclosed in double quotes: line 1 column 3 (char 2)"]),
    ],
)  # fmt: skip
def test_what_is_typed_becomes_parameters_and_the_tools_own_messages(typed, params, problems):
    filled = Form(TOOL).read(typed)
    assert (filled.params, list(filled.problems)) == (params, problems)


def test_a_field_knows_its_problems():
    form = Form(TOOL)
    filled = form.read({("id",): "0", ("sizes",): ["x"]})
    found = {item.name: problems_of(item, filled) for item in form.fields if problems_of(item, filled)}
    assert found == {"id": ("expected at least 1, got 0",), "sizes": ("[0]: expected integer, got 'x'",)}


def test_a_tool_in_raw_form_has_one_field_for_its_words():
    form = Form(ToolDef("tool", "", SCHEMA, raw=True))
    assert [item.name for item in form.fields] == ["arguments", "standard input"]
    assert form.read({("arguments",): "-x 'a b'"}).line == "tool -x 'a b'"
    assert form.read({("arguments",): "'a"}).problems


def test_a_tool_that_reads_standard_input_has_a_field_for_it():
    form = Form(TOOL)
    assert "standard input" not in [item.name for item in Form(ToolDef("tool", "", SCHEMA, stdin=False)).fields]
    assert form.read({("id",): "1", ("standard input",): "text"}).line == "printf %s text | tool --id 1"


def test_parameters_that_come_from_standard_input_are_not_missed():
    form = Form(ToolDef("tool", "", SCHEMA, stdin="json"))
    assert form.read({("standard input",): '{"id": 1}'}).problems == ()
    assert form.read({}).problems == ("--id is required: expected integer",)
