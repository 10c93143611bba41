"""Appends an item to a list in the text of a toolset file; every other line, comments included, stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from bashkit.errors import ToolsetError
from bashkit.tools import json_text
from bashkit.toolset.text import document as documents
from bashkit.toolset.text.yaml_text import yaml_text
from bashkit.toolset.writing.inserting import with_key

if TYPE_CHECKING:
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath


def with_item(document: Document, path: DocumentPath, value: Any) -> str:
    """The text of a document with one more item in a list, which is made if it is missing.

    Args:
        document: The file.
        path: The path of the list: a key of a tool, or a key of the file.
        value: The item.

    Raises:
        ScaffoldError: The tool is written in braces.
        ToolsetError: The new text would not say that.
    """
    if path in document.values:
        text = _appended(document, path, value)
    elif len(path) == 1:
        newline = _newline(document)
        text = document.text.rstrip() + newline * 2 + yaml_text({path[0]: [value]}).replace("\n", newline)
    else:
        return with_key(document, path[:-1], str(path[-1]), [value])
    _verify(document, path, text, value)
    return text


def _appended(document: Document, path: DocumentPath, value: Any) -> str:
    node = _node(document, path)
    text = document.text
    if node.flow_style or not node.value:
        return _in_brackets(document, node, path, value)
    newline = _newline(document)
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    dash = node.start_mark.column
    at = len(lines) if node.end_mark.index >= len(text) else node.end_mark.line
    while _leads_on(lines[at - 1], dash):
        at -= 1
    first = node.value[0].start_mark
    gap = " " * (first.column - dash - 2 if first.line == node.start_mark.line else 0)
    spaced = len(node.value) > 1 and not lines[node.value[-1].start_mark.line - 1].strip()
    written = yaml_text([value]) if isinstance(value, (dict, list)) else "- " + yaml_text({"x": value}).removeprefix("x: ")
    head, *rest = written.splitlines()
    entry = [f"- {gap}{head.removeprefix('- ')}", *(f"{gap}{line}".rstrip() for line in rest)]
    shown = [*([""] if spaced else []), *(f"{' ' * dash}{line}".rstrip() for line in entry)]
    return newline.join([*lines[:at], *shown, *(lines[at:] or [""])])


def _leads_on(line: str, dash: int) -> bool:
    """Whether a line belongs to what follows a list: it is blank, or a comment that stands no deeper than the list's hyphens."""
    inner = line.lstrip()
    return not inner or (inner.startswith("#") and len(line) - len(inner) <= dash)


def _in_brackets(document: Document, node: yaml.SequenceNode, path: DocumentPath, value: Any) -> str:
    """Append an item to a list in brackets, which may stand over several lines."""
    text, end = document.text, node.end_mark.index - 1
    if text[end : end + 1] != "]":
        raise ToolsetError([document.problem(path, "the end of this list cannot be found: write its items one below the other")])
    before = text[:end].rstrip()
    return f"{before}{', ' if node.value else ''}{json_text.encode(value)}{text[len(before) :]}"


def _node(document: Document, path: DocumentPath) -> yaml.SequenceNode:
    """The list at a path, as YAML sees it.

    Raises:
        ToolsetError: There is none, because it comes from a merge key or stands elsewhere.
    """
    node: Any = yaml.compose(document.text, Loader=yaml.CSafeLoader)
    for step in path:
        if isinstance(node, yaml.MappingNode):
            node = next((inner for key, inner in node.value if key.value == step), None)
        else:
            node = node.value[step]
    mark = document.mark(path)
    if not isinstance(node, yaml.SequenceNode) or (node.start_mark.line + 1, node.start_mark.column + 1) != (
        mark.line,
        mark.column,
    ):
        raise ToolsetError([document.problem(path, "the position of this list cannot be found", key=True)])
    return node


def _newline(document: Document) -> str:
    return "\r\n" if "\r\n" in document.text else "\n"


def _verify(document: Document, path: DocumentPath, text: str, value: Any) -> None:
    """Check that the new text says what the old one said, and the new item."""
    read = documents.read(text, document.file)
    wanted = _with(document.value, path, value)
    if read.problems or read.value != wanted:
        raise ToolsetError(read.problems or [document.problem(path, "the position of the new item cannot be found", key=True)])


def _with(value: Any, path: DocumentPath, item: Any) -> Any:
    """A copy of a value with one more item in the list at a path."""
    if not path:
        return [*value, item]
    step, *rest = path
    if isinstance(value, dict):
        inner = value.get(step, [])
        return {**value, step: _with(inner if inner is not None else [], tuple(rest), item)}
    return [_with(inner, tuple(rest), item) if index == step else inner for index, inner in enumerate(value)]
