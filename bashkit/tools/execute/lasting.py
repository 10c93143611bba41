"""LastingRunner: the base of tools whose executions can go on in one session, and what hosts do with that session."""

from __future__ import annotations

import errno
from abc import abstractmethod
from typing import TYPE_CHECKING

from bashkit.errors import BashkitError
from bashkit.fs import ReadOnly
from bashkit.fs.stream import os_error
from bashkit.host_options import check_session
from bashkit.tools.execute.hooks import ExecutionHooks
from bashkit.tools.execute.runner import ScriptRunner
from bashkit.tools.execute.truncation import shorten

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping

    from bashkit.bash import Bash
    from bashkit.bash.shell_state import ShellState
    from bashkit.bash.snapshot import Snapshot
    from bashkit.fs import FileSystem, Mountable
    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.tools.execute.queue import ExecutionQueue
    from bashkit.tools.execute.truncation import OutputFiles


class LastingRunner(ScriptRunner):
    """A tool that may be persistent. Of a tool that is not, every execution has a shell and files of its own.

    Attributes:
        persistent: Whether variables, functions and files last from one execution to the next.
    """

    persistent: bool
    _mounts: dict[str, Mountable]
    _starting: threading.Lock  # held while the session begins: several threads may be the first to use it

    @abstractmethod
    def _begun(self) -> Bash | None:
        """The shell of the session, if there has been need of one."""

    @abstractmethod
    def _continued(self) -> Bash:
        """The shell of the session, which begins if need be."""

    @abstractmethod
    def reset(self) -> None:
        """Drop the session of a persistent tool: the next execution begins in a fresh shell. Mounts stay."""

    def _session(self) -> Bash:
        if not self.persistent:
            raise BashkitError("the tool is not persistent: every execution has files of its own")
        return self._continued()

    @property
    def fs(self) -> FileSystem:
        """The files of the session.

        Raises:
            BashkitError: The tool is not persistent, so every execution has its own files.
        """
        return self._session().fs

    def shell_state(self) -> ShellState:
        """What the shell of the session holds: see ``Bash.shell_state``.

        Raises:
            BashkitError: The tool is not persistent, or a script is running.
        """
        return self._session().shell_state()

    def mount(self, path: str, source: Mountable, *, read_only: bool = False) -> None:
        """Mount something in the session and in every shell that begins later.

        Args:
            path: The directory, which is made if need be.
            source: As in ``mounts`` of ``Bash``.
            read_only: Nothing can be changed through the mount: shorthand for ``ReadOnly(source)``.

        Raises:
            DefinitionError: The path is not absolute, or the source cannot be mounted.
            OSError: ``EBUSY``: something is mounted there already.
        """
        check_session(mounts={path: source})
        mounted = ReadOnly(source) if read_only else source
        bash = self._begun()
        if bash is not None:
            bash.fs.mount(path, mounted)
        self._mounts[path] = mounted

    def unmount(self, path: str) -> None:
        """Undo a mount, here and in shells that begin later; the path is that of ``mount``.

        Raises:
            OSError: ``EINVAL``: nothing is mounted there; ``EBUSY``: something is mounted below it.
        """
        bash = self._begun()
        if bash is not None:
            bash.fs.unmount(path)
        if self._mounts.pop(path, None) is None and bash is None:
            raise os_error(errno.EINVAL, path)

    def snapshot(self) -> Snapshot:
        """The session as it is now: see ``Bash.snapshot``.

        Raises:
            BashkitError: The tool is not persistent, or a script is running.
            SnapshotError: Something is mounted that cannot be kept.
        """
        return self._session().snapshot()

    def restore(self, snapshot: Snapshot, *, mounts: Mapping[str, Mountable] | None = None) -> None:
        """Go back, or over, to a snapshot: see ``Bash.restore``.

        Raises:
            BashkitError: The tool is not persistent, or a script is running.
            SnapshotError: A directory of the host is missing, or the files do not fit into the limits.
        """
        self._session().restore(snapshot, mounts=mounts)


class Turns(ExecutionHooks):
    """The hooks around an execution that has nothing but its turn, and a place for what it prints."""

    __slots__ = ("_outputs", "_queue")

    def __init__(self, queue: ExecutionQueue, outputs: OutputFiles) -> None:
        self._queue = queue
        self._outputs = outputs

    def enter(self) -> None:
        """Wait for the execution's turn."""
        self._queue.take()

    async def enter_async(self) -> None:
        """Wait for the execution's turn."""
        await self._queue.take_async()

    def conclude(self, response: ToolResponse, bash: Bash, most: int | None) -> ToolResponse:
        """The response, shortened."""
        return shorten(response, most, outputs=self._outputs, bash=bash)

    def leave(self) -> None:
        """Pass the turn on."""
        self._queue.give()
