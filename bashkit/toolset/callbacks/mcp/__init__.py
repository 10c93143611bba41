"""Callbacks that call the tools of an MCP server."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import CallbackNotFoundError, ToolError
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult
from bashkit.toolset.callback import TIMEOUT, Callback
from bashkit.toolset.callbacks.mcp.server import SERVER_SCHEMA, check_server, read_server
from bashkit.toolset.text.yaml_text import alias

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from bashkit.interp.utility.process import Process
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.callbacks.mcp.connection import Connection
    from bashkit.toolset.callbacks.mcp.contents import Contents
    from bashkit.toolset.callbacks.mcp.dialogue import Dialogue
    from bashkit.toolset.declaration import Declaration

SERVER = "server"  # the anchor of a server that several tools share
READ_RESOURCE = "resources/read"  # stands for a tool's name: the method of the protocol that reads a resource


@dataclass(frozen=True, slots=True)
class McpCallback(Callback):
    """One tool of an MCP server.

    Attributes:
        connection: Its server; None if only the description of the tool is known.
        name: Its name on the server; READ_RESOURCE to read the resource that the argument ``uri`` names.
        timeout: Seconds for a call.
        place: ``file:line:column`` of the declaration, for messages.
        env: Variables beside those of ``args.env``, for a server that must be started.
        reader: The command that reads a resource of the server by its URI, or "".
    """

    connection: Connection | None
    name: str
    timeout: float = TIMEOUT
    place: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    reader: str = ""

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
            "description": f"The tool's name on the MCP server; or {READ_RESOURCE}, which reads the resource uri.",
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
        parts = [
            list(server.command),
            dict(server.env),
            str(server.cwd),
            server.url,
            dict(server.headers),
            server.timeout,
            list(server.token_command),
        ]
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
        from bashkit.toolset.callbacks.mcp.contents import Contents

        return self._result(*await self._called(args), Contents(self.name))

    def in_shell(self, process: Process, args: ToolArgs, timeout: float | None = None) -> ToolResult:
        """Call the tool for a command of a shell, which gets what is not text as files.

        Raises:
            TimeoutError: It took too long.
            ToolError: As for a call without a shell.
        """
        from bashkit.toolset.callbacks.mcp.contents import Contents

        call: Callable[[], Awaitable[tuple[Any, Dialogue]] | tuple[Any, Dialogue]] = partial(self._called, args)
        result, dialogue = process.system.call(call, timeout=timeout)
        return self._result(result, dialogue, Contents(process.name, self.reader, process))

    async def _called(self, args: ToolArgs) -> tuple[Any, Dialogue]:
        """The SDK's result of the call, and what the server has said and asked meanwhile."""
        if self.connection is None:
            raise ToolError("only the description of this tool is saved; give its source a command or a url to call it")
        env = {**args.env, **self.env}
        from asyncio import get_running_loop

        from bashkit.toolset.callbacks.mcp.dialogue import Dialogue

        dialogue = Dialogue(args, get_running_loop())
        if self.name == READ_RESOURCE:
            return await self.connection.read_resource(str(args["uri"]), env, self.timeout, dialogue), dialogue
        return await self.connection.call(self.name, args.params, env, self.timeout, dialogue), dialogue

    def _result(self, result: Any, dialogue: Dialogue, contents: Contents) -> ToolResult:
        if self.name == READ_RESOURCE:
            return _lines("\n".join(map(contents.resource, result.contents)))
        pieces = [(one.type, contents.piece(one)) for one in result.content]
        text = "\n".join(piece for _, piece in pieces)
        if result.is_error:
            raise ToolError("; ".join([text or "the tool reports an error", *dialogue.notes]))
        structured = result.structured_content
        said = "".join(f"{contents.name}: {note}\n" for note in dialogue.notes)
        if structured is None or structured == {"result": text}:  # a text that the server's library has wrapped
            return replace(_lines(text), stderr=said)
        notes = [piece for kind, piece in pieces if kind != "text"]
        return ToolResult(json_text.encode(structured) + "\n", said + "".join(f"{contents.name}: {note}\n" for note in notes))

    def close(self) -> None:
        """Stop the server."""
        if self.connection is not None:
            self.connection.close()


def _lines(text: str) -> ToolResult:
    return ToolResult(text if not text or text.endswith("\n") else text + "\n")
