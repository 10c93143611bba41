"""Plain functions: what frameworks that make tools of functions find in their signatures, and read when they call them."""

import asyncio
import inspect
import json
import typing
from copy import deepcopy
from typing import Any, Literal

import pytest

from bashkit import BashTool, ScriptedTool, ToolDef, ToolError
from bashkit.integrations.functions import bash_tool, tools

SCHEMA = {
    "type": "object",
    "properties": {
        "since": {"type": "string", "description": "First day"},
        "user-id": {"type": "integer"},
        "class": {"enum": ["first", "second"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "filter": {"type": "object"},
        "limit": {"type": ["integer", "string"]},
        "self": {"$ref": "#/$defs/flag"},
    },
    "required": ["user-id"],
    "$defs": {"flag": {"type": "boolean"}},
}


def refuse(args):
    raise ToolError("no such user", 3)


@pytest.fixture
def desk():
    found = [(ToolDef("list-orders", "List orders", SCHEMA), dict), (ToolDef("pdf.pages", "Count pages"), refuse)]
    return ScriptedTool("my-desk", "A desk", tools=found)


def test_a_function_that_takes_a_script(desk):
    run = bash_tool(desk)
    assert (run.__name__, str(inspect.signature(run))) == ("my_desk", "(commands: str) -> str")
    assert typing.get_type_hints(run) == {"commands": str, "return": str}
    assert run.__doc__.startswith(desk.system_prompt())
    assert "Args:\n    commands: Bash commands to execute" in run.__doc__
    assert bash_tool(desk, with_prompt=False).__doc__.startswith(desk.description())
    assert json.loads(run("echo hi; exit 3")) == {"stdout": "hi\n", "stderr": "", "exit_code": 3}


def test_a_function_for_each_command(desk):
    orders, pages = tools(desk)
    assert (orders.__name__, pages.__name__) == ("list_orders", "pdf_pages")
    assert orders.__doc__ == "List orders\n\nArgs:\n    since: First day"
    assert typing.get_type_hints(orders) == {
        "user_id": int,
        "since": str | None,
        "class_": Literal["first", "second"] | None,
        "tags": list[str] | None,
        "filter": dict[str, Any] | None,
        "limit": Any | None,
        "self": bool | None,
        "return": str,
    }
    assert json.loads(orders(5, class_="first", self=True, tags=["a"])) == {
        "user-id": 5,
        "class": "first",
        "self": True,
        "tags": ["a"],
    }
    assert json.loads(orders(user_id=5, since=None)) == {"user-id": 5}  # frameworks fill in defaults


def test_what_is_wrong_is_what_the_model_reads(desk):
    orders, pages = tools(desk)
    assert pages() == "no such user"
    assert orders(user_id="five") == "user-id: expected integer, got 'five'"
    assert "user-id is required" in orders()
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        orders(user_id=5, other=6)


@pytest.mark.parametrize(
    "make", [lambda desk: bash_tool(desk, asynchronous=True), lambda desk: tools(desk, asynchronous=True)[0]]
)
def test_coroutine_functions(desk, make):
    function = make(desk)
    assert inspect.iscoroutinefunction(function)
    assert "five" in asyncio.run(function("echo five"))


def test_a_copy_has_the_same_session():
    run = bash_tool(BashTool(persistent=True))
    run("x=1")
    assert json.loads(deepcopy(run)("echo $x"))["stdout"] == "1\n"
