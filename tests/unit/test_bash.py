"""The session API: state, streams, limits, async."""

import asyncio
import contextvars
import gc
import threading

import pytest

from bashkit import Bash, BashkitError, BashTool, BuiltinResult, ExecutionLimits, ScriptedTool, ToolDef

ENDLESS = ExecutionLimits(timeout=600, max_commands=10**15, max_loop_iterations=10**15)


def run(script, **options):
    return Bash(**options).execute_sync(script)


class TestSession:
    def test_state_lasts_between_calls(self):
        bash = Bash()
        bash.execute_sync("x=1; f() { echo f; }; cd /tmp; echo data > file; shopt -s nullglob")
        assert bash.execute_sync("echo $x; f; pwd; cat file; echo none*").stdout == "1\nf\n/tmp\ndata\n\n"

    def test_reset_forgets_the_shell_and_keeps_the_files(self):
        bash = Bash()
        bash.execute_sync("x=1; echo data > /tmp/file")
        bash.reset()
        assert bash.execute_sync('echo "[$x]"; cat /tmp/file').stdout == "[]\ndata\n"

    def test_sessions_share_nothing(self):
        one, other = Bash(), Bash()
        one.execute_sync("echo secret > /tmp/file; declare -x RANDOM; x=1")
        assert other.execute_sync("ls /tmp; echo $x").stdout == "\n"
        assert "declare -i RANDOM" in other.execute_sync("declare -p RANDOM").stdout

    def test_constructor(self):
        bash = Bash(
            files={"/data/a.txt": "one\n", "/b": b"\xff", "/c": lambda: "lazy"},
            env={"K": "v"},
            cwd="/srv/dir",
            username="ada",
            hostname="box",
        )
        result = bash.execute_sync("pwd; cat /data/a.txt /c; echo $K $HOME $USER; whoami; hostname; wc -c < /b")
        assert result.stdout == "/srv/dir\none\nlazyv /home/ada ada\nada\nbox\n1\n"

    def test_stdin(self):
        assert Bash().execute_sync("read a; echo $a; cat", stdin="one\ntwo\n").stdout == "one\ntwo\n"

    def test_bytes_that_are_no_utf8_survive(self):
        bash = Bash(files={"/in": b"\xff\xfe\n"})
        assert (
            bash.execute_sync("x=$(cat /in); echo $x > /out; cat /out").stdout.encode("utf-8", "surrogateescape") == b"\xff\xfe\n"
        )
        assert bash.fs.read_file("/out") == b"\xff\xfe\n"

    def test_nothing_comes_from_the_host(self, monkeypatch):
        monkeypatch.setenv("BASHKIT_CANARY", "leak")
        result = run("env; set; cat /etc/shadow; ls -a / /etc /proc; echo ~root $$ $PPID; hostname; id")
        assert "leak" not in result.stdout
        assert "No such file" in result.stderr

    def test_clock_and_seed_make_runs_repeatable(self):
        def make():
            return (
                Bash(clock=lambda: 1_700_000_000.0, seed=7)
                .execute_sync("date -u +%F; echo $RANDOM $SRANDOM; printf '%(%Y)T\\n'; mktemp -u")
                .stdout
            )

        assert make() == make()
        assert make().startswith("2023-11-14\n")

    def test_one_session_runs_one_script_at_a_time(self):
        bash = Bash(custom_builtins={"again": lambda context: bash.execute_sync("echo nested").stdout})
        assert bash.execute_sync("again").stderr == "again: failed: BashkitError\n"
        assert bash.execute_sync("echo alive").stdout == "alive\n"

    def test_a_relative_file_is_refused(self):
        with pytest.raises(BashkitError, match="absolute"):
            Bash(files={"a.txt": ""})


class TestCustomBuiltins:
    def test_context_and_result(self):
        def shout(context):
            context.fs.write_file("/seen", context.cwd + context.env["K"])
            return BuiltinResult((context.stdin or "").upper() + " ".join(context.argv) + "\n", "warning\n", 3)

        bash = Bash(custom_builtins={"shout": shout}, env={"K": "v"}, cwd="/w")
        result = bash.execute_sync("printf x | shout a 'b c'; echo $?")
        assert (result.stdout, result.stderr) == ("Xa b c\n3\n", "warning\n")
        assert bash.fs.read_file("/seen") == b"/wv"

    def test_the_input_of_a_surrounding_loop_is_left_alone(self):
        bash = Bash(custom_builtins={"tool": lambda context: repr(context.stdin) + "\n"})
        assert (
            bash.execute_sync("printf '1\\n2\\n' | while read x; do tool; done; tool < /dev/null; tool").stdout
            == "None\nNone\n''\nNone\n"
        )

    def test_async_builtins_run_with_and_without_a_loop(self):
        async def tool(context):
            await asyncio.sleep(0.01)
            return "later\n"

        assert run("tool", custom_builtins={"tool": tool}).stdout == "later\n"
        assert asyncio.run(Bash(custom_builtins={"tool": tool}).execute("x=$(tool); echo $x")).stdout == "later\n"

    @pytest.mark.parametrize("isolation", ["inline", "process"])
    def test_a_blocked_builtin_ends_with_the_time_it_has(self, isolation):
        free = threading.Event()
        bash = Bash(custom_builtins={"blocked": lambda _: free.wait()}, isolation=isolation)
        try:
            assert bash.execute_sync("timeout 0.1 blocked; echo $?; blocked & kill $!; echo on").stdout == "124\non\n"
            result = Bash(custom_builtins={"b": lambda _: free.wait()}, timeout_seconds=0.2, isolation=isolation).execute_sync(
                "echo before; b; echo no"
            )
        finally:
            free.set()
        assert (result.stdout, result.stderr, result.error) == (
            "before\n",
            "bash: time limit of 0.2 seconds exceeded\n",
            "timeout",
        )

    async def test_the_loop_is_free_while_a_builtin_blocks(self):
        free = threading.Event()
        asyncio.get_running_loop().call_soon(free.set)
        result = await Bash(custom_builtins={"blocked": lambda _: f"{free.wait(10)}\n"}).execute("blocked")
        assert result.stdout == "True\n"

    def test_builtins_of_a_pipeline_block_side_by_side(self):
        meeting = threading.Barrier(2, timeout=10)

        def meet(_):
            meeting.wait()
            return "met\n"

        assert run("meet & meet; wait", custom_builtins={"meet": meet}).stdout == "met\nmet\n"

    def test_the_callers_context_reaches_a_builtin(self):
        who = contextvars.ContextVar("who", default="nobody")
        token = who.set("caller")
        try:
            assert run("who", custom_builtins={"who": lambda _: who.get()}).stdout == "caller"
        finally:
            who.reset(token)

    def test_a_builtin_reads_a_lazy_file_while_others_run(self):
        files = {"/lazy": lambda: "made"}
        builtins = {"read_it": lambda context: context.fs.read_file("/lazy").decode() + "\n"}
        assert run("read_it & for i in {1..2000}; do :; done; wait", files=files, custom_builtins=builtins).stdout == "made\n"

    @pytest.mark.parametrize("error", [SystemExit(3), asyncio.CancelledError(), StopIteration(1)])
    def test_no_exception_ends_the_host(self, error):
        def broken(_):
            raise error

        result = run("broken; echo $?", custom_builtins={"broken": broken})
        assert (result.stdout, result.stderr) == ("1\n", f"broken: failed: {type(error).__name__}\n")

    def test_a_result_of_other_types_is_a_failure(self):
        result = run("odd; echo $?", custom_builtins={"odd": lambda _: {"a": 1}})
        assert (result.stdout, result.stderr) == ("1\n", "odd: callback must return str or BuiltinResult, not dict\n")
        result = run("odd; echo $?", custom_builtins={"odd": lambda _: BuiltinResult(b"bytes")})
        assert (result.stdout, result.stderr) == ("1\n", "odd: a BuiltinResult has two texts and a number\n")

    def test_a_builtin_may_replace_one_of_bash(self):
        assert run("pwd; echo hi", custom_builtins={"pwd": lambda context: "mine\n"}).stdout == "mine\nhi\n"

    def test_an_exception_does_not_reach_the_script_as_a_traceback(self):
        def broken(context):
            raise ValueError("host detail /secret/path")

        result = run("echo before; broken; echo after", custom_builtins={"broken": broken})
        assert result.stdout == "before\nafter\n"
        assert result.stderr == "broken: failed: ValueError\n"
        assert "Traceback" not in result.stderr
        assert "secret" not in result.stderr


class TestStreaming:
    def collect(self, script):
        chunks = []
        result = Bash().execute_sync(script, on_output=lambda out, err: chunks.append((out, err)))
        return chunks, result

    def test_a_chunk_after_each_turn_of_a_loop(self):
        chunks, result = self.collect("for i in 1 2 3; do echo $i; done")
        assert chunks == [("1\n", ""), ("2\n", ""), ("3\n", "")]
        assert result.stdout == "1\n2\n3\n"

    def test_streams_keep_their_order(self):
        chunks, _ = self.collect("echo a; echo b >&2; { echo c; echo d >&2; }")
        assert chunks == [("a\n", ""), ("", "b\n"), ("c\n", ""), ("", "d\n")]

    def test_inner_stages_are_not_emitted(self):
        chunks, _ = self.collect("seq 3 | sort -r | head -n 1; x=$(echo hidden); echo end")
        assert chunks == [("3\n", ""), ("end\n", "")]


class TestLimits:
    @pytest.mark.parametrize(
        ("script", "limits", "error"),
        [
            ("while :; do :; done", {"max_commands": 500}, "limit:max_commands"),
            ("while ((1)); do ((1)); done", {"max_loop_iterations": 100}, "limit:max_loop_iterations"),
            ("f() { f; }; f", {}, "limit:max_function_depth"),
            ("f() { ( f ); }; f", {}, "limit:max_function_depth"),
            ("yes", {"max_output_bytes": 1000}, "limit:max_output_bytes"),
            ("x=a; while :; do x=$x$x; done", {}, "limit:max_string_bytes"),
            ("echo {1..99999999}", {}, "limit:max_words"),
            ("printf %1000000000d 1", {}, "limit:max_string_bytes"),
            ("sleep 10", {"timeout": 0.1}, "timeout"),
            ("while :; do :; done", {"timeout": 0.1, "max_commands": 10**9}, "timeout"),
            ("mkfifo p; while :; do cat p & done", {"max_processes": 20}, "limit:max_processes"),
            ("mapfile a < <(yes)", {"max_words": 1000}, "limit:max_words"),
        ],
    )
    def test_a_runaway_script_ends_with_the_name_of_the_limit(self, script, limits, error):
        result = run("echo kept; " + script, limits=ExecutionLimits(**{"timeout": 20.0, **limits}))
        assert result.error == error
        assert result.stdout.startswith("kept\n")
        assert result.exit_code == (124 if error == "timeout" else 1)
        assert "limit" in result.stderr

    def test_files_find_no_space(self):
        result = run("yes > /tmp/big; echo $?; echo ok", limits=ExecutionLimits(max_file_system_bytes=100_000))
        assert "No space left on device" in result.stderr
        assert result.stdout.endswith("ok\n")

    def test_a_thousand_levels_of_recursion_are_fine(self):
        assert run("f() { if (($1)); then f $(($1-1)); else echo bottom; fi; }; f 900").stdout == "bottom\n"

    def test_the_session_lives_on_after_a_limit(self):
        bash = Bash(limits=ExecutionLimits(max_commands=100))
        assert bash.execute_sync("while :; do :; done").error == "limit:max_commands"
        assert bash.execute_sync("echo alive").stdout == "alive\n"

    def test_deadlock_is_reported(self):
        assert run("mkfifo /tmp/p; cat < /tmp/p").error == "limit:deadlock"


class TestAsync:
    async def test_a_busy_script_leaves_the_event_loop_its_turns(self):
        bash = Bash(limits=ENDLESS)

        async def write_after_some_turns():
            for _ in range(5):
                await asyncio.sleep(0)
            bash.fs.write_file("/tmp/end", "")

        writing = asyncio.create_task(write_after_some_turns())
        assert (await bash.execute("until [ -e /tmp/end ]; do :; done; echo ended")).stdout == "ended\n"
        await writing

    async def test_cancellation_arrives_in_a_loop_without_end(self):
        looping = asyncio.Event()

        async def announce(context):
            looping.set()
            return ""

        bash = Bash(custom_builtins={"announce": announce}, limits=ENDLESS)
        task = asyncio.create_task(bash.execute("announce; while :; do :; done"))
        await looping.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await bash.execute("echo alive")).stdout == "alive\n"

    async def test_scripts_run_side_by_side(self):
        together = asyncio.Barrier(20)

        async def meet(context):
            await together.wait()
            return ""

        results = await asyncio.gather(*(Bash(custom_builtins={"meet": meet}).execute(f"meet; echo {n}") for n in range(20)))
        assert [result.stdout for result in results] == [f"{n}\n" for n in range(20)]

    async def test_execute_sync_works_inside_a_loop(self):
        async def tool(context):
            await asyncio.sleep(0)
            return "ok\n"

        assert Bash(custom_builtins={"tool": tool}).execute_sync("tool").stdout == "ok\n"

    def test_threads_have_their_own_runs(self):
        outputs = {}

        def work(number):
            outputs[number] = run(f"for i in 1 2 3; do echo {number}; done | sort | uniq -c | tr -s ' '").stdout

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert outputs == {number: f" 3 {number}\n" for number in range(8)}


class TestErrors:
    @pytest.mark.parametrize(
        ("script", "stderr", "status"),
        [
            ("echo a\nfi", "bash: -c: line 2: syntax error near unexpected token `fi'\nbash: -c: line 2: `fi'\n", 2),
            ("nosuch", "bash: line 1: nosuch: command not found\n", 127),
            ("\n\ncat /nosuch", "cat: /nosuch: No such file or directory\n", 1),
            ("cd /nosuch", "bash: line 1: cd: /nosuch: No such file or directory\n", 1),
            ("echo 'x", "bash: -c: line 1: unexpected EOF while looking for matching `''\n", 2),
            ("x=$((1/0))", 'bash: line 1: 1/0: division by 0 (error token is "0")\n', 1),
            ("readonly r=1; r=2", "bash: line 1: r: readonly variable\n", 1),
            ("< /nosuch", "bash: line 1: /nosuch: No such file or directory\n", 1),
        ],
    )
    def test_messages_are_those_of_bash(self, script, stderr, status):
        result = run(script)
        assert (result.stderr, result.exit_code) == (stderr, status)

    @pytest.mark.parametrize(
        "script", ["cat nosuch 2>&-", "cat nosuch 2>/dev/full", "head --nosuch 2>&-", "declare -n n='a[1]'; declare n"]
    )
    def test_an_error_that_cannot_be_told_is_no_internal_one(self, script):
        result = run(script + "; echo on")
        assert (result.stdout, result.error) == ("on\n", None)

    def test_a_syntax_error_has_a_category(self):
        assert run("if").error == "parse"
        assert run("eval 'if'; echo $?").error is None

    def test_a_binary_script_is_refused(self):
        bash = Bash(files={"/tmp/prog": b"\x7fELF\x00\x01"})
        result = bash.execute_sync("chmod +x /tmp/prog; /tmp/prog")
        assert result.exit_code == 126
        assert "cannot execute binary file" in result.stderr

    @pytest.mark.parametrize("depth", [50, 5000, 100_000])
    @pytest.mark.parametrize(
        ("opening", "closing"), [("(", ")"), ("{ ", "; }"), ("$(", ")"), ('"$(', ')"'), ("${x:-", "}"), ("if ", "")]
    )
    def test_deep_nesting_never_crashes(self, opening, closing, depth):
        result = run("echo " * (opening[0] in '$"') + opening * depth + "echo" + closing * depth)
        assert "internal" not in (result.error or "")


def test_a_host_that_is_deep_itself_leaves_less_and_never_crashes():
    def descend(levels):
        return descend(levels - 1) if levels else run("f() { f; }; f")

    import sys

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10_000))
    try:
        assert descend(3000).error == "limit:max_function_depth"
    finally:
        sys.setrecursionlimit(limit)

    @pytest.mark.parametrize(
        "script",
        [
            "for i in {1..30}; do sleep 0.01 & done; wait; echo end",
            "seq 30 | xargs -P 30 -n 1 true; echo end",
            "cat=cat; for i in {1..30}; do cat+='|cat'; done; eval \"echo end | $cat\"",
            "for i in {1..30}; do cat <(echo a) >/dev/null & done; wait; echo end",
            "for i in {1..30}; do (sleep 0.01; echo $i > /dev/null) & done; wait; echo end",
        ],
    )
    def test_a_shell_waits_until_it_may_start_another_process(self, script):
        result = run(script, limits=ExecutionLimits(max_processes=8))
        assert (result.stdout, result.error) == ("end\n", None)


@pytest.mark.parametrize("sync", [True, False], ids=["sync", "async"])
def test_a_call_that_is_given_up_before_it_begins_takes_no_place(sync, recwarn):
    async def slow(context):
        await asyncio.sleep(3600)

    async def quick(context):
        return "quick\n"

    bash = Bash(custom_builtins={"slow": slow, "quick": quick}, limits=ExecutionLimits(max_concurrent_calls=1))
    script = "for i in {1..20}; do timeout 0.000001 slow; done; quick"
    result = bash.execute_sync(script) if sync else asyncio.run(bash.execute(script))
    assert result.stdout == "quick\n"
    gc.collect()
    assert [str(warning.message) for warning in recwarn if "never awaited" in str(warning.message)] == []


@pytest.mark.parametrize("script", ["time -p time true", "time time -p true", "time -p ! time false"])
def test_time_again_is_the_same_timing(script):
    result = Bash().execute_sync(script)
    assert (result.exit_code, result.stderr.split()[::2]) == (0, ["real", "user", "sys"])
    assert "0m" not in result.stderr


@pytest.mark.parametrize("tool", [Bash(), BashTool(), ScriptedTool("t", tools=[(ToolDef("get"), print)])])
def test_without_an_event_loop_of_asyncio_nothing_can_be_awaited(tool):
    running = tool.execute("echo")
    with pytest.raises(RuntimeError, match=r"^execute needs a running event loop of asyncio; execute_sync needs none$"):
        running.send(None)
    assert tool.execute_sync("echo on").stdout == "on\n"
