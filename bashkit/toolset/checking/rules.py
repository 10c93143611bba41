"""The rules of the toolset format: what is wrong with a document, all of it, with positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools.definition import bad_name
from bashkit.tools.schema import mistakes, type_name
from bashkit.tools.scripted import INTROSPECTION, shell_commands
from bashkit.toolset.checking.format import CALLBACK_KINDS, SOURCE_KINDS, note_format_errors, schema_hint, suggestion
from bashkit.toolset.fitting import fits
from bashkit.toolset.reading.document import dotted
from bashkit.toolset.reading.notation import duration, substitute
from bashkit.toolset.testing import declared_tests, output_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.toolset.reading.document import Document, Path

_LAYMANS = {
    "null": "nothing",
    "string": "text",
    "array": "a list",
    "integer": "a number",
    "number": "a number",
    "boolean": "true or false",
}


def check_format(document: Document) -> None:
    """Note everything in which a document departs from the JSON Schema of the format."""
    if not isinstance(document.value, dict):
        message = f"a toolset is keys and values, not {_LAYMANS.get(type_name(document.value), type_name(document.value))}"
        document.at((), message, hint="write version: 1 on the first line")
        return
    if fits(document.value):
        return
    note_format_errors(document)


def check_meaning(document: Document, environ: Mapping[str, str]) -> None:
    """Note what the format's schema cannot say: names, schemas of tools, durations, variables."""
    value = document.value
    if not isinstance(value, dict):
        return
    taken = shell_commands().union(INTROSPECTION)
    for path, tool in tools_of(value):
        _check_tool(document, path, tool, taken)
    for path, server in mcp_servers_of(value):
        _check_server(document, path, server)
    _check_durations(document, value)
    _check_mounts(document, value)
    _check_tests(document, value)
    _check_variables(document, value, environ)


def tools_of(value: Mapping[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every entry of ``tools`` that is one, with its path."""
    tools = value.get("tools")
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        if isinstance(tool, dict):
            yield ("tools", index), tool


def sources_of(value: Mapping[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every entry of ``sources`` that is one, with its path."""
    sources = value.get("sources")
    for index, source in enumerate(sources if isinstance(sources, list) else ()):
        if isinstance(source, dict):
            yield ("sources", index), source


def mounts_of(value: Mapping[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every entry of ``mounts`` that is one, with its path."""
    mounts = value.get("mounts")
    for index, mount in enumerate(mounts if isinstance(mounts, list) else ()):
        if isinstance(mount, dict):
            yield ("mounts", index), mount


def _check_mounts(document: Document, value: Mapping[str, Any]) -> None:
    seen: set[str] = set()
    for path, mount in mounts_of(value):
        place = mount.get("at")
        if isinstance(place, str):
            if place.rstrip("/") in seen:
                document.at((*path, "at"), f"two mounts are at {place}")
            seen.add(place.rstrip("/"))
    if seen and value.get("filesystem") == "none":
        document.at(("mounts",), "there are no mounts where filesystem is none", key=True)


def _check_tests(document: Document, value: Mapping[str, Any]) -> None:
    seen: dict[str, Path] = {}
    for path, test in declared_tests(value):
        name = test.get("name")
        if not isinstance(name, str):
            continue
        first = seen.setdefault(output_file(name).casefold(), path)
        if first != path:
            line = document.mark((*first, "name")).line
            document.at((*path, "name"), f"two tests are called {name!r}", hint=f"the other one is on line {line}")


def _check_tool(document: Document, path: Path, tool: Mapping[str, Any], taken: frozenset[str]) -> None:
    name = tool.get("name")
    if isinstance(name, str):
        reason = bad_name(name)
        if reason:
            document.at((*path, "name"), reason)
        elif name in taken and not tool.get("override"):
            message = f"the tool {name!r} would hide the command of that name"
            document.at((*path, "name"), message, hint="say override: true if it should")
    for key in ("input_schema", "output_schema"):
        schema = tool.get(key)
        if not isinstance(schema, dict):
            continue
        for inner, message in mistakes(schema):
            document.at((*path, key, *inner), message, hint=schema_hint(schema, inner, message))
    _check_stubs(document, path, tool)
    callback = tool.get("callback")
    if (
        isinstance(callback, dict)
        and isinstance(callback.get("script"), str)
        and not callback.keys() & (CALLBACK_KINDS.keys() - {"script"})
    ):
        from bashkit.toolset.checking.embedded_scripts import check_script

        check_script(document, (*path, "callback", "script"), callback["script"])
    kind = tool["input_schema"].get("type", "object") if isinstance(tool.get("input_schema"), dict) else "object"
    if kind in {"array", "boolean", "integer", "null", "number", "string"}:  # any other wrong value is no JSON Schema at all
        document.at((*path, "input_schema", "type"), f"arguments are an object, not {kind!r}")


def _check_stubs(document: Document, path: Path, tool: Mapping[str, Any]) -> None:
    if "stub" in tool and "stubs" in tool:
        document.at((*path, "stubs"), "a tool has a stub or stubs, not both", key=True)
    schema = tool.get("input_schema")
    known = (
        list(schema.get("properties", ())) if isinstance(schema, dict) and isinstance(schema.get("properties", {}), dict) else []
    )
    for inner, case in stub_cases_of(path, tool):
        outcomes = [key for key in ("value", "values", "error") if key in case]
        if len(outcomes) > 1:
            document.at((*inner, outcomes[1]), f"a stub gives {outcomes[0]} or {outcomes[1]}, not both", key=True)
        elif not outcomes and "exit_code" not in case:
            document.at(inner, "a stub gives a value, values or an error")
        when = case.get("when")
        for name in when if isinstance(when, dict) else ():
            if known and name not in known:
                hint = suggestion(name, known) or f"known here: {', '.join(known)}"
                document.at((*inner, "when", name), f"the tool has no parameter {name!r}", hint=hint, key=True)


def stub_cases_of(path: Path, tool: Mapping[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every entry of a tool's ``stubs`` that is one, with its path."""
    cases = tool.get("stubs")
    for index, case in enumerate(cases if isinstance(cases, list) else ()):
        if isinstance(case, dict):
            yield (*path, "stubs", index), case


def _check_server(document: Document, path: Path, server: Mapping[str, Any]) -> None:
    if "command" in server and "url" in server:
        document.at((*path, "url"), "an MCP server has a command or a url, not both", key=True)
    elif not server.keys() & {"command", "url"} and ("tools" not in server or path[-2] == "callback"):
        document.at(path, "an MCP server needs a command or a url", hint="mcp: {command: [my-server, --stdio]}")
    for key, owner in (("env", "command"), ("cwd", "command"), ("headers", "url")):
        if key in server and owner not in server and {"command", "url"} & server.keys():
            document.at((*path, key), f"{key} belongs to an MCP server with a {owner}", key=True)


def _check_durations(document: Document, value: Mapping[str, Any]) -> None:
    places: list[tuple[Path, Any]] = [((*path, "timeout"), tool.get("timeout")) for path, tool in tools_of(value)]
    places += [((*path, "timeout"), source.get("timeout")) for path, source in sources_of(value)]
    places += [((*path, "timeout"), server.get("timeout")) for path, server in mcp_servers_of(value)]
    places += [((*path, "cache"), tool.get("cache")) for path, tool in tools_of(value)]
    for path, tool in tools_of(value):
        places += [((*inner, "delay"), case.get("delay")) for inner, case in stub_cases_of(path, tool)]
        retry = tool.get("retry")
        if isinstance(retry, dict):
            places += [((*path, "retry", key), retry.get(key)) for key in ("backoff", "max_backoff")]
    for key in ("limits", "network"):
        part = value.get(key)
        if isinstance(part, dict):
            places.append(((key, "timeout"), part.get("timeout")))
    for path, text in places:
        if isinstance(text, str) and any(problem.path == dotted(path) for problem in document.problems):
            continue  # the format's schema has spoken
        if isinstance(text, str):
            try:
                duration(text)
            except ValueError as error:
                document.at(path, str(error))


def _check_variables(document: Document, value: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    for path, text in variable_places(value):
        try:
            substitute(text, environ)
        except LookupError as error:
            document.at(path, str(error.args[0]), hint="set it, or give it a default: ${NAME:-default}")
        except ValueError as error:
            document.at(path, str(error))


def variable_places(value: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every text in which ``${VAR}`` is replaced."""
    env = value.get("env")
    for name, text in (env if isinstance(env, dict) else {}).items():
        if isinstance(text, str):
            yield ("env", name), text
    for path, tool in tools_of(value):
        callback = tool.get("callback")
        if isinstance(callback, dict) and isinstance(callback.get("cwd"), str):
            yield (*path, "callback", "cwd"), callback["cwd"]
    for path, mount in mounts_of(value):
        if isinstance(mount.get("directory"), str):
            yield (*path, "directory"), mount["directory"]
    for path, source in sources_of(value):
        for key in (*SOURCE_KINDS, "cwd"):
            if isinstance(source.get(key), str):
                yield (*path, key), source[key]
    for path, server in mcp_servers_of(value):
        yield from _server_texts(path, server)


def mcp_servers_of(value: Mapping[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every MCP server of a callback or a source that is written out, with its path."""
    callbacks = [((*path, "callback"), tool.get("callback")) for path, tool in tools_of(value)]
    for path, owner in [*callbacks, *sources_of(value)]:
        if isinstance(owner, dict) and isinstance(owner.get("mcp"), dict):
            yield (*path, "mcp"), owner["mcp"]


def _server_texts(path: Path, server: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    command, env = server.get("command"), server.get("env")
    places: list[tuple[Path, Any]] = [((*path, key), server.get(key)) for key in ("cwd", "tools")]
    places += [((*path, "command", index), word) for index, word in enumerate(command if isinstance(command, list) else ())]
    places += [((*path, "env", name), text) for name, text in (env if isinstance(env, dict) else {}).items()]
    yield from ((place, text) for place, text in places if isinstance(text, str))
