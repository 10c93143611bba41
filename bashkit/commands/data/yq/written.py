"""The text that yq writes, while it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.limits import Charge

if TYPE_CHECKING:
    from bashkit.limits import Budget

_PIECE = 58  # bytes of a piece beside its characters
_MUCH = 1 << 16  # bytes between two looks at the budget


class Written:
    """A text that is made of pieces; their memory is charged as long as this lives.

    Args:
        budget: What is charged, and asked for time.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._charge = Charge(budget)
        self._pieces: list[str] = []
        self._size = 0
        self._next = _MUCH

    def add(self, piece: str) -> None:
        """Write one more piece."""
        self._pieces.append(piece)
        self._size += len(piece) + _PIECE
        if self._size > self._next:
            self._charge.reach(self._size)
            self._budget.tick(1 + (self._size - self._next >> 8))
            self._next = self._size + _MUCH
        self._budget.tick()

    def add_path(self, head: str, names: list[str], tail: str) -> None:
        """Write names with dots between them; a long piece is asked for before it is made."""
        self._budget.room(sum(map(len, names)) + len(names))
        names = names or [""]
        names = [head + names[0], *names[1:]]
        names[-1] += tail
        self.add(".".join(names))

    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)
