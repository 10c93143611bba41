"""pathchk: check whether file names are valid or portable (POSIX XCU pathchk)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention, quote
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_PORTABLE = re.compile(r"[A-Za-z0-9._/-]*")
_POSIX_PATH, _POSIX_NAME = 256, 14
_PATH, _NAME = 4096, 255


@command(
    "pathchk",
    usage="[OPTION]... NAME...",
    summary="Diagnose invalid or unportable file names.",
    options=(
        flag("-p", help="check for most POSIX systems"),
        flag("-P", help='check for empty names and leading "-"'),
        flag("--portability", help="check for all POSIX systems (equivalent to -p -P)"),
    ),
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Check each name; 1 when one is not valid."""
    if not arguments.operands:
        raise UsageError("missing operand")
    portable = "p" in arguments or "portability" in arguments
    strict = "P" in arguments or "portability" in arguments
    status = 0
    for name in arguments.operands:
        problem = _problem(process, name, portable=portable, strict=strict)
        if problem:
            process.warn(problem)
            status = 1
    return status


def _problem(process: Process, name: str, *, portable: bool, strict: bool) -> str:
    """Why a name is invalid; empty if it is valid."""
    parts = [part for part in name.split("/") if part]
    if strict and any(part.startswith("-") for part in parts):
        return f"leading '-' in a component of file name {quote(name)}"
    if (strict or portable) and not name:
        return "empty file name"
    if portable:
        good = _PORTABLE.match(name)
        assert good is not None
        if good.end() < len(name):
            return f"nonportable character {mention(name[good.end()])} in file name {quote(name)}"
    elif not name:
        return "'': No such file or directory"
    size = len(name.encode("utf-8", "surrogateescape"))
    if size >= (_POSIX_PATH if portable else _PATH):
        return (
            f"limit {_POSIX_PATH - 1} exceeded by length {size} of file name {quote(name)}"
            if portable
            else f"{name}: File name too long"
        )
    for part in parts:
        length = len(part.encode("utf-8", "surrogateescape"))
        if length > _NAME and not portable:
            return f"{name}: File name too long"
        if portable and length > _POSIX_NAME:
            return f"limit {_POSIX_NAME} exceeded by length {length} of file name component {mention(part)}"
    if not portable:
        try:
            process.fs.stat(process.path(name), follow=False)
        except FileNotFoundError:
            pass
        except OSError as error:
            return f"{name}: {error.strerror}"
    return ""
