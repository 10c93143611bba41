"""Accepting snapshots from the inspector, and undoing that."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bashkit.errors import PromptSnapshotError
from bashkit.prompts.snapshots import in_ci

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.prompts import PromptSnapshot, SnapshotStore


class Acceptances:
    """The snapshots accepted in this session, for undo."""

    def __init__(self) -> None:
        self._done: list[list[tuple[SnapshotStore, PromptSnapshot]]] = []

    def accept(self, wanted: Sequence[tuple[SnapshotStore, PromptSnapshot]]) -> None:
        """Store the current texts; ``undo`` restores all of them at once.

        Raises:
            PromptSnapshotError: One of them cannot be stored, so none is changed; or ``CI`` is set.
        """
        if in_ci():
            raise PromptSnapshotError("nothing is written where CI is set: accept changes on your own machine and commit them")
        group: list[tuple[SnapshotStore, PromptSnapshot]] = []
        try:
            for store, snapshot in wanted:
                store.accept(snapshot)
                group.append((store, snapshot))
        except PromptSnapshotError:
            for store, snapshot in reversed(group):
                with suppress(PromptSnapshotError):  # another program has changed the file since: leave it
                    store.restore(snapshot)
            raise
        self._done.append(group)

    def undo(self) -> list[PromptSnapshot]:
        """Restore the snapshots that were accepted last, byte for byte, and return them; [] when there is nothing to undo.

        Raises:
            PromptSnapshotError: A file has changed since it was accepted.
        """
        if not self._done:
            return []
        for store, snapshot in self._done[-1]:
            store.restore(snapshot)
        return [snapshot for _, snapshot in self._done.pop()]
