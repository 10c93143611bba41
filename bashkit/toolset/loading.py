"""Provides load(), load_partly() and from_directory(), which turn a path into a Toolset or a list of problems."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import Problem, ToolsetError
from bashkit.host_files import working_directory
from bashkit.toolset.building import Builder
from bashkit.toolset.checking.profiles import PROFILE
from bashkit.toolset.checking.reader import Reader
from bashkit.toolset.declaration import STUBS, stub_env
from bashkit.toolset.packaged import located
from bashkit.toolset.text.document import Document
from bashkit.toolset.toolset import Toolset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.toolset.text.document import Path as DocumentPath

_TOOLSETS = frozenset({".yaml", ".yml"})


def load(path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None, profile: str | None = None) -> Toolset:
    """Read a toolset file without importing or running anything.

    Args:
        path: The file; or ``PACKAGE:NAME``, a toolset that an installed package brings.
        environ: The values of ``${VAR}`` and ``secrets``; the process's environment if omitted. ``BASHKIT_STUBS=1`` in it
            replaces callbacks by stubs; ``SHELLCLAW_STUB=1``, which executables know, only reaches the programs that are started.
        profile: The profile to apply; the one that ``BASHKIT_PROFILE`` in the environment names if omitted, "" for none.

    Raises:
        ToolsetError: The file or an included file has mistakes; the error lists them all.
        PackageError: ``PACKAGE:NAME`` cannot be found.
    """
    found = load_partly(path, environ=environ, profile=profile)
    if found.toolset is None or found.problems:
        raise ToolsetError(list(found.problems))
    return found.toolset


def open_toolset(
    path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None, profile: str | None = None
) -> Toolset:
    """Load a toolset file, or make a toolset of executables: of those in a directory, or of one file.

    Args:
        path: The file or directory.
        environ, profile: As for ``load``.

    Raises:
        ToolsetError: It has mistakes.
    """
    if is_executables(located(path)):
        return from_directory(path, environ=environ)
    return load(path, environ=environ, profile=profile)


def is_executables(path: Path) -> bool:
    """Whether a path is a directory, or an executable and no toolset file."""
    return path.is_dir() or (path.suffix not in _TOOLSETS and path.is_file() and os.access(path, os.X_OK))


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


def load_partly(
    path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None, profile: str | None = None
) -> PartlyLoaded:
    """Read the correct parts of a toolset file, without importing or running anything.

    Args:
        path: The file.
        environ, profile: As for ``load``.

    Raises:
        PackageError: ``PACKAGE:NAME`` cannot be found.
    """
    environ = os.environ if environ is None else environ
    profile = environ.get(PROFILE, "") if profile is None else profile
    reader = Reader(located(path), environ, profile)
    if reader.root is None or not isinstance(reader.root.value, dict):
        return PartlyLoaded(None, (), tuple(reader.problems))
    builder = Builder(reader)
    toolset = builder.toolset(reader.root)
    toolset.profile = profile
    return PartlyLoaded(toolset, tuple(builder.broken), tuple(reader.problems), tuple(builder.broken_callbacks))


def from_directory(directory: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Toolset:
    """Make a toolset of self-describing executables: those in a directory, or one file. They run in the current directory.

    Args:
        directory: The directory of the executables, or one of them.
        environ: ``SHELLCLAW_STUB=1`` in it is passed to them, and ``BASHKIT_STUBS=1`` as that; the process's environment if
            omitted.
    """
    from bashkit.toolset.sources.executables import ExecutableSource

    path = Path(directory)
    environ = os.environ if environ is None else environ
    document = Document(str(path), "")
    source = ExecutableSource(directory=path.resolve(), cwd=Path(working_directory()), timeout=None, document=document, path=())
    name = path.stem if path.is_file() else path.resolve().name
    stubbed = environ.get(STUBS) == "1"
    return Toolset(name, "", path, document, (), (source,), stubbed=stubbed, stub_env=stub_env(environ))
