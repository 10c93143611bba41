"""Connections of a server over HTTP: how many there may be at the same time, and how long one may keep quiet."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

_MOST = 4_000
_PATIENCE = 30.0  # seconds that a request's head may take, or that a client may take nothing of what waits for it


class Connection(H11Protocol):
    """A connection, which is closed when no request comes in time, when nobody reads an answer, or when there are too many."""

    _alarm: asyncio.TimerHandle | None = None
    _seen: Any = None  # the last request at the last look, if it had been answered then
    _unsent = 0  # bytes that waited for the client at the last look

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin, or close at once."""
        super().connection_made(transport)
        if len(self.connections) > _most():
            transport.close()
        else:
            self._alarm = self.loop.call_later(_PATIENCE, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._alarm is not None:
            self._alarm.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Close it if since the last look the client has taken nothing of what waits, or has been between two requests."""
        last: Any = self.cycle
        between = last is None or last.response_complete
        unsent: int = self.transport.get_write_buffer_size()
        if unsent and unsent == self._unsent:
            self.transport.abort()
            return
        self._unsent = unsent
        if between and self._seen is last and not unsent:
            self.transport.close()
            return
        self._seen = last if between else self  # no request
        self._alarm = self.loop.call_later(_PATIENCE, self._look)


def _most() -> int:
    """How many connections there may be: half of what may be open is for sandbox processes and files."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if files == resource.RLIM_INFINITY else min(_MOST, files // 2)
