"""MCP servers as a source of tools: the answer to ``tools/list``, from the server or from a saved file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import DefinitionError, Problem, ToolError
from bashkit.host_files import working_directory
from bashkit.tools import json_text
from bashkit.tools.define.definition import Effects, ToolDef
from bashkit.toolset.callback import TIMEOUT
from bashkit.toolset.callbacks.mcp import READ_RESOURCE, SERVER, McpCallback
from bashkit.toolset.callbacks.mcp.server import SERVER_SCHEMA, check_server, read_server
from bashkit.toolset.source import EVERYTHING, Asking, Found, FoundTool, Selection, Source, SourceError, passed_over, read_file
from bashkit.toolset.text.paths import relative

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.toolset.callbacks.mcp.connection import Connection
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_MOST_SHOWN = 50  # resources in a help text
_READER = "mcp_resource"  # the tool that reads a resource


@dataclass(frozen=True, slots=True)
class McpSource(Source):
    """An MCP server, or its saved answer to ``tools/list``.

    Attributes:
        connection: The server; None for a saved answer whose tools cannot be called.
        saved: The file of a saved answer to ``tools/list``; None to ask the server.
        timeout: Seconds for a call; None for the default.
        document, path: The declaring document and the path in it.
        selection: Selects and renames its tools.
    """

    connection: Connection | None
    saved: Path | None
    timeout: float | None
    document: Document = field(repr=False)
    path: DocumentPath
    selection: Selection = EVERYTHING

    key = "mcp"
    noun = "an MCP source"
    summary = "an MCP server"
    usage = "COMMAND..."
    about = "the command that starts an MCP server (after --), its URL, or a saved answer to tools/list"
    rank = 30
    properties: ClassVar = {
        "mcp": {
            "title": "MCP server",
            "description": "An MCP server: its command or its URL; or the path of a saved answer to tools/list.",
            "type": ["string", "object"],
            "$ref": "#/$defs/mcp_server",
            "examples": [{"command": ["mcp-server-time"]}, "tools.json"],
        }
    }
    definitions: ClassVar = {"mcp_server": SERVER_SCHEMA}

    @classmethod
    def check(cls, source: Declaration) -> None:
        """Note mistakes in the server's declaration, or in the path of the saved answer."""
        server = source.value["mcp"]
        if isinstance(server, dict):
            check_server(source, (*source.path, "mcp"), server, listed=True)
        else:
            source.check_substitution((*source.path, "mcp"), server)

    @classmethod
    def read(cls, source: Declaration, common: Mapping[str, Any]) -> McpSource:
        """Make the source; nothing is started."""
        from bashkit.toolset.callbacks.mcp.connection import Connection

        server = source.value["mcp"]
        if isinstance(server, str):
            return cls(connection=None, saved=source.file(server), **common)
        reached = "command" in server or "url" in server
        return cls(
            connection=Connection(read_server(source, (*source.path, "mcp"), server)) if reached else None,
            saved=source.file(server["tools"]) if "tools" in server else None,
            **common,
        )

    @classmethod
    def of_command_line(cls, words: Sequence[str], headers: Mapping[str, str]) -> dict[str, Any]:
        """Accept a URL, a saved answer, or the command that starts the server."""
        if len(words) == 1 and words[0].startswith(("http://", "https://")):
            return {"mcp": {"url": words[0]} | ({"headers": dict(headers)} if headers else {})}
        if headers and not words[0].startswith(("http://", "https://")):
            raise ValueError("--header is for OpenAPI documents and for MCP servers with a URL")
        if len(words) == 1 and words[0].endswith(".json"):
            return {"mcp": words[0].replace("$", "$$")}
        return {"mcp": {"command": [word.replace("$", "$$") for word in words]}}

    @classmethod
    def request_texts(cls, source: Mapping[str, Any]) -> list[str]:
        """The URL and the headers of the server."""
        server = source["mcp"]
        if not isinstance(server, dict):
            return []
        return [str(server.get("url", "")), *map(str, dict(server.get("headers", {})).values())]

    @classmethod
    def write_anchors(cls, source: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        """Write the server's declaration; nothing for a saved answer."""
        value = source["mcp"]
        if not isinstance(value, dict):
            return {}
        server = {key: part for key, part in value.items() if key not in {"tools", "cwd"}}
        if "command" in value:
            cwd = relative(Path(working_directory()) / value.get("cwd", "."), folder)
            server |= {} if cwd == "." else {"cwd": cwd}
        return {SERVER: server}

    def ask(self, asking: Asking) -> Found:
        """List the tools. A server that is started for this keeps running until ``close``.

        Raises:
            SourceError: The file cannot be read.
        """
        if self.saved is not None:
            listed = _saved(self.saved)
        else:
            assert self.connection is not None
            try:
                listed = self.connection.list_tools({**asking.env, **asking.stub_env})
            except ToolError as error:
                return Found(skipped=(error.message,))
        tools: list[FoundTool] = []
        skipped: list[str | Problem] = []
        for index, entry in enumerate(listed):
            if _is_task(entry) and self.selection.takes(entry["name"]):
                message = f"the MCP tool {entry['name']} is skipped: it runs only as a task, and tasks of MCP are not supported"
                skipped.append(passed_over(self, message, hint=f"exclude: [{entry['name']}]"))
                continue
            try:
                definition = tool_of(entry)
            except DefinitionError as error:
                name = str(entry.get("name")) if isinstance(entry, dict) else ""
                if self.selection.takes(name):
                    hint = f"exclude: [{json_text.encode(name)}]" if name else ""
                    skipped.append(passed_over(self, f"tool {index + 1} is skipped: {error}", hint=hint))
                continue
            tools.append(FoundTool(definition, self._target(definition.name, asking), f"the MCP tool {definition.name}"))
        resources = self._resources()
        if resources and all(tool.definition.name != _READER for tool in tools):
            target = self._target(READ_RESOURCE, asking)
            tools.append(FoundTool(_reader(resources), target, "the reader of MCP resources", optional=True))
        return Found(tuple(tools), tuple(skipped))

    def _resources(self) -> list[str]:
        return self.connection.list_resources() if self.connection is not None and self.saved is None else []

    def _target(self, name: str, asking: Asking) -> McpCallback:
        reader = self.selection.prefix + _READER if self._resources() and self.selection.takes(_READER) else ""
        return McpCallback(self.connection, name, self.timeout or TIMEOUT, self.place, asking.stub_env, reader)

    @property
    def version(self) -> int:
        """How often the server has said that its tools have changed; a saved answer stays as it is."""
        return 0 if self.connection is None or self.saved is not None else self.connection.version

    def files(self) -> tuple[Path, ...]:
        """The saved answer."""
        return () if self.saved is None else (self.saved,)

    def close(self) -> None:
        """Stop the server."""
        if self.connection is not None:
            self.connection.close()


def tool_of(entry: Any) -> ToolDef:
    """Make the tool that an entry of ``tools/list`` declares.

    Raises:
        DefinitionError: The entry does not describe a tool.
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
        stdin="json" if schema.get("properties") else False,
    )
    output = entry.get("outputSchema")
    if not isinstance(output, dict) or _wraps_text(output):
        return definition
    return replace(definition, output_schema=_without_dialect(output))


def _wraps_text(output: Mapping[str, Any]) -> bool:
    """Whether an output is only a text that the server's library has wrapped, which calls print as it is."""
    properties = output.get("properties")
    if not isinstance(properties, dict) or list(properties) != ["result"]:
        return False
    return isinstance(properties["result"], dict) and properties["result"].get("type") == "string"


def _is_task(entry: Any) -> bool:
    """Whether a tool runs only as a task (MCP, Tool, execution)."""
    execution = entry.get("execution") if isinstance(entry, dict) and isinstance(entry.get("name"), str) else None
    return isinstance(execution, dict) and execution.get("taskSupport") == "required"


def _reader(resources: Sequence[str]) -> ToolDef:
    """The tool that reads resources."""
    more = [f"and {len(resources) - _MOST_SHOWN} more"] if len(resources) > _MOST_SHOWN else []
    return ToolDef(
        _READER,
        "Read a resource of the MCP server.",
        {
            "type": "object",
            "properties": {"uri": {"type": "string", "description": "Its URI"}},
            "required": ["uri"],
            "additionalProperties": False,
        },
        details="Resources:\n" + "\n".join([*resources[:_MOST_SHOWN], *more]),
        effects="read",
        stdin=False,
    )


def _without_dialect(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "$schema"}


def _effects(hints: Mapping[str, Any]) -> Effects | None:
    """The effects of a call, according to the server's hints; a tool that writes is destructive unless it denies that (MCP,
    ToolAnnotations).
    """
    if hints.get("readOnlyHint") is True:
        return "read"
    if hints.get("readOnlyHint") is not False and "destructiveHint" not in hints:
        return None
    return "write" if hints.get("destructiveHint") is False else "destructive"


def _saved(path: Path) -> list[Any]:
    """Read the entries of a saved answer, which is the result or only the array of tools.

    Raises:
        SourceError: It cannot be read, or is not an answer to ``tools/list``.
    """
    try:
        value = json_text.decode(read_file(path))
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
            'the file is not an answer to tools/list: {"tools": […]}',
            [Problem(str(path), 1, 1, "this is not an answer to tools/list", '{"tools": […]}')],
        )
    return value
