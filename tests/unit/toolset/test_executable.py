import asyncio
import json
import os
import select
import signal
import sys

import pytest

from bashkit.errors import CallbackNotFoundError, ToolError
from bashkit.tools import ScriptedTool, ToolArgs, ToolDef
from bashkit.toolset.callbacks import _family
from bashkit.toolset.callbacks.executable import ExecutableCallback, flag_words, process

from .conftest import overdue


def call(path, params=None, *, stdin=None, env=None, **options):
    return asyncio.run(ExecutableCallback(path, **options)(ToolArgs(params or {}, stdin, env or {})))


pytestmark = pytest.mark.needs("sh", "sleep", "cat", "env", "sed", "sort", "tr", "head")


@pytest.fixture
def script(folder):
    def write(body, name="tool.sh", shebang="#!/bin/sh"):
        return folder.write(name, f"{shebang}\n{body}\n", executable=True)

    return write


def test_x03_arguments_are_a_json_object_in_the_first_word(script):
    result = call(script('printf "%s|%s" "$#" "$1"; echo oops >&2'), {"location": "Half Moon Bay", "n": 1})
    assert result.stdout == b'1|{"location":"Half Moon Bay","n":1}'
    assert result.stderr == b"oops\n"
    assert result.exit_code == 0


def test_x03_arguments_on_standard_input_or_as_flags(script):
    assert json.loads(call(script("cat"), {"a": [1]}, style="stdin").stdout) == {"a": [1]}
    flags = call(
        script('printf "%s\\n" "$@"'),
        {"id": 7, "v": True, "q": False, "tags": ["a", "b"], "o": {"x": 1}, "n": None},
        style="flags",
    )
    assert flags.stdout.decode().split("\n")[:-1] == [
        "--id",
        "7",
        "--v",
        "--no-q",
        "--tags",
        "a",
        "--tags",
        "b",
        "--o",
        '{"x":1}',
    ]


def test_x03_what_is_piped_in_is_its_standard_input(script):
    assert call(script("cat"), stdin="piped").stdout == b"piped"


def test_large_input_to_a_tool_that_does_not_read(script):
    assert call(script("echo done"), stdin="x" * 1_000_000).stdout == b"done\n"


def test_x11_the_environment_is_its_own(script, monkeypatch):
    monkeypatch.setenv("HOST_SECRET", "leak")
    result = call(script("env | sed 's/=.*//' | sort | tr '\\n' ' '"), env={"API_URL": "x"})
    assert set(result.stdout.decode().split()) - {"_", "PWD", "SHLVL", "OLDPWD"} == {"API_URL", "BASHKIT_CALL", "LANG", "PATH"}


def test_x11_no_shell_looks_at_the_arguments(script, folder):
    call(script('echo "$1"'), {"a": "$(touch pwned); `touch pwned`"})
    assert not (folder.path / "pwned").exists()


def test_x11_no_child_is_left_behind(script, pipe):
    assert call(script("sleep 600 9>alive &\necho started")).stdout == b"started\n"
    assert pipe.ended()


async def test_x11_a_time_limit_keeps_what_was_written_and_leaves_no_child_behind(script, pipe, hours_pass):
    path = script("exec 9>alive; sleep 600 & echo early; echo up >&9; wait")
    running = asyncio.create_task(ExecutableCallback(path, timeout=30)(ToolArgs()))
    await pipe.written(running)
    result = await overdue(running, hours_pass)
    assert (result.stdout, result.exit_code) == (b"early\n", 124)
    assert result.stderr == b"tool.sh: timed out after 30 s\n"
    assert pipe.ended()


@pytest.mark.needs("setsid")
def test_x11_a_child_in_another_session_is_not_left_behind(script, pipe):
    body = "setsid sh -c 'exec 9>alive; echo up; exec >/dev/null 2>&1; sleep 600 & sleep 600 &' | head -n 1"
    assert call(script(body)).stdout == b"up\n"
    assert pipe.ended()


@pytest.mark.needs("setsid")
async def test_x11_a_time_limit_ends_other_sessions_too(script, pipe, hours_pass):
    path = script("setsid sh -c '(exec 9>alive; echo up >&9; sleep 600) & exit' & sleep 600")
    running = asyncio.create_task(ExecutableCallback(path, timeout=30)(ToolArgs()))
    await pipe.written(running)
    assert (await overdue(running, hours_pass)).exit_code == 124
    assert pipe.ended()


@pytest.mark.needs("setsid")
async def test_cancelling_ends_other_sessions_too(script, pipe):
    task = asyncio.create_task(
        ExecutableCallback(script("setsid sh -c 'exec 9>alive; echo up >&9; sleep 600' & wait"))(ToolArgs())
    )
    await pipe.written(task)
    task.cancel()
    await asyncio.wait([task])
    assert pipe.ended()


@pytest.mark.needs("setsid")
async def test_cancelling_what_is_about_to_start_ends_what_it_has_started_already(script, pipe):
    task = asyncio.create_task(
        ExecutableCallback(script("setsid sh -c 'exec 9>alive; echo up >&9; sleep 600' & wait"))(ToolArgs())
    )
    for _ in range(100):
        await asyncio.sleep(0)
        if select.select([pipe.descriptor], [], [], 0.5)[0]:  # the event loop does not get to know that it has started
            break
    task.cancel()
    assert await asyncio.wait([task], timeout=60) == ({task}, set())
    assert pipe.ended()


@pytest.fixture
def unprotected():
    """What the test starts is ended by a hangup, though nohup(1) may run the tests: a signal that is caught here is not ignored there."""
    before = signal.signal(signal.SIGHUP, lambda *_: None)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.thorough
@pytest.mark.needs("setsid")
@pytest.mark.usefixtures("unprotected")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("command", [["run", "-c", "hang"], ["run", "-c", "hang", "--isolation", "process"], ["call", "hang"]])
async def test_a_signal_to_the_program_leaves_nothing_behind(script, pipe, folder, number, command):
    script("setsid sh -c 'exec 9>alive; echo up >&9; sleep 600' & sleep 600", "hang.sh")
    folder.write("t.yaml", "version: 1\nname: t\ntools:\n  - {name: hang, callback: {executable: ./hang.sh}}\n")
    folder.write("tmp/.keep", "")
    bashkit = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bashkit", command[0], "t.yaml", *command[1:]),
        cwd=folder.path,
        env=os.environ | {"TMPDIR": str(folder.path / "tmp")},
        stderr=asyncio.subprocess.PIPE,
    )
    ended = asyncio.create_task(bashkit.wait())
    await pipe.written(ended)
    bashkit.send_signal(number)
    assert await ended == 128 + number
    assert b"Traceback" not in await bashkit.stderr.read()
    assert pipe.ended()
    assert [file.name for file in (folder.path / "tmp").iterdir()] == [".keep"]


@pytest.mark.parametrize(
    ("memory", "start", "end", "open_question"),
    [
        pytest.param(4096, 0, 0, True, id="the new program has no environment yet"),
        pytest.param(4096, 8192, 9000, True, id="it has got one since"),
        pytest.param(4096, 8192, 8192, False, id="its environment is empty"),
        pytest.param(0, 0, 0, False, id="it has ended"),
    ],
)
def test_a_process_without_an_environment_may_be_in_the_midst_of_exec(folder, monkeypatch, memory, start, end, open_question):
    fields = {3: "R", 22: 7, 23: memory, 50: start, 51: end}
    folder.write("12/environ", "")
    folder.write("12/stat", "12 (a (b) c) " + " ".join(str(fields.get(number, 1)) for number in range(3, 53)))
    monkeypatch.setattr(_family, "_PROCESSES", folder.path)
    assert _family._having(b"mark", 7) == ([], open_question)
    assert _family._having(b"mark", 8) == ([], False)  # it is older than the call


def test_x11_output_is_capped_and_says_so(script, monkeypatch):
    monkeypatch.setattr(process, "MAX_OUTPUT", 1000)
    result = call(script("head -c 5000 /dev/zero | tr '\\0' x"))
    assert result.stdout == b"x" * 1000 + b"\n[4000 more bytes were dropped]\n"


async def test_cancelling_ends_the_process(script, pipe):
    task = asyncio.create_task(ExecutableCallback(script("exec 9>alive; echo up >&9; exec sleep 600"))(ToolArgs()))
    await pipe.written(task)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert pipe.ended()


def test_s20_a_script_leaves_no_process_behind_either(script, pipe):
    target = ExecutableCallback(script("exec 9>alive; exec sleep 600"))
    tool = ScriptedTool("api", tools=[(ToolDef("hang"), target)])
    assert tool.execute_sync("timeout 0.3 hang; echo $?").stdout == "124\n"
    assert pipe.ended()


@pytest.mark.parametrize(
    ("body", "status", "stderr"), [("exit 3", 3, b""), ("kill -TERM $$", 143, b"tool.sh: killed by SIGTERM\n")]
)
def test_exit_statuses(script, body, status, stderr):
    result = call(script(body))
    assert (result.exit_code, result.stderr) == (status, stderr)


def test_what_cannot_be_started(script, folder):
    with pytest.raises(CallbackNotFoundError, match="there is no file none"):
        call(folder.path / "none")
    plain = folder.write("plain.sh", "echo")
    with pytest.raises(CallbackNotFoundError, match=r"plain\.sh is not executable"):
        call(plain)
    with pytest.raises(ToolError, match="its interpreter is missing"):
        call(script("", shebang="#!/no/such/interpreter"))
    with pytest.raises(ToolError, match="no #! line"):
        call(folder.write("noformat", "echo\n", executable=True))
    with pytest.raises(ToolError, match="too long"):
        call(script("true"), {"a": "x" * 3_000_000})
    for directory in ("none", "plain.sh"):
        with pytest.raises(ToolError, match="the working directory is missing"):
            call(script("true"), cwd=folder.path / directory)
    with pytest.raises(ToolError, match="NUL"):
        flag_words({"a": "\0"})


def test_it_runs_in_its_directory(script, folder):
    assert call(script("pwd")).stdout.decode().strip() == os.path.realpath(folder.path)
