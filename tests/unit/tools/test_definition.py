import re

import pytest

from bashkit.errors import DefinitionError
from bashkit.tools import Example, ScriptedTool, ToolDef
from bashkit.tools.define import schema
from bashkit.tools.define.reserved import RELIED_ON, shell_commands


def test_s01_schema_defaults_to_empty():
    assert ToolDef("get_user", "Fetch user").input_schema == {}


def test_s01_with_methods_return_changed_copies():
    plain = ToolDef("get_user", "Fetch user")
    full = (
        plain.with_schema({"type": "object", "properties": {"id": {"type": "integer"}}})
        .with_output_schema({"type": "object"})
        .with_tags("read", "users")
        .with_category("users")
        .with_examples("get_user --id 1", Example("get_user --id 2", output={"id": 2}))
        .with_effects("read")
    )
    assert plain == ToolDef("get_user", "Fetch user")
    assert full.tags == ("read", "users")
    assert full.category == "users"
    assert [example.command for example in full.examples] == ["get_user --id 1", "get_user --id 2"]
    assert full.effects == "read"


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "objekt"}, "input_schema.type: not a JSON Schema"),
        ({"properties": {"id": {"type": "int"}}}, "input_schema.properties.id.type"),
        ({"properties": {"id": {"minimum": "1"}}}, "input_schema.properties.id.minimum"),
        ({"type": "array"}, "arguments are an object"),
        ([], "a schema is an object, not array"),
        ({"properties": {"a": {"$ref": "https://example.com/a.json"}}}, "is remote"),
        ({"properties": {"a": {"$ref": "#/$defs/a"}}}, "leads nowhere"),
        ({"properties": {"a": {"pattern": "("}}}, "input_schema.properties.a.pattern: not a regular expression"),
        ({"patternProperties": {"[": {}}}, "not a regular expression"),
    ],
)
def test_s01_what_is_not_json_schema_is_refused_when_defined(schema, message):
    with pytest.raises(DefinitionError, match=re.escape(message)):
        ToolDef("get_user").with_schema(schema)


@pytest.mark.parametrize("name", ["get_user", "get-user", "pdf-extractor.utils-parse", "data-tools:csv", "2fa", "größe"])
def test_s02_callable_names(name):
    assert ToolDef(name).name == name


@pytest.mark.parametrize(
    "name", ["if", "done", "{", "!", "", "a b", "a/b", "a=b", "-x", "$x", "a|b", "a'b", "a\n", "*", "~a", "a;b"]
)
def test_s02_names_that_no_command_line_could_call(name):
    with pytest.raises(DefinitionError):
        ToolDef(name)


def test_s02_a_duplicate_is_refused():
    pair = (ToolDef("get_user"), print)
    with pytest.raises(DefinitionError, match="two tools are called 'get_user'"):
        ScriptedTool("api", tools=[pair, pair])


@pytest.mark.parametrize("name", ["true", "cd", "help", "discover", "bash", "sh", "jq", "grep", "ls", "xargs"])
def test_s02_hiding_a_builtin_or_what_scripts_rely_on_needs_override(name):
    with pytest.raises(DefinitionError, match="override=True"):
        ScriptedTool("api", tools=[(ToolDef(name), print)])
    tool = ScriptedTool("api", tools=[(ToolDef(name, override=True), print)])
    assert [item.name for item in tool.definitions] == [name]


@pytest.mark.parametrize("name", ["file", "tree", "curl", "locale", "parallel", "cal"])
def test_s02_the_name_of_any_other_utility_is_free(name):
    tool = ScriptedTool("api", tools=[(ToolDef(name), lambda args: "the tool's\n")])
    assert tool.execute_sync(f"{name}; echo x | xargs -I{{}} {name}").stdout == "the tool's\nthe tool's\n"


def test_s02_what_scripts_rely_on_is_there():
    assert RELIED_ON - {"bash", "sh"} <= shell_commands()


@pytest.mark.parametrize(
    "options",
    [
        {"effects": "delete"},
        {"timeout": 0},
        {"timeout": -1.0},
        {"description": None},
        {"category": 5},
        {"tags": "read"},
        {"tags": [1]},
        {"examples": "get_user --id 1"},
        {"examples": ["get_user --id 1"]},
        {"stdin": "text"},
        {"input_schema": None},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(DefinitionError, match=f"get_user: .*{next(iter(options))}"):
        ToolDef("get_user", **options)


def test_definitions_that_double_are_followed_so_often_and_no_more(monkeypatch):
    twice = {f"d{place}": {"anyOf": [{"$ref": f"#/$defs/d{place + 1}"}] * 2} for place in range(30)}
    root = {"$defs": {**twice, "d30": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/d0"}}}
    followed = []

    def follow(reference, root):
        followed.append(reference)
        assert len(followed) < 10_000
        return original(reference, root)

    original = schema.follow
    monkeypatch.setattr(schema, "follow", follow)
    assert schema.expand(root["properties"]["x"], root) == {}
    tool = ScriptedTool.builder("api").tool(ToolDef("look", "Look.").with_schema(root), lambda args: args["x"]).build()
    assert tool.execute_sync("look --x here").stdout == "here"
