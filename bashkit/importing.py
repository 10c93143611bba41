"""Imports parts of bashkit while no other thread does.

Threads that import the same packages from different ends wait for each other. CPython notices, and lets one of them go on with
half a module, where it fails. What is imported only when it is first used is first used by several threads at once.
"""

from __future__ import annotations

from _thread import RLock
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

one_thread = RLock()  # held by who imports; to hold it around several imports is allowed


def imported(name: str) -> ModuleType:
    """The module of this name."""
    with one_thread:
        return import_module(name)
