"""Callbacks that call the tools of an MCP server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import CallbackNotFoundError, ToolError
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult
from bashkit.toolset.callback import TIMEOUT, Callback
from bashkit.toolset.callbacks.mcp.server import SERVER_SCHEMA, check_server, read_server
from bashkit.toolset.text.yaml_text import alias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.callbacks.mcp.connection import Connection
    from bashkit.toolset.declaration import Declaration

SERVER = "server"  # the anchor of a server that several tools share


@dataclass(frozen=True, slots=True)
class McpCallback(Callback):
    """One tool of an MCP server.

    Attributes:
        connection: Its server; None if only the description of the tool is known.
        name: Its name on the server.
        timeout: Seconds for a call.
        place: ``file:line:column`` of the declaration, for messages.
        env: Variables beside those of ``args.env``, for a server that must be started.
    """

    connection: Connection | None
    name: str
    timeout: float = TIMEOUT
    place: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    key = "mcp"
    noun = "an MCP callback"
    summary = "a tool of an MCP server"
    rank = 50
    properties: ClassVar = {
        "mcp": {
            "title": "MCP server",
            "description": "The MCP server that has the tool.",
            "type": "object",
            "$ref": "#/$defs/mcp_server",
            "examples": [{"command": ["mcp-server-time"]}],
        },
        "tool": {
            "title": "Tool",
            "description": "The tool's name on the MCP server.",
            "type": "string",
            "minLength": 1,
            "examples": ["get_current_time"],
        },
    }
    required: ClassVar = {"tool": "its name on the server"}
    definitions: ClassVar = {"mcp_server": SERVER_SCHEMA}

    @classmethod
    def check(cls, tool: Declaration) -> None:
        """Note mistakes in the declaration of the server."""
        server = tool.callback["mcp"]
        if isinstance(server, dict):
            check_server(tool, (*tool.path, "callback", "mcp"), server, listed=False)

    @classmethod
    def read(cls, tool: Declaration) -> McpCallback:
        """Make the callback; callbacks of the same server share one connection, which is opened at the first call."""
        from bashkit.toolset.callbacks.mcp.connection import Connection

        server = read_server(tool, (*tool.path, "callback", "mcp"), tool.callback["mcp"])
        parts = [list(server.command), dict(server.env), str(server.cwd), server.url, dict(server.headers), server.timeout]
        connection = tool.around.shared.setdefault(f"mcp {json_text.encode(parts)}", Connection(server))
        return cls(
            connection, tool.callback["tool"], tool.timeout or TIMEOUT, tool.place("callback", "mcp"), tool.around.stub_env
        )

    def write(self, folder: Path) -> dict[str, Any]:  # noqa: ARG002 - the server stands elsewhere in the file
        """Write ``callback: {mcp: *server, tool: …}``; a stub if only the description of the tool is known."""
        if self.connection is None:
            return {"stub": "only the description of this tool is saved"}
        return {"callback": {"mcp": alias(SERVER), "tool": self.name}}

    @property
    def target(self) -> str:
        """The tool's name on the server."""
        return self.name

    def resolve(self) -> Connection | None:
        """Return the connection without opening it.

        Raises:
            CallbackNotFoundError: The SDK is missing.
        """
        from bashkit.toolset.callbacks.mcp.connection import installed

        try:
            installed()
        except ToolError as error:
            raise CallbackNotFoundError(error.message) from error
        return self.connection

    async def __call__(self, args: ToolArgs) -> ToolResult:
        """Call the tool: return its structured content as JSON, else its texts.

        Raises:
            ToolError: The tool reports an error, or the server cannot be reached or takes too long.
        """
        if self.connection is None:
            raise ToolError("only the description of this tool is saved; give its source a command or a url to call it")
        result = await self.connection.call(self.name, args.params, {**args.env, **self.env}, self.timeout)
        text = "\n".join(map(_text, result.content))
        if result.is_error:
            raise ToolError(text or "the tool reports an error")
        if result.structured_content is not None:
            text = json_text.encode(result.structured_content)
        return ToolResult(text if not text or text.endswith("\n") else text + "\n")

    def close(self) -> None:
        """Stop the server."""
        if self.connection is not None:
            self.connection.close()


def _text(content: Any) -> str:
    """One piece of content as text: its own text, or the whole piece as JSON."""
    if content.type == "text":
        return str(content.text)
    text = getattr(getattr(content, "resource", None), "text", None)
    return text if isinstance(text, str) else json_text.encode(content.model_dump(mode="json", by_alias=True, exclude_none=True))
