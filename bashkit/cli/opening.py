"""Opens the toolset that a command line names: a file, a directory of executables, or the bundled example."""

from __future__ import annotations

import contextlib
import os
import posixpath
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from bashkit import host_files
from bashkit.cli.terminal_text import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.bash import Bash
    from bashkit.tools.call.policy import Policy
    from bashkit.toolset import Toolset


class _ToolsetPath(click.Path):
    """A path that exists, or ``PACKAGE:NAME`` for a toolset that an installed package brings."""

    name = "toolset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; of a toolset in a package the file in it."""
        from bashkit.toolset.packaged import PackageError, located

        try:
            path = located(value)
        except PackageError as error:
            self.fail(str(error), param, ctx)
        near = _near(path)
        if near:
            self.fail(f"Path {os.fspath(value)!r} does not exist: {near}", param, ctx)
        return super().convert(path, param, ctx)


def _choose(context: click.Context, _: click.Parameter, name: str | None) -> None:
    """Apply a profile to every toolset that this command line opens, also in processes that it starts."""
    if name is None:
        return
    before = os.environ.get(_PROFILE)
    os.environ[_PROFILE] = name

    def restore() -> None:
        if before is None:
            os.environ.pop(_PROFILE, None)
        else:
            os.environ[_PROFILE] = before

    context.call_on_close(restore)


FILE = _ToolsetPath(exists=True, path_type=Path)
PLAIN_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)  # one that is no toolset
BUNDLED = "shop.yaml"
YAML = {".yaml", ".yml"}  # how the name of a toolset file ends
_PROFILE = "BASHKIT_PROFILE"
_SHOWN = 60  # characters of an operand in a message
PROFILE = click.option(
    "--profile",
    metavar="NAME",
    callback=_choose,
    expose_value=False,
    help="Apply this profile of the toolset; also by $BASHKIT_PROFILE.",
)
ALLOW = click.option(
    "--allow",
    type=click.Choice(["read", "write", "destructive", "undeclared"]),
    multiple=True,
    help="Allow calls with these effects where the policy asks: by default, it asks about destructive ones.",
)


def complete_files(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Have the shell complete names of files where an operand may be something else, too."""
    return [CompletionItem(incomplete, type="file")]


def open_toolset(path: Path | None) -> Toolset:
    """Load a toolset file, a directory of executables, or one of them; without a path the bundled shop.

    Raises:
        ToolsetError: It has mistakes.
    """
    from bashkit.toolset import loading

    return loading.open_toolset(file_of(path))


def file_of(path: Path | None) -> Path:
    """The toolset file: the named file, or the bundled shop."""
    from bashkit.toolset.package_data import examples

    return examples() / BUNDLED if path is None else path


def files_of(files: Sequence[Path]) -> Sequence[Path]:
    """The named toolset files, or all of the project that the current directory is in.

    Raises:
        click.UsageError: There is none.
    """
    from bashkit.toolset.project_files import toolset_files

    found = files or toolset_files(Path())
    if not found:
        raise click.UsageError("there is no toolset here: name a FILE, or put one into toolsets/")
    return found


def allowing(toolset: Toolset, effects: tuple[str, ...]) -> dict[str, Policy]:
    """The keyword argument of ScriptedTool that allows calls with these effects where the toolset's policy asks."""
    if not effects:
        return {}
    from bashkit.tools.call.policy import Policy, effects_of

    policy: Policy = toolset.options.get("policy") or Policy()
    return {"policy": policy.allowing(effects_of(name) for name in effects)}


def check_one_mode(*, stub: bool, record: Path | None, replay: Path | None) -> None:
    """Refuse several of the options that say what answers the calls.

    Raises:
        click.UsageError: More than one is given.
    """
    if stub + (record is not None) + (replay is not None) > 1:
        raise click.UsageError("--stub, --record and --replay exclude each other")


def warn(toolset: Toolset) -> None:
    """Write the skipped tools to standard error, one per line."""
    for warning in toolset.warnings:
        say(f"warning: {warning}", err=True)


@dataclass(frozen=True, slots=True)
class Script:
    """A script that a command line names.

    Attributes:
        toolset: The toolset file or directory; None for the bundled one.
        text: The script.
        words: ``$0``, and what stands behind the script on the command line: ``$1`` and so on.
        reads: Standard input is free for the script to read: it did not come from there.
        from_file: It is the text of a file.
    """

    toolset: Path | None
    text: str
    words: list[str]
    reads: bool
    from_file: bool = False

    def place(self, bash: Bash) -> None:
        """Make a script that came from a file a file of the session, too: ``cd "$(dirname "$0")"`` and ``grep '^##' "$0"`` work.

        Where something is already, or is mounted, or no files can be kept, nothing is written.
        """
        path = posixpath.normpath(posixpath.join(bash.shell_state().cwd, self.words[0]))
        mounted = any(f"{path}/".startswith(f"{place.rstrip('/')}/") for place in bash.fs.mounts())
        if self.from_file and not mounted and not bash.fs.exists(path):
            with contextlib.suppress(OSError):
                bash.fs.write_file(path, self.text.encode("utf-8", "surrogateescape"))
                bash.fs.chmod(path, 0o755)


def _near(path: Path) -> str:
    """What may be meant by the path of what is not there, or an empty text."""
    from bashkit.toolset.text.suggestions import suggestion

    if os.path.exists(path):  # noqa: PTH110 - pathlib raises for a path of many characters
        return ""
    try:
        names = sorted(os.listdir(path.parent))  # noqa: PTH208 - names are compared
    except OSError:
        return ""
    return suggestion(path.name, [name for name in names if name != path.name])  # a link to nothing has the name


def _missing(path: Path, operand: str) -> str:
    """What to say of an operand that is no file."""
    shown = operand if len(operand) <= _SHOWN else f"{operand[:_SHOWN]}…"
    hint = _near(path) or ("" if path.suffix in YAML else "-c SCRIPT runs a script that is given as text")
    return f"Path {shown!r} does not exist{f': {hint}' if hint else '.'}"


def script_of(operands: Sequence[str], script: str | None) -> Script:
    """Distinguish toolset, script and its arguments, and read the script.

    Args:
        operands: The first two are a toolset and a script in either order, ``-`` a script on standard input; what
            follows them are arguments of the script, as is everything behind a script that is not a toolset.
        script: The text of ``-c``.

    Raises:
        click.UsageError: They are no such thing.
    """
    from bashkit.toolset.packaged import PackageError, located

    toolset: Path | None = None
    name: str | None = None
    rest = list(operands)
    while rest and (toolset is None or name is None):
        try:
            path = located(rest[0])
        except PackageError:
            if name is None:
                raise
            break
        there = os.path.exists(path)  # noqa: PTH110 - pathlib raises for a script of many characters
        is_toolset = (there and path.is_dir()) or path.suffix in YAML
        if name is not None and not (is_toolset and there):
            break
        if rest[0] != "-" and not there:
            raise click.BadParameter(_missing(path, rest[0]))
        if is_toolset and toolset is not None:
            raise click.UsageError("at most one toolset")
        toolset, name = (path, name) if is_toolset else (toolset, rest[0])
        del rest[0]
    if script is not None:
        if name is not None:
            no_toolset = "" if name == "-" else f": the name of a toolset ends in .yaml or .yml, unlike {name!r}"
            raise click.UsageError(f"-c and a script file exclude each other{no_toolset}")
        return Script(toolset, script, ["bash"], reads=True)
    if name in {None, "-"}:
        data = sys.stdin.buffer.read(host_files.MOST_BYTES + 1)
        if len(data) > host_files.MOST_BYTES:
            raise click.UsageError(f"the script on standard input is larger than {host_files.MOST_BYTES >> 20} MB")
        return Script(toolset, data.decode("utf-8", "surrogateescape"), ["bash", *rest], reads=False)
    try:
        text = host_files.read_bytes(str(name), pipes=True).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise click.UsageError(f"{name} cannot be read: {error.strerror}") from None
    return Script(toolset, text, [str(name), *rest], reads=True, from_file=True)
