"""What a host offers to Python code as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.interp.utility.process import Process


class FunctionError(Exception):
    """A function failed; the script gets an exception.

    Args:
        message: What the script reads.
        kind: The name of the exception's class: one of Python's own.
    """

    def __init__(self, message: str, kind: str = "RuntimeError") -> None:
        super().__init__(message)
        self.kind = kind


class Functions(Protocol):
    """The functions of the module ``tools``."""

    @property
    def hints(self) -> bool:
        """Whether code that has failed is told what the type checker expected."""
        ...

    def stubs(self) -> Mapping[str, str]:
        """The functions by name, each with its declaration as a stub file has it."""
        ...

    def call(self, process: Process, name: str, given: Sequence[Any], named: Mapping[str, Any], line: int) -> Any:
        """Call one.

        Args:
            process: The utility that runs the code.
            name: The function.
            given: Positional arguments.
            named: Keyword arguments.
            line: Where in the code the call is, from 1.

        Returns:
            Plain data.

        Raises:
            FunctionError: The call failed.
        """
        ...
