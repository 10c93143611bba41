"""Observing over HTTP: a stream of events, and a way to answer what they ask.

An observer follows the calls that are made with its own token; where the server needs no token, all of them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bashkit.integrations.mcp.guard import owner_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from bashkit.integrations.mcp.observers import Observer, Observers

_MOST_BYTES = 4_096  # of an answer
_PATIENCE = 60.0  # seconds in which it must come


def observing(observers: Observers) -> list[Route]:
    """The routes: GET ``/observe`` streams events (server-sent events whose data is JSON), POST ``/observe/answer`` takes
    ``{"question": KEY, "allow": true}``.
    """

    async def stream(request: Request) -> Response:
        observer = observers.attach(owner_of(request))
        if observer is None:
            return JSONResponse({"error": "too many observers follow this server"}, 503)
        return _Events(observer)

    async def answer(request: Request) -> Response:
        try:
            async with asyncio.timeout(_PATIENCE):
                said = await _json(request)
        except (ValueError, ClientDisconnect, TimeoutError):
            said = None
        key, allow = (said.get("question"), said.get("allow")) if isinstance(said, dict) else (None, None)
        if not isinstance(key, str) or not isinstance(allow, bool):
            return JSONResponse({"error": 'an answer is {"question": KEY, "allow": true or false}'}, 400)
        if not observers.answer(owner_of(request), key, allow=allow):
            return JSONResponse({"error": "no call waits for this answer any more"}, 404)
        return Response(status_code=204)

    return [Route("/observe", stream, methods=["GET"]), Route("/observe/answer", answer, methods=["POST"])]


async def _json(request: Request) -> object:
    """The body of a request.

    Raises:
        ValueError: It is too long, or no JSON.
    """
    import json

    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BYTES:
            raise ValueError("the body is too long")
    found: object = json.loads(body)
    return found


class _Events(StreamingResponse):
    """The events of an observer, which is let go when they are not read any more."""

    def __init__(self, observer: Observer) -> None:
        super().__init__(_lines(observer), media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        self._observer = observer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._observer.close()


async def _lines(observer: Observer) -> AsyncIterator[str]:
    async for event in observer.events():
        yield f"data: {event}\n\n" if event else ": nothing new\n\n"
