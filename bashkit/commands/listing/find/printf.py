"""The format language of ``find -printf`` (GNU findutils manual, Format Directives)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import letters
from bashkit.commands._filesystem.owners import name_of
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.listing.find.words import FindError
from bashkit.limits import MANY, collected, paced

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from bashkit.commands.listing.find.candidate import Candidate
    from bashkit.interp.utility.process import Process

_PIECE = re.compile(
    r"\\([0-7]{1,3}|.)|%([-+ #0]*)(\d*)(?:\.(\d*))?([ACTB].|[a-zA-Z%])|(%[-+ #0]*\d*(?:\.\d*)?)(.?)|([^\\%]+)|(.)",
    re.ASCII | re.DOTALL,
)
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_WEIGHT = 128  # bytes that a piece of a format takes
_LETTERS = {"file": "f", "directory": "d", "symlink": "l", "fifo": "p", "character": "c"}


def _followed_type(candidate: Candidate) -> str:
    if candidate.stat.type != "symlink":
        return _LETTERS[candidate.type]
    try:
        return _LETTERS[candidate.process.fs.stat(candidate.path).type]
    except (FileNotFoundError, NotADirectoryError):
        return "N"
    except OSError:
        return "L"


def _sparseness(candidate: Candidate) -> str:
    """``%S``: the bytes of the blocks that it takes, divided by its size."""
    size = candidate.stat.size
    return f"{int(_TEXTS['b'](candidate)) * 512 / size:g}" if size and candidate.type != "directory" else "1"


_TEXTS: dict[str, Callable[[Candidate], str]] = {
    "%": lambda _: "%",
    "b": lambda c: str(-(-c.stat.size // 4096) * 8 if c.stat.type == "file" else 8 * (c.stat.type == "directory")),
    "D": lambda _: "48",
    "f": lambda c: c.last,
    "F": lambda _: "tmpfs",
    "g": lambda c: name_of(c.process, c.stat.gid, group=True),
    "G": lambda c: str(c.stat.gid),
    "h": lambda c: c.directory,
    "H": lambda c: c.start,
    "i": lambda c: str(c.stat.ino),
    "k": lambda c: str(-(-c.stat.size // 4096) * 4 if c.stat.type == "file" else 4 * (c.stat.type == "directory")),
    "l": lambda c: c.target(),
    "M": lambda c: letters(c.stat.type, c.stat.mode),
    "n": lambda c: str(c.stat.links),
    "p": lambda c: c.name,
    "P": lambda c: c.below,
    "s": lambda c: str(c.stat.size),
    "S": _sparseness,
    "u": lambda c: name_of(c.process, c.stat.uid),
    "U": lambda c: str(c.stat.uid),
    "y": lambda c: _LETTERS[c.type or c.stat.type],
    "Y": _followed_type,
}
_NOT_OF_TIMES = "qN"  # that date has
_TIMES = {"A": "atime", "C": "ctime", "T": "mtime", "a": "atime", "c": "ctime", "t": "mtime"}


def compile_format(process: Process, text: str) -> Callable[[Candidate], str]:
    """Compile ``text`` to a function that formats a file."""
    zone = process.system.timezone(process.env.get("TZ", ""))
    pieces: list[str | Callable[[Candidate], str]] = []
    for match in paced(_PIECE.finditer(text)):
        process.hold(_WEIGHT)
        escape, flags, width, precision, key, malformed, following, plain, other = match.groups()
        if escape == "c":
            break
        if escape is not None:
            pieces.append(_escaped(escape, process))
        elif malformed is not None:
            if not following or following in "{[(":
                raise FindError(f"error: {_complaint(malformed, following)}")
            process.warn(f"warning: unrecognized format directive `%{following}'")
            pieces.append(match[0])
        elif key is None:
            pieces.append(plain or other)
            if other == "\\":
                process.warn("warning: escape `\\' followed by nothing at all")
        else:
            pieces.append(_directive(process, zone, flags, width, precision, key, match[0]))
    if len(pieces) > MANY:
        return lambda candidate: "".join(collected(process.budget, (_shown(piece, candidate) for piece in pieces)))
    return lambda candidate: "".join(piece if isinstance(piece, str) else piece(candidate) for piece in pieces)


def _shown(piece: str | Callable[[Candidate], str], candidate: Candidate) -> str:
    return piece if isinstance(piece, str) else piece(candidate)


def _complaint(directive: str, following: str) -> str:
    """What is wrong with a directive that has no letter."""
    if directive == "%" and not following:
        return "% at end of format string"
    return f"the format directive `%{following or chr(0)}' is reserved for future use"


def _escaped(escape: str, process: Process) -> str:
    if escape[0] in "01234567":
        return bytes([int(escape, 8) & 255]).decode("utf-8", "surrogateescape")
    if escape not in _ESCAPES:
        process.warn(f"warning: unrecognized escape `\\{escape}'")
        return "\\" + escape
    return _ESCAPES[escape]


def _directive(
    process: Process, zone: tzinfo, flags: str, width: str, precision: str | None, key: str, whole: str
) -> str | Callable[[Candidate], str]:
    columns = min(clamped(width or "0"), 4096)
    limit = None if precision is None else min(clamped(precision or "0"), 4096)
    if key == "%":
        return whole[:-1]
    if key == "m":
        return lambda c: _number(f"{'0' * ('#' in flags and c.stat.mode > 0)}{c.stat.mode:o}", flags, columns, limit)
    if key == "d":
        sign = "+" if "+" in flags else " " if " " in flags else ""
        return lambda c: _number(str(c.depth), flags, columns, limit, sign)
    text = _TEXTS.get(key)
    if key in {"A", "B", "C", "T"}:
        process.warn(f"warning: format directive `%{key}' should be followed by another character")
        return whole
    if text is None and key[0] in _TIMES:
        field = _TIMES[key[0]]
        text = _time(field, key[1:], zone)
    elif key[0] == "B":
        text = _unknown
    if text is None:
        process.warn(f"warning: unrecognized format directive `%{key}'")
        return whole
    chosen = text
    if limit is None and not columns:
        return chosen
    return lambda c: _fitted(chosen(c), flags, columns, limit)


def _unknown(candidate: Candidate) -> str:  # noqa: ARG001 - as the others of ``_TEXTS``
    """When the file was made, which nothing tells."""
    return ""


def _fitted(text: str, flags: str, width: int, limit: int | None) -> str:
    """Cut and pad a text; as in C, both count bytes."""
    shown = text.encode("utf-8", "surrogateescape")[:limit].decode("utf-8", "surrogateescape")
    return _padded(shown, flags, width - len(shown.encode("utf-8", "surrogateescape")) + len(shown))


def _number(digits: str, flags: str, width: int, least: int | None, sign: str = "") -> str:
    """Pad a number, which has ``least`` digits at the least."""
    if least is None and "0" in flags and "-" not in flags:
        least = width - len(sign)
    shown = "" if least == 0 and digits == "0" else digits.zfill(least or 0)
    return _padded(sign + shown, flags, width)


def _padded(text: str, flags: str, width: int) -> str:
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _time(field: str, letter: str, zone: tzinfo) -> Callable[[Candidate], str]:
    def render(candidate: Candidate) -> str:
        moment = Moment.of(getattr(candidate.stat, field), zone)
        if letter == "@":
            return f"{moment.timestamp}.{moment.nanoseconds:09}0"
        if not letter:
            return strftime("%a %b %e %H:%M:%S.%N0 %Y", moment)
        if letter in _NOT_OF_TIMES:
            return f"%{letter}"
        if letter == "+":
            return strftime("%Y-%m-%d+%H:%M:%S.%N0", moment)
        if letter in "STX":
            return strftime({"S": "%S.%N0", "T": "%H:%M:%S.%N0", "X": "%H:%M:%S.%N0"}[letter], moment)
        return strftime("%" + letter, moment)

    return render
