"""Names that users of other implementations know."""

import pytest

from bashkit import Bash, BashError, ExecutionLimits, ScriptedTool, ToolDef
from bashkit.errors import DefinitionError


def test_limits_have_short_forms():
    bash = Bash(
        max_commands=7, max_loop_iterations=8, max_memory=9_000_000, timeout_seconds=3, limits=ExecutionLimits(max_words=5)
    )
    limits = bash.limits
    found = (limits.max_commands, limits.max_loop_iterations, limits.max_memory_bytes, limits.timeout, limits.max_words)
    assert found == (7, 8, 9_000_000, 3, 5)
    assert Bash(max_commands=3).execute_sync("true; true; true; true").error == "limit:max_commands"
    assert (
        ScriptedTool("t", "Short", max_loop_iterations=5).execute_sync("while :; do :; done").error == "limit:max_loop_iterations"
    )


def test_a_failure_may_be_an_exception():
    assert Bash().execute_sync_or_throw("echo ok").stdout == "ok\n"
    with pytest.raises(BashError) as caught:
        Bash().execute_sync_or_throw("echo out; echo why >&2; exit 42")
    assert (caught.value.exit_code, caught.value.stdout, caught.value.stderr) == (42, "out\n", "why\n")
    assert str(caught.value) == "exit status 42: why"


async def test_a_failure_may_be_an_exception_of_an_async_call():
    assert (await Bash().execute_or_throw("echo ok")).stdout == "ok\n"
    with pytest.raises(BashError, match="exit status 1"):
        await Bash().execute_or_throw("false")


@pytest.mark.parametrize("before", [[], ["x=1"]])
def test_set_env_exports_a_variable_for_the_scripts_to_come(before):
    bash = Bash()
    for script in before:
        bash.execute_sync(script)
    bash.set_env("REGION", "eu")
    assert bash.execute_sync("bash -c 'echo $REGION'").stdout == "eu\n"
    bash.reset()
    assert bash.execute_sync("echo $REGION").stdout == "eu\n"


def test_set_env_refuses_what_is_no_variable():
    bash = Bash()
    with pytest.raises(DefinitionError, match="'a=b' cannot be the name"):
        bash.set_env("a=b", "1")
    bash.execute_sync("readonly R=1")
    with pytest.raises(DefinitionError, match="R: readonly variable"):
        bash.set_env("R", "2")


@pytest.mark.parametrize("persistent", [False, True])
def test_the_environment_of_a_tool_is_read_and_added_to(persistent):
    tool = ScriptedTool("t", env={"A": "1"}, secrets={"S": "hush"}, persistent=persistent)
    tool.add_tool("region", "d", lambda args: args.env.get("B", "-"))
    assert tool.execute_sync("region; echo $A $B").stdout == "-1\n"
    tool.env("B", "2")
    assert tool.execute_sync("region; echo $A $B").stdout == "21 2\n"
    assert dict(tool.env) == {"A": "1", "B": "2"}
    with pytest.raises(DefinitionError, match="S is a secret"):
        tool.env("S", "seen")


def test_fs_may_be_called():
    bash = Bash(files={"/a": "1"})
    assert bash.fs().read_file("/a") == bash.fs.read_file("/a") == b"1"


def test_a_tool_of_the_builder_has_the_same_environment():
    tool = ScriptedTool.builder("t").tool(ToolDef("x", "d"), lambda args: "x").env("A", "1").build()
    assert dict(tool.env) == {"A": "1"}
