"""A tool or source as declared in a document, with the context that reading and checking it need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError
from bashkit.network import NetworkPolicy
from bashkit.tools.define import schema as json_schema
from bashkit.toolset.text.document import dotted
from bashkit.toolset.text.notation import duration, substitute

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

SIGNATURE = "signature"  # the input schema of a tool whose function declares the parameters
LIFE = ("setup", "teardown")  # the functions that make and release what Python callbacks share
STUBS = "BASHKIT_STUBS"  # the variable that has stubs replace callbacks
PROGRAM_STUBS = "SHELLCLAW_STUB"  # the variable that tells started programs to stub themselves


def parameters_of(tool: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The properties of a declared tool's input schema; None if it is missing or malformed."""
    schema = tool.get("input_schema")
    if not isinstance(schema, dict):
        return None
    combined = not schema.keys().isdisjoint(json_schema.FOLDED)
    return None if combined and any(json_schema.mistakes(schema)) else json_schema.parameters(schema)


@dataclass(slots=True)
class Surroundings:
    """The context of a declaration in its toolset.

    Attributes:
        environ: The values of ``${VAR}`` in paths and commands.
        variables: The names in the toolset's ``env`` and ``secrets``, which requests may use as ``${VAR}``.
        stubbed: Stubs replace callbacks, and started programs are told so.
        secrets: The names of the toolset's secrets.
        shared: Objects that several callbacks share, such as the connection to an MCP server, by a key of the kind's choice.
    """

    environ: Mapping[str, str]
    variables: frozenset[str] = frozenset()
    stubbed: bool = False
    secrets: frozenset[str] = frozenset()
    shared: dict[str, Any] = field(default_factory=dict)

    def text(self, value: Any) -> str:
        """Replace ``${VAR}`` in a text; write a number or boolean as YAML does."""
        if isinstance(value, str):
            return substitute(value, self.environ)
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

    @property
    def stub_env(self) -> dict[str, str]:
        """The variables that tell a started program about stubs."""
        return stub_env(self.environ)


def stub_env(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that tell a started program about stubs, in an environment that asks for ours or for theirs."""
    return {PROGRAM_STUBS: "1"} if "1" in {environ.get(STUBS), environ.get(PROGRAM_STUBS)} else {}


@dataclass(frozen=True, slots=True)
class Declaration:
    """A tool or source as a document declares it.

    Attributes:
        document, path: The declaring document and the path in it.
        folder: The folder to which its paths are relative.
        value: The declared value.
        around: The toolset around it.
    """

    document: Document
    path: DocumentPath
    folder: Path
    value: Mapping[str, Any]
    around: Surroundings

    @property
    def callback(self) -> Mapping[str, Any]:
        """The ``callback`` of a tool."""
        found: Mapping[str, Any] = self.value["callback"]
        return found

    @property
    def parameters(self) -> Mapping[str, Any] | None:
        """The properties of a tool's input schema; None if it is missing or malformed."""
        return parameters_of(self.value)

    @property
    def timeout(self) -> float | None:
        """The declared seconds for a call, or None."""
        return duration(self.value["timeout"]) if "timeout" in self.value else None

    def place(self, *steps: str) -> str:
        """``file:line:column`` of a value inside it."""
        mark = self.document.mark((*self.path, *steps))
        return f"{self.document.file}:{mark.line}:{mark.column}"

    def file(self, text: Any) -> Path:
        """Resolve a path against the declaring file, with ``${VAR}`` replaced."""
        return self.folder / self.around.text(text)

    # -- checks; each notes in the document what it finds ----------------------------------------------------------------

    def check_duration(self, path: DocumentPath, value: Any) -> None:
        """Note a malformed duration."""
        check_duration(self.document, path, value)

    def check_substitution(self, path: DocumentPath, value: Any) -> None:
        """Note unset variables in a path or command."""
        if isinstance(value, str):
            check_substitution(self.document, path, value, self.around.environ)

    def check_texts(self, path: DocumentPath, value: Any) -> None:
        """Note variables in requests that are neither in ``env`` nor in ``secrets``."""
        known = dict.fromkeys(self.around.variables, "x")
        for where, text in _texts(path, value):
            try:
                substitute(text, known)
            except LookupError as error:
                name = str(error.args[0]).split()[2]
                self.document.at(where, f"the variable {name} is neither in env nor in secrets", hint=f"secrets: [{name}]")
            except ValueError:
                pass  # a dollar sign before an argument's {name} is not a variable

    def check_hosts(self, path: DocumentPath, hosts: Any) -> None:
        """Note malformed hosts."""
        for index, host in enumerate(hosts):
            try:
                NetworkPolicy(allow=[host])
            except DefinitionError as error:
                self.document.at((*path, index), str(error).removeprefix("network: "))


def check_duration(document: Document, path: DocumentPath, value: Any) -> None:
    """Note a malformed duration, unless the format's schema has reported it."""
    if not isinstance(value, (str, int, float)) or any(problem.path == dotted(path) for problem in document.problems):
        return
    try:
        duration(value)
    except ValueError as error:
        document.at(path, str(error))


def check_substitution(document: Document, path: DocumentPath, text: str, environ: Mapping[str, str]) -> None:
    """Note unset variables."""
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
