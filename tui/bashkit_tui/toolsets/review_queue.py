"""The queue of a review: everything that differs, what was decided about it, and where to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bashkit_tui.toolsets.snapshot_acceptance import Acceptances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.cli.snapshot_report import Compared
    from bashkit.toolset import Toolset

Decision = Literal["accepted", "rejected"]


class Queue:
    """The differences of all toolsets, one of which is looked at.

    Args:
        items: What is different, in the order of the queue.

    Attributes:
        items: As given.
        index: Which one is looked at, zero-based.
        decisions: What was decided, by index.
    """

    def __init__(self, items: Sequence[Compared]) -> None:
        self.items = tuple(items)
        self.index = 0
        self.decisions: dict[int, Decision] = {}
        self._acceptances = Acceptances()
        self._history: list[list[int]] = []

    @property
    def current(self) -> Compared | None:
        """What is looked at; None when nothing differs."""
        return self.items[self.index] if self.items else None

    @property
    def rejected(self) -> list[Compared]:
        """What somebody has to change."""
        return [self.items[index] for index in sorted(self.decisions) if self.decisions[index] == "rejected"]

    def move(self, step: int) -> None:
        """Look at the next one, or the one before, decided or not."""
        if self.items:
            self.index = (self.index + step) % len(self.items)

    def accept(self) -> None:
        """Keep what is looked at, and go on.

        Raises:
            PromptSnapshotError: It cannot be kept.
        """
        self._accept([self.index])

    def accept_all(self) -> None:
        """Keep what is looked at, and everything undecided of the same toolset.

        Raises:
            PromptSnapshotError: One of them cannot be kept; nothing counts as decided.
        """
        store = self.items[self.index].store
        others = [
            at for at, item in enumerate(self.items) if item.store is store and at not in self.decisions and at != self.index
        ]
        self._accept([self.index, *others])

    def reject(self) -> None:
        """Note that the text should be as it was; nothing is written."""
        if self.decisions.get(self.index) != "accepted":
            self.decisions[self.index] = "rejected"
            self._history.append([self.index])
            self._advance()

    def undo(self) -> bool:
        """Take the last decision back, and what it wrote; whether there was one.

        Raises:
            PromptSnapshotError: A file is no longer as it was accepted.
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
        """A later decision takes the place of an earlier one."""
        del self.decisions[index]
        self._history = [kept for group in self._history if (kept := [one for one in group if one != index])]

    def _advance(self) -> None:
        """Go to the next undecided one, from the top again after the last."""
        number = len(self.items)
        order = [(self.index + step) % number for step in range(1, number)]
        self.index = next((at for at in order if at not in self.decisions), self.index)


def differences(toolsets: Sequence[Toolset]) -> tuple[list[Compared], list[str]]:
    """Everything that differs in these toolsets, and why some cannot be compared. Tests whose output is kept are run.

    The same comparison as ``bashkit snapshot`` makes.
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
