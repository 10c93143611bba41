"""touch: change file time stamps, making files that do not exist (POSIX XCU touch)."""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING

from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.dates import parse_date
from bashkit.commands._notation.quoting import mention, quote
from bashkit.commands._notation.strftime import Moment
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_WORDS = (("atime", "access", "use"), ("mtime", "modify"))
_STAMP = re.compile(r"(\d\d(?:\d\d)?)?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?", re.ASCII)


def _word(text: str) -> str:
    return choose("--time", text, _WORDS)


@command(
    "touch",
    usage="[OPTION]... FILE...",
    summary="Update the access and modification times of each FILE to the current time.",
    options=(
        flag("-a", help="change only the access time"),
        flag("-c", "--no-create", help="do not create any files"),
        value("-d", "--date", metavar="STRING", help="parse STRING and use it instead of current time"),
        flag("-f", help="(ignored, as GNU touch does)"),
        flag("-h", "--no-dereference", help="affect each symbolic link instead of any referenced file"),
        flag("-m", help="change only the modification time"),
        value("-r", "--reference", metavar="FILE", help="use this file's times instead of current time"),
        value("-t", metavar="STAMP", help="use [[CC]YY]MMDDhhmm[.ss] instead of current time"),
        value("--time", metavar="WORD", help="change the specified time: access, atime, use, modify or mtime", check=_word),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Touch each file; 1 when one could not be."""
    accessed, modified = _times(process, arguments)
    if not arguments.operands:
        raise UsageError("missing file operand")
    words = [_word(word) for word in arguments.all("time")]
    only_access = "a" in arguments or "atime" in words
    only_modification = "m" in arguments or "mtime" in words
    if only_access and not only_modification:
        modified = None
    if only_modification and not only_access:
        accessed = None
    status = 0
    for name in arguments.operands:
        try:
            _touch(process, arguments, name, accessed, modified)
        except OSError as error:
            known = error.errno != errno.EROFS and (
                "h" in arguments or "c" in arguments or name.endswith("/") or process.fs.exists(process.path(name))
            )
            what = "setting times of" if known else "cannot touch"
            process.warn(f"{what} {quote(name)}: {error.strerror}")
            status = 1
    return status


def _touch(process: Process, arguments: Arguments, name: str, accessed: float | None, modified: float | None) -> None:
    if name == "-":
        return
    path = process.path(name)
    follow = "h" not in arguments
    try:
        process.fs.lookup(path, follow=follow)
    except FileNotFoundError:
        if "c" in arguments or not follow:
            if "c" not in arguments:
                raise
            return
        if name.endswith("/"):
            raise OSError(errno.ENOENT, "No such file or directory") from None
        process.fs.open(path, write=True, create=True, mode=0o666 & ~process.umask).close()
    process.fs.utime(path, accessed, modified, follow=follow)


def _times(process: Process, arguments: Arguments) -> tuple[float | None, float | None]:
    """The access and modification times to set."""
    now = process.system.now()
    zone = process.system.timezone(process.env.get("TZ", ""))
    text, reference = arguments.get("d"), arguments.get("r")
    stamps = [_from_stamp(given, process) for given in arguments.all("t")]
    if stamps and (text is not None or reference is not None):
        raise UsageError("cannot specify times from more than one source")
    if stamps:
        return stamps[-1], stamps[-1]
    accessed = modified = now
    if reference is not None:
        try:
            stat = process.fs.stat(process.path(reference), follow="h" not in arguments)
        except OSError as error:
            raise UsageError(f"failed to get attributes of {quote(reference)}: {error.strerror}", hint=False) from None
        accessed, modified = stat.atime, stat.mtime
    if text is not None:
        try:
            accessed = _seconds(parse_date(text, now=accessed, zone=zone, find_zone=process.system.timezone))
            modified = _seconds(parse_date(text, now=modified, zone=zone, find_zone=process.system.timezone))
        except ValueError:
            raise UsageError(f"invalid date format {mention(text)}", hint=False) from None
    return accessed, modified


def _seconds(moment: Moment) -> float:
    return moment.timestamp + moment.nanoseconds / 1e9


def _from_stamp(stamp: str, process: Process) -> float:
    match = _STAMP.fullmatch(stamp)
    zone = process.system.timezone(process.env.get("TZ", ""))
    now = process.system.now()
    try:
        if match is None:
            raise ValueError(stamp)
        year, month, day, hour, minute, second = match.groups()
        if year is None:
            year = str(Moment.of(now, zone).local.year)
        elif len(year) == 2:
            year = ("19" if int(year) >= 69 else "20") + year
        leap = second == "60"
        text = f"{year}-{month}-{day} {hour}:{minute}:{'59' if leap else second or '00'}"
        return _seconds(parse_date(text, now=now, zone=zone)) + leap
    except ValueError:
        raise UsageError(f"invalid date format {mention(stamp)}", hint=False) from None
