"""The kinds of callbacks. Each module or package of this folder defines one subclass of Callback, which the registry finds.

A program adds its own kind with ``register`` before it loads a toolset file:

    from bashkit.toolset.callbacks import Callback, register

    @register
    class EchoCallback(Callback):
        key = "echo"
        ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.toolset.callback import TIMEOUT, Callback
from bashkit.toolset.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CALLBACKS", "TIMEOUT", "Callback", "kinds", "kinds_of", "register"]

CALLBACKS: Registry[Callback] = Registry(__name__, Callback)
kinds = CALLBACKS.kinds
register = CALLBACKS.register


def kinds_of(callback: Mapping[str, Any]) -> list[type[Callback]]:
    """The kinds that the keys of a ``callback`` name; exactly one if it has no mistake. A key that another kind shares does not
    count.
    """
    found = [kind for kind in kinds() if kind.key in callback]
    return [kind for kind in found if not any(kind.key in other.shared for other in found)]
