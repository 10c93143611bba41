"""Accepting snapshots from the inspector, and taking that back."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bashkit.errors import PromptSnapshotError
from bashkit.prompts.snapshots import in_ci

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.prompts import Snapshot, SnapshotStore


class Acceptances:
    """What was accepted in this session, the last one last."""

    def __init__(self) -> None:
        self._done: list[list[tuple[SnapshotStore, Snapshot]]] = []

    def accept(self, wanted: Sequence[tuple[SnapshotStore, Snapshot]]) -> None:
        """Keep texts as they are now; ``undo`` takes all of them back at once.

        Raises:
            PromptSnapshotError: One of them cannot be kept, so none of them is; or nobody watches this run (``CI`` is set).
        """
        if in_ci():
            raise PromptSnapshotError("nothing is written where CI is set: accept changes on your own machine and commit them")
        group: list[tuple[SnapshotStore, Snapshot]] = []
        try:
            for store, snapshot in wanted:
                store.accept(snapshot)
                group.append((store, snapshot))
        except PromptSnapshotError:
            for store, snapshot in reversed(group):
                with suppress(PromptSnapshotError):  # somebody else has changed it since: theirs is the last word
                    store.restore(snapshot)
            raise
        self._done.append(group)

    def undo(self) -> list[Snapshot]:
        """Take back what was accepted last, to the byte, and say what that was; [] when nothing was.

        Raises:
            PromptSnapshotError: A file is no longer as it was accepted.
        """
        if not self._done:
            return []
        for store, snapshot in self._done[-1]:
            store.restore(snapshot)
        return [snapshot for _, snapshot in self._done.pop()]
