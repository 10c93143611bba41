"""Sources: where a toolset takes tools from that its file does not write out."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.tools.definition import ToolDef
    from bashkit.toolset.reading.document import Document
    from bashkit.toolset.reading.document import Path as DocumentPath

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class FoundTool:
    """A tool that a source has.

    Attributes:
        definition: The tool.
        callback: What runs when it is called.
        origin: What it was found in, for messages: a file's name, an operation of a document.
        family: What it belongs to, where the first source that has it takes precedence: a skill's name; or "".
    """

    definition: ToolDef
    callback: Callable[..., Any]
    origin: str
    family: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What a source has.

    Attributes:
        tools: Its tools, in its order.
        skipped: What could not become a tool, each with the reason, as a warning tells it; a Problem has a place of its own.
    """

    tools: tuple[FoundTool, ...] = ()
    skipped: tuple[str | Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Asking:
    """What a source is told when it is asked.

    Attributes:
        env: The environment of what it starts: the toolset's own and its secrets.
        stubbed: Stubs stand in for callbacks: what is started gets ``SHELLCLAW_STUB=1``.
    """

    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    stubbed: bool = False


class SourceError(Exception):
    """A source that cannot be asked at all: it is missing, or not what it should be.

    Args:
        message: What is wrong.
        problems: The same with places in a file of the source's own, where there is one.
    """

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which tools of a source are taken, and what they are called.

    Attributes:
        prefix: What their names begin with here.
        include: Patterns of names, of which one must fit; all fit when there is none.
        exclude: Patterns of names that are left out.
    """

    prefix: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def takes(self, name: str) -> bool:
        """Whether a tool, by its name in the source, is taken."""
        wanted = not self.include or any(fnmatchcase(name, pattern) for pattern in self.include)
        return wanted and not any(fnmatchcase(name, pattern) for pattern in self.exclude)

    def named(self, tool: FoundTool) -> FoundTool:
        """The tool under its name here."""
        if not self.prefix:
            return tool
        return replace(tool, definition=replace(tool.definition, name=self.prefix + tool.definition.name))


EVERYTHING = Selection()


class Source(Protocol):
    """A place where tools are found.

    Attributes:
        key: The key in the toolset file that names it: ``executables``, ``skills``, …
        document, path: Where it is declared.
        selection: Which of its tools are taken.
    """

    @property
    def key(self) -> str:
        """As above."""
        ...

    @property
    def document(self) -> Document:
        """As above."""
        ...

    @property
    def path(self) -> DocumentPath:
        """As above."""
        ...

    @property
    def selection(self) -> Selection:
        """As above."""
        ...

    def ask(self, asking: Asking) -> Found:
        """Find the tools. Nothing takes longer than its time limit, and what goes on living is ended by ``Toolset.close``.

        Raises:
            SourceError: It cannot be asked at all.
        """
        ...

    def files(self) -> tuple[Path, ...]:
        """The files and directories that it reads: a change of one may change its tools."""
        ...


def read_file(path: Path, limit: int) -> bytes:
    """The content of a regular file. Anything else, which could be waited for without end, is refused.

    Args:
        path: The file.
        limit: Bytes that it may have.

    Raises:
        SourceError: It cannot be read, is no regular file, or is too large.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise SourceError("it cannot be read: it is no regular file")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise SourceError(f"it cannot be read: {error.strerror}") from error
    if len(data) > limit:
        raise SourceError(f"it is larger than {limit >> 20} MB")
    return data


def ask_all(sources: Sequence[Source], asking: Asking) -> list[Found | SourceError]:
    """Ask every source, all at the same time; the answers in the order of the sources."""
    if len(sources) < 2:
        return [_ask(source, asking) for source in sources]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=_AT_ONCE, thread_name_prefix="bashkit-source") as pool:
        return list(pool.map(lambda source: _ask(source, asking), sources))


def _ask(source: Source, asking: Asking) -> Found | SourceError:
    try:
        return source.ask(asking)
    except SourceError as error:
        return error


def problem(source: Source, message: str, *, hint: str = "") -> Problem:
    """A problem with a source, at its declaration."""
    return source.document.problem((*source.path, source.key), message, hint=hint)
