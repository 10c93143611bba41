"""What bash itself has: commands that change the shell that runs them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.builtins.registry import Declaration

_MODULES = ("completion", "directories", "flow", "input", "interactive", "jobs", "names", "output", "settings", "testing", "ulimits", "variables")


@cache
def declarations() -> Mapping[str, Declaration]:
    """Every builtin by name."""
    from bashkit.builtins.registry import DECLARED

    for module in _MODULES:
        import_module(f"{__name__}.{module}")
    return DECLARED
