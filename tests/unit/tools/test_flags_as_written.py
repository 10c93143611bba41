"""Flags as models write them: what is surely meant is taken, what is surely wrong is told, all of it at once."""

import pytest

from bashkit.tools import ScriptedTool, ToolDef

SCHEMA = {
    "type": "object",
    "properties": {
        "customer_id": {"type": "string"},
        "title": {"type": "string"},
        "count": {"type": "integer"},
        "event": {"enum": ["APPROVE", "REQUEST_CHANGES", "comment"]},
        "mode": {"enum": ["a", "A"]},
        "since": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date"},
        "labels": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object"}]}},
        "nick": {"type": ["string", "null"]},
        "word": {"enum": ["null", "none"]},
        "anything": {},
        "limit": {"type": "integer", "default": 10},
    },
    "required": ["customer_id"],
}


@pytest.fixture
def call():
    """Runs ``get`` with these words, and gives what the callback got, or the lines on standard error."""
    seen = []
    tool = ScriptedTool("api", tools=[(ToolDef("get", "Get", SCHEMA), lambda args: seen.append(dict(args)))])

    def run(words):
        seen.clear()
        response = tool.execute_sync(f"get {words}")
        return (seen[0] if seen else None), response.stderr.splitlines()

    return run


@pytest.mark.parametrize(
    ("words", "params"),
    [
        ("7 --event approve", {"event": "APPROVE"}),
        ("7 --event Comment", {"event": "comment"}),
        ("7 --mode A", {"mode": "A"}),
        ("7 --since 2024-01-01", {"since": "2024-01-01T00:00:00Z"}),
        ("7 --since '2024-01-01 12:30'", {"since": "2024-01-01T12:30:00Z"}),
        ("7 --since 2024-01-01T12:30:15.5", {"since": "2024-01-01T12:30:15.5Z"}),
        ("7 --since 2024-01-01T12:30:00+02:00", {"since": "2024-01-01T12:30:00+02:00"}),
        ("7 --day 2024-01-01", {"day": "2024-01-01"}),
        ("7 --labels bug,ui", {"labels": ["bug", "ui"]}),
        ("7 --labels bug --labels ui", {"labels": ["bug", "ui"]}),
        ("""7 --labels '{"name": "a,b"}'""", {"labels": [{"name": "a,b"}]}),
        ("7 --nick null", {"nick": None}),
        ("7 --word null", {"word": "null"}),
        ("7 --anything null", {"anything": None}),
        ("""'{"customer_id": "null"}'""", {"customer_id": "null"}),
        ("7 --title a --title a", {"title": "a"}),
        ("7 --title ''", {"title": ""}),
    ],
)
def test_what_is_surely_meant_is_taken(call, words, params):
    found, told = call(words)
    assert (found, told) == ({"customer_id": "7", "limit": 10, **params}, [])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--customer_id null", ["--customer_id: expected string, got null: what printed this value has not found it"]),
        ("null", ["--customer_id: expected string, got null: what printed this value has not found it"]),
        ("7 --count null", ["--count: expected integer, got null: what printed this value has not found it"]),
        ("7 --labels null", ["--labels: expected array, got null: what printed this value has not found it"]),
        (
            "7 --event null",
            ["--event: expected one of APPROVE, REQUEST_CHANGES, comment, got null: what printed this value has not found it"],
        ),
        (
            "7 --event aprove",
            ["--event: expected one of APPROVE, REQUEST_CHANGES, comment, got 'aprove' (did you mean APPROVE?)"],
        ),
        (
            "7 --event request-changes",
            ["--event: expected one of APPROVE, REQUEST_CHANGES, comment, got 'request-changes' (did you mean REQUEST_CHANGES?)"],
        ),
        ("7 --since yesterday", ["--since: expected string (date-time), got 'yesterday'"]),
        ("--count x --event y", [
            "--customer_id is required: expected string",
            "--count: expected integer, got 'x'",
            "--event: expected one of APPROVE, REQUEST_CHANGES, comment, got 'y'",
        ]),
        ("--count null --since x -v", [
            "--count: expected integer, got null: what printed this value has not found it",
            "unknown option -v: parameters are written --name value",
            "--customer_id is required: expected string",
            "--since: expected string (date-time), got 'x'",
        ]),
        ("--customer_id --count x", [
            "--customer_id needs a value: expected string",
            "--count: expected integer, got 'x'",
        ]),
    ],
)  # fmt: skip
def test_what_is_surely_wrong_is_told_all_at_once(call, words, told):
    found, lines = call(words)
    assert found is None
    *problems, usage = lines
    assert problems == [f"get: {problem}" for problem in told]
    assert usage.startswith("usage: get --customer_id <string> ")


@pytest.mark.parametrize(
    ("words", "params", "warning"),
    [
        ("7 --title a --title b", {"title": "b"}, "--title is given more than once: 'b' counts"),
        ("7 --count 1 --count 2", {"count": 2}, "--count is given more than once: 2 counts"),
        ('--customer_id "$nothing"', {"customer_id": ""}, "--customer_id is empty"),
    ],
)
def test_what_is_probably_wrong_is_told_and_done(call, words, params, warning):
    found, told = call(words)
    assert found == {"customer_id": "7", "limit": 10, **params}
    assert told == [f"get: warning: {warning}"]


def test_a_long_usage_line_is_cut_in_errors():
    names = [f"parameter_{number}" for number in range(40)]
    schema = {"properties": {name: {"type": "string"} for name in names}, "required": names[:1]}
    tool = ScriptedTool("api", tools=[(ToolDef("wide", "", schema), print)])
    problem, usage = tool.execute_sync("wide").stderr.splitlines()
    assert problem == "wide: --parameter_0 is required: expected string"
    assert usage.startswith("usage: wide --parameter_0 <string> [--parameter_1 <string>] ")
    assert usage.endswith(" … (wide --help tells all)")
    assert len(usage) < 300


def test_defaults_are_filled_or_left_to_the_callback():
    seen = []
    for defaults in ("fill", "omit"):
        tool = ScriptedTool("api", tools=[(ToolDef("get", "", SCHEMA, defaults=defaults), lambda args: seen.append(dict(args)))])
        tool.execute_sync("get 7")
        assert '"default 10' not in tool.execute_sync("get --help").stdout
        assert "default 10" in tool.execute_sync("get --help").stdout
    assert seen == [{"customer_id": "7", "limit": 10}, {"customer_id": "7"}]


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        ({"type": "object", "properties": {"street": {}, "zip": {}}, "required": ["street"]}, "{street, zip?}"),
        ({"type": "array", "items": {"type": "object", "properties": {"sku": {}}, "required": ["sku"]}}, "[{sku}]"),
        ({"type": ["object", "null"], "properties": {"a": {"type": "object", "properties": {"b": {}}}}}, "{a?: {b?}}"),
        ({"$ref": "#/$defs/Node"}, "{next?: {next?: {next?}}}"),
        ({"type": "object", "properties": {f"p{number}": {} for number in range(14)}}, "{p0?, p1?, p2?, p3?, p4?, p5?, p6?, p7?, p8?, p9?, p10?, p11?, ...}"),
        (
            {
                "oneOf": [
                    {"type": "object", "properties": {"kind": {"const": "a"}, "x": {}}, "required": ["kind", "x"]},
                    {"type": "object", "properties": {"kind": {"const": "b"}, "y": {}}, "required": ["kind"]},
                ]
            },
            "{kind, x?, y?}",
        ),
        ({"type": "array", "prefixItems": [{"type": "number"}, {"enum": ["km", "mi"]}]}, "<number,km|mi>"),
        ({"anyOf": [{"const": "auto"}, {"type": "integer"}]}, "<integer|auto>"),
        ({"anyOf": [{"type": "object", "properties": {"city": {}}}, {"enum": [""]}]}, "{city?}"),
        ({"type": "object"}, "<object>"),
        ({"type": "array", "items": {"type": "object"}}, "<array>"),
        ({"type": "array", "items": {"type": "string"}}, "<string,...>"),
    ],
)  # fmt: skip
def test_the_fields_of_objects_stand_in_the_usage(part, shown):
    node = {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}}
    tool = ScriptedTool("api", tools=[(ToolDef("get", "", {"properties": {"x": part}, "required": ["x"], "$defs": node}), print)])
    assert f"Usage: `get --x {shown}`\n" in tool.system_prompt()
    assert f"--x {shown}" in tool.execute_sync("get --help").stdout
