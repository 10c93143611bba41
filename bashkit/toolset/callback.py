"""The base class of callback kinds: which keys of a toolset file a kind reads, how it is checked, written back and called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.tools.define.definition import Defaults
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.starter import Starter
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath
    from bashkit.toolset.toolset import Toolset

TIMEOUT = 30.0  # default seconds for a call


class Callback:
    """A callback declared in a toolset file; each kind is a subclass. Nothing is imported or started before the first call.

    Attributes:
        key: The key of ``callback`` that names the kind: ``python``, ``executable``, …
        noun: What messages call it: ``a Python callback``.
        summary: What it runs: ``a Python function``.
        rank: Its place among the kinds; those from outside come last.
        properties: The JSON Schema of every key that it reads, ``key`` first.
        shared: Keys of other kinds that it also reads, with their meaning here.
        required: Keys that it needs beside its own, each with a description.
        definitions: Schemas that ``properties`` refers to, as ``#/$defs/NAME``.
        patterns: The message for a key that does not match its ``pattern``.
        is_file: It calls a file, so a missing ``location`` deserves a warning.
        starter: The help text of ``bashkit new tool --KEY``; "" if a new tool cannot begin with this kind.
        own_timeout: It applies the tool's ``timeout`` itself.
        sees_secrets: Its code sees all secrets, so checking cannot tell which of them it uses.
        defaults: What happens to the defaults of parameters, unless the tool says that itself; see ``ToolDef``.
        calls_tools: It runs a script over the other tools; recordings and replays are those of the tools that it calls.
        has_signature: What it calls can declare the tool's parameters; see ``described``.
        context: What the system prompt says once if a toolset has such callbacks and scripts have files; "" for nothing.
    """

    __slots__ = ()

    key: ClassVar[str]
    noun: ClassVar[str]
    summary: ClassVar[str]
    rank: ClassVar[int] = 100
    properties: ClassVar[Mapping[str, Any]]
    shared: ClassVar[Mapping[str, str]] = {}
    required: ClassVar[Mapping[str, str]] = {}
    definitions: ClassVar[Mapping[str, Any]] = {}
    patterns: ClassVar[Mapping[str, str]] = {}
    is_file: ClassVar[bool] = False
    starter: ClassVar[str] = ""
    own_timeout: ClassVar[bool] = True
    sees_secrets: ClassVar[bool] = True
    defaults: ClassVar[Defaults] = "fill"
    calls_tools: ClassVar[bool] = False
    has_signature: ClassVar[bool] = False
    context: ClassVar[str] = ""

    @classmethod
    def schemas(cls) -> Mapping[str, Any]:
        """The JSON Schemas of all keys that the kind declares."""
        return cls.properties

    @classmethod
    def check(cls, tool: Declaration) -> None:
        """Note mistakes that the schema cannot express. The tool may have other mistakes; only ``tool.callback`` is known to be
        an object.
        """

    @classmethod
    def read(cls, tool: Declaration) -> Callback:
        """Make the callback of a tool that fits the schema. Mistakes found only now are noted in the document."""
        raise NotImplementedError

    @classmethod
    def start(cls, toolset: Toolset, name: str) -> Starter:
        """The callback and files that a new tool begins with. Nothing is written.

        Args:
            toolset: The toolset that gets the tool.
            name: The name of the tool. Its one parameter is ``text``, and it prints ``{"text": …}``.

        Raises:
            ScaffoldError: A file is in the way.
        """
        raise NotImplementedError

    def write(self, folder: Path) -> dict[str, Any]:
        """Return the keys that declare the callback in a tool of a toolset file.

        Args:
            folder: The file's folder; paths are relative to it.
        """
        raise NotImplementedError

    @property
    def target(self) -> str:
        """A short description of what it calls: a dotted path, a file, an address."""
        return self.summary

    def location(self) -> tuple[Path, int | None] | None:
        """The called file and a line in it, found without importing or starting anything; None if there is no such file."""
        return None

    def resolve(self) -> object:
        """Find the called function, file or connection.

        Raises:
            CallbackNotFoundError: It does not exist.
        """
        return self

    def complaint(self) -> str:
        """Why the resolved target cannot be called; "" if it can be, or if that cannot be known."""
        return ""

    def described(self) -> Mapping[str, Any]:
        """The fields of a ToolDef that the resolved target declares itself.

        Raises:
            CallbackNotFoundError: It does not exist.
            DefinitionError: What it declares cannot be a tool.
        """
        return {}

    def lint(self, document: Document, path: DocumentPath, known: frozenset[str]) -> Iterator[Problem]:  # noqa: ARG002
        """Return warnings about declarations that work but could be better.

        Args:
            document, path: Where the tool is declared.
            known: The commands that a script may use.
        """
        return iter(())

    def mounts(self) -> Mapping[str, Path]:
        """Directories of the host that scripts may read because the tool speaks of them, by their paths in sessions."""
        return {}

    def close(self) -> None:
        """Stop its processes and connections; a later call starts them again."""

    async def aclose(self) -> None:
        """As ``close``, without holding up the event loop."""
        from asyncio import to_thread

        await to_thread(self.close)

    def __call__(self, args: ToolArgs, /) -> Any:
        """Call it. The return value, which may be awaitable, becomes the tool's output."""
        raise NotImplementedError
