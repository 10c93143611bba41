"""python3 as a command: its options, its streams, its limits, and what is said where it is missing."""

import asyncio
import os
import resource
import signal

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.commands import _catalog, _python

pytest.importorskip("pydantic_monty", reason="the extra python is not installed")

from bashkit.commands._python.turns import TurnThread
from bashkit.commands._python.workers import Worker


@pytest.fixture(params=["inline", "process"])
def bash(request):
    return Bash(isolation=request.param, cwd="/home/user", limits=ExecutionLimits(timeout=20))


COMMANDS = {
    "its version": ("python3 -V; python --version", "Python 3.14.0\nPython 3.14.0\n"),
    "code of a here-document": ("python3 - a 'b c' <<'E'\nimport sys\nprint(sys.argv)\nE", "['-', 'a', 'b c']\n"),
    "code of standard input": ("echo 'print(2 + 3)' | python3", "5\n"),
    "a script with arguments": ("echo 'import sys; print(sys.argv)' > s.py; python3 -u s.py -x y", "['s.py', '-x', 'y']\n"),
    "a script by its first line": ("printf '#!/usr/bin/env python3\\nprint(7)\\n' > s; chmod +x s; ./s", "7\n"),
    "options in one word": ("python3 -Ic 'print(1)'", "1\n"),
    "a pipeline": ("seq 3 | python3 -c 'import sys; print(sum(map(int, sys.stdin)))' | tr 6 x", "x\n"),
    "a substitution": ("x=$(python3 -c 'print(6 * 7)'); echo \"$x\"", "42\n"),
    "xargs": ("seq 2 | xargs -n1 python3 -c 'import sys; print(sys.argv[1] * 2)'", "11\n22\n"),
    "an exit status": ("python3 -c 'import sys; sys.exit(3)'; echo $?; python3 -c 'exit()'; echo $?", "3\n0\n"),
    "a module that is a program": ("echo '{\"b\": [1]}' | python3 -m json.tool", '{\n    "b": [\n        1\n    ]\n}\n'),
    "files of the shell": ("mkdir d; cd d; echo x > f; python3 -c 'print(open(\"f\").read())'; ls", "x\n\nf\n"),
    "a reader that is gone": ("python3 -c 'while True: print(1)' | head -n 2", "1\n1\n"),
    "the order of its outputs": ("python3 -c 'import sys; print(1); print(2, file=sys.stderr); print(3)' 2>&1", "1\n2\n3\n"),
    "umask": ('umask 077; python3 -c \'open("f", "w").write("")\'; stat -c %a f', "600\n"),
    "a time limit": ("timeout 0.2 python3 -c 'while True: pass'; echo $?", "124\n"),
    "two at once": ("for i in 1 2; do python3 -c 'import time; time.sleep(0.01); print(0)' & done; wait", "0\n0\n"),
}


@pytest.mark.parametrize(("script", "expected"), COMMANDS.values(), ids=COMMANDS)
def test_as_in_a_shell(script, expected):
    assert Bash().execute_sync(script).stdout == expected


def test_a_sandbox_process_gives_the_same(bash):
    script = "\n".join(f"({script}\n)" for script, _ in COMMANDS.values())
    assert bash.execute_sync(script).stdout == "".join(expected for _, expected in COMMANDS.values())


def test_its_help_names_modules_and_limits():
    text = Bash().execute_sync("python3 --help").stdout
    assert all(word in text for word in ("Monty", "no generators", "itertools", "from tools import NAME", "limits of the script"))
    described = _catalog.describe("python3")
    assert described is not None
    assert "itertools" in described["help"]


REFUSED = {
    "a file that is not there": ("python3 no.py", 2, "python3: can't open file '/home/user/no.py': [Errno 2] No such file or directory\n"),
    "another module": ("python3 -m http.server", 1, "python3: No module named http.server: the only one that -m runs here is json.tool\n"),
    "an option": ("python3 -Z", 2, "python3: Unknown option: -Z\n"),
    "no code": ("python3 -c", 2, "python3: Argument expected for the -c option\n"),
    "no JSON": ("echo '{' | python3 -m json.tool", 1, "Expecting property name enclosed in double quotes: line 2 column 1 (char 2)\n"),
}  # fmt: skip


@pytest.mark.parametrize(("script", "status", "message"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_command_line_is_refused(script, status, message):
    result = Bash().execute_sync(script)
    assert (result.exit_code, result.stderr) == (status, message)


def test_the_traceback_is_of_the_script_alone():
    result = Bash(files={"/s.py": "import sys\n\ndef f():\n    open('/none')\n\nf()\n"}).execute_sync("python3 /s.py")
    assert result.stderr.splitlines() == [
        "Traceback (most recent call last):",
        '  File "/s.py", line 6, in <module>',
        "    f()",
        "    ~~~",
        '  File "/s.py", line 4, in f',
        "    open('/none')",
        "    ~~~~~~~~~~~~~",
        "FileNotFoundError: [Errno 2] No such file or directory: '/none'",
    ]


def test_the_traceback_shows_lines_as_they_were_written():
    result = Bash().execute_sync("python3 -c 'import sys, os; print(os, sys.nope)'")
    assert result.stderr.splitlines()[1:] == [
        '  File "<string>", line 1, in <module>',
        "    import sys, os; print(os, sys.nope)",
        "AttributeError: module 'sys' has no attribute 'nope'",
    ]


HOSTILE = {
    "memory at once": "x = 'a' * 10**10",
    "memory in steps": "x = []\nwhile True: x.append('a' * 100000 + str(len(x)))",
    "recursion": "def f(): return f()\nf()",
    "a huge integer": "x = 10 ** 10 ** 8",
    "a regular expression": "import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
    "nesting": "(" * 5000 + ")" * 5000,
    "attributes": "().__class__.__bases__[0].__subclasses__()",
    "code of its own": "eval('1')",
    "a file of the host": "open('/etc/shadow')",
    "a directory above": "open('../../../../etc/shadow')",
}


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_hostile_code_is_one_failed_command(code):
    bash = Bash(files={"/s.py": code}, limits=ExecutionLimits(timeout=5, max_memory_bytes=32 << 20))
    result = bash.execute_sync("timeout 2 python3 /s.py; echo $?")
    assert result.stdout in {"0\n", "1\n", "124\n"}
    assert result.error is None
    assert bash.execute_sync("python3 -c 'print(1)'").stdout == "1\n"


def test_endless_output_ends_at_the_limit():
    result = Bash(limits=ExecutionLimits(timeout=20, max_output_bytes=100_000)).execute_sync("python3 -c 'while True: print(1)'")
    assert (result.error, len(result.stdout)) == ("limit:max_output_bytes", 100_000)


def test_an_exception_costs_no_worker(monkeypatch):
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a worker was killed"))
    assert Bash().execute_sync("python3 -c '1/0'; python3 -c 'exit(3)'; echo $?").stdout == "3\n"


async def test_a_cancelled_script_leaves_no_python_behind(monkeypatch):
    killed, turns = [], []
    kill, begin, loop = os.kill, TurnThread.begin, asyncio.get_running_loop()
    begun, ended = asyncio.Event(), asyncio.Event()

    def watched(pid, number):
        killed.append(number)
        loop.call_soon_threadsafe(ended.set)
        kill(pid, number)

    def counted(thread, work):
        begin(thread, work)
        turns.append(thread)
        if len(turns) == 2 * before:
            begun.set()

    monkeypatch.setattr(os, "kill", watched)
    monkeypatch.setattr(TurnThread, "begin", counted)
    bash = Bash(limits=ExecutionLimits(timeout=60))
    before = 0
    await bash.execute("python3 -c 'import time; time.sleep(0)'")
    before = len(turns)  # the last one is what comes after the sleep
    running = asyncio.create_task(bash.execute("python3 -c 'import time; time.sleep(0)\nwhile True: pass'"))
    await begun.wait()
    bash.cancel()
    assert (await running).error == "cancelled"
    await ended.wait()  # the thread that waited for the worker kills it, whenever it has its turn
    assert killed == [signal.SIGKILL]
    assert bash.execute_sync("python3 -c 'print(1)'").stdout == "1\n"


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux lets a process limit another one")
def test_the_kernel_refuses_a_worker_files_and_sockets(monkeypatch):
    limits = []
    leave = Worker._leave

    def look(worker):
        limits.extend(resource.prlimit(worker._pid, kind) for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE))
        leave(worker)

    monkeypatch.setattr(Worker, "_leave", look)
    assert Bash().execute_sync("python3 -c 'print(sorted([2, 1]))'").stdout == "[1, 2]\n"
    assert limits == [(0, 0), (0, 0)]


def test_the_random_numbers_of_a_session_with_a_seed_are_repeatable():
    script = "python3 -c 'import random; print(random.random())'"
    assert len({Bash(seed=1).execute_sync(script).stdout for _ in range(3)}) == 1


def test_without_monty_there_is_no_python(monkeypatch):
    monkeypatch.setattr(_python, "is_installed", lambda: False)
    result = Bash().execute_sync("python3 -c 1; command -v python3")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("bash: line 1: python3: command not found\n")
    assert "bashkit-toolsets[python]" in result.stderr
