"""Clients: what a server knows of each connection, and how it tells all of them that something has changed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from mcp import MCPError, types
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext

    from bashkit.integrations.mcp.session import Session

    Context = ServerRequestContext[Any, Any]

_PATIENCE = 5.0  # seconds that a client has to read a notification
_STATE = "bashkit"  # the key of a Client in the state of its connection


@dataclass(slots=True, eq=False)
class Client:
    """A client, for as long as its connection lasts.

    Attributes:
        connection: Its connection.
        session: Its shells, if it has any.
        level: The least level of log messages that it wants.
        subscribed: The URIs of the resources whose changes it wants to know.
    """

    connection: Connection
    session: Session | None = None
    level: str = "info"
    subscribed: set[str] = field(default_factory=set)


def is_modern(context: Context) -> bool:
    """Whether the request is one of those that need no connection (2026-07-28)."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


class Clients:
    """The clients of a server."""

    def __init__(self) -> None:
        self._clients: set[Client] = set()
        self.bus = InMemorySubscriptionBus()

    def of(self, context: Context) -> Client:
        """The client that makes a request. Without a connection that lasts it is another one for each request."""
        connection = context.session._connection  # noqa: SLF001 - the SDK has no public way to it yet
        found = cast("Client | None", connection.state.get(_STATE))
        if found is None:
            found = connection.state[_STATE] = Client(connection)
            self._clients.add(found)
            connection.exit_stack.callback(self._leave, found)
        return found

    def _leave(self, client: Client) -> None:
        self._clients.discard(client)
        client.session = None  # who refers to the client by its connection does not keep the shells

    async def tell_lists_changed(self) -> None:
        """Tell all clients that tools, prompts and resources may be others now."""
        await _told(_tell_lists(client.connection) for client in self._clients)
        for event in (ToolsListChanged(), PromptsListChanged(), ResourcesListChanged()):
            await self.bus.publish(event)

    async def tell_updated(self, uris: Iterable[str], session: Session) -> None:
        """Tell the clients of a session which of its resources have changed."""
        changed = set(uris)
        await _told(_tell_resources(client.connection, changed & client.subscribed) for client in self._sharing(session))
        for uri in sorted(changed):
            await self.bus.publish(ResourceUpdated(uri))

    async def tell_listed(self, session: Session) -> None:
        """Tell the clients of a session that it has other resources now."""
        await _told(client.connection.send_resource_list_changed() for client in self._sharing(session))
        await self.bus.publish(ResourcesListChanged())

    def _sharing(self, session: Session) -> list[Client]:
        return [client for client in self._clients if client.session is session]


async def _tell_lists(connection: Connection) -> None:
    await connection.send_tool_list_changed()
    await connection.send_prompt_list_changed()
    await connection.send_resource_list_changed()


async def _tell_resources(connection: Connection, uris: Iterable[str]) -> None:
    for uri in sorted(uris):
        await connection.send_resource_updated(uri)


async def _told(messages: Iterable[Awaitable[None]]) -> None:
    """Send messages to clients; one that does not read them holds nobody up for long."""

    async def send(message: Awaitable[None]) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await message

    await asyncio.gather(*map(send, list(messages)))


def asks(context: Context) -> bool:
    """Whether the person behind a client can be asked."""
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    return is_modern(context) or context.session.can_send_request


def question(text: str) -> types.ElicitRequest:
    """A question that is answered by accepting or declining."""
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=text, requested_schema=schema))


async def ask(context: Context, text: str) -> bool:
    """Ask on the connection of a request."""
    asked = question(text).params
    assert isinstance(asked, types.ElicitRequestFormParams)
    try:
        answer = await context.session.elicit_form(asked.message, asked.requested_schema, context.request_id)
    except MCPError:
        return False
    return answer.action == "accept"
