"""How much ``head`` and ``tail`` take: the options both share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._lines import size
from bashkit.commands._quoting import mention
from bashkit.interp.command import UsageError, flag, value

if TYPE_CHECKING:
    from bashkit.interp.command import Arguments

_OBSOLETE = re.compile(r"([-+])([0-9]+)([bkmlc]*)([qvz]*)")

OPTIONS = (
    value("-c", "--bytes", metavar="NUM", help="take NUM bytes; multiplier suffixes b, kB, K, MB, M, … are understood"),
    value("-n", "--lines", metavar="NUM", help="take NUM lines (10 when left out)"),
    flag("-q", "--quiet", "--silent", help="never print headers giving file names"),
    flag("-v", "--verbose", help="always print headers giving file names"),
    flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
)


@dataclass(frozen=True, slots=True)
class Extent:
    """What was asked for.

    Attributes:
        count: How many.
        by_bytes: Bytes instead of lines.
        sign: What stood before the number: ``-``, ``+`` or nothing.
        delimiter: What ends a line.
    """

    count: int
    by_bytes: bool
    sign: str
    delimiter: bytes


def extent(arguments: Arguments) -> Extent:
    """What ``-n`` or ``-c`` asks for.

    Raises:
        UsageError: It is no number.
    """
    key = arguments.last("c", "n")
    text = arguments.get(key or "n", "10") or ""
    sign = text[:1] if text[:1] in ("-", "+") and text else ""
    try:
        count = size(text[len(sign) :])
    except ValueError:
        what = "bytes" if key == "c" else "lines"
        raise UsageError(f"invalid number of {what}: {mention(text)}", hint=False) from None
    return Extent(count, key == "c", sign, b"\0" if "z" in arguments else b"\n")


def rewrite(words: list[str], *, plus: bool = False) -> list[str]:
    """Turn the obsolete ``-5``, ``-5c``, and for tail ``+5``, into ``-n`` and ``-c``."""
    if not words:
        return words
    found = _OBSOLETE.fullmatch(words[0])
    if found is None or (found[1] == "+" and not plus):
        return words
    sign = "+" if found[1] == "+" else ""
    units = found[3]
    multiplier = "" if not units or units[0] not in "bkm" else units[0].upper() if units[0] != "b" else "b"
    letter = "-c" if units and ("c" in units or units[0] in "bkm") and "l" not in units else "-n"
    extra = [f"-{found[4]}"] if found[4] else []
    return [*extra, letter, f"{sign}{found[2]}{multiplier}", *words[1:]]


def headers(arguments: Arguments) -> bool:
    """Whether each file is announced."""
    last = arguments.last("q", "v")
    return last == "v" or (last is None and len(arguments.operands) > 1)


def header(name: str, *, first: bool) -> bytes:
    """The line that announces a file."""
    shown = "standard input" if name == "-" else name
    return f"{'' if first else chr(10)}==> {shown} <==\n".encode("utf-8", "surrogateescape")
