"""Compares the results of two batches: which scripts do something else now, grouped by tool and cause."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, BinaryIO

from bashkit import host_files
from bashkit.batch.run import read_results, result_of
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SHOWN = 3  # scripts of a group that are named
_LONGEST = 200  # characters of a message in a cause
_MOST = 1_000  # groups
_NUMBERS = re.compile(r"\d+|'[^']*'|\"[^\"]*\"")
_OUTCOME = ("exit_code", "error", "stdout", "stderr")


@dataclass(slots=True)
class Group:
    """Scripts that are different in the same way.

    Attributes:
        tool: The tool whose call is the first that is different; "" if no call is.
        cause: What is different.
        count: The number of scripts.
        examples: The ids of some of them.
    """

    tool: str
    cause: str
    count: int = 0
    examples: list[str | int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different between two batches.

    Attributes:
        same: The number of scripts with the same result.
        groups: Those with another, the largest group first; at most 1000.
        others: The number of scripts that are different in further ways.
        gone: The number of scripts that only the first has.
        new: The number of scripts that only the second has.
    """

    same: int
    groups: list[Group]
    others: int
    gone: int
    new: int

    def text(self) -> str:
        """The difference for people: one line for each group."""
        changed = sum(group.count for group in self.groups) + self.others
        lines = [f"{self.same} the same, {changed} different, {self.gone} only before, {self.new} only now"]
        width = len(str(max([self.others, *(group.count for group in self.groups)])))
        for group in self.groups:
            where = f"{group.tool}: " if group.tool else ""
            named = ", ".join(map(str, group.examples)) + (", …" if group.count > len(group.examples) else "")
            lines.append(f"{group.count:{width}}  {where}{group.cause}  ({named})")
        if self.others:
            lines.append(f"{self.others:{width}}  … and other causes")
        return "".join(f"{line}\n" for line in lines)


def compare(before: Path, after: Path) -> Difference:
    """Compare two files of results by the ids of their rows. Neither is held in memory; of causes beyond the most frequent ones
    only the scripts are counted.

    Raises:
        BashkitError: One cannot be read, is no file of results, or has an id twice.
    """
    places = dict(_places(before))
    groups: dict[tuple[str, str], Group] = {}
    same = new = others = 0
    with host_files.open_file(before) as old, host_files.open_file(after) as now:
        for name, place in _places(after):
            earlier = places.pop(name, None)
            if earlier is None:
                new += 1
                continue
            first, second = _read(old, earlier), _read(now, place)
            found = _different(first, second)
            if found is None:
                same += 1
                continue
            group = groups.setdefault(found, Group(*found))
            group.count += 1
            if len(group.examples) < _SHOWN:
                group.examples.append(name)
            if len(groups) > 2 * _MOST:
                others += _drop_small(groups)
    others += _drop_small(groups)
    ordered = sorted(groups.values(), key=lambda group: (-group.count, group.tool, group.cause))
    return Difference(same, ordered, others, len(places), new)


def _drop_small(groups: dict[tuple[str, str], Group]) -> int:
    """Keep the largest groups, of equal ones the older; return how many scripts the others had."""
    small = sorted(groups, key=lambda key: groups[key].count, reverse=True)[_MOST:]
    return sum(groups.pop(key).count for key in small)


def _places(path: Path) -> Iterator[tuple[str | int, int]]:
    """The ids in a file of results, each with the place of its line in bytes."""
    offset = 0
    known = set[str | int]()
    for result in read_results(path):
        if result.id in known:
            place = f"{path}:{result.line}"
            raise BashkitError(f"{place}: another result has the id {result.id!r}, too: results are compared by their ids")
        known.add(result.id)
        yield result.id, offset
        offset += result.size


def _read(file: BinaryIO, place: int) -> dict[str, Any]:
    file.seek(place)
    return result_of(file.readline())


def _different(before: dict[str, Any], after: dict[str, Any]) -> tuple[str, str] | None:
    """The tool and the cause of a difference; None if there is none."""
    if all(before.get(key) == after.get(key) for key in (*_OUTCOME, "calls")):
        return None
    for old, new in zip_longest(before["calls"], after["calls"]):
        if old != new:
            return _other_call(old, new)
    if before.get("error") != after.get("error"):
        return "", f"the error was {before.get('error') or 'none'} and is {after.get('error') or 'none'}"
    if before["exit_code"] != after["exit_code"]:
        return "", f"the exit status was {before['exit_code']} and is {after['exit_code']}: {_kind(after['stderr'])}".rstrip(": ")
    return "", "the output is another" if before["stdout"] != after["stdout"] else "the messages are others"


def _other_call(old: dict[str, Any] | None, new: dict[str, Any] | None) -> tuple[str, str]:
    """The tool and the cause of the first call that is another."""
    if old is None:
        return (new or {})["tool"], "it is called once more"
    if new is None:
        return old["tool"], "it is called once less"
    return new["tool"], _change(old, new)


def _change(old: dict[str, Any], new: dict[str, Any]) -> str:
    if old["tool"] != new["tool"]:
        return f"it is called in the place of {old['tool']}"
    if new["exit_code"] and not old["exit_code"]:
        return f"it fails now: {_kind(new['error'])}"
    if old["exit_code"] and not new["exit_code"]:
        return "it does not fail any more"
    if old["arguments"] != new["arguments"]:
        return "it gets other arguments"
    return f"it fails in another way: {_kind(new['error'])}"


def _kind(message: str) -> str:
    """A message without what differs from call to call, as the key of a group."""
    lines = message.strip().splitlines()
    kind = _NUMBERS.sub("…", lines[-1]) if lines else ""
    return kind if len(kind) <= _LONGEST else f"{kind[:_LONGEST]}…"
