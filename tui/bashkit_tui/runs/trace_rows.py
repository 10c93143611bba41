"""The rows of a trace: calls in their order or under their script lines, and their bars on one time axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit_tui.texts.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from bashkit.tools import ToolCall

_HALVES = (" ", "▌", "▐", "█")


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One row.

    Attributes:
        line: The script line.
        calls: The index of its call, or those of all calls under a heading.
        heading: Whether it stands for all calls of a line.
        depth: 1 below a heading, else 0.
    """

    line: int
    calls: tuple[int, ...]
    heading: bool = False
    depth: int = 0


def rows(calls: Sequence[ToolCall], *, by_line: bool, folded: AbstractSet[int] = frozenset()) -> list[TraceRow]:
    """The rows of a trace.

    Args:
        calls: In the order they began.
        by_line: Whether the calls of a line are gathered under a heading.
        folded: The lines whose calls are hidden.
    """
    if not by_line:
        return [TraceRow(call.line, (index,)) for index, call in enumerate(calls)]
    lines: dict[tuple[int, str], list[int]] = {}
    for index, call in enumerate(calls):
        lines.setdefault((call.line, call.within), []).append(index)
    found: list[TraceRow] = []
    for (line, _), members in sorted(lines.items()):
        if len(members) == 1:
            found.append(TraceRow(line, (members[0],)))
            continue
        found.append(TraceRow(line, tuple(members), heading=True))
        if line not in folded:
            found += [TraceRow(line, (index,), depth=1) for index in members]
    return found


def name_text(call: ToolCall) -> str:
    """The name of the called tool, behind that of what has called it, if that is not the script itself."""
    return printable(f"{call.within} > {call.tool}" if call.within else call.tool)


def script_line(call: ToolCall) -> int:
    """The line of the script in which a call stands; 0 if it stands in another script, or in Python that the script runs."""
    return 0 if call.within else call.line


def bar(spans: Sequence[tuple[float, float]], total: float, width: int) -> str:
    """Draw spans on a time axis, to half a column; the shortest stays visible.

    Args:
        spans: Begin and end of each, in seconds.
        total: The length of the axis, in seconds.
        width: Columns.
    """
    if width <= 0:
        return ""
    halves = [False] * (2 * width)
    scale = 2 * width / total if total > 0 else 0.0
    for begin, end in spans:
        first = min(int(begin * scale), 2 * width - 1)
        last = min(max(first + 1, round(end * scale)), 2 * width)
        halves[first:last] = [True] * (last - first)
    return "".join(_HALVES[left + 2 * right] for left, right in zip(halves[::2], halves[1::2], strict=True)).rstrip()


def ticks(total: float, width: int, text: str) -> str:
    """The axis: 0 on the left, its length in words on the right."""
    return ("0" + text.rjust(max(0, width - 1)))[:width] if total > 0 else ""


def arguments_text(call: ToolCall) -> str:
    """The arguments of a call on one line: ``id=1 tags=["a"]``, or the words of a tool in raw form."""
    given = call.arguments
    if isinstance(given, dict):
        return printable(" ".join(f"{name}={_argument(value)}" for name, value in given.items())).replace("\n", "␊")
    return printable(" ".join(map(str, given)) if isinstance(given, (list, tuple)) else str(given)).replace("\n", "␊")


def _argument(value: Any) -> str:
    if isinstance(value, str) and value and not any(letter.isspace() or letter in "\"'" for letter in value):
        return value
    return json_text.encode(value)
