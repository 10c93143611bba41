"""isolation="process": the same answers as without it, a host that stays the host, and processes that end."""

import asyncio
import os
import signal
import subprocess
import sys
import threading

import pytest

from bashkit import Bash, BashkitError, BuiltinResult, HostDirectory, LazyFile, MemoryFileSystem, Overlay, Snapshot, VirtualClock
from bashkit.bash.isolated.execution import IsolatedExecution
from bashkit.bash.snapshot import read_session
from bashkit.errors import DefinitionError
from bashkit.sandbox import configure
from bashkit.sandbox.pool import Worker, pool
from bashkit.sandbox.zygote import OUT_OF_MEMORY
from bashkit.worker import serving


def sandboxed(**options):
    return Bash(isolation="process", **options)


def shown(context):
    """A builtin that tells what it sees."""
    return f"{context.name} {context.argv} {context.stdin!r} {context.cwd} {context.env.get('A')}\n"


SCRIPTS = [
    "echo out; echo err >&2; exit 3",
    "x=5; f() { echo $((x * $1)); }; f 3; f 4 | cat",
    "for i in {1..3}; do echo $i; done | sort -r > f; cat f; ls",
    "set -e; false; echo never",
    "echo 'unfinished",
    "no_such_command",
    'read line; echo "got $line"',
    "printf 'a\\xffb'",
    "sleep 1 & wait; echo $?; kill $$",
    "trap 'echo bye' EXIT; exit 7",
    "yes | head -n 3; echo ${PIPESTATUS[@]}",
    "shown a b; echo in | shown; cd /tmp; A=7 shown; shown < /dev/null",
    "printf 'one\\ntwo\\nthree\\n' | { read a; shown; read b; echo \"$a $b\"; }",
    "shown | head -c 3; yes | shown | head -c 1 > /dev/null; echo done",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_results_are_those_of_the_same_process(script):
    options = {"custom_builtins": {"shown": shown}, "env": {"A": "1"}, "max_memory": 8 << 20, "clock": VirtualClock(1e9)}
    here = Bash(**options).execute_sync(script, stdin="first\nsecond\n")
    options["clock"] = VirtualClock(1e9)
    assert sandboxed(**options).execute_sync(script, stdin="first\nsecond\n") == here


def test_a_session_goes_on():
    bash = sandboxed()
    bash.execute_sync("x=5; f() { echo f$x; }; cd /tmp; echo text > file; set -u; alias ll=ls")
    assert bash.execute_sync("f; pwd; cat file; echo $-").stdout == "f5\n/tmp\ntext\nhuBc\n"


def test_a_session_goes_on_in_another_process():
    first, second = sandboxed(), sandboxed()
    first.execute_sync("x=first; echo 1 > f")
    for worker in list(pool._idle):
        worker.holds = None  # as if another session had used it
    second.execute_sync("x=second; echo 2 > f")
    assert first.execute_sync("echo $x; cat f").stdout == "first\n1\n"
    assert second.execute_sync("echo $x; cat f").stdout == "second\n2\n"


@pytest.fixture
def settings():
    """What ``configure`` sets is set back; no process of an earlier test is there."""
    most, shared = pool.most, pool.shared
    pool.close()
    yield
    pool.close()
    pool.most, pool.shared = most, shared


@pytest.mark.usefixtures("settings")
def test_sessions_need_not_share_processes():
    used = []

    def note(_):
        used.extend(worker.number for worker in pool._lent)

    def processes():
        used.clear()
        first, second = (sandboxed(custom_builtins={"note": note}) for _ in range(2))
        for bash in (first, second, first):
            bash.execute_sync("note")
        return used

    configure(shared=True)
    assert len(set(processes())) == 1
    configure(shared=False)
    one, other, again = processes()
    assert one != other
    assert one == again


@pytest.mark.usefixtures("settings")
def test_what_a_session_had_leaves_room_for_the_next():
    pool.close()
    files, used = {"/big": b"x" * (16 << 20)}, set()
    for _ in range(24):
        bash = sandboxed(files=files, custom_builtins={"note": lambda _: used.update(one.number for one in pool._lent)})
        result = bash.execute_sync("note; wc -c < /big; cp /big /copy")
        assert (result.stdout, result.stderr, result.exit_code) == (f"{16 << 20}\n", "", 0)
    assert len(used) == 1


@pytest.mark.usefixtures("settings")
def test_a_process_that_is_worn_is_replaced(monkeypatch):
    pool.close()
    took = IsolatedExecution._end_with

    def worn(execution, frame, arrival):
        frame.fields[0]["worn"] = execution.script == "x=2"
        took(execution, frame, arrival)

    monkeypatch.setattr(IsolatedExecution, "_end_with", worn)
    bash = sandboxed()
    for script, processes in (("x=1", 1), ("x=2", 0), ("echo $x", 1)):
        result = bash.execute_sync(script)
        assert (result.error, len(pool._idle)) == (None, processes)
    assert result.stdout == "2\n"


def test_a_process_needs_no_extra():
    program = "import sys; sys.modules['pydantic_monty'] = None; from bashkit.worker import preload; preload(); print('ready')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout == "ready\n"


@pytest.mark.usefixtures("settings")
def test_a_zygote_that_cannot_load_what_it_needs_says_so(monkeypatch):
    pool.close()
    monkeypatch.setattr("bashkit.sandbox.pool.ENTRY", "bashkit.no_such_worker")
    bash = sandboxed()
    assert bash.execute_sync("echo never").error in {"internal", "crash"}
    with pytest.raises(BashkitError, match="no sandbox process can be started: ModuleNotFoundError"):
        sandboxed().execute_sync("echo never")


def test_a_process_that_needed_much_memory_is_worn(monkeypatch):
    most = iter([100 << 20, 149 << 20, 151 << 20])
    monkeypatch.setattr(serving, "_most_in_use", lambda: next(most))
    server = serving.Server(None, None, 100 << 20)
    assert [server.worn, server.worn] == [False, True]


@pytest.mark.parametrize(
    ("status", "killed", "name"),
    [
        (OUT_OF_MEMORY << 8, False, "max_memory_bytes"),
        (signal.SIGKILL, False, "max_memory_bytes"),
        (signal.SIGKILL, True, "crash"),
        (signal.SIGSEGV, False, "crash"),
        (1 << 8, False, "crash"),
        (None, False, "crash"),
    ],
)
def test_what_ended_a_process(status, killed, name):
    worker = Worker.__new__(Worker)
    worker.status, worker.killed = status, killed
    assert worker.epitaph() == name


@pytest.mark.usefixtures("settings")
def test_a_script_waits_for_a_process():
    pool.close()
    configure(processes=2)
    busy = []

    async def note(_):
        busy.append(len(pool._lent))
        await asyncio.sleep(0)

    async def main():
        sessions = [sandboxed(custom_builtins={"note": note}, env={"N": str(n)}) for n in range(10)]
        return await asyncio.gather(*(bash.execute("note; echo $N") for bash in sessions))

    assert [result.stdout for result in asyncio.run(main())] == [f"{n}\n" for n in range(10)]
    assert max(busy) == 2
    with pytest.raises(DefinitionError, match="processes must be a whole number from 1 on, not 0"):
        configure(processes=0)


@pytest.mark.usefixtures("settings")
def test_a_process_that_ended_while_it_waited_costs_nothing(monkeypatch):
    pool.close()
    bash = sandboxed()
    bash.execute_sync("x=kept; echo kept > file")
    dead, found = list(pool._idle), pool._found
    for worker in dead:
        worker.kill()
        worker.ended.wait()
    pool._idle.clear()
    monkeypatch.setattr(pool, "_found", lambda *given: dead.pop() if dead else found(*given))  # as if nobody had noticed yet
    result = bash.execute_sync("read -r line; echo $x $line; cat file", stdin="read")
    assert (result.stdout, result.error, dead) == ("kept read\nkept\n", None, [])


@pytest.mark.usefixtures("settings")
def test_few_processes_wait_for_a_script(monkeypatch):
    pool.close()
    monkeypatch.setattr("bashkit.sandbox.pool._SPARE", 2)
    configure(shared=False)
    sessions = [sandboxed() for _ in range(5)]
    for n, bash in enumerate(sessions):
        bash.execute_sync(f"x={n}")
    assert len(pool._idle) == 2
    assert [bash.execute_sync("echo $x").stdout for bash in sessions] == [f"{n}\n" for n in range(5)]


@pytest.mark.thorough
def test_files_that_several_processes_made_stay_apart():
    bash = sandboxed()
    for name in "abc":
        pool.close()
        bash.execute_sync(f"echo {name} > {name}; echo {name} >> all")
    assert bash.execute_sync("cat a b c all").stdout == "a\nb\nc\na\nb\nc\n"
    snapshot = bash.snapshot()
    bash.execute_sync("echo d > a")
    bash.restore(snapshot)
    assert bash.execute_sync("cat a").stdout == "a\n"


def test_the_host_sees_and_changes_the_files():
    bash = sandboxed(files={"/data/a": "A"})
    bash.execute_sync("cat /data/a > /tmp/b; mkdir -p /tmp/d; chmod 600 /tmp/b")
    assert bash.fs.read_file("/tmp/b") == b"A"
    assert bash.fs.stat("/tmp/b")["mode"] == 0o600
    files = bash.fs
    files.write_file("/tmp/d/host", "from host")
    files.remove("/tmp/b")
    assert bash.execute_sync("cat /tmp/d/host; ls /tmp").stdout == "from hostd\n"
    assert files.exists("/tmp/d/host")


def test_a_builtin_works_on_the_files_while_the_script_runs():
    def swap(context):
        text = context.fs.read_file("/tmp/in").decode()
        context.fs.write_file("/tmp/out", text.upper())
        context.fs.append_file("/tmp/out", "!")
        return f"{context.fs.stat('/tmp/in')['size']} {context.fs.exists('/nowhere')} {len(context.fs.read_dir('/tmp'))}\n"

    bash = sandboxed(custom_builtins={"swap": swap})
    assert bash.execute_sync("printf text > /tmp/in; swap; cat /tmp/out").stdout == "4 False 2\nTEXT!"
    with pytest.raises(FileNotFoundError):
        bash.fs.read_file("/tmp/none")


def test_lazy_files_are_asked_for_once():
    asked = []

    async def later():
        asked.append("later")
        return b"async"

    files = {"/a": lambda: asked.append("a") or "sync", "/b": later, "/c": LazyFile(lambda: "sized", size=5), "/d": lambda: 1 / 0}
    bash = sandboxed(files=files)
    assert asked == []
    assert bash.execute_sync("cat /a /a /b; stat -c %s /c; cat /d").stdout == "syncsyncasync5\n"
    assert bash.execute_sync("cat /a /c").stdout == "syncsized"
    assert asked == ["a", "later"]
    assert bash.fs.read_file("/a") == b"sync"


def test_output_is_told_in_order_while_the_script_runs():
    chunks = []
    result = sandboxed().execute_sync("for i in 1 2; do echo $i; echo e$i >&2; done", on_output=lambda *pair: chunks.append(pair))
    assert chunks == [("1\n", ""), ("", "e1\n"), ("2\n", ""), ("", "e2\n")]
    assert (result.stdout, result.stderr) == ("1\n2\n", "e1\ne2\n")


def test_builtins_run_in_the_host_with_its_context():
    import contextvars

    who = contextvars.ContextVar("who", default="nobody")
    seen = []

    async def builtin(context):
        await asyncio.sleep(0)
        seen.append((os.getpid(), who.get()))
        return BuiltinResult(f"{context.argv[0]}\n", "warned\n", 3)

    async def main():
        who.set("caller")
        return await sandboxed(custom_builtins={"b": builtin}).execute("b 1; echo $?; b 2 | cat")

    result = asyncio.run(main())
    assert result.stdout == "1\n3\n2\n"
    assert result.stderr == "warned\nwarned\n"
    assert seen == [(os.getpid(), "caller")] * 2


def test_cancelling_keeps_output_and_state():
    bash = sandboxed()
    started = threading.Event()

    def output(out, _):
        if "begun" in out:
            started.set()

    bash.execute_sync("x=kept")
    thread = threading.Thread(target=lambda: (started.wait(), bash.cancel()))
    thread.start()
    result = bash.execute_sync("echo changed > f; echo begun; sleep 1000", on_output=output)
    thread.join()
    assert (result.stdout, result.error, result.exit_code) == ("begun\n", "cancelled", 130)
    assert bash.execute_sync("echo $x; cat f").stdout == "kept\nchanged\n"


async def test_a_cancelled_task_leaves_the_session_usable():
    bash = sandboxed()
    await bash.execute("x=kept")
    started = asyncio.Event()
    task = asyncio.create_task(bash.execute("echo begun; sleep 1000", on_output=lambda *_: started.set()))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await bash.execute("echo $x")).stdout == "kept\n"


def test_the_time_limit_is_the_scripts_own():
    result = sandboxed(timeout_seconds=0.2).execute_sync("echo before; sleep 1000")
    assert (result.stdout, result.error, result.exit_code) == ("before\n", "timeout", 124)
    assert result.stderr == "bash: time limit of 0.2 seconds exceeded\n"


def test_one_script_at_a_time():
    bash = sandboxed(custom_builtins={"again": lambda _: bash.execute_sync("true")})
    result = bash.execute_sync("again; echo $?")
    assert result.stdout == "1\n"
    with pytest.raises(BashkitError, match="isolation must be one of inline, process, not 'other'"):
        Bash(isolation="other")


def test_snapshots_go_either_way():
    bash = sandboxed(seed=4)
    bash.execute_sync("x=5; echo text > /tmp/f; a=(1 2)")
    snapshot = Snapshot.from_bytes(bash.snapshot().to_bytes())
    inline, other = Bash.from_snapshot(snapshot), Bash.from_snapshot(snapshot, isolation="process")
    script = "echo $x ${a[1]} $RANDOM; cat /tmp/f"
    assert inline.execute_sync(script).stdout == other.execute_sync(script).stdout == bash.execute_sync(script).stdout
    bash.reset()
    assert bash.execute_sync("echo [$x]; cat /tmp/f").stdout == "[]\ntext\n"


def test_the_state_stays_where_it_is_until_it_is_wanted(monkeypatch):
    read = []

    def reading(state):
        read.append(state)
        return read_session(state)

    monkeypatch.setattr("bashkit.bash.isolated.session.read_session", reading)
    bash = sandboxed()
    bash.execute_sync("x=5")
    assert bash.execute_sync("echo $((++x))").stdout == "6\n"
    assert not read
    assert bash.shell_state().variables["x"] == "6"
    assert len(read) == 1


def test_environment_and_commands_may_change_between_scripts():
    bash = sandboxed(env={"A": "1"})
    bash.execute_sync("readonly R=1; B=2")
    bash.set_env("A", "3")
    with pytest.raises(DefinitionError):
        bash.set_env("R", "2")
    assert bash.execute_sync("echo $A$B$R").stdout == "321\n"


def test_directories_of_the_host(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/file").write_text("host\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "secret").write_text("secret")
    shared = MemoryFileSystem()
    mounts = {
        "/in": HostDirectory(tmp_path / "in"),
        "/out": HostDirectory(tmp_path / "out", writable=True),
        "/over": Overlay(tmp_path / "in"),
        "/shared": shared,
    }
    bash, other = sandboxed(mounts=mounts), sandboxed(mounts={"/shared": shared})
    result = bash.execute_sync(
        "cat /in/file; echo x > /in/no; cp /in/file /out/copy; echo changed > /over/file; cat /over/file; echo s > /shared/s"
    )
    assert result.stdout == "host\nchanged\n"
    assert (tmp_path / "out/copy").read_text() == "host\n"
    assert (tmp_path / "in/file").read_text() == "host\n"
    assert bash.execute_sync("cat /over/file").stdout == "changed\n"
    assert other.execute_sync("cat /shared/s; echo t > /shared/t").stdout == "s\n"
    assert bash.execute_sync("cat /shared/t").stdout == "t\n"
    assert shared.read_file("/t") == b"t\n"


def test_the_clock_of_the_host():
    assert sandboxed(clock=lambda: 86_400.0).execute_sync("date -u +%F").stdout == "1970-01-02\n"
    clock = VirtualClock(0.0)
    bash = sandboxed(clock=clock)
    assert bash.execute_sync("sleep 100; date -u +%s").stdout == "100\n"
    assert clock.now == 100.0


def test_sessions_share_processes():
    sessions = [sandboxed() for _ in range(40)]

    async def main():
        return await asyncio.gather(*(bash.execute(f"x={n}; sleep 0.01; echo $x") for n, bash in enumerate(sessions)))

    assert [result.stdout for result in asyncio.run(main())] == [f"{n}\n" for n in range(40)]
    assert len(pool._idle) + len(pool._lent) <= pool.most


def test_credentials_stay_with_the_host():
    from bashkit import NetworkPolicy, ScriptedTool, ToolDef
    from bashkit.sandbox.channel import Channel

    sent = []
    send = Channel.send

    def spy(channel, kind, *fields, **rest):
        sent.append(repr((kind, fields, rest)))
        send(channel, kind, *fields, **rest)

    policy = NetworkPolicy(allow=["api.example"], headers={"api.example": {"Authorization": "hunter2"}})
    seen = []
    tool = (
        ScriptedTool.builder("t")
        .secret("KEY", "hunter3")
        .network(policy)
        .isolation("process")
        .tool(ToolDef("key", "d"), lambda args: seen.append(args.env["KEY"]) or args.env["KEY"])
        .build()
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Channel, "send", spy)
        result = tool.execute_sync("env; set; key; curl -s https://api.example/")
    assert seen == ["hunter3"]
    assert "hunter" not in result.stdout + result.stderr + "".join(sent)
    assert any("'job'" in frame for frame in sent)


@pytest.mark.parametrize("after", ["", "; sleep 1000", "; exit 3"])
def test_what_on_output_raises_is_raised_to_the_caller(after):
    def output(out, err):
        raise KeyError(out)

    bash = sandboxed()
    with pytest.raises(KeyError, match="begun"):
        bash.execute_sync("echo begun" + after, on_output=output)
    assert bash.execute_sync("echo again").stdout == "again\n"
