"""One command line of a script: what it costs while it runs, its run, and its errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.run.compiler import compile_sequence
from bashkit.interp.runtime.control import ExecutionStopped, ExitShell, ExpansionError, NumberError, SpecialBuiltinFailed
from bashkit.syntax import RESERVED, Parser
from bashkit.syntax.nodes import CommandSubstitution, HereDocument, ProcessSubstitution
from bashkit.syntax.reading import parts_of
from bashkit.syntax.source import SubstitutionSyntaxError, UnshownSyntaxError, UnterminatedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.interp.state.shell import Run, Shell
    from bashkit.limits import Budget
    from bashkit.syntax.nodes import Sequence

RECORDED = "BASH_COMMAND"  # a variable that is kept only where a text asks for it
_NODE = 300  # bytes of a word, a part of one or a command
_SEVERAL_LINES = re.compile(r"[$<>]\([^\n]*\n").search  # it may have a substitution of several lines
_CLOSURE = 150  # bytes of its closures
COMPILED = _NODE + _CLOSURE


def script_text(data: bytes) -> str:
    """The text of a script; NUL bytes are no part of it."""
    return data.replace(b"\0", b"").decode("utf-8", "surrogateescape")


def is_binary(start: bytes) -> bool:
    """Whether a file that starts so is no script: an ELF program, or what has a NUL in its first line; behind ``#!``, in any."""
    lines = start if start.startswith(b"#!") else start.partition(b"\n")[0]
    return b"\0" in lines or start.startswith(b"\x7fELF")


def input_text(data: bytes) -> str:
    """As ``script_text``, of a script that is a shell's input: its last line has an end, which a backslash may quote."""
    text = script_text(data)
    return text + "\n" if text.endswith("\\") else text


class Tree:
    """What the text of a line becomes, charged to the budget's memory while the line runs.

    Args:
        budget: What is charged.
    """

    __slots__ = ("_budget", "_size", "steps")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._size = 0  # bytes
        self.steps = 0  # words, parts of words and commands

    def grow(self, steps: int) -> None:
        """Account for so many more words, parts of words and commands that are read."""
        self.steps += steps
        self._hold(_NODE * steps)

    def compiled(self, commands: Sequence) -> Run:
        """Compile what was read, and account for that."""
        self._hold(_CLOSURE * self.steps)
        return compile_sequence(commands)

    def _hold(self, size: int) -> None:
        self._size += size
        self._budget.hold(size)

    def release(self) -> None:
        """Give back all of it."""
        self._budget.memory += self._size
        self._size = self.steps = 0


def run_line(shell: Shell, run: Run, *, nested: bool = False) -> None:
    """Run one command line; a failed expansion gives it up, and ends a subshell in which eval or a sourced file has it.

    Args:
        shell: The shell.
        run: The line.
        nested: It is a line of eval, a sourced file or a trap.

    Raises:
        NumberError: The line around a nested one is to be given up, too.
    """
    try:
        shell.status = run(shell)
        if shell.options.set["onecmd"] and not shell.invocation.command_string:
            raise ExitShell(shell.status)
    except ExecutionStopped:
        shell.status = 0
    except ExpansionError as error:
        shell.report(error)
        if shell.subshell_level and "EXIT" not in shell.traps.running:
            raise ExitShell(1) from None
        if shell.options.errexit and not shell.condition_depth and not error.spares_shell:
            ending = shell.traps.before if "EXIT" in shell.traps.running else None
            raise ExitShell(1 if ending is None else ending) from None
        if nested and isinstance(error, NumberError):
            raise


def step_over(parser: Parser, error: ScriptSyntaxError) -> bool:
    """Go on behind the line of an error that costs no more than that; False when it does, or when nothing comes after it."""
    if not error.recoverable or error.incomplete:
        return False
    end = -1
    for _ in range(error.line - parser.first_line + 1):
        end = parser.text.find("\n", end + 1)
        if end < 0:
            return False
    parser.position = max(parser.position, end)
    return True


def tell_warnings(shell: Shell, warnings: Iterable[tuple[int, str]]) -> None:
    """Write what the parser finds suspicious."""
    for line, message in warnings:
        shell.print_error(f"{shell.origin}: line {line}: warning: {message}")


def command_aliases(shell: Shell) -> dict[str, str] | None:
    """The aliases that are expanded; in posix mode no reserved word is one."""
    if not shell.options.shopt["expand_aliases"]:
        return None
    aliases = shell.aliases
    if shell.options.posix and not RESERVED.isdisjoint(aliases):
        return {name: value for name, value in aliases.items() if name not in RESERVED}
    return aliases


def show_read(shell: Shell, text: str) -> None:
    """Show what was read of a script, as ``set -v`` asks for: of a substitution of several lines, only the first."""
    if not shell.options.set["verbose"]:
        return
    if _SEVERAL_LINES(text):
        text = _without_substitutions(shell, text)
    shell.print_error(text.removesuffix("\n"))


def _without_substitutions(shell: Shell, text: str) -> str:
    """The text without the lines that begin in ``$(…)``, ``<(…)`` or ``>(…)``."""
    parser = Parser(text, extglob=shell.options.shopt["extglob"])
    parser.posix, parser.on_progress = shell.options.posix, shell.budget.tick
    hidden: list[tuple[int, int]] = []
    try:
        while (commands := parser.next_line()) is not None:
            for body in _substitutions(commands):
                begin = text.find(f"({body})")
                end = text.find("\n", begin + len(body) + 2)
                hidden.append((text.find("\n", begin), len(text) if end < 0 else end))
    except ScriptSyntaxError:
        pass
    shown, done = [], 0
    for begin, end in sorted(hidden):
        shown.append(text[done : max(begin, done)])
        done = max(end, done)
    return "".join(shown) + text[done:]


def _substitutions(tree: object) -> Iterator[str]:
    """The texts of the outermost substitutions of several lines; none of those in a here-document, which is read before."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (CommandSubstitution, ProcessSubstitution)):
            if node.body is not None and "\n" in node.text:
                yield node.text
        elif isinstance(node, tuple):
            pending += node
        elif not isinstance(node, HereDocument):
            pending += [getattr(node, name) for name in parts_of(node)]


def show_failed(shell: Shell, error: ScriptSyntaxError, text: str, begin: int, first_line: int) -> None:
    """As ``show_read`` for a command with a syntax error, which was read up to the end of that line.

    Args:
        shell: The shell.
        error: The error.
        text: The text that has the command.
        begin: Where in it the command begins.
        first_line: The number of the first line of the text.
    """
    if not shell.options.set["verbose"]:
        return
    lines = text[begin:].split("\n")
    count = error.line - first_line - text.count("\n", 0, begin) + 1
    show_read(shell, "\n".join(lines if error.incomplete else lines[: max(count, 1)]))


def report_syntax_error(shell: Shell, error: ScriptSyntaxError, text: str, first_line: int, label: str) -> int:
    """Write a syntax error as bash does, the offending line after it; returns status 2."""
    tell_warnings(shell, error.warnings)
    if not error.recoverable and not shell.calls and text is shell.machine.script and shell is shell.machine.main:
        shell.machine.syntax_error = True
    prefix = f"{shell.origin}: {label}: " if label else f"{shell.origin}: "
    if isinstance(error, UnshownSyntaxError):
        status = _report_unshown(shell, error, prefix)
        return status if error.following is None else report_syntax_error(shell, error.following, text, first_line, label)
    silent = isinstance(error, SubstitutionSyntaxError) and error.silent
    _print_messages(shell, error, prefix, silent=silent)
    if shell.options.errexit and not shell.may_fail:
        raise ExitShell(2)
    if "syntax error near" in error.message and not silent:
        lines = text.split("\n")
        index = error.line - first_line
        if 0 <= index < len(lines):
            shell.print_error(f"{prefix}line {error.line}: `{lines[index]}'")
    nested = shell.evaluating > 0
    outermost = shell.invocation.command_string and not shell.subshell_level and not shell.options.errexit
    if error.recoverable:
        if shell.subshell_level:
            raise ExitShell(1)
        if shell.options.posix:
            raise ExitShell(127 if outermost else 1)
        shell.status = 1
        return 1
    if isinstance(error, SubstitutionSyntaxError) and nested:
        raise ExitShell(127 if outermost else 1)
    if shell.options.posix and nested and not isinstance(error, UnterminatedError):
        failure = SpecialBuiltinFailed(2)
        failure.of_text = True
        raise failure
    if isinstance(error, SubstitutionSyntaxError):
        shell.status = 127 if outermost else 2
    elif not (isinstance(error, UnterminatedError) and not nested and shell.status):  # which leaves $? as it was
        shell.status = 2
    return shell.status


def _print_messages(shell: Shell, error: ScriptSyntaxError, prefix: str, *, silent: bool) -> None:
    """Write the message of an error, unless it is silent, and its notes; under ``set -e`` the first of them ends the shell."""
    messages = error.notes if silent else [(error.line, error.message), *error.notes]
    for line, message in messages:
        shell.print_error(f"{prefix}line {line}: {message}")
        if shell.options.errexit and not shell.may_fail:
            raise ExitShell(2)


def _report_unshown(shell: Shell, error: UnshownSyntaxError, prefix: str) -> int:
    """Write an error without the line; bash gives up the text and, where there is more of it, leaves $? as it was."""
    _print_messages(shell, error, prefix, silent=error.silent)
    if error.at_end or shell.evaluating:
        shell.status = 2
    return shell.status
