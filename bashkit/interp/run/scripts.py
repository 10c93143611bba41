"""Running the text of scripts: one complete command line is parsed, then run, then the next (bash(1), SHELL GRAMMAR)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.run.compiler import compile_sequence
from bashkit.interp.runtime.control import ExecutionStopped, ExitShell, ExpansionError, SpecialBuiltinFailed
from bashkit.syntax import RESERVED, Parser
from bashkit.syntax.source import ConditionSyntaxError, SubstitutionSyntaxError, UnterminatedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell
    from bashkit.limits import Budget
    from bashkit.syntax.nodes import Sequence

RECORDED = "BASH_COMMAND"  # a variable that is kept only where a text asks for it
_ROOM = 1 << 16  # words, parts of words and commands of all texts that are kept, of about 500 bytes each
_LARGE = 32768  # characters above which compiled text is not kept
_NODE = 300  # bytes of a word, a part of one or a command
_CLOSURE = 150  # bytes of its closures
COMPILED = _NODE + _CLOSURE
_FEW = 64  # of them are not charged


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
        self._lines: list[tuple[Run | ScriptSyntaxError, bool]] = []
        self.spans: list[tuple[int, int]] = []  # where the text of each line begins and ends
        self._lock = threading.Lock()
        self._end = -1  # how many lines there are, once that is known
        self.steps = 0  # words, parts of words and commands of the compiled lines
        self.weight = 0  # what it counted when it was kept

    def line(
        self, index: int, *, extglob: bool, on_progress: Callable[[int], None] | None = None
    ) -> Run | ScriptSyntaxError | None:
        """The compiled command line ``index``, an error that gives up no more than that line, or None after the last.

        Raises:
            ScriptSyntaxError: That line is not well-formed.
        """
        lines = self._lines
        if index < len(lines) and lines[index][1] == extglob:
            return lines[index][0]
        if index == self._end:
            return None
        if not self._lock.acquire(blocking=False):  # another session is just there, maybe in this very thread
            return _line_of(Script(self.text, self.first_line), index, extglob=extglob, on_progress=on_progress)
        try:
            if index < len(lines):  # parsed under the other setting of extglob: parse the rest again
                parser = Parser(self.text, self.first_line)
                for kept in range(index):
                    parser.extglob = lines[kept][1]
                    parser.next_line()
                del lines[index:]
                del self.spans[index:]
                self._end = -1
                self._parser = parser
            run: Run | ScriptSyntaxError
            start = self._parser.position
            self._parser.extglob = extglob
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
                run = _warned(run, self._parser.warnings)
                self._parser.warnings = []
            lines.append((run, extglob))
            self.steps = self._parser.steps + self._parser.untold
            self.spans.append((start, self._parser.position))
            return run
        finally:
            self._parser.on_progress = None  # it knows an execution
            self._lock.release()


def _warned(run: Run, warnings: list[tuple[int, str]]) -> Run:
    """A line about which the parser has something to say, each time that it is read."""

    def warn(shell: Shell) -> int:
        tell_warnings(shell, warnings)
        return run(shell)

    return warn


def tell_warnings(shell: Shell, warnings: list[tuple[int, str]]) -> None:
    """Write what the parser finds suspicious."""
    for line, message in warnings:
        shell.print_error(f"{shell.origin}: line {line}: warning: {message}")


def _line_of(
    script: Script, index: int, *, extglob: bool, on_progress: Callable[[int], None] | None
) -> Run | ScriptSyntaxError | None:
    """A line of a script of which nothing is compiled."""
    for earlier in range(index):
        script.line(earlier, extglob=extglob)
    return script.line(index, extglob=extglob, on_progress=on_progress)


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


class _Kept:
    """The scripts that are kept between executions, those that were kept first going first when there is no room.

    Attributes:
        scripts: By their text and the number of its first line.
    """

    __slots__ = ("_lock", "_weight", "scripts")

    def __init__(self) -> None:
        self.scripts: OrderedDict[tuple[str, int], Script] = OrderedDict()  # a dict looks for its first key beyond all that went
        self._weight = 0
        self._lock = threading.Lock()

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


_kept = _Kept()


def forget_scripts() -> None:
    """Drop every compiled script, and with it what is known of its loops."""
    _kept.clear()


def script_text(data: bytes) -> str:
    """The text of a script; NUL bytes are no part of it."""
    return data.replace(b"\0", b"").decode("utf-8", "surrogateescape")


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
    script = _kept.scripts.get((text, first_line))
    if script is None:
        script = Script(text, first_line)
        _kept.weigh(script)
    if script.asks_for_command and not shell.recording:
        shell.record()
    charged = index = 0
    shell.status = 0 if not text.strip() else shell.status
    try:
        while True:
            if shell.options.shopt["expand_aliases"] and shell.aliases:  # from now on the text depends on the aliases
                return _run_once(shell, text, first_line, label, skip=index)
            try:
                run = script.line(index, extglob=shell.options.shopt["extglob"], on_progress=shell.budget.tick)
            except ScriptSyntaxError as error:
                return report_syntax_error(shell, error, text, first_line, label)
            if run is None:
                return shell.status
            if script.steps > charged + _FEW:
                shell.budget.hold(COMPILED * (script.steps - charged))
                charged = script.steps
            if shell.options.set["verbose"]:
                begin, end = script.spans[index]
                shell.print_error(text[begin:end].removesuffix("\n"))
            index += 1
            if isinstance(run, ScriptSyntaxError):
                report_syntax_error(shell, run, text, first_line, label)
            elif not shell.options.set["noexec"]:
                run_line(shell, run)
    finally:
        shell.budget.memory += COMPILED * charged
        if script.steps >= script.weight:
            _kept.weigh(script)


def run_line(shell: Shell, run: Run) -> None:
    """Run one command line; a failed expansion gives it up, and ends a subshell in which eval or a sourced file has it."""
    try:
        shell.status = run(shell)
        if shell.options.set["onecmd"] and not shell.invocation.command_string:
            raise ExitShell(shell.status)
    except ExecutionStopped:
        shell.status = 0
    except ExpansionError as error:
        shell.report(error)
        if shell.subshell_level and not shell.traps.running:
            raise ExitShell(1) from None
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
    if RECORDED in text:
        shell.record()
    parser, tree = Parser(text, first_line), Tree(shell.budget)
    parser.on_progress, parser.on_growth = shell.budget.tick, tree.grow
    shell.status = 0 if not text.strip() else shell.status
    try:
        while True:
            tree.release()
            start = parser.position
            parser.extglob = shell.options.shopt["extglob"]
            parser.aliases = None if skip else command_aliases(shell)
            try:
                commands = parser.next_line()
            except ScriptSyntaxError as error:
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
            elif not shell.options.set["noexec"]:
                run_line(shell, tree.compiled(commands))
                shell.budget.tick(tree.steps >> 3)  # for the end of the closures
            del commands
            shell.budget.tick(tree.steps >> 3)  # and of the nodes
    finally:
        tree.release()


def command_aliases(shell: Shell) -> dict[str, str] | None:
    """The aliases that are expanded; in posix mode no reserved word is one."""
    if not shell.options.shopt["expand_aliases"]:
        return None
    aliases = shell.aliases
    if shell.options.posix and not RESERVED.isdisjoint(aliases):
        return {name: value for name, value in aliases.items() if name not in RESERVED}
    return aliases


def report_syntax_error(shell: Shell, error: ScriptSyntaxError, text: str, first_line: int, label: str) -> int:
    """Write a syntax error as bash does, the offending line after it; returns status 2."""
    if not error.recoverable and not shell.calls and text is shell.machine.script and shell is shell.machine.main:
        shell.machine.syntax_error = True
    prefix = f"{shell.origin}: {label}: " if label else f"{shell.origin}: "
    if isinstance(error, ConditionSyntaxError):
        return _report_condition(shell, error, prefix, label)
    shell.print_error(f"{prefix}line {error.line}: {error.message}")
    _print_notes(shell, error, prefix)
    if "unexpected token" in error.message and not (error.recoverable and shell.options.errexit):
        lines = text.split("\n")
        index = error.line - first_line
        if 0 <= index < len(lines):
            shell.print_error(f"{prefix}line {error.line}: `{lines[index]}'")
    nested = shell.evaluating > 0
    outermost = shell.invocation.command_string and not shell.subshell_level and not shell.options.errexit
    if error.recoverable:
        if shell.options.errexit:
            raise ExitShell(2)
        if shell.subshell_level:
            raise ExitShell(1)
        if shell.options.posix:
            raise ExitShell(127 if outermost else 1)
        shell.status = 1
        return 1
    if isinstance(error, SubstitutionSyntaxError) and nested:
        raise ExitShell(127 if outermost else 1)
    if shell.options.posix and nested:
        raise SpecialBuiltinFailed(2)
    if isinstance(error, SubstitutionSyntaxError):
        shell.status = 127 if outermost else 2
    elif not (isinstance(error, UnterminatedError) and not nested and shell.status):  # which leaves $? as it was
        shell.status = 2
    return shell.status


def _print_notes(shell: Shell, error: ScriptSyntaxError, prefix: str) -> None:
    for line, message in error.notes:
        shell.print_error(f"{prefix}line {line}: {message}")


def _report_condition(shell: Shell, error: ConditionSyntaxError, prefix: str, label: str) -> int:
    """Write the error of a malformed ``[[``; bash gives up the text and, where there is more of it, leaves $? as it was."""
    if not error.silent:
        shell.print_error(f"{prefix}line {error.line}: {error.message}")
    _print_notes(shell, error, prefix)
    if error.at_end or label == "eval":
        shell.status = 2
    return shell.status
