"""Large results, modes of the file system, and sessions that last."""

import asyncio
import re

import pytest

from bashkit.errors import BashkitError, DefinitionError
from bashkit.fs import HostDirectory, MemoryFileSystem, Overlay
from bashkit.limits import ExecutionLimits
from bashkit.tools import ScriptedTool, ToolDef
from bashkit.tools.execute.truncation import cut

LINES = "".join(f"line {number}\n" for number in range(1, 1001))


def tool(**options):
    return ScriptedTool(
        "api", tools=[(ToolDef("lines"), lambda args: LINES), (ToolDef("user"), lambda args: {"id": 1})], **options
    )


# -- large results -----------------------------------------------------------------------------------------------------


def test_t10_everything_is_returned_unless_a_limit_is_declared():
    response = tool().execute_sync("for i in {1..20}; do lines; done")
    assert response.stdout == LINES * 20
    assert response.full_stdout is None


def test_t10_beyond_a_declared_limit_the_middle_is_left_out_with_a_note():
    response = tool(max_result_chars=1000).execute_sync("lines")
    assert len(response.stdout) <= 1000
    assert response.stdout.startswith("line 1\nline 2\n")
    assert response.stdout.endswith("\nline 999\nline 1000\n")
    note = next(line for line in response.stdout.splitlines() if line.startswith("[..."))
    found = re.fullmatch(
        r"\[\.\.\. (\d+) of 8893 characters left out \(lines (\d+) to (\d+)\); print less: select fields with jq, "
        r"filter with grep, or page with \| sed -n '(\d+),\d+p' \.\.\.\]",
        note,
    )
    assert found
    missing, first, last, page = map(int, found.groups())
    kept = response.stdout.replace(note + "\n", "")
    assert len(kept) + missing == len(LINES)
    assert f"line {first - 1}\n" in kept
    assert f"line {first}\n" not in kept
    assert f"line {last}\n" not in kept
    assert f"line {last + 1}\n" in kept
    assert page == first
    assert response.full_stdout == LINES


def test_t10_the_advice_of_the_note_works():
    made = tool(max_result_chars=1000)
    page = re.search(r"\| (sed -n '\d+,\d+p')", made.execute_sync("lines").stdout)[1]
    assert made.execute_sync(f"lines | {page} | head -1").stdout.startswith("line ")


def test_t10_the_next_call_of_a_session_finds_everything_in_a_file():
    made = tool(max_result_chars=1000, persistent=True)
    text = made.execute_sync("lines").stdout
    file = re.search(r"everything is in (\S+): page with (sed -n '(\d+),\d+p' \S+), or", text)
    assert made.execute_sync(f"wc -l < {file[1]}").stdout == "1000\n"
    assert made.execute_sync(f"{file[2]} | head -1").stdout == f"line {file[3]}\n"
    assert made.fs.read_file(file[1]).decode() == LINES
    assert "/tmp/stdout-2.txt" in made.execute_sync("lines").stdout


def test_t10_a_session_without_room_for_the_file_says_so_by_naming_none():
    for options in ({"filesystem": "none"}, {"limits": ExecutionLimits(max_file_system_bytes=100)}):
        assert "print less" in tool(max_result_chars=1000, persistent=True, **options).execute_sync("lines").stdout


@pytest.mark.parametrize("text", ["x" * 5000, "é\n" * 3000, "a\n" + "b" * 9000 + "\nc\n", "\n" * 9000])
@pytest.mark.parametrize("most", [400, 1000])
def test_t10_a_cut_keeps_to_its_limit(text, most):
    short = cut(text, most)
    assert len(short) <= most
    assert f"of {len(text)} characters left out" in short
    assert (short[:20], short[-2:]) == (text[:20], text[-2:])


def test_t10_what_fits_is_not_touched():
    assert cut("x" * 400, 400) == "x" * 400
    with pytest.raises(DefinitionError, match="max_result_chars must be a whole number of at least 400"):
        ScriptedTool("api", max_result_chars=100)


# -- the file system ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    ["echo x > /tmp/f", "user > u.json", "mkdir /tmp/d", "touch f", "echo x | tee f >/dev/null", "ln -s a b", "cp /dev/null f"],
)
def test_s10_without_a_file_system_writing_is_refused_with_a_message(script):
    response = tool(filesystem="none").execute_sync(f"{script}; echo $?")
    assert response.stdout == "1\n"
    assert "files are switched off here (filesystem: none); keep data in variables and pipes" in response.stderr


def test_s10_without_a_file_system_everything_else_works():
    script = 'u=$(user); jq -r .id <<< "$u"; cat <(echo process); cat <<E\nhere\nE\necho gone > /dev/null; lines | sort -n | head -1; [[ -d /tmp ]]'
    response = tool(filesystem="none").execute_sync(script)
    assert (response.stdout, response.stderr, response.exit_code) == ("1\nprocess\nhere\nline 1\n", "", 0)


def test_s10_in_memory_scratch_files_work():
    assert tool().execute_sync("user > u.json; jq .id u.json").stdout == "1\n"
    with pytest.raises(DefinitionError, match="filesystem must be one of memory, none"):
        ScriptedTool("api", filesystem="disk")


def test_s10_mounts(tmp_path):
    (tmp_path / "a.txt").write_text("from the host\n")
    shared = MemoryFileSystem()
    made = tool(mounts={"/data": HostDirectory(tmp_path), "/work": Overlay(tmp_path), "/shared": shared})
    response = made.execute_sync("cat /data/a.txt; echo x > /data/b; echo y > /work/a.txt; cat /work/a.txt; echo z > /shared/f")
    assert response.stdout == "from the host\ny\n"
    assert "Read-only file system" in response.stderr
    assert made.execute_sync("cat /work/a.txt /shared/f").stdout == "from the host\nz\n"
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "from the host\n"


# -- sessions that last ------------------------------------------------------------------------------------------------


def test_s10_a_persistent_tool_keeps_its_state():
    made = tool(persistent=True)
    made.execute_sync("x=1; f() { echo f; }; cd /tmp; user > u.json")
    response = made.execute_sync("echo $x; f; pwd; jq -c . u.json; user")
    assert response.stdout == '1\nf\n/tmp\n{"id":1}\n{"id":1}\n'
    assert [call.tool for call in response.trace] == ["user"]
    assert made.fs.read_file("/tmp/u.json") == b'{"id":1}\n'


def test_s10_a_session_can_be_forgotten_and_grow():
    made = tool(persistent=True)
    made.execute_sync("x=1")
    made.add_tool("more", "More", lambda args: "more\n")
    assert made.execute_sync("echo $x; more").stdout == "1\nmore\n"
    made.reset()
    assert made.execute_sync("echo [$x]; more").stdout == "[]\nmore\n"


def test_s10_only_a_persistent_tool_has_files_of_its_own():
    with pytest.raises(BashkitError, match="not persistent"):
        _ = tool().fs


async def test_s10_executions_of_a_session_take_turns():
    made = tool(persistent=True)
    await made.execute("n=0")
    await asyncio.gather(*(made.execute("m=$n; sleep 0.001; n=$((m + 1))") for _ in range(20)))
    assert (await made.execute("echo $n")).stdout == "20\n"


async def test_s10_a_cancelled_execution_gives_its_turn_on():
    made = tool(persistent=True)
    tasks = [asyncio.create_task(made.execute(f"echo {number}; sleep 0.01")) for number in range(4)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    tasks[2].cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert [one.stdout for one in done if not isinstance(one, BaseException)] == ["1\n", "3\n"]
    assert (await made.execute("echo after")).stdout == "after\n"


async def test_s10_a_turn_that_would_never_come_is_an_error():
    made = tool(persistent=True)
    running = asyncio.create_task(made.execute("sleep 0.05"))
    await asyncio.sleep(0)
    with pytest.raises(BashkitError, match="await execute"):
        made.execute_sync("true")
    await running


async def test_s10_threads_and_tasks_share_one_queue():
    made = tool(persistent=True)
    made.execute_sync("n=0")
    step = "m=$n; sleep 0.001; n=$((m + 1))"
    await asyncio.gather(*(asyncio.to_thread(made.execute_sync, step) for _ in range(5)), *(made.execute(step) for _ in range(5)))
    assert (await made.execute("echo $n")).stdout == "10\n"


# -- streaming ---------------------------------------------------------------------------------------------------------


async def test_t09_exec_streaming():
    from bashkit import Bash

    chunks = []
    result = await Bash().exec_streaming("for i in 1 2 3; do echo $i; done", lambda out, err: chunks.append(out))
    assert (chunks, result.stdout) == (["1\n", "2\n", "3\n"], "1\n2\n3\n")


@pytest.mark.parametrize(
    ("script", "chunks"),
    [
        ("echo a; echo b >&2; echo c", [("a\n", ""), ("", "b\n"), ("c\n", "")]),
        ("echo a && echo b || echo c", [("a\n", ""), ("b\n", "")]),
        ("echo inner | cat", [("inner\n", "")]),
        ("{ echo x; echo y; }", [("x\n", ""), ("y\n", "")]),
        ("echo out; user; nothing", [("out\n", ""), ('{"id":1}\n', ""), ("", "bash: line 1: nothing: command not found\n")]),
    ],
)
def test_t09_chunks_keep_their_true_order_and_none_comes_twice(script, chunks):
    from bashkit.tools import ToolStatus

    seen = []
    response = tool().execute_with_status_sync(script, seen.append)
    found = [
        (status.output if status.stream == "stdout" else "", status.output if status.stream == "stderr" else "")
        for status in seen
        if status.output
    ]
    assert found == chunks
    assert response.stdout == "".join(out for out, _ in chunks)
    assert isinstance(seen[-1], ToolStatus)


@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize(
    ("script", "chunks"),
    [
        (r"printf '\xc3'; echo e >&2; printf '\xa9\n'", [("", "e\n"), ("é\n", "")]),
        (r"printf '\xf0\x9f'; printf x; printf '\xff\xc3'", [("\udcf0\udc9fx", ""), ("\udcff", ""), ("\udcc3", "")]),
        ("cat /big", [("x" + "é" * 32767, ""), ("é" * 7233 + "\n", "")]),
    ],
)
def test_t09_no_chunk_ends_within_a_character(isolation, script, chunks):
    from bashkit import Bash

    seen = []
    bash = Bash(files={"/big": "x" + "é" * 40000 + "\n"}, isolation=isolation)
    result = bash.execute_sync(script, on_output=lambda out, err: seen.append((out, err)))
    assert (seen, result.stdout) == (chunks, "".join(out for out, _ in chunks))


def test_t08_a_hint_is_streamed_too():
    seen = []
    tool().execute_with_status_sync("set -e; user | grep -q x", seen.append)
    assert seen[-2].output == "hint: set -e ended the script at line 1: a command exited with status 1\n"
    assert seen[-1].phase == "complete"
