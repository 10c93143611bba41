"""The queue of a review: the differing snapshots, the decisions about them, and the current position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bashkit_tui.toolsets.snapshot_acceptance import Acceptances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.cli.snapshot_report import Compared
    from bashkit.toolset import Toolset

Decision = Literal["accepted", "rejected"]


class ReviewQueue:
    """The differing snapshots of all toolsets, and a current one.

    Args:
        items: The differing snapshots, in the order of the queue.

    Attributes:
        items: As given.
        index: The current one, zero-based.
        decisions: The decisions so far, by index.
    """

    def __init__(self, items: Sequence[Compared]) -> None:
        self.items = tuple(items)
        self.index = 0
        self.decisions: dict[int, Decision] = {}
        self._acceptances = Acceptances()
        self._history: list[list[int]] = []

    @property
    def current(self) -> Compared | None:
        """The current one; None when nothing differs."""
        return self.items[self.index] if self.items else None

    @property
    def rejected(self) -> list[Compared]:
        """The rejected ones, whose texts the user has to change."""
        return [self.items[index] for index in sorted(self.decisions) if self.decisions[index] == "rejected"]

    def move(self, step: int) -> None:
        """Go ``step`` items on, decided or not."""
        if self.items:
            self.index = (self.index + step) % len(self.items)

    def accept(self) -> None:
        """Accept the current snapshot and go to the next.

        Raises:
            PromptSnapshotError: It cannot be stored.
        """
        self._accept([self.index])

    def accept_all(self) -> None:
        """Accept the current snapshot and every undecided one of the same toolset.

        Raises:
            PromptSnapshotError: One of them cannot be stored; no decision is made.
        """
        store = self.items[self.index].store
        others = [
            at for at, item in enumerate(self.items) if item.store is store and at not in self.decisions and at != self.index
        ]
        self._accept([self.index, *others])

    def reject(self) -> None:
        """Mark the current text as wrong; nothing is written."""
        if self.decisions.get(self.index) != "accepted":
            self.decisions[self.index] = "rejected"
            self._history.append([self.index])
            self._advance()

    def undo(self) -> bool:
        """Undo the last decision and restore its snapshots; False when there was no decision.

        Raises:
            PromptSnapshotError: A file has changed since it was accepted.
        """
        if not self._history:
            return False
        group = self._history[-1]
        if self.decisions[group[0]] == "accepted":
            self._acceptances.undo()
        self._history.pop()
        for index in group:
            del self.decisions[index]
        self.index = group[0]
        return True

    def _accept(self, group: list[int]) -> None:
        if self.decisions.get(self.index) == "accepted":
            return
        for index in [index for index in group if self.decisions.get(index) == "rejected"]:
            self._forget(index)
        self._acceptances.accept([(self.items[index].store, self.items[index].snapshot) for index in group])
        self.decisions |= dict.fromkeys(group, "accepted")
        self._history.append(group)
        self._advance()

    def _forget(self, index: int) -> None:
        """Drop an earlier decision, which a later one replaces."""
        del self.decisions[index]
        self._history = [kept for group in self._history if (kept := [one for one in group if one != index])]

    def _advance(self) -> None:
        """Go to the next undecided one, and after the last to the first."""
        number = len(self.items)
        order = [(self.index + step) % number for step in range(1, number)]
        self.index = next((at for at in order if at not in self.decisions), self.index)


def differing_snapshots(toolsets: Sequence[Toolset]) -> tuple[list[Compared], list[str]]:
    """The differing snapshots of these toolsets, and why others cannot be compared. It runs the tests whose output is a snapshot.

    The comparison is that of ``bashkit snapshot``.
    """
    from bashkit.cli.snapshot_report import Compared
    from bashkit.errors import BashkitError
    from bashkit.prompts import Collection

    found: list[Compared] = []
    trouble: list[str] = []
    for toolset in toolsets:
        try:
            collection = Collection.of(toolset)
            compared = [Compared(snapshot, collection.store, collection) for snapshot in collection.compare()]
        except BashkitError as error:
            trouble.append(f"{toolset.name}: {error}")
            continue
        found += [item for item in compared if item.snapshot.state != "same"]
    return found, trouble
