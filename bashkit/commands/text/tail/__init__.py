"""tail: the last part of files, and what is added to them (POSIX XCU tail, GNU coreutils manual)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs
from bashkit.commands._filesystem.targets import is_directory
from bashkit.commands._notation.choices import among, choose
from bashkit.commands._notation.counts import MOST, clamped, is_count, unclamped
from bashkit.commands._notation.durations import seconds
from bashkit.commands._notation.quoting import mention
from bashkit.commands.text._extents import OPTIONS, Extent, Titles, extent, open_titled
from bashkit.commands.text.tail.ending import write_ending
from bashkit.commands.text.tail.follow import Follower, Following
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_OBSOLETE = re.compile(r"([-+])([0-9]*)([bcl]?)(f?)")
_INTERVAL = 1.0  # seconds between checks of files that may change outside of this script
_WAYS = (("descriptor",), ("name",))  # to follow a file
_LARGEST = (1 << 64) - 1
_BLOCK = 512  # bytes that ``b`` stands for
_LARGEST_PID = (1 << 31) - 1


def _rewrite(words: list[str]) -> list[str]:
    """Turn the obsolete ``-5``, ``+5``, ``-5cf`` with one file at most into ``-n``, ``-c`` and ``-f``."""
    found = _OBSOLETE.fullmatch(words[0]) if words else None
    operands = words[2:] if words[1:2] == ["--"] else words[1:]
    if found is not None and len(operands) < 2 and not (operands and len(operands[0]) > 1 and operands[0].startswith("-")):
        sign, count, unit, follow = found.groups()
        if sign == "+" or count or unit in {"b", "l"}:
            letter = "-c" if unit in {"b", "c"} else "-n"
            amount = unclamped(count or "10")
            if amount > _LARGEST or (unit == "b" and amount * _BLOCK > _LARGEST):
                problem = ": Numerical result out of range" if amount > _LARGEST else ""
                raise UsageError(f"invalid number: {mention(words[0])}{problem}", hint=False)
            number = f"{'+' if sign == '+' else ''}{min(amount * (_BLOCK if unit == 'b' else 1), MOST - 1)}"
            return [*(["-f"] if follow else []), letter, number, *words[1:]]
    return words


def _check_number(largest: int, what: str) -> Callable[[str], None]:
    """A check of a number that an option takes."""

    def check(text: str) -> None:
        if not is_count(text):
            raise UsageError(f"invalid {what}: {mention(text)}", hint=False)
        if clamped(text) > largest:
            raise UsageError(f"invalid {what}: {mention(text)}: Value too large for defined data type", hint=False)

    return check


def _interval(text: str | None) -> float:
    if text is None:
        return _INTERVAL
    try:
        if text[-1:].isalpha() and not re.search("(?:0x.*|inf|infinity)$", text, re.IGNORECASE):
            raise ValueError(text)
        return seconds(text)
    except ValueError:
        raise UsageError(f"invalid number of seconds: {mention(text)}", hint=False) from None


def _following(process: Process, arguments: Arguments) -> Following | None:
    """The way the files are followed, or None."""
    last = arguments.last("f", "F", "follow")
    by_name = last == "F" or (
        last == "follow" and choose("--follow", arguments.get("follow", "descriptor") or "descriptor", _WAYS) == "name"
    )
    retry = "retry" in arguments or "F" in arguments
    pid = clamped(arguments.get("pid", "0") or "") or None  # 0 is none
    interval = _interval(arguments.get("s"))
    if last is None:
        if "retry" in arguments:
            process.warn("warning: --retry ignored; --retry is useful only when following")
        if pid is not None:
            process.warn("warning: PID ignored; --pid=PID is useful only when following")
        return None
    if retry and not by_name:
        process.warn("warning: --retry only effective for the initial open")
    if by_name and "-" in (arguments.operands or ["-"]):
        raise UsageError("cannot follow '-' by name", hint=False)
    return Following(by_name, retry, pid, interval)


def _wanted(arguments: Arguments) -> Extent:
    """What is printed of a file; a plus sign holds for a later ``-c`` or ``-n`` without one, too."""
    wanted = extent(arguments)
    ahead = any(text.startswith("+") for key in ("c", "n") for text in arguments.all(key))
    return replace(wanted, sign="+") if ahead else wanted


@command(
    "tail",
    usage="[OPTION]... [FILE]...",
    summary="Print the last 10 lines of each FILE to standard output.",
    options=(
        *OPTIONS,
        flag("-f", help="output what is added as the file grows"),
        flag("-F", help="same as --follow=name --retry"),
        value(
            "--follow",
            metavar="HOW",
            help="as -f; HOW is 'descriptor' or 'name': stay with the name when another file gets it",
            optional=True,
            check=among("--follow", _WAYS),
        ),
        flag("--retry", help="keep trying to open a file that is inaccessible"),
        value(
            "-s",
            "--sleep-interval",
            metavar="N",
            help="with -f, look every N seconds (1.0) at files that others than the script change",
        ),
        value(
            "--pid",
            metavar="PID",
            help="with -f, end after the process with the ID PID",
            check=_check_number(_LARGEST_PID, "PID"),
        ),
        value(
            "--max-unchanged-stats",
            metavar="N",
            help="(ignored: a replaced file is noticed at once)",
            check=_check_number(MOST, "maximum number of unchanged stats between opens"),
        ),
    ),
    notes="With a leading '+' in NUM, print from byte or line NUM on.",
    rewrite=_rewrite,
    digit=lambda digit: UsageError(f"option used in invalid context -- {digit}", hint=False),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the last lines or bytes of each file, and go on with what is added."""
    following = _following(process, arguments)
    wanted = arguments.once(_wanted)
    if following is None and not wanted.count and wanted.sign != "+":
        return 0  # no output is requested, so no file is even opened
    titles = Titles(process, arguments)
    inputs = Inputs(process, [], "cannot open {quoted} for reading: {error}", "error reading {quoted}: {error}", "standard input")
    follower = None if following is None else Follower(process, following, titles)
    try:
        for name in arguments.operands or ["-"]:
            stream = open_titled(process, inputs, titles, name)
            if stream is None and wanted.by_bytes and is_directory(process, name):
                return 1  # a failed read ends it
            if follower is not None:
                follower.add(name, stream)
            if stream is not None:
                try:
                    write_ending(stream, process, wanted)
                finally:
                    if follower is None:
                        process.close(stream)
        if follower is None:
            return int(inputs.failed)
        return follower.run() or int(inputs.failed)
    finally:
        if follower is not None:
            follower.close()
