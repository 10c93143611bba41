"""Session: the shells of one client, whose variables and files last from one call to the next."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import logging
import os
import tempfile
from contextlib import ExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.bash.snapshot import Snapshot
from bashkit.errors import BashkitError, SnapshotError
from bashkit.integrations.mcp.files import changed_files
from bashkit.integrations.mcp.lines import Line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from bashkit.bash import Bash
    from bashkit.integrations.mcp.catalog import Entry
    from bashkit.integrations.mcp.lines import Caller
    from bashkit.tools.offer import Answer
    from bashkit.toolset.toolset import Toolset

log = logging.getLogger("bashkit.mcp")
_MOST_BYTES = 1 << 30  # of a saved shell
_PAUSE = 0.01  # seconds between two looks whether another server's call is over


@dataclass(frozen=True, slots=True)
class Changes:
    """What a call has done to the files of a session.

    Attributes:
        paths: The files that it has made, changed or removed.
        listing: Whether the list of the session's files is another one.
    """

    paths: list[str]
    listing: bool


class Shell:
    """The shell of one toolset in a session.

    Args:
        toolset: The toolset.
        options: Further arguments of ScriptedTool.
        saved: Where the shell goes on from; None for a new one.

    Attributes:
        toolset: The toolset.
        before: The shell as it was when it began.
        now: The shell after the last call; None before the first one.
    """

    def __init__(self, toolset: Toolset, options: Mapping[str, Any], saved: Snapshot | None) -> None:
        self.toolset = toolset
        self.before: Snapshot | None = None
        self.now = saved
        self.turn = asyncio.Lock()
        self._saved = saved
        self._bash: Bash | None = None
        self._line = Line(toolset, {**options, "persistent": True, "on_shell": self._begin})

    def _begin(self, bash: Bash) -> None:
        if self._bash is None:
            self._bash, self.before = bash, bash.snapshot()
            if self._saved is not None:
                bash.restore(self._saved)
            self.now = bash.snapshot()

    def go_on_from(self, saved: Snapshot) -> None:
        """Take over what another server has saved. The caller has the turn."""
        self._saved = self.now = saved
        if self._bash is not None:
            self._bash.restore(saved)

    async def call(self, entry: Entry, arguments: object, caller: Caller) -> tuple[Answer, Changes]:
        """Answer a call; return what it has done to the files, too. The caller has the turn."""
        answer = await self._line.call(entry, arguments, caller)
        last = self.now
        if self._bash is None or last is None:  # the arguments were wrong, and nothing has run
            return answer, Changes([], listing=False)
        listed = self.files()
        self.now = self._bash.snapshot()
        return answer, Changes(changed_files(last, self.now), listing=self.files() != listed)

    def files(self) -> list[str]:
        """The files that scripts have made or changed and not removed."""
        if self.before is None or self.now is None:
            return []
        return changed_files(self.before, self.now)


class Session:
    """The shells of one client.

    Args:
        options: Makes the further arguments of ScriptedTool for a toolset.
        folder: The directory in which the shells are saved after every call; None to keep them in memory. Several servers may
            share it: they take turns, and each call goes on from the last one, whichever server has answered it.
        name: The name of the session in that directory.

    Attributes:
        label: What stands for the session in records; nobody can take over the session who knows it.
    """

    def __init__(self, options: Callable[[Toolset], Mapping[str, Any]], folder: Path | None, name: str) -> None:
        self._options = options
        self._folder = folder
        self._name = name
        self.label = hashlib.sha256(name.encode()).hexdigest()[:12]
        self._shells: dict[str, Shell] = {}
        self._versions: dict[str, tuple[int, int] | None] = {}  # of the saved shells, as they are known here

    async def call(self, entry: Entry, arguments: object, caller: Caller) -> tuple[Answer, Changes]:
        """Answer a call of a bash tool when those before it are answered; return what it has done to the files, too."""
        shell = self._shell(entry)
        alone = nullcontext() if self._folder is None else _alone(self._place(entry.key).with_suffix(".lock"))
        async with shell.turn, alone:
            if self._folder is not None and self._version(entry.key) not in {None, self._versions.get(entry.key)}:
                saved = await asyncio.to_thread(self._restored, entry.key)
                if saved is not None:
                    shell.go_on_from(saved)
            answer, changes = await shell.call(entry, arguments, caller)
            if self._folder is not None and shell.now is not None:
                await self._save(shell.now, self._place(entry.key))
                self._versions[entry.key] = self._version(entry.key)
        return answer, changes

    def shells(self) -> Mapping[str, Shell]:
        """The shells that were used, by the key of their toolset."""
        return self._shells

    def _shell(self, entry: Entry) -> Shell:
        found = self._shells.get(entry.key)
        if found is None or found.toolset is not entry.toolset:
            saved = found.now if found is not None else self._restored(entry.key)
            found = self._shells[entry.key] = Shell(entry.toolset, self._options(entry.toolset), saved)
        return found

    def _version(self, key: str) -> tuple[int, int] | None:
        """What tells one saved shell from the next; None if there is none."""
        try:
            state = self._place(key).stat()
        except OSError:
            return None
        return state.st_ino, state.st_mtime_ns

    def _place(self, key: str) -> Path:
        assert self._folder is not None
        digest = hashlib.sha256(f"{self._name}\n{key}".encode()).hexdigest()[:32]  # a name of the client's is no file name
        return self._folder / f"{digest}.snapshot"

    def _restored(self, key: str) -> Snapshot | None:
        if self._folder is None:
            return None
        place = self._place(key)
        self._versions[key] = self._version(key)
        try:
            return Snapshot.from_bytes(host_files.read_bytes(place, _MOST_BYTES))
        except FileNotFoundError:
            return None
        except (OSError, SnapshotError) as error:
            log.error("%s: %s", place, error)  # noqa: TRY400 - the client is told, too
            raise BashkitError("the session cannot be restored") from error

    async def _save(self, snapshot: Snapshot, place: Path) -> None:
        """Save a shell; if that fails, the client gets its answer nevertheless."""
        try:
            await asyncio.to_thread(_write, snapshot, place)
        except (OSError, SnapshotError) as error:
            log.error("the session is not saved: %s", error)  # noqa: TRY400


@asynccontextmanager
async def _alone(lock: Path) -> AsyncIterator[None]:
    """Wait for the calls of other servers that share the directory; where nothing can be locked, for none."""
    with ExitStack() as closing:
        try:
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            closing.callback(os.close, descriptor)
            while not _taken(descriptor):  # noqa: ASYNC110 - another process has it
                await asyncio.sleep(_PAUSE)
        except OSError as error:
            log.warning("other servers are not waited for: %s", error)
        yield


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(snapshot: Snapshot, place: Path) -> None:
    """Write a file that is there as a whole or not at all."""
    data = snapshot.to_bytes()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=place.parent, prefix=place.stem)  # for its owner only
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(draft).replace(place)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise
