"""Stubs: what stands in for a tool's callback."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolError
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult, convert
from bashkit.toolset.text.notation import duration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.tools.define.arguments import ToolArgs


@dataclass(frozen=True, slots=True)
class Stub:
    """A callback that gives the same value at every call."""

    value: Any

    def __call__(self, args: ToolArgs) -> ToolResult:  # noqa: ARG002 - the callback's signature
        """The value; a text ends with a newline."""
        result = convert(self.value)
        if isinstance(self.value, str) and not self.value.endswith("\n"):
            return replace(result, stdout=self.value + "\n")
        return result


@dataclass(frozen=True, slots=True)
class Case:
    """What a tool gives for some arguments.

    Attributes:
        when: The arguments that a call must have; others may be there too.
        values: What its calls give, one after the other, and the last one from then on.
        error: The message with which it fails instead, or None.
        exit_code: The exit status.
        delay: Seconds that it takes.
    """

    when: Mapping[str, Any] = field(default_factory=dict)
    values: tuple[Any, ...] = (None,)
    error: str | None = None
    exit_code: int = 0
    delay: float = 0.0

    def fits(self, params: Mapping[str, Any]) -> bool:
        """Whether a call has the arguments."""
        return all(name in params and _same(params[name], value) for name, value in self.when.items())


@dataclass(slots=True)
class Stubs:
    """A callback that gives what the first fitting case says.

    Attributes:
        name: The tool's name, for messages.
        cases: The cases.
    """

    name: str
    cases: tuple[Case, ...]
    _given: dict[int, int] = field(default_factory=dict, repr=False)

    def fresh(self) -> Stubs:
        """The same cases, none of whose values has been given yet."""
        return Stubs(self.name, self.cases)

    async def __call__(self, args: ToolArgs) -> ToolResult:
        """What the first fitting case gives.

        Raises:
            ToolError: The case says so, or none fits.
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


def cases_of(declared: Sequence[Mapping[str, Any]]) -> tuple[Case, ...]:
    """The cases under ``stubs`` in a toolset file, which has been checked."""
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
    """Equality as JSON has it: ``true`` is not ``1``."""
    return bool(given == wanted) and isinstance(given, bool) == isinstance(wanted, bool)
