import pytest

from bashkit.toolset import check
from bashkit.toolset.package_data import examples

HEAD = "version: 1\nname: t\n"
GOOD = """\
tools:
  - name: get_user
    description: Fetch a user
    effects: read
    input_schema: {type: object, properties: {id: {type: integer, description: User ID}}, required: [id]}
    output_schema: {type: object, properties: {name: {type: string}}}
    examples: ["get_user --id 1 | jq -r .name"]
    stub: {name: Ada}
"""
LINE = "  - {name: NAME, description: Does it, effects: read, stub: x}\n"


@pytest.fixture
def advice(folder):
    """``line:column: code`` of each warning about a file; no mistake may be in it."""

    def advise(text):
        found = check(folder.write("t.yaml", text), advise=True, environ={"KEY": "k"})
        assert [problem for problem in found if problem.severity == "error"] == []
        return [f"{problem.line}:{problem.column}: {problem.code}" for problem in found]

    return advise


@pytest.mark.parametrize("name", ["shop.yaml", "workspace.yaml"])
def test_y02_the_bundled_toolsets_have_neither_mistakes_nor_warnings(name, monkeypatch, tmp_path):
    monkeypatch.setenv("SHOP_CACHE", str(tmp_path))
    assert check(examples() / name, advise=True, rehearse=True) == []


@pytest.mark.parametrize(
    ("change", "warnings"),
    [
        (("", ""), []),
        (("    description: Fetch a user\n", ""), ["4:11: no-description"]),
        (("Fetch a user", "'" + "long " * 400 + "'"), ["5:18: long-description"]),
        (("    effects: read\n", ""), ["4:11: no-effects"]),
        (("name: get_user", "name: tree"), ["4:11: hides-utility", "9:16: example"]),
        (("name: get_user", "name: tree\n    override: true"), ["10:16: example"]),
        (("name: get_user", "name: get_User"), ["4:11: mixed-case", "9:16: example"]),
        ((", description: User ID", ""), ["7:47: no-parameter-description"]),
        (("type: integer, description: User ID", "$ref: '#/$defs/id'"), []),
        (("type: integer, description: User ID", "type: integer, description: Price, in cents"), ["7:87: stray-key"]),
        (("type: integer, description: User ID", "description: User ID, default: , const: "), []),
        (("type: integer, description: User ID", "enum: [A, B], description: Class"), ["7:58: opaque-enum"]),
        (("type: integer, description: User ID", "enum: [A, B], description: 'A is the best'"), []),
        (("type: integer, description: User ID", "enum: [small, large], description: Size"), []),
        (("    output_schema: {type: object, properties: {name: {type: string}}}\n", ""), ["8:16: no-output-schema"]),
        (("get_user --id 1 | jq -r .name", "get_users --id 1"), ["9:16: example"]),
        (("get_user --id 1 | jq -r .name", "seq 3 | xargs -n1 get_user --id"), []),
        (("get_user --id 1 | jq -r .name", "for id in 1 2; do"), ["9:16: example"]),
        (("stub: {name: Ada}", "stub: {name: 1}"), ["10:11: stub"]),
        (("stub: {name: Ada}", "stubs: [{values: [{name: a}, {name: 1}]}, {value: 2}]"), ["10:34: stub", "10:55: stub"]),
    ],
)
def test_a_tool_that_could_be_better(advice, change, warnings):
    text = HEAD + GOOD.replace(*change).replace(
        "required: [id]", "required: [id], $defs: {id: {type: integer}}" if "$ref" in change[1] else "required: [id]"
    )
    assert advice(text) == warnings


@pytest.mark.parametrize(
    ("names", "similar"),
    [
        (["get_user", "get_users"], False),
        (["list", "lists"], True),
        (["lists", "list"], True),
        (["get_user", "get-user"], True),
        (["getuser", "get_user"], True),
        (["getUser", "get_user"], True),
        (["status", "statuses"], False),
        (["get_user", "set_user"], False),
    ],
)
def test_names_that_a_model_takes_for_each_other(advice, names, similar):
    text = HEAD + "tools:\n" + "".join(LINE.replace("NAME", name) for name in names)
    assert [line for line in advice(text) if "similar" in line] == (["5:12: similar-names"] if similar else [])


@pytest.mark.parametrize(
    ("callback", "warnings"),
    [
        ("{http: {url: 'https://example.com/${KEY}'}}", []),
        ("{http: {url: 'https://example.com/'}}", ["3:11: unused-secret"]),
        ("{script: 'true'}", ["3:11: unused-secret"]),
        ("{python: json.dumps}", []),
    ],
)
def test_a_secret_that_nothing_uses(advice, callback, warnings):
    tool = f"tools:\n  - {{name: get, description: Get, effects: read, callback: {callback}}}\n"
    assert advice(HEAD + "secrets: [KEY]\n" + tool) == warnings


def test_a_prompt_that_is_shortened_to_fit(advice):
    assert advice(HEAD + "prompt: {max_chars: 480}\n" + GOOD) == ["3:21: long-prompt"]


@pytest.mark.parametrize(
    ("script", "warnings"),
    [
        ("get_user --id 1", []),
        ("f() { :; }; f; ./x; $cmd; if true; then [[ a ]]; fi; time ls | grep x; bash -c true; help; discover x", []),
        ("x=$(get_usr --id 1)", ["11:94: unknown-command"]),
    ],
)
def test_y03_a_script_that_names_no_command(advice, script, warnings):
    tool = f"  - {{name: tool, description: Tool, effects: read, input_schema: {{}}, callback: {{script: '{script}'}}}}\n"
    assert advice(HEAD + GOOD + tool) == warnings


def test_a_parameter_that_cannot_be_a_variable(advice):
    tool = "  - name: tool\n    description: Tool\n    effects: read\n    callback: {script: 'true'}\n"
    tool += "    input_schema: {properties: {PATH: {description: P}, é: {description: E}, a-b: {description: F}}}\n"
    assert advice(HEAD + GOOD + tool) == ["15:33: no-variable", "15:57: no-variable"]


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ("get_user --id 1 | jq -r .name", None),
        ("get_user --id x", "the example is refused: get_user: --id: expected integer, got 'x'"),
        ("get_user", "the example is refused: get_user: --id is required: expected integer"),
        (
            "get_user --id $id",
            "the example fails with exit status 2 when stubs replace callbacks: get_user: --id needs a value: expected integer",
        ),
        ("get_user --id 1 --idd 1", "the example is refused: get_user: --idd is not a parameter (did you mean --id?)"),
        ("get_user --id 1 | jqq .name", "the example uses jqq, which is not a command"),
        (
            "get_user --id 1 | jq '.name | error'",
            "the example fails with exit status 5 when stubs replace callbacks: jq: error (at <stdin>:1): Ada",
        ),
        ("get_user --id 1 | (", "the example is not a command line: syntax error: unexpected end of file"),
    ],
)
def test_y02_strict_tries_the_examples(folder, example, message):
    text = HEAD + GOOD.replace('"get_user --id 1 | jq -r .name"', repr(example) if "'" not in example else f'"{example}"')
    found = [problem.message for problem in check(folder.write("t.yaml", text), rehearse=True, environ={})]
    assert found == ([] if message is None else [message])


def test_y02_strict_runs_the_tests_with_stubs(folder):
    tests = "tests:\n  - {name: one, script: get_user --id 1, expect: {exit_code: 1}}\n  - {name: two, script: 'false', callbacks: real}\n"
    found = check(folder.write("t.yaml", HEAD + GOOD + tests), rehearse=True, environ={})
    assert [str(problem).partition("t.yaml:")[2] for problem in found] == [
        "12:12: the test 'one' fails: expected exit status 1, got 0"
    ]


def test_x08_strict_does_not_call_what_has_a_stub(folder):
    folder.write("never_called_y02.py", "def f(args):\n    raise SystemExit\n")
    text = HEAD + GOOD + "    callback: {python: never_called_y02.f}\n"
    assert check(folder.write("t.yaml", text), rehearse=True, environ={}) == []


@pytest.mark.parametrize(
    ("connect", "thread", "warnings"),
    [
        ("sqlite3.connect(':memory:')", "", ["11:15: thread-unsafe"]),
        ("sqlite3.connect(':memory:')", "thread: same\n", []),
        ("sqlite3.connect(':memory:', check_same_thread=False)", "", []),
    ],
)
def test_what_belongs_to_one_thread(advice, folder, request, connect, thread, warnings):
    module = f"threads_{abs(hash(request.node.name))}"
    folder.write(f"{module}.py", f"import sqlite3\ndata = {connect}\ndef f(args):\n    return {{}}\n")
    assert advice(HEAD + GOOD + f"    callback: {{python: {module}.f}}\n" + thread) == warnings


def test_strict_names_the_placeholders_of_a_new_tool(folder):
    text = HEAD + GOOD.replace("Fetch a user", "Say in one line what get_user does").replace("User ID", "What it works on")
    path = folder.write("t.yaml", text)
    assert check(path, advise=True, environ={}) == []
    found = check(path, advise=True, rehearse=True, environ={})
    assert [f"{problem.line}:{problem.column}: {problem.code}" for problem in found] == ["5:18: placeholder", "7:80: placeholder"]
