"""The commands ``help`` and ``discover``: what a script asks about the tools it has."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from bashkit import commands
from bashkit.interp.command import Arguments, Command, UsageError, flag, value
from bashkit.tools import json_text
from bashkit.tools.help import tool_help
from bashkit.tools.manual import listing
from bashkit.tools.result import to_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.interp.process import Process
    from bashkit.tools.definition import ToolDef

_CLOSE = 0.75  # likeness from which two words count as the same


def to_dict(definition: ToolDef) -> dict[str, Any]:
    """A tool as JSON: what is set of name, description, schemas, tags, category, effects and examples."""
    entry: dict[str, Any] = {
        "name": definition.name,
        "description": definition.description,
        "input_schema": dict(definition.input_schema),
    }
    if definition.output_schema is not None:
        entry["output_schema"] = dict(definition.output_schema)
    if definition.category:
        entry["category"] = definition.category
    if definition.tags:
        entry["tags"] = list(definition.tags)
    if definition.effects:
        entry["effects"] = definition.effects
    if definition.examples:
        entry["examples"] = [example.command for example in definition.examples]
    return entry


def help_command(tools: Mapping[str, ToolDef]) -> Command:
    """``help``: the list of tools, or all about one of them."""

    def run(process: Process, arguments: Arguments) -> int:
        as_json = "json" in arguments
        if "list" in arguments or not arguments.operands:
            _print(process, list(tools.values()), as_json=as_json)
            return 0
        status = 0
        for name in arguments.operands:
            definition = tools.get(name)
            other = commands.find_command(name) if definition is None else None
            if definition is not None:
                text = json_text.encode(to_dict(definition)) + "\n" if as_json else tool_help(definition)
                process.stdout.write(to_bytes(text))
            elif other is not None:
                process.stdout.write(to_bytes(other.help()))
            else:
                process.warn(f"no help topics match '{name}'.  Try 'help --list'.")
                status = 1
        return status

    options = (flag("--list", help="list every tool"), flag("--json", help="print JSON"))
    return Command("help", run, "[--list] [--json] [TOOL]...", "Describe the tools.", options)


def discover_command(tools: Mapping[str, ToolDef]) -> Command:
    """``discover``: the tools that fit every filter, the best match first."""

    def run(process: Process, arguments: Arguments) -> int:
        if arguments.operands:
            raise UsageError(f"extra operand '{arguments.operands[0]}'")
        found = list(tools.values())
        category, search = arguments.get("category"), arguments.get("search")
        if category is not None:
            found = [item for item in found if item.category.casefold() == category.casefold()]
        for tag in arguments.all("tag"):
            found = [item for item in found if tag.casefold() in {word.casefold() for word in item.tags}]
        if search is not None:
            found = search_tools(found, search)
        _print(process, found, as_json="json" in arguments)
        return 0 if found else 1

    options = (
        value("--category", metavar="NAME", help="tools of this category"),
        value("--tag", metavar="TAG", help="tools with this tag; may be repeated"),
        value("--search", metavar="TEXT", help="tools whose name, description or tags resemble TEXT"),
        flag("--json", help="print JSON"),
    )
    return Command("discover", run, "[--category NAME] [--tag TAG]... [--search TEXT] [--json]", "Find tools.", options)


def search_tools(definitions: Sequence[ToolDef], text: str) -> list[ToolDef]:
    """The tools in which every word of ``text`` is found, exactly or nearly, the best match first."""
    wanted = text.casefold().replace("_", " ").split()[:20]
    scored = []
    for position, item in enumerate(definitions):
        words = " ".join([item.name, item.description, item.category, *item.tags]).casefold()
        words = "".join(letter if letter.isalnum() else " " for letter in words)
        scores = [max((_likeness(word[:60], other) for other in words.split()), default=0.0) for word in wanted]
        if scores and min(scores) >= _CLOSE:
            named = sum(word in item.name.casefold() for word in wanted)
            scored.append((-named, -sum(scores), position, item))
    return [item for *_, item in sorted(scored, key=lambda entry: entry[:3])]


def _likeness(word: str, other: str) -> float:
    if word in other:
        return 1.0
    return SequenceMatcher(None, word, other).ratio()


def _print(process: Process, definitions: Sequence[ToolDef], *, as_json: bool) -> None:
    if as_json:
        process.stdout.write(to_bytes(json_text.encode([to_dict(item) for item in definitions]) + "\n"))
    elif definitions:
        process.stdout.write(to_bytes("\n".join(listing(definitions)) + "\n"))
