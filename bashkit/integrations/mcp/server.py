"""The MCP server: its methods, over any transport of the SDK."""

from __future__ import annotations

import difflib
import logging
from typing import TYPE_CHECKING, Any

from mcp import MCPError, types
from mcp.server import NotificationOptions, Server
from mcp.server.subscriptions import ListenHandler
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, UNSUPPORTED_PROTOCOL_VERSION
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

import bashkit
from bashkit.errors import BashkitError
from bashkit.integrations.mcp import resources
from bashkit.integrations.mcp.clients import Clients, ask, asks, is_modern, question
from bashkit.integrations.mcp.guard import owner_of
from bashkit.integrations.mcp.observers import Observed
from bashkit.integrations.mcp.reports import LEVELS, Reports
from bashkit.integrations.mcp.running import RunningCall
from bashkit.tools import json_text
from bashkit.tools.json_text import clean, clean_all
from bashkit.tools.offer.calls import mcp_result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from mcp.server.context import CallNext, HandlerResult
    from mcp.server.models import InitializationOptions

    from bashkit.integrations.mcp.catalog import Entry
    from bashkit.integrations.mcp.clients import Context
    from bashkit.integrations.mcp.service import Service
    from bashkit.integrations.mcp.session import Session
    from bashkit.integrations.mcp.shell import Changes, Shell

log = logging.getLogger("bashkit.mcp")

SESSION_HEADER = "Bashkit-Session"
_APPROVAL = "approval"  # the key of the question in a result that asks
_LONGEST = 255  # characters of a name that somebody may have mistyped
_SUBSCRIPTIONS = 1_000  # of one client
_LISTENING = 4_000  # streams of all clients together
_LONGEST_URI = 16_384  # characters of what one subscribes to
_PATHS = 1_000  # that a result names
_TOO_MANY = f"a client has at most {_SUBSCRIPTIONS} subscriptions, of {_LONGEST_URI} characters each"


class BashkitServer(Server[Any]):
    """A server of the SDK that says of every list that it may change."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """What the server tells of itself."""
        told = notification_options or NotificationOptions(True, True, True)
        return super().create_initialization_options(told, experimental_capabilities, extensions)


def make_server(service: Service) -> BashkitServer:
    """The server of a service."""
    return _Methods(service).server


def _instructions(service: Service) -> str:
    entries = [entry for entry in service.catalog.entries.values() if entry.scripts]
    names = [entry.name for entry in entries]
    if not names:
        return "Each tool is a command of a toolset and takes named arguments."
    return f"Call {' or '.join(names)} with {' or '.join(dict.fromkeys(entry.taking for entry in entries))}."


class _Methods:
    """The methods of a server."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._clients = Clients()
        self._own: Session | None = None
        service.on_change.append(self._clients.tell_lists_changed)
        name = "-".join(service.catalog.toolsets) or "bashkit"
        self.server = BashkitServer(name, version=bashkit.__version__, instructions=_instructions(service))
        self.server.middleware.append(self._checked)
        self._listening = ListenHandler(self._clients.bus, max_subscriptions=_LISTENING)
        for method, params, handler in (
            ("tools/list", types.PaginatedRequestParams, self._list_tools),
            ("tools/call", types.CallToolRequestParams, self._call_tool),
            ("prompts/list", types.PaginatedRequestParams, self._list_prompts),
            ("prompts/get", types.GetPromptRequestParams, self._get_prompt),
            ("resources/list", types.PaginatedRequestParams, self._list_resources),
            ("resources/templates/list", types.PaginatedRequestParams, self._list_templates),
            ("resources/read", types.ReadResourceRequestParams, self._read_resource),
            ("resources/subscribe", types.SubscribeRequestParams, self._subscribe),
            ("resources/unsubscribe", types.UnsubscribeRequestParams, self._unsubscribe),
            ("logging/setLevel", types.SetLevelRequestParams, self._set_level),
            ("subscriptions/listen", types.SubscriptionsListenRequestParams, self._listen),
        ):
            self._add(method, params, handler)

    def _add(self, method: str, params: Any, handler: Callable[[Context, Any], Awaitable[HandlerResult]]) -> None:
        async def handled(context: Context, wanted: Any) -> HandlerResult:
            self._check_unread(context)
            try:
                return await handler(context, wanted)
            except ValidationError as error:  # the SDK would blame the client for it, and log nothing
                log.exception("%s has no result that the protocol allows", method)
                raise MCPError(INTERNAL_ERROR, "Internal error") from error
            except BashkitError as error:
                raise MCPError(INTERNAL_ERROR, clean(str(error))) from error

        self.server.add_request_handler(method, params, handled)

    async def _checked(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Know the client, and have it read its answers; where sessions need a connection, have clients without one make one."""
        settings = self._service.settings
        if settings.shared and settings.sessions and is_modern(ctx):
            supported = {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": ctx.protocol_version}
            raise MCPError(UNSUPPORTED_PROTOCOL_VERSION, "sessions need a connection that begins with initialize", supported)
        self._clients.of(ctx)
        result = await call_next(ctx)
        if ctx.request is not None:
            await self._service.unread.admit(owner_of(ctx.request), result, _exchange(ctx))
        return result

    def _check_unread(self, context: Context) -> None:
        if self._service.unread.too_many(owner_of(context.request)):
            raise MCPError(INTERNAL_ERROR, "too many large answers of this client wait to be read; read them, and try again")

    # -- tools ---------------------------------------------------------------------------------------------------------

    async def _list_tools(self, _context: Context, _params: types.PaginatedRequestParams) -> types.ListToolsResult:
        listed = [entry.listed() for entry in self._service.catalog.entries.values()]
        return types.ListToolsResult.model_validate({"tools": listed})

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> HandlerResult:
        arguments = params.arguments or {}
        if params.request_state is not None:
            call = self._taken_back(context, params, params.request_state, arguments)
        else:
            call = self._begun(context, params.name, arguments)
        gone = _exchange(context)
        gone.append(call.stop)
        try:
            return await self._followed(context, call)
        except BaseException:
            await _shielded(call.stop)
            raise
        finally:
            gone.remove(call.stop)

    def _begun(self, context: Context, name: str, arguments: dict[str, Any]) -> RunningCall:
        if self._service.stopping:
            raise MCPError(INTERNAL_ERROR, "the server is stopping")
        if self._service.full:
            raise MCPError(INTERNAL_ERROR, "too many calls are running; try again later")
        entry = self._entry(name)
        session = self._session_of(context) if entry.lasts else None
        possible = asks(context) and not self._service.parked.full
        observed = Observed(self._service.observers, owner_of(context.request), entry, arguments)
        call = RunningCall(entry, arguments, Reports(self._clients.of(context).level), observed, asks=possible)
        call.reports.attach(context)  # first: an eager task begins at once
        self._service.start(call, session, session.label if session is not None else "")
        return call

    def _entry(self, name: str) -> Entry:
        entries = self._service.catalog.entries
        if name in entries:
            return entries[name]
        close = difflib.get_close_matches(name[:_LONGEST], entries, 1)
        meant = f" (did you mean {close[0]}?)" if close else ""
        raise MCPError(INVALID_PARAMS, f"there is no tool {clean(name)!r}{meant}")

    def _taken_back(
        self, context: Context, params: types.CallToolRequestParams, key: str, arguments: dict[str, Any]
    ) -> RunningCall:
        found = self._service.parked.take(key, params.name, arguments)
        if found is None:
            raise MCPError(INVALID_PARAMS, "no call waits for this answer: it has taken too long, or another server has asked")
        call, asked = found
        call.reports.attach(context)
        answer = (params.input_responses or {}).get(_APPROVAL)
        asked.settle(isinstance(answer, types.ElicitResult) and answer.action == "accept")
        return call

    async def _followed(self, context: Context, call: RunningCall) -> HandlerResult:
        """The result of a call, or a question that must be answered before there is one."""
        while (asked := await call.next_question()) is not None:
            if is_modern(context):
                call.reports.attach(None)
                key = self._service.parked.park(call, asked)
                return types.InputRequiredResult(input_requests={_APPROVAL: question(asked.text)}, request_state=key)
            await call.answer_question(asked, ask(context, asked.text))
        if call.changes is not None:
            await self._tell_files(context, call.entry, call.changes)
        return _result(call)

    # -- sessions ------------------------------------------------------------------------------------------------------

    def _session_of(self, context: Context) -> Session:
        """The session of a client; it lasts as long as its connection, and longer if the client has a name for it."""
        client = self._clients.of(context)
        if client.session is None:
            settings = self._service.settings
            name = _session_name(context) if settings.shared else "stdio"
            client.session = self._service.session(name, owner_of(context.request))
            if not settings.shared:
                self._own = client.session  # of all connections: there are many where each request is one
        return client.session

    async def _shells(self, context: Context) -> Mapping[str, Shell]:
        """The shells of the session of a client, if it has one."""
        lasting = any(entry.lasts for entry in self._service.catalog.entries.values())
        return await self._service.shells(self._session_of(context)) if lasting else {}

    async def _tell_files(self, context: Context, entry: Entry, changes: Changes) -> None:
        session = self._session_of(context)
        await self._clients.tell_updated([resources.file_uri(entry.key, path) for path in changes.paths], session)
        if changes.listing:
            await self._clients.tell_listed(session)

    # -- prompts -------------------------------------------------------------------------------------------------------

    async def _list_prompts(self, _context: Context, _params: types.PaginatedRequestParams) -> types.ListPromptsResult:
        toolsets = self._service.catalog.toolsets
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(name=key, description=toolset.description or f"How to use {toolset.name}")
                for key, toolset in toolsets.items()
            ]
        )

    async def _get_prompt(self, _context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        catalog = self._service.catalog
        if params.name not in catalog.prompts:
            raise MCPError(INVALID_PARAMS, f"there is no prompt {clean(params.name)!r}")
        content = types.TextContent(text=clean(catalog.prompts[params.name]))
        return types.GetPromptResult(
            description=catalog.toolsets[params.name].description, messages=[types.PromptMessage(role="user", content=content)]
        )

    # -- resources -----------------------------------------------------------------------------------------------------

    async def _list_resources(self, context: Context, _params: types.PaginatedRequestParams) -> types.ListResourcesResult:
        found = resources.listed(self._service.catalog, await self._shells(context))
        return types.ListResourcesResult.model_validate({"resources": found})

    async def _list_templates(self, _: Context, _params: types.PaginatedRequestParams) -> types.ListResourceTemplatesResult:
        found = resources.templates(self._service.catalog)
        return types.ListResourceTemplatesResult.model_validate({"resourceTemplates": found})

    async def _read_resource(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        shells = await self._shells(context)
        self._check_unread(context)  # others may have been answered meanwhile
        found = resources.read(self._service.catalog, shells, str(params.uri))
        if found is None:
            raise MCPError(INVALID_PARAMS, f"there is no resource {clean(str(params.uri))}")
        return types.ReadResourceResult.model_validate({"contents": [found]})

    async def _subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        subscribed, uri = self._clients.of(context).subscribed, str(params.uri)
        if len(uri) > _LONGEST_URI or (len(subscribed) >= _SUBSCRIPTIONS and uri not in subscribed):
            raise MCPError(INVALID_PARAMS, _TOO_MANY)
        subscribed.add(uri)
        return types.EmptyResult()

    async def _listen(self, context: Context, params: types.SubscriptionsListenRequestParams) -> types.SubscriptionsListenResult:
        uris = params.notifications.resource_subscriptions or ()
        if len(uris) > _SUBSCRIPTIONS or any(len(uri) > _LONGEST_URI for uri in uris):
            raise MCPError(INVALID_PARAMS, _TOO_MANY)
        return await self._listening(context, params)

    async def _unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self._clients.of(context).subscribed.discard(str(params.uri))
        return types.EmptyResult()

    # -- logging -------------------------------------------------------------------------------------------------------

    async def _set_level(self, context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        assert params.level in LEVELS
        self._clients.of(context).level = params.level
        return types.EmptyResult()


def _exchange(context: Context) -> list[Any]:
    """What ends when the HTTP exchange of a request ends, whether it was answered or not."""
    scope = getattr(context.request, "scope", None)
    found: list[Any] = scope.setdefault("bashkit.calls", []) if isinstance(scope, dict) else []
    return found


def _session_name(context: Context) -> str | None:
    """The name that an HTTP client has for its session, apart from the names of those with other tokens; None if it has none."""
    name = context.request.headers.get(SESSION_HEADER) if context.request is not None else None
    if not name:
        return None
    return f"named {owner_of(context.request)} {name}"


async def _shielded(work: Callable[[], Awaitable[None]]) -> None:
    import anyio

    with anyio.CancelScope(shield=True):
        await work()


def _result(call: RunningCall) -> types.CallToolResult:
    """The result of ``tools/call``."""
    answer = call.answer
    assert answer is not None
    found: dict[str, Any] = clean_all(mcp_result(answer))
    structured = found.get("structuredContent")
    if structured is None and not answer.failed and call.entry.offered.output_schema is not None:
        found["isError"] = True  # a client refuses a result that does not obey the schema, and its model would see nothing of it
    if structured is not None and call.changes is not None:
        paths = call.changes.paths
        left_out = [f"… and {len(paths) - _PATHS} more"] if len(paths) > _PATHS else []
        structured["files"] = [*map(clean, paths[:_PATHS]), *left_out]
        found["content"] = [{"type": "text", "text": json_text.encode(structured)}]
    return types.CallToolResult.model_validate(found)
