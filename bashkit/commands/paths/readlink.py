"""readlink: print where symbolic links lead, or canonical names (GNU coreutils manual, readlink)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bashkit.commands._filesystem.canonical import canonical
from bashkit.commands._notation.quoting import quote_if_needed
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_MISSING: dict[str, Literal["none", "last", "all"]] = {"f": "last", "e": "none", "m": "all"}


@command(
    "readlink",
    usage="[OPTION]... FILE...",
    summary="Print value of a symbolic link or canonical file name.",
    options=(
        flag("-f", "--canonicalize", help="follow every symlink; all but the last component must exist"),
        flag("-e", "--canonicalize-existing", help="likewise, and all components must exist"),
        flag("-m", "--canonicalize-missing", help="likewise, without requirements on existence"),
        flag("-n", "--no-newline", help="do not output the trailing delimiter"),
        flag("-q", "--quiet", "-s", "--silent", help="suppress most error messages (default)"),
        flag("-v", "--verbose", help="report error messages"),
        flag("-z", "--zero", help="end each output line with NUL, not newline"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print each target or name; 1 if an operand is not a link or does not exist."""
    if not arguments.operands:
        raise UsageError("missing operand")
    how = arguments.last("f", "e", "m")
    end = "\0" if "z" in arguments else "\n"
    if "n" in arguments:
        if len(arguments.operands) > 1:
            process.warn("ignoring --no-newline with multiple arguments")
        else:
            end = ""
    status = 0
    for name in arguments.operands:
        try:
            if how is None:
                text = process.fs.readlink(process.path(name))
            else:
                text = canonical(process, name, missing=_MISSING[how])
        except OSError as error:
            if arguments.last("q", "v") == "v":
                process.warn(f"{quote_if_needed(name)}: {error.strerror}")
            status = 1
        else:
            process.write(text + end)
    return status
