"""The SDK's session as bashkit uses it: questions of a server go to the host of the running call, and sampling is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from mcp import ClientSession
from mcp.types import (
    INVALID_REQUEST,
    CreateMessageRequest,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    ErrorData,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.client.session import ClientRequestContext
    from mcp.types import InputRequest, InputResponse


class Asked(Protocol):
    """Who hears what a server asks."""

    async def elicit(self, question: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the answers to a question, or None if there are none."""
        ...

    def refuse(self, what: str) -> None:
        """Note what is refused to the server."""
        ...


class Client(ClientSession):
    """A session with a server.

    Args:
        asked: Who hears what the server asks.
        reading, writing: Where messages come from and go to.
        message_handler: Called with each notification.
    """

    def __init__(self, asked: Asked, reading: Any, writing: Any, message_handler: Any) -> None:
        super().__init__(reading, writing, elicitation_callback=self._elicit, message_handler=message_handler)
        self._asked = asked

    async def dispatch_input_request(self, ctx: ClientRequestContext, request: InputRequest) -> InputResponse | ErrorData:
        """Answer a request of the server; one for the answer of a model is refused, whatever the server has been told."""
        if isinstance(request, CreateMessageRequest):
            self._asked.refuse("the server asked for the answer of a model (sampling): that is refused")
            return ErrorData(code=INVALID_REQUEST, message="sampling is refused: there is no model for servers here")
        return await super().dispatch_input_request(ctx, request)

    async def _elicit(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:  # noqa: ARG002
        if not isinstance(params, ElicitRequestFormParams):
            self._asked.refuse(f"the server asked to open {params.url}: that is refused")
            return ElicitResult(action="decline")
        content = await self._asked.elicit(params.message, params.requested_schema)
        return ElicitResult(action="decline") if content is None else ElicitResult(action="accept", content=content)
