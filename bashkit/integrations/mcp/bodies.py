r"""Bodies of requests over HTTP: how long they may be, and what is in them.

Halves of characters, such as ``\ud800``, are U+FFFD in them, as everywhere else: clients in JavaScript write them where a model
has, and the SDK would refuse the request.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from mcp.types import INVALID_REQUEST
from starlette.datastructures import Headers
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MOST = 4 << 20  # bytes of a body; the SDK refuses a longer one, too
_PATIENCE = 60.0  # seconds in which a body must come
_ESCAPE = re.compile(rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")


class WholeBodies:
    """Passes requests on to an application when their bodies are complete and short enough, without halves of characters.

    Args:
        app: The application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, as ASGI has it."""
        if scope.get("method") != "POST":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(_PATIENCE):
                messages = None if _declared(Headers(scope=scope)) > _MOST else await _whole(receive)
        except TimeoutError:
            await _refusal(408, f"the body of a request must come within {_PATIENCE:.0f} seconds")(scope, receive, send)
            return
        if messages is None:
            await _refusal(413, f"the body of a request has at most {_MOST >> 20} MB")(scope, receive, send)
            return

        async def replay() -> Message:
            return messages.popleft() if messages else await receive()

        await self._app(scope, replay, send)


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


async def _whole(receive: Receive) -> deque[Message] | None:
    """The messages up to the end of a body; None if it is too long."""
    messages: deque[Message] = deque()
    size, more = 0, True
    while more:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if size > _MOST:
            return None
        more = bool(message.get("more_body"))
    body = b"".join(message.get("body", b"") for message in messages)
    mended = _ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], body) if rb"\u" in body else body
    return messages if mended == body else deque([{"type": "http.request", "body": mended, "more_body": False}])


def _refusal(status: int, message: str) -> JSONResponse:
    """A refusal in the words of the protocol, so that clients show the reason."""
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_REQUEST, "message": message}}, status)
