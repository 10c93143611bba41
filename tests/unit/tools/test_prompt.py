import pytest

from bashkit.tools import Example, ScriptedTool, ToolDef
from bashkit.tools.describe.notation import output, usage

INTEGER = {"type": "integer"}


def schema(name, required=False):
    return {"type": "object", "properties": {name: INTEGER}} | ({"required": [name]} if required else {})


def test_s11_the_shape_of_the_prompt_exactly():
    tool = ScriptedTool(
        "api_name",
        tools=[
            (ToolDef("get_user", "Fetch user by ID").with_schema(schema("id", required=True)), print),
            (ToolDef("list_orders", "List orders for user").with_schema(schema("user_id", required=True)), print),
        ],
    )
    assert (
        tool.system_prompt()
        == """\
# api_name

Input: {"commands": "<bash script>"}
Output: {stdout, stderr, exit_code}

## Available tool commands

- `get_user`: Fetch user by ID
  Usage: `get_user --id <integer>`
- `list_orders`: List orders for user
  Usage: `list_orders --user_id <integer>`

## Tips

- Pass arguments as `--key value` or `--key=value` flags
- Pipe tool output through `jq` for JSON processing
- Use variables to pass data between tool calls
"""
    )


def test_o02_a_raw_tool_lists_its_schema():
    tool = ScriptedTool(
        "api_name",
        tools=[
            (ToolDef("get_user", "Fetch user by ID", raw=True).with_schema(schema("id")), print),
            (ToolDef("list_orders", "List orders for user. Usage: list_orders <user_id>", raw=True), print),
        ],
    )
    assert (
        tool.system_prompt()
        == """\
# api_name

Input: {"commands": "<bash script>"}
Output: {stdout, stderr, exit_code}

## Available tool commands

- `get_user`: Fetch user by ID
  Schema: {"type":"object","properties":{"id":{"type":"integer"}}}
- `list_orders`: List orders for user. Usage: list_orders <user_id>

## Tips

- Pipe tool output through `jq` for JSON processing
- Use variables to pass data between tool calls
"""
    )


@pytest.mark.parametrize(
    ("properties", "required", "line"),
    [
        ({"a": INTEGER, "b": {"type": "string"}}, ["b"], "t --b <string> [--a <integer>]"),
        ({"s": {"enum": ["open", "closed"]}}, [], "t [--s <open|closed>]"),
        ({"v": {"type": "boolean"}}, [], "t [--v]"),
        ({"v": {"type": "boolean"}}, ["v"], "t --v <boolean>"),
        ({"v": {"type": "boolean", "default": True}}, [], "t [--no-v]"),
        ({"tags": {"type": "array", "items": {"type": "string"}}}, [], "t [--tags <string,...>]"),
        ({"day": {"type": "string", "format": "date"}}, [], "t [--day <date>]"),
        ({"n": {"type": ["integer", "null"]}}, [], "t [--n <integer>]"),
        ({"x": {}}, [], "t [--x <value>]"),
    ],
)
def test_s11_usage_lines(properties, required, line):
    assert usage(ToolDef("t").with_schema({"properties": properties, "required": required})) == line


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (
            {
                "type": "object",
                "properties": {
                    "id": INTEGER,
                    "name": {"type": "string"},
                    "orders": {
                        "type": "array",
                        "items": {"type": "object", "properties": {"id": INTEGER, "total": {"type": "number"}}},
                    },
                },
            },
            "{id: integer, name: string, orders: [{id, total}]}",
        ),
        ({"type": "array", "items": {"type": "object", "properties": {"id": INTEGER}}}, "[{id: integer}]"),
        ({"type": "string"}, "string"),
        (
            {"type": "object", "properties": {"s": {"enum": ["a", "b"]}, "n": {"type": ["integer", "null"]}}},
            "{s: a | b, n: integer or null}",
        ),
        (
            {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"up": {"$ref": "#/$defs/n"}}}}},
            "{up: {up: {up: {up}}}}",
        ),
    ],
)
def test_s12_output_notation(shape, text):
    assert output(shape) == text


def test_what_several_branches_say_of_a_field_is_put_together():
    page = {"type": "object", "properties": {"data": {"type": "array", "items": {"type": "object"}}, "next": {"type": "string"}}}
    users = {"properties": {"data": {"items": {"properties": {"id": {}, "name": {}}}}}}
    assert output({"allOf": [page, users]}) == "{data: [{id, name}], next: string}"


def test_s12_the_output_of_an_example_stands_in_for_a_schema():
    tool = ToolDef("t", "T").with_examples(Example("t", output={"id": 1, "tags": ["a"]}))
    assert "  Output: `{id: integer, tags: [string]}`\n" in ScriptedTool("api", tools=[(tool, print)]).system_prompt()


def test_x09_context_follows_after_rules():
    prompt = ScriptedTool("api", context=["First.\n", "Second."]).system_prompt()
    assert prompt.endswith("\n\n---\n\nFirst.\n\n---\n\nSecond.\n")
