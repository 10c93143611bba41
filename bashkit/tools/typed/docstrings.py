"""Reads docstrings in the styles of Google, NumPy and Sphinx: what a function does, and what its parameters mean."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

_GOOGLE = re.compile(r"(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments):\s*$")
_SECTION = re.compile(
    r"(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Returns?|Yields?|Raises|Attributes|Examples?|Notes?|"
    r"See Also|Warnings?|References|Todo):\s*$"
)
_NUMPY = re.compile(r"(Other )?Parameters\s*$")
_UNDERLINE = re.compile(r"-{3,}\s*$")
_GOOGLE_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY_ENTRY = re.compile(r"\*{0,2}(\w+(?:\s*,\s*\w+)*)\s*(?::.*)?$")
_SPHINX_ENTRY = re.compile(r":(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)")
_SPHINX_FIELD = re.compile(r":\w+[^:]*:")


@dataclass(slots=True)
class Documentation:
    """What a docstring says.

    Attributes:
        description: The text before the first section.
        parameters: The meaning of each parameter that it explains.
    """

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


def read(docstring: str | None) -> Documentation:
    """Read a docstring; one in no known style is all description."""
    lines = inspect.cleandoc(docstring or "").splitlines()
    end = next((index for index in range(len(lines)) if _begins_section(lines, index)), len(lines))
    found = Documentation("\n".join(lines[:end]).strip())
    index = end
    while index < len(lines):
        if _GOOGLE.match(lines[index]):
            index = _entries(lines, index + 1, _GOOGLE_ENTRY, found)
        elif _underlined(lines, index) and _NUMPY.match(lines[index]):
            index = _numpy_entries(lines, index + 2, found)
        elif entry := _SPHINX_ENTRY.match(lines[index]):
            index = _continued(lines, index + 1, [entry[2]], entry[1], 0, found)
        else:
            index += 1
    return found


def _begins_section(lines: list[str], index: int) -> bool:
    return bool(_SECTION.match(lines[index]) or _SPHINX_FIELD.match(lines[index])) or _underlined(lines, index)


def _underlined(lines: list[str], index: int) -> bool:
    return bool(lines[index].strip()) and index + 1 < len(lines) and bool(_UNDERLINE.match(lines[index + 1]))


def _entries(lines: list[str], index: int, pattern: re.Pattern[str], found: Documentation) -> int:
    """Read ``name: text`` entries that are indented below a heading; return the index of the line after them."""
    while index < len(lines) and (not lines[index].strip() or _indent(lines[index])):
        entry = pattern.match(lines[index].strip())
        if entry is None:
            index += 1
        else:
            index = _continued(lines, index + 1, [entry[2]], entry[1], _indent(lines[index]), found)
    return index


def _numpy_entries(lines: list[str], index: int, found: Documentation) -> int:
    """Read ``name : type`` entries, each with its text indented below it; return the index of the line after them."""
    while index < len(lines) and not _begins_section(lines, index):
        entry = _NUMPY_ENTRY.match(lines[index])
        index += 1
        if entry is not None:
            names, start = [name.strip() for name in entry[1].split(",")], index
            for name in names:
                index = _continued(lines, start, [], name, 0, found)
    return index


def _continued(lines: list[str], index: int, texts: list[str], name: str, indent: int, found: Documentation) -> int:
    """Add the lines that are indented deeper than an entry to its text; return the index of the line after them."""
    while index < len(lines) and lines[index].strip() and _indent(lines[index]) > indent:
        texts.append(lines[index].strip())
        index += 1
    text = " ".join(filter(None, texts))
    if text:
        found.parameters[name] = text
    return index


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
