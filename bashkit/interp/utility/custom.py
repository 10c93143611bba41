"""Custom builtins: functions of the host as commands of a session."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError, is_failure
from bashkit.fs import FileSystem
from bashkit.interp.utility.command import Arguments, Command
from bashkit.syntax.escapes import well_formed

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process


@dataclass(slots=True, frozen=True)
class BuiltinContext:
    """What a custom builtin is called with.

    Attributes:
        name: The command word.
        argv: The words after it.
        stdin: What is piped or redirected into it; None when nothing is.
        env: The exported variables.
        cwd: The working directory.
        fs: The files.
    """

    name: str
    argv: list[str]
    stdin: str | None
    env: dict[str, str]
    cwd: str
    fs: FileSystem


@dataclass(slots=True)
class BuiltinResult:
    """What a custom builtin answers."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


class WrongResultError(BashkitError, TypeError):
    """A custom builtin has returned something that is no output."""


def custom_command(name: str, function: Callable[[BuiltinContext], Any]) -> Command:
    """A host function as a utility. It runs in a thread, or on the event loop if it is async, so that it never holds up the
    script's other tasks, its time limit or the host's event loop.
    """
    is_async = any(map(inspect.iscoroutinefunction, (function, type(function).__call__)))

    def run(process: Process, arguments: Arguments) -> int:
        text = process.stdin.read_all().decode("utf-8", "surrogateescape") if process.piped else None
        context = BuiltinContext(process.name, arguments.operands, text, dict(process.env), process.cwd, FileSystem(process.fs))

        async def awaited() -> Any:
            return await function(context)

        try:
            result = _result(process.system.call(awaited if is_async else lambda: function(context)))
        except WrongResultError as error:
            process.warn(str(error))
            return 1
        except BaseException as error:
            if not is_failure(error):
                raise
            log_failure(f"the builtin {name!r}", error)
            process.warn(f"failed: {type(error).__name__}")
            return 1
        if result.stdout:
            process.write(well_formed(result.stdout))
        if result.stderr:
            process.stderr.write(well_formed(result.stderr).encode("utf-8", "surrogateescape"))
        return result.exit_code & 255

    return Command(name, run, "[ARG]...", "A command of this session.", options=None)


def _result(answer: Any) -> BuiltinResult:
    """What a builtin returned, as a result.

    Raises:
        WrongResultError: It is something else.
    """
    if answer is None or isinstance(answer, str):
        return BuiltinResult(answer or "")
    if not isinstance(answer, BuiltinResult):
        raise WrongResultError(f"callback must return str or BuiltinResult, not {type(answer).__name__}")
    texts = (answer.stdout, answer.stderr)
    if not all(isinstance(text, str) for text in texts) or not isinstance(answer.exit_code, int):
        raise WrongResultError("a BuiltinResult has two texts and a number")
    return answer


def log_failure(what: str, error: BaseException) -> None:
    """The host gets the exception itself; the script only its name."""
    import logging

    logging.getLogger("bashkit").error("%s failed", what, exc_info=error)
