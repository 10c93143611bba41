"""env: run a command in a changed environment (POSIX XCU env; GNU coreutils manual, env)."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from bashkit.commands._commands import refusal
from bashkit.commands._notation.encoding import encode
from bashkit.commands._notation.quoting import mention, quote
from bashkit.commands.running import _dispositions
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room, turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.process import Process

_ESCAPES = {"f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "#": "#", "$": "$", '"': '"', "'": "'", "\\": "\\"}
_BLANKS = " \t\n\r\f\v"
_PLAIN = re.compile(r"[^\\$#\"'\s]+")  # what means itself
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}", re.ASCII)


@command(
    "env",
    usage="[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
    summary="Set each NAME to VALUE in the environment and run COMMAND.",
    options=(
        flag("-i", "--ignore-environment", help="start with an empty environment"),
        flag("-0", "--null", help="end each output line with NUL, not newline"),
        value("-u", "--unset", metavar="NAME", help="remove variable from the environment"),
        value("-C", "--chdir", metavar="DIR", help="change working directory to DIR"),
        value("-S", "--split-string", metavar="S", help="process and split S into separate arguments"),
        flag("-v", "--debug", help="print verbose information for each processing step"),
        *_dispositions.OPTIONS,
    ),
    usage_status=125,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the environment, or run the command and return its status; 125 for an error, 127 if the command does not exist."""
    arguments = _split(process, arguments)
    environment, words = _environment(process, arguments)
    folder = arguments.get("C")
    if not words:
        if folder is not None:
            raise UsageError("must specify command with --chdir (-C)")
        end = "\0" if "0" in arguments else "\n"
        for name, text in environment.items():
            process.budget.tick()
            process.write(f"{name}={text}{end}")
        return 0
    if "0" in arguments:
        raise UsageError("cannot specify --null (-0) with command")
    return _run(process, arguments, words, environment, folder)


def _environment(process: Process, arguments: Arguments) -> tuple[dict[str, str], list[str]]:
    """The resulting environment, and the words of the command after it."""
    operands = arguments.operands
    empty = "i" in arguments or operands[:1] == ["-"]
    operands = operands[operands[:1] == ["-"] :]
    environment = {} if empty else process.environment()
    _trace(process, arguments, ["cleaning environ"] if empty else [])
    for name in [] if empty else arguments.all("u"):
        if not name or "=" in name:
            raise UsageError(f"cannot unset {mention(name)}: Invalid argument", hint=False)
        environment.pop(name, None)
        _trace(process, arguments, (f"unset:    {name}",))
    count = 0
    for operand in operands:
        name, equals, text = operand.partition("=")
        if not equals:
            break
        environment[name] = text
        _trace(process, arguments, (f"setenv:   {operand}",))
        count += 1
    return environment, operands[count:]


def _trace(process: Process, arguments: Arguments, steps: Iterable[str]) -> None:
    """``-v``: print what is done."""
    if "v" in arguments:
        process.say("".join(step + "\n" for step in steps))


def _run(process: Process, arguments: Arguments, words: list[str], environment: dict[str, str], folder: str | None) -> int:
    ignored = None
    if any(option.key in arguments for option in _dispositions.OPTIONS):
        signals = _dispositions.Dispositions(process, arguments)
        ignored = signals.ignored()
        _trace(process, arguments, signals.log)
        if "list-signal-handling" in arguments:
            process.say(signals.listing())
    cwd = None
    if folder is not None:
        _trace(process, arguments, [f"chdir:    {quote(folder)}"])
        try:
            cwd = process.fs.realpath(process.path(folder))
            if process.fs.stat(cwd).type != "directory":
                raise NotADirectoryError(20, "Not a directory")
        except OSError as error:
            process.warn(f"cannot change directory to {quote(folder)}: {error.strerror}")
            return 125
    _trace(
        process,
        arguments,
        chain([f"executing: {words[0]}"], (f"   arg[{number}]= {mention(word)}" for number, word in enumerate(words))),
    )
    refused = refusal(process, words[0], mention(words[0]), environment)
    if refused:
        if re.search(r"\s", words[0], re.ASCII):
            process.warn("use -[v]S to pass options in shebang lines")
        return refused
    return process.launcher.run(words, env=environment, cwd=cwd, ignored=ignored)


def _split(process: Process, arguments: Arguments) -> Arguments:
    """Insert the words of ``-S`` at the position of the option, before the operands."""
    from bashkit.commands import find_command

    declared = find_command("env")
    assert declared is not None
    words = process.argv
    given: list[tuple[str, str | None]] = []
    while "S" in arguments:
        place, found = next(_prefixes(declared, words))
        given += [(key, argument) for key, argument in found.given if key != "S"]
        text = found.get("S") or ""
        process.budget.string(len(text))
        split = _words(text, process)
        joints = [" into:   ", *["     &   "] * len(split)]
        shown = [f"split -S:  {mention(text)}", *(f"{joint} {mention(word)}" for joint, word in zip(joints, split, strict=False))]
        _trace(process, Arguments(given, []), shown)
        words = [*split, *words[place:]]  # they may hold options of env itself
        arguments = declared.parse(words)
    return Arguments(given + arguments.given, arguments.operands)


def _prefixes(declared: Command, words: list[str]) -> Iterator[tuple[int, Arguments]]:
    """How many words there are up to a ``-S`` and its argument, and what they are parsed to."""
    for count in range(1, len(words) + 1):
        try:
            found = declared.parse(words[:count])
        except UsageError:
            continue  # an option lacks its argument
        if "S" in found:
            yield count, found


def _words(text: str, process: Process) -> list[str]:
    """The words of a split string (GNU coreutils manual, -S/--split-string syntax)."""
    words: list[str] = []
    current: list[str] | None = None  # the pieces of a word
    quotation = ""
    position = expanded = 0
    ask_room(text, _BLANKS, process.budget)
    while position < len(text):
        turn()
        char = text[position]
        position += 1
        if char == quotation:
            quotation = ""
        elif char in "\"'" and not quotation:
            quotation, current = char, _and(current, "")
        elif char == "\\" and quotation != "'":
            following = text[position : position + 1]
            position += 1
            if following == "c" and quotation:
                raise UsageError("'\\c' must not appear in double-quoted -S string", hint=False)
            if following == "c":
                break
            if not following:
                raise UsageError("invalid backslash at end of string in -S", hint=False)
            if following == "_":
                if not quotation:
                    words += [] if current is None else ["".join(current)]
                    current = None
                    continue
                following = " "
            elif following in _ESCAPES:
                following = _ESCAPES[following]
            else:
                shown = encode(following)[:1].decode("ascii", "surrogateescape")
                raise UsageError(f"invalid sequence '\\{shown}' in -S", hint=False)
            current = _and(current, following)
        elif char == "\\" and text[position : position + 1] in {"'", "\\"}:
            current = _and(current, text[position])
            position += 1
        elif char == "$" and quotation != "'":
            match = _VARIABLE.match(text, position - 1)
            if match is None:
                raise UsageError(f"only ${{VARNAME}} expansion is supported, error at: {text[position - 1 :]}", hint=False)
            current = _and(current, process.env.get(match[1], ""))
            expanded += len(current[-1])
            process.budget.room(expanded)
            position = match.end()
        elif char in _BLANKS and not quotation:
            words += [] if current is None else ["".join(current)]
            current = None
        elif char == "#" and current is None and not quotation:
            break
        else:
            plain = _PLAIN.match(text, position)
            end = plain.end() if plain else position
            current = _and(current, text[position - 1 : end])
            position = end
    if quotation:
        raise UsageError("no terminating quote in -S string", hint=False)
    return words + ([] if current is None else ["".join(current)])


def _and(word: list[str] | None, piece: str) -> list[str]:
    """The pieces of a word, and one more."""
    if word is None:
        return [piece]
    word.append(piece)
    return word
