"""Pairs sources with targets for ``cp``, ``mv``, ``ln`` and ``install``: a file, or names inside a directory."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.backups import control_of, suffix_of
from bashkit.commands._notation.quoting import quote
from bashkit.interp.utility.command import UsageError
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process


@dataclass(frozen=True, slots=True)
class Placement:
    """A source and its target.

    Attributes:
        source: As the user wrote it.
        target: The user's destination, completed if it is a directory.
    """

    source: str
    target: str


def last_component(name: str, suffix: str = "") -> str:
    """The part after the last slash, trailing slashes aside, without ``suffix`` unless that is all."""
    stripped = name.rstrip("/")
    if not stripped:
        return "/" if name else ""
    base = stripped.rpartition("/")[2]
    return base.removesuffix(suffix) if base != suffix else base


def join(directory: str, name: str) -> str:
    """``directory/name`` with one slash between."""
    return f"{directory.rstrip('/') or '/'}/{name}" if directory.rstrip("/") else f"/{name}"


def is_directory(process: Process, name: str, *, follow: bool = True) -> bool:
    """Whether ``name`` is a directory or a link to one."""
    try:
        return process.fs.stat(process.path(name), follow=follow).type == "directory"
    except OSError:
        return False


def placements(process: Process, arguments: Arguments, *, follow: bool = True) -> list[Placement]:
    """Pair every source with its target, by the rules of ``-t``, ``-T`` and the last operand.

    Args:
        process: The utility.
        arguments: With the keys ``t`` and ``T``.
        follow: Whether a link to a directory counts as one (``ln -n`` says no).

    Raises:
        UsageError: Operands are missing, or the last one must be a directory but is not; or backups cannot be made as is asked.
    """
    control_of(process, arguments)
    operands = list(arguments.operands)
    directory = target_directory(process, arguments)
    if not operands:
        raise UsageError("missing file operand")
    if directory is not None:
        _must_be_directory(process, directory, option=True)
    elif "T" in arguments:
        if len(operands) < 2:
            raise UsageError(f"missing destination file operand after {quote(operands[0])}")
        if len(operands) > 2:
            raise UsageError(f"extra operand {quote(operands[2])}")
        return [Placement(*operands)]
    elif len(operands) == 1:
        raise UsageError(f"missing destination file operand after {quote(operands[0])}")
    else:
        last = operands.pop()
        if is_directory(process, last, follow=follow):
            directory = last
        elif len(operands) > 1:
            directory = last
            _must_be_directory(process, last, option=False, follow=follow)
        else:
            return [Placement(operands[0], last)]
    assert directory is not None
    return [Placement(source, join(directory, last_component(source))) for source in paced_if_many(operands)]


def target_directory(process: Process, arguments: Arguments) -> str | None:
    """The argument of ``-t``.

    Raises:
        UsageError: There are several of it, or ``-T`` besides and something to be put there.
    """
    directory = None
    for name in arguments.all("t"):
        if directory is not None:
            raise UsageError("multiple target directories specified", hint=False)
        directory = name
        if process.name == "ln":  # which looks at it while it reads the options
            _must_be_directory(process, directory, option=True)
    if directory is not None and "T" in arguments and arguments.operands:
        one, other = ("", "") if process.name == "ln" else (" (-t)", " (-T)")
        raise UsageError(f"cannot combine --target-directory{one} and --no-target-directory{other}", hint=False)
    return directory


def _must_be_directory(process: Process, name: str, *, option: bool, follow: bool = True) -> None:
    problem = os.strerror(errno.ENOTDIR)
    try:
        if process.fs.stat(process.path(name), follow=follow).type == "directory":
            return
        if option and process.name == "ln":
            raise UsageError(f"target {quote(name)} is not a directory", hint=False)
    except OSError as error:
        problem = error.strerror or problem
    what = "target"
    if option:
        what = "failed to access" if process.name in {"install", "ln"} else "target directory"
    raise UsageError(f"{what} {quote(name)}: {problem}", hint=False)


def entry(process: Process, name: str) -> str:
    """The directory entry that ``name`` means, with links in its parents resolved, and itself with a slash behind it."""
    if name.endswith("/"):
        return process.fs.realpath(process.path(name))
    directory, _, base = process.path(name).rstrip("/").rpartition("/")
    return f"{process.fs.realpath(directory or '/')}/{base}"


def replacement_refusal(
    process: Process, arguments: Arguments, source: str, target: str, *, made: bool, done: str = "copied"
) -> str:
    """Why ``target`` may not be replaced by ``source``; empty if it may.

    Args:
        process: The utility.
        arguments: Its options for backups.
        source: The file that takes the place.
        target: The file that is there.
        made: The utility has made the target itself. It is lost then, unless each backup has a number of its own.
        done: What the source is not, then.
    """
    control = control_of(process, arguments)
    if made and control != "numbered":
        return f"will not overwrite just-created {quote(target)} with {quote(source)}"
    if control in {"simple", "existing"} and entry(process, target + suffix_of(process, arguments)) == entry(process, source):
        return f"backing up {quote(target)} might destroy source;  {quote(source)} not {done}"
    return ""
