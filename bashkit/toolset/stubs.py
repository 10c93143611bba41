"""Stubs, which replace a tool's callback."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import ToolError
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult, convert
from bashkit.toolset.text.notation import duration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bashkit.tools.define.arguments import ToolArgs


@dataclass(frozen=True, slots=True)
class Stub:
    """A callback that returns the same value at every call."""

    value: Any

    simulated: ClassVar[bool] = True

    def __call__(self, args: ToolArgs) -> ToolResult:  # noqa: ARG002 - the callback's signature
        """Return the value; a text ends with a newline."""
        result = convert(self.value)
        if isinstance(self.value, str) and not self.value.endswith("\n"):
            return replace(result, stdout=self.value + "\n")
        return result


@dataclass(frozen=True, slots=True)
class Case:
    """A stub's result for certain arguments.

    Attributes:
        when: The arguments that a call must have; others may be there too.
        values: The results of successive calls; the last one repeats.
        error: The message with which it fails instead, or None.
        exit_code: The exit status.
        delay: Seconds to wait before the result.
    """

    when: Mapping[str, Any] = field(default_factory=dict)
    values: tuple[Any, ...] = (None,)
    error: str | None = None
    exit_code: int = 0
    delay: float = 0.0

    def fits(self, params: Mapping[str, Any]) -> bool:
        """Whether a call matches the arguments."""
        return all(name in params and _same(params[name], value) for name, value in self.when.items())


@dataclass(slots=True)
class Stubs:
    """A callback that returns the result of the first matching case.

    Attributes:
        name: The tool's name, for messages.
        cases: The cases.
    """

    name: str
    cases: tuple[Case, ...]
    _given: dict[int, int] = field(default_factory=dict, repr=False)

    simulated: ClassVar[bool] = True

    def fresh(self) -> Stubs:
        """A copy whose cases start from their first value."""
        return Stubs(self.name, self.cases)

    async def __call__(self, args: ToolArgs) -> ToolResult:
        """Return the result of the first matching case.

        Raises:
            ToolError: The case declares an error, or no case matches.
        """
        number, case = next(((number, case) for number, case in enumerate(self.cases) if case.fits(args.params)), (0, None))
        if case is None:
            known = ", ".join(json_text.encode(dict(case.when)) for case in self.cases)
            raise ToolError(f"no stub of {self.name} fits {json_text.encode(dict(args.params))}; there are stubs for {known}")
        if case.delay:
            from asyncio import sleep

            await sleep(case.delay)
        if case.error is not None:
            raise ToolError(case.error, exit_code=case.exit_code or 1)
        turn = self._given.get(number, 0)
        self._given[number] = turn + 1
        result = Stub(case.values[min(turn, len(case.values) - 1)])(args)
        return replace(result, exit_code=case.exit_code) if case.exit_code else result


@dataclass(frozen=True, slots=True)
class Double:
    """A function that stands in for a callback.

    Attributes:
        function: The function.
        switches: Which of ``--help`` and ``--dry-run`` the callback handles itself.
    """

    function: Callable[[ToolArgs], Any]
    switches: frozenset[str] = frozenset()

    simulated: ClassVar[bool] = True

    def own_switches(self) -> frozenset[str]:
        """As for ``switches``."""
        return self.switches

    def __call__(self, args: ToolArgs) -> Any:
        """Call the function."""
        return self.function(args)


def cases_of(declared: Sequence[Mapping[str, Any]]) -> tuple[Case, ...]:
    """The cases under ``stubs`` in a checked toolset file."""
    return tuple(
        Case(
            when=item.get("when", {}),
            values=tuple(item["values"]) if "values" in item else (item.get("value"),),
            error=item.get("error"),
            exit_code=item.get("exit_code", 0),
            delay=duration(item["delay"]) if "delay" in item else 0.0,
        )
        for item in declared
    )


def _same(given: Any, wanted: Any) -> bool:
    """Compare as JSON does: ``true`` is not ``1``."""
    return bool(given == wanted) and isinstance(given, bool) == isinstance(wanted, bool)
