"""Snapshots: what the model read when its author last agreed, kept as plain files beside the toolset."""

from __future__ import annotations

import difflib
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

State = Literal["same", "changed", "new", "orphan"]

FOLDER = "__snapshots__"
_OURS = re.compile(r"system-prompt\.md|help\.md|schema\.json|tool\..+\.help\.md")


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
        """``same``, ``changed``, ``new`` (not kept yet) or ``orphan`` (kept, and no longer given)."""
        if self.kept is None:
            return "new"
        if self.current is None:
            return "orphan"
        return "same" if self.kept == self.current else "changed"

    def diff(self) -> str:
        """A unified diff from what was kept to what is now; "" when they are the same."""
        lines = difflib.unified_diff(
            (self.kept or "").splitlines(keepends=True),
            (self.current or "").splitlines(keepends=True),
            f"{self.path.name} (kept)",
            f"{self.path.name} (now)",
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


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

    def read(self, name: str) -> str | None:
        """What is kept under a file name, or None."""
        try:
            return (self.folder / name).read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return None

    def compare(self, documents: Mapping[str, str]) -> list[Snapshot]:
        """Every document and every orphan, by file name."""
        names = sorted({*documents, *self._kept_names()})
        return [Snapshot(self.folder / name, self.read(name), documents.get(name)) for name in names]

    def update(self, documents: Mapping[str, str]) -> list[Snapshot]:
        """Keep the documents as they are now and remove orphans; return what was different."""
        different = [snapshot for snapshot in self.compare(documents) if snapshot.state != "same"]
        for snapshot in different:
            if snapshot.current is None:
                snapshot.path.unlink()
            else:
                self.write(snapshot.path.name, snapshot.current)
        return different

    def write(self, name: str, text: str) -> None:
        """Keep one document; a reader sees the old text or the new one, never half of it.

        Raises:
            ValueError: The name is not that of a snapshot.
        """
        if not _OURS.fullmatch(name) or "/" in name:
            raise ValueError(f"{name!r} is not the name of a snapshot")
        self.folder.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=".new-", dir=self.folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
            Path(temporary).chmod(0o644)
            Path(temporary).replace(self.folder / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _kept_names(self) -> list[str]:
        if not self.folder.is_dir():
            return []
        return [path.name for path in self.folder.iterdir() if _OURS.fullmatch(path.name)]  # a README in there is nobody's orphan
