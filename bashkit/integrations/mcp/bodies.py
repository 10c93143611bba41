r"""Bodies of requests over HTTP: how long they may be, and what is in them.

Halves of characters, such as ``\ud800``, are U+FFFD in them, as everywhere else: clients in JavaScript write them where a model
has, and the SDK would refuse the request.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from mcp.types import INVALID_REQUEST
from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from bashkit.integrations.mcp.guard import owner_in
from bashkit.integrations.mcp.values import MOST, TOO_MANY, count_values
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MOST = 4 << 20  # bytes of a body; the SDK refuses a longer one, too
_MOST_TOGETHER = 128 << 20  # bytes of the long bodies of one client, and of what was decoded of them
_SHORT = 64 << 10  # bytes of a body that has always room
_VALUE = 100  # bytes that a value takes, more or less, once it is decoded
_PATIENCE = 60.0  # seconds in which a body must come
_ESCAPE = re.compile(rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")

log = logging.getLogger("bashkit.mcp")


class _RefusedError(Exception):
    """A body that is not taken; its arguments are the status and the reason."""


class _Room:
    """What one request takes of the room that its client has.

    Args:
        taken: The bytes that each client has taken.
        owner: The client.
    """

    def __init__(self, taken: Counter[str], owner: str) -> None:
        self._taken = taken
        self._owner = owner
        self._mine = 0

    def take(self, size: int) -> None:
        """Take ``size`` bytes in all.

        Raises:
            _RefusedError: There are not so many left.
        """
        if size <= max(_SHORT, self._mine):
            return
        if self._taken[self._owner] - self._mine + size > _MOST_TOGETHER:
            raise _RefusedError(429, "too many large requests of this client are being answered; try again later")
        self._taken[self._owner] += size - self._mine
        self._mine = size

    def leave(self) -> None:
        """Give back what was taken."""
        self._taken[self._owner] -= self._mine
        if not self._taken[self._owner]:
            del self._taken[self._owner]


class WholeBodies:
    """Passes requests on to an application when their bodies are complete and small enough, without halves of characters.

    Args:
        app: The application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._taken: Counter[str] = Counter()  # bytes, by client
        self._answering: set[tuple[str, str | None, str]] = set()  # clients, sessions and IDs of requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, as ASGI has it."""
        if scope.get("method") != "POST":
            await self._app(scope, receive, send)
            return
        room = _Room(self._taken, owner_in(scope))
        try:
            async with asyncio.timeout(_PATIENCE):
                body = await _whole(scope, receive, room)
        except TimeoutError:
            await _refusal(408, f"the body of a request must come within {_PATIENCE:.0f} seconds")(scope, receive, send)
        except _RefusedError as refused:
            await _refusal(*refused.args)(scope, receive, send)
        else:
            if body is None:
                log.info("a client has gone in the middle of a message")
            else:
                await self._pass_on(body, scope, receive, send)
        finally:
            room.leave()

    async def _pass_on(self, body: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered, unless one with its ID is being answered: the SDK would mistake one for the other."""
        session = Headers(scope=scope).get("mcp-session-id")
        number = "" if session is None else _id_of(body)
        key = owner_in(scope), session, number
        if key in self._answering:
            await _refusal(409, f"a request of this session with the id {number} is being answered")(scope, receive, send)
            return
        running = {key} if number else set()
        self._answering |= running

        def over() -> None:
            self._answering.difference_update(running)
            running.clear()

        async def answer(message: Message) -> None:
            for part in _parts(message):
                if part["type"] == "http.response.body" and not part.get("more_body"):
                    over()  # before the client has the last of it, and may use the ID again
                await send(part)

        try:
            await self._app(scope, _replaying(body, receive), answer)
        finally:
            over()


def _id_of(body: bytes) -> str:
    """The ID of a request, in which a text is not told from a number; "" if the message is none."""
    message = json_text.decode_object(body.decode("utf-8", "replace"))
    return str(message.get("id", "")) if message is not None and "method" in message else ""


def _replaying(body: bytes, receive: Receive) -> Receive:
    """Receives a body at once, and then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return messages.pop() if messages else await receive()

    return replay


def _parts(message: Message) -> Iterator[Message]:
    """A message in parts that are sent one after the other, each when the client has read most of those before it."""
    body = memoryview(message.get("body", b""))
    while len(body) > _SHORT:
        yield {**message, "body": bytes(body[:_SHORT]), "more_body": True}
        body = body[_SHORT:]
    yield {**message, "body": bytes(body)} if "body" in message else message


class AnswersInFull:
    """Has the answers of an application arrive, though it may not have read the whole request: it is read before the answer.

    If a connection is closed while something in it is unread, the client gets a reset and may never see the answer.

    Args:
        app: The application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, as ASGI has it."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if not (_declared(headers) or "transfer-encoding" in headers):
            await self._app(scope, receive, send)
            return
        waits, more = headers.get("expect", "").lower() == "100-continue", True

        async def noted() -> Message:
            nonlocal waits, more
            waits = False  # with the first part that is wanted the client is told to send the body
            message = await receive()
            more = message["type"] == "http.request" and bool(message.get("more_body"))
            return message

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start" and not waits:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_PATIENCE):
                        while more:
                            await noted()
            await send(message)

        await self._app(scope, noted, answer)


def _declared(headers: Headers) -> int:
    """How long a request says that its body is; 0 if it does not say so."""
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0


async def _whole(scope: Scope, receive: Receive, room: _Room) -> bytes | None:
    """A body once it is complete; None if the client has gone before that.

    Raises:
        _RefusedError: It is too large.
    """
    collected = bytearray()  # and not the pieces: each takes as much as hundreds of bytes
    size, more = _declared(Headers(scope=scope)), True
    while more and size <= _MOST:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        collected += message.get("body", b"")
        size, more = len(collected), bool(message.get("more_body"))
        room.take(size)
    if size > _MOST:
        raise _RefusedError(413, f"the body of a request has at most {_MOST >> 20} MB")
    whole = bytes(collected)
    values = count_values(whole)
    if values > MOST:
        raise _RefusedError(413, f"a message {TOO_MANY}")
    room.take(size + values * _VALUE)
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], whole) if rb"\u" in whole else whole


def _refusal(status: int, message: str) -> JSONResponse:
    """A refusal in the words of the protocol, so that clients show the reason."""
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_REQUEST, "message": message}}, status)
