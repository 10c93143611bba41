"""Session: the shells of one client, whose variables and files last from one call to the next."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import logging
import os
import weakref
from collections import defaultdict
from contextlib import ExitStack, asynccontextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.bash.snapshot import Snapshot
from bashkit.errors import BashkitError, SnapshotError
from bashkit.integrations.mcp.shell import Shell

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from pathlib import Path

    from bashkit.integrations.mcp.catalog import Entry
    from bashkit.integrations.mcp.lines import Caller
    from bashkit.integrations.mcp.shell import Changes
    from bashkit.tools.offer import Answer
    from bashkit.toolset.toolset import Toolset

log = logging.getLogger("bashkit.mcp")
_MOST_BYTES = 1 << 30  # of a saved shell
_ENDED = (
    "the session has ended, and its variables and files are gone: the sessions of this server took more memory than "
    "--max-sessions-bytes; the next call begins a new one"
)
_PAUSE = 0.01  # seconds between two looks at what others do


class Session:
    """The shells of one client.

    Args:
        options: Makes the further arguments of ScriptedTool for a toolset.
        folder: The directory in which the shells are saved; None to keep them in memory.
        name: The name of the session in that directory.
        owner: The client.
        lasting: It is saved after every call, and is there for who comes back with its name. Several servers may share the
            directory: they take turns, and each call goes on from the last one, whichever server has answered it. A session that
            does not last is saved when it is put away, until it ends.

    Attributes:
        owner: The client.
        label: What stands for the session in records; nobody can take over the session who knows it.
    """

    def __init__(
        self,
        options: Callable[[Toolset], Mapping[str, Any]],
        folder: Path | None,
        name: str,
        owner: str = "",
        *,
        lasting: bool = True,
    ) -> None:
        self._options = options
        self._folder = folder
        self._name = name
        self.owner = owner
        self._lasting = lasting and folder is not None
        self.label = hashlib.sha256(name.encode()).hexdigest()[:12]
        self._shells: dict[str, Shell] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._versions: dict[str, tuple[int, int] | None] = {}  # of the saved shells, as they are known here
        self._unsaved: set[str] = set()  # those that were used since they were saved
        own = () if self._lasting or folder is None else (folder, name)
        weakref.finalize(self, _end, self._shells, own).atexit = False

    async def call(self, entry: Entry, arguments: object, caller: Caller) -> tuple[Answer, Changes]:
        """Answer a call of a bash tool when those before it are answered; return what it has done to the files, too."""
        async with self._turn(entry.key):
            shell = await self._shell(entry)
            self._unsaved.add(entry.key)
            answer, changes = await shell.call(entry, arguments, caller)
            if self._lasting and shell.now is not None:
                await self._save(entry.key, shell.now)
        return answer, changes

    @property
    def kept(self) -> int:
        """The bytes that its shells take, more or less."""
        return sum(shell.kept for shell in self._shells.values())

    @property
    def away(self) -> bool:
        """Whether one of its shells is put away."""
        return any(shell.away for shell in self._shells.values())

    async def put_away(self) -> bool:
        """Have the shells that no call uses be in the directory alone, until they are used again. Without a directory they end.

        Returns:
            Whether all could be saved.
        """
        for key, shell in list(self._shells.items()):
            turn = self._turns[key]
            if shell.now is None or turn.locked():
                continue
            async with turn:
                if key in self._unsaved and not await self._saved(key, shell):
                    return False
                shell.let_go()
        return True

    async def _saved(self, key: str, shell: Shell) -> bool:
        """Save a shell whose last call was cancelled, or that does not last; return whether it need not be saved any more."""
        if self._folder is None:
            return True
        taken = shell.taken() or shell.now
        assert taken is not None
        if not self._lasting:
            return await self._save(key, taken)
        async with _alone(self._place(key).with_suffix(".lock"), patient=False) as alone:
            if not alone:  # another server answers a call, which does not know of the cancelled one
                return True
            return self._is_behind(key) or await self._save(key, taken)

    async def shells(self) -> Mapping[str, Shell]:
        """The shells that were used, by the key of their toolset. Those that were put away come back.

        Raises:
            BashkitError: One cannot be restored.
        """
        for key, shell in list(self._shells.items()):
            while shell.away and self._turns[key].locked():  # noqa: ASYNC110 - a call brings it back, and may take long then
                await asyncio.sleep(_PAUSE)
            if shell.away:
                async with self._turn(key):
                    await self._bring_back(key, shell)
        return self._shells

    @asynccontextmanager
    async def _turn(self, key: str) -> AsyncIterator[None]:
        """Wait for the calls of a shell that came before."""
        async with self._turns[key], _alone(self._place(key).with_suffix(".lock")) if self._lasting else nullcontext():
            yield

    async def _shell(self, entry: Entry) -> Shell:
        """The shell for a call, as the last one has left it on whichever server. The caller has the turn."""
        key = entry.key
        found = self._shells.get(key)
        if found is not None and found.away and self._folder is None:
            del self._shells[key]  # the client is told once, and the next call begins anew
        if found is not None:
            await self._bring_back(key, found)
        if found is None or found.toolset is not entry.toolset:
            saved = None if found is None else found.now
            if saved is None and self._lasting:
                saved = await asyncio.to_thread(self._restored, key)
            if found is not None:
                found.let_go()
            found = self._shells[key] = Shell(entry.toolset, self._options(entry.toolset), saved)
        if self._lasting and self._is_behind(key):
            saved = await asyncio.to_thread(self._restored, key)
            if saved is not None:
                found.go_on_from(saved)
        return found

    async def _bring_back(self, key: str, shell: Shell) -> None:
        """Have a shell here again, if it was put away. The caller has the turn.

        Raises:
            BashkitError: It cannot be.
        """
        if not shell.away:
            return
        if self._folder is None:
            raise BashkitError(_ENDED)
        saved = await asyncio.to_thread(self._restored, key)
        if saved is None:
            raise BashkitError("the session cannot be restored: what was saved of it is gone")
        shell.go_on_from(saved)

    def _is_behind(self, key: str) -> bool:
        """Whether another server has saved a shell since."""
        return self._version(key) not in {None, self._versions.get(key)}

    def _version(self, key: str) -> tuple[int, int] | None:
        """What tells one saved shell from the next; None if there is none."""
        try:
            state = self._place(key).stat()
        except OSError:
            return None
        return state.st_ino, state.st_mtime_ns

    def _place(self, key: str) -> Path:
        assert self._folder is not None
        return _place(self._folder, self._name, key)

    def _restored(self, key: str) -> Snapshot | None:
        place, version = self._place(key), self._version(key)
        own, self._versions[key] = version == self._versions.get(key), version
        try:
            return Snapshot.from_bytes(host_files.read_bytes(place, _MOST_BYTES), trusted=own)
        except FileNotFoundError:
            return None
        except (OSError, SnapshotError) as error:
            log.error("%s: %s", place, error)  # noqa: TRY400 - the client is told, too
            raise BashkitError("the session cannot be restored") from error

    async def _save(self, key: str, snapshot: Snapshot) -> bool:
        """Save a shell; if that fails, the client gets its answer nevertheless. Return whether it is saved."""
        try:
            await asyncio.to_thread(_write, snapshot, self._place(key))
        except (OSError, SnapshotError) as error:
            log.error("the session is not saved: %s", error)  # noqa: TRY400
            return False
        self._versions[key] = self._version(key)
        self._unsaved.discard(key)
        return True


def _place(folder: Path, name: str, key: str) -> Path:
    """The file of a saved shell."""
    digest = hashlib.sha256(f"{name}\n{key}".encode()).hexdigest()[:32]  # a name of the client's is no file name
    return folder / f"{digest}.snapshot"


def _end(shells: dict[str, Shell], own: tuple[Path, str] | tuple[()]) -> None:
    """A session is gone: what it holds is free at once, and nobody comes back to what is saved of one that does not last."""
    for key, shell in shells.items():
        shell.let_go()
        if own:
            with suppress(OSError):
                _place(*own, key).unlink()


@asynccontextmanager
async def _alone(lock: Path, *, patient: bool = True) -> AsyncIterator[bool]:
    """Wait for the calls of other servers that share the directory; where nothing can be locked, for none.

    Args:
        lock: The file that is locked.
        patient: Whether to wait; else the value of the context is whether there was no need to.
    """
    alone = True
    with ExitStack() as closing:
        try:
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            closing.callback(os.close, descriptor)
            while not (alone := _taken(descriptor)) and patient:  # noqa: ASYNC110 - another process has it
                await asyncio.sleep(_PAUSE)
        except OSError as error:
            log.warning("other servers are not waited for: %s", error)
        yield alone


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(snapshot: Snapshot, place: Path) -> None:
    """Write a snapshot to its file, which is for its owner only."""
    data = snapshot.to_bytes()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    host_files.write_whole(place, data)
