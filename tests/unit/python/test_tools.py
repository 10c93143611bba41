"""Tools as functions of Python code, and their declarations."""

import asyncio

import pytest

from bashkit import Policy, ScriptedTool, ToolDef, load
from bashkit.commands import _python
from bashkit.errors import DefinitionError
from bashkit.tools.describe.stubs import stub
from bashkit.toolset import check

pytest.importorskip("pydantic_monty", reason="the extra python is not installed")

USER = {
    "type": "object",
    "properties": {"unit": {"enum": ["l", "ml"], "default": "l"}, "id": {"type": "integer"}, "from": {"type": "string"}},
    "required": ["id"],
    "additionalProperties": False,
}


class Meeting:
    """A tool whose calls wait for each other."""

    def __init__(self, number):
        self.number = number
        self.here = 0
        self.everyone = asyncio.Event()

    async def __call__(self, args):
        self.here += 1
        if self.here == self.number:
            self.everyone.set()
        await self.everyone.wait()
        return args["n"]


def fail(args):
    raise ValueError("the account is closed")


@pytest.fixture(params=["inline", "process"])
def api(request):
    return ScriptedTool(
        "api",
        isolation=request.param,
        tools=[
            (ToolDef("get-user", "Get a user", USER), dict),
            (ToolDef("meet", "Meet", {"type": "object", "properties": {"n": {"type": "integer"}}}), Meeting(3)),
            (ToolDef("fail", "Fail"), fail),
            (ToolDef("say", "Say", raw=True), lambda words, stdin: f"{words} {stdin}\n"),
            (ToolDef("quiet", "Say nothing"), lambda args: ""),
            (ToolDef("shout", "Shout", stdin=True), lambda args: (args.stdin or "nothing").upper()),
        ],
    )


CALLS = {
    "all of them": ("from tools import *\nprint(get_user(id=3)['unit'], shout(stdin='a'))", "l A\n"),
    "by name": ("from tools import get_user\nprint(get_user(id=3)['unit'])", "l\n"),
    "by place": ("import tools\nprint(tools.get_user(3, 'ml')['unit'])", "ml\n"),
    "with a name that Python keeps": ("from tools import get_user\nprint(get_user(id=3, from_='x')['from'])", "x\n"),
    "of several at once": (
        """\
import asyncio
from tools import meet
async def main():
    return await asyncio.gather(*[meet(n=n) for n in range(3)])
print(asyncio.run(main()))""",
        "[0, 1, 2]\n",
    ),
    "that fails": (
        "from tools import fail\ntry:\n    fail()\nexcept RuntimeError as e:\n    print(e)",
        "fail: the account is closed\n",
    ),
    "of a raw tool": ("from tools import say\nprint(say('a', 'b', stdin='c'))", "['a', 'b'] c\n"),
    "that gives nothing": ("from tools import quiet\nprint(quiet())", "None\n"),
    "with standard input": ("from tools import shout\nprint(shout(stdin='abc'), shout())", "ABC NOTHING\n"),
}


@pytest.mark.parametrize(("code", "expected"), CALLS.values(), ids=CALLS)
def test_a_call(api, code, expected):
    result = api.execute_sync(f"python3 - <<'E'\n{code}\nE")
    assert (result.stdout, result.exit_code) == (expected, 0)


WRONG = {
    "a type": ("get_user(id='x')", "TypeError: id: expected integer, got 'x'"),
    "a name": ("get_user(id=1, ide=2)", "TypeError: got an unexpected argument 'ide'"),
    "nothing": ("get_user()", "TypeError: id is required: expected integer"),
    "two values": ("get_user(1, id=2)", "TypeError: got two values for 'id'"),
    "too many": ("get_user(1, 'l', 'x', 4)", "TypeError: takes 3 positional arguments but 4 were given"),
}


@pytest.mark.parametrize(("code", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_say_what_is_expected(api, code, message):
    result = api.execute_sync(f"python3 - <<'E'\nfrom tools import get_user\n{code}\nE")
    assert result.exit_code == 1
    assert (
        f"{message} (expected: def get_user(id: int, unit: Literal['l', 'ml'] = 'l', from_: str = ...) -> Any)" in result.stderr
    )
    assert "line 2" in result.stderr


HINTS = {
    "an attribute of a result": (
        "x = 1\nget_user(id=x).name",
        "hint: line 2: Object of type `dict[str, Any]` has no attribute `name`\n",
    ),
    "an operator": ("names() + 1", "hint: line 1: Operator `+` is not supported between objects of type `list[str]`"),
    "an argument": ("get_user(id='x')", "TypeError: id: expected integer, got 'x' (expected: def get_user("),
    "an exception about no types": ("{}['a']\n1 + ''", "KeyError: a\n"),
    "a name of code before": ("before.name", "NameError: name 'before' is not defined\n"),
}


@pytest.mark.parametrize("language", ["bash", "python"])
@pytest.mark.parametrize(("code", "last"), HINTS.values(), ids=HINTS)
def test_the_type_checker_says_what_was_expected(code, last, language):
    tools = [
        (ToolDef("get-user", "Get a user", USER, output_schema={"type": "object"}), dict),
        (ToolDef("names", "List", output_schema={"type": "array", "items": {"type": "string"}}), lambda args: "[]"),
    ]
    script = code if language == "python" else f"python3 - <<'E'\nfrom tools import get_user, names; {code}\nE"
    said = ScriptedTool("api", tools=tools, language=language).execute_sync(script).stderr
    assert said.splitlines()[-1].startswith(last.rstrip("\n"))
    assert "hint" not in ScriptedTool("api", tools=tools, language=language, hints=False).execute_sync(script).stderr


def test_code_that_is_checked_does_not_run_again():
    calls = []
    tool = ScriptedTool("api", tools=[(ToolDef("note", "Note"), lambda args: calls.append(1) or "")], language="python")
    assert "TypeError" in tool.execute_sync("note()\n1 + ''").stderr
    assert calls == [1]


def test_a_call_is_in_the_trace_with_its_line(api):
    result = api.execute_sync("python3 - <<'E'\nfrom tools import get_user\n\nget_user(id=3)\nE")
    assert [(call.tool, call.line, call.within, call.arguments["id"]) for call in result.trace] == [("get-user", 3, "python3", 3)]


def test_a_policy_counts_for_it_too(api):
    api.policy = Policy(decide=lambda call: "deny")
    result = api.execute_sync("python3 -c 'from tools import get_user; get_user(id=1)'")
    assert result.exit_code == 1
    assert "RuntimeError: get-user" in result.stderr


STUBS = {
    "types": (
        {"properties": {"a": {"type": "array", "items": {"type": "number"}}, "b": {"type": ["string", "null"]}, "c": {}}},
        "def t(a: list[float] = ..., b: str | None = ..., c: Any = ...) -> Any: ...",
    ),
    "unions": (
        {"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "object"}]}, "b": {"const": 3}}, "required": ["b"]},
        "def t(b: Literal[3], a: int | dict[str, Any] = ...) -> Any: ...",
    ),
    "references": (
        {
            "$defs": {"kind": {"enum": ["a", "b"]}, "base": {"properties": {"x": {"type": "integer"}}, "required": ["x"]}},
            "allOf": [{"$ref": "#/$defs/base"}],
            "properties": {
                "k": {"$ref": "#/$defs/kind", "default": "a"},
                "n": {"anyOf": [{"$ref": "#/$defs/kind"}, {"type": "null"}]},
                "l": {"type": "array", "items": {"$ref": "#/$defs/kind"}},
            },
        },
        "def t(x: int, k: Literal['a', 'b'] = 'a', n: Literal['a', 'b'] | None = ..., l: list[Literal['a', 'b']] = ...) -> Any: ...",
    ),
    "names": (
        {"properties": {"class": {"type": "boolean"}, "two-words": {"type": "string"}, "3d": {"type": "string"}}},
        "def t(class_: bool = ..., two_words: str = ..., _3d: str = ...) -> Any: ...",
    ),
}


@pytest.mark.parametrize(("schema", "expected"), STUBS.values(), ids=STUBS)
def test_a_declaration(schema, expected):
    assert stub(ToolDef("t", "T", {"type": "object"} | schema)) == expected


def test_the_prompt_says_so_only_where_it_is_asked_for():
    tools = [(ToolDef("get-user", "Get a user", USER), dict)]
    assert "python" not in ScriptedTool("api", tools=tools).system_prompt()
    assert "from tools import get_user" in ScriptedTool("api", tools=tools, python=True).system_prompt()
    assert ScriptedTool("api", tools=tools, python=False).execute_sync("python3 -c 1").exit_code == 127


def test_what_is_asked_for_must_be_installed(monkeypatch):
    monkeypatch.setattr(_python, "is_installed", lambda: False)
    with pytest.raises(DefinitionError, match=r"needs the extra python: pip install 'bashkit-toolsets\[python\]'"):
        ScriptedTool("api", python=True)


def test_a_toolset_says_it(tmp_path):
    (tmp_path / "t.yaml").write_text(
        "version: 1\nname: t\npython: true\ntools:\n  - {name: a, callback: {executable: /bin/true}}\n"
    )
    assert "`python3` runs Python" in load(tmp_path / "t.yaml").tool.system_prompt()


def test_a_toolset_that_asks_for_what_is_missing_is_told_where(tmp_path, monkeypatch):
    monkeypatch.setattr(_python, "is_installed", lambda: False)
    (tmp_path / "t.yaml").write_text("version: 1\nname: t\npython: true\ntools: []\n")
    problems = check(tmp_path / "t.yaml")
    assert [(problem.line, problem.column) for problem in problems if "needs the extra python" in problem.message] == [(3, 9)]
