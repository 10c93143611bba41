"""Custom builtins: functions of the host as commands of a session."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.fs import FileSystem
from bashkit.interp.utility.command import Arguments, Command

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

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


def custom_command(name: str, function: Callable[[BuiltinContext], Any]) -> Command:
    """A host function as a utility."""

    def run(process: Process, arguments: Arguments) -> int:
        text = process.stdin.read_all().decode("utf-8", "surrogateescape") if process.piped else None
        context = BuiltinContext(process.name, arguments.operands, text, dict(process.env), process.cwd, FileSystem(process.fs))

        def call() -> Any | Awaitable[Any]:
            return function(context)

        try:
            answer = process.system.call(call, inline=not inspect.iscoroutinefunction(function))
        except Exception as error:
            log_failure(f"the builtin {name!r}", error)
            process.warn(f"failed: {type(error).__name__}")
            return 1
        result = answer if isinstance(answer, BuiltinResult) else BuiltinResult(str(answer or ""))
        if result.stdout:
            process.write(result.stdout)
        if result.stderr:
            process.stderr.write(result.stderr.encode("utf-8", "surrogateescape"))
        return result.exit_code

    return Command(name, run, "[ARG]...", "A command of this session.", options=None)


def log_failure(what: str, error: BaseException) -> None:
    """The host gets the exception itself; the script only its name."""
    import logging

    logging.getLogger("bashkit").error("%s failed", what, exc_info=error)
