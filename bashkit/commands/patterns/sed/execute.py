"""Runs a sed script: its commands become closures, called one after the other for every line.

A closure returns the index of the command to continue with, None for the next one, or how the cycle ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bashkit.commands._notation.locale import encoding, joined
from bashkit.commands.patterns._long_texts import translated
from bashkit.commands.patterns.sed.addresses import Range, Selector, selector
from bashkit.commands.patterns.sed.files import Lines, Output, panic
from bashkit.commands.patterns.sed.passing import Passer
from bashkit.commands.patterns.sed.script import NoPatternError
from bashkit.commands.patterns.sed.selection import Selections
from bashkit.commands.patterns.sed.substitute import substitution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.patterns.sed.script import Command, Script
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget
    from bashkit.regex import Pattern

Action = Callable[["Editor"], int | None]

ENDED, RESTARTED, SHOWN = -1, -2, -3  # how a cycle ends: silently, without reading a line (``D``), or as at the end of the script
_PIECE = 4096  # bytes that ``l`` shows at once
_ESCAPES = {"\\": "\\\\", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}
_SHOWN = tuple(_ESCAPES.get(chr(byte)) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in range(256))


class QuitError(Exception):
    """Stop with an exit status (``q`` or ``Q``)."""

    def __init__(self, status: int, *, show: bool) -> None:
        super().__init__()
        self.status = status
        self.show = show


class Editor:
    """The state of a running script.

    Args:
        process: The running utility.
        script: The parsed script.
        output: The output.
        quiet: Print only what the script prints.
        end: The line terminator.
        posix: Whether ``N`` prints nothing at the end of input.
        wrap: Line length for ``l``.

    Attributes:
        space: The pattern space.
        hold: The hold space.
        line: Number of the current line.
        replaced: Whether a substitution was made since the last line was read (``t``).
        last_pattern: The last regular expression, which the empty one repeats.
        selections: What selects lines of blocks, where the script runs over those.
        passes: Whether lines that no address selects may be copied without running the script.
    """

    passes = True

    def __init__(
        self, process: Process, script: Script, output: Output, *, quiet: bool, end: str, posix: bool, wrap: int
    ) -> None:
        self.process = process
        self.budget = process.budget
        self.output = output
        self.quiet = quiet
        self.end = end
        self.posix = posix
        self.wrap = wrap
        self.space = ""
        self.hold = ""
        self.ended = self.hold_ended = True  # whether the lines in the two spaces had their terminators
        self.line = 0
        self.replaced = False
        self.last_pattern: Pattern | None = None
        self._bound: dict[int, Pattern] = {}  # the script's patterns, which charge the budget
        self.lines: Lines | None = None
        self.appended: list[tuple[str, str]] = []
        self.sources: dict[str, Stream | None] = {}
        self.outputs: dict[str, Output] = {}
        self.range_end: dict[int, int] = {}  # by command: the last line of its range, once known
        for name in script.files:
            self.outputs[name] = output.twin() if name == "/dev/stdout" else Output(created(process, name), self.end)
        self.script = script
        self.selections = Selections(process.budget)
        self._ranges: list[Range] = []
        self._program: list[tuple[Selector | None, Action]] = []

    def run(self, lines: Lines) -> int | None:
        """Edit all lines; return the exit status if the script quits, or None."""
        self.lines = lines
        self._program = [(selector(command, self._ranges), action(command)) for command in self.script.commands]
        self._passer = Passer.of(self.script, self.budget) if self.passes and self.end == "\n" else None
        keep = False
        try:
            while keep or (self._passer is not None and self._pass_on()) or self.read():
                keep = self._cycle()
        except QuitError as stop:
            if stop.show and not self.quiet:
                self.show()
            if stop.show:
                self.flush_appended()
                self.output.end_line()
            lines.leave()
            return stop.status
        return None

    def _pass_on(self) -> bool:
        """Copy lines that no address selects; always return false."""
        if self._passer is None or any(one.active or one.overdue(self.line) for one in self._ranges):
            return False
        assert self.lines is not None
        passed = self.lines.pass_over(self._passer.count, self.line)
        if passed:
            self.line += len(passed)
            self.budget.tick(len(passed) >> 2)
            if not self.quiet:
                passed.append("")
                self.output.raw(self.end.join(passed))
        return False

    def _cycle(self) -> bool:
        """Run the script once; return whether the next cycle keeps the pattern space."""
        end = self._run_program()
        if end in {0, SHOWN} and not self.quiet:
            self.show()
        self.end_cycle(keep=end == RESTARTED)
        return end == RESTARTED

    def _run_program(self) -> int:
        """Run the script's commands; return how the cycle ends before the last of them, or 0."""
        program = self._program
        size = len(program)
        counter = 0
        budget = self.budget
        budget.tick(1 + size)
        while counter < size:
            selects, act = program[counter]
            if selects is None or selects(self):
                target = act(self)
                if target is not None:
                    if target <= counter:
                        if target < 0:
                            return target
                        budget.tick(1 + counter - target)
                    counter = target
                    continue
            counter += 1
        return 0

    def begin_file(self) -> None:
        """Begin one of several files that are edited separately: its lines count from 1, and no state is kept."""
        self.line = 0
        self.hold = ""
        self.range_end.clear()
        self.selections.reset()
        for one in self._ranges:
            one.reset()
        self._close_sources()

    def read(self) -> bool:
        """Read the next line into the pattern space; return whether there was one."""
        assert self.lines is not None
        line = self.lines.next()
        if line is None:
            return False
        self.space = line
        self.ended = self.lines.ended
        self.line += 1
        self.replaced = False
        if self.script.leading and self.line == 1:
            for name in self.script.leading:
                self._copy_file(name)
        return True

    def at_last(self) -> bool:
        """Whether the current line is the last one (``$``)."""
        assert self.lines is not None
        return self.lines.at_end()

    def use(self, pattern: Pattern | None) -> Pattern:
        """The pattern; for the empty one, the pattern used last."""
        if pattern is None:
            pattern = self.last_pattern
            if pattern is None:
                raise NoPatternError("no previous regular expression")
            return pattern
        bound = self._bound.get(id(pattern))
        if bound is None:
            bound = self._bound[id(pattern)] = pattern.with_budget(self.budget)
        self.last_pattern = bound
        return bound

    def substituted(self) -> bool:
        """Whether the pattern used last is that of a substitution, and not an address."""
        patterns = [command.substitution.pattern for command in self.script.commands if command.substitution is not None]
        return any(self._bound.get(id(pattern)) is self.last_pattern for pattern in patterns if pattern is not None)

    def show(self) -> None:
        """Print the pattern space."""
        self.output.line(self.space, ended=self.ended)

    def end_cycle(self, *, keep: bool) -> None:
        """Print what is due at the end of a cycle, unless the next one goes on with the same lines (``D``)."""
        if not self.appended:
            return
        if keep:
            self.budget.words(len(self.appended))
        else:
            self.flush_appended()

    def flush_appended(self) -> None:
        """Print the output of ``a``, ``r`` and ``R`` that is due before the next line is read."""
        for kind, text in self.appended:
            if kind == "text":
                self.output.raw(text)
            else:
                self._copy_file(text)
        self.appended.clear()

    def _copy_file(self, name: str) -> None:
        self.output.raw("")
        stream = self._opened(name)
        if stream is None:
            return
        for block in stream.blocks():
            self.budget.tick(1 + (len(block) >> 8))
            self.output.raw(block.decode("utf-8", "surrogateescape"))
        self.process.close(stream)

    def _opened(self, name: str) -> Stream | None:
        """Open a file of ``r`` or ``R``; None for one that cannot be opened, which counts as empty (POSIX XCU sed, r).

        Raises:
            UsageError: It is a directory; the status is 4.
        """
        try:
            return self.process.open_file(name) if name == "-" else self.process.open(name)
        except IsADirectoryError as error:
            raise panic(f"read error on {name}: {error.strerror}") from None
        except OSError:
            return None

    def next_of(self, name: str) -> str | None:
        """Read the next line of the file of an ``R``."""
        if name not in self.sources:
            self.sources[name] = self._opened(name)
        stream = self.sources[name]
        line = b"" if stream is None else stream.read_line(self.end.encode())
        return line.decode("utf-8", "surrogateescape") if line else None

    def output_of(self, line: str) -> str:
        """What a command line prints, which sh runs."""
        stream, wait = self.process.launcher.open(["sh", "-c", joined(line)], write=False)
        try:
            data = stream.read_all()
        finally:
            stream.release()
        wait()
        return data.decode(encoding(self.process.env), "surrogateescape")

    def evaluate(self) -> None:
        """Run the pattern space as a command, whose output takes its place (``e``)."""
        _grow(self, self.output_of(self.space).removesuffix(self.end))

    def execute(self) -> None:
        """Run the pattern space as a command (``e``); a newline ends its output, even where the input has none."""
        self.evaluate()
        self.ended = True

    def finish(self) -> None:
        """Write and close all outputs."""
        for output in self.outputs.values():
            output.flush()
            if output.stream is not self.output.stream:
                self.process.close(output.stream)
        self._close_sources()

    def _close_sources(self) -> None:
        for stream in self.sources.values():
            if stream is not None:
                self.process.close(stream)
        self.sources.clear()


def created(process: Process, name: str) -> Stream:
    """The file of a ``w``, emptied.

    Raises:
        UsageError: It cannot be opened; the status is 4.
    """
    try:
        return process.stderr if name == "/dev/stderr" else process.create(name)
    except OSError as error:
        raise panic(f"couldn't open file {name}: {error.strerror}") from None


def action(command: Command) -> Action:
    """Compile a command to a closure."""
    name = command.name
    if name == "s":
        assert command.substitution is not None
        return substitution(command.substitution)
    if name in "btT{":
        return _jump(command)
    if name in "aicrR":
        return _text(command)
    if name in "wW":
        return _write(command)
    if name == "e":
        return _execute(command.text)
    if name == "y":
        table = command.table

        def translate(editor: Editor) -> None:
            editor.space = translated(editor.space, table)

        return translate
    if name in "qQ":
        status = max(command.number, 0) & 255

        def leave(_: Editor) -> None:
            raise QuitError(status, show=name == "q")

        return leave
    if name == "l":
        width = command.number

        def unambiguous(editor: Editor) -> None:
            for piece in _visible(editor.space, editor.wrap if width < 0 else width, editor.end, editor.budget):
                editor.output.raw(piece)

        return unambiguous
    return _SIMPLE[name]


def _jump(command: Command) -> Action:
    target = command.target
    if command.name == "b":
        return lambda _: target
    if command.name == "{":
        return lambda _: target
    wanted = command.name == "t"

    def test(editor: Editor) -> int | None:
        if editor.replaced == wanted:
            editor.replaced = False
            return target
        editor.replaced = False
        return None

    return test


def _text(command: Command) -> Action:
    text, name = command.text, command.name
    if name == "i":
        return lambda editor: editor.output.raw(_ended(text, editor.end))
    if name == "a":
        return lambda editor: editor.appended.append(("text", text))
    if name == "r":
        return lambda editor: editor.appended.append(("file", text))
    if name == "R":

        def queue(editor: Editor) -> None:
            line = editor.next_of(text)
            if line is not None:
                editor.appended.append(("text", line))

        return queue
    ranged = command.second is not None and not command.negated

    def change(editor: Editor) -> int:
        if not ranged or editor.line >= editor.range_end.get(id(command), 0):
            editor.output.raw(_ended(text, editor.end))
        return ENDED

    return change


def _ended(text: str, end: str) -> str:
    """A text of ``i`` or ``c``, whose last newline is the line terminator."""
    return text if end == "\n" or text[-1:] != "\n" else text[:-1] + end


def _execute(line: str) -> Action:
    if not line:
        return Editor.execute
    return lambda editor: editor.output.raw(editor.output_of(line))


def _write(command: Command) -> Action:
    name, whole = command.text, command.name == "w"

    def write(editor: Editor) -> None:
        output = editor.outputs[name]
        if whole:
            output.line(editor.space, ended=editor.ended)
        else:
            line, end, _ = editor.space.partition(editor.end)
            output.line(line, ended=editor.ended or bool(end))

    return write


def _visible(text: str, width: int, end: str, budget: Budget) -> Iterator[str]:
    """``l``: escape invisible characters, fold lines, and end with a dollar sign; in pieces, since a line may be long."""
    data = text.encode("utf-8", "surrogateescape")
    column = 0
    for start in range(0, len(data), _PIECE):
        budget.tick(_PIECE >> 2)
        result: list[str] = []
        for byte in data[start : start + _PIECE]:
            shown = _SHOWN[byte]
            if width > 0 and column + len(shown) > width - 1:
                result.append(f"\\{end}")
                column = 0
            result.append(shown)
            column += len(shown)
        yield "".join(result)
    yield "$" + end


def _delete(_: Editor) -> int:
    return ENDED


def _delete_first(editor: Editor) -> int:
    _, newline, rest = editor.space.partition(editor.end)
    if not newline:
        return ENDED
    editor.space = rest
    return RESTARTED


def _print(editor: Editor) -> None:
    editor.show()


def _print_first(editor: Editor) -> None:
    first, newline, _ = editor.space.partition(editor.end)
    editor.output.line(first, ended=bool(newline) or editor.ended)


def _next(editor: Editor) -> int | None:
    if not editor.quiet:
        editor.show()
    if editor.at_last():
        return ENDED
    if editor.appended:
        editor.flush_appended()
    replaced = editor.replaced
    editor.read()
    editor.replaced = replaced
    return None


def _next_append(editor: Editor) -> int | None:
    if editor.at_last():
        return ENDED if editor.posix else SHOWN
    if editor.appended:
        editor.flush_appended()
    before, replaced = editor.space, editor.replaced
    editor.read()
    added = f"{editor.end}{editor.space}"
    editor.budget.longer(len(before), len(added))
    before += added  # nothing else holds it now, and CPython adds to it in place
    editor.space = before
    editor.replaced = replaced
    return None


def _grow(editor: Editor, space: str) -> None:
    editor.budget.string(len(space))
    editor.space = space


def _get(editor: Editor) -> None:
    editor.space = editor.hold
    editor.ended = editor.hold_ended


def _get_append(editor: Editor) -> None:
    _grow(editor, f"{editor.space}{editor.end}{editor.hold}")
    editor.ended = editor.hold_ended


def _hold(editor: Editor) -> None:
    editor.hold = editor.space
    editor.hold_ended = editor.ended


def _hold_append(editor: Editor) -> None:
    held, editor.hold = editor.hold, ""
    added = f"{editor.end}{editor.space}"
    editor.budget.longer(len(held), len(added))
    held += added  # as above
    editor.hold = held
    editor.hold_ended = editor.ended


def _exchange(editor: Editor) -> None:
    editor.space, editor.hold = editor.hold, editor.space
    editor.ended, editor.hold_ended = editor.hold_ended, editor.ended


def _zap(editor: Editor) -> None:
    editor.space = ""


def _line_number(editor: Editor) -> None:
    editor.output.line(str(editor.line))


def _file_name(editor: Editor) -> None:
    assert editor.lines is not None
    editor.output.line(editor.lines.name)


def _nothing(_: Editor) -> None:
    """A label or a closing brace, which is kept for ``--debug``."""


_SIMPLE: dict[str, Action] = {
    "d": _delete, "D": _delete_first, "p": _print, "P": _print_first, "n": _next, "N": _next_append, "g": _get, "G": _get_append,
    "h": _hold, "H": _hold_append, "x": _exchange, "z": _zap, "=": _line_number, "F": _file_name,
    ":": _nothing, "}": _nothing,
}  # fmt: skip
