"""Adds a new tool to the text of a toolset file without changing the rest, and writes its first callback."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.errors import ToolsetError
from bashkit.tools.define.definition import bad_name
from bashkit.tools.define.reserved import needs_override
from bashkit.toolset.starter import ScaffoldError
from bashkit.toolset.text import document as documents
from bashkit.toolset.writing.saving import save

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.toolset.callback import Callback
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.toolset import Toolset

DESCRIPTION = "Say in one line what NAME does"  # placeholders, which the author replaces
PARAMETER = "What it works on"
_BOM = "\ufeff"


@dataclass(slots=True)
class Addition:
    """The changes that adding a tool makes.

    Attributes:
        line: The line of the new tool in the toolset file.
        texts: The new content of every file.
        executable: The file to make executable, or None.
    """

    line: int
    texts: dict[Path, str] = field(default_factory=dict)
    executable: Path | None = None

    def write(self) -> None:
        """Write the files.

        Raises:
            BashkitError: One cannot be written.
            OSError: One cannot be made.
        """
        for path, text in self.texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            save(path, text)
        if self.executable is not None:
            self.executable.chmod(self.executable.stat().st_mode | 0o111)


def add_tool(toolset: Toolset, name: str, kind: type[Callback]) -> Addition:
    """Plan the changes that add a tool to a toolset's file. Nothing is written.

    Args:
        toolset: The result of ``load``.
        name: The tool.
        kind: The kind of its callback, which must have a starter.

    Raises:
        ScaffoldError: The name is not allowed or taken, or the position for the new tool cannot be found.
    """
    _refuse_name(toolset, name)
    start = kind.start(toolset, name)
    line, text = _inserted(toolset.document, [*(part.replace("NAME", name) for part in _ENTRY), *start.callback])
    _verify(toolset.document, text, name)
    mark = _BOM if host_files.read_bytes(toolset.path).startswith(_BOM.encode()) else ""
    return Addition(line, {toolset.path: mark + text, **start.texts}, start.executable)


def _refuse_name(toolset: Toolset, name: str) -> None:
    reason = bad_name(name)
    if reason:
        raise ScaffoldError(reason)
    if needs_override(name):
        raise ScaffoldError(f"the tool {name!r} would hide the command of that name")
    for item in toolset.declared:
        if item.definition.name == name:
            raise ScaffoldError(
                f"{item.document.file}:{item.mark.line}:{item.mark.column}: a tool called {name!r} is here already"
            )


# -- the toolset file --------------------------------------------------------------------------------------------------


def _inserted(document: Document, entry: list[str]) -> tuple[int, str]:
    """Insert an entry into ``tools``; return its line and the new text, whose other lines are unchanged."""
    newline = "\r\n" if "\r\n" in document.text else "\n"
    lines = document.text.split("\n")
    lines = [line.removesuffix("\r") for line in lines]
    while lines and not lines[-1].strip():
        lines.pop()
    tools: Any = document.value.get("tools")
    key = document.keys.get(("tools",))
    if key is None:
        block = ["", "tools:", *_entry(entry, 2, 2)]
        at = _end(lines, len(lines))
        return at + 3, newline.join([*lines[:at], *block, *lines[at:], ""])
    if not tools:
        return _into_empty(document, lines, entry, newline)
    mark = document.mark(("tools", 0))
    first = lines[mark.line - 1]
    dash = first.rfind("-", 0, mark.column - 1)
    if dash < 0 or first[:dash].strip() or first[dash + 1 : mark.column - 1].strip():
        place = f"{document.file}:{key.line}:{key.column}"
        raise ScaffoldError(
            f"{place}: the tools stand in brackets; write them one below the other, each behind a hyphen, and try again"
        )
    following = [other.line for path, other in document.keys.items() if len(path) == 1 and other.line > key.line]
    at = _end(lines, min(following) - 1 if following else len(lines))
    last = document.mark(("tools", len(tools) - 1)).line
    spaced = len(tools) == 1 or not lines[_start(lines, last) - 2].strip()
    block = [*([""] if spaced else []), *_entry(entry, dash, mark.column - 1 - dash)]
    return at + 1 + spaced, newline.join([*lines[:at], *block, *lines[at:], ""])


def _into_empty(document: Document, lines: list[str], entry: list[str], newline: str) -> tuple[int, str]:
    key = document.keys["tools",]
    line = lines[key.line - 1]
    match = re.fullmatch(r"(\S+?:)(?:\s*\[\s*\]|\s*~|\s*null)?(\s*#.*|\s*)", line)
    if match is None:
        raise ScaffoldError(
            f"{document.file}:{key.line}:{key.column}: the position of the tools cannot be found; write tools: on a line "
            "of its own"
        )
    lines[key.line - 1] = f"{match[1]}{match[2]}".rstrip()
    return key.line + 1, newline.join([*lines[: key.line], *_entry(entry, 2, 2), *lines[key.line :], ""])


def _entry(parts: list[str], dash: int, gap: int) -> list[str]:
    inner = " " * (dash + gap)
    return [f"{' ' * dash}-{' ' * (gap - 1)}{parts[0]}", *(f"{inner}{part}" for part in parts[1:])]


def _end(lines: list[str], limit: int) -> int:
    """The number of lines up to ``limit``, without the blank lines and first-column comments that belong to the next key."""
    while limit and (not lines[limit - 1].strip() or lines[limit - 1].startswith("#") or lines[limit - 1] == "..."):
        limit -= 1
    return limit


def _start(lines: list[str], line: int) -> int:
    """The line number of the first comment directly above a line, or of the line itself."""
    while line > 1 and lines[line - 2].strip().startswith("#"):
        line -= 1
    return line


def _verify(document: Document, text: str, name: str) -> None:
    """Check that the new text declares exactly what it should before it is written."""
    read = documents.read(text, document.file)
    before = document.value.get("tools") or []
    after = read.value.get("tools") if isinstance(read.value, dict) else None
    if read.problems or not isinstance(after, list) or after[:-1] != before or after[-1].get("name") != name:
        problems = read.problems or [document.problem(("tools",), "the position of the tools cannot be found", key=True)]
        raise ToolsetError(problems)


_ENTRY = [
    "name: NAME",
    f"description: {DESCRIPTION}",
    "effects: read",
    "input_schema:",
    "  type: object",
    "  properties:",
    f"    text: {{type: string, description: {PARAMETER}}}",
    "  required: [text]",
    "output_schema: {type: object, properties: {text: {type: string}}}",
    'examples: ["NAME --text hello | jq -r .text"]',
]
