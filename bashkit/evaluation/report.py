"""Sums evaluations up in tables, and compares two."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING

from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bashkit.evaluation.transcript import Key, Transcript

_HEAD: tuple[str, ...] = (
    "mode", "tasks", "first try", "second try", "round trips", "calls", "tokens read", "tokens written", "seconds",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of one mode. Numbers are means of first tries.

    Attributes:
        mode: The mode.
        tasks: The number of tasks.
        first, second: The tasks that were done at the first try, and at the first or second.
        turns, calls, read, written, seconds: Of one task: how often the model was asked, tools called, tokens read and written
            (None if the model does not say), time.
    """

    mode: str
    tasks: int
    first: int
    second: int
    turns: float
    calls: float
    read: float | None
    written: float | None
    seconds: float

    def cells(self) -> tuple[str, ...]:
        """A row of the table."""
        return (
            self.mode,
            str(self.tasks),
            str(self.first),
            str(self.second),
            f"{self.turns:.1f}",
            f"{self.calls:.1f}",
            _whole(self.read),
            _whole(self.written),
            f"{self.seconds:.1f}",
        )


def _whole(number: float | None) -> str:
    return "-" if number is None else f"{number:.0f}"


def summaries(transcripts: Sequence[Transcript]) -> list[Summary]:
    """One summary for each mode."""
    modes: dict[str, list[Transcript]] = {}
    for transcript in transcripts:
        modes.setdefault(transcript.mode, []).append(transcript)
    return [_summary(mode, found) for mode, found in modes.items()]


def _summary(mode: str, transcripts: Sequence[Transcript]) -> Summary:
    first = [one for one in transcripts if one.attempt == 1]

    def mean(number: Callable[[Transcript], float | None]) -> float | None:
        numbers = [found for one in first if (found := number(one)) is not None]
        return sum(numbers) / len(numbers) if len(numbers) == len(first) else None

    return Summary(
        mode,
        tasks=len(first),
        first=sum(one.passed for one in first),
        second=len({one.task for one in transcripts if one.passed and one.attempt <= 2}),
        turns=mean(lambda one: one.turns) or 0.0,
        calls=mean(lambda one: len(one.calls)) or 0.0,
        read=mean(lambda one: one.input_tokens),
        written=mean(lambda one: one.output_tokens),
        seconds=mean(lambda one: one.seconds) or 0.0,
    )


def table(transcripts: Sequence[Transcript]) -> str:
    """A table with a row for each mode, and the failures below it."""
    text = _aligned([_HEAD, *(summary.cells() for summary in summaries(transcripts))])
    failed = [f"{_title(one)}: {problem}\n" for one in transcripts for problem in one.failures]
    return text + ("\n" + "".join(failed) if failed else "")


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _title(transcript: Transcript) -> str:
    attempt = "" if transcript.attempt == 1 else f", try {transcript.attempt}"
    return f"{transcript.task} ({transcript.mode}{attempt})"


def comparison(before: Mapping[Key, Transcript], after: Sequence[Transcript]) -> str:
    """What is different from an earlier evaluation: prompts, numbers and tasks. Only tasks and modes that both have count."""
    common = [one for one in after if (one.task, one.mode, 1) in before]
    if not common:
        return "the two evaluations have no task in common\n"
    tried = {(one.task, one.mode) for one in common}
    old = [one for one in before.values() if (one.task, one.mode) in tried]
    parts = ["".join(_prompts(old, common)), _numbers(summaries(old), summaries(common)), "".join(_tasks(before, common))]
    return "\n".join(part for part in parts if part)


def _prompts(old: Iterable[Transcript], new: Iterable[Transcript]) -> Iterator[str]:
    """The changed lines of what the model is told about the tools, once for each mode."""
    earlier, later = ({one.mode: _told(one) for one in reversed(list(some))} for some in (old, new))
    for mode, told in sorted(later.items()):
        if earlier[mode] == told:
            continue
        yield f"what the model reads in the mode {mode}: {len(earlier[mode])} → {len(told)} characters\n"
        changes = unified_diff(earlier[mode].splitlines(), told.splitlines(), lineterm="", n=0)
        yield from (f"  {line}\n" for line in changes if not line.startswith(("---", "+++", "@@")))


def _told(transcript: Transcript) -> str:
    tools = "".join(f"{json_text.encode(tool, indent=1)}\n" for tool in transcript.tools)
    return f"{transcript.system}\n{tools}"


def _numbers(old: Iterable[Summary], new: Iterable[Summary]) -> str:
    earlier = {one.mode: one for one in old}
    rows = [_HEAD]
    for one in new:
        pairs = zip(earlier[one.mode].cells(), one.cells(), strict=True)
        rows.append(tuple(now if now == then else f"{then} → {now}" for then, now in pairs))
    return _aligned(rows)


def _tasks(before: Mapping[Key, Transcript], after: Sequence[Transcript]) -> Iterator[str]:
    """The tasks whose outcome or calls are different at the first try."""
    for one in after:
        old = before[one.task, one.mode, 1]
        if one.attempt != 1:
            continue
        if old.passed != one.passed:
            yield f"{_title(one)}: {_outcome(old)} → {_outcome(one)}\n"
        elif [call["tool"] for call in old.calls] != [call["tool"] for call in one.calls]:
            yield f"{_title(one)}: it called {_tools(old)}, now {_tools(one)}\n"


def _outcome(transcript: Transcript) -> str:
    return "done" if transcript.passed else f"failed ({transcript.failures[0]})"


def _tools(transcript: Transcript) -> str:
    return ", ".join(call["tool"] for call in transcript.calls) or "nothing"
