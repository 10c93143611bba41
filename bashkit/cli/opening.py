"""Opens the toolset that a command line names: a file, a directory of executables, or the bundled example."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bashkit.tools.call.policy import Policy
    from bashkit.toolset import Toolset

FILE = click.Path(exists=True, path_type=Path)
BUNDLED = "shop.yaml"
_YAML = {".yaml", ".yml"}
ALLOW = click.option(
    "--allow",
    type=click.Choice(["read", "write", "destructive", "undeclared"]),
    multiple=True,
    help="Allow calls with these effects where the policy asks: by default, it asks about destructive ones.",
)


def open_toolset(path: Path | None) -> Toolset:
    """Load a toolset file or a directory of executables; without a path the bundled shop.

    Raises:
        ToolsetError: It has mistakes.
    """
    from bashkit.toolset import from_directory, load

    return from_directory(path) if path is not None and path.is_dir() else load(file_of(path))


def file_of(path: Path | None) -> Path:
    """The toolset file: the named file, or the bundled shop."""
    from bashkit.toolset.package_data import examples

    return examples() / BUNDLED if path is None else path


def allowing(toolset: Toolset, effects: tuple[str, ...]) -> dict[str, Policy]:
    """The keyword argument of ScriptedTool that allows calls with these effects where the toolset's policy asks."""
    if not effects:
        return {}
    from bashkit.tools.call.policy import Policy, effects_of

    policy: Policy = toolset.options.get("policy") or Policy()
    return {"policy": policy.allowing(effects_of(name) for name in effects)}


def warn(toolset: Toolset) -> None:
    """Write the skipped tools to standard error, one per line."""
    for warning in toolset.warnings:
        click.echo(f"warning: {warning}", err=True)


def toolset_and_script(operands: tuple[Path, ...], script: str | None) -> tuple[Path | None, str]:
    """Distinguish toolset and script among the arguments, and read the script."""
    toolsets = [path for path in operands if path.is_dir() or path.suffix in _YAML]
    scripts = [path for path in operands if path not in toolsets]
    if len(toolsets) > 1 or len(scripts) > 1:
        raise click.UsageError("at most one toolset and one script")
    if scripts and script is not None:
        raise click.UsageError("-c and a script file exclude each other")
    toolset = toolsets[0] if toolsets else None
    if script is not None:
        return toolset, script
    data = scripts[0].read_bytes() if scripts else sys.stdin.buffer.read()
    return toolset, data.decode("utf-8", "surrogateescape")
