"""Paths of values in JSON data, written as jq writes them: ``.orders[0].total``."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Path:
    """Where a value is.

    Attributes:
        steps: The keys and places on the way from the root.
        root: What the data is if it is not the input: ``$name``, or ``fromjson | ``.
    """

    steps: tuple[str | int, ...] = ()
    root: str = ""

    def then(self, step: str | int) -> Path:
        """The path of a part of the value."""
        return Path((*self.steps, step), self.root)

    def text(self, *, every: bool = False) -> str:
        """The path as a program would write it; with ``every``, for all items of arrays: ``.orders[].total``."""
        steps = "".join(_step(step, every=every) for step in self.steps)
        if self.root.startswith("$"):
            return self.root + steps
        return self.root + (steps if steps.startswith(".") else f".{steps}")


def alike(roots: list[Any], path: Path, most: int) -> Iterator[Any]:
    """What is at a path in each of several values, for all items of the arrays on the way; at most ``most`` values."""
    found = roots[:most]
    for step in path.steps:
        if isinstance(step, int):
            found = [item for value in found if isinstance(value, list) for item in value[:most]][:most]
        else:
            found = [value[step] for value in found if isinstance(value, dict) and step in value]
    return iter(found)


def _step(step: str | int, *, every: bool) -> str:
    if isinstance(step, int):
        return "[]" if every else f"[{step}]"
    return f".{step}" if _NAME.fullmatch(step) else f"[{json.dumps(step, ensure_ascii=False)}]"
