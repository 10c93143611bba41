"""The environment of a scripted tool: a read-only mapping that a call can extend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Environment(Mapping[str, str]):
    """The environment that scripts see.

    Args:
        values: The current variables.
        add: Sets a variable for later scripts.
    """

    __slots__ = ("_add", "_values")

    def __init__(self, values: Mapping[str, str], add: Callable[[str, str], None]) -> None:
        self._values = dict(values)
        self._add = add

    def __call__(self, name: str, text: str) -> None:
        """Set a variable for later scripts.

        Raises:
            DefinitionError: The name is not a valid variable name, or it is a secret.
        """
        self._add(name, text)

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Environment({self._values!r})"
