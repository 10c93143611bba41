"""What goes wrong at the worst moment costs one answer, and leaves nothing behind."""

import asyncio
import gc
import os
import threading
from pathlib import Path

import pytest
from greenlet import greenlet

from bashkit import Bash, BuiltinResult, HostDirectory
from bashkit.interp.runtime.hub import Hub
from bashkit.sandbox.pool import pool

BUSY = """
trap 'echo trapped' EXIT
f() { local x=$1; echo "$x" | sed s/a/b/ | while read -r line; do echo "<$line>"; done; }
for i in {1..30}; do f "a$i" & done > out; wait
sort out | head -n 3 > top; x=$(cat top | tr a-z A-Z); echo "$x" > f; cat <(echo sub) f
call one | call two; diff <(seq 5) <(seq 6) > d; wc -l < d
find . -name '*' | xargs -n 1 echo | awk '{ n++ } END { print n }'
mapfile -t lines < out; echo ${#lines[@]}; eval 'echo evaluated'; (exit 3); echo $?
"""

LONG = """
for i in {1..200}; do echo $i | cat | sort > f; x=$(sleep 0; echo "$i"); { sleep 0; echo $x; } & wait $!; call $i | cat; done
"""


def open_files():
    """The descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0


def greenlets():
    """Greenlets that have begun and not ended."""
    gc.collect()
    return sum(isinstance(thing, greenlet) and bool(thing) for thing in gc.get_objects())


async def call(context):
    """A builtin that waits."""
    await asyncio.sleep(0)
    return f"{context.argv[0]} {context.stdin or ''}\n"


class Interrupt:
    """Does something when a task of the script gives way for the so-manieth time."""

    def __init__(self, monkeypatch, when, what):
        self.left = when
        suspend = Hub.suspend

        def counted(hub):
            self.left -= 1
            if self.left == 0:
                what(hub)
            suspend(hub)

        monkeypatch.setattr(Hub, "suspend", counted)


def points(script):
    """How often the tasks of a script give way."""
    with pytest.MonkeyPatch.context() as patch:
        counter = Interrupt(patch, 1 << 60, None)
        Bash(custom_builtins={"call": call}).execute_sync(script)
        return (1 << 60) - counter.left


STEP = int(os.environ.get("BASHKIT_FAULT_STEP", "7"))  # 1: each of a thousand points, in 20 s


@pytest.mark.parametrize(
    ("script", "least", "step"),
    [pytest.param(BUSY, 40, 1, id="busy"), pytest.param(LONG, 1000, STEP, id="long", marks=pytest.mark.thorough)],
)
def test_cancelling_at_each_yield_point_leaves_nothing(script, least, step):
    bash = Bash(custom_builtins={"call": call})
    whole = bash.execute_sync(script)
    assert (whole.error, whole.exit_code) == (None, 0)
    count = points(script)
    assert count > least
    files, began, cancelled = open_files(), greenlets(), 0
    for when in range(1, min(count, 1000), step):
        with pytest.MonkeyPatch.context() as patch:
            Interrupt(patch, when, Hub.cancel)
            result = bash.execute_sync(script)
        assert (result.error, result.exit_code) in {("cancelled", 130), (None, 0)}  # the last wait may be the script's end
        cancelled += result.error is not None
    assert cancelled > least / 2 / step
    assert bash.execute_sync(script).stdout == whole.stdout
    assert open_files() <= files  # fewer, where an idle process of an earlier test ended meanwhile
    assert greenlets() <= began + 40  # those that wait for work


def test_an_exception_at_each_yield_point_is_no_traceback(caplog):

    def fail(hub):
        raise RuntimeError("a fault")

    for when in range(1, points(BUSY)):
        with pytest.MonkeyPatch.context() as patch:
            Interrupt(patch, when, fail)
            result = Bash(custom_builtins={"call": call}).execute_sync(BUSY)
        assert result.error in {None, "internal"}
        assert "Traceback" not in result.stdout + result.stderr


@pytest.mark.thorough
def test_a_sandbox_process_may_be_killed_at_any_moment():
    bash = Bash(isolation="process", custom_builtins={"call": call})
    bash.execute_sync("x=kept; echo kept > file")
    files, threads = open_files(), threading.active_count()
    errors = set()

    def kill(_):
        for worker in list(pool._lent):
            worker.kill()
            assert worker.ended.wait(60)  # else it might end in the middle of one of the next scripts

    for when in range(1, 60):
        with pytest.MonkeyPatch.context() as patch:
            Interrupt(patch, when, kill)
            result = bash.execute_sync("echo begun; x=lost; rm file; for i in {1..10}; do call $i | call again; done; echo ended")
        errors.add(result.error)
        assert result.error in {None, "crash"}
        if result.error is None:
            while bash.execute_sync("x=kept; echo kept > file").error:
                pass  # the process that was killed at the very end
        after = bash.execute_sync("echo $x; cat file")
        assert (after.stdout, after.stderr, after.error) == ("kept\nkept\n", "", None), (when, result)
    assert "crash" in errors
    assert open_files() <= files + 6
    assert threading.active_count() <= threads + 6


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_callbacks_misbehave(isolation):
    def flood(context):
        return "x" * (1 << 20)

    def fork(context):
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        return str(os.waitpid(pid, 0)[1])

    def back(context):
        return bash.execute_sync("true").stdout

    def other(context):
        return Bash(isolation=isolation).execute_sync("echo another session").stdout

    def leave(context):
        raise SystemExit(3)

    async def hang(context):
        await asyncio.Event().wait()

    builtins = {
        "flood": flood, "fork": fork, "back": back, "other": other, "leave": leave, "hang": hang,
        "fail": lambda _: 1 / 0, "odd": lambda _: BuiltinResult(exit_code=7), "wrong": lambda _: object(),
    }  # fmt: skip
    bash = Bash(isolation=isolation, custom_builtins=builtins)
    assert bash.execute_sync("flood | wc -c; fork; echo; back; other; odd; echo $?").stdout == "1048576\n0\nanother session\n7\n"
    result = bash.execute_sync("fail; echo $?; leave; echo $?; timeout 0.1 hang; echo $?; echo alive")
    assert result.stdout == "1\n1\n124\nalive\n"
    assert "Traceback" not in result.stderr


def test_the_disk_of_the_host_refuses(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    bash = Bash(mounts={"/m": HostDirectory(tmp_path, writable=True)})

    def full(*_):
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        patch.setattr(os, "pwrite", full)
        result = bash.execute_sync("echo text > /m/new; echo $?; cat /m/file")
    assert result.stdout == "1\nx"
    assert "No space left on device" in result.stderr
    assert bash.execute_sync("echo text > /m/new; cat /m/new").stdout == "text\n"


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_many_scripts_leave_nothing(isolation):
    async def some(count):
        sessions = [Bash(isolation=isolation, custom_builtins={"call": call}) for _ in range(8)]
        for _ in range(count):
            await asyncio.gather(*(bash.execute("echo a | call b | sort; x=$(call c)") for bash in sessions))

    asyncio.run(some(2))
    gc.collect()
    files, threads = open_files(), threading.active_count()
    asyncio.run(some(10))
    gc.collect()
    assert open_files() <= files + 2
    assert threading.active_count() <= threads + 10
