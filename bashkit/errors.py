"""Every error bashkit raises on purpose: one family, rooted at BashkitError."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TIMED_OUT = 124
_NOT_ALLOWED = 126


class BashkitError(Exception):
    """The root: ``except BashkitError`` catches whatever bashkit raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its text and attributes, whatever its class is made of: processes of a pool send errors so."""
        return _unpickled, (type(self), self.args), self.__dict__


def _unpickled(kind: type[BashkitError], args: tuple[Any, ...]) -> BashkitError:
    return kind.__new__(kind, *args)


class Passage(BaseException):
    """What the interpreter itself sends through running commands; it is no failure of what it passes on its way."""


class ScriptSyntaxError(BashkitError):
    """A script that bash would refuse.

    Args:
        message: What is wrong, in bash's words, without the ``bash: line N:`` prefix.
        line: One-based line of the offending token.
        column: One-based column of the offending token.
        incomplete: The text ended too early and more of it could make it right.

    Attributes:
        recoverable: Only this line is lost, with status 1 (a malformed array literal); bash goes on with the next.
        notes: What bash says besides: lines of the script, each with a message about it.
        warnings: Likewise, what it says before.
    """

    recoverable = False
    notes: tuple[tuple[int, str], ...] = ()
    warnings: tuple[tuple[int, str], ...] = ()

    def __init__(self, message: str, line: int, column: int = 1, *, incomplete: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.incomplete = incomplete


class LimitExceededError(BashkitError):
    """A script spent more than its ExecutionLimits allow.

    Args:
        name: The field of ExecutionLimits (``max_commands``, ``timeout``, …).
        message: What to tell the script's author.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class BashError(BashkitError):
    """A script whose exit status is not 0, for callers who want an exception.

    Args:
        exit_code: Its exit status.
        stdout: What it wrote to standard output.
        stderr: What it wrote to standard error.
    """

    def __init__(self, exit_code: int, stdout: str, stderr: str) -> None:
        super().__init__(f"exit status {exit_code}" + (f": {stderr.strip()}" if stderr.strip() else ""))
        self.exit_code = exit_code
        self.stdout = stdout
        self.stderr = stderr


class DefinitionError(BashkitError, ValueError):
    """A tool or shell that was declared wrongly: a bad name, an invalid schema, a duplicate."""


class SnapshotError(BashkitError):
    """A snapshot that cannot be read or restored: damaged, of another version, too large, or a mount is missing."""


class PromptSnapshotError(BashkitError):
    """A prompt snapshot that cannot be read, written or told from another toolset's."""


class RecordingError(BashkitError):
    """A recording of tool calls that cannot be read or written."""


class ToolError(BashkitError):
    """A tool callback reports failure to the script.

    Args:
        message: Written to the command's standard error; an exception stands for its text.
        exit_code: The command's exit status, 1 to 255; a number that would be success is 1.
        stdout: What it wrote before it failed; the command's standard output.

    Attributes:
        files: The files that it leaves to the script, as in ``ToolResult``.
    """

    def __init__(self, message: str | BaseException = "", exit_code: int = 1, stdout: str | bytes = "") -> None:
        if not isinstance(exit_code, int) or not isinstance(stdout, (str, bytes)):
            raise TypeError(f"a ToolError has a number and a text or bytes, not {exit_code!r} and {type(stdout).__name__}")
        super().__init__(message)
        self.message = str(message)
        self.exit_code = exit_code & 255 or 1
        self.stdout = stdout
        self.files: Mapping[str, str | bytes | None] = {}


class ScriptExecutionError(ToolError):
    """A script of a skill failed.

    Args:
        message: What happened, with the script's standard error.
        exit_code: Its exit status; 128 + N when signal N ended it.
        stdout: What it wrote to standard output.
        stderr: What it wrote to standard error.
    """

    def __init__(self, message: str = "", exit_code: int = 1, stdout: str | bytes = "", stderr: str | bytes = "") -> None:
        super().__init__(message, exit_code, stdout)
        self.stderr = stderr


class ScriptTimeoutError(ScriptExecutionError):
    """A script of a skill took too long; its exit code is 124, as timeout(1) has it.

    Args:
        script_path: The script.
        timeout_seconds: How long it may take.
        stdout: What it wrote to standard output.
        stderr: What it wrote to standard error.
    """

    def __init__(self, script_path: str, timeout_seconds: float, stdout: str | bytes = "", stderr: str | bytes = "") -> None:
        super().__init__(f"Script timed out after {timeout_seconds:g}s: {script_path}", _TIMED_OUT, stdout, stderr)


class ToolRestrictionError(ToolError):
    """A skill whose ``allowed-tools`` do not let its scripts run; its exit code is 126, as for a file that may not be run.

    Args:
        skill_name: The skill.
        allowed_tools: What its ``allowed-tools`` list.
    """

    def __init__(self, skill_name: str, allowed_tools: Sequence[str]) -> None:
        super().__init__(f"Tool 'Bash' not allowed for skill '{skill_name}'. Allowed: {list(allowed_tools)}", _NOT_ALLOWED)


class CallbackNotFoundError(BashkitError):
    """A callback target that names nothing importable or executable."""


class LifespanError(BashkitError):
    """The setup or teardown of a toolset failed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a toolset file.

    Attributes:
        file: The file's path as the author gave it.
        line: One-based line.
        column: One-based column.
        message: What is wrong.
        hint: What to do about it, or "".
        source: The text of that line, for the snippet.
        width: How many columns the caret underlines.
        path: Where in the document: ``tools[2].input_schema.type``.
        severity: ``error``, or ``warning`` for what works and could be better.
        code: The rule that a warning comes from, or "".
    """

    file: str
    line: int
    column: int
    message: str
    hint: str = ""
    source: str = ""
    width: int = 1
    path: str = ""
    severity: Literal["error", "warning"] = "error"
    code: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class ToolsetError(BashkitError):
    """A toolset file with mistakes: all of them, in file order."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


def is_failure(error: BaseException) -> bool:
    """Whether what a function of the host has raised is its own failure: the script hears of it, and the host goes on.

    It is, of whatever class, as are SystemExit and a cancellation that the function itself has raised. A limit, an interrupt of
    the user, and what the interpreter sends through a waiting task are not.
    """
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_failure, error.exceptions))
    if isinstance(error, Exception):
        return not isinstance(error, LimitExceededError)
    if isinstance(error, (KeyboardInterrupt, Passage)):
        return False
    greenlet = sys.modules.get("greenlet")  # without it there are no tasks that end
    return greenlet is None or not isinstance(error, greenlet.GreenletExit)
