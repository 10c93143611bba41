"""Files that a callback leaves to the script with its result."""

import pytest

from bashkit import ToolError
from bashkit.tools import ScriptedTool, ToolDef, ToolResult


def run(files, script, **options):
    tool = ScriptedTool("t", tools=[(ToolDef("make"), lambda args: ToolResult("made\n", files=files))], **options)
    return tool.execute_sync(script)


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_a_result_can_bring_files(isolation):
    files = {"plot.png": b"\x89PNG", "out/new/notes.txt": "ü\n", "/tmp/absolute": "x", "empty/": ""}
    result = run(
        files, "mkdir w; cd w; make; cat out/new/notes.txt /tmp/absolute; wc -c < plot.png; ls -d */", isolation=isolation
    )
    assert (result.stdout, result.stderr, result.exit_code) == ("made\nü\nx4\nempty/\nout/\n", "", 0)


def test_a_result_can_remove_files():
    files = {"a": None, "d/b": None, "d/": None, "never": None, "never/": None}
    result = run(files, "mkdir d; touch a d/b; make; ls -A | wc -l")
    assert (result.stdout, result.stderr) == ("made\n0\n", "")


def test_what_is_there_is_replaced_and_the_umask_counts():
    script = "echo older > a; chmod 640 a; make > b; cat a; stat -c ' %a' a; rm a; umask 077; make > b; stat -c %a a"
    assert run({"a": "new"}, script).stdout == "new 640\n600\n"


@pytest.mark.parametrize(
    ("files", "script", "error"),
    [
        ({"d": "x"}, "mkdir d; make", "make: cannot write d: Is a directory\n"),
        ({"f/a": "x"}, "touch f; make", "make: cannot write f/a: File exists\n"),
        ({"d/": None}, "mkdir -p d/e; make", "make: cannot write d/: Directory not empty\n"),
        ({"/proc/x": "x"}, "make", "make: cannot write /proc/x: Permission denied\n"),
    ],
)
def test_a_file_that_cannot_be_written_is_a_failure_of_the_call(files, script, error):
    result = run(files, script)
    assert (result.stdout, result.stderr, result.exit_code) == ("made\n", error, 1)


def test_a_tool_without_a_file_system_fails():
    result = run({"a": "x"}, "make", filesystem="none")
    assert result.exit_code == 1
    assert "cannot write" in result.stderr


def test_a_failure_can_bring_files_too():
    def fail(args):
        error = ToolError("half of it", 3)
        error.files = {"partial": "half"}
        raise error

    result = ScriptedTool("t", tools=[(ToolDef("make"), fail)]).execute_sync("make; echo $?; cat partial")
    assert (result.stdout, result.stderr) == ("3\nhalf", "make: half of it\n")


def test_a_cached_result_brings_its_files_again():
    calls = []

    def make(args):
        calls.append(1)
        return ToolResult(files={"a": "x"})

    tool = ScriptedTool("t", tools=[(ToolDef("make", cache=60), make)])
    assert tool.execute_sync("make; rm a; make; cat a").stdout == "x"
    assert len(calls) == 1


def test_s15_a_secret_is_masked_in_a_file():
    files = {"key": "s3cret", "raw": b"s3cret\xff", "gone": None}
    assert run(files, "make > log; cat key; tail -c +4 raw | od -An -tx1", secrets={"KEY": "s3cret"}).stdout == "*** ff\n"
