"""truncate: shrink or extend the size of files (GNU coreutils manual, truncate)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import MOST
from bashkit.commands._notation.quoting import mention, quote
from bashkit.commands._notation.sizes import parse_size
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.syntax.digits import SPACE, is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_MODIFIERS: dict[str, Callable[[int, int], int]] = {
    "+": lambda size, number: size + number,
    "-": lambda size, number: max(0, size - number),
    "<": min,
    ">": max,
    "/": lambda size, number: size // number * number,
    "%": lambda size, number: -(-size // number) * number,
}


@command(
    "truncate",
    usage="OPTION... FILE...",
    summary="Shrink or extend the size of each FILE to the specified size.",
    options=(
        flag("-c", "--no-create", help="do not create any files"),
        flag("-o", "--io-blocks", help="treat SIZE as number of IO blocks instead of bytes"),
        value("-r", "--reference", metavar="RFILE", help="base size on RFILE"),
        value("-s", "--size", metavar="SIZE", help="set or adjust the file size by SIZE bytes"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Resize each file; 1 when one could not be."""
    text, reference = arguments.get("s"), arguments.get("r")
    if text is None and reference is None:
        raise UsageError(f"you must specify either {mention('--size')} or {mention('--reference')}")
    if text is None and "o" in arguments:
        raise UsageError(f"{mention('--io-blocks')} was specified but {mention('--size')} was not")
    modifier, number = _sizes(arguments.all("s"))
    if text is not None and reference is not None and not modifier:
        raise UsageError(f"you must specify a relative {mention('--size')} with {mention('--reference')}")
    if "o" in arguments:
        number *= 4096
    if not arguments.operands:
        raise UsageError("missing file operand")
    base = None if reference is None else _size_of(process, reference)
    status = 0
    for name in arguments.operands:
        try:
            _truncate(process, arguments, name, modifier, number, base)
        except OSError as error:
            verb = "failed to truncate" if error.errno in {errno.ENOSPC, errno.EFBIG} else "cannot open"
            tail = "" if verb == "failed to truncate" else " for writing"
            process.warn(f"{verb} {quote(name)}{tail}: {error.strerror}")
            status = 1
    return status


def _sizes(texts: list[str]) -> tuple[str, int]:
    """The modifier and the number of all ``-s``: the last number counts, and a modifier stays."""
    modifier, number = "", 0
    for text in texts:
        own = _modifier(text)
        if own in {"+", "-"} and modifier:
            raise UsageError("multiple relative modifiers specified")
        modifier = own or modifier.replace("-", "+")  # the sign belongs to the number
        number = _size(text, own, modifier)
    return modifier, number


def _modifier(text: str) -> str:
    body = text.lstrip(SPACE)
    return body[0] if body[:1] and body[0] in _MODIFIERS else ""


def _size(text: str, modifier: str, effective: str) -> int:
    """The number of one argument with its own modifier, and the one that holds."""
    body = text.lstrip(SPACE)
    shown = rest = body[len(modifier) :]
    if modifier and modifier in "+-":
        shown = body
    elif modifier:
        shown = rest = rest.lstrip(SPACE)
        if rest[:1] in {"+", "-"}:
            raise UsageError("multiple relative modifiers specified")
    try:
        if shown != rest and not is_digits(rest[:1]):  # a sign belongs to the number
            raise ValueError(body)
        number = parse_size(rest, letters="kKmMgGtTPEZY")
    except ValueError:
        raise UsageError(f"Invalid number: {mention(shown)}", hint=False) from None
    if number >= MOST:
        raise UsageError(f"Invalid number: {mention(shown)}: Value too large for defined data type", hint=False)
    if number == 0 and effective in {"/", "%"}:
        raise UsageError("division by zero", hint=False)
    return number


def _size_of(process: Process, name: str) -> int:
    try:
        return process.fs.stat(process.path(name)).size
    except OSError as error:
        raise UsageError(f"cannot stat {quote(name)}: {error.strerror}", hint=False) from None


def _truncate(process: Process, arguments: Arguments, name: str, modifier: str, number: int, base: int | None) -> None:
    path = process.path(name)
    try:
        process.fs.open(path, write=True, create="c" not in arguments, mode=0o666 & ~process.umask).release()
    except FileNotFoundError:
        if "c" in arguments:
            return
        raise
    now = process.fs.stat(path).size if base is None else base
    size = _MODIFIERS[modifier](now, number) if modifier else (number if base is None else base)
    process.budget.string(size)
    process.fs.truncate(path, size)
