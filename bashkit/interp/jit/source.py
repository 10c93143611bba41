"""Writing the source of a generated function."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LONGEST = 120_000  # characters of source: Python compiles about three in a microsecond, and nothing else runs meanwhile


class TooLargeError(Exception):
    """The command would become more source than is sensible."""


class Writer:
    """Lines of Python, and the values that they name.

    Attributes:
        bound: The names that the source may use, and what they are.
    """

    def __init__(self, bound: dict[str, Any]) -> None:
        self.bound = bound
        self._lines: list[str] = []
        self._indent = 1
        self._names: dict[Any, str] = {}
        self._temporaries = 0
        self._length = 0

    def emit(self, line: str) -> None:
        """Add a line at the present indentation.

        Raises:
            TooLargeError: There are too many.
        """
        self._lines.append("    " * self._indent + line)
        self._length += len(self._lines[-1])
        if self._length > _LONGEST:
            raise TooLargeError

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A compound statement; an empty body becomes ``pass``."""
        self.emit(head + ":")
        self._indent += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self.emit("pass")
        self._indent -= 1

    @property
    def depth(self) -> int:
        """How deep the present place is indented."""
        return self._indent

    def bind(self, value: object) -> str:
        """A name for a value that the source cannot spell."""
        key = (value.__class__, value) if isinstance(value, (str, int)) else id(value)
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"k{len(self._names)}"
            self.bound[name] = value
        return name

    def text(self, value: str) -> str:
        """A string of the script, as an expression."""
        return '""' if not value else self.bind(value)

    def temporary(self) -> str:
        """A fresh local name."""
        self._temporaries += 1
        return f"t{self._temporaries}"

    def build(self, name: str, parameters: str, head: list[str]) -> Callable[..., Any]:
        """Compile what was written as a function."""
        lines = [f"def {name}({parameters}):", *("    " + line for line in head), *self._lines]
        code = compile("\n".join(lines) + "\n", "<translated script>", "exec")
        scope = self.bound
        exec(code, scope)  # noqa: S102 - our own source: see the package's docstring
        function: Callable[..., Any] = scope[name]
        return function
