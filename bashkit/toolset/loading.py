"""Provides load(), load_partly() and from_directory(), which turn a path into a Toolset or a list of problems."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import Problem, ToolsetError
from bashkit.toolset.building import Builder
from bashkit.toolset.checking.reader import Reader
from bashkit.toolset.declaration import STUBS
from bashkit.toolset.text.document import Document
from bashkit.toolset.toolset import Toolset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.toolset.text.document import Path as DocumentPath


def load(path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Toolset:
    """Read a toolset file without importing or running anything.

    Args:
        path: The file.
        environ: The values of ``${VAR}`` and ``secrets``; the process's environment if omitted. ``SHELLCLAW_STUB=1`` in it
            replaces callbacks by stubs.

    Raises:
        ToolsetError: The file or an included file has mistakes; the error lists them all.
    """
    found = load_partly(path, environ=environ)
    if found.toolset is None or found.problems:
        raise ToolsetError(list(found.problems))
    return found.toolset


@dataclass(frozen=True, slots=True)
class PartlyLoaded:
    """The usable part of a toolset file.

    Attributes:
        toolset: The tools and settings without mistakes; None if the file is not a toolset at all.
        broken: The names of the tools that have mistakes.
        problems: Every mistake, in the order of files and lines.
        broken_callbacks: Those callbacks of broken tools that have no mistake themselves, each with the place of its tool; they
            can be resolved.
    """

    toolset: Toolset | None
    broken: tuple[str, ...]
    problems: tuple[Problem, ...]
    broken_callbacks: tuple[tuple[Document, DocumentPath, Callable[..., Any]], ...] = ()


def load_partly(path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> PartlyLoaded:
    """Read the correct parts of a toolset file, without importing or running anything. Nothing is raised.

    Args:
        path: The file.
        environ: As for ``load``.
    """
    environ = os.environ if environ is None else environ
    reader = Reader(Path(path), environ)
    if reader.root is None or not isinstance(reader.root.value, dict):
        return PartlyLoaded(None, (), tuple(reader.problems))
    builder = Builder(reader, environ)
    toolset = builder.toolset(reader.root)
    return PartlyLoaded(toolset, tuple(builder.broken), tuple(reader.problems), tuple(builder.broken_callbacks))


def from_directory(directory: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Toolset:
    """Make a toolset of the self-describing executables in a directory; they run in the current directory.

    Args:
        directory: The directory of the executables.
        environ: ``SHELLCLAW_STUB=1`` in it is passed to them; the process's environment if omitted.
    """
    from bashkit.toolset.sources.executables import ExecutableSource

    path = Path(directory)
    environ = os.environ if environ is None else environ
    document = Document(str(path), "")
    source = ExecutableSource(directory=path.resolve(), cwd=Path.cwd(), timeout=None, document=document, path=())
    stubbed = environ.get(STUBS) == "1"
    return Toolset(path.resolve().name, "", path, document, (), (source,), stubbed=stubbed)
