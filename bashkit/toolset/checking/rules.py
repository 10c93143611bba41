"""Checks rules of toolset files that a schema cannot express: names, schemas of tools, durations, variables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.tools.define.definition import bad_name
from bashkit.tools.define.reserved import needs_override
from bashkit.tools.define.schema import mistakes
from bashkit.toolset import callbacks, sources
from bashkit.toolset.checking.format import schema_hint
from bashkit.toolset.declaration import SIGNATURE, Declaration, Surroundings, check_duration, check_substitution, parameters_of
from bashkit.toolset.script_tests import declared_tests, output_file
from bashkit.toolset.text.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_FOR_THE_HOST = ("env", "env_file", "include", "mounts", "sources")
_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


def check_rules(document: Document, environ: Mapping[str, str]) -> None:
    """Note mistakes that the format's schema cannot express."""
    value = document.value
    if not isinstance(value, dict):
        return
    for path, tool in tools_of(value):
        _check_tool(document, path, tool)
    _check_kinds(document, value, environ)
    _check_durations(document, value)
    _check_mounts(document, value)
    _check_tests(document, value)
    _check_variables(document, value, environ)


def check_texts(document: Document) -> None:
    """Note NUL characters where a path, an argument or a variable of an environment is made of the text."""
    value = document.value if isinstance(document.value, dict) else {}
    places: list[tuple[DocumentPath, Any]] = [((key,), value.get(key)) for key in _FOR_THE_HOST]
    places += [((*path, "callback"), tool.get("callback")) for path, tool in tools_of(value)]
    while places:
        path, part = places.pop()
        if isinstance(part, dict):
            places += [((*path, key), inner) for key, inner in part.items()]
        elif isinstance(part, list):
            places += [((*path, index), inner) for index, inner in enumerate(part)]
        elif isinstance(part, str) and "\0" in part:
            document.at(path, "the text has a NUL character")


def tools_of(value: Mapping[str, Any]) -> Iterator[tuple[DocumentPath, dict[str, Any]]]:
    """Every entry of ``tools`` that is an object, with its path."""
    tools = value.get("tools")
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        if isinstance(tool, dict):
            yield ("tools", index), tool


def sources_of(value: Mapping[str, Any]) -> Iterator[tuple[DocumentPath, dict[str, Any]]]:
    """Every entry of ``sources`` that is an object, with its path."""
    sources = value.get("sources")
    for index, source in enumerate(sources if isinstance(sources, list) else ()):
        if isinstance(source, dict):
            yield ("sources", index), source


def mounts_of(value: Mapping[str, Any]) -> Iterator[tuple[DocumentPath, dict[str, Any]]]:
    """Every entry of ``mounts`` that is an object, with its path."""
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
        document.at(("mounts",), "mounts are not possible with filesystem: none", key=True)


def _check_tests(document: Document, value: Mapping[str, Any]) -> None:
    seen: dict[str, DocumentPath] = {}
    for path, test in declared_tests(value):
        if "script" in test and "python" in test:
            document.at((*path, "python"), "a test has a script or Python code, not both", key=True)
        elif "python" in test and value.get("python") is False:
            document.at((*path, "python"), "the test needs python3, which python: false leaves out", key=True)
        name = test.get("name")
        if not isinstance(name, str):
            continue
        first = seen.setdefault(output_file(name).casefold(), path)
        if first != path:
            line = document.mark((*first, "name")).line
            document.at((*path, "name"), f"two tests are called {name!r}", hint=f"the other one is on line {line}")


def _check_tool(document: Document, path: DocumentPath, tool: Mapping[str, Any]) -> None:
    name = tool.get("name")
    if isinstance(name, str):
        reason = bad_name(name)
        if reason:
            document.at((*path, "name"), reason)
        elif needs_override(document.prefix + name) and not tool.get("override"):
            message = f"the tool {name!r} would hide the command of that name"
            document.at((*path, "name"), message, hint="write override: true if it should")
    for key in ("input_schema", "output_schema"):
        schema = tool.get(key)
        if not isinstance(schema, dict):
            continue
        for inner, message in mistakes(schema):
            document.at((*path, key, *inner), message, hint=schema_hint(schema, inner, message))
    _check_stubs(document, path, tool)
    if tool.get("input_schema") == SIGNATURE and not _has_signature(tool.get("callback")):
        document.at((*path, "input_schema"), "only a Python callback has a signature", hint="write the schema itself")
    declared = tool["input_schema"].get("type", "object") if isinstance(tool.get("input_schema"), dict) else "object"
    kinds = declared if isinstance(declared, list) else [declared]
    if kinds and declared != "object" and all(kind in _TYPES for kind in kinds):  # what is no type is told already
        document.at((*path, "input_schema", "type"), f"arguments are an object, not {declared!r}")


def _has_signature(callback: Any) -> bool:
    return isinstance(callback, dict) and any(kind.has_signature for kind in callbacks.kinds_of(callback))


def _check_stubs(document: Document, path: DocumentPath, tool: Mapping[str, Any]) -> None:
    if "stub" in tool and "stubs" in tool:
        document.at((*path, "stubs"), "a tool has a stub or stubs, not both", key=True)
    known = list(parameters_of(tool) or ())
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


def stub_cases_of(path: DocumentPath, tool: Mapping[str, Any]) -> Iterator[tuple[DocumentPath, dict[str, Any]]]:
    """Every entry of a tool's ``stubs`` that is an object, with its path."""
    cases = tool.get("stubs")
    for index, case in enumerate(cases if isinstance(cases, list) else ()):
        if isinstance(case, dict):
            yield (*path, "stubs", index), case


def _check_kinds(document: Document, value: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    """Let the kinds of callbacks and sources check their own keys."""
    folder, around = Path(document.file).parent, Surroundings(environ)
    for path, tool in tools_of(value):
        callback = tool.get("callback")
        for kind in callbacks.kinds_of(callback) if isinstance(callback, dict) else ():
            kind.check(Declaration(document, path, folder, tool, around))
    for path, source in sources_of(value):
        for one in sources.kinds_of(source):
            one.check(Declaration(document, path, folder, source, around))


def _check_durations(document: Document, value: Mapping[str, Any]) -> None:
    places: list[tuple[DocumentPath, Any]] = [((*path, "timeout"), tool.get("timeout")) for path, tool in tools_of(value)]
    places += [((*path, "timeout"), source.get("timeout")) for path, source in sources_of(value)]
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
        check_duration(document, path, text)


def _check_variables(document: Document, value: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    env = value.get("env")
    places: list[tuple[DocumentPath, Any]] = [
        (("env", name), text) for name, text in (env if isinstance(env, dict) else {}).items()
    ]
    places += [((*path, "directory"), mount.get("directory")) for path, mount in mounts_of(value)]
    for path, text in places:
        if isinstance(text, str):
            check_substitution(document, path, text, environ)
