"""Serves one client over standard input and output."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from bashkit.integrations.mcp.pipes import standard_streams
from bashkit.integrations.mcp.server import make_server
from bashkit.integrations.mcp.service import Service
from bashkit.integrations.mcp.signals import first_signal

if TYPE_CHECKING:
    from bashkit.integrations.mcp.service import Settings


async def serve(settings: Settings) -> int:
    """Serve until the client is gone or a signal comes.

    Args:
        settings: What is served.

    Returns:
        The number of the signal; 0 if the client has closed its end.

    Raises:
        ToolsetError: A toolset has mistakes.
    """
    async with Service(settings) as service, standard_streams() as (incoming, outgoing):
        server = make_server(service)
        with first_signal() as signalled:
            serving = asyncio.create_task(server.run(incoming, outgoing, server.create_initialization_options()))
            ends: set[asyncio.Future[Any]] = {serving, signalled}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if not signalled.done():
                serving.result()
                return 0
            await service.stop(0)
            serving.cancel()
            await asyncio.wait({serving})
            return signalled.result()
