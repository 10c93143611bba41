"""Stubs: what stands in for a tool's callback."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bashkit.tools.result import ToolResult, convert

if TYPE_CHECKING:
    from bashkit.tools.arguments import ToolArgs


@dataclass(frozen=True, slots=True)
class Stub:
    """A callback that gives the same value at every call."""

    value: Any

    def __call__(self, args: ToolArgs) -> ToolResult:  # noqa: ARG002 - the callback's signature
        """The value."""
        result = convert(self.value)
        if isinstance(self.value, str) and not self.value.endswith("\n"):
            return replace(result, stdout=self.value + "\n")
        return result
