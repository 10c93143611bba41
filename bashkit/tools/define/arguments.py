"""ToolArgs: the argument of a tool callback."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class CallHost(Protocol):
    """The way from a call to its host."""

    def progress(self, done: float, total: float | None, message: str) -> None:
        """Report how far the call is."""
        ...

    async def ask(self, question: str, schema: Mapping[str, Any]) -> Any:
        """Put a question to whoever approves calls."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ToolArgs(Mapping[str, Any]):
    """The arguments of one call, parsed and validated: a mapping of parameters to values, equal to a dict with the same ones.

    ``args["items"]`` is the parameter of that name, ``args.items()`` are all parameters.

    Attributes:
        params: The flags as a JSON object, typed by the tool's schema, with defaults filled in.
        stdin: The text that the previous command piped in, or None without a pipe.
        env: The environment and the secrets that the tool's author declared. A script can read neither the secrets nor
            change what is in here.
        state: What the toolset's ``setup`` made; None without one.
        deadline: The value of ``time.monotonic()`` after which the result is useless; None without a time limit.
    """

    params: Mapping[str, Any] = field(default_factory=dict)
    stdin: str | None = None
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    deadline: float | None = field(default=None, repr=False, compare=False)
    state: Any = field(default=None, repr=False, compare=False)
    _abandoned: list[bool] = field(default_factory=list, repr=False, compare=False)
    _host: CallHost | None = field(default=None, repr=False, compare=False)

    @property
    def remaining(self) -> float | None:
        """Seconds until the deadline, to pass on as a client's time limit; None without a deadline."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @property
    def cancelled(self) -> bool:
        """Whether the result is no longer awaited; a sync callback that still runs in its thread can check this and stop."""
        return bool(self._abandoned)

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Tell the host how far the call is: as a status of the execution, and in the record of the call.

        Args:
            done: What is done, growing from one report to the next.
            total: What there is to do in all, or None.
            message: What is being done, for people.
        """
        if self._host is not None:
            self._host.progress(done, total, message)

    async def ask(self, question: str, schema: Mapping[str, Any] | None = None) -> Any:
        """Put a question to whoever approves calls, in the middle of this one.

        Args:
            question: The question.
            schema: JSON Schema of the wanted answers, an object.

        Returns:
            True or the answers as a mapping; False if that was refused; None if nobody can be asked.
        """
        return None if self._host is None else await self._host.ask(question, schema or {})

    def __getitem__(self, key: str) -> Any:
        return self.params[key]

    def __len__(self) -> int:
        return len(self.params)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ToolArgs):
            return (self.params, self.stdin, self.env) == (other.params, other.stdin, other.env)
        return isinstance(other, Mapping) and dict(self.params) == dict(other)

    __hash__ = None  # type: ignore[assignment]  # as of a dict

    def __contains__(self, key: object) -> bool:
        return key in self.params

    def __iter__(self) -> Iterator[str]:
        return iter(self.params)

    def get(self, key: str, default: Any = None) -> Any:
        """The parameter ``key``, or ``default`` if it was not given."""
        return self.params.get(key, default)

    def param_str(self, key: str) -> str | None:
        """The parameter if it is a string, else None."""
        value = self.params.get(key)
        return value if isinstance(value, str) else None

    def param_i64(self, key: str) -> int | None:
        """The parameter if it is a 64-bit integer, else None."""
        value = self.params.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63 else None

    def param_f64(self, key: str) -> float | None:
        """The parameter as a float if it is a number, else None."""
        value = self.params.get(key)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return None
        try:
            return float(value)
        except OverflowError:
            return None

    def param_bool(self, key: str) -> bool | None:
        """The parameter if it is a boolean, else None."""
        value = self.params.get(key)
        return value if isinstance(value, bool) else None
