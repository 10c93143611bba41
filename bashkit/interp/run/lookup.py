"""Finds what a command name leads to along PATH (bash(1), COMMAND EXECUTION)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs.system import ProgramFile
from bashkit.interp.runtime.pieces import split
from bashkit.interp.state.startup import DEFAULT_PATH
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.state.machine import Machine
    from bashkit.interp.state.shell import Builtin, Shell

_BIN = ("/usr/bin", "/bin", "/usr/sbin", "/sbin")
_LOOKUP = 4  # microseconds to look for a file


def found_files(shell: Shell, name: str, places: str | None = None) -> Iterator[str]:
    """Where PATH, or what ``places`` says instead of it, finds a command, first hit first."""
    searched = shell.get("PATH") or "" if places is None else places
    if searched == DEFAULT_PATH and "/" not in name and shell.machine.fs.pristine():
        if is_program(shell.machine, name):
            yield from (f"/usr/bin/{name}", f"/bin/{name}")
        return
    for directory in paced(split(searched, ":"), _LOOKUP):
        path = f"{directory or '.'}/{name}"
        if is_executable(shell, path) or stands_for(shell, path):
            yield path


def stands_for(shell: Shell, path: str) -> str:
    """The command whose file is at ``path``; empty if another file is there, or none.

    Where something is mounted over the machine's own directory, or a session of old has one of its own there, all commands seem
    to be in it none the less.
    """
    fs = shell.machine.fs
    try:
        node = fs.lookup(shell.absolute(path))
    except OSError:
        directory, _, base = shell.absolute(path).rpartition("/")
        return base if directory in _BIN and not fs.has_programs(directory) and is_program(shell.machine, base) else ""
    if isinstance(node, ProgramFile):
        return node.program
    return ""


def is_program(machine: Machine, name: str) -> bool:
    """Whether a program of the machine has that name."""
    return name in machine.externals or name in machine.program_builtins or machine.find_command(name) is not None


def executable_names(shell: Shell) -> list[str]:
    """The names of all commands that PATH leads to, in its order; the session's own first."""
    fs = shell.machine.fs
    found = dict.fromkeys(sorted(shell.machine.own_commands))
    for directory in paced(split(shell.get("PATH") or "", ":"), _LOOKUP):
        full = shell.absolute(directory or ".")
        try:
            names = sorted(fs.listdir(full))
        except OSError:
            continue
        found.update(dict.fromkeys(name for name in names if is_executable(shell, f"{full}/{name}")))
    return list(found)


def is_executable(shell: Shell, path: str) -> bool:
    """Whether a regular file is there and may be executed."""
    full = shell.absolute(path)
    fs = shell.machine.fs
    return fs.access(full, "x") and fs.lookup(full).type == "file"


def search_path(shell: Shell, name: str) -> str | None:
    """The executable file that PATH leads to, or None."""
    for directory in paced(split(shell.get("PATH") or "", ":"), _LOOKUP):
        path = f"{directory or '.'}/{name}"
        if is_executable(shell, path):
            return shell.absolute(path)
    return None


def files_on_path(shell: Shell, name: str) -> Iterator[str]:
    """The files of that name in the directories of PATH, whether they can be executed or not."""
    fs = shell.machine.fs
    for directory in paced(split(shell.get("PATH") or "", ":"), _LOOKUP) if name else ():
        path = f"{directory or '.'}/{name}"
        full = shell.absolute(path)
        if fs.exists(full) and fs.stat(full).type == "file":
            yield path


def external_program(machine: Machine, name: str) -> Builtin | None:
    """The program of that name that needs the shell."""
    return machine.externals.get(name) or (machine.builtins[name] if name in machine.program_builtins else None)
