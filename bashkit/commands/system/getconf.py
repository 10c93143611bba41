"""getconf: query system configuration variables (POSIX XCU getconf)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.system._machine import PROCESSORS
from bashkit.interp.utility.command import Arguments, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_USAGE = "Usage: getconf [-v specification] variable_name [pathname]\n       getconf -a [pathname]\n"
_FAILED = 2
_PATHS = {"LINK_MAX": "127", "NAME_MAX": "255", "PATH_MAX": "4096", "PIPE_BUF": "4096", "SYMLINK_MAX": "", "FILESIZEBITS": "64"}
_SYSTEM = {
    "ARG_MAX": "2097152", "CHAR_BIT": "8", "CHILD_MAX": "256", "GNU_LIBC_VERSION": "glibc 2.36", "HOST_NAME_MAX": "64",
    "INT_MAX": "2147483647", "INT_MIN": "-2147483648", "LINE_MAX": "2048", "LOGIN_NAME_MAX": "256", "LONG_BIT": "64",
    "NGROUPS_MAX": "65536", "OPEN_MAX": "256", "PAGESIZE": "4096", "PAGE_SIZE": "4096", "PATH": "/bin:/usr/bin",
    "CS_PATH": "/bin:/usr/bin", "POSIX2_VERSION": "200809", "SSIZE_MAX": "32767", "TZNAME_MAX": "", "UINT_MAX": "4294967295",
    "WORD_BIT": "32", "_NPROCESSORS_CONF": str(PROCESSORS), "_NPROCESSORS_ONLN": str(PROCESSORS), "_PHYS_PAGES": "262144",
    "_AVPHYS_PAGES": "131072", "CLK_TCK": "100", "_POSIX_VERSION": "200809", "_XOPEN_VERSION": "700", "RE_DUP_MAX": "32767",
}  # fmt: skip


@command(
    "getconf",
    usage="[-v SPECIFICATION] VARIABLE [PATHNAME]  or  getconf -a [PATHNAME]",
    summary="Query system configuration variables.",
    options=(
        flag("-a", help="print all variables and their values"),
        value("-v", metavar="SPECIFICATION", help="(ignored: every specification has the same values)"),
    ),
    usage_status=_FAILED,
    model="GNU libc 2.36",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the value; 2 for an unknown variable."""
    if "a" in arguments:
        process.write("".join(f"{name:<34} {text}\n" for name, text in {**_PATHS, **_SYSTEM}.items()))
        return 0
    if not 1 <= len(arguments.operands) <= 2:
        process.say(_USAGE)
        return _FAILED
    name = arguments.operands[0]
    by_path = name.removeprefix("_POSIX_") in _PATHS
    if len(arguments.operands) == 2:
        found = _PATHS.get(name)
        if found is not None and not process.fs.exists(process.path(arguments.operands[1])):
            process.warn(f"{arguments.operands[1]}: No such file or directory")
            return _FAILED
    elif by_path:
        process.say(_USAGE)
        return _FAILED
    else:
        found = _SYSTEM.get(name)
    if found is None:
        process.warn(f"Unrecognized variable `{name}'")
        return _FAILED
    process.write((found or "undefined") + "\n")
    return 0
