"""Running the text of scripts: one complete command line is parsed, then run, then the next (bash(1), SHELL GRAMMAR)."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.run.compiler import compile_sequence
from bashkit.interp.runtime.control import ExitShell, ExpansionError
from bashkit.syntax import Parser
from bashkit.syntax.source import SubstitutionSyntaxError, UnterminatedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell

_LARGE = 65536  # characters above which compiled text is not kept


class Script:
    """The lines of a text, compiled as far as they have been asked for.

    Args:
        text: The script.
        first_line: The number of its first line.
    """

    __slots__ = ("_end", "_lines", "_lock", "_parser", "spans", "text")

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self._parser = Parser(text, first_line)
        self._lines: list[tuple[Run, bool]] = []
        self.spans: list[tuple[int, int]] = []  # where the text of each line begins and ends
        self._lock = threading.Lock()
        self._end = -1  # how many lines there are, once that is known

    def line(self, index: int, *, extglob: bool, on_progress: Callable[[int], None] | None = None) -> Run | None:
        """The compiled command line ``index``, or None after the last.

        Raises:
            ScriptSyntaxError: That line is not well-formed.
        """
        lines = self._lines
        if index < len(lines) and lines[index][1] == extglob:
            return lines[index][0]
        if index == self._end:
            return None
        with self._lock:
            if index < len(lines):  # parsed under the other setting of extglob: parse the rest again
                parser = Parser(self.text, self._parser.first_line)
                for kept in range(index):
                    parser.extglob = lines[kept][1]
                    parser.next_line()
                del lines[index:]
                del self.spans[index:]
                self._end = -1
                self._parser = parser
            start = self._parser.position
            self._parser.extglob = extglob
            self._parser.on_progress = on_progress
            try:
                tree = self._parser.next_line()
            except ScriptSyntaxError as error:
                if not _step_over(self._parser, error):
                    self._parser.position = start
                    raise
                run = self._lost(error)
            else:
                if tree is None:
                    self._end = index
                    return None
                run = compile_sequence(tree)
            lines.append((run, extglob))
            self.spans.append((start, self._parser.position))
            return run

    def _lost(self, error: ScriptSyntaxError) -> Run:
        """A line that is given up: running it says so."""
        text, first_line = self.text, self._parser.first_line

        def run(shell: Shell) -> int:
            return report_syntax_error(shell, error, text, first_line, "-c" if shell.invocation.command_string else "")

        return run


def _step_over(parser: Parser, error: ScriptSyntaxError) -> bool:
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


@lru_cache(maxsize=512)
def _cached(text: str, first_line: int) -> Script:
    return Script(text, first_line)


def forget_scripts() -> None:
    """Drop every compiled script, and with it what is known of its loops."""
    _cached.cache_clear()


def run_text(shell: Shell, text: str, *, first_line: int = 1, label: str = "") -> int:
    """Run the text of a script, ``eval`` or trap in ``shell``; returns the status of its last command.

    A failed expansion gives up its line; a syntax error ends the text with status 2.

    Args:
        shell: The shell.
        text: What to run.
        first_line: The number of its first line, for messages.
        label: What stands in front of ``line N`` of a syntax error besides the shell's name (``-c``, ``eval``).
    """
    if len(text) > _LARGE or (shell.options.shopt["expand_aliases"] and (shell.aliases or "alias" in text)):
        return _run_once(shell, text, first_line, label)
    shell.budget.tick(len(text) >> 2)
    script = _cached(text, first_line)
    index = 0
    shell.status = 0 if not text.strip() else shell.status
    while True:
        if shell.options.shopt["expand_aliases"] and shell.aliases:  # from now on the text depends on the aliases
            return _run_once(shell, text, first_line, label, skip=index)
        try:
            run = script.line(index, extglob=shell.options.shopt["extglob"], on_progress=shell.budget.tick)
        except ScriptSyntaxError as error:
            return report_syntax_error(shell, error, text, first_line, label)
        if run is None:
            return shell.status
        if shell.options.set["verbose"]:
            begin, end = script.spans[index]
            shell.print_error(text[begin:end].removesuffix("\n"))
        index += 1
        if shell.options.set["noexec"]:
            continue
        run_line(shell, run)


def run_line(shell: Shell, run: Run) -> None:
    """Run one command line; a failed expansion gives it up."""
    try:
        shell.status = run(shell)
    except ExpansionError as error:
        shell.report(error)
        if shell.options.errexit and not shell.condition_depth and not error.of_arithmetic:
            raise ExitShell(1) from None


def _run_once(shell: Shell, text: str, first_line: int, label: str, skip: int = 0) -> int:
    """As run_text, where nothing is kept: each line is parsed with the aliases of that moment.

    Args:
        shell: The shell.
        text: What to run.
        first_line: The number of its first line.
        label: As for run_text.
        skip: How many lines have been run.
    """
    parser = Parser(text, first_line)
    parser.on_progress = shell.budget.tick
    shell.status = 0 if not text.strip() else shell.status
    while True:
        start = parser.position
        parser.extglob = shell.options.shopt["extglob"]
        parser.aliases = shell.aliases if shell.options.shopt["expand_aliases"] and not skip else None
        try:
            tree = parser.next_line()
        except ScriptSyntaxError as error:
            status = report_syntax_error(shell, error, text, first_line, label)
            if not _step_over(parser, error):
                return status
            continue
        if tree is None:
            return shell.status
        shell.budget.tick((parser.position - start) >> 2)
        if skip:
            skip -= 1
        elif not shell.options.set["noexec"]:
            run_line(shell, compile_sequence(tree))


def report_syntax_error(shell: Shell, error: ScriptSyntaxError, text: str, first_line: int, label: str) -> int:
    """Write a syntax error as bash does, the offending line after it; returns status 2."""
    if not error.recoverable and not shell.calls and label == "-c" and shell is shell.machine.main:
        shell.machine.syntax_error = True
    prefix = f"{shell.origin}: {label}: " if label else f"{shell.origin}: "
    shell.print_error(f"{prefix}line {error.line}: {error.message}")
    if "unexpected token" in error.message:
        lines = text.split("\n")
        index = error.line - first_line
        if 0 <= index < len(lines):
            shell.print_error(f"{prefix}line {error.line}: `{lines[index]}'")
    if error.recoverable:
        shell.status = 1
        return 1
    if "conditional" in error.message and label != "eval":
        return shell.status  # bash gives up the text and leaves $? as it was
    nested = shell.evaluating > 0
    outermost = shell.invocation.command_string and not shell.subshell_level and not shell.options.errexit
    if isinstance(error, SubstitutionSyntaxError) and nested:
        raise ExitShell(127 if outermost else 1)
    if shell.options.posix and nested:
        raise ExitShell(2)
    if isinstance(error, SubstitutionSyntaxError):
        shell.status = 127 if outermost else 2
    elif not (isinstance(error, UnterminatedError) and not nested and shell.status):  # which leaves $? as it was
        shell.status = 2
    return shell.status
