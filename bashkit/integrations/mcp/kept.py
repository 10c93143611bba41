"""Kept sessions: how much memory the sessions of a server take together, and what happens when that is too much."""

from __future__ import annotations

import asyncio
import weakref
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.integrations.mcp.session import Session


class KeptSessions:
    """The sessions that take memory between their calls.

    Args:
        most: Bytes that they may take together. Each client has an equal share of it.
        noted: Called with what they take whenever that changes.
    """

    def __init__(self, most: int, noted: Callable[[int], None]) -> None:
        self._most = most
        self._noted = noted
        self._sizes: OrderedDict[weakref.ref[Session], tuple[str, int]] = OrderedDict()  # not used for longest first
        self._taken: Counter[str] = Counter()  # bytes, by client
        self._turn = asyncio.Lock()

    def note(self, session: Session) -> None:
        """Note that a session was used, and what it takes now."""
        known = weakref.ref(session, self._forget)
        self._set(known, session.owner, session.kept)
        self._touch(known)

    async def make_room(self, session: Session) -> None:
        """Put sessions away until there is room for a call of one, which is the last that is put away.

        They are of those clients that take more than their share, first of the one that takes most, and first those that were
        not used for longest.

        Raises:
            BashkitError: There is no room, and the client of the session takes more than its share.
        """
        self._touch(weakref.ref(session))
        if self._taken.total() > self._most:
            async with self._turn:
                await self._put_away()
        taken = self._taken.total()
        if taken > self._most and self._taken[session.owner] > self._share:
            raise BashkitError(
                f"the sessions of this server take {taken >> 20} MB of memory and may take {self._most >> 20} MB "
                "(--max-sessions-bytes); try again when some have ended"
            )

    async def _put_away(self) -> None:
        tried: set[weakref.ref[Session]] = set()  # a session that a call uses stays
        while self._taken.total() > self._most and (known := next(self._dispensable(tried), None)) is not None:
            tried.add(known)
            session = known()
            if session is None:
                continue
            well = await session.put_away()
            self._set(known, session.owner, session.kept)
            if not well:  # the others could not be saved either
                return

    def _dispensable(self, tried: set[weakref.ref[Session]]) -> Iterator[weakref.ref[Session]]:
        """The sessions of clients that take more than their share."""
        share = self._share
        for owner, taken in self._taken.most_common():
            if taken > share:
                yield from (known for known, (whose, _) in self._sizes.items() if whose == owner and known not in tried)

    @property
    def _share(self) -> int:
        return self._most // max(1, len(self._taken))

    def _touch(self, known: weakref.ref[Session]) -> None:
        if known in self._sizes:
            self._sizes.move_to_end(known)

    def _set(self, known: weakref.ref[Session], owner: str, size: int) -> None:
        _, before = self._sizes.get(known, (owner, 0))
        self._taken[owner] += size - before
        if not self._taken[owner]:
            del self._taken[owner]  # who takes nothing has no share
        if size:
            self._sizes[known] = owner, size
        else:
            self._sizes.pop(known, None)
        self._noted(self._taken.total())

    def _forget(self, known: weakref.ref[Session]) -> None:
        """A session is gone."""
        if known in self._sizes:
            self._set(known, self._sizes[known][0], 0)
