"""Setup and teardown of a toolset, and the thread of its functions."""

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import CancelledError

import pytest

from bashkit.errors import LifespanError
from bashkit.toolset import load

MODULE = """
import asyncio, contextlib, sqlite3, threading

events = []
connection = sqlite3.connect(":memory:")

def here(): return threading.current_thread().name
def note(event): events.append(event)
def on_loop():
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True

def connect(env): note("connect " + env["REGION"]); return {"at": env["REGION"], "on_loop": on_loop()}
def disconnect(state): note(f"disconnect {state['at']} {on_loop()}")
async def connect_later(): note("connect"); await asyncio.sleep(0); return {"at": "later", "on_loop": on_loop()}
async def disconnect_later(state): note(f"disconnect {state['at']} {on_loop()}")
def generator(): note("begin"); yield {"at": "generator", "on_loop": on_loop()}; note(f"end {on_loop()}")
async def async_generator(): note("begin"); yield {"at": "async", "on_loop": on_loop()}; note(f"end {on_loop()}")
manager = contextlib.contextmanager(generator)
async_manager = contextlib.asynccontextmanager(async_generator)
def just(): note("just"); return {"at": "just", "on_loop": on_loop()}
def last(): note(f"last {on_loop()}")
failing = [True]
def fails():
    note("try")
    if failing: raise RuntimeError("no connection")
    return {"at": "at last", "on_loop": on_loop()}
async def fails_later(): return fails()
def fails_at_the_end(): raise RuntimeError("no end")

def show(args): return args.state
async def show_later(args): return args.state
def typed(word: str, args: "ToolArgs") -> dict: return {"word": word} | args.state
def stream(args): yield from [args.state["at"]] * 2
def thread(args): return here() + "\\n"
def rows(args): return connection.execute("with v(id) as (values (1), (2)) select id from v")
def lazy(args): return (here() + "\\n" for _ in range(2))
"""
TOOLS = ("show", "show_later", "typed", "stream", "thread", "rows", "lazy")


@pytest.fixture
def name(request):
    """A module of its own name: what is imported stays imported for the whole test run."""
    return f"lifespan_{abs(hash(request.node.name))}"


@pytest.fixture
def opened(folder, name):
    def opened(text):
        folder.write(f"{name}.py", MODULE)
        tools = "".join(f"  - {{name: {tool}, callback: {{python: {name}.{tool}}}}}\n" for tool in TOOLS)
        folder.write("t.yaml", f"version: 1\nname: t\nenv: {{REGION: eu}}\n{text.replace('MODULE', name)}tools:\n{tools}")
        return load(folder.path / "t.yaml", environ={})

    return opened


def events(name):
    return sys.modules[name].events


KINDS = [
    ("setup: MODULE.connect\nteardown: MODULE.disconnect\n", "eu", False, ["connect eu", "disconnect eu False"]),
    ("setup: MODULE.connect_later\nteardown: MODULE.disconnect_later\n", "later", True, ["connect", "disconnect later True"]),
    ("setup: MODULE.connect\nteardown: MODULE.disconnect_later\n", "eu", False, ["connect eu", "disconnect eu True"]),
    ("setup: MODULE.connect_later\nteardown: MODULE.last\n", "later", True, ["connect", "last False"]),
    ("setup: MODULE.generator\n", "generator", False, ["begin", "end False"]),
    ("setup: MODULE.async_generator\n", "async", True, ["begin", "end True"]),
    ("setup: MODULE.manager\n", "generator", False, ["begin", "end False"]),
    ("setup: MODULE.async_manager\n", "async", True, ["begin", "end True"]),
    ("setup: MODULE.just\n", "just", False, ["just"]),
    ("thread: same\nsetup: MODULE.generator\n", "generator", False, ["begin", "end False"]),
    ("thread: same\nsetup: MODULE.async_generator\n", "async", True, ["begin", "end True"]),
]
SCRIPT = "show & show_later & typed --word x & wait; stream; show | tail -1 >/dev/null"


def check(response, at, on_loop):
    state = f'{{"at":"{at}","on_loop":{str(on_loop).lower()}}}'
    typed = f'{{"word":"x",{state[1:]}'
    assert response.stderr == ""
    assert sorted(response.stdout.splitlines()) == sorted([state, state, typed, at + at])


@pytest.mark.parametrize(("text", "at", "on_loop", "expected"), KINDS)
def test_setup_runs_once_before_the_first_call_and_teardown_at_the_end(opened, name, text, at, on_loop, expected):
    with opened(text) as toolset:
        assert name not in sys.modules
        check(toolset.tool.execute_sync(SCRIPT), at, on_loop)
        assert events(name) == expected[:1]
    assert events(name) == expected
    toolset.close()
    assert events(name) == expected
    check(toolset.tool.execute_sync(SCRIPT), at, on_loop)
    toolset.close()
    assert events(name) == expected * 2


@pytest.mark.parametrize(("text", "at", "on_loop", "expected"), KINDS)
async def test_so_it_is_on_an_event_loop(opened, name, text, at, on_loop, expected):
    async with opened(text) as toolset:
        for response in await asyncio.gather(toolset.tool.execute(SCRIPT), toolset.tool.execute(SCRIPT)):
            check(response, at, on_loop)
    assert events(name) == expected


async def test_a_sync_teardown_is_never_on_the_event_loop_even_if_close_is(opened, name):
    toolset = opened("setup: MODULE.generator\n")
    await toolset.tool.execute("show")
    toolset.close()
    assert events(name) == ["begin", "end False"]


@pytest.mark.parametrize("setup", ["fails", "fails_later"])
def test_a_setup_that_fails_says_where_it_is_declared_and_is_tried_again(opened, name, folder, setup):
    toolset = opened(f"setup: MODULE.{setup}\nteardown: MODULE.last\n")
    seen = []
    tool = toolset.make_tool(on_error=lambda call, error: seen.append(error))
    assert tool.execute_sync("show").exit_code == 1
    assert isinstance(seen[0], LifespanError)
    assert str(seen[0]) == f"{folder.path}/t.yaml:4:8: setup failed: RuntimeError: no connection"
    toolset.close()
    sys.modules[name].failing.clear()
    assert '"at last"' in tool.execute_sync("show").stdout
    toolset.close()
    assert events(name) == ["try", "try", "last False"]


def test_the_teardown_runs_when_a_script_failed_and_everything_is_closed_when_it_fails(opened, name, folder):
    toolset = opened("setup: MODULE.just\nteardown: MODULE.fails_at_the_end\n")
    with pytest.raises(LifespanError, match=r"t.yaml:5:11: teardown failed: RuntimeError: no end"), toolset:
        assert toolset.tool.execute_sync("show; nothing").exit_code == 127
    toolset.close()


def test_without_a_call_nothing_is_set_up(opened, name):
    with opened("setup: MODULE.just\nteardown: MODULE.last\n") as toolset:
        toolset.tool.execute_sync("true")
    assert name not in sys.modules


def test_the_teardown_runs_when_the_program_ends(opened, folder):
    opened("setup: MODULE.generator\n")
    module = next(folder.path.glob("lifespan_*.py"))
    module.write_text(MODULE.replace("def note(event): events.append(event)", "def note(event): print(event, flush=True)"))
    script = "import sys, bashkit\nbashkit.load(sys.argv[1]).tool.execute_sync('show')"
    done = subprocess.run([sys.executable, "-c", script, folder.path / "t.yaml"], capture_output=True, text=True, check=True)
    assert done.stdout == "begin\nend False\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("setup: MODULE.xyz\n", "4:8: the module MODULE has no function xyz"),
        ("teardown: MODULE.events\n", "4:11: MODULE.events is a list, not a function"),
        ("setup: 3\n", '4:8: expected string, got integer | write "3" in quotes'),
        ("setup: connect\n", "4:8: a Python function is a dotted path: module.function"),
        ("thread: one\n", "4:9: expected any or same, got 'one'"),
    ],
)
def test_mistakes_are_reported_with_their_place(folder, name, text, problem):
    folder.write(f"{name}.py", MODULE)
    yaml = f"version: 1\nname: t\ndescription: Test\n{text}tools: [{{name: show, callback: {{python: MODULE.show}}}}]\n"
    assert folder.problems(yaml.replace("MODULE", name), resolve=True) == [problem.replace("MODULE", name)]


# -- threads -----------------------------------------------------------------------------------------------------------


def test_all_sync_functions_run_in_one_thread_if_the_file_says_so(opened):
    toolset = opened("thread: same\n")
    names = set(toolset.tool.execute_sync("thread & thread & wait; lazy; thread").stdout.splitlines())
    assert len(names) == 1
    assert names == set(opened("thread: same\n").tool.execute_sync("thread & lazy & wait").stdout.splitlines())
    assert threading.current_thread().name not in names


def test_a_connection_of_a_module_is_used_in_the_thread_that_made_it(opened):
    for toolset in (opened("thread: same\n"), opened("thread: same\n")):
        response = toolset.tool.execute_sync("rows & rows & rows & wait; rows | head -1")
        assert (sorted(response.stdout.split()), response.stderr) == (['{"id":1}'] * 4 + ['{"id":2}'] * 3, "")


def test_a_call_that_is_given_up_before_its_turn_is_not_made(opened):
    toolset = opened("thread: same\n")
    made = []
    go = threading.Event()
    one = next(item.callback for item in toolset.declared if item.definition.name == "thread").thread
    threading.Thread(target=lambda: one.run(go.wait), daemon=True).start()
    threading.Timer(0.01, go.set).start()
    with pytest.raises(CancelledError):
        one.run(lambda: made.append(1), abandoned=lambda: True)
    assert toolset.tool.execute_sync("thread").exit_code == 0
    assert not made
