"""which: locate a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command, flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process

_PATH = "/usr/local/bin:/usr/bin:/bin"


@command(
    "which",
    usage="[-a] NAME...",
    summary="Print the path of each command that would be run.",
    options=(
        flag("-a", help="print all matching pathnames of each argument"),
        flag("-s", help="print nothing, only return a status"),
    ),
    usage_status=2,
    model="debianutils 5.7",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print each path; 1 when a command was not found."""
    status = 0 if arguments.operands else 1
    for name in arguments.operands:
        found = list(_paths(process, name))
        if not found:
            status = 1
        elif "s" not in arguments:
            process.write("".join(path + "\n" for path in (found if "a" in arguments else found[:1])))
    return status


def _paths(process: Process, name: str) -> Iterator[str]:
    """Executable files of that name."""
    fs = process.fs
    if "/" in name:
        places = [name]
    else:
        places = [f"{directory or '.'}/{name}" for directory in (process.env.get("PATH") or _PATH).split(":")]
    for place in places:
        path = process.path(place)
        if fs.exists(path) and fs.stat(path).type == "file" and fs.access(path, "x"):
            yield place
