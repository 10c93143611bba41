"""The second tier: loops and functions that run often become generated Python.

A script starts as closures, which cost little to make. What turns out to be hot (a loop of many turns, a function of many calls)
is translated once into the source of one Python function: variables are read and written in place, numbers stay Python integers
beside their text, and conditions become Python's own. Everything that the translator does not know is a call of the closure of
that command, so both tiers always agree; and every stretch of translated commands asks first whether something is on that only
the closures heed (``set -x``, ``set -a``, a DEBUG trap, a signal to deliver, a builtin that was replaced).

No text of a script ever becomes part of the generated source: names are checked identifiers, numbers are integers, and
every other string is bound to a name of our own.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.interp.state.machine import Unit
    from bashkit.syntax.nodes import Command

_log = logging.getLogger("bashkit")


def translate(node: Command, *, function: bool = False) -> Unit | None:
    """The generated function for a loop or for the body of a function, or None where nothing would be won.

    Args:
        node: The command.
        function: It is the body of a function, so that ``return`` leaves it.
    """
    from bashkit.interp.jit.translator import Translator

    try:
        return Translator(function=function).unit(node)
    except Exception:  # whatever went wrong here, the closures do the same
        _log.exception("a command could not be translated")
        return None
