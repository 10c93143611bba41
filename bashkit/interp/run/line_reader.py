"""Reading a script line by line, as from standard input, or where the lines are remembered (bash(1), HISTORY)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.fs.handles import FileStream
from bashkit.fs.stream import BytesStream
from bashkit.interp.run.command_lines import (
    RECORDED,
    Tree,
    command_aliases,
    input_text,
    report_syntax_error,
    run_line,
    show_failed,
    show_read,
    step_over,
    tell_warnings,
)
from bashkit.interp.run.remembering import begin_history, expand_history, history_character, remember_command
from bashkit.interp.runtime.pipes import PipeReader
from bashkit.limits import ask
from bashkit.syntax import Parser
from bashkit.syntax.source import UnshownSyntaxError, UnterminatedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stream
    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import Sequence


def run_stdin(shell: Shell) -> int:
    """Read the script itself from standard input, line by line, so that commands can read what follows them."""
    shell.fed = None  # what comes next are commands, and no input of those that the host has declared
    return LineReader(shell, lambda: shell.descriptors.get(0)).run()


def run_rest(shell: Shell, text: str, first_line: int, label: str) -> int:
    """Run what is left of a script line by line, because its lines are remembered.

    Args:
        shell: The shell.
        text: What is left.
        first_line: The number of its first line.
        label: As for ``run_text``.
    """
    stream = BytesStream(text.encode("utf-8", "surrogateescape"))
    return LineReader(shell, lambda: stream, first_line, label).run()


class LineReader:
    """Reads the command lines of a stream, and runs each before it reads the next.

    Args:
        shell: Whose commands they are.
        stream: Gives the stream to read on from, which a command may have changed.
        line: The number of its first line.
        label: As for ``run_text``.
    """

    def __init__(self, shell: Shell, stream: Callable[[], Stream | None], line: int = 1, label: str = "") -> None:
        self._shell = shell
        self._stream = stream
        self._line = line
        self._label = label
        self._tree = Tree(shell.budget)
        self._text = ""  # what was read of the running command line, and maybe more
        self._lines = 0  # how many lines of the stream that is
        self._quote = ""  # the quotes in which it goes on
        self._failed = False  # a syntax error has ended the script

    def run(self) -> int:
        """Run all lines; returns the status of the last command."""
        shell = self._shell
        try:
            while not self._failed and (stream := self._stream()) is not None:
                if shell.options.set["history"]:
                    begin_history(shell)
                if not self._run_command(stream):
                    break
        finally:
            self._tree.release()
        return shell.status

    def _run_command(self, stream: Stream) -> bool:
        """Read a command line, and run it; False at the end of the stream."""
        shell, remembers = self._shell, self._shell.options.set["history"]
        self._text = self._quote = ""
        self._lines = 0
        shell.history.running = False
        more = 1
        while True:
            data = self._read(stream, more) if remembers else self._lines_of(stream, more)
            if data is None:
                if not self._text:
                    return True
                continue
            self._text += data
            if not remembers:
                self._lines += data.count("\n")
            shell.budget.string(len(self._text))
            if RECORDED in data and not shell.recording:
                shell.record()
            more = len(self._text) >> 3
            parser = self._parser()
            try:
                commands = parser.next_line()
                while commands is not None and parser.in_alias():
                    run_line(shell, self._tree.compiled(commands))
                    commands = parser.next_line()
                if data and commands is not None and (parser.needs_more() or (not parser.peek() and self._text.endswith("\\\n"))):
                    self._quote = "'" if parser.needs_more() else ""
                    continue
                break
            except ScriptSyntaxError as error:
                if data and (error.incomplete or (isinstance(error, UnshownSyntaxError) and error.at_end)):
                    self._quote = _open_quote(error)
                    continue
                if remembers:
                    remember_command(shell, self._text)
                show_failed(shell, error, self._text, 0, self._line)
                shell.status = report_syntax_error(shell, error, self._text, self._line, self._label)
                self._failed = not step_over(parser, error)
                if self._failed:
                    return False
                commands = None
                remembers = False
                break
        self._obey(stream, parser, commands, remembers=remembers)
        return bool(data)

    def _parser(self) -> Parser:
        shell, text = self._shell, self._text
        self._tree.release()
        parser = Parser(text, self._line, extglob=shell.options.shopt["extglob"], aliases=command_aliases(shell))
        parser.posix = shell.options.posix
        parser.on_progress, parser.on_growth = shell.budget.tick, self._tree.grow
        shell.budget.tick(len(text) >> 8)
        return parser

    def _read(self, stream: Stream, more: int) -> str | None:
        """As ``_lines_of``, with the history words of the text replaced; None if it is given up."""
        bang, caret = history_character(self._shell)
        data = self._lines_of(stream, more, bang)
        plain = not bang or (self._quote == "'" and "'" not in data) or (bang not in data and not data.startswith(caret))
        self._shell.line = self._line + self._lines
        text = data if plain else expand_history(self._shell, data, self._quote)
        self._lines += 0 if text is None else data.count("\n")
        return text

    def _lines_of(self, stream: Stream, size: int, alone: str = "") -> str:
        """One line, and as many more as are at hand until they have ``size`` bytes: a long command is not parsed anew for each.

        Args:
            stream: Where they are read from.
            size: How many bytes.
            alone: A line that has this character is read by itself.
        """
        apart = alone.encode("utf-8", "surrogateescape")
        most = self._shell.budget.limits.max_string_bytes + 1
        lines = [stream.read_line(limit=most)]
        taken = len(lines[0])
        while taken < size and lines[-1] and (not isinstance(stream, PipeReader) or stream.ready()):
            line = stream.read_line(limit=most)
            if apart and (apart in line or apart in lines[0]):
                _put_back(stream, line)
                break
            lines.append(line)
            taken += len(line)
        ask(taken >> 10)
        return input_text(b"".join(lines))

    def _obey(self, stream: Stream, parser: Parser, commands: Sequence | None, *, remembers: bool) -> None:
        """Run what was parsed, and let the rest be read again."""
        shell, text = self._shell, self._text
        taken = max(len(text) - (len(parser.text) - parser.position), 0)
        aliased = not text.endswith(parser.text[parser.position :])  # an alias has lines of its own
        if aliased:
            taken = len(text)
        elif taken < len(text):
            _put_back(stream, text[taken:].encode("utf-8", "surrogateescape"))
        if taken:
            show_read(shell, text[:taken])
        tell_warnings(shell, parser.warnings)
        if remembers and taken:
            remember_command(shell, text[:taken])
        while commands is not None:
            if not shell.options.set["noexec"]:
                run_line(shell, self._tree.compiled(commands))
            commands = self._next_of(parser) if aliased else None
        self._line += self._lines - text.count("\n", taken)

    def _next_of(self, parser: Parser) -> Sequence | None:
        """The next line of an alias."""
        try:
            return parser.next_line()
        except ScriptSyntaxError as error:
            self._shell.status = report_syntax_error(self._shell, error, parser.text, self._line, self._label)
            self._failed = True
            return None


def _open_quote(error: ScriptSyntaxError) -> str:
    """The quotes in which a text ends."""
    return error.message[-2] if isinstance(error, UnterminatedError) and error.message[-2] in "'\"" else ""


def _put_back(stream: Stream, data: bytes) -> None:
    """Let what was read of a stream and is no part of the command line be read again."""
    if isinstance(stream, FileStream):
        stream.seek(stream.tell() - len(data))
    else:
        stream.give_back(data)
