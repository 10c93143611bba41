"""bashkit snapshot --review: shows the differences one by one and reads a key for each decision."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import click

from bashkit.cli.snapshot_report import show
from bashkit.cli.terminal_text import say, visible_lines
from bashkit.errors import PromptSnapshotError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.cli.snapshot_report import Compared

Decision = Literal["accepted", "rejected", "skipped"]

_KEYS = "[a]ccept  [r]eject  [s]kip  [u]ndo  accept [A]ll of this toolset  [q]uit"
_HELP = """\
a  keep the text as it is now
r  the text should be as it was: nothing is written, and the list at the end says what to change
s  decide later
u  take the last decision back, and what it wrote
A  keep this text and all further ones of this toolset
q  end; what was accepted stays accepted"""


def review_all(found: Sequence[Compared]) -> bool:
    """Ask about every difference. Return whether one of them remains."""
    different = [item for item in found if item.snapshot.state != "same"]
    review = Review(different, _reader())
    review.run()
    rejected = [item for index, item in enumerate(different) if review.decisions.get(index) == "rejected"]
    for item in rejected:
        file, line = item.source
        say(f"{file}:{line}: makes {item.path}, which was rejected")
    counts = {decision: list(review.decisions.values()).count(decision) for decision in ("accepted", "rejected", "skipped")}
    left = len(different) - len(review.decisions)
    parts = [f"{len(found) - len(different)} the same", *(f"{count} {decision}" for decision, count in counts.items() if count)]
    click.echo(", ".join([*parts, *([f"{left} not decided"] if left else [])]))
    return counts["accepted"] < len(different)


def _reader() -> Callable[[], str]:
    """Read one key at a time from a terminal, or the first letter of each line from other input; "" at the end."""
    if sys.stdin.isatty():
        return click.getchar

    def letter() -> str:
        line = sys.stdin.readline()
        return line.strip()[:1] or ("\n" if line else "")

    return letter


class Review:
    """The state of a review.

    Args:
        items: The differences.
        read: Returns the next key; "" at the end of input.

    Attributes:
        decisions: The decisions so far, by index.
    """

    def __init__(self, items: Sequence[Compared], read: Callable[[], str]) -> None:
        self._items = items
        self._read = read
        self._history: list[list[int]] = []
        self.decisions: dict[int, Decision] = {}

    def run(self) -> None:
        """Ask until everything is decided or the user quits."""
        index = self._next(0)
        while True:
            if index is None:
                if not self._history or self._ask("all decided; Enter to end, [u]ndo") != "u":
                    return
                index = self._undo()
                continue
            click.echo(f"\n({index + 1} of {len(self._items)}) ", nl=False)
            show(self._items[index])
            key = self._known_key()
            if key == "q":
                return
            if key == "u":
                index = self._undo(index)
                continue
            self._decide(key, index)
            index = self._next(index)

    def _next(self, start: int) -> int | None:
        return next((index for index in range(start, len(self._items)) if index not in self.decisions), None)

    def _ask(self, question: str) -> str:
        click.echo(f"{question} > ", nl=False)
        key = self._read()
        click.echo(key.strip())
        return key or "q"

    def _known_key(self) -> str:
        while True:
            key = self._ask(_KEYS)
            if key in {"a", "r", "s", "u", "A", "q"}:
                return key
            click.echo(_HELP)

    def _decide(self, key: str, index: int) -> None:
        if key in {"r", "s"}:
            self.decisions[index] = "rejected" if key == "r" else "skipped"
            self._history.append([index])
            return
        store = self._items[index].store
        group = [index]
        if key == "A":
            further = range(index + 1, len(self._items))
            group += [other for other in further if other not in self.decisions and self._items[other].store is store]
        for other in group:
            self._accept(other)
        self._history.append(group)

    def _accept(self, index: int) -> None:
        item = self._items[index]
        try:
            item.store.accept(item.snapshot)
            self.decisions[index] = "accepted"
        except PromptSnapshotError as error:
            click.secho(visible_lines(str(error)), fg="red")
            self.decisions[index] = "skipped"

    def _undo(self, index: int | None = None) -> int | None:
        """Take the last decision back; return the index at which to continue."""
        if not self._history:
            click.echo("there is nothing to undo")
            return index
        group = self._history.pop()
        for other in group:
            item = self._items[other]
            if self.decisions.pop(other) == "accepted":
                item.store.restore(item.snapshot)
        return group[0]
