"""pwd: print the working directory (POSIX XCU pwd; GNU coreutils manual, pwd); that of the shell is a builtin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "pwd",
    usage="[OPTION]...",
    summary="Print the full filename of the current working directory.",
    options=(
        flag("-L", "--logical", help="use PWD from environment, even if it contains symlinks"),
        flag("-P", "--physical", help="avoid all symlinks (default)"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print it; 1 if the directory is gone."""
    if arguments.operands:
        process.warn("ignoring non-option arguments")
    try:
        process.fs.stat(process.cwd)
        path = process.fs.realpath(process.cwd)
    except OSError:
        process.warn(f"couldn't find directory entry in {mention('..')} with matching i-node")
        return 1
    logical = arguments.last("L", "P") or ("L" if "POSIXLY_CORRECT" in process.env else "P")
    name = process.env.get("PWD", "")
    if logical == "L" and name.startswith("/") and {".", ".."}.isdisjoint(name.split("/")) and _is(process, name, path):
        path = name
    process.write(path + "\n")
    return 0


def _is(process: Process, name: str, path: str) -> bool:
    """Whether a name leads to the directory at a path."""
    try:
        return process.fs.realpath(name) == path
    except OSError:
        return False
