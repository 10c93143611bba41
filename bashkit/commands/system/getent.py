"""getent: look entries up in the files of /etc (getent(1))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import read_names
from bashkit.interp.utility.command import Arguments, UsageError, command, help_flag, value, version_flag
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process

_COLUMNS = {"passwd": (0, 2), "group": (0, 2)}
_EMPTY = ("aliases", "ethers", "gshadow", "netgroup", "networks", "protocols", "rpc", "services", "shadow")
_NOT_FOUND = 2


@command(
    "getent",
    usage="[OPTION...] database [key ...]",
    summary="Get entries from administrative databases: passwd, group, hosts.",
    options=(
        value("-s", "--service", metavar="CONFIG", help="(ignored: the files of /etc are the only service)"),
        help_flag("-?"),
        version_flag("-V"),
    ),
    usage_status=64,
    model="GNU libc 2.36",
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Print entries; 2 when one is missing."""
    if not arguments.operands:
        process.warn("wrong number of arguments")
        return _point(process)
    database, *keys = arguments.operands
    if database in _COLUMNS:
        entries = [line.split(":") for line in _lines(process, database) if ":" in line]
        found = [":".join(entry) for entry in entries] if not keys else [_entry(entries, key) for key in keys]
    elif database in {"hosts", "ahosts", "ahostsv4"}:
        hosts = [line.split() for line in _lines(process, "hosts") if line.split("#")[0].split()]
        found = [_host(host) for host in hosts] if not keys else [_named(hosts, key, database) for key in keys]
    elif database in _EMPTY:
        found = [""] * len(keys)
    elif database == "initgroups":
        found = [f"{key:<21} {_numbers(process, key)}".rstrip() for key in keys]
    else:
        process.say(f"Unknown database: {database}\n")
        return _point(process)
    process.write("".join(entry + "\n" for entry in found if entry))
    return 0 if all(found) else _NOT_FOUND


def _point(process: Process) -> int:
    process.write("Try `getent --help' or `getent --usage' for more information.\n")
    return 1


def _lines(process: Process, name: str) -> Iterator[str]:
    try:
        return iter(read_names(process, process.open_file(f"/etc/{name}")))
    except OSError as error:
        raise UsageError(f"/etc/{name}: {error.strerror}", hint=False) from None


def _entry(entries: list[list[str]], key: str) -> str:
    """The entry with this name or number; empty if there is none."""
    column = 2 if is_digits(key) else 0
    return next((":".join(entry) for entry in entries if len(entry) > column and entry[column] == key), "")


def _numbers(process: Process, user: str) -> str:
    groups = [line.split(":") for line in _lines(process, "group")]
    return " ".join(entry[2] for entry in groups if len(entry) > 3 and user in entry[3].split(","))


def _host(host: list[str]) -> str:
    return f"{host[0]:<15} {' '.join(host[1:])}"


def _named(hosts: list[list[str]], key: str, database: str) -> str:
    found = next((host for host in hosts if key in host), None)
    if found is None:
        return ""
    if database == "hosts":
        return _host(found)
    return "\n".join(
        f"{found[0]:<15} {kind:<6} {key if kind == 'STREAM' else ''}".rstrip() for kind in ("STREAM", "DGRAM", "RAW")
    )
