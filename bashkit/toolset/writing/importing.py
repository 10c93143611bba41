"""Writes the tools of a source to a toolset file, which then works without the source."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolsetError
from bashkit.host_files import working_directory
from bashkit.toolset.callback import TIMEOUT, Callback
from bashkit.toolset.declaration import Declaration, Surroundings
from bashkit.toolset.sources import kinds_of, read_source
from bashkit.toolset.text.document import MAX_CHARS, MAX_NODES, Document
from bashkit.toolset.text.yaml_text import anchored, link, yaml_text
from bashkit.toolset.toolset import Toolset

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bashkit.tools.define.definition import Example, ToolDef
    from bashkit.toolset.toolset import DeclaredTool

SCHEMA = "toolset.schema.json"
_WORDS = re.compile(r"[^a-z0-9]+")
_NODE = -(-MAX_CHARS // MAX_NODES)  # characters that a node counts for: a file may have so many nodes, too
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)")


def open_source(source: Mapping[str, Any], name: str) -> Toolset:
    """Make a toolset of one source, whose paths are relative to the current directory.

    Args:
        source: As in the ``sources`` of a toolset file.
        name: The toolset's name.

    Raises:
        ToolsetError: The source has mistakes.
    """
    document = Document(next((value for value in source.values() if isinstance(value, str)), name), "")
    secrets = {variable: os.environ[variable] for variable in variables(source) if variable in os.environ}
    around = Surroundings(os.environ, frozenset(variables(source)))
    made = read_source(Declaration(document, (), Path(working_directory()), source, around))
    if document.problems:
        raise ToolsetError(document.problems)
    return Toolset(name, "", Path(document.file), document, (), (made,), secrets=secrets)


def variables(source: Mapping[str, Any]) -> list[str]:
    """The variables in a source's requests, which its toolset must list as secrets."""
    texts = kinds_of(source)[0].request_texts(source)
    return list(dict.fromkeys(name for text in texts for name in _VARIABLE.findall(text)))


def write_out(toolset: Toolset, file: Path, source: Mapping[str, Any]) -> dict[Path, str]:
    """Write the tools of a toolset as a toolset file. If it would be larger than such files may be, it includes others, which
    have the tools of one category each and are toolsets themselves.

    Args:
        toolset: A toolset made by ``open_source``.
        file: The path of the file; its own paths are relative to its folder.
        source: As given to ``open_source``.

    Returns:
        The texts by path, the file itself first. The others are in a folder beside it, of its name without the suffix.

    Raises:
        ToolsetError: The source cannot be asked, or two tools have the same name.
    """
    kind, folder = kinds_of(source)[0], file.parent
    head = _head(toolset, source)
    written = list(_within(MAX_CHARS, (_entry(item, folder) for item in toolset.entries())))
    whole = _text(head, kind.write_anchors(source, folder), [text for text, _ in written], folder)
    if len(whole) <= MAX_CHARS and sum(size for _, size in written) <= MAX_CHARS:
        return {file: whole}
    head["include"] = []
    own = {key: value for key, value in head.items() if key not in {"prompt", "include"}}
    folder = file.parent / file.stem
    anchors = kind.write_anchors(source, folder)
    entries = [(item.definition.category, *_entry(item, folder)) for item in toolset.entries()]
    parts = {}
    for name, texts in _parts(entries, MAX_CHARS - len(_text(own, anchors, [], folder))):
        parts[folder / f"{name}.yaml"] = _text(own, anchors, texts, folder)
        head["include"].append(f"{file.stem}/{name}.yaml")
    return {file: f"{modeline(file.parent)}\n{yaml_text(head)}", **parts}


def _head(toolset: Toolset, source: Mapping[str, Any]) -> dict[str, Any]:
    head: dict[str, Any] = {"version": 1, "name": toolset.name}
    secrets = variables(source)
    if secrets:
        head["secrets"] = secrets
    if toolset.long_prompt() is not None:
        head["prompt"] = {"mode": "discovery"}
    return head


def _text(head: Mapping[str, Any], anchors: Mapping[str, Any], entries: Sequence[str], folder: Path) -> str:
    parts = [f"{modeline(folder)}\n{yaml_text(head)}", *(anchored(name, value) for name, value in anchors.items())]
    parts.append("tools:\n" + "\n".join(entries) if entries else "tools: []\n")
    text = "\n".join(parts)
    for name in anchors:
        text = link(text, name)
    return text


def _within(room: int, entries: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Entries up to the one with which they are larger than ``room``: to write the others would take long for nothing."""
    for entry in entries:
        yield entry
        room -= entry[1]
        if room < 0:
            return


def _parts(entries: Iterable[tuple[str, str, int]], room: int) -> Iterator[tuple[str, list[str]]]:
    """Divide the texts of tools, each with its category and size, into lists as large as ``room``, each with its own name."""
    categories: dict[str, list[list[str]]] = {}
    left: dict[str, int] = {}
    for category, text, size in entries:
        name = _WORDS.sub("-", category.lower()).strip("-") or "other"
        lists = categories.setdefault(name, [[]])
        if lists[-1] and size >= left[name]:
            lists.append([])
        left[name] = (left[name] if lists[-1] else room) - size - 1
        lists[-1].append(text)
    for name, lists in categories.items():
        yield name, lists[0]
        yield from ((f"{name}.{number}", texts) for number, texts in enumerate(lists[1:], 2))


def modeline(folder: Path) -> str:
    """The comment that tells editors where the schema is: the closest one above ``folder``, else one that the folder may get."""
    for above in (folder, *folder.parents):
        for place in (above / SCHEMA, above / "schemas" / SCHEMA):
            if place.is_file():
                return f"# yaml-language-server: $schema={Path(os.path.relpath(place, folder)).as_posix()}"
    return f"# yaml-language-server: $schema={SCHEMA}"


def _entry(item: DeclaredTool, folder: Path) -> tuple[str, int]:
    """One item of ``tools``, and how much of a file it takes, in characters."""
    tool = _tool(item, folder)
    text = _indented(yaml_text([tool]))
    return text, max(len(text), _NODE * _nodes(tool))


def _nodes(value: Any) -> int:
    """The number of YAML nodes of a value."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_nodes, parts))


def _tool(item: DeclaredTool, folder: Path) -> dict[str, Any]:
    definition = item.definition
    found: dict[str, Any] = {"name": definition.name}
    if definition.description:
        found["description"] = definition.description
    if definition.details:
        found["details"] = definition.details
    if definition.category:
        found["category"] = definition.category
    if definition.tags:
        found["tags"] = list(definition.tags)
    if definition.effects is not None:
        found["effects"] = definition.effects
    if definition.stdin is not True:
        found["stdin"] = definition.stdin
    if definition.rest:
        found["rest"] = definition.rest
    if definition.defaults != getattr(item.callback, "defaults", "fill"):
        found["defaults"] = definition.defaults
    found |= _schemas(definition)
    if definition.examples:
        found["examples"] = [_example(example) for example in definition.examples]
    callback = item.callback
    if isinstance(callback, Callback):  # a key of every source
        written = callback.write(folder)
        found |= written
        timeout = getattr(callback, "timeout", TIMEOUT)
        if timeout != TIMEOUT and "callback" in written:
            found["timeout"] = f"{timeout:g}s"
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


def _indented(text: str) -> str:
    return "".join(f"  {line}" if line.strip() else line for line in text.splitlines(keepends=True))
