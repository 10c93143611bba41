"""The base class of source kinds: which keys of a toolset file a kind reads, how it is checked, and how it finds tools."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from bashkit import host_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.tools.define.definition import ToolDef
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

SKIPPED = "skipped"  # the code of warnings about what could not become a tool
WAITING = "bashkit.waiting"  # the logger that says what is waited for
_AT_ONCE = 8
_MOST_BYTES = 32 << 20  # of a file that a source names


@dataclass(frozen=True, slots=True)
class FoundTool:
    """A tool that a source has found.

    Attributes:
        definition: The tool.
        callback: The callable behind it.
        origin: Where it was found, for messages: a file's name, an operation of a document.
        family: A group of tools of which only the first source that has it is used, such as a skill's name; or "".
        optional: It is left out, with a warning, where its name is taken.
    """

    definition: ToolDef
    callback: Callable[..., Any]
    origin: str
    family: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """The result of asking a source.

    Attributes:
        tools: The tools, in the source's order.
        skipped: What could not become tools and why; a Problem has its own position and severity, a text is an error.
    """

    tools: tuple[FoundTool, ...] = ()
    skipped: tuple[str | Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Asking:
    """What a source needs to know to find its tools.

    Attributes:
        env: The environment of started programs: the toolset's ``env`` and ``secrets``.
        stubbed: Stubs replace callbacks.
        stub_env: The variables that tell a started program about stubs.
    """

    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    stubbed: bool = False
    stub_env: Mapping[str, str] = field(default_factory=dict)


class SourceError(Exception):
    """A source cannot be read at all: it is missing, or of the wrong kind.

    Args:
        message: What is wrong.
        problems: The mistakes with positions in the source's own file, if it has one.
    """

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Selection:
    """Selects and renames the tools of a source.

    Attributes:
        prefix: The prefix added to their names.
        include: Patterns of names, one of which must match; if empty, all names match.
        exclude: Patterns of names that are excluded.
    """

    prefix: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def takes(self, name: str) -> bool:
        """Whether a tool is selected, by its name in the source."""
        wanted = not self.include or any(fnmatchcase(name, pattern) for pattern in self.include)
        return wanted and not any(fnmatchcase(name, pattern) for pattern in self.exclude)

    def named(self, tool: FoundTool) -> FoundTool:
        """The tool under its prefixed name."""
        if not self.prefix:
            return tool
        return replace(tool, definition=replace(tool.definition, name=self.prefix + tool.definition.name))


EVERYTHING = Selection()


class Source:
    """A place where tools are found; each kind is a subclass. Nothing is asked before the tools are needed.

    Attributes:
        key: The key of an entry of ``sources`` that names the kind: ``executables``, ``skills``, …
        noun: What messages call it: ``a source of executables``.
        summary: What it is: ``executables``.
        usage: The arguments of ``bashkit import KEY``: ``DIR``.
        about: What those arguments are, in a few words.
        rank: Its place among the kinds; those from outside come last.
        properties: The JSON Schema of its key.
        options: The JSON Schema of every other key that it reads.
        definitions: Schemas that these refer to, as ``#/$defs/NAME``.
        sees_secrets: Its tools see all secrets, so checking cannot tell which of them they use.
        timeout: Seconds for a call; None for the default.
        document, path: The declaring document and the path in it.
        selection: Selects and renames its tools.
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
        """The JSON Schemas of all keys that the kind declares."""
        return {**cls.properties, **cls.options}

    @classmethod
    def check(cls, source: Declaration) -> None:
        """Note mistakes that the schema cannot express; the source may have other mistakes. The base class notes unset variables
        of its path.
        """
        source.check_substitution((*source.path, cls.key), source.value[cls.key])

    @classmethod
    def read(cls, source: Declaration, common: Mapping[str, Any]) -> Source:
        """Make the source of a declaration that fits the schema. Mistakes found only now are noted in the document.

        Args:
            source: The declaration.
            common: ``timeout``, ``document``, ``path`` and ``selection``.
        """
        raise NotImplementedError

    def prefixed(self, prefix: str) -> Self:
        """The same source with a further prefix before the names of its tools."""
        selection = replace(self.selection, prefix=prefix + self.selection.prefix)
        return cast("Self", replace(cast("Any", self), selection=selection))

    @classmethod
    def of_command_line(cls, words: Sequence[str], headers: Mapping[str, str]) -> dict[str, Any]:
        """Make the entry of ``sources`` for the command ``bashkit import KEY WORD...``.

        Args:
            words: The words after the key.
            headers: Headers of requests, from the command line.

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
        """The texts of its requests in which ``${VAR}`` may name a secret."""
        return []

    @classmethod
    def write_anchors(cls, source: Mapping[str, Any], folder: Path) -> dict[str, Any]:  # noqa: ARG003
        """Write the values that the callbacks of its tools refer to with ``alias(NAME)``, by NAME; each is written once.

        Args:
            source: The entry of ``sources``.
            folder: The file's folder; paths are relative to it.
        """
        return {}

    def ask(self, asking: Asking) -> Found:
        """Find the tools, within the time limits. Processes and connections that stay open are ended by ``close``.

        Raises:
            SourceError: The source cannot be read at all.
        """
        raise NotImplementedError

    def files(self) -> tuple[Path, ...]:
        """The files and directories that it reads; a change in one of them may change its tools."""
        return ()

    def close(self) -> None:
        """Stop the processes and connections that it keeps open."""

    @property
    def version(self) -> int:
        """A number that grows when it has other tools, so that ``ask`` is worth repeating; that must not take long then."""
        return 0

    @property
    def place(self) -> str:
        """``file:line`` of the declaration, for messages."""
        return f"{self.document.file}:{self.document.mark(self.path).line}"


def read_file(path: Path) -> str:
    """Read a file that a source names.

    Raises:
        SourceError: It cannot be read, is not a regular file, is too large, or is not UTF-8.
    """
    try:
        return host_files.read_text(path, _MOST_BYTES)
    except OSError as error:
        raise SourceError(f"it cannot be read: {error.strerror}") from error


def ask_all(sources: Sequence[Source], asking: Asking) -> list[Found | SourceError]:
    """Ask all sources at the same time; return the answers in the order of the sources."""
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
    """A problem with a source, at the position of its declaration."""
    return source.document.problem((*source.path, source.key), message, hint=hint)


def passed_over(source: Source, message: str, *, hint: str) -> Problem:
    """A warning about something that a source has and that is no tool, at the position of the source's declaration."""
    return source.document.warning((*source.path, source.key), SKIPPED, message, hint=hint)
