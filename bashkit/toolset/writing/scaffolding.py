"""Scaffolding: a new tool put into the text of a toolset file, of which nothing else changes, and the callback that it begins with."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bashkit.errors import BashkitError, ToolsetError
from bashkit.tools.definition import bad_name
from bashkit.tools.scripted import INTROSPECTION, shell_commands
from bashkit.toolset.reading import document as documents

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.toolset.reading.document import Document
    from bashkit.toolset.toolset import Toolset

_BOM = "\ufeff"
Kind = Literal["python", "executable", "script"]


class ScaffoldError(BashkitError):
    """A tool that cannot be added; the message says where and why."""


@dataclass(slots=True)
class Addition:
    """What adding a tool changes.

    Attributes:
        line: Where in the toolset file the tool stands then.
        texts: The new content of every file.
        executable: The file that is made executable, or None.
    """

    line: int
    texts: dict[Path, str] = field(default_factory=dict)
    executable: Path | None = None

    def write(self) -> None:
        """Write the files.

        Raises:
            OSError: One cannot be written.
        """
        for path, text in self.texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        if self.executable is not None:
            self.executable.chmod(self.executable.stat().st_mode | 0o111)


def add_tool(toolset: Toolset, name: str, kind: Kind) -> Addition:
    """What it takes to add a tool to the file of a toolset. Nothing is written.

    Args:
        toolset: As ``load`` gives it.
        name: The tool.
        kind: What its callback is.

    Raises:
        ScaffoldError: The name cannot be taken, or the place of the tools cannot be told.
    """
    _refuse_name(toolset, name)
    folder = toolset.path.parent
    function = re.sub(r"\W", "_", name)
    texts: dict[Path, str] = {}
    program: Path | None = None
    if kind == "python":
        module, path = _module(toolset)
        callback = [f"callback: {{python: {module}.{function}}}"]
        texts[path] = _with_function(path, function)
    elif kind == "executable":
        program = folder / "tools" / f"{name}.sh"
        if program.exists():
            raise ScaffoldError(f"{program} exists already")
        callback = [f"callback: {{executable: ./tools/{name}.sh}}"]
        texts[program] = _PROGRAM
    else:
        callback = ["callback:", "  script: |", *(f"    {line}" for line in _SCRIPT)]
    line, text = _inserted(toolset.document, [*(part.replace("NAME", name) for part in _ENTRY), *callback])
    _verify(toolset.document, text, name)
    mark = _BOM if toolset.path.read_bytes().startswith(_BOM.encode()) else ""
    return Addition(line, {toolset.path: mark + text, **texts}, program)


def _refuse_name(toolset: Toolset, name: str) -> None:
    reason = bad_name(name)
    if reason:
        raise ScaffoldError(reason)
    if name in INTROSPECTION or name in shell_commands():
        raise ScaffoldError(f"the tool {name!r} would hide the command of that name")
    for item in toolset.declared:
        if item.definition.name == name:
            raise ScaffoldError(
                f"{item.document.file}:{item.mark.line}:{item.mark.column}: a tool called {name!r} is here already"
            )


# -- the toolset file --------------------------------------------------------------------------------------------------


def _inserted(document: Document, entry: list[str]) -> tuple[int, str]:
    """The line of a new entry of ``tools`` and the text of the file with it; everything else stays as it is."""
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
            f"{document.file}:{key.line}:{key.column}: the place of the tools cannot be told; write tools: on a line of its own"
        )
    lines[key.line - 1] = f"{match[1]}{match[2]}".rstrip()
    return key.line + 1, newline.join([*lines[: key.line], *_entry(entry, 2, 2), *lines[key.line :], ""])


def _entry(parts: list[str], dash: int, gap: int) -> list[str]:
    inner = " " * (dash + gap)
    return [f"{' ' * dash}-{' ' * (gap - 1)}{parts[0]}", *(f"{inner}{part}" for part in parts[1:])]


def _end(lines: list[str], limit: int) -> int:
    """The number of lines up to ``limit`` without what belongs to what follows: blank lines, comments in the first column."""
    while limit and (not lines[limit - 1].strip() or lines[limit - 1].startswith("#") or lines[limit - 1] == "..."):
        limit -= 1
    return limit


def _start(lines: list[str], line: int) -> int:
    """The first of the comment lines right above a line, or the line itself."""
    while line > 1 and lines[line - 2].strip().startswith("#"):
        line -= 1
    return line


def _verify(document: Document, text: str, name: str) -> None:
    """Nothing is written that does not say what it should."""
    read = documents.read(text, document.file)
    before = document.value.get("tools") or []
    after = read.value.get("tools") if isinstance(read.value, dict) else None
    if read.problems or not isinstance(after, list) or after[:-1] != before or after[-1].get("name") != name:
        problems = read.problems or [document.problem(("tools",), "the place of the tools cannot be told", key=True)]
        raise ToolsetError(problems)


# -- the callback ------------------------------------------------------------------------------------------------------


def _module(toolset: Toolset) -> tuple[str, Path]:
    """The module that gets the function: that of the last Python callback when it is a file beside the toolset, else a new one."""
    folder = toolset.path.parent
    for item in reversed(toolset.declared):
        dotted = getattr(item.callback, "dotted", None)
        if dotted is None or item.document is not toolset.document:
            continue
        module = dotted.rpartition(".")[0]
        path = folder.joinpath(*module.split("."))
        for file in (path.with_name(f"{path.name}.py"), path / "__init__.py"):
            if file.is_file():
                return module, file
    module = re.sub(r"\W", "_", toolset.name) + "_tools"
    return module, folder / f"{module}.py"


def _with_function(path: Path, function: str) -> str:
    text = (
        path.read_text(encoding="utf-8")
        if path.is_file()
        else '"""Callbacks of the toolset: each gets its arguments, converted and checked."""\n'
    )
    if re.search(rf"(?m)^(?:(?:async )?def|class) {function}\b|^{function}\s*[:=]", text):
        return text  # it is written already
    return text.rstrip("\n") + f"\n\n\n{_FUNCTION.replace('FUNCTION', function)}"


_ENTRY = [
    "name: NAME",
    "description: Say in one line what NAME does",
    "effects: read",
    "input_schema:",
    "  type: object",
    "  properties:",
    "    text: {type: string, description: What it works on}",
    "  required: [text]",
    "output_schema: {type: object, properties: {text: {type: string}}}",
    'examples: ["NAME --text hello | jq -r .text"]',
]
_FUNCTION = """\
def FUNCTION(args):
    return {"text": args["text"]}
"""
_PROGRAM = """\
#!/bin/sh
# The arguments are one JSON object in $1. What is printed is the result; a status other than 0 says that it failed.
printf '%s\\n' "$1"
"""
_SCRIPT = [
    "# $text is a parameter, $1 the JSON object of all of them, and every other tool a command.",
    "jq -n --arg text \"$text\" '{text: $text}'",
]
