from dataclasses import fields

import pytest
from jsonschema import Draft202012Validator

from bashkit.limits import ExecutionLimits
from bashkit.toolset import check
from bashkit.toolset.package_data import schemas
from bashkit.toolset.schema.generation import schema_text, toolset_schema

HEAD = "version: 1\nname: t\n"
TOOL = HEAD + "tools:\n  - name: get\n    callback: {python: m.f}\n"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (TOOL, []),
        (TOOL + "x-note: anything\n", []),
        ("name: t\n", ["1:1: a toolset needs a version | write version: 1 on the first line"]),
        ("version: 2\nname: t\n", ["1:10: expected 1, got 2"]),
        ("version: 1\n", ["1:1: a toolset needs a name"]),
        ("- a\n", ["1:1: a toolset is keys and values, not a list | write version: 1 on the first line"]),
        (HEAD + "tolls: []\n", ["3:1: unknown key 'tolls' | did you mean tools?"]),
        (HEAD + "replay: x\n", ["3:1: 'replay' is not supported yet | write x-replay to keep it in the file"]),
        (HEAD + "description: 3\n", ['3:14: expected string, got integer | write "3" in quotes']),
        (HEAD + "secrets: KEY\n", ["3:10: expected array, got string | write [KEY]"]),
        (HEAD + "limits: {max_comands: 3}\n", ["3:10: unknown key 'max_comands' | did you mean max_commands?"]),
        (
            HEAD + "limits: {timeout: 5 minutes}\n",
            ["3:19: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h"],
        ),
        (
            HEAD + "prompt: {mode: compct}\n",
            ["3:16: expected full or compact or discovery, got 'compct' | did you mean compact?"],
        ),
        (HEAD + "filesystem: nine\n", ["3:13: expected memory or none, got 'nine' | did you mean none?"]),
        (HEAD + "filesystem: none\nmounts: [{at: /d, directory: .}]\n", ["4:1: mounts are not possible with filesystem: none"]),
        (HEAD + "mounts: [{at: d, directory: .}]\n", ["3:15: a mount is at an absolute path: /data"]),
        (HEAD + "mounts: [{at: /d, directory: nowhere}]\n", ["3:30: there is no directory nowhere"]),
        (HEAD + "mounts: [{at: /d, directory: .}, {at: /d/, directory: .}]\n", ["3:39: two mounts are at /d/"]),
        (HEAD + "mounts: [{at: /d}]\n", ["3:10: a mount needs a directory"]),
        (HEAD + "session: lasting\n", ["3:10: expected fresh or persistent, got 'lasting'"]),
        (HEAD + "output: {max_chars: 10}\n", ["3:21: expected at least 400, got 10"]),
        (HEAD + "policy: {destructive: refuse}\n", ["3:23: expected allow or deny or ask, got 'refuse'"]),
        (TOOL + "    retry: {attempts: 0}\n", ["6:23: expected at least 1, got 0"]),
        (TOOL + "    retry: {backoff: 0s}\n", ["6:22: a duration is more than 0"]),
        (TOOL + "    retry: {backof: 1s}\n", ["6:13: unknown key 'backof' | did you mean backoff?"]),
        (TOOL + "    cache: a while\n", ["6:12: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h"]),
        (TOOL + "    validate_output: warm\n", ["6:22: expected off or warn or error, got 'warm' | did you mean warn?"]),
        (TOOL + "    efects: read\n", ["6:5: unknown key 'efects' | did you mean effects?"]),
        (TOOL + "    effects: reed\n", ["6:14: expected read or write or destructive, got 'reed' | did you mean read?"]),
        (HEAD + "limits: {timeout: 1e30}\n", ["3:19: a duration is at most 1000000000 seconds"]),
        (HEAD + "limits: {timeout: 999999999h}\n", ["3:19: a duration is at most 1000000000 seconds"]),
        (TOOL + "    timeout: 0s\n", ["6:14: a duration is more than 0"]),
        (TOOL + "    input_schema: {type: array}\n", ["6:26: arguments are an object, not 'array'"]),
        (
            TOOL + "    input_schema:\n      properties:\n        id: {type: integr}\n",
            [
                "8:20: not a JSON Schema: 'integr' is not one of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] | did you mean integer?"
            ],
        ),
        (
            TOOL + "    output_schema: {$ref: 'https://example.com/x.json'}\n",
            ["6:27: the reference https://example.com/x.json is remote; only references inside the schema are followed"],
        ),
        (
            HEAD + "tools:\n  - name: get\n",
            ["4:5: the tool 'get' needs a callback | add callback: {python: module.function}, or a stub"],
        ),
        (
            HEAD + "tools:\n  - name: get\n    callback: {}\n",
            ["5:15: a callback needs python, executable, http, skill, mcp or script | callback: {python: module.function}"],
        ),
        (
            HEAD + "tools:\n  - name: get\n    callback: {python: f}\n",
            ["5:24: a Python callback is a dotted path: module.function"],
        ),
        (
            HEAD + "tools:\n  - name: get\n    callback: {python: m.f, arguments: json}\n",
            ["5:29: a Python callback takes no 'arguments'"],
        ),
        (HEAD + "tools:\n  - name: true\n    stub: 1\n", ['4:11: expected string, got boolean | write "true" in quotes']),
        (HEAD + "tools:\n  - name: if\n    stub: 1\n", ["4:11: the tool name 'if' is a reserved word of the shell"]),
        (
            HEAD + "tools:\n  - name: 'true'\n    stub: 1\n",
            ["4:11: the tool 'true' would hide the command of that name | write override: true if it should"],
        ),
        (HEAD + "tools:\n  - {name: 'true', stub: 1, override: true}\n", []),
        (
            HEAD + "env: {A: '${NOPE}'}\n",
            ["3:10: the variable NOPE is not set and has no default | set it, or give it a default: ${NAME:-default}"],
        ),
        (HEAD + "env: {A: '${NOPE:-x} $$ ${SET}'}\n", []),
        (
            HEAD + "env: {A: '${no name}'}\n",
            ["3:10: ${no name} is not a variable: write ${NAME} or ${NAME:-default}, and $$ for a dollar sign"],
        ),
        (HEAD + "env: {A: 1, B: true}\n", []),
        (HEAD + "env: {A: [1]}\n", ["3:10: expected string or number or boolean, got array"]),
        (HEAD + "secrets: [A]\nenv: {A: x}\n", ["3:11: A is both a secret and part of env, which scripts see"]),
        (HEAD + "prompt: {context: [missing.md]}\n", ["3:20: missing.md cannot be read: No such file or directory"]),
        (HEAD + "include: [missing.yaml]\n", ["3:11: the included file cannot be read: No such file or directory"]),
        (HEAD + "include: [t.yaml]\n", ["3:11: the file includes itself"]),
    ],
)
def test_y02_one_mistake(folder, text, problems):
    assert folder.problems(text, environ={"SET": "1", "A": "s"}) == problems


def test_y02_every_mistake_is_reported_at_once_in_file_order(folder):
    text = """\
version: 1
name: bad name
tools:
  - name: get_user
    descripton: Fetch
    callback: {python: m.f}
  - name: get_user
    input_schema: {type: object, properties: {id: {type: int}}}
    callback: {executible: x}
env: {URL: "${NOPE}"}
"""
    assert [line.split(" | ")[0].split(":")[0] for line in folder.problems(text)] == ["2", "5", "7", "8", "9", "10"]


def test_y02_a_duplicate_across_files_names_the_other_place(folder):
    folder.write("more.yaml", "version: 1\nname: more\ntools:\n  - {name: get, stub: 1}\n")
    found = check(folder.write("t.yaml", TOOL + "include: [more.yaml]\n"), resolve=False, environ={})
    assert [(p.file, p.line, p.message) for p in found] == [(str(folder.path / "more.yaml"), 4, "two tools are called 'get'")]
    assert found[0].hint == f"the other one: {folder.path / 't.yaml'}:4"


def test_y02_a_callback_that_leads_nowhere_is_reported_beside_other_mistakes(folder):
    found = check(folder.write("t.yaml", TOOL + "tolls: []\n"), environ={})
    assert [(p.line, p.message) for p in found] == [(5, "there is no module m"), (6, "unknown key 'tolls'")]


def test_a_missing_file_is_a_problem(tmp_path):
    assert [problem.message for problem in check(tmp_path / "none.yaml")] == [
        "the file cannot be read: No such file or directory"
    ]


def test_y01_the_schema_is_json_schema_without_one_of_and_describes_everything():
    schema = toolset_schema()
    Draft202012Validator.check_schema(schema)
    assert "oneOf" not in schema_text()

    def undescribed(part, where):
        for name, inner in part.get("properties", {}).items():
            if isinstance(inner, dict):
                if "description" not in inner and "$ref" not in inner:
                    yield f"{where}.{name}"
                yield from undescribed(inner, f"{where}.{name}")

    assert list(undescribed(schema, "")) == []
    for name, part in schema["$defs"].items():
        assert list(undescribed(part, name)) == []


def test_the_schema_knows_every_limit():
    assert list(toolset_schema()["properties"]["limits"]["properties"]) == [limit.name for limit in fields(ExecutionLimits)]


def test_the_schema_that_is_shipped_is_the_one_that_is_generated():
    shipped = (schemas() / "toolset.schema.json").read_text()
    assert shipped == schema_text(), "bashkit schema > schemas/toolset.schema.json writes it anew"


def properties(schema, place):
    """Every key that the format has, with its schema and where it stands."""
    for name, part in schema.get("properties", {}).items():
        yield f"{place}{name}", part
        yield from properties(part, f"{place}{name}.")
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict):
            yield from properties(schema[inner], f"{place}{inner}.")


def test_y01_an_editor_can_explain_every_key_and_show_an_example():
    whole = toolset_schema()
    keys = [*properties(whole, ""), *(pair for name, part in whole["$defs"].items() for pair in properties(part, f"{name}."))]
    assert len(keys) > 100
    for place, part in keys:
        assert part.get("title") and part.get("description") and part.get("examples"), place
        validator = Draft202012Validator({**part, "$defs": whole["$defs"]})
        for example in [*part["examples"], *([part["default"]] if "default" in part else [])]:
            assert validator.is_valid(example), (place, example)


def test_an_included_link_that_leads_to_itself_is_told(folder):
    (folder.path / "loop.yaml").symlink_to("loop.yaml")
    message = "3:11: the included file cannot be read: Too many levels of symbolic links"
    assert folder.problems(HEAD + "include: [loop.yaml]\n") == [message]
