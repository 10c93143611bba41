"""Service: the tools, sessions and calls behind an MCP server, whatever it is reached by."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakValueDictionary

import bashkit
from bashkit.errors import BashkitError
from bashkit.integrations.mcp.catalog import Catalog
from bashkit.integrations.mcp.kept import KeptSessions
from bashkit.integrations.mcp.lines import Lines
from bashkit.integrations.mcp.metrics import CallRecord, Metrics
from bashkit.integrations.mcp.observers import Observers
from bashkit.integrations.mcp.parked import ParkedCalls
from bashkit.integrations.mcp.session import Session
from bashkit.integrations.mcp.unread import UnreadAnswers
from bashkit.integrations.mcp.watching import Watch, reloaded
from bashkit.tools.call.policy import Policy, effects_of
from bashkit.toolset.loading import open_toolset

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path
    from types import TracebackType

    from bashkit.bash.bash import Isolation
    from bashkit.integrations.mcp.running import RunningCall
    from bashkit.integrations.mcp.shell import Shell
    from bashkit.tools.offer import Exposure
    from bashkit.toolset.toolset import Toolset

MOST_CALLS = 1_000  # calls that run at the same time

log = logging.getLogger("bashkit.mcp")


@dataclass(frozen=True, slots=True)
class Settings:
    """What is served, and how.

    Attributes:
        paths: The toolset files, or directories of executables.
        expose: ``bash``: the tool that takes scripts; ``tools``: each command by itself; ``both``.
        discovery: Add the tool that searches the commands.
        isolation: Where scripts run; None: as the toolset says.
        shared: Many clients share the server, as over HTTP; else one client has it to itself, and so its session.
        sessions: Each client has a shell that lasts from one call to the next. A client that has the server to itself has one
            also for the toolsets that say so.
        folder: Where sessions are saved; None to keep them in memory.
        allow: The effects of calls that need no approval, as ``--allow`` names them.
        reload: Seconds between two looks for changed files; None not to look.
        max_sessions_bytes: What all sessions may take of memory between their calls. Beyond that those are put away in ``folder``
            that were not used for longest, of the clients that take more than their share; without a folder they end.
    """

    paths: tuple[Path, ...]
    expose: Exposure = "bash"
    discovery: bool = False
    isolation: Isolation | None = None
    shared: bool = False
    sessions: bool = False
    folder: Path | None = None
    allow: tuple[str, ...] = ()
    reload: float | None = 1.0
    max_sessions_bytes: int = 2 << 30


class Service:
    """The tools, sessions and calls behind a server; an async context manager.

    Args:
        settings: What is served.

    Attributes:
        catalog: The tools.
        parked: The calls that wait for a person.
        metrics: The counters.
        observers: Who follows the calls.
        unread: The large answers that clients have not read yet.
        stopping: No more calls are taken.
        on_record: Called with the record of every call.
        on_change: Awaited when the tools have changed.

    Raises:
        ToolsetError: A toolset has mistakes.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.parked = ParkedCalls()
        self.metrics = Metrics()
        self.observers = Observers()
        self.unread = UnreadAnswers()
        self.on_record: Callable[[CallRecord], None] | None = None
        self.on_change: list[Callable[[], Awaitable[None]]] = []
        self.stopping = False
        self._lines = Lines(self._options)
        self._calls: set[RunningCall] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._watching: asyncio.Task[None] | None = None
        self._retired: list[Toolset] = []
        self._closing: set[asyncio.Task[None]] = set()
        self._sessions: WeakValueDictionary[str, Session] = WeakValueDictionary()
        self._kept = KeptSessions(settings.max_sessions_bytes, self.metrics.sessions_take)
        self._adopt([open_toolset(path) for path in settings.paths])

    def _adopt(self, toolsets: list[Toolset]) -> None:
        settings = self.settings
        self.catalog = Catalog(toolsets, settings.expose, discovery=settings.discovery, lasts=self._lasts)
        self.observers.told = {"bashkit": bashkit.__version__, "toolsets": list(self.catalog.toolsets)}
        self._watch = Watch(toolsets)
        for message in [*self.catalog.renamed, *(str(warning) for toolset in toolsets for warning in toolset.warnings)]:
            log.warning("%s", message)

    def _lasts(self, toolset: Toolset) -> bool:
        """Whether the shell of a toolset lasts from one call to the next."""
        return self.settings.sessions or (not self.settings.shared and bool(toolset.options.get("persistent")))

    def _options(self, toolset: Toolset) -> dict[str, Any]:
        """The arguments of ScriptedTool that the settings decide."""
        options: dict[str, Any] = {} if self.settings.isolation is None else {"isolation": self.settings.isolation}
        if self.settings.allow:
            policy: Policy = toolset.options.get("policy") or Policy()
            options["policy"] = policy.allowing(effects_of(name) for name in self.settings.allow)
        return options

    # -- while it serves -----------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        if self.settings.reload is not None:
            self._watching = asyncio.create_task(self._keep_watching(self.settings.reload))
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait({self._watching})
        await self.stop(0)
        self._retired += self.catalog.toolsets.values()
        self._close_retired()
        await asyncio.gather(*self._closing)

    async def stop(self, patience: float) -> None:
        """Take no more calls, wait for those that run, and end those that take too long.

        Args:
            patience: Seconds that the running calls have.
        """
        self.stopping = True
        await self.parked.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._idle.wait()
        await asyncio.gather(*(call.stop() for call in self._calls))
        self.observers.close()

    async def _keep_watching(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                if await asyncio.to_thread(self._watch.changed):
                    await self.reload()
            except Exception:
                log.exception("the toolsets cannot be loaded again")

    async def reload(self) -> bool:
        """Load the toolsets again; those that were loaded before stay if there are mistakes. Return whether all is well."""
        toolsets, problems = await asyncio.to_thread(reloaded, self.settings.paths)
        if problems:
            for problem in problems:
                log.error("%s", problem)
            return False
        old = self.catalog.toolsets.values()
        try:
            self._adopt(toolsets)
        except BashkitError as error:
            log.error("%s", error)  # noqa: TRY400 - it is a mistake in a file, not in the program
            return False
        self._retired += old
        self._lines.clear()
        self._close_retired()
        log.info("the tools were loaded again")
        for tell in self.on_change:
            await tell()
        return True

    def _close_retired(self) -> None:
        """Close the toolsets that were replaced, once no call can use them."""
        while self._retired and not self._calls:
            closing = asyncio.create_task(asyncio.to_thread(self._retired.pop().close))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    # -- calls ---------------------------------------------------------------------------------------------------------

    def session(self, name: str | None, owner: str = "") -> Session:
        """The session of that name: the same one for all that use it at the same time. Without a name it is a new one, to which
        nobody can come back, and which is saved only while it is put away.

        Args:
            name: The name, which no two clients share.
            owner: The client.
        """
        if name is None:
            return Session(self._options, self.settings.folder, secrets.token_hex(16), owner, lasting=False)
        found = self._sessions.get(name)
        if found is None:
            found = self._sessions[name] = Session(self._options, self.settings.folder, name, owner)
        return found

    async def shells(self, session: Session) -> Mapping[str, Shell]:
        """The shells of a session, here again if they were put away.

        Raises:
            BashkitError: They cannot be restored, or there is no room for them.
        """
        if session.away:
            await self._kept.make_room(session)
        try:
            return await session.shells()
        finally:
            self._kept.note(session)

    @property
    def full(self) -> bool:
        """Whether there is no room for another call."""
        return len(self._calls) >= MOST_CALLS

    def start(self, call: RunningCall, session: Session | None, label: str) -> None:
        """Begin a call.

        Args:
            call: The call.
            session: The shells of its client, or None.
            label: What records call the client's session.
        """
        self._calls.add(call)
        self._idle.clear()
        self.metrics.running = len(self._calls)
        call.observed.session = label
        call.start(partial(self._answer, call, session), partial(self._ended, call, label))

    async def _answer(self, call: RunningCall, session: Session | None) -> None:
        with self.observers.following(call.observed):
            if session is not None:
                await self._kept.make_room(session)
                try:
                    call.answer, call.changes = await session.call(call.entry, call.arguments, call)
                finally:
                    self._kept.note(session)
            else:
                call.answer = await self._lines.call(call.entry, call.arguments, call)

    def _ended(self, call: RunningCall, label: str) -> None:
        self._calls.discard(call)
        self.metrics.running = len(self._calls)
        if not self._calls:
            self._idle.set()
            self._close_retired()
        seconds = time.monotonic() - call.began
        call.observed.over(call.answer, seconds, len(call.tools))
        record = CallRecord.of(call.entry, call.answer, seconds, call.tools, label)
        self.metrics.count(record)
        if self.on_record is not None:
            self.on_record(record)
