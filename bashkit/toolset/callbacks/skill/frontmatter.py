"""Reads SKILL.md: frontmatter and text of a skill in the public Agent Skills format, with the line numbers of mistakes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.errors import Problem
from bashkit.tools.define.definition import bad_name
from bashkit.tools.define.schema import type_name
from bashkit.toolset.text import document as documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.toolset.text.document import Document

FILE = "SKILL.md"
_FENCE = "---"
_MAX_BYTES = 4 << 20
_LONGEST = {"name": 64, "description": 1024, "compatibility": 500}  # characters, as the format says
_ALLOWED = re.compile(r"[^\s,()]+(?:\([^)]*\))?")
_BASH = "Bash"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Skill:
    """The content of a SKILL.md.

    Attributes:
        name: The skill's name.
        description: What it does and when it is of use.
        text: The text after the frontmatter.
        version: Its version, from ``metadata`` or a key of its own, or "".
        allowed: The tools it may use; None if not declared.
        warnings: What the format does not allow and what works nevertheless.
    """

    name: str
    description: str
    text: str
    version: str = ""
    allowed: tuple[str, ...] | None = None
    warnings: tuple[Problem, ...] = ()

    @property
    def runs_scripts(self) -> bool:
        """Whether its scripts may run: it restricts no tools, or its tools include Bash in any form."""
        return self.allowed is None or any(entry.partition("(")[0] == _BASH for entry in self.allowed)


def read_skill(directory: Path) -> Skill | tuple[Problem, ...]:
    """Read the skill of a directory, or the mistakes in its SKILL.md. An unchanged file is not read again.

    Args:
        directory: The directory with the SKILL.md.
    """
    path = directory / FILE
    try:
        if not path.resolve().is_relative_to(directory.resolve()):
            return (Problem(str(path), 1, 1, f"{FILE} is a link that leads outside of the skill"),)
        state = path.stat()
    except (OSError, RuntimeError) as error:
        return (_unreadable(path, error),)
    return _read(str(path), state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=1024)
def _read(file: str, *_state: int) -> Skill | tuple[Problem, ...]:
    path = Path(file)
    try:
        text = host_files.read_text(path, _MAX_BYTES).removeprefix("\ufeff")
    except OSError as error:
        return (_unreadable(path, error),)
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        return (
            Problem(
                file, 1, 1, f"{FILE} begins with its frontmatter", "write --- on the first line, then name: and description:"
            ),
        )
    end = next((index for index, line in enumerate(lines) if index and line.rstrip() == _FENCE), None)
    if end is None:
        return (Problem(file, 1, 1, "the frontmatter has no end", "write --- on the line below it", lines[0], len(_FENCE)),)
    document = documents.read("\n".join(["", *lines[1:end]]), file)  # an empty first line keeps the line numbers
    return _skill(document, "\n".join(lines[end + 1 :]).strip("\r\n"))


def _unreadable(path: Path, error: Exception) -> Problem:
    reason = error.strerror if isinstance(error, OSError) else "its links go in a circle"
    return Problem(str(path), 1, 1, f"{FILE} cannot be read: {reason}")


def _skill(document: Document, text: str) -> Skill | tuple[Problem, ...]:
    value = document.value
    if not document.problems and not isinstance(value, dict):
        document.at((), f"the frontmatter is a mapping of name and description, not {type_name(value)}")
    if isinstance(value, dict):
        _check(document, value)
    if document.problems or not isinstance(value, dict):
        return tuple(document.problems)
    metadata = value.get("metadata") or {}
    return Skill(
        name=value["name"],
        description=" ".join(value["description"].split()),
        text=text,
        version=_words(metadata.get("version", value.get("version"))),
        allowed=_allowed(value.get("allowed-tools")),
        warnings=tuple(_warnings(document, value)),
    )


def _check(document: Document, value: Mapping[str, Any]) -> None:
    for key in ("name", "description"):
        if key not in value:
            document.at((), f"the frontmatter needs a {key}")
    for key in ("name", "description", "license", "compatibility"):
        given = value.get(key, "-")
        if not isinstance(given, str):
            document.at((key,), f"{key} is text, not {type_name(given)}", hint="write it in quotes")
        elif not given.strip():
            document.at((key,), f"{key} is empty")
    name = value.get("name")
    reason = bad_name(name) if isinstance(name, str) and name.strip() else ""
    if reason:
        document.at(("name",), reason.replace("the tool name", "the skill's name"), hint="lower-case letters, digits and hyphens")
    metadata = value.get("metadata")
    if metadata is not None and not isinstance(metadata, dict):
        document.at(("metadata",), f"metadata is a mapping, not {type_name(metadata)}")
    allowed = value.get("allowed-tools")
    if isinstance(allowed, list):
        for index, entry in enumerate(allowed):
            if not isinstance(entry, str):
                document.at(("allowed-tools", index), f"a tool's name is text, not {type_name(entry)}")
    elif allowed is not None and not isinstance(allowed, str):
        document.at(("allowed-tools",), f"allowed-tools is text or a list, not {type_name(allowed)}")


def _warnings(document: Document, value: Mapping[str, Any]) -> Iterator[Problem]:
    for key, longest in _LONGEST.items():
        if len(value.get(key, "")) > longest:
            message = f"{key} has {len(value[key])} characters, more than {longest}"
            yield document.warning((key,), "skill-format", message, hint="other programs may refuse the skill")
    if not _NAME.fullmatch(value["name"]):
        message = f"the name {value['name']!r} is not of the format: lower-case letters, digits and single hyphens between them"
        yield document.warning(("name",), "skill-format", message, hint="other programs may refuse the skill")


def _words(version: Any) -> str:
    return "" if isinstance(version, (dict, list, bool)) or version is None else str(version)


def _allowed(value: str | list[str] | None) -> tuple[str, ...] | None:
    """Split ``allowed-tools`` into its entries: ``Bash(git add:*) Read``, with or without commas."""
    if value is None:
        return None
    return tuple(_ALLOWED.findall(value)) if isinstance(value, str) else tuple(entry.strip() for entry in value)
