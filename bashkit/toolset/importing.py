"""Importing: the tools of a source written out once, as a toolset file that does the same without the source."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bashkit.errors import ToolsetError
from bashkit.toolset.callbacks import TIMEOUT
from bashkit.toolset.declaration import Declaration, Making, make_source
from bashkit.toolset.reading.document import Document
from bashkit.toolset.reading.scalars import plain
from bashkit.toolset.toolset import Toolset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bashkit.tools.definition import Example, ToolDef
    from bashkit.toolset.callbacks.executable import ExecutableTarget
    from bashkit.toolset.toolset import DeclaredTool

SCHEMA = "toolset.schema.json"
_SERVER = "server"  # the anchor of an MCP server
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)")
_WIDTH = 120
_SHORT = 80  # characters of a list on one line


def open_source(source: Mapping[str, Any], name: str, environ: Mapping[str, str] | None = None) -> Toolset:
    """A toolset of one source, whose paths are relative to the current directory.

    Args:
        source: As in the ``sources`` of a toolset file.
        name: The toolset's name.
        environ: As for ``load``; the process's environment when left out.

    Raises:
        ToolsetError: The source has mistakes.
    """
    environ = os.environ if environ is None else environ
    document = Document(next((value for value in source.values() if isinstance(value, str)), name), "")
    secrets = {variable: environ[variable] for variable in variables(source) if variable in environ}
    making = Making(environ, frozenset(variables(source)))
    made = make_source(Declaration(document, (), Path.cwd(), source, making))
    if document.problems:
        raise ToolsetError(document.problems)
    return Toolset(name, "", Path(document.file), document, (), (made,), secrets=secrets)


def variables(source: Mapping[str, Any]) -> list[str]:
    """The variables of a source's requests: what its toolset has to list as secrets."""
    texts = [str(source.get("base_url", "")), *map(str, dict(source.get("headers", {})).values())]
    server = source.get("mcp")
    if isinstance(server, dict):
        texts += [str(server.get("url", "")), *map(str, dict(server.get("headers", {})).values())]
    return list(dict.fromkeys(name for text in texts for name in _VARIABLE.findall(text)))


def write_out(toolset: Toolset, folder: Path, source: Mapping[str, Any]) -> str:
    """The text of a toolset file with the tools of a toolset.

    Args:
        toolset: What ``open_source`` made.
        folder: Where the file will be: paths in it are relative to that.
        source: As given to ``open_source``.

    Raises:
        ToolsetError: The source cannot be asked, or two tools have the same name.
    """
    head: dict[str, Any] = {"version": 1, "name": toolset.name}
    secrets = variables(source)
    if secrets:
        head["secrets"] = secrets
    parts = [f"{modeline(folder)}\n{_yaml(head)}"]
    server = _server(source.get("mcp"), folder)
    if server is not None:
        text = _yaml({f"x-{_SERVER}": server})
        parts.append(text.replace(f"x-{_SERVER}:", f"x-{_SERVER}: &{_SERVER}", 1))
    tools = [_indented(_yaml([_tool(item, folder, server is not None)])) for item in toolset.entries()]
    parts.append("tools:\n" + "\n".join(tools) if tools else "tools: []\n")
    return re.sub(rf"(?m)^( +mcp:) '\*{_SERVER}'$", rf"\1 *{_SERVER}", "\n".join(parts))


def modeline(folder: Path) -> str:
    """The comment by which editors find the schema: the closest one around a folder, else one that may be put into it."""
    for above in (folder, *folder.parents):
        for place in (above / SCHEMA, above / "schemas" / SCHEMA):
            if place.is_file():
                return f"# yaml-language-server: $schema={Path(os.path.relpath(place, folder)).as_posix()}"
    return f"# yaml-language-server: $schema={SCHEMA}"


def _tool(item: DeclaredTool, folder: Path, has_server: bool) -> dict[str, Any]:
    definition = item.definition
    found: dict[str, Any] = {"name": definition.name}
    if definition.description:
        found["description"] = definition.description
    if definition.category:
        found["category"] = definition.category
    if definition.tags:
        found["tags"] = list(definition.tags)
    if definition.effects is not None:
        found["effects"] = definition.effects
    if definition.stdin is not True:
        found["stdin"] = definition.stdin
    found |= _schemas(definition)
    if definition.examples:
        found["examples"] = [_example(example) for example in definition.examples]
    callback: Any = item.callback
    if callback.key == "mcp" and not has_server:
        return {**found, "stub": "only the description of this tool is saved"}
    found["callback"] = _CALLBACKS[callback.key](callback, folder)
    if getattr(callback, "timeout", TIMEOUT) != TIMEOUT:
        found["timeout"] = f"{callback.timeout:g}s"
    return found


def _schemas(definition: ToolDef) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if definition.input_schema:
        found["input_schema"] = dict(definition.input_schema)
    if definition.output_schema is not None:
        found["output_schema"] = dict(definition.output_schema)
    return found


def _example(example: Example) -> Any:
    if example.output is None and not example.description:
        return example.command
    parts = {"command": example.command, "output": example.output, "description": example.description}
    return {key: value for key, value in parts.items() if value not in {None, ""}}


# -- callbacks ---------------------------------------------------------------------------------------------------------


def _relative(path: Path, folder: Path) -> str:
    text = Path(os.path.relpath(path, folder)).as_posix()
    return text if text.startswith("..") else f"./{text}" if text != "." else text


def _executable(target: ExecutableTarget, folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = {"executable": _relative(target.path, folder)}
    if target.style != "json":
        found["arguments"] = target.style
    cwd = _relative(target.cwd or target.path.parent, folder)
    return found if cwd == "." else found | {"cwd": cwd}


def _skill(target: Any, folder: Path) -> dict[str, Any]:
    script = getattr(target, "script", None)
    return {"skill": _relative(target.directory, folder)} | ({} if script is None else {"script": str(script)})


def _http(target: Any, folder: Path) -> dict[str, Any]:  # noqa: ARG001 - the table's signature
    found: dict[str, Any] = {} if target.method == "GET" else {"method": target.method}
    found["url"] = target.url
    for key in ("headers", "query"):
        if getattr(target, key):
            found[key] = dict(getattr(target, key))
    if target.body is not None:
        found["body"] = target.body
    if target.allow:
        found["allow"] = list(target.allow)
    if target.allow_private:
        found["allow_private"] = True
    return {"http": found}


def _mcp(target: Any, folder: Path) -> dict[str, Any]:  # noqa: ARG001 - the table's signature
    return {"mcp": f"*{_SERVER}", "tool": target.name}


_CALLBACKS: dict[str, Callable[[Any, Path], dict[str, Any]]] = {
    "executable": _executable,
    "skill": _skill,
    "http": _http,
    "mcp": _mcp,
}


def _server(value: Any, folder: Path) -> dict[str, Any] | None:
    """An MCP server for a file in ``folder``; None for a saved answer of one."""
    if not isinstance(value, dict):
        return None
    found = {key: part for key, part in value.items() if key != "tools"}
    if "command" in found:
        cwd = _relative(Path.cwd() / found.get("cwd", "."), folder)
        found = {key: part for key, part in found.items() if key != "cwd"} | ({} if cwd == "." else {"cwd": cwd})
    return found


# -- YAML --------------------------------------------------------------------------------------------------------------


class _Dumper(yaml.SafeDumper):
    """Writes YAML as a person would: block style, lists below their key indented, quotes only where they are needed."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - PyYAML's signature
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """The tag that a reader would give a plain scalar, by our own rules (YAML 1.2, not PyYAML's 1.1)."""
        if kind is not yaml.ScalarNode or not implicit[0]:
            return super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]  # PyYAML's own
        try:
            read = plain(value)
        except ValueError:
            return None  # it has to be quoted
        names = {str: "str", bool: "bool", int: "int", float: "float", type(None): "null"}
        return f"tag:yaml.org,2002:{names[type(read)]}"


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    lines = text.split("\n")
    block = len(lines) > 1 and all(line == line.rstrip() for line in lines) and "\t" not in text
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if block else None)


def _list(dumper: yaml.SafeDumper, items: Sequence[Any]) -> yaml.Node:
    scalars = all(isinstance(item, (str, int, float, bool)) or item is None for item in items)
    short = scalars and sum(len(str(item)) + 2 for item in items) <= _SHORT
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)
_Dumper.add_multi_representer(dict, lambda dumper, value: dumper.represent_dict(value.items()))


def _yaml(value: Any) -> str:
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH, default_flow_style=False)


def _indented(text: str) -> str:
    return "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))
