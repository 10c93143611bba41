"""Serves many clients over HTTP."""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

from bashkit.bash import Bash
from bashkit.integrations.listening import listener
from bashkit.integrations.mcp.bodies import AnswersInFull, WholeBodies
from bashkit.integrations.mcp.connections import Connection
from bashkit.integrations.mcp.guard import Guard, owner_in
from bashkit.integrations.mcp.observing import observing
from bashkit.integrations.mcp.server import make_server
from bashkit.integrations.mcp.service import Service
from bashkit.integrations.mcp.signals import first_signal
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from bashkit.integrations.mcp.guard import Access
    from bashkit.integrations.mcp.metrics import CallRecord
    from bashkit.integrations.mcp.service import Settings

PATIENCE = 5.0  # seconds that running calls have when the server stops
IDLE = 1800.0  # seconds without a request after which a session is over
_MOST_SESSIONS = 1_000  # of one client
_LAST_BYTES = 2  # seconds in which the last answers must be taken

log = logging.getLogger("bashkit.mcp")


def make_app(service: Service, access: Access, idle: float = IDLE) -> ASGIApp:
    """The application: the protocol at ``/mcp``, beside it ``/health``, ``/metrics`` and ``/observe``.

    Args:
        service: The tools, sessions and calls. Without sessions a request needs nothing of those before it, so that many servers
            can share the requests.
        access: Who may use it.
        idle: Seconds without a request after which a session is over.
    """
    server = make_server(service)
    managers = {
        owner: StreamableHTTPSessionManager(
            server, stateless=not service.settings.sessions, session_idle_timeout=idle, max_sessions=_MOST_SESSIONS
        )
        for owner in access.owners
    }

    async def protocol(scope: Scope, receive: Receive, send: Send) -> None:
        await managers[owner_in(scope)].handle_request(scope, receive, send)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as running:
            for manager in managers.values():
                await running.enter_async_context(manager.run())
            yield

    async def health(_request: Request) -> JSONResponse:
        return JSONResponse({"status": "stopping" if service.stopping else "ok"}, 503 if service.stopping else 200)

    async def metrics(_request: Request) -> PlainTextResponse:
        return PlainTextResponse(service.metrics.text(), media_type="text/plain; version=0.0.4")

    routes = [
        *observing(service.observers),
        Route("/mcp", WholeBodies(protocol)),
        Route("/health", health),
        Route("/metrics", metrics),
    ]
    return AnswersInFull(Guard(Starlette(routes=routes, lifespan=lifespan), access))


class _Server(uvicorn.Server):
    """A server that leaves signals to its host."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


@asynccontextmanager
async def listening(app: ASGIApp, host: str, port: int) -> AsyncIterator[int]:
    """Serve an application during the block; yield the port.

    Args:
        app: The application.
        host: The address or name to listen at.
        port: The port; 0 for one that is free.

    Raises:
        BashkitError: Nobody can listen there.
    """
    bound = listener(host, port)
    config = uvicorn.Config(
        app,
        http=Connection,
        lifespan="on",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_LAST_BYTES,
        server_header=False,
    )
    server = _Server(config)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    try:
        yield bound.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
        bound.close()


async def serve(settings: Settings, access: Access, host: str, port: int, idle: float = IDLE) -> int:
    """Serve until a signal comes; running calls have some seconds then.

    Args:
        settings: What is served.
        access: Who may use it.
        host, port: Where to listen.
        idle: Seconds without a request after which a session is over.

    Returns:
        The number of the signal.

    Raises:
        BashkitError: Nobody can listen there, or a toolset has mistakes.
    """
    async with Service(settings) as service:
        service.on_record = partial(write_record, sys.stderr)
        if settings.isolation == "process":
            Bash(isolation="process")  # so that a sandbox process is ready for the first client
        with first_signal() as signalled:
            async with listening(make_app(service, access, idle), host, port) as found:
                shown = f"[{host}]" if ":" in host else host
                log.info("listening at http://%s:%d/mcp", shown, found)
                number = await signalled
                await service.stop(PATIENCE)
    return number


def write_record(stream: Any, record: CallRecord) -> None:
    """Write a record as a line of JSON."""
    stream.write(json_text.encode(record.to_dict()) + "\n")
    stream.flush()
