"""Why a variable cannot be assigned."""

from __future__ import annotations

from bashkit.interp.runtime.control import ExpansionError


class CircularReferenceError(ExpansionError):
    """A nameref that leads back to itself.

    Args:
        first: The reference that was followed.
        name: Where the circle begins.
        own: It refers to its own name.
    """

    def __init__(self, first: str, name: str, *, own: bool = True) -> None:
        super().__init__(f"warning: {first}: circular name reference")
        self.name = name
        self.own = own


class TargetError(ExpansionError):
    """A name reference without a target is to get one that is no name.

    Args:
        target: The text.
    """

    def __init__(self, target: str) -> None:
        super().__init__(f"`{target}': not a valid identifier")
        self.target = target


class ReadonlyError(ExpansionError):
    """An assignment to a readonly variable."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: readonly variable")
