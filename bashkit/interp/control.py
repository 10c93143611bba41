"""How control leaves a command other than by its status."""

from __future__ import annotations


class Unwind(BaseException):
    """The root of what travels through running commands; no ``except Exception`` of a utility stops it."""


class BreakLoop(Unwind):
    """``break n``: leave ``levels`` loops."""

    def __init__(self, levels: int) -> None:
        self.levels = levels


class ContinueLoop(Unwind):
    """``continue n``: leave ``levels - 1`` loops and begin the next turn of one more."""

    def __init__(self, levels: int) -> None:
        self.levels = levels


class ReturnFunction(Unwind):
    """``return``: leave the function or sourced file."""

    def __init__(self, status: int) -> None:
        self.status = status


class ExitShell(Unwind):
    """``exit``, errexit, or an error that ends a non-interactive shell: leave the shell or subshell."""

    def __init__(self, status: int) -> None:
        self.status = status


class Killed(Unwind):
    """A signal ends the task; the status is 128 plus its number."""

    def __init__(self, signal: int) -> None:
        self.signal = signal


class ExpansionError(Exception):
    """An expansion that cannot be done.

    Args:
        message: In bash's words, without the ``bash: line N:`` prefix.
        status: The status the shell ends with when the error is fatal, else that of the command.
        fatal: The shell exits (an unset parameter under ``set -u``, ``${x:?}``).
    """

    def __init__(self, message: str, status: int = 1, *, fatal: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.fatal = fatal
