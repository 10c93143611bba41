r"""Halves of characters, which JSON's ``\ud83d`` leaves alone and models write: they are U+FFFD to a script, and no error of ours."""

import pytest

from bashkit import Bash, BuiltinResult, ScriptedTool, ToolDef

HALF = "\ud83d"


@pytest.fixture(params=["inline", "process"])
def isolation(request):
    return request.param


def test_in_a_script_its_input_and_its_words(isolation):
    result = Bash(isolation=isolation).execute_sync(f"echo {HALF}; cat; echo $1", stdin=f"a\udcff{HALF}\n", words=["bash", HALF])
    assert (result.stdout, result.exit_code) == ("\ufffd\na\udcff\ufffd\n\ufffd\n", 0)


def test_in_what_a_session_begins_with(isolation):
    bash = Bash(isolation=isolation, env={"X": HALF}, cwd=f"/{HALF}", files={f"/{HALF}/f{HALF}": HALF, "/lazy": lambda: HALF})
    bash.set_env("Y", HALF)
    assert bash.execute_sync('echo "$X$Y"; pwd; ls; cat f* /lazy').stdout == "\ufffd\ufffd\n/\ufffd\nf\ufffd\n\ufffd\ufffd"


def test_in_the_answer_of_a_builtin(isolation):
    bash = Bash(isolation=isolation, custom_builtins={"one": lambda _: HALF, "two": lambda _: BuiltinResult("", HALF, 3)})
    result = bash.execute_sync("one; two")
    assert (result.stdout, result.stderr, result.exit_code) == ("\ufffd", "\ufffd", 3)


def test_in_a_request_and_the_answer_of_a_tool():
    schema = {"properties": {"a": {"type": "string"}}}
    shell = ScriptedTool("t", tools=[(ToolDef("get", "Get", schema), lambda args: args["a"] + HALF)])
    assert shell.execute_sync(f"get --a x{HALF}").stdout == "x\ufffd\ufffd"
