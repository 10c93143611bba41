"""xargs: build and run commands from standard input (POSIX XCU xargs; GNU findutils manual)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from bashkit.commands._commands import refusal
from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.quoting import mention, quote_word
from bashkit.interp.runtime.control import KilledStatus
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room, turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process

_MAX_CHARS = 131072
_ARGUMENT_SPACE = 2097152 - 2048  # ARG_MAX, minus the reserve that POSIX requires
_POSIX_MINIMUM = 4096
_MOST_PROCESSES = (1 << 31) - 1
_BLANKS = " \t"
_SPACES = "\r\v\f"  # they separate no items, but begin none either
_PLAIN = re.compile(r"""[^ \t\n'"\\]{1,65536}""")
_PLAIN_LINE = re.compile(r"""[^\n'"\\]{1,65536}""")


def _delimiter(text: str) -> str:
    from bashkit.commands._notation.escapes import unescape

    character = unescape(text) if text.startswith("\\") else text
    if len(character) != 1:
        raise UsageError(
            f"Invalid input delimiter specification {text}: the delimiter must be either a single character or an escape "
            "sequence starting with \\.",
            hint=False,
        )
    return character


def _positive(text: str, key: str) -> int:
    if not is_count(text.replace("-", "+", 1)):
        raise UsageError(f'invalid number "{text}" for -{key} option')
    if clamped(text) < 1:
        raise UsageError(f"value {text} for -{key} option should be >= 1")
    return clamped(text)


def _positive_of(key: str) -> Callable[[str], int]:
    return lambda text: _positive(text, key)


def _check_processes(text: str) -> None:
    if not is_count(text):
        raise UsageError(f'invalid number "{text}" for -P option')


@command(
    "xargs",
    usage="[OPTION]... COMMAND [INITIAL-ARGS]...",
    summary="Run COMMAND with arguments INITIAL-ARGS and more arguments read from input.",
    options=(
        flag("-0", "--null", help="items are separated by a null, not whitespace"),
        value("-a", "--arg-file", metavar="FILE", help="read arguments from FILE, not standard input"),
        value(
            "-d", "--delimiter", metavar="CHARACTER", help="items in input stream are separated by CHARACTER", check=_delimiter
        ),
        value("-E", metavar="END", help="set logical EOF string"),
        value("-e", "--eof", metavar="END", optional=True, help="equivalent to -E END if END is specified"),
        value("-I", metavar="R", help="same as --replace=R"),
        value("-i", "--replace", metavar="R", optional=True, help="replace R in INITIAL-ARGS with names read from input"),
        value(
            "-L",
            metavar="MAX-LINES",
            help="use at most MAX-LINES non-blank input lines per command line",
            check=_positive_of("L"),
        ),
        value(
            "-l",
            "--max-lines",
            metavar="MAX-LINES",
            optional=True,
            help="similar to -L but defaults to one",
            check=_positive_of("l"),
        ),
        value(
            "-n",
            "--max-args",
            metavar="MAX-ARGS",
            help="use at most MAX-ARGS arguments per command line",
            check=_positive_of("n"),
        ),
        flag("-o", "--open-tty", help="(ignored: there is no terminal)"),
        value(
            "--process-slot-var", metavar="VAR", help="set environment variable VAR in child processes; one runs at a time then"
        ),
        value("-P", "--max-procs", metavar="MAX-PROCS", help="run at most MAX-PROCS processes at a time", check=_check_processes),
        flag("-p", "--interactive", help="prompt before running commands"),
        flag("-r", "--no-run-if-empty", help="if there are no arguments, do not run COMMAND"),
        value(
            "-s", "--max-chars", metavar="MAX-CHARS", help="limit length of command line to MAX-CHARS", check=_positive_of("s")
        ),
        flag("--show-limits", help="show limits on command-line length"),
        flag("-t", "--verbose", help="print commands before executing them"),
        flag("-x", "--exit", help="exit if the size (see -s) is exceeded"),
    ),
    stop_at_operand=True,
    model="GNU findutils 4.9.0",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run; 123 when a command failed, 124 when one returned 255, 127 when there is no such command."""
    plan = _plan(process, arguments)
    return _Runner(process, plan, _lines(process, arguments, whole=bool(plan.replace))).run()


def _room(process: Process, arguments: Arguments) -> int:
    """The bytes that ``-s`` allows for a command line, and the report of ``--show-limits``."""
    taken = sum(len(f"{name}={text}\0".encode("utf-8", "surrogateescape")) for name, text in process.environment().items())
    most = _ARGUMENT_SPACE - taken
    chars = _positive(arguments.get("s") or "", "s") if "s" in arguments else _MAX_CHARS
    if chars > most:
        process.warn(f"value {chars} for -s option should be <= {most}")
        chars = most
    if "show-limits" in arguments:
        process.say(
            f"Your environment variables take up {taken} bytes\n"
            f"POSIX upper limit on argument length (this system): {most}\n"
            f"POSIX smallest allowable upper limit on argument length (all systems): {_POSIX_MINIMUM}\n"
            f"Maximum length of command we could actually use: {most - taken}\n"
            f"Size of command buffer we are actually using: {chars}\n"
            f"Maximum parallelism (--max-procs must be no greater): {_MOST_PROCESSES}\n"
        )
    return chars


@dataclass(frozen=True, slots=True)
class _Plan:
    """How input becomes commands.

    Attributes:
        words: The command and its first arguments.
        replace: The text that each input line replaces in them; empty to append instead.
        max_args, max_lines: Bounds for one command; 0 for none.
        max_chars: Maximum bytes of a command line.
        parallel: Maximum commands at the same time.
        run_empty: Run the command once without input.
        exit_when_long: Stop if a line does not fit.
        show: Print each command first.
        ask: Wait for an answer before each command.
        slot: The variable with a command's slot; with it, commands run one after another in slot 0.
    """

    words: list[str]
    replace: str
    max_args: int
    max_lines: int
    max_chars: int
    parallel: int
    run_empty: bool
    exit_when_long: bool
    show: bool
    ask: bool
    slot: str


def _plan(process: Process, arguments: Arguments) -> _Plan:
    replace, max_args, max_lines = "", 0, 0
    # The last of -I, -L and -n wins, except that -I may be combined with -n 1.
    for key, argument in arguments.given:
        if key in {"I", "i"}:
            if max_args or max_lines:
                _ignored(
                    process,
                    "--max-args" if max_args else "--max-lines",
                    "--replace/-I/-i",
                    "--max-args" if max_args else "--max-lines",
                )
            replace, max_lines, max_args = argument or "{}", 0, 0
        elif key in {"L", "l"}:
            count = _positive(argument or "1", key)
            if max_args or replace:
                former = "--max-args" if max_args else "--replace"
                _ignored(process, former, "-L" if key == "L" else "--max-lines/-l", former)
            max_lines, max_args, replace = count, 0, ""
        elif key == "n":
            count = _positive(argument or "", key)
            if not (replace and count == 1):
                if replace or max_lines:
                    former = "--replace" if replace else "--max-lines"
                    _ignored(process, former, "--max-args/-n", former)
                max_args, max_lines, replace = count, 0, ""
    chars = _room(process, arguments) if "s" in arguments or "show-limits" in arguments else _MAX_CHARS
    return _Plan(
        words=arguments.operands or ["echo"],
        replace=replace,
        max_args=max_args,
        max_lines=max_lines,
        max_chars=min(chars, _MAX_CHARS),
        parallel=clamped(arguments.get("P") or "1") or process.budget.limits.max_processes,
        run_empty="r" not in arguments and not replace,
        exit_when_long="x" in arguments or bool(replace) or bool(max_lines),
        show="t" in arguments or "p" in arguments,
        ask="p" in arguments,
        slot=arguments.get("process-slot-var") or "",
    )


def _ignored(process: Process, first: str, second: str, dropped: str) -> None:
    process.warn(f"warning: options {first} and {second} are mutually exclusive, ignoring previous {dropped} value")


def _lines(process: Process, arguments: Arguments, *, whole: bool) -> Iterator[list[str]]:
    """The items of the input, by line, or with ``whole`` whole lines; with a delimiter each item is a separate line."""
    file = arguments.get("a")
    try:
        stream = process.stdin if file is None else process.open(file)
    except OSError as error:
        raise UsageError(f"Cannot open input file {mention(file or '')}: {error.strerror}", hint=False) from None
    delimiter = "\0" if arguments.last("0", "d") == "0" else None
    if arguments.last("0", "d") == "d":
        delimiter = _delimiter(arguments.get("d") or "")
    wanted = arguments.last("E", "e")
    end = None if wanted is None else arguments.get(wanted)
    if delimiter is not None:
        if end:
            process.warn("warning: the -E option has no effect if -0 or -d is used.\n")
        separator = delimiter.encode("utf-8", "surrogateescape")
        while block := stream.read_line(separator):
            process.budget.tick(2)
            yield [block.removesuffix(separator).partition(b"\0")[0].decode("utf-8", "surrogateescape")]
        return
    splitter = _Splitter(process, whole_lines=whole, continued=arguments.last("L", "l", "n", "I", "i") in {"L", "l"})
    warned = False
    while block := stream.read_line():
        process.budget.tick(2 + len(block) // 4)
        if b"\0" in block:
            block = _CUT_OFF.sub(b"", block)
            if not warned:
                process.warn(_NUL)
            warned = True
        try:
            items = splitter.line(block.decode("utf-8", "surrogateescape"))
        except UsageError:
            if rest := splitter.finish():
                yield rest
            raise
        if items is None:
            continue
        if end and end in items:
            yield items[: items.index(end)]
            return
        yield items
    rest = splitter.finish()
    if rest:
        yield rest


# An item ends at a NUL.
_CUT_OFF = re.compile(rb"\0[^ \t\n]*")
_NUL = (
    "WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  "
    "Did you mean to use the --null option?"
)


class _Splitter:
    """Splits lines into items by blanks, quotes and backslashes (POSIX XCU xargs, INPUT FILES)."""

    def __init__(self, process: Process, *, whole_lines: bool, continued: bool) -> None:
        self._continued = continued
        self._process = process
        self._whole_lines = whole_lines
        self._held: list[str] = []  # the items of lines continued by a trailing blank or an escaped newline
        self._item: str | None = None

    def line(self, text: str) -> list[str] | None:
        """The items of a line; None while it is continued or when it is blank."""
        if self._continued and self._held and text == "\n":  # an empty line does not end the one that is continued
            return None
        if self._whole_lines:
            text = text.lstrip(_BLANKS + _SPACES)
        ask_room(text, _BLANKS, self._process.budget)
        pieces, begun = [self._item or ""], self._item is not None  # of an item
        self._item = None
        items, self._held = self._held, []
        plain, position = _PLAIN_LINE if self._whole_lines else _PLAIN, 0
        while position < len(text):
            turn()
            if not begun and text[position] in _SPACES:
                position += 1
                continue
            if match := plain.match(text, position):
                pieces.append(match.group())
                position, begun = match.end(), True
                continue
            char = text[position]
            position += 1
            if char in "'\"":
                end = text.find(char, position)
                if end < 0 and position == len(text) and not any(pieces):  # undocumented: nothing is no item at the end of a file
                    break
                if end < 0 or text.find("\n", position, end) >= 0:
                    self._unmatched(char, items)
                pieces.append(text[position:end])
                position, begun = end + 1, True
            elif char == "\\":
                pieces.append(text[position : position + 1])
                position, begun = position + 1, True
                if position >= len(text):
                    self._held, self._item = items, "".join(pieces) or None
                    return None
            elif begun:
                items.append("".join(pieces))
                pieces, begun = [], False
        if begun and any(pieces):
            items.append("".join(pieces))
        if self._continued and text.rstrip("\n" + _SPACES)[-1:] in tuple(_BLANKS):  # for -L a trailing blank continues the line
            self._held = items
            return None
        return items or None

    def _unmatched(self, quotation: str, items: list[str]) -> NoReturn:
        self._held = [] if self._continued else items
        kind = "single" if quotation == "'" else "double"
        raise UsageError(
            f"unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option", hint=False
        )

    def finish(self) -> list[str]:
        """Return the items of an unfinished continued line."""
        return self._held + ([] if self._item is None else [self._item])


class _Runner:
    """Runs the commands and works out the exit status."""

    def __init__(self, process: Process, plan: _Plan, lines: Iterator[list[str]]) -> None:
        self._process = process
        self._plan = plan
        self._lines = lines
        self._problem: UsageError | None = None
        self._refused = 0  # the status that tells that there is no such command

    def run(self) -> int:
        """Run everything and return the exit status."""
        statuses: list[int] = []
        commands = self._commands()
        if self._plan.parallel > 1 and not self._plan.slot:
            from bashkit.fs import NullStream

            statuses = self._process.launcher.run_all(
                commands, parallel=self._plan.parallel, goes_on=self._goes_on, stdin=NullStream()
            )
        else:
            for argv in commands:
                statuses.append(self._start(argv))
                if not self._goes_on(statuses[-1]):
                    break
        if self._refused:
            return self._refused
        if self._problem is not None:
            self._process.warn(self._problem.message)
            return self._verdict(statuses) or 1
        return self._verdict(statuses)

    def _start(self, argv: list[str]) -> int:
        from bashkit.fs import NullStream

        env = {**self._process.environment(), self._plan.slot: "0"} if self._plan.slot else None
        return self._process.launcher.run(argv, env=env, stdin=NullStream())

    def _goes_on(self, status: int) -> bool:
        """Whether more commands may run after one with that status; otherwise this is said."""
        if isinstance(status, KilledStatus):
            self._process.warn(f"{self._plan.words[0]}: terminated by signal {status - 128}")
        elif status == 255:
            self._process.warn(f"{self._plan.words[0]}: exited with status 255; aborting")
        return status != 255 and not isinstance(status, KilledStatus)

    @staticmethod
    def _verdict(statuses: list[int]) -> int:
        """The exit status for the statuses of all commands (GNU findutils manual, xargs Exit status)."""
        if 255 in statuses:
            return 124
        if any(isinstance(status, KilledStatus) for status in statuses):
            return 125
        return 123 if any(statuses) else 0

    def _commands(self) -> Iterator[list[str]]:
        checked = False
        try:
            for argv in self._built():
                if self._plan.show and not self._announce(argv):
                    continue
                self._refused = 0 if checked else refusal(self._process, argv[0], argv[0])
                if self._refused:
                    return
                checked = True
                yield argv
        except UsageError as error:
            self._problem = error

    def _announce(self, argv: list[str]) -> bool:
        line = " ".join(quote_word(word) for word in argv)
        end = "?..." if self._plan.ask else "\n"
        self._process.stderr.write((line + end).encode("utf-8", "surrogateescape"))
        return not self._plan.ask or self._process.stdin.read_line()[:1] in {b"y", b"Y"}

    def _built(self) -> Iterator[list[str]]:
        plan = self._plan
        if plan.replace:
            for items in self._sound_lines():
                for item in items:
                    self._check_room(item)
                    yield [plan.words[0], *(word.replace(plan.replace, item) for word in plan.words[1:])]
            return
        batch: list[str] = []
        lines = size = 0
        ran = False
        base = sum(_length(word) for word in plan.words)
        if base > plan.max_chars:
            raise UsageError("cannot fit single argument within argument list size limit", hint=False)
        for items in self._sound_lines():
            for item in items:
                full = plan.max_args and len(batch) >= plan.max_args
                if batch and (full or base + size + _length(item) > plan.max_chars):
                    if not full and plan.exit_when_long and (plan.max_args or plan.max_lines):
                        raise UsageError("argument list too long", hint=False)
                    yield plan.words + batch
                    ran, batch, size = True, [], 0
                    lines = 0
                if base + _length(item) > plan.max_chars:
                    raise UsageError("argument line too long", hint=False)
                batch.append(item)
                size += _length(item)
            lines += 1
            if batch and ((plan.max_lines and lines >= plan.max_lines) or (plan.max_args and len(batch) >= plan.max_args)):
                yield plan.words + batch
                ran, batch, size, lines = True, [], 0, 0
        if self._problem is not None and (plan.max_lines or plan.exit_when_long):
            return  # what is not complete is not used then
        if batch or (not ran and plan.run_empty and self._problem is None):
            yield plan.words + batch

    def _sound_lines(self) -> Iterator[list[str]]:
        """The items up to a malformed one, which is reported when the commands for those before it have run."""
        try:
            yield from self._lines
        except UsageError as error:
            self._problem = error

    def _check_room(self, item: str) -> None:
        """Refuse an item that makes a command too long, before that is made."""
        first, *words = self._plan.words
        more = _length(item) - _length(self._plan.replace)
        size = _length(first) + sum(_length(word) + word.count(self._plan.replace) * more for word in words)
        self._process.budget.tick(size >> 8)
        if size > self._plan.max_chars:
            raise UsageError("command too long", hint=False)


def _length(word: str) -> int:
    return len(word.encode("utf-8", "surrogateescape")) + 1
