"""The declaration of an MCP server in a toolset file, used by callbacks that call its tools and by sources that list them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.toolset.callback import TIMEOUT
from bashkit.toolset.schema_fragments import URL, header_texts, table
from bashkit.toolset.schema_fragments import duration as duration_schema
from bashkit.toolset.text.notation import duration

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.text.document import Path as DocumentPath

_LONGEST = 80  # characters of a title
SERVER_SCHEMA = table(
    "Mcp server",
    "An MCP server, or the path of a saved answer to tools/list.",
    {
        "command": {
            "title": "Command",
            "description": "Program and arguments that start it, speaking over standard input and output; ${VAR} is replaced.",
            "type": "array",
            "minItems": 1,
            "items": {"description": "A word.", "type": "string"},
            "examples": [["mcp-server-git", "--repository", "."]],
        },
        "url": {
            "title": "URL",
            "description": "Its URL for streamable HTTP; ${VAR} is replaced from env and secrets.",
            "type": "string",
            "pattern": URL,
            "examples": ["https://mcp.example.com/mcp"],
        },
        "headers": header_texts("Headers of every request to url.", {"Authorization": "Bearer ${MCP_TOKEN}"}),
        "token_command": {
            "title": "Token command",
            "description": (
                "Program and arguments that print a token for url (OAuth), which is sent as Authorization: Bearer; it runs again "
                "when the server refuses the token. ${VAR} is replaced."
            ),
            "type": "array",
            "minItems": 1,
            "items": {"description": "A word.", "type": "string"},
            "examples": [["gcloud", "auth", "print-access-token"]],
        },
        "env": {
            "title": "Environment",
            "description": "Environment of the command beside that of this toolset; ${VAR} is replaced.",
            "type": "object",
            "additionalProperties": {"description": "Text, number or boolean.", "type": ["string", "number", "boolean"]},
            "default": {},
            "examples": [{"LOG_LEVEL": "warning"}],
        },
        "cwd": {
            "title": "Working directory",
            "description": (
                "Directory in which the command runs, relative to this file; ${VAR} is replaced. Default: the folder of this "
                "file."
            ),
            "type": "string",
            "minLength": 1,
            "default": ".",
            "examples": ["./repository"],
        },
        "tools": {
            "title": "Tools",
            "description": (
                "Path of a saved answer to tools/list, relative to this file: the server is started only when a tool is called."
            ),
            "type": "string",
            "minLength": 1,
            "examples": ["tools.json"],
        },
        "timeout": duration_schema(
            "Timeout",
            "Time that starting it and listing its tools may take. Seconds, or a number with ms, s, m or h. Default 30s.",
            default="30s",
            examples=["10s"],
        ),
    },
) | {"type": ["string", "object"], "minLength": 1}


@dataclass(frozen=True, slots=True)
class McpServer:
    """An MCP server: a command that starts it, or its address.

    Attributes:
        command: The program and its arguments; empty for an address.
        env: Its environment beside the toolset's.
        cwd: Its working directory.
        url: Its address, in the notation of HTTP callbacks; "" for a command.
        headers: Headers of every request, in that notation.
        timeout: Seconds for starting it and for listing its tools.
        token_command: The program that prints a token for the address, and its arguments; empty for none.
    """

    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: Path | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout: float = TIMEOUT
    token_command: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """For messages: the command or the address, shortened."""
        text = shlex.join(self.command) if self.command else self.url
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def check_server(owner: Declaration, path: DocumentPath, server: Mapping[str, Any], *, listed: bool) -> None:
    """Note mistakes in a server's declaration that the schema cannot express.

    Args:
        owner: The tool or source.
        path: The path of the server in the document.
        server: The declaration.
        listed: A saved list of its tools is accepted in place of a server.
    """
    document = owner.document
    if "command" in server and "url" in server:
        document.at((*path, "url"), "an MCP server has a command or a url, not both", key=True)
    elif not server.keys() & {"command", "url"} and not (listed and "tools" in server):
        document.at(path, "an MCP server needs a command or a url", hint="mcp: {command: [my-server, --stdio]}")
    for key, needed in (("env", "command"), ("cwd", "command"), ("headers", "url"), ("token_command", "url")):
        own = key in {"env", "cwd"} and "token_command" in server  # they are those of the token command
        if key in server and needed not in server and not own and {"command", "url"} & server.keys():
            document.at((*path, key), f"{key} belongs to an MCP server with a {needed}", key=True)
    owner.check_duration((*path, "timeout"), server.get("timeout"))
    env = server.get("env")
    for key in ("cwd", "tools"):
        owner.check_substitution((*path, key), server.get(key))
    for key in ("command", "token_command"):
        words = server.get(key)
        for index, word in enumerate(words if isinstance(words, list) else ()):
            owner.check_substitution((*path, key, index), word)
    for name, text in (env if isinstance(env, dict) else {}).items():
        owner.check_substitution((*path, "env", name), text)


def read_server(owner: Declaration, path: DocumentPath, value: Mapping[str, Any]) -> McpServer:
    """Make the server; unknown variables in its requests are noted."""
    for key in ("url", "headers"):
        owner.check_texts((*path, key), value.get(key))
    return McpServer(
        command=tuple(map(owner.around.text, value.get("command", ()))),
        env={name: owner.around.text(text) for name, text in dict(value.get("env", {})).items()},
        cwd=owner.file(value.get("cwd", ".")),
        url=value.get("url", ""),
        headers=dict(value.get("headers", {})),
        timeout=duration(value["timeout"]) if "timeout" in value else TIMEOUT,
        token_command=tuple(map(owner.around.text, value.get("token_command", ()))),
    )
