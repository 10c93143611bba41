"""What bash itself has: commands that change the shell that runs them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.builtins.registry import Declaration

_MODULES = (
    "completion",
    "directories",
    "flow",
    "input",
    "interactive",
    "jobs",
    "names",
    "output",
    "settings",
    "testing",
    "ulimits",
    "variables",
)


# their names, for those who only ask whether one is taken: finding the declarations takes as long as starting a shell
NAMES = frozenset(
    """
    . : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable
    eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd
    read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias
    unset wait
    """.split()
)


@cache
def declarations() -> Mapping[str, Declaration]:
    """Every builtin by name."""
    from bashkit.builtins.registry import DECLARED

    for module in _MODULES:
        import_module(f"{__name__}.{module}")
    return DECLARED
