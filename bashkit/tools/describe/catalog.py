"""The commands ``help`` and ``discover``, with which a script asks about its tools."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bashkit import commands
from bashkit.interp.utility.command import Arguments, Command, UsageError, flag, value
from bashkit.tools import json_text
from bashkit.tools.define.result import to_bytes
from bashkit.tools.describe.help import tool_help
from bashkit.tools.describe.manual import listing
from bashkit.tools.search.index import ToolIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bashkit.interp.utility.process import Process
    from bashkit.tools.define.definition import ToolDef

_BEST = 10  # maximum results of a search
_LISTED = 100  # maximum lines of a list
_LONGEST = 255  # characters of a name that somebody may have mistyped


def to_dict(definition: ToolDef) -> dict[str, Any]:
    """A tool as JSON: those of name, description, schemas, tags, category, effects and examples that are set."""
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
    """``help``: list the tools, or describe one of them."""

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
                process.warn(f"no help topics match '{name}'.  Try 'help --list'.{_suggestion(name, tools)}")
                status = 1
        return status

    options = (flag("--list", help="list every tool"), flag("--json", help="print JSON"))
    return Command("help", run, "[--list] [--json] [TOOL]...", "Describe the tools.", options)


def _suggestion(name: str, tools: Mapping[str, ToolDef]) -> str:
    close = get_close_matches(name[:_LONGEST], tools, 1)
    return f"  Did you mean {close[0]}?" if close else ""


def discover_command(tools: Mapping[str, ToolDef], index: ToolIndex | None = None) -> Command:
    """``discover``: print the tools that match every filter, the best match first.

    Args:
        tools: The tools by name.
        index: Returns the index of these tools, made at the first use.
    """
    found_by = index or ToolIndex(tools.values())

    def run(process: Process, arguments: Arguments) -> int:
        if arguments.operands:
            raise UsageError(f"extra operand '{arguments.operands[0]}'")
        if "categories" in arguments:
            return _categories(process, tools.values(), as_json="json" in arguments)
        found = _filtered(list(tools.values()), arguments)
        search = arguments.get("search")
        if search is not None:
            found = process.system.call(lambda: found_by.search(search, found), inline=True)
        as_json = "json" in arguments
        most = _number(arguments.get("limit"), _BEST if search is not None else 0 if as_json else _LISTED)
        shown = found[:most] if most else found
        _print(process, shown, as_json=as_json)
        if len(shown) < len(found) and search is None:
            process.warn(f"{len(found) - len(shown)} more; narrow them with --category, --tag or --search, or use --limit 0")
        if not found:
            process.warn(f"no tool of {len(tools)} matches; `discover` alone lists them")
        return 0 if found else 1

    options = (
        value("--category", metavar="NAME", help="tools of this category"),
        value("--tag", metavar="TAG", help="tools with this tag; may be repeated"),
        value("--search", metavar="TEXT", help="tools that TEXT may be about, in plain words, the best match first"),
        value("--limit", metavar="N", help=f"print N tools at most ({_BEST} of a search, {_LISTED} of a list); 0 for all"),
        flag("--categories", help="list the categories and how many tools each has"),
        flag("--json", help="print JSON"),
    )
    return Command(
        "discover", run, "[--category NAME] [--tag TAG]... [--search TEXT] [--limit N] [--json]", "Find tools.", options
    )


def _filtered(found: list[ToolDef], arguments: Arguments) -> list[ToolDef]:
    category = arguments.get("category")
    if category is not None:
        found = [item for item in found if item.category.casefold() == category.casefold()]
    for tag in arguments.all("tag"):
        found = [item for item in found if tag.casefold() in {word.casefold() for word in item.tags}]
    return found


def _number(text: str | None, default: int) -> int:
    if text is None:
        return default
    if not text.isdecimal():
        raise UsageError(f"invalid number '{text}'")
    return int(text)


def _categories(process: Process, definitions: Iterable[ToolDef], *, as_json: bool) -> int:
    counts = Counter(item.category for item in definitions if item.category)
    if as_json:
        process.write(json_text.encode(dict(sorted(counts.items()))) + "\n")
    else:
        process.write("".join(f"{name}\t{count}\n" for name, count in sorted(counts.items())))
    return 0 if counts else 1


def _print(process: Process, definitions: Sequence[ToolDef], *, as_json: bool) -> None:
    if as_json:
        process.stdout.write(to_bytes(json_text.encode([to_dict(item) for item in definitions]) + "\n"))
    elif definitions:
        process.stdout.write(to_bytes("\n".join(listing(definitions)) + "\n"))
