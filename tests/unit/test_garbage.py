"""What a session had is free with the last use of it: a server with many sessions does not wait for Python to look for garbage."""

import asyncio
import gc
import threading
import time
from functools import partial

import pytest

from bashkit import Bash, ScriptedTool, ToolDef
from bashkit.bash.session import Session

SCRIPTS = [
    "echo hi",
    "f() { trap 'echo bye' EXIT; echo $x; }; f; x=(1 2); echo 1 | cat; (cd /; pwd) & wait; ls /usr/bin /proc",
    "echo 'a' | { read x; echo $x; exit 3; }; ${",
    "awk '{ print $1 | \"sort\" } END { exit 2 }' /data; awk 'BEGIN { x = 1 / 0 }'; uptime; cat /proc/uptime; ls /proc/self",
    "f() { echo $1; }; f a | cat; x=$(echo b); cat <<< hi; exec 3< <(echo hi); cat <&3",
    "trap 'echo end' EXIT; set -e; false",
    "exit 3",
    "(exit 3); x=$(exit 4); for i in 1 2; do for j in 1; do continue 2; done; done; while :; do break; done",
    "sleep 100 & kill %1; wait",
    "echo $((1 / 0)); ${x?unset}; nosuch",
    "f() { f; }; f",
    "echo 'unfinished",
    "while :; do :; done",
    "kill $$",
    "note a | note; note & wait",
    "[[ a =~ (a) ]]; declare -A m=([k]=v); eval 'alias x=y'; coproc cat; wait",
]


def _left(*runs):
    """Which of some functions leave a session that they have dropped, without a collection, each by its number and theirs."""
    for run in runs:
        run()  # what is made once is made
    gc.collect()
    gc.disable()
    try:
        left = {}
        for number, run in enumerate(runs):
            before = _sessions()
            run()
            end = time.monotonic() + 10
            while (found := len(_sessions().keys() - before)) and time.monotonic() < end:
                time.sleep(0.01)  # the thread that listens to a process may still look at it
            left |= {number: found} if found else {}
        return left
    finally:
        gc.enable()


def _sessions():
    """Those that there are, by their identities, which no other can have as long as they are known here."""
    return {id(one): one for one in gc.get_objects() if isinstance(one, Session)}


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_a_session_is_no_garbage(isolation):
    options = {"custom_builtins": {"note": lambda _: "noted\n"}, "max_commands": 2000, "files": {"/data": "x"}}

    def run(script):
        Bash(isolation=isolation, **options).execute_sync(script, stdin="in")

    assert _left(*(partial(run, script) for script in SCRIPTS)) == {}


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_nor_is_one_whose_output_is_followed_or_that_was_saved(isolation):
    def run():
        first = Bash(isolation=isolation)
        asyncio.run(first.execute("x=1; echo out; echo err >&2; sleep 0.01; echo more", on_output=lambda out, err: None))
        second = Bash(isolation=isolation)
        second.restore(first.snapshot())
        assert second.execute_sync("echo $x").stdout == "1\n"
        second.restore(first.snapshot())

    assert _left(run) == {}


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_nor_is_that_of_a_tool(isolation):
    async def slow(_):
        await asyncio.sleep(0.001)
        return 2

    tools = [(ToolDef("one", "Gives one"), lambda _: 1), (ToolDef("slow", "Takes time"), slow)]
    tool = ScriptedTool("numbers", tools=tools, isolation=isolation)
    tool.execute_sync("one; slow & slow; wait; one | jq .a.b; exit 3")
    assert _left(lambda: tool.execute_sync("one; slow & slow; wait; one | jq .a.b; exit 3")) == {}


@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize("script", ["while :; do :; done", "slow & while :; do slow | cat; done"])
def test_nor_is_one_that_was_cancelled(isolation, script):
    begun = threading.Event()

    async def slow(_):
        begun.set()
        await asyncio.sleep(0.001)
        return 2

    tool = ScriptedTool("numbers", tools=[(ToolDef("slow", "Takes time"), slow)], isolation=isolation)

    async def run():
        begun.clear()
        running = asyncio.create_task(tool.execute(f"slow; {script}"))
        await asyncio.to_thread(begun.wait, 60)
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    assert _left(lambda: asyncio.run(run())) == {}
