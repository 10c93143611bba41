r"""Bodies of requests over HTTP: halves of characters in them, such as ``\ud800``, are U+FFFD, as everywhere else.

Clients in JavaScript write them where a model has; the SDK would refuse the request.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MOST = 4 << 20  # bytes of a body; the SDK refuses a longer one
_ESCAPE = re.compile(rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})")


class WholeCharacters:
    """Passes requests on to an application without halves of characters.

    Args:
        app: The application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, as ASGI has it."""
        await self._app(scope, _Body(receive).receive if scope.get("method") == "POST" else receive, send)


class _Body:
    """The body of a request, which is read when the application first wants a part of it."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._read: deque[Message] | None = None

    async def receive(self) -> Message:
        """The next message."""
        if self._read is None:
            self._read = await self._whole()
        return self._read.popleft() if self._read else await self._receive()

    async def _whole(self) -> deque[Message]:
        """The messages up to the end of the body; of one that is too long those with which it is."""
        messages: deque[Message] = deque()
        size, more = 0, True
        while more and size <= _MOST:
            message = await self._receive()
            messages.append(message)
            size += len(message.get("body", b""))
            more = bool(message.get("more_body"))
        body = b"".join(message.get("body", b"") for message in messages)
        mended = _ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], body) if not more and rb"\u" in body else body
        return messages if mended == body else deque([{"type": "http.request", "body": mended, "more_body": False}])
