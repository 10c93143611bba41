"""What a kind of callback declares: its keys in a toolset file, how it is read, checked and written back, and how it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.starter import Starter
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath
    from bashkit.toolset.toolset import Toolset

TIMEOUT = 30.0  # seconds that a call may take where nothing else is said


class Callback:
    """A callback of a toolset file; each kind is a class of its own. Nothing is imported or started before it is called.

    Attributes:
        key: The key of ``callback`` that names the kind: ``python``, ``executable``, …
        noun: What messages call it: ``a Python callback``.
        summary: What it runs: ``a Python function``.
        rank: Its place among the kinds; those from outside come last.
        properties: The JSON Schema of every key that it reads, ``key`` first.
        shared: Keys of other kinds that it reads too, with what they mean here.
        required: Keys that it needs beside its own, with what they are.
        definitions: Schemas that ``properties`` refers to, as ``#/$defs/NAME``.
        patterns: What a message says where a key does not match its ``pattern``.
        is_file: What it calls is a file, so that a missing ``location`` is worth a warning.
        starter: What ``bashkit new tool --KEY`` says of it; "" where a new tool cannot begin with it.
        own_timeout: It keeps to the tool's ``timeout`` itself.
        sees_secrets: Its code sees all secrets, and nobody can tell which it uses.
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

    @classmethod
    def schemas(cls) -> Mapping[str, Any]:
        """The JSON Schema of every key that the kind declares."""
        return cls.properties

    @classmethod
    def check(cls, tool: Declaration) -> None:
        """Note what the schema cannot say. The tool may have other mistakes; only ``tool.callback`` is known to be an object."""

    @classmethod
    def read(cls, tool: Declaration) -> Callback:
        """The callback of a tool that fits the schema. What is wrong with it only now is noted in the document."""
        raise NotImplementedError

    @classmethod
    def start(cls, toolset: Toolset, name: str) -> Starter:
        """What a new tool begins with. Nothing is written.

        Args:
            toolset: What it is added to.
            name: The tool: its one parameter is ``text``, and it prints ``{"text": …}``.

        Raises:
            ScaffoldError: A file is in the way.
        """
        raise NotImplementedError

    def write(self, folder: Path) -> dict[str, Any]:
        """The keys of a tool that stand for it in a toolset file.

        Args:
            folder: Where the file is: paths are relative to that.
        """
        raise NotImplementedError

    @property
    def target(self) -> str:
        """What it calls, in a few words: a dotted path, a file, an address."""
        return self.summary

    def location(self) -> tuple[Path, int | None] | None:
        """The file that is called and a line in it, found without importing or starting it; None when there is no such file."""
        return None

    def resolve(self) -> object:
        """What is called, known to be there.

        Raises:
            CallbackNotFoundError: It is not.
        """
        return self

    def complaint(self) -> str:
        """Why what is there cannot be called; "" when it can, or when nobody can tell."""
        return ""

    def lint(self, document: Document, path: DocumentPath, known: frozenset[str]) -> Iterator[Problem]:  # noqa: ARG002
        """Warnings about what works and could be better.

        Args:
            document, path: Where the tool is declared.
            known: Every command that a script may name.
        """
        return iter(())

    def close(self) -> None:
        """End what it keeps alive; a later call starts it again."""

    def __call__(self, args: ToolArgs, /) -> Any:
        """Call it: what it returns becomes the tool's output, as of any callback; it may be async."""
        raise NotImplementedError
