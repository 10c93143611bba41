"""The commands ``help`` and ``discover``, with which a script asks about its tools."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bashkit import builtins, commands
from bashkit.interp.utility.command import Arguments, Command, UsageError, flag, value
from bashkit.limits import COMPARED, paced
from bashkit.tools import json_text
from bashkit.tools.define.result import to_bytes
from bashkit.tools.describe.in_bash import BASH
from bashkit.tools.describe.manual import listing
from bashkit.tools.describe.notation import first_sentence
from bashkit.tools.search.index import ToolIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bashkit.interp.utility.process import Process
    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.describe.dialect import Dialect

_BEST = 10  # maximum results of a search
_LISTED = 100  # maximum lines of a list
_LONGEST = 255  # characters of a name that somebody may have mistyped


def brief(definition: ToolDef, dialect: Dialect) -> dict[str, Any]:
    """A tool as JSON for choosing one: its name, what it does, how it is called, its category and effects."""
    entry: dict[str, Any] = {
        "name": dialect.name(definition),
        "description": first_sentence(definition),
        "usage": dialect.usage(definition),
    }
    if definition.category:
        entry["category"] = definition.category
    if definition.effects:
        entry["effects"] = definition.effects
    return entry


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


def help_command(tools: Mapping[str, ToolDef], dialect: Dialect = BASH) -> Command:
    """``help``: list the tools, or describe one of them.

    Args:
        tools: The tools by name.
        dialect: How they are described.
    """
    spoken = {dialect.name(definition): definition for definition in tools.values()}

    def run(process: Process, arguments: Arguments) -> int:
        as_json = "json" in arguments
        if "list" in arguments or not arguments.operands:
            _print(process, list(tools.values()), dialect, as_json=as_json)
            return 0
        status = 0
        for name in arguments.operands:
            definition = spoken.get(name) or tools.get(name)
            other = commands.find_command(name) if definition is None else None
            if definition is not None:
                text = json_text.encode(to_dict(definition)) + "\n" if as_json else dialect.help(definition)
                process.stdout.write(to_bytes(text))
            elif other is not None:
                process.stdout.write(to_bytes(other.help()))
            elif name in builtins.NAMES:
                process.stdout.write(to_bytes(builtins.declarations()[name].help()))
            else:
                process.warn(f"no help topics match '{name}'.  Try 'help --list'.{_suggestion(name, spoken)}")
                status = 1
        return status

    options = (flag("--list", help="list every tool"), flag("--json", help="print JSON"))
    return Command("help", run, "[--list] [--json] [TOOL]...", "Describe the tools.", options)


def _suggestion(name: str, tools: Mapping[str, ToolDef]) -> str:
    close = get_close_matches(name[:_LONGEST], paced(tools, COMPARED), 1)
    return f"  Did you mean {close[0]}?" if close else ""


def discover_command(tools: Mapping[str, ToolDef], index: ToolIndex | None = None, dialect: Dialect = BASH) -> Command:
    """``discover``: print the tools that match every filter, the best match first.

    Args:
        tools: The tools by name.
        index: Returns the index of these tools, made at the first use.
        dialect: How they are described.
    """
    found_by = index or ToolIndex(tools.values())

    def run(process: Process, arguments: Arguments) -> int:
        if "categories" in arguments:
            return _categories(process, tools.values(), as_json="json" in arguments)
        found = _filtered(list(tools.values()), arguments)
        search = " ".join([*arguments.all("search"), *arguments.operands]) or None
        if search is not None:
            found = process.system.call(lambda: found_by.search(search, found), inline=True)
        as_json = "json" in arguments
        most = _number(arguments.get("limit"), _BEST if search is not None else 0 if as_json else _LISTED)
        shown = found[:most] if most else found
        if as_json:
            process.stdout.write(to_bytes(json_text.encode([brief(item, dialect) for item in shown]) + "\n"))
        else:
            _print(process, shown, dialect, as_json=False)
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
        flag("--json", help="print JSON, without the schemas that help NAME --json prints"),
    )
    return Command("discover", run, "[--category NAME] [--tag TAG]... [--limit N] [--json] [TEXT]...", "Find tools.", options)


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


def _print(process: Process, definitions: Sequence[ToolDef], dialect: Dialect, *, as_json: bool) -> None:
    if as_json:
        process.stdout.write(to_bytes(json_text.encode([to_dict(item) for item in definitions]) + "\n"))
    elif definitions:
        process.stdout.write(to_bytes("\n".join(listing(definitions, dialect)) + "\n"))
