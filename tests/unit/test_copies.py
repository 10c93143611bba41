"""Copies and pickles: what hosts and frameworks do with sessions, tools and errors besides using them."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from bashkit import Bash, BashError, BashTool, Offer, ScriptedTool, ToolDef, ToolError, load
from bashkit.errors import DefinitionError, LimitExceededError, Problem, ScriptTimeoutError, ToolsetError

OWNERS = {
    "session": (Bash, "restore(bash.snapshot())"),
    "tool": (lambda: ScriptedTool("shop", tools=[(ToolDef("buy", "Buy"), lambda args: "bought")]), "snapshot()"),
    "bash tool": (lambda: BashTool(persistent=True), "snapshot()"),
    "offer": (lambda: Offer(BashTool()), "make it in the process that uses it"),
}
ERRORS = [
    BashError(3, "out", "no such thing\n"),
    LimitExceededError("timeout", "too long"),
    ToolError("refused", 4, b"partly"),
    ScriptTimeoutError("run.py", 30, "so far"),
    ToolsetError([Problem("shop.yaml", 3, 7, "expected array, got integer")]),
    DefinitionError("a bad name"),
]


@pytest.fixture(params=OWNERS.values(), ids=list(OWNERS))
def owner(request):
    make, advice = request.param
    return make(), advice


def test_what_belongs_to_the_process_says_what_to_do_instead_of_pickling_it(owner):
    value, advice = owner
    with pytest.raises(TypeError, match="pickled") as raised:
        pickle.dumps(value)
    assert advice in str(raised.value)


def test_a_toolset_is_pickled_by_its_path(tmp_path):
    path = tmp_path / "shop.yaml"
    path.write_text("version: 1\nname: shop\ntools:\n  - {name: buy, description: Buy, callback: {script: echo bought}}\n")
    with pytest.raises(TypeError, match="pass its path"):
        pickle.dumps(load(path))


@pytest.mark.parametrize("used", [False, True])
def test_a_session_cannot_be_copied_whether_it_was_used_or_not(used):
    bash = Bash()
    if used:
        bash.execute_sync("x=1")
    for duplicate in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"restore\(bash\.snapshot\(\)\)"):
            duplicate(bash)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_an_agent_that_is_copied_has_the_same_tools_with_one_session(duplicate, tmp_path):
    tool = BashTool(persistent=True)
    tool.execute_sync("x=1")
    agent = {"tools": [tool]}
    same = duplicate(agent)["tools"][0]
    same.execute_sync("x=$((x + 1))")
    assert tool.execute_sync("echo $x").stdout == "2\n"


def test_a_toolset_that_is_copied_is_the_same_one(tmp_path):
    path = tmp_path / "shop.yaml"
    path.write_text("version: 1\nname: shop\ntools:\n  - {name: buy, description: Buy, callback: {script: echo bought}}\n")
    toolset = load(path)
    assert copy.deepcopy({"toolset": toolset})["toolset"].tool is toolset.tool


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_goes_through_a_pickle(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def fail(script):
    Bash().execute_sync_or_throw(script)


def test_the_error_of_a_script_in_a_pool_of_processes_reaches_the_host():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool, pytest.raises(BashError) as raised:
        pool.submit(fail, "echo so far; exit 7").result()
    assert (raised.value.exit_code, raised.value.stdout) == (7, "so far\n")
