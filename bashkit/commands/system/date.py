"""date: print the time in a format (POSIX XCU date; GNU coreutils manual, date)."""

from __future__ import annotations

import re
from datetime import UTC
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import lines
from bashkit.commands._notation.choices import among, choose
from bashkit.commands._notation.dates import parse_date
from bashkit.commands._notation.quoting import mention, quote_if_needed
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from bashkit.interp.utility.process import Process

_DEFAULT = "%a %b %e %H:%M:%S %Z %Y"
_STAMP = re.compile(r"(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:\d\d)?)?(?:\.(\d\d))?", re.ASCII)
_FIRST_OF_1900 = 69  # years of two digits before it are of the next century
_RESOLUTION = "%s.%N"
_EMAIL = "%a, %d %b %Y %H:%M:%S %z"
_ISO = {
    "hours": "%Y-%m-%dT%H%:z",
    "minutes": "%Y-%m-%dT%H:%M%:z",
    "date": "%Y-%m-%d",
    "seconds": "%Y-%m-%dT%H:%M:%S%:z",
    "ns": "%Y-%m-%dT%H:%M:%S,%N%:z",
}
_RFC_3339 = {"date": "%Y-%m-%d", "seconds": "%Y-%m-%d %H:%M:%S%:z", "ns": "%Y-%m-%d %H:%M:%S.%N%:z"}
_ISO_WORDS, _RFC_WORDS = (tuple((name,) for name in known) for known in (_ISO, _RFC_3339))


@command(
    "date",
    usage="[OPTION]... [+FORMAT]",
    summary="Display date and time in the given FORMAT.",
    options=(
        value("-d", "--date", metavar="STRING", help="display time described by STRING, not 'now'"),
        value("-f", "--file", metavar="DATEFILE", help="like --date; once for each line of DATEFILE"),
        value(
            "-I",
            "--iso-8601",
            metavar="FMT",
            optional=True,
            help="ISO 8601: date, hours, minutes, seconds or ns",
            check=among("--iso-8601", _ISO_WORDS),
        ),
        flag("-R", "--rfc-email", "--rfc-822", "--rfc-2822", help="RFC 5322: Mon, 14 Aug 2006 02:34:56 -0600"),
        value("--rfc-3339", metavar="FMT", help="RFC 3339: date, seconds or ns", check=among("--rfc-3339", _RFC_WORDS)),
        value("-r", "--reference", metavar="FILE", help="display the last modification time of FILE"),
        value("-s", "--set", metavar="STRING", help="set the time; not permitted"),
        flag("-u", "--utc", "--universal", help="print Coordinated Universal Time"),
        flag("--resolution", help="output the available resolution of timestamps"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print each wanted time; 1 when a date string is invalid or the clock should be set."""
    zone = UTC if "u" in arguments else process.system.timezone(process.env.get("TZ", ""))
    pattern = _pattern(arguments)
    if "s" in arguments and {"d", "f", "r", "resolution"} & {key for key, _ in arguments.given}:
        raise UsageError("the options to print and set the time may not be used together")
    if "s" in arguments or (arguments.operands and not arguments.operands[0].startswith("+")):
        return _refuse_to_set(process, arguments, zone, pattern)
    status = 0
    for text, moment in _moments(process, arguments, zone):
        if moment is None:
            process.warn(f"invalid date {mention(text)}")
            status = 1
        else:
            process.write(strftime(pattern, moment, process.budget) + "\n")
    return status


def _pattern(arguments: Arguments) -> str:
    if sum(key in ("I", "R", "rfc-3339") for key, _ in arguments.given) > 1:
        raise UsageError("multiple output formats specified", hint=False)
    patterns = [word[1:] for word in arguments.operands if word.startswith("+")]
    if "I" in arguments:
        patterns.append(_ISO[choose("--iso-8601", arguments.get("I") or "date", _ISO_WORDS)])
    if "R" in arguments:
        patterns.append(_EMAIL)
    if "rfc-3339" in arguments:
        patterns.append(_RFC_3339[choose("--rfc-3339", arguments.get("rfc-3339") or "", _RFC_WORDS)])
    if len(patterns) > 1:
        if sum(word.startswith("+") for word in arguments.operands) > 1:
            raise UsageError(f"extra operand {mention(arguments.operands[1])}")
        raise UsageError("multiple output formats specified", hint=False)
    if len(arguments.operands) > 1:
        raise UsageError(f"extra operand {mention(arguments.operands[1])}")
    return patterns[0] if patterns else _RESOLUTION if "resolution" in arguments else _DEFAULT


def _moments(process: Process, arguments: Arguments, zone: tzinfo) -> Iterator[tuple[str, Moment | None]]:
    """Parse each date string; None for an invalid one."""
    if sum(key in arguments for key in ("d", "f", "r", "resolution")) > 1:
        raise UsageError("the options to specify dates for printing are mutually exclusive")
    if "resolution" in arguments:
        yield "", Moment.of(1e-9, UTC)
        return
    reference = arguments.get("r")
    if reference is not None:
        yield reference, Moment.of(_modified(process, reference), zone)
        return
    file = arguments.get("f")
    if file is not None:
        for block in lines(process.open(file).blocks(), process.budget):
            for line in block:
                process.budget.tick(50)
                given = line.decode("utf-8", "surrogateescape")
                yield given, _parsed(process, given, zone)
        return
    text = arguments.get("d")
    yield (text or "", Moment.of(process.system.now(), zone) if text is None else _parsed(process, text, zone))


def _modified(process: Process, name: str) -> float:
    try:
        return process.fs.stat(process.path(name)).mtime
    except OSError as error:
        error.filename = quote_if_needed(name)
        raise


def _parsed(process: Process, text: str, zone: tzinfo) -> Moment | None:
    try:
        return parse_date(text, now=process.system.now(), zone=zone, find_zone=process.system.timezone)
    except ValueError:
        return None


def _spelled_out(text: str, year: int) -> str:
    """``MMDDhhmm[[CC]YY][.ss]`` as a date that can be parsed; anything else is none."""
    found = _STAMP.fullmatch(text)
    if found is None:
        return "?"
    month, day, hour, minute, given, second = found.groups()
    if given is not None:
        year = int(given) if len(given) == len("CCYY") else int(given) + (1900 if int(given) >= _FIRST_OF_1900 else 2000)
    return f"{year}-{month}-{day} {hour}:{minute}:{second or '00'}"


def _refuse_to_set(process: Process, arguments: Arguments, zone: tzinfo, pattern: str) -> int:
    words = [word for word in arguments.operands if not word.startswith("+")]
    if words and {"d", "f", "r", "s", "resolution"} & {key for key, _ in arguments.given}:
        raise UsageError(
            f"the argument {mention(words[0])} lacks a leading '+';\nwhen using an option to specify date(s), any non-option\n"
            "argument must be a format string beginning with '+'"
        )
    text = words[0] if words else arguments.get("s") or ""
    now = Moment.of(process.system.now(), zone)
    moment = _parsed(process, _spelled_out(text, now.local.year) if words else text, zone)
    if moment is None:
        process.warn(f"invalid date {mention(text)}")
        return 1
    process.warn("cannot set date: Operation not permitted")
    process.write(strftime(pattern, moment, process.budget) + "\n")
    return 1
