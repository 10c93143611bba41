"""dirname: strip the last component from file names (POSIX XCU dirname)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "dirname",
    usage="[OPTION] NAME...",
    summary="Print each NAME with its last non-slash component and trailing slashes removed.",
    options=(flag("-z", "--zero", help="end each output line with NUL, not newline"),),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print each directory."""
    if not arguments.operands:
        raise UsageError("missing operand")
    end = "\0" if "z" in arguments else "\n"
    process.write("".join(directory_part(name) + end for name in arguments.operands))
    return 0


def directory_part(name: str) -> str:
    """The directory part of ``name``; ``.`` without a slash."""
    stripped = name.rstrip("/")
    if not stripped:
        return "/" if name else "."
    head, slash, _ = stripped.rpartition("/")
    if not slash:
        return "."
    return head.rstrip("/") or "/"
