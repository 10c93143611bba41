"""The inspector in a browser: every page that is opened has an inspector of its own, whose screen textual-serve sends.

Whoever can press its keys can run scripts, so a page needs the token that is part of the printed address, and a cookie keeps it.
Names that lead here from elsewhere (DNS rebinding) and pages of others are refused, for the WebSocket as well.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp_jinja2 import render_string
from textual_serve.server import Server

from bashkit.integrations.listening import is_loopback, listener
from bashkit.integrations.mcp.signals import first_signal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_LAST = 2.0  # seconds in which the inspectors must end
_FOREIGN = re.compile(r"<link[^>]*\bhttps:[^>]*>")  # a font from elsewhere, which would learn who uses the inspector
_HERE = ("localhost", "127.0.0.1", "::1")
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class WebInspector(Server):
    """Serves the inspector to browsers.

    Args:
        command: The command line, for a shell, that opens an inspector.
        host: Where it listens.
        port: The port.
        token: What a browser must know.
    """

    def __init__(self, command: str, host: str, port: int, token: str) -> None:
        super().__init__(command, host, port, title="bashkit")
        self._token = token
        self._cookie = f"bashkit-{port}"  # cookies of all ports of a machine go to each of them
        self._local = is_loopback(host)

    @property
    def address(self) -> str:
        """What the user opens."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{shown}:{self.port}/?token={self._token}"

    async def application(self) -> web.Application:
        """The application, guarded."""
        app = await self._make_app()
        app.middlewares.append(self._guarded())
        app.on_response_prepare.append(_secured)
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: the command does."""

    def _guarded(self) -> Any:
        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            if self._local and _hostname(f"//{request.host}") not in _HERE:
                return _refused(421, "That is no name of the inspector: open the address that 'bashkit tui --web' printed.")
            if request.headers.get("Origin") not in {None, f"{request.scheme}://{request.host}"}:
                return _refused(403, "Pages of others may not use this inspector.")
            given = request.query.get("token")
            if request.path == "/" and given is not None and self._known(given):
                to_page = web.Response(status=303, headers={"Location": "/"})
                to_page.set_cookie(self._cookie, self._token, httponly=True, samesite="Strict")
                return to_page
            if not self._known(request.cookies.get(self._cookie, "")):
                return _refused(401, "A token is needed: open the address that 'bashkit tui --web' printed.")
            return await handler(request)

        return guard

    def _known(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page, whose addresses have the name that the browser knows this server by."""
        context = {
            "font_size": 16,
            "app_websocket_url": f"ws://{request.host}/ws",
            "config": {"static": {"url": "/static/"}},
            "application": {"name": self.title},
        }
        page = render_string("app_index.html", request, context)
        return web.Response(text=_FOREIGN.sub("", page), content_type="text/html")


async def serve(command: str, host: str, port: int, say: Callable[[str], None]) -> int:
    """Serve until a signal comes; return its number.

    Args:
        command: The command line, for a shell, that opens an inspector.
        host: Where to listen.
        port: The port; 0 for a free one.
        say: Is told the address to open.

    Raises:
        BashkitError: Nobody can listen there.
    """
    bound = listener(host, port)
    server = WebInspector(command, host, bound.getsockname()[1], secrets.token_urlsafe(24))
    logging.getLogger("aiohttp").setLevel(logging.CRITICAL)
    runner = web.AppRunner(await server.application(), access_log=None, shutdown_timeout=_LAST)
    await runner.setup()
    try:
        await web.SockSite(runner, bound).start()
        with first_signal() as signalled:
            say(server.address)
            return await signalled
    finally:
        await runner.cleanup()


async def _secured(_request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


def _refused(status: int, message: str) -> web.Response:
    return web.Response(status=status, text=f"{message}\n")


def _hostname(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:  # a bracket that is never closed
        return None


def run(command: str, host: str, port: int, say: Callable[[str], None]) -> int:
    """``serve``, in an event loop of its own."""
    return asyncio.run(serve(command, host, port, say))
