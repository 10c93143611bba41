"""Running the text of scripts: one complete command line is parsed, then run, then the next (bash(1), SHELL GRAMMAR)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.run.command_lines import (
    COMPILED,
    RECORDED,
    Tree,
    command_aliases,
    report_syntax_error,
    run_line,
    show_failed,
    show_read,
    step_over,
    tell_warnings,
)
from bashkit.interp.run.compiler import compile_sequence
from bashkit.interp.run.line_reader import run_rest
from bashkit.interp.runtime.control import ExitShell, SpecialBuiltinFailed
from bashkit.syntax import Parser

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell

    Modes = tuple[bool, bool]  # extglob and posix, as the parser knows them

_ROOM = 3 << 14  # words, parts of words and commands of all texts that are kept, of about 500 bytes each
_LARGE = 131072  # characters above which compiled text is not kept
_FEW = 64  # of them are not charged
_NOTED = 8192  # texts that have been run once and are known again


class Script:
    """The lines of a text, compiled as far as they have been asked for.

    Args:
        text: The script.
        first_line: The number of its first line.
    """

    __slots__ = ("_end", "_lines", "_lock", "_parser", "asks_for_command", "first_line", "spans", "steps", "text", "weight")

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.first_line = first_line
        self.asks_for_command = RECORDED in text
        self._parser = Parser(text, first_line)
        self._lines: list[tuple[Run | ScriptSyntaxError, Modes]] = []
        self.spans: list[tuple[int, int]] = []  # where the text of each line begins and ends
        self._lock = threading.Lock()
        self._end = -1  # how many lines there are, once that is known
        self.steps = 0  # words, parts of words and commands of the compiled lines
        self.weight = 0  # what it counted when it was kept

    def line(self, index: int, modes: Modes, on_progress: Callable[[int], None] | None = None) -> Run | ScriptSyntaxError | None:
        """The compiled command line ``index``, an error that gives up no more than that line, or None after the last.

        Args:
            index: The lines before it have been asked for.
            modes: How it is read.
            on_progress: See ``Parser``.

        Raises:
            ScriptSyntaxError: That line is not well-formed.
        """
        lines = self._lines
        if index < len(lines) and lines[index][1] == modes:
            return lines[index][0]
        if index == self._end:
            return None
        if not self._lock.acquire(blocking=False):  # another session is just there, maybe in this very thread
            return _line_of(Script(self.text, self.first_line), index, modes, on_progress)
        try:
            if index < len(lines):  # parsed in another mode: parse the rest again
                parser = Parser(self.text, self.first_line)
                for kept in range(index):
                    parser.extglob, parser.posix = lines[kept][1]
                    parser.next_line()
                del lines[index:]
                del self.spans[index:]
                self._end = -1
                self._parser = parser
            run: Run | ScriptSyntaxError
            start = self._parser.position
            self._parser.extglob, self._parser.posix = modes
            self._parser.on_progress = on_progress
            try:
                tree = self._parser.next_line()
            except ScriptSyntaxError as error:
                if not step_over(self._parser, error):
                    self._parser.position = start
                    raise
                run = error.with_traceback(None)  # it is kept, and the frames are not
            except BaseException:  # the time is up in the midst of a line
                parser = self._parser = Parser(self.text, self.first_line)
                parser.position = start
                raise
            else:
                if tree is None:
                    self._end = index
                    return None
                try:
                    run = compile_sequence(tree)
                except BaseException:  # as above
                    self._parser.position = start
                    raise
            if self._parser.warnings and not isinstance(run, ScriptSyntaxError):
                run = _Warned(run, self._parser.warnings)
                self._parser.warnings = []
            lines.append((run, modes))
            self.steps = self._parser.steps + self._parser.untold
            self.spans.append((start, self._parser.position))
            return run
        finally:
            self._parser.on_progress = None  # it knows an execution
            self._lock.release()


class _Warned:
    """A line about which the parser has something to say, each time that it is read."""

    __slots__ = ("run", "warnings")

    def __init__(self, run: Run, warnings: list[tuple[int, str]]) -> None:
        self.run = run
        self.warnings = warnings

    def __call__(self, shell: Shell) -> int:
        tell_warnings(shell, self.warnings)
        return self.run(shell)


def _line_of(
    script: Script, index: int, modes: Modes, on_progress: Callable[[int], None] | None
) -> Run | ScriptSyntaxError | None:
    """A line of a script of which nothing is compiled."""
    for earlier in range(index):
        script.line(earlier, modes)
    return script.line(index, modes, on_progress)


class _Kept:
    """The scripts that are kept between executions, those that were kept first going first when there is no room.

    A script is kept when its text comes for the second time. Most texts come once, and thousands of objects of each, alive for
    nothing, would make every full collection of garbage ten times as long.

    Attributes:
        scripts: By their text and the number of its first line.
    """

    __slots__ = ("_lock", "_noted", "_noted_before", "_weight", "scripts")

    def __init__(self) -> None:
        self.scripts: OrderedDict[tuple[str, int], Script] = OrderedDict()  # a dict looks for its first key beyond all that went
        self._weight = 0
        self._noted: set[int] = set()  # hashes of texts that came once
        self._noted_before: set[int] = set()  # when that was full last
        self._lock = threading.Lock()

    def note(self, script: Script) -> None:
        """Keep a script if its text has come before."""
        key = hash((script.text, script.first_line))
        with self._lock:
            known = key in self._noted or key in self._noted_before
            if not known:
                if len(self._noted) == _NOTED:
                    self._noted_before, self._noted = self._noted, set()
                self._noted.add(key)
        if known:
            self.weigh(script)

    def weigh(self, script: Script) -> None:
        """Keep a script, or note that more of it was compiled."""
        key = script.text, script.first_line
        with self._lock:
            if self.scripts.setdefault(key, script) is not script:
                return  # another thread had the same text
            weight = script.steps + (len(script.text) >> 9) + 1
            self._weight += weight - script.weight
            script.weight = weight
            while self._weight > _ROOM:
                _, oldest = self.scripts.popitem(last=False)
                self._weight -= oldest.weight
                oldest.weight = 0

    def clear(self) -> None:
        """Keep none."""
        with self._lock:
            while self.scripts:
                self.scripts.popitem()[1].weight = 0
            self._weight = 0
            self._noted.clear()
            self._noted_before.clear()


_kept = _Kept()


def forget_scripts() -> None:
    """Drop every compiled script, and with it what is known of its loops."""
    _kept.clear()


def run_text(shell: Shell, text: str, *, first_line: int = 1, label: str = "", main: bool = False) -> int:
    """Run the text of a script, ``eval`` or trap in ``shell``; returns the status of its last command.

    A failed expansion gives up its line; a syntax error ends the text with status 2.

    Args:
        shell: The shell.
        text: What to run.
        first_line: The number of its first line, for messages.
        label: What stands in front of ``line N`` of a syntax error besides the shell's name (``-c``, ``eval``).
        main: It is what the shell was started for, whose lines are remembered under ``set -o history``.
    """
    if shell.sole:
        return _run_in_process(shell, text, first_line, label)
    if len(text) > _LARGE or (shell.options.shopt["expand_aliases"] and (shell.aliases or "alias" in text)):
        return _run_once(shell, text, first_line, label, main=main)
    shell.budget.tick(len(text) >> 2)
    script = _kept.scripts.get((text, first_line))
    if script is None:
        script = Script(text, first_line)
        _kept.note(script)
    if script.asks_for_command and not shell.recording:
        shell.record()
    charged = index = 0
    shell.status = 0 if not text.strip() else shell.status
    try:
        while True:
            if shell.options.shopt["expand_aliases"] and shell.aliases:  # from now on the text depends on the aliases
                return _run_once(shell, text, first_line, label, skip=index, main=main)
            if main and shell.options.set["history"]:
                begin = script.spans[index - 1][1] if index else 0
                return run_rest(shell, text[begin:], first_line + text.count("\n", 0, begin), label)
            try:
                run = script.line(index, (shell.options.shopt["extglob"], shell.options.posix), shell.budget.tick)
            except ScriptSyntaxError as error:
                show_failed(shell, error, text, script.spans[index - 1][1] if index else 0, first_line)
                return report_syntax_error(shell, error, text, first_line, label)
            if run is None:
                return shell.status
            if script.steps > charged + _FEW:
                shell.budget.hold(COMPILED * (script.steps - charged))
                charged = script.steps
            if shell.options.set["verbose"]:
                begin, end = script.spans[index]
                show_read(shell, text[begin:end])
            index += 1
            if isinstance(run, ScriptSyntaxError):
                report_syntax_error(shell, run, text, first_line, label)
            elif not shell.options.set["noexec"]:
                run_line(shell, run, nested=not main)
            elif isinstance(run, _Warned):
                tell_warnings(shell, run.warnings)
    finally:
        shell.budget.memory += COMPILED * charged
        if 0 < script.weight <= script.steps:
            _kept.weigh(script)


def _run_in_process(shell: Shell, text: str, first_line: int, label: str) -> int:
    """As run_text, for a builtin that has a process of its own: its commands have none of that process's exemptions."""
    inverted, depth, asked = shell.inverted, shell.condition_depth, shell.asked_outside
    shell.sole, shell.of_builtin = False, True
    shell.inverted, shell.condition_depth, shell.asked_outside = -1, 0, (0, -1)
    try:
        return run_text(shell, text, first_line=first_line, label=label)
    except SpecialBuiltinFailed:
        raise ExitShell(1) from None
    finally:
        shell.sole, shell.of_builtin = True, False
        shell.inverted, shell.condition_depth, shell.asked_outside = inverted, depth, asked


def _run_once(shell: Shell, text: str, first_line: int, label: str, skip: int = 0, *, main: bool) -> int:
    """As run_text, where nothing is kept: each line is parsed with the aliases of that moment.

    Args:
        shell: The shell.
        text: What to run.
        first_line: The number of its first line.
        label: As for run_text.
        skip: How many lines have been run.
        main: As for run_text.
    """
    if RECORDED in text:
        shell.record()
    parser, tree = Parser(text, first_line), Tree(shell.budget)
    parser.on_progress, parser.on_growth = shell.budget.tick, tree.grow
    shell.status = 0 if not text.strip() else shell.status
    try:
        while True:
            tree.release()
            start = parser.position
            if main and not skip and shell.options.set["history"]:
                return run_rest(shell, parser.text[start:], parser.line_at(start), label)
            parser.extglob, parser.posix = shell.options.shopt["extglob"], shell.options.posix
            parser.aliases = None if skip else command_aliases(shell)
            try:
                commands = parser.next_line()
            except ScriptSyntaxError as error:
                show_failed(shell, error, parser.text, start, first_line)
                status = report_syntax_error(shell, error, text, first_line, label)
                if not step_over(parser, error):
                    return status
                continue
            if commands is None:
                return shell.status
            tell_warnings(shell, parser.warnings)
            parser.warnings.clear()
            shell.budget.tick((parser.position - start) >> 2)
            if skip:
                skip -= 1
            else:
                show_read(shell, parser.text[start : parser.position])
                if not shell.options.set["noexec"]:
                    run_line(shell, tree.compiled(commands), nested=not main)
                    shell.budget.tick(tree.steps >> 3)  # for the end of the closures
            del commands
            shell.budget.tick(tree.steps >> 3)  # and of the nodes
    finally:
        tree.release()
