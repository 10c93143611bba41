"""MCP servers as a source of tools: what ``tools/list`` answers, live or from a saved file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError, Problem, ToolError
from bashkit.tools import json_text
from bashkit.tools.definition import Effects, ToolDef
from bashkit.toolset.callbacks import TIMEOUT
from bashkit.toolset.callbacks.mcp import Connection, McpTool
from bashkit.toolset.sources import EVERYTHING, Asking, Found, FoundTool, Selection, SourceError, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.toolset.reading.document import Document
    from bashkit.toolset.reading.document import Path as DocumentPath

_MAX_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class McpSource:
    """An MCP server, or a saved answer of one.

    Attributes:
        connection: The server; None for a saved answer whose tools cannot be called.
        saved: The file of a saved answer to ``tools/list``; None to ask the server.
        timeout: Seconds for a call; None for the usual time.
        document, path: Where it is declared.
        selection: Which of the tools are taken.
    """

    connection: Connection | None
    saved: Path | None
    timeout: float | None
    document: Document = field(repr=False)
    path: DocumentPath
    selection: Selection = EVERYTHING
    key = "mcp"

    def ask(self, asking: Asking) -> Found:
        """List the tools. A server that is started for it goes on running until ``close``.

        Raises:
            SourceError: The file cannot be read.
        """
        extra = {"SHELLCLAW_STUB": "1"} if asking.stubbed else {}
        if self.saved is not None:
            listed = _saved(self.saved)
        else:
            assert self.connection is not None
            try:
                listed = self.connection.list_tools({**asking.env, **extra})
            except ToolError as error:
                return Found(skipped=(error.message,))
        place = f"{self.document.file}:{self.document.mark(self.path).line}"
        tools, skipped = [], []
        for index, entry in enumerate(listed):
            try:
                definition = tool_of(entry)
            except DefinitionError as error:
                name = entry.get("name") if isinstance(entry, dict) else None
                if self.selection.takes(str(name)):
                    skipped.append(f"tool {index + 1} is skipped: {error}")
                continue
            target = McpTool(self.connection, definition.name, self.timeout or TIMEOUT, place, extra)
            tools.append(FoundTool(definition, target, f"the MCP tool {definition.name}"))
        return Found(tuple(tools), tuple(skipped))

    def files(self) -> tuple[Path, ...]:
        """The saved answer."""
        return () if self.saved is None else (self.saved,)

    def close(self) -> None:
        """End the server."""
        if self.connection is not None:
            self.connection.close()


def tool_of(entry: Any) -> ToolDef:
    """The tool that an entry of ``tools/list`` declares.

    Raises:
        DefinitionError: It is none.
    """
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise DefinitionError("an MCP tool is an object with a name")
    schema = entry.get("inputSchema", {"type": "object"})
    if not isinstance(schema, dict):
        raise DefinitionError(f"tool {entry['name']}: inputSchema is not an object")
    hints = entry.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    texts = (entry.get("description"), entry.get("title"), hints.get("title"))
    definition = ToolDef(
        entry["name"],
        next((text.strip() for text in texts if isinstance(text, str) and text.strip()), ""),
        _without_dialect(schema),
        effects=_effects(hints),
    )
    output = entry.get("outputSchema")
    return replace(definition, output_schema=_without_dialect(output)) if isinstance(output, dict) else definition


def _without_dialect(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "$schema"}


def _effects(hints: Mapping[str, Any]) -> Effects | None:
    """What a call does, as far as the server says so; where it only writes, it destroys unless it denies that (MCP, ToolAnnotations)."""
    if hints.get("readOnlyHint") is True:
        return "read"
    if hints.get("readOnlyHint") is not False and "destructiveHint" not in hints:
        return None
    return "write" if hints.get("destructiveHint") is False else "destructive"


def _saved(path: Path) -> list[Any]:
    """The entries of a saved answer: its result, or only the array of tools.

    Raises:
        SourceError: It cannot be read, or is none.
    """
    try:
        value = json_text.decode(read_file(path, _MAX_BYTES).decode("utf-8"))
    except UnicodeDecodeError:
        raise SourceError("it cannot be read: it is not UTF-8") from None
    except JSONDecodeError as error:
        source = error.doc.split("\n")[error.lineno - 1]
        problem = Problem(str(path), error.lineno, error.colno, f"this is not JSON: {error.msg}", source=source)
        raise SourceError(problem.message, [problem]) from None
    except ValueError as error:
        raise SourceError(f"the file is not JSON: {error}") from None
    for key in ("result", "tools"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    if not isinstance(value, list):
        raise SourceError(
            'the file is no answer to tools/list: {"tools": […]}',
            [Problem(str(path), 1, 1, "this is no answer to tools/list", '{"tools": […]}')],
        )
    return value
