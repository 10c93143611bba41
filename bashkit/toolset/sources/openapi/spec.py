"""Reads an OpenAPI document: its content, the positions of mistakes, and its references, which are followed only inside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from bashkit.tools import json_text
from bashkit.tools.define.patterns import mistake
from bashkit.tools.define.schema import type_name
from bashkit.toolset.source import SKIPPED, read_file
from bashkit.toolset.sources.openapi.swagger import converted
from bashkit.toolset.text import document as documents

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.errors import Problem
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_MAX_DEPTH = 100  # maximum nesting of arrays and objects
_MAX_CHAIN = 32  # maximum chain of references


class SpecError(Exception):
    """Part of the document cannot be used.

    Args:
        path: Where in the document.
        message: What is wrong.
    """

    def __init__(self, path: DocumentPath, message: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass
class Spec:
    """An OpenAPI document that has been read.

    Attributes:
        file: Its path as messages name it.
        text: Its text.
        value: Its content.
        problems: Why it cannot be used; empty if it can.
    """

    file: str
    text: str
    value: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def old(self) -> bool:
        """Whether it is OpenAPI 3.0, whose schemas differ from JSON Schema."""
        return str(self.value.get("openapi")).startswith("3.0")

    @cached_property
    def _document(self) -> Document:
        """The document with positions, which take longer to read and are needed only for mistakes."""
        return documents.read(self.text, self.file)

    def problem(self, path: DocumentPath, message: str, *, hint: str = "") -> Problem:
        """A problem with the value at ``path``."""
        return self._document.problem(path, message, hint=hint)

    def skipped(self, path: DocumentPath, title: str, reason: str, name: str) -> Problem:
        """A warning about an operation that is not taken because of the value at ``path``.

        Args:
            path: The path of the value.
            title: The operation, for the message.
            reason: Why it is not taken.
            name: The name that excludes it.
        """
        return self._document.warning(path, SKIPPED, f"{title} is skipped: {reason}", hint=f"exclude: [{name}]")

    def unchecked(self, pattern: str, path: DocumentPath) -> Problem:
        """A warning about a pattern that is left out, at its place."""
        hint = "JSON Schema has the regular expressions of ECMA-262"
        return self._document.warning(path, "unchecked-pattern", f"the pattern is not checked: {mistake(pattern)}", hint=hint)

    def follow(self, part: Any, path: DocumentPath) -> tuple[dict[str, Any], DocumentPath]:
        """Return an object, or the target of its ``$ref``, with its position.

        Raises:
            SpecError: The reference cannot be followed, or its target is not an object.
        """
        for _ in range(_MAX_CHAIN):
            if not isinstance(part, dict):
                raise SpecError(path, f"expected an object, got {type_name(part)}")
            if not isinstance(part.get("$ref"), str):
                return part, path
            part, path = self.lookup(part["$ref"], (*path, "$ref"))
        raise SpecError(path, "the reference goes in a circle")

    def lookup(self, reference: str, path: DocumentPath) -> tuple[Any, DocumentPath]:
        """Return the target of a reference and its position (RFC 6901).

        Raises:
            SpecError: The target is outside the document, or does not exist.
        """
        if not reference.startswith("#"):
            raise SpecError(path, f"the reference {reference} is remote; only references inside the document are followed")
        part: Any = self.value
        found: DocumentPath = ()
        for step in unquote(reference[1:]).split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(part, dict) and key in part:
                part, found = part[key], (*found, key)
            elif isinstance(part, list) and key.isdecimal() and int(key) < len(part):
                part, found = part[int(key)], (*found, int(key))
            else:
                raise SpecError(path, f"the reference {reference} leads nowhere in this document")
        return part, found


def read_spec(path: Path, shown: str) -> Spec:
    """Read an OpenAPI document; mistakes in its overall form are in ``problems``.

    Args:
        path: The file.
        shown: Its path as messages name it.

    Raises:
        SourceError: It cannot be read.
    """
    spec = Spec(shown, read_file(path).removeprefix("\ufeff"))
    value = _content(spec)
    if not spec.problems:
        spec.problems += _unfit(spec, value)
    if not spec.problems:
        spec.value = converted(value) if "swagger" in value else value
    return spec


def _content(spec: Spec) -> Any:
    if spec.text.lstrip().startswith("{"):
        try:
            return json_text.decode(spec.text)
        except ValueError:
            pass  # YAML flow mappings begin like JSON; for invalid text, YAML's message has a position
    document = spec._document  # noqa: SLF001 - of this module
    spec.problems += document.problems
    return document.value


def _unfit(spec: Spec, value: Any) -> list[Problem]:
    if not isinstance(value, dict):
        return [spec.problem((), f"an OpenAPI document is an object, not {type_name(value)}")]
    if json_text.deeper(value, _MAX_DEPTH):
        return [spec.problem((), f"the document is nested deeper than {_MAX_DEPTH} levels")]
    version = value.get("openapi", value.get("swagger"))
    known = ("3.0", "3.1") if "openapi" in value else ("2.0",)
    if not isinstance(version, (str, float)) or not str(version).startswith(known):
        key = "openapi" if "openapi" in value else "swagger" if "swagger" in value else ""
        found = f"version {version}" if key else "a document without the key openapi"
        hint = f"convert it: npx api-spec-converter --from swagger_1 --to openapi_3 {spec.file}" if key == "swagger" else ""
        return [spec.problem((key,) if key else (), f"only OpenAPI 3.0 and 3.1 and Swagger 2.0 are read, not {found}", hint=hint)]
    if not isinstance(value.get("paths", {}), dict):
        return [spec.problem(("paths",), f"paths is an object, not {type_name(value['paths'])}")]
    return []
