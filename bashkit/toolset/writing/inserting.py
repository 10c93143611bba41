"""Adds a key to a tool in the text of a toolset file; every other line, comments included, stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolsetError
from bashkit.toolset.starter import ScaffoldError
from bashkit.toolset.text import document as documents
from bashkit.toolset.text.yaml_text import yaml_text

if TYPE_CHECKING:
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_BEFORE = ("output_schema", "input_schema", "description", "name")  # the new key follows the first of these that is there


def with_key(document: Document, tool: DocumentPath, key: str, value: Any) -> str:
    """The text of a document with one more key in a tool.

    Args:
        document: The file.
        tool: The path of the tool in it.
        key: The key, which the tool must not have.
        value: Its value.

    Raises:
        ScaffoldError: The tool is written in braces.
        ToolsetError: The new text would not say that.
    """
    newline = "\r\n" if "\r\n" in document.text else "\n"
    lines = [line.removesuffix("\r") for line in document.text.split("\n")]
    keys = sorted((mark.line, mark.column, path[-1]) for path, mark in document.keys.items() if path[:-1] == tool)
    line, column, _ = keys[0]
    if {one_line for one_line, _, _ in keys} == {line} and len(keys) > 1:
        raise ScaffoldError(
            f"{document.file}:{line}:{column}: the tool stands in braces; write its keys one below the other, and try again"
        )
    anchor = next(place for name in _BEFORE for place, _, other in keys if other == name)
    following = [place for place, _, _ in keys if place > anchor]
    at = (following[0] if following else _after(document, tool, len(lines))) - 1
    while at > anchor and (not lines[at - 1].strip() or lines[at - 1].lstrip().startswith("#")):
        at -= 1
    block = [f"{' ' * (column - 1)}{one}".rstrip() for one in yaml_text({key: value}).splitlines()]
    text = newline.join([*lines[:at], *block, *lines[at:]])
    _verify(document, tool, text, {key: value})
    return text


def _after(document: Document, tool: DocumentPath, last: int) -> int:
    """The line behind a tool: that of the next tool or key of the file."""
    begin = document.mark(tool).line
    others = [
        mark.line for path, mark in (document.values | document.keys).items() if len(path) <= len(tool) and mark.line > begin
    ]
    return min(others, default=last + 1)


def _verify(document: Document, tool: DocumentPath, text: str, added: dict[str, Any]) -> None:
    """Check that the new text says what the old one said, and the new key."""
    read = documents.read(text, document.file)
    before, after = _at(document.value, tool), _at(read.value, tool) if not read.problems else None
    if read.problems or after != before | added:
        raise ToolsetError(read.problems or [document.problem(tool, "the position of the new key cannot be found", key=True)])


def _at(value: Any, path: DocumentPath) -> Any:
    for step in path:
        value = value[step]
    return value
