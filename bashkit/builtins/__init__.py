"""What bash itself has: commands that change the shell that runs them."""

from __future__ import annotations

from functools import cache
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from bashkit.importing import imported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.builtins.registry import Declaration

# The names again, for those who only ask whether one is taken: importing the declarations takes as long as starting a shell.
# A test compares the two.
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
    """Every builtin by name; a new one is a file in this folder with a function declared by ``registry.builtin``."""
    from bashkit.builtins.registry import DECLARED

    for module in iter_modules(__path__):
        imported(f"{__name__}.{module.name}")
    return DECLARED
