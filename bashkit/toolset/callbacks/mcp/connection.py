"""The connection to an MCP server: a thread with its own event loop, so that any loop and any thread can call."""

from __future__ import annotations

import asyncio
import logging
import threading
import weakref
from concurrent.futures import Future, wait
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolError
from bashkit.toolset.callbacks.executable.process import environment
from bashkit.toolset.callbacks.http import template as request
from bashkit.toolset.source import WAITING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    import httpx2

    from bashkit.toolset.callbacks.mcp.dialogue import Dialogue
    from bashkit.toolset.callbacks.mcp.server import McpServer
    from bashkit.toolset.callbacks.mcp.stdio import Server

_TIMED_OUT = 124
_NOT_FOUND = 127
_MAX_PAGES = 100
_MAX_TOOLS = 10_000
_PING = 2.0  # seconds to answer a ping
_SOON = 1.0  # seconds after which somebody at a terminal wonders
_NO_SESSION = 404  # what MCP has a server answer that does not know the session; many answer 400
_BAD_REQUEST = 400
_WRONG_PLACE = frozenset({404, 405})
# what the SDK says of such a status, which says less than the status
_STAND_INS = frozenset({"Server returned an error response", "Not Found", "Session terminated"})
_LOGGERS = ("mcp", "client")  # of the SDK: what goes wrong is told by us, and without a handler Python would print it
_UNREADABLE = "Failed to parse JSON response"
_FORGOT = "the MCP server was started again: what it had in memory is lost"
_MISSING = "the MCP SDK is missing: pip install 'bashkit-toolsets[mcp]' adds it"


class _Session:
    """One session with a server: a thread, its event loop and the SDK's session in it.

    Args:
        server: How it is reached.
        env: Its environment.
        version: As in Connection, when the session begins.

    Attributes:
        ready: Has the SDK's session once it is open.
        process: The server, if it was started for the session.
        listed: The tools after the server's last word that they have changed; None before.
        version: As in Connection.
        used: A tool was called.
        lost: The server, which has an address, no longer knows the session.
        resources: The resources and templates, one per line; None before they were listed.
    """

    def __init__(self, server: McpServer, env: Mapping[str, str], version: int) -> None:
        self.ready: Future[Any] = Future()
        self._over = False
        self.process: Server | None = None
        self.listed: list[dict[str, Any]] | None = None
        self.version = version
        self._listing: asyncio.Task[None] | None = None
        self._stale = False
        self.resources: list[str] | None = None
        self.used = False
        self.lost = False
        self._refusal: httpx2.Response | None = None  # the last answer to a message, if it was one
        self._dialogues: list[Dialogue] = []
        self._server = server
        self._env = env
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="bashkit-mcp", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether it has ended; that of the process from which this one was forked is over here."""
        return self._over or not self._thread.is_alive()

    def submit(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Run a coroutine in the session's loop.

        Raises:
            RuntimeError: The session is over.
        """
        if self.over:
            work.close()
            raise RuntimeError("the session is over")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def call(self, name: str, arguments: dict[str, Any], dialogue: Dialogue) -> Any:
        """Call a tool. If that changes the server's tools, the new ones are known when the call returns."""
        self.used = True
        self._dialogues.append(dialogue)
        try:
            result = await self.ready.result().call_tool(name, arguments, progress_callback=dialogue.progress)
        finally:
            self._dialogues.remove(dialogue)
        if self._listing is not None:
            await asyncio.wait([self._listing], timeout=self._server.timeout)
        return result

    async def elicit(self, question: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
        """Put a question of the server to the host of the call that runs; None if there is no answer.

        The server does not say which of several calls it asks for, and another call's host must not answer.
        """
        if len(self._dialogues) == 1:
            return await self._dialogues[0].elicit(question, schema)
        self.refuse(f"the server asked: {question}: several calls are running, and it does not say which of them it is for")
        return None

    def refuse(self, what: str) -> None:
        """Note in the calls that run what is refused to the server."""
        for dialogue in self._dialogues:
            dialogue.note(what)

    async def _hear(self, message: Any) -> None:
        """Take a notification of the server."""
        from mcp.types import ToolListChangedNotification

        if isinstance(message, ToolListChangedNotification):
            self._stale = True
            if self._listing is None:
                self._listing = asyncio.create_task(self._list_again())

    async def _list_again(self) -> None:
        """List the tools until they have not changed meanwhile."""
        client = await asyncio.wrap_future(self.ready)
        with suppress(Exception):  # the old tools stay; a call says what is wrong with the server
            while self._stale:
                self._stale = False
                async with asyncio.timeout(self._server.timeout):
                    self.listed = await _all_tools(client)
                self.version += 1
        self._listing = None

    def end(self) -> None:
        """Stop the server and wait until it has ended."""
        self._over = True
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop.set)
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)

    def kill(self) -> None:
        """Kill a server that does not answer, and give up the session."""
        self._over = True
        if self.process is not None:
            self.process.reason = self.process.reason or "it hangs"
            self.process.kill()
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop.set)

    def said(self) -> str:
        """The reason why the server was aborted and the end of its standard error, to explain a failure."""
        if self.process is None:
            return ""
        parts = [self.process.reason, f"it wrote: {self.process.stderr}" if self.process.stderr else ""]
        text = "; ".join(part for part in parts if part)
        return f" ({text})" if text else ""

    def reason(self, error: BaseException) -> str:
        """What went wrong; of a server with an address, the status of its answer."""
        text = str(_plain(error))
        if text.startswith(_UNREADABLE):
            return "what it answers is no message of MCP"
        if self._refusal is None or text not in _STAND_INS:
            return text
        text = f"it answers {self._refusal.status_code} {self._refusal.reason_phrase}".rstrip()
        if self._refusal.status_code in _WRONG_PLACE and not self.ready.done():
            text += "; is this the address of MCP over HTTP? The older transport, SSE, is not supported"
        return text

    async def _look(self, response: httpx2.Response) -> None:
        """Note how a server with an address answers messages."""
        if response.request.method != "POST":
            return
        status = response.status_code
        self._refusal = response if status >= _BAD_REQUEST else None
        if "mcp-session-id" in response.request.headers and (
            status == _NO_SESSION or (status == _BAD_REQUEST and b"session" in (await response.aread()).lower())
        ):
            self.lost = True

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:  # also for an exception group from the SDK's tasks
            self._fail(error)
        finally:
            self._over = True
            self._fail(ToolError("the MCP server has ended"))
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            with suppress(Exception):
                self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    def _fail(self, error: BaseException) -> None:
        if not self.ready.done():
            self.ready.set_exception(_plain(error))

    async def _serve(self) -> None:
        from bashkit.toolset.callbacks.mcp.client import Client

        for name in _LOGGERS:
            if not (logger := logging.getLogger(name)).handlers:
                logger.addHandler(logging.NullHandler())
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self._server.timeout):
                    streams = await self._streams(stack)
                    session = await stack.enter_async_context(Client(self, *streams, message_handler=self._hear))
                    await session.initialize()
            except TimeoutError:
                said = self.said()
                if self.process is not None:
                    self.process.kill()
                raise ToolError(f"the MCP server does not answer within {self._server.timeout:g} s{said}", _TIMED_OUT) from None
            except Exception as error:
                await asyncio.sleep(0.05)  # the server's standard error explains more than the end of its output
                raise ToolError(f"the MCP server cannot be used: {self.reason(error)}{self.said()}") from error
            self.ready.set_result(session)
            ends = [asyncio.ensure_future(self._stop.wait())]
            if self.process is not None:
                ends.append(asyncio.ensure_future(self.process.ended.wait()))
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            self._over = True
            for task in ends:
                task.cancel()

    async def _streams(self, stack: AsyncExitStack) -> tuple[Any, Any]:
        server = self._server
        if server.command:
            from bashkit.toolset.callbacks.mcp.stdio import connect

            env = environment({**self._env, **server.env})
            reading, writing, self.process = await stack.enter_async_context(connect(server.command, env, server.cwd))
            return reading, writing
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        values = request.Values({}, self._env)
        headers = {name: request.header_of(text, values) or "" for name, text in server.headers.items()}
        url, _ = request.url_of(server.url, values)
        auth = self._auth()
        client = await stack.enter_async_context(
            httpx2.AsyncClient(
                headers=headers,
                auth=auth,
                timeout=httpx2.Timeout(server.timeout, read=None),
                trust_env=False,
                event_hooks={"response": [self._look]},
            )
        )
        return await stack.enter_async_context(streamable_http_client(url, http_client=client))

    def _auth(self) -> httpx2.Auth | None:
        """Who adds tokens to requests; None without a command that prints them."""
        if not self._server.token_command:
            return None
        from bashkit.toolset.callbacks.mcp.token import TokenCommand

        return TokenCommand(self._server, environment({**self._env, **self._server.env}))


class Connection:
    """The connection to a server: opened at the first use, shared by all calls, opened again after the server has ended.

    Args:
        server: How it is reached.
    """

    def __init__(self, server: McpServer) -> None:
        self.server = server
        self._version = 0
        self._forgot = False
        self._lock = threading.Lock()
        self._session: _Session | None = None
        self._finalizer: weakref.finalize[..., Any] | None = None

    @property
    def version(self) -> int:
        """How often the server has said that its tools have changed."""
        session = self._session
        if session is not None:
            self._version = session.version
        return self._version

    def list_tools(self, env: Mapping[str, str]) -> list[dict[str, Any]]:
        """List the server's tools, as MCP describes them.

        Args:
            env: The environment of the server, if it must be started.

        Raises:
            ToolError: The server cannot be reached, or does not answer in time.
        """
        session = self._connected(env)
        patience = self.server.timeout
        try:
            if not wait([session.ready], timeout=_SOON).done:
                logging.getLogger(WAITING).info("waiting for the MCP server %s", self.server.title)
            client = session.ready.result(patience + 5)
            if session.listed is not None:
                return session.listed
            tools: list[dict[str, Any]] = session.submit(_all_tools(client)).result(patience)
        except ToolError:
            raise
        except TimeoutError:
            said = session.said()
            session.kill()
            raise ToolError(f"the MCP server does not list its tools within {patience:g} s{said}", _TIMED_OUT) from None
        except Exception as error:
            raise ToolError(f"the MCP server cannot list its tools: {session.reason(error)}{session.said()}") from error
        return tools

    def list_resources(self) -> list[str]:
        """A line for each resource, and each template of resources, of a server whose tools have been listed; [] without any."""
        session = self._session
        if session is None or session.over:
            return []
        if session.resources is None:
            found: list[str] = []
            client = session.ready.result()
            if client.server_capabilities is not None and client.server_capabilities.resources is not None:
                with suppress(Exception):  # such a server can still be called
                    found = session.submit(_all_resources(client)).result(self.server.timeout)
            session.resources = found
        return session.resources

    async def call(
        self, name: str, arguments: Mapping[str, Any], env: Mapping[str, str], patience: float, dialogue: Dialogue
    ) -> Any:
        """Call a tool and return the SDK's result.

        Args:
            name: The tool's name on the server.
            arguments: Its arguments.
            env: As for ``list_tools``.
            patience: Seconds.
            dialogue: The caller's end of the call.

        Raises:
            ToolError: The server cannot be reached, refuses, or does not answer in time.
        """
        return await self._asked(lambda session: session.call(name, dict(arguments), dialogue), env, patience, dialogue)

    async def read_resource(self, uri: str, env: Mapping[str, str], patience: float, dialogue: Dialogue) -> Any:
        """Read a resource and return the SDK's result. Arguments and errors are those of ``call``."""
        return await self._asked(lambda session: session.ready.result().read_resource(uri), env, patience, dialogue)

    async def _asked(
        self,
        ask: Callable[[_Session], Coroutine[Any, Any, Any]],
        env: Mapping[str, str],
        patience: float,
        dialogue: Dialogue,
        *,
        again: bool = False,
    ) -> Any:
        session = self._connected(env)
        if self._forgot:
            self._forgot = False
            dialogue.note(_FORGOT)
        try:
            client = await asyncio.shield(asyncio.wrap_future(session.ready))
            async with asyncio.timeout(patience) as dialogue.clock:
                return await asyncio.wrap_future(session.submit(ask(session)))
        except ToolError:
            raise
        except TimeoutError:
            with suppress(RuntimeError):
                session.submit(_ping_or_kill(session, client))
            raise ToolError(f"timed out after {patience:g} s", _TIMED_OUT) from None
        except Exception as error:
            if session.over or (session.process is not None and session.process.ended.is_set()):
                raise ToolError(f"the MCP server has ended{session.said()}") from error
            if session.lost:
                session.kill()
                if not again:  # the server has done nothing with the message
                    return await self._asked(ask, env, patience, dialogue, again=True)
            raise ToolError(session.reason(error)) from error

    def close(self) -> None:
        """Stop the server; a later call starts it again."""
        with self._lock:
            session, self._session = self._session, None
            if self._finalizer is not None:
                self._finalizer.detach()
        if session is not None:
            session.end()

    def _connected(self, env: Mapping[str, str]) -> _Session:
        installed()
        with self._lock:
            if self._session is None or self._session.over:
                if self._finalizer is not None:
                    self._finalizer.detach()
                self._forgot = self._session is not None and self._session.used
                self._session = _Session(self.server, dict(env), self.version)
                self._finalizer = weakref.finalize(self, _Session.end, self._session)  # also when the interpreter exits
            return self._session


def installed() -> None:
    """Check that the SDK is installed.

    Raises:
        ToolError: It is not.
    """
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise ToolError(_MISSING, _NOT_FOUND) from None


async def _all_tools(client: Any) -> list[dict[str, Any]]:
    from mcp.types import PaginatedRequestParams

    found: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(_MAX_PAGES):
        page = await client.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        found += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
        cursor = page.next_cursor
        if not cursor or len(found) > _MAX_TOOLS:
            break
    return found[:_MAX_TOOLS]


async def _all_resources(client: Any) -> list[str]:
    found = [(one.uri, one) for one in (await client.list_resources()).resources]
    with suppress(Exception):  # a server need not have templates
        found += [(one.uri_template, one) for one in (await client.list_resource_templates()).resource_templates]
    return [f"{uri}  {one.title or one.name}" for uri, one in found]


async def _ping_or_kill(session: _Session, client: Any) -> None:
    """Ping the server after a call has timed out, and kill it if it does not answer."""
    try:
        async with asyncio.timeout(_PING):
            await client.send_ping()
    except Exception:
        session.kill()


def _plain(error: BaseException) -> BaseException:
    """The first exception of a group, which is the cause."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error if isinstance(error, Exception) else ToolError(f"{type(error).__name__}: {error}")
