"""Tools of toolset files whose functions declare the parameters."""

import sys

import pytest

from bashkit.errors import ToolsetError
from bashkit.toolset import in_mode, load

MODULE = '''
import datetime as dt
import bashkit

def orders(user: int, since: dt.date | None = None, limit: int = 3) -> list[dict]:
    """List the orders of a user.

    Args:
        user: Whose.
    """
    return [{"user": user, "since": since and since.year, "limit": limit}]

@bashkit.tool(effects="destructive", tags=("a",), name="other")
async def drop(table: str, args: bashkit.ToolArgs):
    """Drop a table."""
    return {"table": table, "region": args.env["REGION"]}

def plain(args): return {"got": dict(args)}
def books(author, limit=3): return {"author": author, "limit": limit}
def broken(what: "Missing"): return 1
'''
TEXT = """\
version: 1
name: t
env: {REGION: eu}
policy: {destructive: allow}
tools:
"""


@pytest.fixture
def module(folder, request):
    """A module of its own name: what is imported stays imported for the whole test run."""
    name = f"signatures_{abs(hash(request.node.name))}"
    folder.write(f"{name}.py", MODULE)
    return name


def opened(folder, text):
    folder.write("t.yaml", TEXT + text)
    return load(folder.path / "t.yaml", environ={})


def test_the_signature_declares_the_parameters(folder, module):
    toolset = opened(folder, f"  - {{name: orders, input_schema: signature, callback: {{python: {module}.orders}}}}\n")
    assert module not in sys.modules
    definition = toolset.tools[0]
    assert definition.description == "List the orders of a user."
    assert definition.input_schema["required"] == ["user"]
    assert definition.input_schema["properties"]["user"] == {"type": "integer", "description": "Whose."}
    assert definition.output_schema["items"]["type"] == "object"
    assert toolset.tool.execute_sync("orders 7 --since 2026-02-01").stdout == '[{"user":7,"since":2026,"limit":3}]\n'
    assert "--user is required" in toolset.tool.execute_sync("orders").stderr


def test_what_the_file_says_comes_first(folder, module):
    lines = f"""
  - name: orders
    description: The orders
    output_schema: {{type: array}}
    input_schema: signature
    callback: {{python: {module}.orders}}
  - {{name: drop, input_schema: signature, callback: {{python: {module}.drop}}}}
"""
    toolset = opened(folder, lines)
    orders, drop = toolset.tools
    assert (orders.description, orders.output_schema) == ("The orders", {"type": "array"})
    assert (drop.name, drop.description, drop.effects, drop.tags) == ("drop", "Drop a table.", "destructive", ("a",))
    assert toolset.tool.execute_sync("drop --table users").stdout == '{"table":"users","region":"eu"}\n'


def test_a_declared_tool_calls_a_function_with_the_parameters_it_names(folder, module):
    schema = "{type: object, properties: {author: {type: string}, limit: {type: integer}}, required: [author]}"
    toolset = opened(folder, f"  - {{name: books, input_schema: {schema}, callback: {{python: {module}.books}}}}\n")
    assert module not in sys.modules
    assert (
        toolset.tool.execute_sync("books Ada; books Bob --limit 1").stdout
        == '{"author":"Ada","limit":3}\n{"author":"Bob","limit":1}\n'
    )


def test_parameters_that_a_schema_takes_from_elsewhere_are_parameters(folder, module):
    author = "$defs: {base: {properties: {author: {type: string}}, required: [author]}}, allOf: [{$ref: '#/$defs/base'}]"
    books = (
        f"name: books, input_schema: {{{author}, properties: {{limit: {{type: integer}}}}}}, callback: {{python: {module}.books}}"
    )
    words = "$defs: {all: {properties: {words: {type: array, items: {type: string}}}}}, $ref: '#/$defs/all'"
    say = f"name: say, rest: words, input_schema: {{{words}}}, callback: {{script: 'echo \"${{#words[@]}}\"'}}"
    stubbed = f"name: stubbed, input_schema: {{{words}}}, stubs: [{{when: {{words: [a]}}, value: 1}}]"
    lines = f"  - {{{books}}}\n  - {{{say}}}\n  - {{{stubbed}}}\n"
    assert folder.problems(TEXT + lines, resolve=True) == []
    result = opened(folder, lines).tool.execute_sync("books --author Ada --limit 1; say a b --c")
    assert (result.stdout, result.stderr) == ('{"author":"Ada","limit":1}\n3\n', "")


def test_a_tool_without_a_schema_whose_function_takes_tool_args_takes_any(folder, module):
    toolset = opened(folder, f"  - {{name: get, callback: {{python: {module}.plain}}}}\n")
    toolset.tool.system_prompt()
    assert module not in sys.modules
    assert toolset.tool.execute_sync("get --id 7").stdout == '{"got":{"id":"7"}}\n'


def test_stubs_replace_a_function_that_declares_the_parameters(folder, module):
    toolset = in_mode(
        opened(folder, f"  - {{name: orders, stub: 1, input_schema: signature, callback: {{python: {module}.orders}}}}\n"), "stub"
    )
    assert toolset.tool.execute_sync("orders 7").stdout == "1\n"
    assert "--user is required" in toolset.tool.execute_sync("orders").stderr


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("input_schema: signature, callback: {script: ls}", "6:33: only a Python callback has a signature | write the schema itself"),
        ("input_schema: signature, stub: 1", "6:33: only a Python callback has a signature | write the schema itself"),
        ("input_schema: types, stub: 1", "6:33: an input schema is an object, or the word signature"),
        ("input_schema: signature, callback: {python: MODULE.broken}", "6:63: parameter what: the annotation of what cannot be read: NameError: name 'Missing' is not defined"),
        ("input_schema: signature, callback: {python: MODULE.none}", "6:63: the module MODULE has no function none"),
        ("callback: {python: MODULE.books}", ""),
        ("callback: {python: MODULE.orders}", "6:38: MODULE.orders(user: int, since: datetime.date | None = None, limit: int = 3) -> list[dict] needs user, which input_schema does not declare (input_schema: signature would)"),
        ("input_schema: {properties: {user: {}}}, callback: {python: MODULE.orders}", "6:78: MODULE.orders(user: int, since: datetime.date | None = None, limit: int = 3) -> list[dict] needs user, which input_schema does not require"),
        ("input_schema: {properties: {user: {}, usr: {}}, required: [user]}, callback: {python: MODULE.orders}", "6:105: MODULE.orders(user: int, since: datetime.date | None = None, limit: int = 3) -> list[dict] has no parameter usr, which input_schema declares"),
        ("input_schema: {properties: {user: {default: 1}}}, callback: {python: MODULE.orders}", ""),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_reported_with_its_place(folder, module, line, problem):
    text = TEXT + f"  - {{name: tool1, {line.replace('MODULE', module)}}}\n"
    assert folder.problems(text, resolve=True) == ([problem.replace("MODULE", module)] if problem else [])


def test_a_signature_that_cannot_be_read_is_an_error_of_the_toolset(folder, module):
    toolset = opened(folder, f"  - {{name: get, input_schema: signature, callback: {{python: {module}.broken}}}}\n")
    with pytest.raises(ToolsetError, match=r"t.yaml:6:\d+: parameter what: the annotation of what cannot be read"):
        assert toolset.tools
