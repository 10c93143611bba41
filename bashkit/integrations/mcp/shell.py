"""Shell: the shell of one toolset in a session, and how much memory it takes between two calls."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError
from bashkit.integrations.mcp.files import changed_files
from bashkit.integrations.mcp.lines import Line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.bash import Bash
    from bashkit.bash.snapshot import Snapshot
    from bashkit.integrations.mcp.catalog import Entry
    from bashkit.integrations.mcp.lines import Caller
    from bashkit.tools.offer import Answer
    from bashkit.toolset.toolset import Toolset

# what a shell takes, as measured over shells with large files, many files, long variables and many variables
_EMPTY = 100_000  # bytes of one in which nothing was done
_FILE = 600  # bytes of a file beside its content
_STATE = 4  # bytes of variables and the like for each byte of their JSON, which is kept, too


@dataclass(frozen=True, slots=True)
class Changes:
    """What a call has done to the files of a session.

    Attributes:
        paths: The files that it has made, changed or removed.
        listing: Whether the list of the session's files is another one.
    """

    paths: list[str]
    listing: bool


class Shell:
    """The shell of one toolset in a session.

    Args:
        toolset: The toolset.
        options: Further arguments of ScriptedTool.
        saved: Where the shell goes on from; None for a new one.

    Attributes:
        toolset: The toolset.
        before: The shell as it was when it began.
        now: The shell after the last call; None before the first one, and while the shell is put away.
        kept: The bytes that it takes, more or less.
        away: It is put away: what it was is in the directory alone.
    """

    def __init__(self, toolset: Toolset, options: Mapping[str, Any], saved: Snapshot | None) -> None:
        self.toolset = toolset
        self.before: Snapshot | None = None
        self.now = saved
        self.away = False
        self._options = options
        self._saved = saved
        self._bash: Bash | None = None
        self._line: Line | None = None
        isolation = options.get("isolation") or toolset.options.get("isolation")
        self._copies = 2 if isolation == "process" else 1  # of files: one as they go to a sandbox process
        self.kept = 0 if saved is None else self._size(saved)

    def _begin(self, bash: Bash) -> None:
        if self._bash is None:
            assert self._line is not None
            self._bash, begun = bash, bash.snapshot()
            self.before = self.before or begun
            if self._saved is not None and self._saved.python:
                self._line.restore(self._saved)
            elif self._saved is not None:
                bash.restore(self._saved)
            self._saved, self.now = None, bash.snapshot()

    def go_on_from(self, saved: Snapshot) -> None:
        """Take over what was saved, by another server or when the shell was put away. The caller has the turn."""
        self.now, self.away, self.kept = saved, False, self._size(saved)
        if self._bash is None:
            self._saved = saved
        else:
            self._bash.restore(saved)

    def let_go(self) -> None:
        """Hold nothing any more of what is saved. The caller has the turn, or nobody uses the shell again."""
        self.away, self.kept = self.now is not None, 0
        if self._line is not None:
            self._line.reset()
        self.now = self._saved = self._bash = self._line = None

    async def call(self, entry: Entry, arguments: object, caller: Caller) -> tuple[Answer, Changes]:
        """Answer a call; return what it has done to the files, too. The caller has the turn."""
        self._line = self._line or Line(self.toolset, {**self._options, "persistent": True, "on_shell": self._begin})
        try:
            answer = await self._line.call(entry, arguments, caller)
        except BaseException:
            self.taken()  # what a cancelled call has left takes memory, too
            raise
        last, now = self.now, self.taken()
        if now is None or last is None:  # the arguments were wrong, and nothing has run
            return answer, Changes([], listing=False)
        listed = self.files()
        self.now = now
        return answer, Changes(changed_files(last, now), listing=self.files() != listed)

    def taken(self) -> Snapshot | None:
        """The shell as it is, and its size noted; None if nothing has run, or something runs still."""
        if self._bash is None or self._line is None:
            return None
        with suppress(BashkitError):
            taken = self._line.snapshot()
            self.kept = self._size(taken)
            return taken
        return None

    def files(self) -> list[str]:
        """The files that scripts have made or changed and not removed."""
        if self.before is None or self.now is None:
            return []
        return changed_files(self.before, self.now)

    def _size(self, snapshot: Snapshot) -> int:
        """The bytes that a shell takes which is as the snapshot says."""
        trees = [snapshot.tree, *(mount.tree for mount in snapshot.mounts.values() if mount.tree is not None)]
        files = sum(tree.bytes + _FILE * tree.files for tree in trees)
        return _EMPTY + self._copies * files + _STATE * len(snapshot.state) + 2 * len(snapshot.python)
