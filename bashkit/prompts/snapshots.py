"""Snapshots: accepted texts that the model reads, kept as plain files beside the toolset."""

from __future__ import annotations

import difflib
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bashkit import host_files
from bashkit.errors import PromptSnapshotError
from bashkit.tools.describe.prompt import MODES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

State = Literal["same", "changed", "new", "orphan"]

FOLDER = "__snapshots__"
SUFFIXES = (".toolset.yaml", ".toolset.yml", ".yaml", ".yml")
_OURS = re.compile(
    rf"system-prompt(\.({'|'.join(MODES)}))?\.md|help\.md|(schema|openai|anthropic|mcp)\.json|tool\..+\.help\.md|(test|script)\..+\.txt",
    re.DOTALL,
)
_CONFLICT = re.compile(r"^<{7} .*^={7}$.*^>{7} ", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class PromptSnapshot:
    """A document and its snapshot.

    Attributes:
        path: The file.
        kept: Its content, or None if the file does not exist.
        current: The toolset's current document, or None if it no longer has this document.
    """

    path: Path
    kept: str | None
    current: str | None

    @property
    def state(self) -> State:
        """``same``, ``changed``, ``new`` (no snapshot yet) or ``orphan`` (only a snapshot). Line ends are ignored: a checkout
        that turns LF into CRLF changes nothing that the model sees.
        """
        if self.kept is None:
            return "new"
        if self.current is None:
            return "orphan"
        return "same" if self.current in {self.kept, _with_lf(self.kept)} else "changed"

    @property
    def conflicted(self) -> bool:
        """Whether the snapshot contains the markers of an unfinished merge."""
        return self.state == "changed" and bool(_CONFLICT.search(_with_lf(self.kept or "")))

    @property
    def settled(self) -> bool:
        """Whether accepting would change no byte."""
        return self.kept == self.current

    def diff(self) -> str:
        """A unified diff from the snapshot to the current document; "" if they are the same."""
        lines = difflib.unified_diff(
            _LINE.findall(_with_lf(self.kept or "")),
            _LINE.findall(self.current or ""),
            f"{self.path.name} (kept)",
            f"{self.path.name} (now)",
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _with_lf(text: str) -> str:
    return text.replace("\r\n", "\n")


class SnapshotStore:
    """The snapshots of one toolset: UTF-8, LF, no header, so that a diff shows what the model will see.

    Args:
        folder: The folder of the files.
    """

    __slots__ = ("folder",)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, toolset: Path) -> SnapshotStore:
        """The store of a toolset file: ``__snapshots__/<its name without extension>`` beside it."""
        return cls(toolset.parent / FOLDER / toolset.name.removesuffix(toolset.suffix).removesuffix(".toolset"))

    @classmethod
    def of(cls, toolset: Path) -> SnapshotStore:
        """The store of a toolset file, if no other file uses it.

        Raises:
            PromptSnapshotError: Another file, such as ``shop.toolset.yaml`` beside ``shop.yaml``, would use the same.
        """
        store = cls.beside(toolset)
        rivals = [path.name for path in store.toolsets() if path.is_file() and path.name != toolset.name]
        if rivals and toolset.is_file():
            raise PromptSnapshotError(
                f"{toolset} and {rivals[0]} would keep their snapshots in one folder, {store.folder}: rename one of them"
            )
        return store

    def toolsets(self) -> list[Path]:
        """The toolset files with this store, and the directory of executables if there is one."""
        beside, name = self.folder.parent.parent, self.folder.name
        files = [path for suffix in SUFFIXES if (path := beside / f"{name}{suffix}").is_file()]
        directory = beside / name
        if directory.is_dir() and any(path.is_file() and os.access(path, os.X_OK) for path in directory.iterdir()):
            files.append(directory)
        return files

    def names(self) -> list[str]:
        """The file names of the snapshots; a README in the folder is ignored."""
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if _OURS.fullmatch(path.name))

    def read(self, name: str) -> str | None:
        """Read the snapshot with a file name; None if it does not exist.

        Raises:
            PromptSnapshotError: It exists but cannot be read.
        """
        try:
            return host_files.read_bytes(self.folder / name).decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise PromptSnapshotError(f"{self.folder / name} cannot be read: {error.strerror}") from error

    def compare(self, documents: Mapping[str, str]) -> list[PromptSnapshot]:
        """Compare every document and every orphan, in the order of file names."""
        return [self.look(name, documents.get(name)) for name in sorted({*documents, *self.names()})]

    def look(self, name: str, current: str | None) -> PromptSnapshot:
        """Compare one document with its snapshot."""
        return PromptSnapshot(self.folder / name, self.read(name), current)

    def update(self, documents: Mapping[str, str]) -> list[PromptSnapshot]:
        """Keep the current documents and remove orphans; return the differences.

        Raises:
            PromptSnapshotError: As for ``accept``.
        """
        found = self.compare(documents)
        for snapshot in found:
            self.accept(snapshot)
        return [snapshot for snapshot in found if snapshot.state != "same"]

    def accept(self, snapshot: PromptSnapshot) -> None:
        """Replace a snapshot by the current document, or remove an orphan.

        Raises:
            PromptSnapshotError: The file has changed since it was compared, or it cannot be written.
        """
        self._replace(snapshot.path.name, snapshot.kept, snapshot.current)

    def restore(self, snapshot: PromptSnapshot) -> None:
        """Undo an ``accept``, to the byte.

        Raises:
            PromptSnapshotError: As for ``accept``.
        """
        self._replace(snapshot.path.name, snapshot.current, snapshot.kept)

    def write(self, name: str, text: str) -> None:
        """Write one document atomically: a reader sees the old text or the new one.

        Raises:
            ValueError: The name is not the name of a snapshot.
            PromptSnapshotError: It cannot be written.
        """
        if not _OURS.fullmatch(name) or "/" in name:
            raise ValueError(f"{name!r} is not the name of a snapshot")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            host_files.write_whole(self.folder / name, text.encode("utf-8", "surrogateescape"), 0o644)
        except OSError as error:
            raise PromptSnapshotError(f"{self.folder / name} cannot be written: {error.strerror}") from error

    def _replace(self, name: str, old: str | None, new: str | None) -> None:
        if old == new:
            return
        with self._turn():
            found = self.read(name)
            if found not in {old, new}:
                raise PromptSnapshotError(f"{self.folder / name} was changed by another process; compare again")
            if new is not None:
                self.write(name, new)
            elif found is not None:
                self._remove(name)

    def _remove(self, name: str) -> None:
        try:
            (self.folder / name).unlink(missing_ok=True)
            if not any(self.folder.iterdir()):
                self.folder.rmdir()
        except OSError as error:
            raise PromptSnapshotError(f"{self.folder / name} cannot be removed: {error.strerror}") from error

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let one process at a time compare and write, if the system supports it (flock(2) on the folder above)."""
        try:
            import fcntl

            descriptor = os.open(self.folder.parent, os.O_RDONLY)
        except (ImportError, OSError):
            yield
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def in_ci() -> bool:
    """Whether this runs under CI (the variable ``CI``), where no snapshot is accepted."""
    return os.environ.get("CI", "").lower() not in {"", "0", "false"}


def abandoned(directory: Path) -> list[SnapshotStore]:
    """Find the stores in a directory whose toolset was removed or renamed. Only folders with a system prompt and no other files
    than snapshots count, because other programs may use ``__snapshots__`` too.

    Args:
        directory: The directory of the toolset files.
    """
    folder = directory / FOLDER
    if not folder.is_dir():
        return []
    stores = [SnapshotStore(path) for path in sorted(folder.iterdir()) if path.is_dir()]
    return [store for store in stores if not store.toolsets() and _is_whole(store)]


def _is_whole(store: SnapshotStore) -> bool:
    names = store.names()
    return "system-prompt.md" in names and len(names) == sum(1 for _ in store.folder.iterdir())
