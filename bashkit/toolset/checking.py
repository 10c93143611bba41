"""The rules of the toolset format: what is wrong with a document, all of it, with positions."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from referencing import Registry

from bashkit.tools import json_text
from bashkit.tools.definition import bad_name
from bashkit.tools.schema import mistakes, type_name
from bashkit.tools.scripted import INTROSPECTION, shell_commands
from bashkit.toolset.document import dotted
from bashkit.toolset.notation import duration, substitute
from bashkit.toolset.resources import toolset_schema
from bashkit.toolset.testing import declared_tests, output_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jsonschema.exceptions import ValidationError

    from bashkit.toolset.document import Document, Path

# keys that the design of the format has and this version does not read: refused rather than ignored
_PLANNED = frozenset({"record", "replay"})
# the keys of which a callback or a source has exactly one, and what a message calls it then
CALLBACK_KINDS = {
    "python": "a Python callback",
    "executable": "an executable callback",
    "http": "an HTTP callback",
    "skill": "a callback of a skill",
    "mcp": "an MCP callback",
}
SOURCE_KINDS = {
    "executables": "a source of executables",
    "skills": "a source of skills",
    "mcp": "an MCP source",
    "openapi": "an OpenAPI source",
}
_LIKELY = 0.6  # likeness of a suggestion
_PATTERNS = {
    "name": "a toolset's name starts with a letter or underscore and goes on with letters, digits, _ and -",
    "timeout": "a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
    "backoff": "a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
    "delay": "a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
    "max_backoff": "a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
    "cache": "a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
    "name in tests": "a test's name is one line that starts with a letter or digit",
    "url": "a URL begins with http:// or https://",
    "base_url": "a URL begins with http:// or https://",
    "at": "a mount is at an absolute path: /data",
    "python": "a Python callback is a dotted path: module.function",
}


def check_format(document: Document) -> None:
    """Note everything in which a document departs from the JSON Schema of the format."""
    validator = Draft202012Validator(toolset_schema(), registry=Registry())
    for error in validator.iter_errors(document.value):
        _note(document, error)


def _note(document: Document, error: ValidationError) -> None:
    path: Path = tuple(error.absolute_path)
    keyword, value = error.validator, error.instance
    limit: Any = error.validator_value
    if keyword == "additionalProperties" and isinstance(value, dict):
        _unknown_keys(document, path, value, error.schema)
    elif keyword == "required" and isinstance(limit, list) and isinstance(value, dict):
        _missing(document, path, [name for name in limit if name not in value])
    elif keyword == "anyOf":
        document.at(path, f"the tool {_name(value)} needs a callback", hint="add callback: {python: module.function}, or a stub")
    elif keyword == "not" and isinstance(value, str):
        _misplaced_key(document, path, value)
    elif keyword == "type":
        expected = " or ".join([limit] if isinstance(limit, str) else limit)
        document.at(path, f"expected {expected}, got {type_name(value)}", hint=_conversion(expected, value))
    elif keyword in {"enum", "const"}:
        choices = limit if isinstance(limit, list) else [limit]
        words = [choice if isinstance(choice, str) else json_text.encode(choice) for choice in choices]
        document.at(path, f"expected {' or '.join(words)}, got {_short(value)}", hint=suggestion(str(value), words))
    elif keyword == "pattern":
        known = "name in tests" if path[:1] == ("tests",) else str(path[-1])
        document.at(path, _PATTERNS.get(known, f"{_short(value)} does not match {limit}"))
    else:
        document.at(path, error.message)


def _unknown_keys(document: Document, path: Path, value: Mapping[str, Any], schema: Any) -> None:
    known = list(schema.get("properties", ()))
    for key in value:
        if key in known or key.startswith("x-"):
            continue
        if key in _PLANNED:
            document.at((*path, key), f"{key!r} is not supported yet", hint=f"write x-{key} to keep it in the file", key=True)
        else:
            hint = suggestion(key, known) or f"known here: {', '.join(known)}"
            document.at((*path, key), f"unknown key {key!r}", hint=hint, key=True)


def _misplaced_key(document: Document, path: Path, key: str) -> None:
    """A key that belongs to another kind of callback or source."""
    around: Any = document.value
    for step in path:
        around = around[step]
    kinds = CALLBACK_KINDS if path[-1] == "callback" else SOURCE_KINDS
    kind = next(words for name, words in kinds.items() if name in around)
    document.at((*path, key), f"{kind} takes no {key!r}", key=True)


def _missing(document: Document, path: Path, names: list[str]) -> None:
    if not names:
        return
    owner = {"tools": "a tool", "mounts": "a mount", "tests": "a test"}.get(str(path[0]) if path else "", "a toolset")
    if path[-1:] == ("callback",):
        needed = names[0] if names[0] not in CALLBACK_KINDS else _either(CALLBACK_KINDS)
        document.at(path, f"a callback needs {needed}", hint="callback: {python: module.function}" if names[0] in CALLBACK_KINDS else "")
        return
    if path[-1:] == ("http",):
        document.at(path, f"an HTTP callback needs a {names[0]}")
        return
    if path[:1] == ("sources",):
        document.at(path, f"a source needs {_either(SOURCE_KINDS)}")
        return
    for name in names:
        hint = "write version: 1 on the first line" if name == "version" else ""
        document.at(path, f"{owner} needs a {name}", hint=hint)


def _either(kinds: Mapping[str, str]) -> str:
    *names, last = kinds
    return f"{', '.join(names)} or {last}"


def suggestion(word: str, known: list[str]) -> str:
    """``did you mean …?``, or "" when nothing is close."""
    close = get_close_matches(word, known, 1, _LIKELY)
    return f"did you mean {close[0]}?" if close else ""


def _conversion(expected: str, value: Any) -> str:
    if expected == "array" and isinstance(value, (str, int)):
        return f"write [{value}]"
    if expected == "string" and isinstance(value, (int, float, bool)):
        return f'write "{json_text.encode(value)}" in quotes'
    return ""


def _name(value: Any) -> str:
    return repr(value["name"]) if isinstance(value, dict) and "name" in value else "here"


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json_text.encode(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def check_meaning(document: Document, environ: Mapping[str, str]) -> None:
    """Note what the format's schema cannot say: names, schemas of tools, durations, variables."""
    value = document.value
    if not isinstance(value, dict):
        return
    for path, tool in tools_of(value):
        _check_tool(document, path, tool)
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
    seen: dict[str, int] = {}
    for path, test in declared_tests(value):
        name = test.get("name")
        if not isinstance(name, str):
            continue
        mark = document.mark((*path, "name"))
        line = seen.setdefault(output_file(name).casefold(), mark.line)
        if line != mark.line:
            document.at((*path, "name"), f"two tests are called {name!r}", hint=f"the other one is on line {line}")


def _check_tool(document: Document, path: Path, tool: Mapping[str, Any]) -> None:
    name = tool.get("name")
    if isinstance(name, str):
        reason = bad_name(name)
        if reason:
            document.at((*path, "name"), reason)
        elif not tool.get("override") and (name in INTROSPECTION or name in shell_commands()):
            message = f"the tool {name!r} would hide the command of that name"
            document.at((*path, "name"), message, hint="say override: true if it should")
    for key in ("input_schema", "output_schema"):
        schema = tool.get(key)
        if not isinstance(schema, dict):
            continue
        for inner, message in mistakes(schema):
            document.at((*path, key, *inner), message)
    _check_stubs(document, path, tool)
    kind = tool["input_schema"].get("type", "object") if isinstance(tool.get("input_schema"), dict) else "object"
    if kind in {"array", "boolean", "integer", "null", "number", "string"}:  # any other wrong value is no JSON Schema at all
        document.at((*path, "input_schema", "type"), f"arguments are an object, not {kind!r}")


def _check_stubs(document: Document, path: Path, tool: Mapping[str, Any]) -> None:
    if "stub" in tool and "stubs" in tool:
        document.at((*path, "stubs"), "a tool has a stub or stubs, not both", key=True)
    schema = tool.get("input_schema")
    known = list(schema.get("properties", ())) if isinstance(schema, dict) and isinstance(schema.get("properties", {}), dict) else []
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
    limits = value.get("limits")
    if isinstance(limits, dict):
        places.append((("limits", "timeout"), limits.get("timeout")))
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
