"""What a kind of source declares: its keys in a toolset file, how it is read and checked, and how it finds tools."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.toolset.declaration import STUBS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.tools.define.definition import ToolDef
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

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

    @property
    def stub_env(self) -> dict[str, str]:
        """What is told to whatever is started."""
        return {STUBS: "1"} if self.stubbed else {}


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


class Source:
    """A place where tools are found; each kind is a class of its own. Nothing is asked before the tools are needed.

    Attributes:
        key: The key of an entry of ``sources`` that names the kind: ``executables``, ``skills``, …
        noun: What messages call it: ``a source of executables``.
        summary: What it is: ``executables``.
        usage: What ``bashkit import KEY`` takes behind it: ``DIR``.
        about: What that is, in a few words.
        rank: Its place among the kinds; those from outside come last.
        properties: The JSON Schema of its key.
        options: The JSON Schema of every other key that it reads.
        definitions: Schemas that these refer to, as ``#/$defs/NAME``.
        sees_secrets: Its tools see all secrets, and nobody can tell which they use.
        timeout: Seconds for a call; None for the usual time.
        document, path: Where it is declared.
        selection: Which of its tools are taken, and what they are called.
    """

    __slots__ = ()

    key: ClassVar[str]
    noun: ClassVar[str]
    summary: ClassVar[str]
    usage: ClassVar[str]
    about: ClassVar[str]
    rank: ClassVar[int] = 100
    properties: ClassVar[Mapping[str, Any]]
    options: ClassVar[Mapping[str, Any]] = {}
    definitions: ClassVar[Mapping[str, Any]] = {}
    sees_secrets: ClassVar[bool] = True

    timeout: float | None
    document: Document
    path: DocumentPath
    selection: Selection

    @classmethod
    def schemas(cls) -> Mapping[str, Any]:
        """The JSON Schema of every key that the kind declares."""
        return {**cls.properties, **cls.options}

    @classmethod
    def check(cls, source: Declaration) -> None:
        """Note what the schema cannot say; the source may have other mistakes. Here: variables of its path that are not set."""
        source.check_substitution((*source.path, cls.key), source.value[cls.key])

    @classmethod
    def read(cls, source: Declaration, common: Mapping[str, Any]) -> Source:
        """The source of a declaration that fits the schema. What is wrong with it only now is noted in the document.

        Args:
            source: What the file says.
            common: ``timeout``, ``document``, ``path`` and ``selection``.
        """
        raise NotImplementedError

    @classmethod
    def of_command_line(cls, words: Sequence[str], headers: Mapping[str, str]) -> dict[str, Any]:
        """The entry of ``sources`` that ``bashkit import KEY WORD...`` means.

        Args:
            words: What stands behind the key.
            headers: Headers of requests that the command line gives.

        Raises:
            ValueError: The words do not make sense.
        """
        if len(words) > 1:
            raise ValueError(f"one {cls.key} source at a time, not {' '.join(words)}")
        if headers and "headers" not in cls.options:
            raise ValueError("--header is for OpenAPI documents and for MCP servers with a URL")
        found: dict[str, Any] = {cls.key: words[0].replace("$", "$$")}
        return found | {"headers": dict(headers)} if headers else found

    @classmethod
    def request_texts(cls, source: Mapping[str, Any]) -> list[str]:  # noqa: ARG003
        """The texts of its requests, in which ``${VAR}`` stands for a secret."""
        return []

    @classmethod
    def write_anchors(cls, source: Mapping[str, Any], folder: Path) -> dict[str, Any]:  # noqa: ARG003
        """What the callbacks of its tools refer to with ``alias(NAME)``, by NAME; each is written once.

        Args:
            source: The entry of ``sources``.
            folder: Where the file is: paths are relative to that.
        """
        return {}

    def ask(self, asking: Asking) -> Found:
        """Find the tools. Nothing takes longer than its time limit, and what goes on living is ended by ``close``.

        Raises:
            SourceError: It cannot be asked at all.
        """
        raise NotImplementedError

    def files(self) -> tuple[Path, ...]:
        """The files and directories that it reads: a change of one may change its tools."""
        return ()

    def close(self) -> None:
        """End what it keeps alive."""

    @property
    def place(self) -> str:
        """``file:line`` of the declaration, for messages."""
        return f"{self.document.file}:{self.document.mark(self.path).line}"


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
