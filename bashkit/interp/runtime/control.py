"""How control leaves a command other than by its status."""

from __future__ import annotations

from typing import Any

from bashkit.errors import Passage

USAGE_STATUS = 2  # of a builtin that refuses its options


class Unwind(Passage):
    """The root of what travels through running commands; no ``except Exception`` of a utility stops it."""


class LoopJump(Unwind):
    """``break`` or ``continue`` on its way out.

    Attributes:
        ends: The loop it arrives at is over.
        status: What the status of the loop is then.

    Args:
        levels: How many loops it concerns, the innermost first.
    """

    ends: bool

    def __init__(self, levels: int, status: int = 0) -> None:
        self.levels = levels
        self.status = status

    def arrives(self) -> bool:
        """Count one loop; whether it is the one that the jump is meant for."""
        self.levels -= 1
        return self.levels == 0


class BreakLoop(LoopJump):
    """``break n``: leave ``levels`` loops."""

    ends = True


class ContinueLoop(LoopJump):
    """``continue n``: leave ``levels - 1`` loops and begin the next turn of one more."""

    ends = False


class ReturnFunction(Unwind):
    """``return``: leave the function or sourced file."""

    def __init__(self, status: int) -> None:
        self.status = status


class ExitShell(Unwind):
    """``exit``, errexit, or an error that ends a non-interactive shell: leave the shell or subshell.

    Attributes:
        calls: The functions that it came out of, with those around them; None where it came out of none.
        positional: The positional parameters of the innermost.
        redirected: The EXIT trap runs with the redirections of the compound commands that it came out of.
    """

    calls: list[Any] | None = None
    positional: list[str] | None = None
    redirected = False

    def __init__(self, status: int) -> None:
        self.status = status


class SpecialBuiltinFailed(ExitShell):
    """A special builtin failed in posix mode; under ``command`` it does not end the shell (POSIX XCU 2.8.1).

    Attributes:
        of_text: The builtin is ``eval`` or ``.``, whose text is malformed.
    """

    of_text = False


class ExecutionStopped(Unwind):
    """``set -n``: the rest of the command line is not run, and later lines are only read."""


class Killed(Unwind):
    """A signal ends a shell; the status is 128 plus its number.

    Args:
        signal: The number.
        whole: It ends the task, with every shell in it: it came from elsewhere.
        outermost: It ends this process of the task and those inside, where the others survive.
    """

    def __init__(self, signal: int, *, whole: bool = False, outermost: object = None) -> None:
        self.signal = signal
        self.whole = whole
        self.outermost = outermost


class SigPipe(Unwind):
    """SIGPIPE: a command has written into a pipe that nobody reads any more. It ends where it stands, with 141 and no message.

    It is no OSError, so that no command takes it for an error of the file that it is at.
    """


class UsageRefused(Exception):  # noqa: N818 - the message is written already
    """A builtin refuses an option, with the status USAGE_STATUS, or the argument of one, with 1; what is wrong is reported."""

    def __init__(self, status: int = USAGE_STATUS) -> None:
        super().__init__(status)
        self.status = status


class RefusedStatus(int):
    """The status of a compound command whose redirections failed: ``!`` does not invert it."""

    __slots__ = ()


class EarlierStatus(int):
    """``$?`` while a command is expanded: it is there still where no command substitution ran, which leaves its own."""

    __slots__ = ()


class CommandStatus(int):
    """The exit status of a command that wants to be named when errexit ends the shell because of it.

    It is an ordinary status on its way through pipelines, functions and substitutions.

    Attributes:
        words: The command and its words.
        line: Where in the script it stands.
    """

    words: list[str]
    line: int

    @classmethod
    def of(cls, status: int, words: list[str], line: int) -> CommandStatus:
        """A status that knows its command."""
        found = cls(status)
        found.words = words
        found.line = line
        return found


class KilledStatus(int):
    """The exit status of a process that a signal has ended: 128 plus its number.

    Attributes:
        pid: The process.
    """

    pid: int

    @classmethod
    def of(cls, signal: int, pid: int) -> KilledStatus:
        """The status of a process that a signal has ended."""
        found = cls(128 + signal)
        found.pid = pid
        return found


NEGATIVE_LENGTH = "substring expression < 0"


class ExpansionError(Exception):
    """An expansion that cannot be done.

    Args:
        message: In bash's words, without the ``bash: line N:`` prefix.
        status: The status the shell ends with when the error is fatal, else that of the command.
        fatal: The shell exits (an unset parameter under ``set -u``, ``${x:?}``).

    Attributes:
        place: What stands before the message, when it is reported outside of the function that it comes from.
        told: It has been reported.
        of_operand: An expansion inside an expression has failed, and not the expression itself.
        at_once: If it ends a shell that runs a file, then where it stands: the EXIT trap sees what holds there.
    """

    place = ""
    told = False
    of_operand = False
    at_once = False

    def __init__(self, message: str, status: int = 1, *, fatal: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.fatal = fatal

    @property
    def of_arithmetic(self) -> bool:
        """An expression could not be evaluated."""
        return "(error token is " in self.message

    @property
    def spares_shell(self) -> bool:
        """It ends a line, but not a shell under ``set -e``."""
        return self.of_arithmetic or self.message.endswith(NEGATIVE_LENGTH)


class LineError(ExpansionError):
    """An expansion that cannot be done, which ends the command line, and not even in posix mode the shell."""


class NumberError(LineError):
    """A malformed subscript or value of an integer variable, which ends the line of the script and not only that of eval."""


class SurplusError(NumberError):
    """Words too many for a builtin, which it has reported."""

    @property
    def spares_shell(self) -> bool:
        """It always does."""
        return True
