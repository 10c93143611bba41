"""Snapshots: what the model read when its author last agreed, kept as plain files beside the toolset."""

from __future__ import annotations

import difflib
import os
import re
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bashkit.errors import PromptSnapshotError
from bashkit.tools.describe.prompt import MODES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

State = Literal["same", "changed", "new", "orphan"]

FOLDER = "__snapshots__"
SUFFIXES = (".toolset.yaml", ".toolset.yml", ".yaml", ".yml")
_OURS = re.compile(
    rf"system-prompt(\.({'|'.join(MODES)}))?\.md|help\.md|(schema|openai|anthropic|mcp)\.json|tool\..+\.help\.md|test\..+\.txt",
    re.DOTALL,
)
_CONFLICT = re.compile(r"^<{7} .*^={7}$.*^>{7} ", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One document beside what was kept of it.

    Attributes:
        path: The file.
        kept: Its content, or None when there is no such file.
        current: What the toolset gives now, or None when it gives no such document any more.
    """

    path: Path
    kept: str | None
    current: str | None

    @property
    def state(self) -> State:
        """``same``, ``changed``, ``new`` (not kept yet) or ``orphan`` (kept, and no longer given).

        Line ends do not count: a checkout that turned LF into CRLF changed nothing that the model sees.
        """
        if self.kept is None:
            return "new"
        if self.current is None:
            return "orphan"
        return "same" if self.current in {self.kept, _with_lf(self.kept)} else "changed"

    @property
    def conflicted(self) -> bool:
        """The kept text holds the marks of a merge that nobody finished."""
        return self.state == "changed" and bool(_CONFLICT.search(_with_lf(self.kept or "")))

    @property
    def settled(self) -> bool:
        """Accepting it would change no byte."""
        return self.kept == self.current

    def diff(self) -> str:
        """A unified diff from what was kept to what is now; "" when they are the same."""
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
        folder: Where the files are.
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
        """The store of a toolset file, when that is the only one to use it.

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
        """The files whose store this is, and the directory of executables if there is one."""
        beside, name = self.folder.parent.parent, self.folder.name
        files = [path for suffix in SUFFIXES if (path := beside / f"{name}{suffix}").is_file()]
        directory = beside / name
        if directory.is_dir() and any(path.is_file() and os.access(path, os.X_OK) for path in directory.iterdir()):
            files.append(directory)
        return files

    def names(self) -> list[str]:
        """The file names of what is kept; a README in there is nobody's."""
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if _OURS.fullmatch(path.name))

    def read(self, name: str) -> str | None:
        """What is kept under a file name, or None.

        Raises:
            PromptSnapshotError: There is something that cannot be read.
        """
        try:
            return (self.folder / name).read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise PromptSnapshotError(f"{self.folder / name} cannot be read: {error.strerror}") from error

    def compare(self, documents: Mapping[str, str]) -> list[Snapshot]:
        """Every document and every orphan, by file name."""
        return [self.look(name, documents.get(name)) for name in sorted({*documents, *self.names()})]

    def look(self, name: str, current: str | None) -> Snapshot:
        """One document beside what is kept of it."""
        return Snapshot(self.folder / name, self.read(name), current)

    def update(self, documents: Mapping[str, str]) -> list[Snapshot]:
        """Keep the documents as they are now and remove orphans; return what was different.

        Raises:
            PromptSnapshotError: As for ``accept``.
        """
        found = self.compare(documents)
        for snapshot in found:
            self.accept(snapshot)
        return [snapshot for snapshot in found if snapshot.state != "same"]

    def accept(self, snapshot: Snapshot) -> None:
        """Keep what is now in the place of what was kept, or remove an orphan.

        Raises:
            PromptSnapshotError: The file is no longer what it was when it was compared, or it cannot be written.
        """
        self._replace(snapshot.path.name, snapshot.kept, snapshot.current)

    def restore(self, snapshot: Snapshot) -> None:
        """Take an ``accept`` back, to the byte.

        Raises:
            PromptSnapshotError: As for ``accept``.
        """
        self._replace(snapshot.path.name, snapshot.current, snapshot.kept)

    def write(self, name: str, text: str) -> None:
        """Keep one document; a reader sees the old text or the new one, never half of it.

        Raises:
            ValueError: The name is not that of a snapshot.
            PromptSnapshotError: It cannot be written.
        """
        if not _OURS.fullmatch(name) or "/" in name:
            raise ValueError(f"{name!r} is not the name of a snapshot")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._write(name, text)
        except OSError as error:
            raise PromptSnapshotError(f"{self.folder / name} cannot be written: {error.strerror}") from error

    def _write(self, name: str, text: str) -> None:
        descriptor, temporary = tempfile.mkstemp(prefix=".new-", dir=self.folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
            Path(temporary).chmod(0o644)
            Path(temporary).replace(self.folder / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

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
        """One process at a time looks and writes, where the system can do that (flock(2) on the folder above)."""
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
    """Whether this is a run that nobody watches (the variable ``CI``), in which no snapshot is accepted."""
    return os.environ.get("CI", "").lower() not in {"", "0", "false"}


def abandoned(directory: Path) -> list[SnapshotStore]:
    """The stores in a directory whose toolset is gone: it was removed, or renamed.

    A folder counts that holds a system prompt and nothing that is no snapshot: ``__snapshots__`` may be used by others too.

    Args:
        directory: Where the toolset files are.
    """
    folder = directory / FOLDER
    if not folder.is_dir():
        return []
    stores = [SnapshotStore(path) for path in sorted(folder.iterdir()) if path.is_dir()]
    return [store for store in stores if not store.toolsets() and _is_whole(store)]


def _is_whole(store: SnapshotStore) -> bool:
    names = store.names()
    return "system-prompt.md" in names and len(names) == sum(1 for _ in store.folder.iterdir())
