"""A session inside a sandbox process: made from what the host sends, and sent back as far as it has changed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from bashkit.bash.packing import Contents, indexed, memory_volumes, numbers_in, parted
from bashkit.bash.session import Session
from bashkit.bash.snapshot import read_session
from bashkit.fs import HostDirectory, MemoryFileSystem, Overlay, ReadOnly
from bashkit.fs.overlay import OverlayVolume
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.interp.utility.command import Command
from bashkit.limits import DEFAULT_LIMITS, ExecutionLimits
from bashkit.worker.network import SandboxSystem
from bashkit.worker.observed import observed_by_host

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs.memory import FrozenTree
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process
    from bashkit.worker.serving import Server


@dataclass(slots=True)
class HeldSession:
    """A session, and what its host knows of it.

    Nothing that the session has leads back here, so that its files are gone with the last use of it, not with the next collection
    of garbage: the next session needs the room.

    Attributes:
        session: The session.
        contents: The contents of files that both sides know.
        server: The way to the host.
        stdin: Standard input of the script.
        roots: The trees of files as the host knows them, by mount point, ``""`` for the root.
        known: The digest of the state of the shell that the host knows.
    """

    session: Session
    contents: Contents
    server: Server
    stdin: bytes | None = None
    roots: dict[str, object] = field(default_factory=dict)
    known: bytes = b""

    @classmethod
    def of(cls, server: Server, settings: dict[str, Any], data: memoryview) -> HeldSession:
        """The session that a job is for: the one of the last job, or another, in whose favour that one is given up."""
        length = settings["stdin"]
        stdin, data = (None, data) if length is None else (bytes(data[:length]), data[length:])
        if not settings["resume"]:
            server.held = None
        held = server.held = server.held or cls._made(server, settings, data)
        held.stdin = stdin
        session = held.session
        session.suggestions = partial(_suggested, server) if settings["suggestions"] == "host" else settings["suggestions"]
        clock = session.files.volume.clock
        if isinstance(clock, VirtualClock):
            clock.now = settings["clock"][0]
        if settings["commands"] is not None or session.own_commands:
            session.own_commands.clear()
            session.add_commands(held.commands(settings))
        return held

    @classmethod
    def _made(cls, server: Server, settings: dict[str, Any], data: memoryview) -> HeldSession:
        clock = _clock(server, settings["clock"])
        system = SandboxSystem(server, settings, clock)
        limits = ExecutionLimits(**settings["limits"]) if settings["limits"] else DEFAULT_LIMITS
        session = Session(system, limits, clock, {}, settings["env"], settings["cwd"], fileless=settings["fileless"])
        held = cls(session, Contents(settings["first"]), server)
        length = settings["state"]
        state, data = (None, data) if length is None else (data[len(data) - length :], data[: len(data) - length])
        if settings["trees"] is not None:
            held.unpack(settings, data, clock)
        elif session.cwd != session.home:
            session.files.unchecked().makedirs(session.cwd)
        session.close_files()
        if state is not None:
            saved = read_session(str(state, "utf-8", "surrogatepass"))
            session.home, session.cwd, session.env = saved["home"], saved["cwd"], saved["env"]
            if saved["random"] is not None:
                system.random = saved["random"]
                system.repeatable = True
            session.shell = session.restored(saved["shell"])
            held.known = _digest(state)
        held.roots = {path: volume.root for path, volume in memory_volumes(session.files).items()}
        return held

    def unpack(self, settings: dict[str, Any], data: memoryview, clock: Callable[[], float]) -> None:
        """Bring in the files that the host has sent."""
        session = self.session
        sent = parted(settings["contents"], data)
        trees: dict[str, FrozenTree] = {
            path: self.contents.unpack(
                rows,
                sent,
                partial(_producer, self.server),
                overlay=settings["mounts"].get(path, {}).get("kind") == "overlay",
                system=not path,
            )
            for path, rows in settings["trees"].items()
        }
        files = session.files = session.root_files(trees[""])
        for path, mount in settings["mounts"].items():
            if mount["kind"] == "memory":
                size, count = mount["room"]
                memory = MemoryFileSystem(size, count, clock, None, trees[path])
                files.mount(path, ReadOnly(memory) if mount["read_only"] else memory)
            elif mount["kind"] == "overlay":
                overlay = Overlay(mount["path"])
                tree = trees.get(path)
                files.mount(path, overlay, OverlayVolume(overlay, files.volume.quota, clock, tree) if tree else None)
            else:
                files.mount(path, HostDirectory(mount["path"], writable=mount["writable"], outward_links=mount["outward_links"]))

    def commands(self, settings: dict[str, Any]) -> dict[str, Command]:
        """The commands that the host runs."""
        key = settings["commands"]
        if key is None:
            return {}
        server = self.server
        known = server.names
        if settings["names"] is not None:
            known[key] = settings["names"]
        return {
            name: observed_by_host(name, server, self.session.system) if watched else _command(server, name, ordered=ordered)
            for name, watched, ordered in known[key]
        }

    def save(self, answer: dict[str, Any]) -> list[bytes | memoryview]:
        """Put what has changed since the host last knew into ``answer``; returns the bytes that go with it: the contents of
        files, and last the state of the shell.
        """
        session = self.session
        state = session.save_state().encode("utf-8", "surrogatepass")
        digest = _digest(state)
        changed: list[bytes | memoryview] = [] if digest == self.known else [state]
        answer["state"] = len(state) if changed else None
        self.known = digest
        clock = session.files.volume.clock
        answer["clock"] = clock.now if isinstance(clock, VirtualClock) else None
        volumes = memory_volumes(session.files)
        answer["trees"] = None
        if {path: volume.root for path, volume in volumes.items()} == self.roots:
            return changed
        trees = {path: volume.freeze() for path, volume in volumes.items()}
        answer["trees"] = packed = self.contents.pack(trees)
        self.contents.keep(numbers_in(packed))
        self.roots = {path: tree.root for path, tree in trees.items()}
        answer["contents"], data = indexed(self.contents.fresh)
        self.contents.fresh.clear()
        return data + changed


def _producer(server: Server, number: int) -> Callable[[], bytes]:
    """What asks the host for the content of a lazy file."""
    return lambda: bytes(server.ask("lazy", number).data)


def _suggested(server: Server, name: str) -> list[str]:
    """The commands that are about a name, as the host says."""
    return [str(one) for one in server.ask("suggest", name).fields[2]]


def _command(server: Server, name: str, *, ordered: bool) -> Command:
    """A command that the host runs."""

    def run(process: Process, arguments: Arguments) -> int:
        assert server.job is not None
        return server.job.call(name, process, arguments)

    return Command(name, run, "[ARG]...", "", options=None, ordered=ordered)


def _digest(state: bytes | memoryview) -> bytes:
    return blake2b(state, digest_size=16).digest()


def _clock(server: Server, settings: list[float] | str | None) -> Callable[[], float]:
    """The clock of a session: the machine's, one that stands still, or the host's own."""
    if isinstance(settings, list):
        return VirtualClock(settings[0], tick=settings[1])
    if settings == "host":
        return lambda: float(server.ask("clock").fields[2])
    return time.time
