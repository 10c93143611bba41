"""Toolsets whose scripts are Python: what the model reads, what it gets, and what lasts."""

import asyncio
import pickle

import pytest
from click.testing import CliRunner

from bashkit import ExecutionLimits, ScriptedTool, ToolDef, load
from bashkit.bash.snapshot import Snapshot
from bashkit.cli import cli
from bashkit.commands import _python
from bashkit.errors import DefinitionError, SnapshotError
from bashkit.prompts.agent_skill import skill_files
from bashkit.tools.offer import Offer
from bashkit.toolset import check

pytest.importorskip("pydantic_monty", reason="the extra python is not installed")

USER = {"type": "object", "properties": {"id": {"type": "integer", "description": "Whose"}}, "required": ["id"]}
TOOLS = [
    (ToolDef("get-user", "Get a user", USER, output_schema={"type": "object", "properties": {"id": {}}}, category="users"), dict),
    (ToolDef("delete", "Delete all", effects="destructive", max_calls=1), lambda args: ""),
]


def api(**options):
    return ScriptedTool("api", "An API", tools=TOOLS, **{"language": "python", **options})


@pytest.fixture(params=["inline", "process"])
def session(request):
    return api(persistent=True, isolation=request.param, limits=ExecutionLimits(timeout=20))


# -- what comes back ---------------------------------------------------------------------------------------------------

VALUES = {
    "of the last expression": ("x = 1\n{'a': [x, None], 2: 'é'}", '{"a":[1,null],"2":"é"}\n'),
    "behind what was printed": ("print('a')\n2", "a\n2\n"),
    "on a line of its own": ("print('a', end='')\n2", "a\n2\n"),
    "that is None": ("None", ""),
    "of a statement": ("x = 5", ""),
    "text": ("'a\\nb'", '"a\\nb"\n'),
    "that JSON does not have": (
        "from datetime import date\n(1, {3, 2}, b'x', date(2026, 1, 2), float('inf'), {(1, 2): 3})",
        '[1,[2,3],"x","2026-01-02","inf",{"(1, 2)":3}]\n',
    ),
    "an object": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n[P(1)]",
        '[{"x":1}]\n',
    ),
    "of a tool": ("get_user(id=3)", '{"id":3}\n'),
    "of an import": ("from tools import get_user as g\ng(id=4)['id']", "4\n"),
    "awaited": ("import asyncio\nawait asyncio.gather(get_user(id=1), get_user(id=2))", '[{"id":1},{"id":2}]\n'),
}


@pytest.mark.parametrize(("code", "expected"), VALUES.values(), ids=VALUES)
def test_a_value(code, expected):
    result = api().execute_sync(code)
    assert (result.stdout, result.stderr, result.exit_code) == (expected, "", 0)


FAILURES = {
    "an exception": ("1 / 0", 1, 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n    1 / 0\n'),
    "a syntax error": ("x = 1\nget_user(", 1, 'Traceback (most recent call last):\n  File "<string>", line 2\n    get_user(\n'),
    "an exit status": ("import sys\nsys.exit(3)", 3, ""),
    "a name that nobody has": ("get_usr(id=1)", 1, "Traceback (most recent call last):\n"),
    "nesting": ("x = []\nfor _ in range(200): x = [x]\nx", 1, "the value is nested too deeply to be shown\n"),
}


@pytest.mark.parametrize(("code", "status", "message"), FAILURES.values(), ids=FAILURES)
def test_a_failure(code, status, message):
    result = api().execute_sync(code)
    assert (result.exit_code, result.error, result.stdout) == (status, None, "")
    assert result.stderr.startswith(message)


def test_a_value_whose_parts_are_shared_is_not_larger_than_strings_may_be():
    code = "x = ['a' * 1000]\nfor _ in range(30): x = [x, x]\nx"
    assert api(limits=ExecutionLimits(max_string_bytes=100_000)).execute_sync(code).error == "limit:max_string_bytes"


def test_a_call_is_in_the_trace_with_its_line_and_the_policy_holds():
    result = api().execute_sync("get_user(id=1)\n\ndelete()")
    assert [(call.tool, call.line) for call in result.trace] == [("get-user", 1), ("delete", 3)]
    assert "RuntimeError: delete: this call needs an approval" in result.stderr


def test_a_limit_ends_it():
    assert api(limits=ExecutionLimits(timeout=0.3)).execute_sync("while True: pass").error == "timeout"


def test_its_arguments_and_its_input():
    result = api().execute_with_status_sync("import sys\nsys.argv, sys.stdin.read()", None, stdin="abc", words=["x", "1", "2"])
    assert result.stdout == '[["","1","2"],"abc"]\n'


@pytest.mark.parametrize(
    ("persistent", "advice"),
    [(False, "print less: the fields that you need, or a slice"), (True, "print a part, open('/tmp/stdout-1.txt').read()")],
)
def test_a_long_output_is_cut_with_advice_for_python(persistent, advice):
    result = api(max_result_chars=500, persistent=persistent).execute_sync("for n in range(1000): print(n)")
    assert advice in result.stdout


def test_a_builder_sets_the_language():
    assert ScriptedTool.builder("api").language("python").build().execute_sync("1 + 1").stdout == "2\n"


# -- what lasts --------------------------------------------------------------------------------------------------------


def test_variables_functions_and_imports_last(session):
    session.execute_sync(
        "import json, sys\nusers = [get_user(id=1)]\ndef more(n):\n    users.append(get_user(id=n))\n    return users"
    )
    result = session.execute_sync("json.dumps(more(2))")
    assert result.stdout == '"[{\\"id\\": 1}, {\\"id\\": 2}]"\n'
    assert [(call.tool, call.line) for call in result.trace] == [("get-user", 4)]
    assert session.execute_sync("print('x', file=sys.stderr)").stderr == "x\n"


def test_files_and_what_reads_them_last(session):
    session.execute_sync("open('a', 'w').write('1')")
    assert session.execute_sync("open('a').read() + open('a').read()").stdout == '"11"\n'


def test_functions_that_were_defined_before_await_calls():
    session = api(persistent=True)
    session.execute_sync("import asyncio\nasync def both():\n    return await asyncio.gather(get_user(id=1), get_user(id=2))")
    assert session.execute_sync("# a comment that moves what follows\nawait both()").stdout == '[{"id":1},{"id":2}]\n'


def test_a_traceback_shows_the_lines_of_earlier_code():
    session = api(persistent=True)
    session.execute_sync("def f():\n    return 1 / 0")
    lines = session.execute_sync("f()").stderr.splitlines()
    assert [line for line in lines if "File" in line or "/ 0" in line] == [
        '  File "<string>", line 1, in <module>',
        '  File "<string>", line 2, in f',
        "    return 1 / 0",
    ]


@pytest.mark.parametrize("failing", ["x = 2\n1 / 0", "x = 2\nimport sys\nsys.exit(1)"])
def test_a_failure_leaves_what_was_done_before_it(failing):
    session = api(persistent=True)
    session.execute_sync("x = 1")
    session.execute_sync(failing)
    assert session.execute_sync("x").stdout == "2\n"


def test_what_is_ended_leaves_nothing():
    session = api(persistent=True, limits=ExecutionLimits(timeout=1))
    session.execute_sync("x = 1")
    assert session.execute_sync("x = 2\nwhile True: pass").error == "timeout"
    assert session.execute_sync("x").stdout == "1\n"


@pytest.mark.parametrize("number", [150_000, 300_000], ids=["too much to be written down", "too much"])
def test_more_than_memory_holds_is_not_kept(number):
    session = api(persistent=True, limits=ExecutionLimits(max_memory_bytes=64 << 20))
    session.execute_sync("x = 1")
    result = session.execute_sync(f"x = ['y' * 100 + str(n) for n in range({number})]")
    assert (result.exit_code, result.error) == (1, None)
    assert "the session goes on as it was before this code" in result.stderr
    assert session.execute_sync("x").stdout == "1\n"


def test_nothing_lasts_in_a_fresh_session_or_after_a_reset():
    fresh, session = api(), api(persistent=True)
    for tool in (fresh, session):
        tool.execute_sync("x = 1")
    session.reset()
    assert {tool.execute_sync("x").exit_code for tool in (fresh, session)} == {1}


def test_a_tool_that_is_added_is_a_function_of_the_session():
    session = api(persistent=True)
    session.execute_sync("x = 1")
    session.add_tool("more", "More", lambda args: 7)
    assert session.execute_sync("x + more()").stdout == "8\n"


def test_a_snapshot_keeps_it():
    session = api(persistent=True)
    session.execute_sync("import sys\nx = 1\ndef f(): return get_user(id=x)")
    taken = session.snapshot()
    session.execute_sync("x = 2")
    for snapshot in (taken, Snapshot.from_bytes(taken.to_bytes(), trusted=True), pickle.loads(pickle.dumps(taken))):
        other = api(persistent=True)
        other.restore(snapshot)
        assert other.execute_sync("print(1, file=sys.stderr)\nf()").stdout == '{"id":1}\n'
    session.restore(taken)
    assert session.execute_sync("x").stdout == "1\n"


def test_of_a_snapshot_that_may_come_from_anybody_python_reads_nothing():
    session = api(persistent=True)
    session.execute_sync("x = 1")
    taken = session.snapshot()
    session.restore(Snapshot.from_bytes(taken.to_bytes()))
    assert session.execute_sync("x").exit_code == 1
    with pytest.raises(SnapshotError, match="what Python has left"):
        Snapshot.from_bytes(taken.to_bytes().replace(b'"python":"', b'"python":"!'), trusted=True)


# -- what the model reads ----------------------------------------------------------------------------------------------


def test_the_prompt_shows_declarations():
    prompt = api().system_prompt()
    assert 'Input: {"commands": "<Python code>"}' in prompt
    assert "# Get a user\n# Result: {id: value}\ndef get_user(id: int) -> dict[str, Any]: ...\n" in prompt
    assert "# Delete all (destructive)\n# At most 1 call in one script\ndef delete() -> Any: ...\n```" in prompt
    assert not any(word in prompt for word in ("bash", "jq", "--", "xargs"))


def test_the_fields_of_objects_are_shown():
    place = {"type": "object", "description": "Where", "properties": {"room": {}, "floor": {}}, "required": ["room"]}
    book = ToolDef("book", "Book", {"properties": {"place": place}, "required": ["place"]})
    tool = ScriptedTool("api", tools=[(book, dict)], language="python")
    assert "# Book\n# place: {room, floor?}\ndef book(place: dict[str, Any]) -> Any: ...\n" in tool.system_prompt()
    assert "Where (object, required): {room, floor?}\n" in tool.execute_sync("help(book)").stdout


def test_the_prompt_of_both_shows_both():
    tool = api(language="both")
    assert "  Usage: `get-user --id <integer>`\n  Python: `def get_user(id: int) -> dict[str, Any]`\n" in tool.system_prompt()
    assert tool.execute_sync("get-user --id 1; python3 -c 'from tools import get_user; print(get_user(id=2))'").stdout == (
        "{\"id\":1}\n{'id': 2}\n"
    )
    assert "Python: def get_user(id: int)" in tool.execute_sync("help get-user").stdout


@pytest.mark.parametrize(("mode", "name"), [("compact", "`get_user`"), ("discovery", "discover(search=")])
def test_shorter_prompts_name_functions(mode, name):
    prompt = api().system_prompt(mode)
    assert name in prompt
    assert "help(" in prompt
    assert "get-user" not in prompt


@pytest.mark.parametrize("name", ["get_user", "'get_user'", "'get-user'"])
def test_help_describes_a_function(name):
    text = api().execute_sync(f"help({name})").stdout
    assert text.startswith(
        "def get_user(id: int) -> dict[str, Any]\n\nGet a user\n\nParameters:\n  id: int                 Whose"
    )
    assert "--" not in text


def test_discover_finds_functions():
    tool = api()
    assert tool.execute_sync("discover(search='user')").stdout == "get_user  Get a user\n"
    assert tool.execute_sync("discover(categories=True)").stdout == "users\t1\n"
    assert (
        "TypeError: unrecognized option '--serch=x' (expected: def discover(" in tool.execute_sync("discover(serch='x')").stderr
    )


def test_the_second_tool_takes_python_too():
    tool, second = api(prompt_mode="discovery").tools()
    assert "discover(search=" in second.system_prompt()
    assert second.input_schema() == tool.input_schema()
    assert second.execute_sync("discover(search='user')\nhelp('get_user')").stdout.count("get_user") == 2
    assert "NameError" in second.execute_sync("get_user(id=1)").stderr


def test_the_request_and_the_manual_say_python():
    tool = api()
    assert "Python" in tool.input_schema()["properties"]["commands"]["description"]
    assert tool.description() == "An API. Supported tools: get_user delete"
    assert "FUNCTIONS\n       get_user  Get a user\n" in tool.help()
    offered = Offer(tool).tools[0]
    assert offered.call_sync({"commands": 5}).text == "'commands' must be the Python code, as text"
    assert offered.call_sync({"commands": "get_user(id=1)"}).structured["stdout"] == '{"id":1}\n'


def test_a_skill_is_about_python(tmp_path):
    text = skill_files(api(), tmp_path / "t.yaml", tmp_path)["SKILL.md"]
    assert "Runs Python code in which these are functions: get_user, delete" in text


# -- where it is declared ----------------------------------------------------------------------------------------------

TOOLSET = """\
version: 1
name: shop
language: python
session: persistent
tools:
  - name: get_user
    description: Get a user
    input_schema: {type: object, properties: {id: {type: integer}}, required: [id]}
    stub: {name: Ada}
tests:
  - {name: code, python: "get_user(id=1)['name']", expect: {stdout: '"Ada"'}}
  - {name: bash, script: 'get_user --id 1 | jq -r .name', expect: {stdout: Ada}}
  - {name: code that fails, python: 1/0, expect: {exit_code: 1}}
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "shop.yaml").write_text(TOOLSET)
    return tmp_path / "shop.yaml"


def test_a_toolset_file_says_it(file):
    tool = load(file).tool
    assert tool.execute_sync("x = get_user(id=1)").exit_code == 0
    assert tool.execute_sync("x['name']").stdout == '"Ada"\n'
    assert check(file) == []


COMMANDS = {
    "run": (["run", "FILE", "-c", "print(get_user(id=1)['name'])"], "Ada\n"),
    "run a file": (["run", "FILE", "SCRIPT", "--", "a", "b"], '["","a","b"]\n'),
    "prompt": (["prompt", "FILE"], "def get_user(id: int) -> Any: ..."),
    "prompt of a tool": (["prompt", "FILE", "--tool", "get_user"], "def get_user(id: int) -> Any\n"),
    "test": (["test", "FILE"], "3 passed, 0 failed\n"),
    "explain": (["explain", "FILE", "-c", "for n in range(2):\n    get_user(id=n)"], "calls      line 2    get_user --id …"),
}


@pytest.mark.parametrize(("words", "expected"), COMMANDS.values(), ids=COMMANDS)
def test_the_command_line(file, words, expected):
    (file.parent / "s.py").write_text("import sys\nsys.argv\n")
    paths = {"FILE": str(file), "SCRIPT": str(file.parent / "s.py")}
    result = CliRunner().invoke(cli, [paths.get(word, word) for word in words])
    assert expected in result.output
    assert result.exit_code == 0


PROBLEMS = {
    "an unknown language": ("language: ruby\n", (3, 11, "expected bash or python or both, got 'ruby'")),
    "without python3": (
        "language: both\npython: false\n",
        (3, 11, "language: both needs python3, which python: false leaves out"),
    ),
    "a test of both": ("tests: [{name: a, script: x, python: y}]\n", (3, 30, "a test has a script or Python code, not both")),
    "a test without python3": (
        "python: false\ntests: [{name: a, python: y}]\n",
        (4, 19, "the test needs python3, which python: false leaves out"),
    ),
}


@pytest.mark.parametrize(("text", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_mistake_is_told_with_its_place(tmp_path, text, expected):
    (tmp_path / "t.yaml").write_text(f"version: 1\nname: t\n{text}tools: [{{name: a, stub: 1}}]\n")
    assert expected in [(problem.line, problem.column, problem.message) for problem in check(tmp_path / "t.yaml")]


def test_without_monty_the_place_is_told(file, monkeypatch):
    monkeypatch.setattr(_python, "is_installed", lambda: False)
    problems = [(problem.line, problem.column) for problem in check(file) if "needs the extra python" in problem.message]
    assert problems[0] == (3, 11)
    with pytest.raises(DefinitionError, match="language='python' needs the extra python"):
        api()


@pytest.mark.parametrize(
    ("options", "message"), [({"language": "lisp"}, "language"), ({"python": False}, "python=False leaves out")]
)
def test_options_that_do_not_fit_are_refused(options, message):
    with pytest.raises(DefinitionError, match=message):
        api(**options)


async def test_an_event_loop_goes_on_while_code_computes():
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            await asyncio.sleep(0.005)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await api().execute("x = 0\nfor i in range(3_000_000): x += i\nx")
    ticking.cancel()
    assert ticks >= 3
