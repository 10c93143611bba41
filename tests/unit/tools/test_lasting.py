"""What a host does with the session of a persistent tool, be it a BashTool or a ScriptedTool."""

import asyncio
import sys
import threading
from functools import partial

import pytest

from bashkit import BashkitError, BashTool, ExecutionLimits, MemoryFileSystem, ScriptedTool, Snapshot, ToolDef
from bashkit.errors import DefinitionError

MAKES = pytest.mark.parametrize("make", [BashTool, partial(ScriptedTool, "work")], ids=["bash", "scripted"])


@MAKES
def test_state_lasts_until_it_is_reset(make):
    tool = make(persistent=True, cwd="/w", env={"A": "1"}, files={"/w/f": "first\n"})
    tool.execute_sync("x=5; f() { echo $x$A; }; echo second >> f; cd /tmp")
    assert tool.execute_sync("pwd; f; cat /w/f").stdout == "/tmp\n51\nfirst\nsecond\n"
    assert (tool.shell_state().cwd, tool.fs.read_file("/w/f")) == ("/tmp", b"first\nsecond\n")
    tool.reset()
    assert tool.execute_sync("pwd; echo [$x]$A; cat f").stdout == "/w\n[]1\nfirst\n"


@MAKES
def test_a_fresh_shell_each_time_is_the_default(make):
    tool = make()
    tool.execute_sync("x=5")
    assert tool.execute_sync("echo [$x]").stdout == "[]\n"
    for use in (lambda: tool.fs, tool.snapshot, tool.shell_state, lambda: tool.restore(None)):
        with pytest.raises(BashkitError, match="not persistent"):
            use()


@MAKES
@pytest.mark.parametrize("persistent", [False, True])
def test_mounts_come_at_any_time_and_outlive_a_reset(make, persistent):
    shared = MemoryFileSystem()
    tool = make(persistent=persistent)
    tool.execute_sync("x=5")
    tool.mount("/shared", shared)
    tool.mount("/corpus", shared, read_only=True)
    for number in "12":
        result = tool.execute_sync(f"echo {number} > /shared/n; cat /corpus/n; echo no > /corpus/n")
        assert (result.stdout, result.stderr) == (f"{number}\n", "bash: line 1: /corpus/n: Read-only file system\n")
        tool.reset()
    with pytest.raises(DefinitionError, match="not an absolute path"):
        tool.mount("corpus", shared)


@MAKES
def test_mounts_are_undone(make):
    tool = make(persistent=True, mounts={"/a": MemoryFileSystem()})
    tool.mount("/b", MemoryFileSystem())
    tool.execute_sync("echo x > /b/x")
    tool.unmount("/a")
    tool.unmount("/b")
    assert tool.execute_sync("ls /a /b").stdout == "/a:\n\n/b:\n"
    tool.reset()
    assert tool.execute_sync("ls /a /b").exit_code == 2
    with pytest.raises(OSError, match="Invalid argument"):
        tool.unmount("/b")


@MAKES
def test_a_snapshot_is_gone_back_to(make):
    tool = make(persistent=True)
    tool.execute_sync("x=5; echo one > f")
    kept = tool.snapshot()
    tool.execute_sync("x=6; rm f")
    tool.restore(kept)
    assert tool.execute_sync("echo $x; cat f").stdout == "5\none\n"
    other = make(persistent=True)
    other.restore(Snapshot.from_bytes(kept.to_bytes()))
    assert other.execute_sync("echo $x; cat f").stdout == "5\none\n"


async def test_executions_of_a_bash_tool_take_turns():
    tool = BashTool(persistent=True)
    tasks = [asyncio.create_task(tool.execute("m=$n; sleep 0.001; n=$((m + 1)); echo $n")) for _ in range(6)]
    await asyncio.sleep(0)
    tasks[2].cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert [one.stdout for one in done if not isinstance(one, BaseException)] == ["1\n", "2\n", "3\n", "4\n", "5\n"]


@pytest.mark.parametrize("persistent", [False, True])
def test_builtins_and_variables_of_a_bash_tool_come_and_go(persistent):
    tool = BashTool(persistent=persistent, builtins={"cat": lambda context: "mine\n"})
    tool.execute_sync("x=5")
    tool.add_builtin("greet", lambda context: f"hello {' '.join(context.argv)}\n")
    tool.env("WHO", "you")
    assert tool.execute_sync("greet $WHO; cat").stdout == "hello you\nmine\n"
    assert ("greet" in tool.description(), dict(tool.env)) == (True, {"WHO": "you"})
    tool.remove_builtin("greet")
    tool.remove_builtin("cat")
    assert tool.execute_sync("greet 2>&1; echo file | cat").stdout == "bash: line 1: greet: command not found\nfile\n"
    for wrong in (lambda: tool.remove_builtin("greet"), lambda: tool.add_builtin("a/b", print), lambda: tool.env("a=b", "")):
        with pytest.raises(DefinitionError):
            wrong()
    assert BashTool(filesystem="none").execute_sync("echo x > /f").exit_code == 1


def test_the_prompt_says_what_lasts():
    built = BashTool.builder().persistent().cwd("/w").build()
    assert "last from one call to the next" in built.system_prompt()
    assert built.execute_sync("pwd").stdout == "/w\n"
    assert "last from" not in BashTool().system_prompt()


def test_limits_are_built_step_by_step():
    limits = ExecutionLimits()
    few = limits.updated(max_commands=5).updated(timeout=2.5, max_words=None)
    assert few == ExecutionLimits(max_commands=5, timeout=2.5)
    assert limits == ExecutionLimits()
    for wrong in ({"max_commands": 0}, {"max_commanding": 5}):
        with pytest.raises(DefinitionError, match="max_command"):
            limits.updated(**wrong)


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_a_callback_cannot_run_a_script_in_the_session_that_waits_for_it(isolation):
    def within(args):
        return tool.execute_sync("echo within").stdout

    async def within_async(args):
        return (await tool.execute("echo within")).stdout

    callbacks = [(ToolDef("within", "d"), within), (ToolDef("within_async", "d"), within_async)]
    limits = ExecutionLimits(timeout=20)
    tool = ScriptedTool("work", tools=callbacks, persistent=True, isolation=isolation, limits=limits)
    for name in ("within", "within_async"):
        refused = (
            f"{name}: the session is running the script whose callback this is; a script within it needs a tool of its own\n"
        )
        assert tool.execute_sync(name).stderr == refused
        assert asyncio.run(tool.execute(name)).stderr == refused
    assert tool.execute_sync("echo after").stdout == "after\n"


def test_the_callback_of_another_session_is_seen_through():
    def first_again(args):
        return first.execute_sync("echo first").stdout

    def second_script(args):
        return second.execute_sync("first_again").stderr

    first = ScriptedTool("first", tools=[(ToolDef("second_script", "d"), second_script)], persistent=True)
    second = ScriptedTool("second", tools=[(ToolDef("first_again", "d"), first_again)], persistent=True)
    assert "whose callback this is" in first.execute_sync("second_script").stdout


def test_what_a_callback_leaves_to_its_event_loop_has_its_turn_later():
    later = []

    async def main():
        async def leave(args):
            later.append(asyncio.create_task(after()))

        async def after():
            await ended.wait()
            return (await tool.execute("echo later")).stdout

        ended = asyncio.Event()
        tool = ScriptedTool("work", tools=[(ToolDef("leave", "d"), leave)], persistent=True)
        await tool.execute("leave")
        ended.set()
        return await later[0]

    assert asyncio.run(main()) == "later\n"


@pytest.fixture
def often():
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@MAKES
def test_several_threads_may_be_the_first_to_use_a_session(make, often):
    for _ in range(10):
        tool, begin = make(persistent=True), threading.Barrier(6)

        def use(tool=tool, begin=begin):
            begin.wait()
            tool.execute_sync("x=1$x")

        threads = [threading.Thread(target=use) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert tool.execute_sync("echo $x").stdout == "111111\n"


async def test_who_waits_for_a_turn_hears_and_changes_nothing_of_the_one_before():
    going, told, shells = asyncio.Event(), [], []

    async def work(args):
        await going.wait()
        args.progress(1, message=args["name"])
        return f"{args['name']}\n"

    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    tool = ScriptedTool("work", tools=[(ToolDef("work_on", "Work", schema), work)], persistent=True)
    tool.on_shell = lambda bash: shells.append(bash.fs.exists("/tmp/one"))

    def start(name):
        script = f"work_on --name {name}; echo > /tmp/{name}"
        return asyncio.create_task(
            tool.execute_with_status(script, lambda status: status.phase == "call" and told.append((name, status.message)))
        )

    running = [start("one"), start("two")]
    for _ in range(10):
        await asyncio.sleep(0)
    going.set()
    await asyncio.gather(*running)
    assert told == [("one", "work_on: one"), ("two", "work_on: two")]
    assert shells == [False, True]
