"""A tool or source as a document declares it, with what reading and checking it takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError
from bashkit.network import NetworkPolicy
from bashkit.toolset.text.document import dotted
from bashkit.toolset.text.notation import duration, substitute

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

STUBS = "SHELLCLAW_STUB"  # the variable that asks for stubs, and tells executables that they are asked for


@dataclass(slots=True)
class Surroundings:
    """What is known about the toolset around a declaration.

    Attributes:
        environ: Where ``${VAR}`` of paths and commands comes from.
        variables: The names of the toolset's env and secrets: what ``${VAR}`` of requests may be.
        stubbed: Stubs stand in for callbacks, and what is started is told so.
        secrets: The names of the toolset's secrets.
        shared: What several callbacks have in common, such as the connection to an MCP server, by a key of their own.
    """

    environ: Mapping[str, str]
    variables: frozenset[str] = frozenset()
    stubbed: bool = False
    secrets: frozenset[str] = frozenset()
    shared: dict[str, Any] = field(default_factory=dict)

    def text(self, value: Any) -> str:
        """A text with ``${VAR}`` replaced; a number or boolean as YAML writes it."""
        if isinstance(value, str):
            return substitute(value, self.environ)
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

    @property
    def stub_env(self) -> dict[str, str]:
        """What is told to whatever is started."""
        return {STUBS: "1"} if self.stubbed else {}


@dataclass(frozen=True, slots=True)
class Declaration:
    """A tool or source as a document says it.

    Attributes:
        document, path: Where it stands.
        folder: What paths in it are relative to.
        value: What it says.
        around: The toolset around it.
    """

    document: Document
    path: DocumentPath
    folder: Path
    value: Mapping[str, Any]
    around: Surroundings

    @property
    def callback(self) -> Mapping[str, Any]:
        """What a tool says about its callback."""
        found: Mapping[str, Any] = self.value["callback"]
        return found

    @property
    def parameters(self) -> Mapping[str, Any] | None:
        """The properties of a tool's input schema; None where it says nothing about them, or nothing that makes sense."""
        schema = self.value.get("input_schema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        return properties if isinstance(properties, dict) else None

    @property
    def timeout(self) -> float | None:
        """Seconds that a call may take, where it is said."""
        return duration(self.value["timeout"]) if "timeout" in self.value else None

    def place(self, *steps: str) -> str:
        """``file:line:column`` of something inside it."""
        mark = self.document.mark((*self.path, *steps))
        return f"{self.document.file}:{mark.line}:{mark.column}"

    def file(self, text: Any) -> Path:
        """A path, relative to the file that declares it, with ``${VAR}`` replaced."""
        return self.folder / self.around.text(text)

    # -- checks; each notes in the document what it finds ----------------------------------------------------------------

    def check_duration(self, path: DocumentPath, value: Any) -> None:
        """Note what is no duration."""
        check_duration(self.document, path, value)

    def check_substitution(self, path: DocumentPath, value: Any) -> None:
        """Note ``${VAR}`` of a path or command that is not set."""
        if isinstance(value, str):
            check_substitution(self.document, path, value, self.around.environ)

    def check_texts(self, path: DocumentPath, value: Any) -> None:
        """Note ``${VAR}`` of requests that is neither in env nor in secrets."""
        known = dict.fromkeys(self.around.variables, "x")
        for where, text in _texts(path, value):
            try:
                substitute(text, known)
            except LookupError as error:
                name = str(error.args[0]).split()[2]
                self.document.at(where, f"the variable {name} is neither in env nor in secrets", hint=f"secrets: [{name}]")
            except ValueError:
                pass  # a dollar sign before an argument's {name}, not a variable

    def check_hosts(self, path: DocumentPath, hosts: Any) -> None:
        """Note what is no host."""
        for index, host in enumerate(hosts):
            try:
                NetworkPolicy(allow=[host])
            except DefinitionError as error:
                self.document.at((*path, index), str(error).removeprefix("network: "))


def check_duration(document: Document, path: DocumentPath, value: Any) -> None:
    """Note what is no duration, unless the format's schema has said so."""
    if not isinstance(value, str) or any(problem.path == dotted(path) for problem in document.problems):
        return
    try:
        duration(value)
    except ValueError as error:
        document.at(path, str(error))


def check_substitution(document: Document, path: DocumentPath, text: str, environ: Mapping[str, str]) -> None:
    """Note ``${VAR}`` that is not set."""
    try:
        substitute(text, environ)
    except LookupError as error:
        document.at(path, str(error.args[0]), hint="set it, or give it a default: ${NAME:-default}")
    except ValueError as error:
        document.at(path, str(error))


def _texts(path: DocumentPath, value: Any) -> Iterator[tuple[DocumentPath, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts((*path, key), inner)
