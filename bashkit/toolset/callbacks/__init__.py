"""Callback targets: what a toolset file may name to run when a tool is called. Nothing is imported or started before."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

TIMEOUT = 30.0  # seconds that a call may take where nothing else is said


@runtime_checkable
class Target(Protocol):
    """A callback that a toolset file names.

    Attributes:
        key: The key of ``callback`` that names it: ``python``, ``executable``, …
    """

    @property
    def key(self) -> str:
        """As above."""
        ...

    def resolve(self) -> object:
        """What is called, known to be there.

        Raises:
            CallbackNotFoundError: It is not.
        """
        ...

    def __call__(self, args: Any, /) -> Any:
        """Call it, with ToolArgs."""
        ...
