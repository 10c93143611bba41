"""Kept sessions: how much memory the sessions of a server take together, and what happens when that is too much."""

from __future__ import annotations

import asyncio
import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.integrations.mcp.session import Session


class KeptSessions:
    """The sessions that take memory between their calls.

    Args:
        most: Bytes that they may take together.
        saves: They can be put away.
        noted: Called with what they take whenever that changes.

    Attributes:
        bytes: What they take together, more or less.
    """

    def __init__(self, most: int, noted: Callable[[int], None], *, saves: bool) -> None:
        self.bytes = 0
        self._most = most
        self._saves = saves
        self._noted = noted
        self._sizes: OrderedDict[weakref.ref[Session], int] = OrderedDict()  # the one that was not used for longest first
        self._turn = asyncio.Lock()

    def note(self, session: Session) -> None:
        """Note that a session was used, and what it takes now."""
        known = weakref.ref(session, self._forget)
        self._set(known, session.kept)
        if known in self._sizes:
            self._sizes.move_to_end(known)

    async def make_room(self) -> None:
        """Have sessions be in their directory alone until there is room, first those that were not used for longest.

        Raises:
            BashkitError: There is no room.
        """
        if self._saves and self.bytes > self._most:
            async with self._turn:
                for known, session in self._oldest():
                    well = await session.put_away()
                    self._set(known, session.kept)
                    if not well:  # the others could not be saved either
                        break
        if self.bytes > self._most:
            raise BashkitError(
                f"the sessions of this server take {self.bytes >> 20} MB of memory and may take {self._most >> 20} MB "
                "(--max-sessions-bytes); try again when some have ended"
            )

    def _oldest(self) -> Iterator[tuple[weakref.ref[Session], Session]]:
        """The sessions, until there is room."""
        for known in list(self._sizes):
            if self.bytes <= self._most:
                return
            session = known()
            if session is not None:
                yield known, session

    def _set(self, known: weakref.ref[Session], size: int) -> None:
        self.bytes += size - self._sizes.get(known, 0)
        if size:
            self._sizes[known] = size
        else:
            self._sizes.pop(known, None)
        self._noted(self.bytes)

    def _forget(self, known: weakref.ref[Session]) -> None:
        """A session is gone."""
        self._set(known, 0)
