"""Making callbacks and sources of what a toolset file says about them: a table for each, kind -> maker."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError, ToolError
from bashkit.network import NetworkPolicy
from bashkit.tools import json_text
from bashkit.toolset.callbacks import TIMEOUT
from bashkit.toolset.callbacks.python import PythonTarget
from bashkit.toolset.reading.notation import duration, substitute
from bashkit.toolset.sources import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from bashkit.toolset.callbacks.executable import ExecutableTarget
    from bashkit.toolset.callbacks.mcp import Connection, McpServer
    from bashkit.toolset.reading.document import Document
    from bashkit.toolset.reading.document import Path as DocumentPath
    from bashkit.toolset.sources import Source


@dataclass(slots=True)
class Making:
    """What the makers need beside the declaration itself.

    Attributes:
        environ: Where ``${VAR}`` of paths and commands comes from.
        variables: The names of the toolset's env and secrets: what ``${VAR}`` of requests may be.
        stubbed: Stubs stand in for callbacks, and what is started is told so.
        secrets: The names of the toolset's secrets.
        connections: The MCP servers made so far: callbacks that name the same one share it.
    """

    environ: Mapping[str, str]
    variables: frozenset[str] = frozenset()
    stubbed: bool = False
    secrets: frozenset[str] = frozenset()
    connections: dict[str, Connection] = field(default_factory=dict)

    def text(self, value: Any) -> str:
        """A text with ``${VAR}`` replaced; a number or boolean as YAML writes it."""
        if isinstance(value, str):
            return substitute(value, self.environ)
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)

    @property
    def stub_env(self) -> dict[str, str]:
        """What is told to whatever is started."""
        return {"SHELLCLAW_STUB": "1"} if self.stubbed else {}

    def connection(self, server: McpServer) -> Connection:
        """The one connection to a server."""
        from bashkit.toolset.callbacks.mcp import Connection

        parts = [list(server.command), dict(server.env), str(server.cwd), server.url, dict(server.headers), server.timeout]
        return self.connections.setdefault(json_text.encode(parts), Connection(server))


@dataclass(frozen=True, slots=True)
class Declaration:
    """A tool or source as a document says it.

    Attributes:
        document, path: Where it stands.
        folder: What paths in it are relative to.
        value: What it says.
        making: The rest of the world.
    """

    document: Document
    path: DocumentPath
    folder: Path
    value: Mapping[str, Any]
    making: Making

    def place(self, *steps: str) -> str:
        """``file:line:column`` of something inside it."""
        mark = self.document.mark((*self.path, *steps))
        return f"{self.document.file}:{mark.line}:{mark.column}"

    def file(self, text: Any) -> Path:
        """A path, relative to the file that declares it."""
        return self.folder / self.making.text(text)

    @property
    def parameters(self) -> Mapping[str, Any] | None:
        """The properties of a tool's input schema; None where it says nothing about them, or nothing that makes sense."""
        schema = self.value.get("input_schema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        return properties if isinstance(properties, dict) else None

    @property
    def timeout(self) -> float | None:
        """Seconds that a call may take, where it is said."""
        return duration(self.value["timeout"]) if "timeout" in self.value else None

    def check_texts(self, path: DocumentPath, value: Any) -> None:
        """Note ``${VAR}`` of requests that is neither in env nor in secrets."""
        known = dict.fromkeys(self.making.variables, "x")
        for where, text in _texts(path, value):
            try:
                substitute(text, known)
            except LookupError as error:
                name = str(error.args[0]).split()[2]
                self.document.at(where, f"the variable {name} is neither in env nor in secrets", hint=f"secrets: [{name}]")
            except ValueError:
                pass  # an argument's {name} behind a dollar sign is none

    def check_hosts(self, path: DocumentPath, hosts: Any) -> None:
        """Note what is no host."""
        for index, host in enumerate(hosts):
            try:
                NetworkPolicy(allow=[host])
            except DefinitionError as error:
                self.document.at((*path, index), str(error).removeprefix("network: "))


def _texts(path: DocumentPath, value: Any) -> Iterator[tuple[DocumentPath, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts((*path, key), inner)


# -- callbacks ---------------------------------------------------------------------------------------------------------


def _python(tool: Declaration, callback: Mapping[str, Any]) -> PythonTarget:
    return PythonTarget(callback["python"], tool.folder, tool.place("callback", "python"))


def _executable(tool: Declaration, callback: Mapping[str, Any]) -> ExecutableTarget:
    from bashkit.toolset.callbacks.executable import ExecutableTarget

    return ExecutableTarget(
        tool.folder / callback["executable"],
        style=callback.get("arguments", "json"),
        cwd=tool.file(callback.get("cwd", ".")),
        timeout=tool.timeout or TIMEOUT,
        place=tool.place("callback", "executable"),
        env=tool.making.stub_env,
    )


def _http(tool: Declaration, callback: Mapping[str, Any]) -> Any:
    from bashkit.toolset.callbacks.http import HttpTarget
    from bashkit.toolset.callbacks.http import template as request

    value = callback["http"]
    path = (*tool.path, "callback", "http")
    target = HttpTarget(
        value.get("method", "GET"),
        value["url"],
        headers=dict(value.get("headers", {})),
        query=dict(value.get("query", {})),
        body=value.get("body"),
        allow=tuple(value.get("allow", ())),
        allow_private=value.get("allow_private", False),
        timeout=tool.timeout or TIMEOUT,
        place=tool.place("callback", "http"),
        stubbed=tool.making.stubbed,
    )
    for key in ("url", "headers", "query"):
        tool.check_texts((*path, key), value.get(key))
    tool.check_hosts((*path, "allow"), value.get("allow", ()))
    parameters = tool.parameters
    for name in [] if parameters is None else [name for name in target.placeholders() if name not in parameters]:
        tool.document.at(path, f"{{{name}}} is no parameter of input_schema", hint="write {{ and }} for braces", key=True)
    if not target.allow and not value["url"].startswith("${"):
        try:
            known = request.Values(dict.fromkeys(target.placeholders(), "x"), dict.fromkeys(tool.making.variables, "x"))
            if request.has_holes(request.url_of(value["url"], known)[1]):
                tool.document.at(
                    (*path, "url"), "an argument decides which host is asked", hint="name the hosts: allow: [api.example.com]"
                )
        except ToolError:
            pass  # said above
    return target


def _skill(tool: Declaration, callback: Mapping[str, Any]) -> Any:
    from bashkit.toolset.callbacks.skill import SkillPrompt, SkillScript

    directory = tool.folder / callback["skill"]
    place = tool.place("callback", "skill")
    if "script" not in callback:
        return SkillPrompt(directory, place)
    return SkillScript(directory, PurePosixPath(callback["script"]), tool.timeout or TIMEOUT, place, tool.making.stub_env)


def _mcp_tool(tool: Declaration, callback: Mapping[str, Any]) -> Any:
    from bashkit.toolset.callbacks.mcp import McpTool

    connection = tool.making.connection(_server(tool, callback["mcp"], (*tool.path, "callback", "mcp")))
    return McpTool(connection, callback["tool"], tool.timeout or TIMEOUT, tool.place("callback", "mcp"), tool.making.stub_env)


def _script(tool: Declaration, callback: Mapping[str, Any]) -> Any:
    from bashkit.toolset.callbacks.script import ScriptTarget

    name = tool.value.get("name", "")  # the tool around it may be wrong
    return ScriptTarget(str(name), callback["script"], tuple(tool.parameters or ()), tool.making.secrets)


CALLBACKS: dict[str, Callable[[Declaration, Mapping[str, Any]], Any]] = {
    "python": _python,
    "executable": _executable,
    "http": _http,
    "skill": _skill,
    "mcp": _mcp_tool,
    "script": _script,  # the last one: a skill has a script, too
}


def make_callback(tool: Declaration) -> Any:
    """The callback of a tool. What is wrong with it only now is noted in the document."""
    callback = tool.value["callback"]
    return next(make for key, make in CALLBACKS.items() if key in callback)(tool, callback)


# -- sources -----------------------------------------------------------------------------------------------------------


def _executables(source: Declaration, common: Mapping[str, Any]) -> Source:
    from bashkit.toolset.sources.executables import ExecutableSource

    return ExecutableSource(
        directory=source.file(source.value["executables"]), cwd=source.file(source.value.get("cwd", ".")), **common
    )


def _skills(source: Declaration, common: Mapping[str, Any]) -> Source:
    from bashkit.toolset.sources.skills import SkillSource

    return SkillSource(directory=source.file(source.value["skills"]), **common)


def _mcp(source: Declaration, common: Mapping[str, Any]) -> Source:
    from bashkit.toolset.callbacks.mcp import Connection
    from bashkit.toolset.sources.mcp import McpSource

    server = source.value["mcp"]
    if isinstance(server, str):
        return McpSource(connection=None, saved=source.file(server), **common)
    reached = "command" in server or "url" in server
    return McpSource(
        connection=Connection(_server(source, server, (*source.path, "mcp"))) if reached else None,
        saved=source.file(server["tools"]) if "tools" in server else None,
        **common,
    )


def _openapi(source: Declaration, common: Mapping[str, Any]) -> Source:
    from bashkit.toolset.sources.openapi import OpenApiSource

    value = source.value
    for key in ("base_url", "headers"):
        source.check_texts((*source.path, key), value.get(key))
    source.check_hosts((*source.path, "allow"), value.get("allow", ()))
    return OpenApiSource(
        file=source.file(value["openapi"]),
        base_url=value.get("base_url", ""),
        headers=dict(value.get("headers", {})),
        allow=tuple(value.get("allow", ())),
        allow_private=value.get("allow_private", False),
        **common,
    )


SOURCES: dict[str, Callable[[Declaration, Mapping[str, Any]], Source]] = {
    "executables": _executables,
    "skills": _skills,
    "mcp": _mcp,
    "openapi": _openapi,
}


def make_source(source: Declaration) -> Source:
    """A source. What is wrong with it only now is noted in the document."""
    value = source.value
    selection = Selection(value.get("prefix", ""), tuple(value.get("include", ())), tuple(value.get("exclude", ())))
    common = {"timeout": source.timeout, "document": source.document, "path": source.path, "selection": selection}
    return next(make for key, make in SOURCES.items() if key in value)(source, common)


def _server(owner: Declaration, value: Mapping[str, Any], path: DocumentPath) -> McpServer:
    from bashkit.toolset.callbacks.mcp import McpServer

    for key in ("url", "headers"):
        owner.check_texts((*path, key), value.get(key))
    return McpServer(
        command=tuple(map(owner.making.text, value.get("command", ()))),
        env={name: owner.making.text(text) for name, text in dict(value.get("env", {})).items()},
        cwd=owner.file(value.get("cwd", ".")),
        url=value.get("url", ""),
        headers=dict(value.get("headers", {})),
        timeout=duration(value["timeout"]) if "timeout" in value else TIMEOUT,
    )
