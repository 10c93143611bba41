"""Functions of the host that raise what is no Exception: the script hears of it, and the host goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from greenlet import GreenletExit

from bashkit import Bash, Policy, ScriptedTool, ToolDef
from bashkit.errors import LimitExceededError, Passage, is_failure

if TYPE_CHECKING:
    from collections.abc import Callable


class Panic(BaseException):
    """As pyo3 raises it where Rust panics."""


class OddError(Exception):
    """Cannot even be printed."""

    def __str__(self) -> str:
        raise Panic


KINDS: dict[str, Callable[[], BaseException]] = {
    "panic": lambda: Panic("secret"),
    "generator": GeneratorExit,
    "exit": lambda: SystemExit(3),
    "cancelled": asyncio.CancelledError,
    "group": lambda: BaseExceptionGroup("several", [Panic(), ValueError()]),
    "odd": OddError,
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """The name of what is raised."""
    return str(request.param)


def made(kind: str) -> BaseException:
    return KINDS[kind]()


def raising(kind: str) -> Callable[..., Any]:
    def function(*_: object) -> Any:
        raise made(kind)

    return function


def awaited(kind: str) -> Callable[..., Any]:
    async def function(*_: object) -> Any:
        raise made(kind)

    return function


def pieces(kind: str) -> Callable[..., Any]:
    def function(_: object) -> Any:
        yield ""
        raise made(kind)

    return function


def async_pieces(kind: str) -> Callable[..., Any]:
    async def function(_: object) -> Any:
        yield ""
        raise made(kind)

    return function


def tool(callback: Callable[..., Any] = lambda _: "", **options: Any) -> ScriptedTool:
    inline = options.pop("inline", False)
    effects = options.pop("effects", None)
    return ScriptedTool("t", tools=[(ToolDef("f", "d", inline=inline, effects=effects), callback)], **options)


@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize("make", [raising, awaited, pieces, async_pieces])
def test_a_callback_has_failed(kind: str, make: Callable[[str], Any], isolation: str) -> None:
    response = tool(make(kind), isolation=isolation).execute_sync("f; echo $?")
    assert (response.stdout, response.stderr) == ("1\n", f"f: {type(KINDS[kind]()).__name__}\n")
    assert isinstance(response.trace[0].exception, type(KINDS[kind]()))


def test_an_inline_callback_has_failed(kind: str) -> None:
    assert tool(raising(kind), inline=True).execute_sync("f; echo $?").stdout == "1\n"


def test_messages_that_cannot_be_made_are_left_out() -> None:
    assert tool(raising("odd"), errors="message").execute_sync("f").stderr == "f: OddError\n"


@pytest.mark.parametrize("hook", ["on_start", "on_call", "on_error"])
def test_a_hook_changes_nothing(kind: str, hook: str) -> None:
    callback = raising("panic") if hook == "on_error" else lambda _: ""
    response = tool(callback, **{hook: raising(kind)}).execute_sync("f; echo $?")
    assert response.stdout == f"{int(hook == 'on_error')}\n"


@pytest.mark.parametrize("make", [raising, awaited])
def test_an_approval_that_fails_is_none(kind: str, make: Callable[[str], Any]) -> None:
    response = tool(effects="write", policy=Policy({"write": "ask"}, approve=make(kind))).execute_sync("f; echo $?")
    assert (response.stdout, "the policy could not decide" in response.stderr) == ("126\n", True)


@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize("make", [raising, awaited])
def test_builtins_files_and_input_fail(kind: str, make: Callable[[str], Any], isolation: str) -> None:
    name = type(KINDS[kind]()).__name__
    bash = Bash(custom_builtins={"f": make(kind)}, files={"/a": make(kind)}, isolation=isolation)
    result = bash.execute_sync("f; echo $?; cat /a; echo $?; cat; echo $?", stdin=make(kind))
    assert result.stdout == "1\n1\n1\n"
    assert result.stderr == f"f: failed: {name}\ncat: /a: Input/output error\ncat: Input/output error\n"


@pytest.mark.parametrize("make", [raising, awaited])
def test_a_file_read_between_scripts_fails(kind: str, make: Callable[[str], Any]) -> None:
    with pytest.raises(OSError, match="Input/output error"):
        Bash(files={"/a": make(kind)}).read_file("/a")


def interrupted(*_: object) -> Any:
    raise KeyboardInterrupt


def test_an_interrupt_ends_the_script() -> None:
    with pytest.raises(KeyboardInterrupt):
        tool(interrupted, inline=True).execute_sync("f || echo goes on")


async def test_a_cancellation_of_the_host_is_none_of_the_script() -> None:
    started = asyncio.Event()

    async def wait(_: object) -> None:
        started.set()
        await asyncio.Event().wait()

    running = asyncio.create_task(tool(wait).execute("f; echo goes on"))
    await started.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        GreenletExit(),
        Passage(),
        LimitExceededError("timeout", ""),
        BaseExceptionGroup("", [Panic(), KeyboardInterrupt()]),
    ],
)
def test_what_is_no_failure(error: BaseException) -> None:
    assert not is_failure(error)
