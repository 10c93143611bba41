"""The utilities: each is a file or package named like its command, in a folder with related ones.

To add one, write ``ROOM/NAME.py`` with a function decorated by ``bashkit.interp.utility.command.command``: it is found by its
file name and imported at the first use. A further name of a utility is an entry in the ``VARIANTS`` of its folder. Modules whose
names begin with an underscore are shared by utilities and are not commands.
"""

from __future__ import annotations

from functools import cache
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from bashkit.commands._missing_programs import advice
from bashkit.importing import imported
from bashkit.interp.utility.command import Command

if TYPE_CHECKING:
    from types import ModuleType

    from bashkit.commands._variants import Variant

__all__ = ["advice", "command_names", "find_command"]


@cache
def _rooms() -> tuple[ModuleType, ...]:
    names = (module.name for module in iter_modules(__path__) if module.ispkg and not module.name.startswith("_"))
    return tuple(imported(f"{__name__}.{name}") for name in names)


@cache
def _modules() -> dict[str, str]:
    """The module of every utility that has its own, by the utility's name."""
    return {
        module.name.replace("_", "-"): f"{room.__name__}.{module.name}"
        for room in _rooms()
        for module in iter_modules(room.__path__)
        if not module.name.startswith("_")
    }


@cache
def _further_names() -> dict[str, Variant]:
    """The utilities that are variants of another one."""
    return {name: variant for room in _rooms() for name, variant in getattr(room, "VARIANTS", {}).items()}


@cache
def command_names() -> tuple[str, ...]:
    """Every utility's name, sorted."""
    return tuple(sorted({*_modules(), *_further_names()}))


@cache
def find_command(name: str) -> Command | None:
    """The declaration of the utility ``name``, or None if it does not exist."""
    path = _modules().get(name)
    if path is not None:
        declared = vars(imported(path)).values()
        return next(item for item in declared if isinstance(item, Command) and item.name == name)
    variant = _further_names().get(name)
    utility = find_command(variant.of) if variant is not None else None
    return variant.declare(name, utility) if variant is not None and utility is not None else None
