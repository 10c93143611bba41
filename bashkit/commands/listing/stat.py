"""stat: display file or file system status (GNU coreutils manual, stat)."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import letters
from bashkit.commands._filesystem.owners import name_of
from bashkit.commands._notation.choices import among
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.escapes import unescape
from bashkit.commands._notation.quoting import mention, quote, quote_as, style_of
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

    _Field = str | int | Moment | None

_DIRECTIVE = re.compile(r"%([-#0+ 'I]*)(\d*)(?:\.(\d*))?((?:[HL](?=[a-zA-Z]))?.)", re.ASCII)
_CACHED = (("default",), ("never",), ("always",))
_DEVICE = 48
_PARTS = re.compile(_DIRECTIVE.pattern + r"|\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.|\Z)", re.ASCII | re.DOTALL)
_LETTERS = 'abefnrtv01234567\\"'  # may follow a backslash
_UNENDED = re.compile(r"%[-#0+ 'I\d.]+(?:%|\Z)", re.ASCII)
_TIME = "%Y-%m-%d %H:%M:%S.%N %z"
_KINDS = {"directory": "directory", "symlink": "symbolic link", "character": "character special file", "fifo": "fifo"}
_DEFAULT = """\
  File: %N
  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Device: %Hd,%Ld\tInode: %-11i Links: %h{device}
Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Access: %x
Modify: %y
Change: %z
 Birth: %w
"""
_TERSE = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n"
_FILE_SYSTEM = """\
  File: "%n"
    ID: %-8i Namelen: %-7l Type: %T
Block size: %-10s Fundamental block size: %S
Blocks: Total: %-10b Free: %-10f Available: %a
Inodes: Total: %-10c Free: %d
"""


@command(
    "stat",
    usage="[OPTION]... FILE...",
    summary="Display file or file system status.",
    options=(
        value("-c", "--format", metavar="FORMAT", help="use the specified FORMAT instead of the default"),
        value("--printf", metavar="FORMAT", help="like --format, but interpret backslash escapes and add no newline"),
        flag("-L", "--dereference", help="follow links"),
        flag("-f", "--file-system", help="display file system status instead of file status"),
        flag("-t", "--terse", help="print the information in terse form"),
        value(
            "--cached", metavar="MODE", help="(ignored: what is known of a file is never stale)", check=among("--cached", _CACHED)
        ),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Describe each file; 1 when one could not be looked at."""
    if not arguments.operands:
        raise UsageError("missing operand")
    pattern = _pattern(process, arguments)
    zone = process.system.timezone(process.env.get("TZ", ""))
    style = _style(process) if _is_custom(arguments) else "literal"
    status = 0
    for name in arguments.operands:
        process.budget.tick(20)
        try:
            if name == "-" and "f" in arguments:
                process.warn("using '-' to denote standard input does not work in file system mode")
                status = 1
                continue
            path = "/dev/stdin" if name == "-" else process.path(name)
            stat = process.fs.stat(path, follow="L" in arguments or "f" in arguments or name == "-")
        except OSError as error:
            what = "cannot read file system information for" if "f" in arguments else "cannot statx"
            process.warn(f"{what} {quote(name)}: {error.strerror}")
            status = 1
            continue
        if "f" in arguments:
            process.write(_expand(pattern, partial(_system_field, name)))
        else:
            subject = _Subject(process, name, stat, zone, style)
            process.write(_expand(pattern or _default_for(stat), subject.field))
            status |= subject.failed
    return status


def _is_custom(arguments: Arguments) -> bool:
    return "c" in arguments or "printf" in arguments


def _style(process: Process) -> str:
    """How ``%N`` quotes."""
    wanted = process.env.get("QUOTING_STYLE")
    if wanted is not None and style_of(wanted) is None:
        process.warn(f"ignoring invalid value of environment variable QUOTING_STYLE: {mention(wanted)}")
    return style_of(wanted) or "shell-escape-always"


def _check(form: str) -> None:
    """Refuse a directive that ends before its letter."""
    found = _UNENDED.search(form.replace("%%", ""))
    if found is not None:
        raise UsageError(f"{mention(found[0])}: invalid directive", hint=False)


def _unescaped(process: Process, text: str) -> str:
    """The format of ``--printf`` with its escapes resolved; a backslash before any other letter goes, with a warning."""

    def resolved(match: re.Match[str]) -> str:
        escape = match[5]
        if escape is None:  # a directive
            return match[0]
        if len(escape) > 1 or (escape and escape in _LETTERS):
            return unescape(match[0]).replace("%", "%%")
        if not escape:
            process.warn("warning: backslash at end of format")
            return "\\"
        process.warn(f"warning: unrecognized escape '{match[0]}'")
        return escape.replace("%", "%%")

    return _PARTS.sub(resolved, text)


def _pattern(process: Process, arguments: Arguments) -> str:
    form = arguments.get("c")
    if arguments.last("c", "printf") == "printf":
        form = _unescaped(process, arguments.get("printf") or "")
        _check(form)
        return form
    if form is not None:
        _check(form)
        return form + "\n"
    if "f" in arguments:
        return "%n %i %l %t %s %S %b %f %a %c %d\n" if "t" in arguments else _FILE_SYSTEM
    return _TERSE if "t" in arguments else ""


def _default_for(stat: Stat) -> str:
    return _DEFAULT.replace("{device}", "     Device type: %t,%T" if stat.type == "character" else "")


def _expand(pattern: str, find: Callable[[str], _Field]) -> str:
    def replace(match: re.Match[str]) -> str:
        flags, width, precision, key = match.groups()
        if key == "%":
            return "%"
        content = find(key)
        if content is None:
            return "?" + key[1:]
        return _formatted(content, flags, int(width[:4] or 0), precision, key)

    pieces: list[str] = []
    place = 0
    for found in paced(_DIRECTIVE.finditer(pattern)):
        pieces += pattern[place : found.start()], replace(found)
        place = found.end()
    return "".join([*pieces, pattern[place:]])


def _formatted(content: str | int | Moment, flags: str, width: int, precision: str | None, key: str) -> str:
    if isinstance(content, int):
        text = f"{content:o}" if key == "a" else f"{content:x}" if key in {"f", "t", "T", "D", "R"} else str(content)
        if "#" in flags and content:
            text = ("0" if key == "a" else "0x" if key in {"f", "t", "T", "D", "R"} else "") + text
        if precision:
            text = text.rjust(min(clamped(precision), 4096), "0")
        if "+" in flags and key not in {"a", "f"}:
            text = "+" + text
        elif " " in flags and key not in {"a", "f"}:
            text = " " + text
    elif isinstance(content, Moment):
        text = _timestamp(content, precision)
        if text[0] != "-":
            text = ("+" if "+" in flags else " " if " " in flags else "") + text
    else:
        text = content if precision is None else content[: clamped(precision or "0")]
    width -= len(text.encode("utf-8", "surrogateescape")) - len(text)
    if "-" in flags:
        return text.ljust(width)
    return text.rjust(width, "0" if "0" in flags and not isinstance(content, str) else " ")


_NANOSECONDS = 10**9  # of a second


def _timestamp(moment: Moment, precision: str | None) -> str:
    """Write seconds since the epoch; a precision adds the fraction, all its digits without a number."""
    if precision is None:
        return str(moment.timestamp)
    digits = min(clamped(precision), 4096) if precision else 9
    if not digits:
        return str(moment.timestamp)
    exact = moment.timestamp * _NANOSECONDS + moment.nanoseconds
    whole, fraction = divmod(abs(exact), _NANOSECONDS)
    return f"{'-' * (exact < 0)}{whole}." + f"{fraction:09}"[:digits].ljust(digits, "0")


class _Subject:
    """One file and the fields of its status."""

    def __init__(self, process: Process, name: str, stat: Stat, zone: tzinfo, style: str) -> None:
        self._process = process
        self._name = name
        self._stat = stat
        self._zone = zone
        self._style = style
        self.failed = False

    def field(self, key: str) -> _Field:
        """The content of one directive; None for an unknown one."""
        stat = self._stat
        major, minor = stat.device
        simple: dict[str, str | int] = {
            "a": stat.mode, "A": letters(stat.type, stat.mode), "b": blocks(stat), "B": 512, "C": "?", "d": _DEVICE, "D": _DEVICE,
            "Hd": 0, "Ld": _DEVICE, "f": stat.st_mode, "g": stat.gid, "h": stat.links, "i": stat.ino, "m": "/", "n": self._name,
            "o": 4096, "r": major << 8 | minor, "R": major << 8 | minor, "Hr": major, "Lr": minor,
            "s": stat.size, "t": major, "T": minor, "u": stat.uid, "w": "-",
            "W": "0",
        }  # fmt: skip
        if key == "C":
            self._process.warn(f"failed to get security context of {quote(self._name)}: No data available")
            self.failed = True
        if key in simple:
            return simple[key]
        if key in {"U", "G"}:
            return name_of(self._process, stat.uid) if key == "U" else name_of(self._process, stat.gid, group=True)
        if key == "F":
            return _KINDS.get(stat.type) or ("regular file" if stat.size else "regular empty file")
        if key == "N":
            return self._with_target()
        times = {"x": stat.atime, "y": stat.mtime, "z": stat.ctime}
        if key.lower() in times:
            moment = Moment.of(times[key.lower()], self._zone)
            return strftime(_TIME, moment) if key in times else moment
        return None

    def _with_target(self) -> str:
        show = partial(quote_as, self._style)
        if self._stat.type != "symlink":
            return show(self._name)
        return f"{show(self._name)} -> {show(self._process.fs.readlink(self._process.path(self._name)))}"


def blocks(stat: Stat) -> int:
    """The 512-byte blocks that a file would take on a disk with blocks of 4096 bytes."""
    if stat.type == "directory":
        return 8
    return -(-stat.size // 4096) * 8 if stat.type == "file" else 0


def _system_field(name: str, key: str) -> str | int | None:
    fields: dict[str, str | int] = {
        "n": name, "i": "0", "l": 255, "T": "tmpfs", "t": 0x01021994, "s": 4096, "S": 4096, "b": 16384, "f": 16384, "a": 16384,
        "c": 20000, "d": 20000,
    }  # fmt: skip
    return fields.get(key)
