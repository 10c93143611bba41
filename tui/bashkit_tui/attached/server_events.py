"""The events of a server (``bashkit serve --transport http``), and the answers to what it asks."""

from __future__ import annotations

import asyncio
import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bashkit.errors import BashkitError
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

_SILENCE = 40.0  # seconds without a sign of life after which a connection is lost; the server gives one every 15
_CONNECTING = 10.0  # seconds
_PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0)  # seconds before the first, second, … try to connect again
_LONGEST = 1_000_000  # characters of one event


class RefusedError(Exception):
    """The server does not let this observer follow it; to try again is no use."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server is, and who asks.

    Attributes:
        url: Its address without a path.
        token: The bearer token, or "".
    """

    url: str
    token: str = ""

    @classmethod
    def at(cls, address: str, token: str = "") -> Server:
        """The server at an address, which may be that of its MCP endpoint.

        Raises:
            BashkitError: It is not the address of an HTTP server.
        """
        try:
            parts = urlsplit(address)
            known = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            known = False
        if not known:
            raise BashkitError(f"{address!r} is not the address of a server; write one as in http://127.0.0.1:8000")
        return cls(address.partition("?")[0].rstrip("/").removesuffix("/mcp"), token)

    def client(self) -> Any:
        """A client of httpx for this server.

        Raises:
            BashkitError: httpx is not installed.
        """
        try:
            import httpx
        except ModuleNotFoundError:
            raise BashkitError("following a server needs an extra: pip install 'bashkit-toolsets[http]'") from None
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        timeout = httpx.Timeout(_SILENCE, connect=_CONNECTING)
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=timeout, trust_env=not self._local)

    @property
    def _local(self) -> bool:
        """Whether it is on this machine, which no proxy leads to."""
        name = urlsplit(self.url).hostname or ""
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name == "localhost"

    async def events(self, lost: Callable[[str, float], None]) -> AsyncIterator[dict[str, Any]]:
        """Every event, for ever: a connection that is lost is made again.

        Args:
            lost: Is told why there is no connection, and after how many seconds the next one is tried.

        Raises:
            RefusedError: The server does not let this observer follow it.
        """
        tries = 0
        async with self.client() as client:
            while True:
                try:
                    async for event in self._stream(client):
                        tries = 0
                        yield event
                    reason = "the server has ended it"
                except ConnectionError as error:
                    reason = str(error)
                pause = _PAUSES[min(tries, len(_PAUSES) - 1)]
                tries += 1
                lost(reason, pause)
                await asyncio.sleep(pause)

    async def _stream(self, client: Any) -> AsyncIterator[dict[str, Any]]:
        """The events of one connection.

        Raises:
            ConnectionError: It cannot be made, or is lost.
            RefusedError: The server does not let this observer follow it.
        """
        import httpx

        try:
            async with client.stream("GET", "/observe") as response:
                _check(response.status_code)
                async for line in response.aiter_lines():
                    if line.startswith("data:") and len(line) <= _LONGEST:
                        event = json_text.decode_object(line[5:])
                        if event is not None:
                            yield event
        except httpx.HTTPError as error:
            raise ConnectionError(_reason(error)) from error

    async def answer(self, question: str, *, allow: bool) -> str:
        """Answer a question; return what went wrong, or ""."""
        import httpx

        try:
            async with self.client() as client:
                response = await client.post("/observe/answer", json={"question": question, "allow": allow})
        except httpx.HTTPError as error:
            return f"The answer did not reach the server: {_reason(error)}"
        if response.status_code == httpx.codes.NOT_FOUND:
            return "The call does not wait for an answer any more."
        return "" if response.is_success else f"The server did not take the answer: status {response.status_code}"


def _check(status: int) -> None:
    if status == 401:
        raise RefusedError("The server wants a token: pass --token-file FILE, or put it into $BASHKIT_TOKENS.")
    if status == 404:
        raise RefusedError("There is nothing to follow at this address: it is no 'bashkit serve', or one before 0.2.")
    if status in {403, 421}:
        raise RefusedError("The server does not know itself by this address: 'bashkit serve --allow-host NAME' adds one.")
    if status != 200:
        raise ConnectionError(f"the server answers with status {status}")


def _reason(error: Exception) -> str:
    import httpx

    if isinstance(error, httpx.ConnectTimeout | httpx.ReadTimeout):
        return "the server does not answer"
    if isinstance(error, httpx.ConnectError):
        return "nobody listens there"
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError):
        return "the connection was cut"
    return " ".join(str(error).split()) or type(error).__name__
