"""Snapshot: a session as it was between two executions."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from bashkit.bash.machine_files import count_links
from bashkit.bash.saving import read_random, read_shell
from bashkit.errors import SnapshotError
from bashkit.fs import MemoryFileSystem, Overlay, ReadOnly
from bashkit.fs.host import HostDirectory
from bashkit.fs.images import from_rows, rows_of, text, to_rows
from bashkit.fs.memory import FrozenTree, MemoryVolume
from bashkit.fs.overlay import OverlayVolume
from bashkit.fs.readonly import ReadOnlyVolume

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.fs import Mountable, VirtualFileSystem
    from bashkit.fs.volume import Volume

_HEADER = b"bashkit-snapshot "
VERSION = 1
_PARTS = {"session", "files", "mounts"}
_KINDS = ("host", "overlay", "memory", "read-only")


@dataclass(slots=True, frozen=True)
class SavedMount:
    """What was mounted: the changes and the content, of a directory of the host only that there was one.

    Attributes:
        kind: ``host``, ``overlay``, ``memory`` or ``read-only``.
        source: The object that was mounted; None in a snapshot that was read from bytes.
        tree: The files in memory, or the changes to an Overlay.
    """

    kind: str
    source: Mountable | None
    tree: FrozenTree | None


@dataclass(slots=True, frozen=True)
class Snapshot:
    """What ``Bash.snapshot`` gives: a value that never changes, and that any number of sessions can go on from.

    It keeps variables with their attributes, functions, options, aliases, completions, traps, the working directory and the
    directory stack, umask, ``ulimit``, positional parameters, ``$?``, where ``getopts`` is, elapsed ``$SECONDS``, the random
    source and ``$RANDOM`` if they were seeded, and the files in memory, those of mounted MemoryFileSystems and the changes to
    Overlays among them. Files share their content with the session until one of both changes it, so a snapshot of many files is
    made at once and takes no memory.

    It does not keep jobs, open descriptors (``exec 3<file``), coprocesses, the list of ``history``, what ``hash`` shows and shell
    functions of the host: custom builtins and tools. A directory of the host is kept by its mount point only.

    Attributes:
        state: The shell and the session, as JSON.
        tree: The files in memory.
        mounts: What was mounted, by path.
        python: What Python code has left, of a tool whose scripts are written in it; empty if there is none.
    """

    state: str
    tree: FrozenTree
    mounts: Mapping[str, SavedMount]
    python: bytes = b""

    def __repr__(self) -> str:
        return f"<Snapshot: {self.tree.files} files, {self.tree.bytes} bytes, {len(self.mounts)} mounts>"

    def to_bytes(self) -> bytes:
        """The snapshot in a form that can be stored: a line with the version, then JSON. Lazy files are produced for it.

        Raises:
            SnapshotError: A lazy file could not be produced.
        """
        mounts = {
            path: {"kind": mount.kind, "files": to_rows(mount.tree) if mount.tree else None}
            for path, mount in self.mounts.items()
        }
        data: dict[str, Any] = {"session": json.loads(self.state), "files": to_rows(self.tree), "mounts": mounts}
        if self.python:
            data["python"] = b64encode(self.python).decode()
        return _HEADER + b"%d\n" % VERSION + json.dumps(data, separators=(",", ":"), allow_nan=False).encode()

    @classmethod
    def from_bytes(cls, data: bytes, *, trusted: bool = False) -> Snapshot:
        """The snapshot that ``to_bytes`` stored. The bytes may come from anybody: nothing in them is run or opened.

        Args:
            data: The bytes.
            trusted: They are unchanged. Only then what Python code has left is kept: its interpreter cannot check it.

        Raises:
            SnapshotError: They are damaged, or of another version.
        """
        value = _parse(data)
        mounts: dict[str, SavedMount] = {}
        for path, mount in value["mounts"].items():
            kind = text(mount.get("kind"), "a mount") if isinstance(mount, dict) else ""
            if not text(path, "a mount point").startswith("/") or kind not in _KINDS:
                raise SnapshotError(f"damaged snapshot: what is mounted must be one of {', '.join(_KINDS)}")
            mounts[path] = SavedMount(
                kind, None, None if kind == "host" else from_rows(mount.get("files"), overlay=kind == "overlay")
            )
        state = json.dumps(value["session"])
        read_session(state)
        python = _read_python(value.get("python", "")) if trusted else b""
        tree = from_rows(value["files"], system=True)
        count_links(tree.root)
        return cls(state, tree, mounts, python)

    def __reduce__(self) -> tuple[Callable[[bytes], Snapshot], tuple[bytes]]:
        """Pickled as its bytes."""
        return partial(Snapshot.from_bytes, trusted=True), (self.to_bytes(),)  # who unpickles trusts them anyway


def _parse(data: bytes) -> dict[str, Any]:
    head, _, body = bytes(data).partition(b"\n")
    version = head.removeprefix(_HEADER)
    if not head.startswith(_HEADER) or not version.isdigit() or len(version) > 9:
        raise SnapshotError("these bytes are not a snapshot")
    if int(version) != VERSION:
        raise SnapshotError(f"the snapshot has version {int(version)}; this bashkit reads version {VERSION}")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"damaged snapshot: it is not JSON ({type(error).__name__})") from None
    if not isinstance(value, dict) or value.keys() - {"python"} != _PARTS or not isinstance(value["mounts"], dict):
        raise SnapshotError("damaged snapshot: it must hold a session, files and mounts")
    return value


def _read_python(value: Any) -> bytes:
    try:
        return b64decode(value, validate=True)
    except (TypeError, ValueError):
        raise SnapshotError("damaged snapshot: what Python has left is malformed") from None


def read_session(state: str) -> dict[str, Any]:
    """The fields of a session: names, environment, random source, and the shell as SavedShell or None.

    Raises:
        SnapshotError: The state is damaged.
    """
    value = json.loads(state)
    if not isinstance(value, dict) or value.keys() != {"username", "hostname", "home", "cwd", "env", "random", "shell"}:
        raise SnapshotError("damaged snapshot: the session is malformed")
    found: dict[str, Any] = {name: text(value[name], name) for name in ("username", "hostname", "home", "cwd")}
    if not found["cwd"].startswith("/") or not isinstance(value["env"], dict):
        raise SnapshotError("damaged snapshot: the session is malformed")
    found["env"] = {text(name, "a name"): text(content, "a variable") for name, content in value["env"].items()}
    if any(not name or "=" in name for name in found["env"]):
        raise SnapshotError("damaged snapshot: a variable of the environment has no name")
    found["random"] = None if value["random"] is None else read_random(rows_of(value["random"], "random"))
    found["shell"] = None if value["shell"] is None else read_shell(value["shell"])
    return found


def save_mounts(files: VirtualFileSystem) -> dict[str, SavedMount]:
    """What is mounted in a tree of files.

    Raises:
        SnapshotError: Something that is of none of the known kinds.
    """
    saved = {}
    for path, (source, volume) in files.mounts().items():
        if isinstance(source, HostDirectory):
            saved[path] = SavedMount("host", source, None)
        elif isinstance(volume, ReadOnlyVolume):
            saved[path] = SavedMount("read-only", source, volume.volume.freeze())
        elif isinstance(volume, MemoryVolume):
            saved[path] = SavedMount("overlay" if isinstance(source, Overlay) else "memory", source, volume.freeze())
        else:
            raise SnapshotError(f"what is mounted at {path} cannot be kept in a snapshot")
    return saved


def restore_files(
    snapshot: Snapshot,
    files: VirtualFileSystem,
    given: Mapping[str, Mountable],
    limits: tuple[int, int],
    clock: Callable[[], float],
) -> None:
    """Mount in ``files``, which hold the snapshot's tree already, what was mounted.

    Args:
        snapshot: Where to go on from.
        files: The new tree of files.
        given: What to mount, by path; it goes before what the snapshot knows.
        limits: Bytes and files that a MemoryFileSystem may hold.
        clock: Seconds since the epoch.

    Raises:
        SnapshotError: A directory of the host is missing in ``given``, or something of another kind is there.
        OSError: There is no room.
    """
    for path in sorted({*snapshot.mounts, *given}):
        mount = snapshot.mounts.get(path)
        source = given.get(path, mount.source if mount is not None else None)
        volume: Volume | None = None
        if mount is not None and mount.kind in {"memory", "read-only"}:
            memory = MemoryFileSystem(*limits, clock, None, mount.tree)
            source = ReadOnly(memory) if mount.kind == "read-only" else memory
        elif mount is not None:
            wanted = Overlay if mount.kind == "overlay" else HostDirectory
            if not isinstance(source, wanted):
                raise SnapshotError(
                    f"the snapshot had a directory of the host at {path!r}: give {wanted.__name__}(…) for it in mounts="
                )
            if isinstance(source, Overlay):
                volume = OverlayVolume(source, files.volume.quota, clock, mount.tree)
        assert source is not None
        files.mount(path, source, volume)
