"""The comparison of two runs, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
from typing import TYPE_CHECKING, Literal

from bashkit.tools import json_text

if TYPE_CHECKING:
    from bashkit.runs.history_file import PastCall, PastRun

Kind = Literal["same", "changed", "left", "right"]

_LINES = 2_000  # the most lines of a side


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of each side; "" for a missing line.

    Attributes:
        kind: ``same``, ``changed``, only ``left`` or only ``right``.
        left, right: The lines.
    """

    kind: Kind
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the comparison: the script, an output, the calls."""

    title: str
    pairs: tuple[Pair, ...]

    def diff(self, left: str, right: str) -> str:
        """The differences as a unified diff; "" if there are none.

        Args:
            left, right: The names of the two sides.
        """
        before = [pair.left for pair in self.pairs if pair.kind != "right"]
        after = [pair.right for pair in self.pairs if pair.kind != "left"]
        lines = unified_diff(before, after, left, right, n=2, lineterm="")
        return "".join(f"{line}\n" for line in lines)

    @property
    def differs(self) -> bool:
        """Whether the two sides differ."""
        return any(pair.kind != "same" for pair in self.pairs)


def compare_runs(left: PastRun, right: PastRun) -> list[Section]:
    """Script, outcome, outputs and calls of two runs. What is not known of one is not compared; what both lack is left out."""
    scripts = (left.script, right.script) if left.script and right.script else ("", "")
    modes = bool(left.mode and right.mode)
    results = all(call.result is not None for call in (*left.calls, *right.calls))
    sides = [
        ("Script", *scripts),
        ("Outcome", _outcome(left, mode=modes), _outcome(right, mode=modes)),
        ("Standard output", left.stdout, right.stdout),
        ("Standard error", left.stderr, right.stderr),
        ("Tool calls", _calls(left, results=results), _calls(right, results=results)),
    ]
    return [Section(title, tuple(pairs(one, other))) for title, one, other in sides if one or other]


def pairs(left: str, right: str) -> list[Pair]:
    """The lines of two texts beside each other."""
    one, other = (text.rstrip("\n").split("\n")[:_LINES] if text else [] for text in (left, right))
    found: list[Pair] = []
    for tag, first, last, start, end in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            found += [Pair("same", line, line) for line in one[first:last]]
            continue
        shared = min(last - first, end - start)
        found += [Pair("changed", *both) for both in zip(one[first:last], other[start:end], strict=False)]
        found += [Pair("left", line, "") for line in one[first + shared : last]]
        found += [Pair("right", "", line) for line in other[start + shared : end]]
    return found


def _outcome(run: PastRun, *, mode: bool) -> str:
    """The outcome of a run without its duration, which always differs."""
    fate = f"exit {run.exit_code}" if run.exit_code is not None else "no exit status"
    answered = [f"calls answered by: {run.mode}"] if mode else []
    return "\n".join([fate, *([run.error] if run.error else []), *answered, f"calls: {run.called}"])


def _calls(run: PastRun, *, results: bool) -> str:
    return "\n".join(_call(call, result=results) for call in run.calls)


def _call(call: PastCall, *, result: bool) -> str:
    given = call.arguments
    arguments = json_text.encode(given) if isinstance(given, (dict, list)) else str(given)
    line = f"{call.tool} {arguments} → {'-' if call.exit_code is None else call.exit_code}"
    shown = (call.result or "").rstrip("\n").split("\n") if result and call.result else []
    return "\n".join([line, *(f"    {one}" for one in shown)])
