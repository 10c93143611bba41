"""The machine of a session in a sandbox process: it has no network, so the host sends its requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.interp.runtime.system import VirtualSystem
from bashkit.network import NetworkPolicy
from bashkit.network.wire import pack_request, unpack_error, unpack_response

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.network.client import Request, Response
    from bashkit.worker.serving import Server


class SandboxSystem(VirtualSystem):
    """A VirtualSystem whose requests go through the host.

    Args:
        server: The way to the host.
        settings: What the host says of the session.
        clock: Seconds since the epoch.
    """

    __slots__ = ("_server",)

    def __init__(self, server: Server, settings: dict[str, Any], clock: Callable[[], float]) -> None:
        super().__init__(settings["username"], settings["hostname"], clock)
        self._server = server
        self.network = None if settings["network"] is None else NetworkPolicy(**settings["network"])

    async def fetch(self, policy: NetworkPolicy, request: Request) -> Response:  # noqa: ARG002 - the host has its own
        """Have the host send a request.

        Raises:
            HttpError: It fails, or the policy does not allow it.
        """
        from asyncio import to_thread

        fields, data = pack_request(request)
        frame = await to_thread(self._server.ask, "fetch", fields, data=data)
        failed, value = frame.fields[2:]
        if failed:
            raise unpack_error(value)
        request.charge(len(frame.data))
        return unpack_response(value, bytes(frame.data))
