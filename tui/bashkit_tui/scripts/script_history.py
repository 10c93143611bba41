"""The scripts that Up and Down go through in the editor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_KEPT = 200  # scripts


@dataclass(slots=True)
class ScriptHistory:
    """Scripts in the order they were run; going back keeps the draft in the editor."""

    _scripts: list[str] = field(default_factory=list)
    _place: int = 0
    _draft: str = ""

    def add(self, script: str) -> None:
        """Append a script; one that is run again moves to the end."""
        if script in self._scripts:
            self._scripts.remove(script)
        self._scripts.append(script)
        del self._scripts[:-_KEPT]
        self._place = len(self._scripts)

    def __contains__(self, script: str) -> bool:
        return script in self._scripts

    def recall(self, scripts: Iterable[str]) -> None:
        """Insert scripts of earlier sessions, the oldest first, before those of this one."""
        older = [script for script in dict.fromkeys(scripts) if script not in self._scripts]
        at_end = self._place == len(self._scripts)
        self._scripts = [*older, *self._scripts][-_KEPT:]
        self._place = len(self._scripts) if at_end else min(self._place + len(older), len(self._scripts))

    def previous(self, current: str) -> str | None:
        """The script before this one, or None at the beginning; ``current`` is the text in the editor."""
        if self._place == len(self._scripts):
            self._draft = current
        place = self._place - 1
        while place >= 0 and self._scripts[place] == current:  # the last script is usually still in the editor
            place -= 1
        if place < 0:
            return None
        self._place = place
        return self._scripts[place]

    def next(self) -> str | None:
        """The script after this one, after the last the draft; None at the draft."""
        if self._place >= len(self._scripts):
            return None
        self._place += 1
        return self._draft if self._place == len(self._scripts) else self._scripts[self._place]
