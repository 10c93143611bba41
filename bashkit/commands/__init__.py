"""The utilities: each is a module named like its command, found by that name and imported at first use.

A module whose name starts with an underscore is shared by several utilities and is no command itself.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from bashkit.commands._absent import advice
from bashkit.interp.utility.command import Command

__all__ = ["advice", "command_names", "find_command"]


@cache
def command_names() -> tuple[str, ...]:
    """Every utility's name, sorted."""
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(__path__) if not module.name.startswith("_")))


@cache
def find_command(name: str) -> Command | None:
    """The declaration of the utility ``name``, or None when there is none."""
    if name not in command_names():
        return None
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    return next(item for item in vars(module).values() if isinstance(item, Command))
