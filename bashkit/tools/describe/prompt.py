"""Writes the system prompt of a scripted tool: its commands, their usage and output, and tips."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from bashkit.tools import json_text
from bashkit.tools.define import schema
from bashkit.tools.describe.notation import made_up_example, output_of, usage
from bashkit.tools.describe.stubs import python_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bashkit.limits import ExecutionLimits
    from bashkit.tools.define.definition import ToolDef

Mode = Literal["full", "compact", "discovery"]

_DISCOVERY = 4_000  # maximum characters of a discovery prompt, without its context
_SHORTEST_DISCOVERY = 700
_ONE_LINE = 90  # maximum characters of a description in the compact mode
_LONGEST_EXAMPLE = 200
_MANY = 3  # from this number of commands on, the tip to run some of them at once pays
_FLAGS = "- Pass arguments as `--key value` or `--key=value` flags"
_JQ = "- Pipe tool output through `jq` for JSON processing"
_VARIABLES = "- Use variables to pass data between tool calls"
_PARALLEL = "- Run calls that do not need each other at the same time: `a & b & wait`, or `xargs -P 8`"


@dataclass(frozen=True, slots=True)
class Setting:
    """The parts of a prompt beside the commands.

    Attributes:
        name: The heading.
        context: Texts of the toolset's author, appended after rules (``---``).
        limits: The limits of one script, if the author has set any.
        max_result_chars: Maximum characters of output for the model, or None.
        files: Whether scripts can keep files.
        persistent: Whether state lasts from one call to the next.
        python: Whether ``python3`` is offered.
    """

    name: str
    context: Sequence[str] = ()
    limits: ExecutionLimits | None = None
    max_result_chars: int | None = None
    files: bool = True
    persistent: bool = False
    python: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """The commands that a mode lists.

    Attributes:
        name: The scripted tool.
        definitions: Its commands.
        note: Why the list is shortened, or "".
        room: Maximum characters of the list, in modes of limited length.
    """

    name: str
    definitions: Sequence[ToolDef]
    note: str
    room: int


def choose(setting: Setting, definitions: Sequence[ToolDef], mode: Mode, max_chars: int | None) -> tuple[Mode, str]:
    """Choose the richest prompt of at most ``max_chars`` characters, from ``mode`` on; return its mode and text. If none fits,
    take the shortest.
    """
    written: list[tuple[Mode, str]] = []
    for chosen in tuple(MODES)[tuple(MODES).index(mode) :]:
        note = "" if chosen == mode else f" This list is short to keep the prompt within {max_chars} characters."
        written.append((chosen, write(setting, definitions, chosen, note, max_chars)))
        if max_chars is None or len(written[-1][1]) <= max_chars:
            return written[-1]
    return min(written, key=lambda one: len(one[1]))


def write(setting: Setting, definitions: Sequence[ToolDef], mode: Mode, note: str = "", max_chars: int | None = None) -> str:
    """Write the prompt in one mode."""
    context = "".join(f"\n---\n\n{text.strip()}\n" for text in setting.context)
    start = [f"# {setting.name}", "", 'Input: {"commands": "<bash script>"}', "Output: {stdout, stderr, exit_code}"]
    end = ["", "## Tips", "", *_tips(setting, definitions, mode)]
    room = min(_DISCOVERY, max(_SHORTEST_DISCOVERY, (max_chars or _DISCOVERY) - len(context)))
    listing = Listing(setting.name, definitions, note, room - sum(len(line) + 1 for line in (*start, *end)) - 40)
    body = MODES[mode].write(listing) if definitions else []
    if body:
        start += ["", "## Available tool commands", "", *body]
    return "\n".join([*start, *end]) + "\n" + context


# -- what there is to know about one command ---------------------------------------------------------------------------


def entry(definition: ToolDef) -> list[str]:
    """Describe one tool in the full mode."""
    text = "\n  ".join(line.strip() for line in definition.description.strip().splitlines())
    if definition.effects == "destructive":
        text = f"{text} (destructive)".lstrip()
    lines = [f"- `{definition.name}`: {text}" if text else f"- `{definition.name}`"]
    if definition.raw:
        if definition.input_schema:
            lines.append(f"  Schema: {json_text.encode(dict(definition.input_schema))}")
    elif definition.input_schema.get("properties") or "--" in usage(definition):
        lines.append(f"  Usage: `{usage(definition)}`")
    if definition.stdin == "json":
        lines.append("  Standard input: a JSON object of arguments")
    shape = output_of(definition)
    if shape:
        lines.append(f"  Output: `{shape}`")
    example = _example(definition)
    if example:
        lines.append(f"  Example: `{example}`")
    if definition.max_calls is not None:
        lines.append(f"  At most {definition.max_calls} call{'' if definition.max_calls == 1 else 's'} in one script")
    return lines


def _example(definition: ToolDef) -> str:
    """Choose a good example: the first that calls the tool and fits on a line, preferably one that processes the output. If the
    author gives none, make one up for arguments that a usage line cannot show.
    """
    fitting = [
        example.command.strip()
        for example in definition.examples
        if "\n" not in example.command.strip() and definition.name in example.command and len(example.command) <= _LONGEST_EXAMPLE
    ]
    return next((command for command in fitting if "|" in command), fitting[0] if fitting else made_up_example(definition))


def _full(listing: Listing) -> list[str]:
    return [line for definition in listing.definitions for line in entry(definition)]


def _compact(listing: Listing) -> list[str]:
    start = f"`help NAME` prints the usage, parameters and output of a command: look before its first use.{listing.note}"
    return [start, "", *map(one_line, listing.definitions)]


def one_line(definition: ToolDef) -> str:
    """Describe a tool in the compact mode: its name and the first sentence of its description."""
    first = next(iter(definition.description.strip().splitlines()), "").strip()
    sentence = first.partition(". ")[0].rstrip(".") if ". " in first else first
    short = sentence if len(sentence) <= _ONE_LINE else f"{sentence[: _ONE_LINE - 1].rstrip()}…"
    return f"- `{definition.name}`: {short}" if short else f"- `{definition.name}`"


# -- very many commands ------------------------------------------------------------------------------------------------


def _discovery(listing: Listing) -> list[str]:
    definitions, room = listing.definitions, listing.room
    count = "is 1 command" if len(definitions) == 1 else f"are {len(definitions)} commands"
    lines = [
        (
            f"There {count}. Find what you need before you call it, with the tool `{listing.name}_discover` or in a "
            f"script:{listing.note}"
        ),
        "",
        '- `discover --search "what you want to do"`: the commands that fit best',
        "- `discover --category NAME`, `discover --tag TAG`: all of one kind; filters combine, `--json` prints schemas",
        "- `help COMMAND`: usage, parameters and output",
    ]
    room -= sum(len(line) + 1 for line in lines)
    categories = Counter(" ".join(definition.category.split()) for definition in definitions if definition.category)
    if categories:
        room -= 2 + _list(lines, "Categories: ", [f"{label} ({count})" for label, count in sorted(categories.items())], room - 2)
    if room > 0:
        _list(lines, "Commands: ", [f"`{definition.name}`" for definition in definitions], min(room - 2, 1_000))
    return lines


def _list(lines: list[str], title: str, words: list[str], room: int) -> int:
    """Add a line of as many words as fit; return the number of characters added."""
    text = title
    for index, word in enumerate(words):
        rest = f", and {len(words) - index} more"
        following = f"{'' if text == title else ', '}{word}"
        if len(text) + len(following) + (len(rest) if index + 1 < len(words) else 0) > room:
            if text == title:
                return 0
            text += rest
            break
        text += following
    lines += ["", text]
    return len(text) + 2


# -- modes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PromptMode:
    """How a prompt shows the commands.

    Attributes:
        description: The description of the mode, for the schema of toolset files.
        write: Writes the lines about the commands.
        usage: Whether it shows the usage of each command.
        search: Whether the model gets a second tool for finding commands.
    """

    description: str
    write: Callable[[Listing], list[str]]
    usage: bool = False
    search: bool = False


MODES: dict[Mode, PromptMode] = {  # the richest first
    "full": PromptMode("every tool with usage and output", _full, usage=True),
    "compact": PromptMode("names and one-liners", _compact),
    "discovery": PromptMode("how to find the tools, for very many of them", _discovery, search=True),
}


# -- tips --------------------------------------------------------------------------------------------------------------


def _tips(setting: Setting, definitions: Sequence[ToolDef], mode: Mode) -> list[str]:
    """The tips that apply to this toolset."""
    tips = []
    if not definitions or not all(item.raw for item in definitions):
        tips.append(_FLAGS)
    if not definitions or any(map(_prints_json, definitions)):
        tips.append(_JQ)
    tips.append(_VARIABLES)
    if len(definitions) >= _MANY:
        tips.append(_PARALLEL)
    if MODES[mode].usage and any(map(_says_more, definitions)):
        tips.append("- `NAME --help` tells more about a command: what each parameter means, defaults, ranges")
    if setting.python:
        tips += _python(definitions)
    limits = _limits(setting)
    if limits:
        tips.append(f"- One script may take {limits}")
    if setting.max_result_chars is not None:
        tips.append(
            f"- Output beyond {setting.max_result_chars} characters is cut in the middle: select fields with `jq`, page "
            "with `head` and `sed -n`"
        )
    if not setting.files:
        tips.append("- There are no files: keep data in variables and pipes")
    if setting.persistent:
        tips.append("- Variables, functions and files last from one call to the next")
    return tips


def _python(definitions: Sequence[ToolDef]) -> list[str]:
    """What a model must know of ``python3``."""
    tips = [
        "- `python3` runs Python on the same files (`-c`, scripts, here-documents), without packages, generators or inheritance"
    ]
    if definitions:
        name = python_name(definitions[0].name)
        tips.append(f"- The commands are functions there: `from tools import {name}`, keyword arguments, JSON results")
    return tips


def _prints_json(definition: ToolDef) -> bool:
    """Whether a tool prints JSON; assumed unless its declaration says otherwise."""
    shape = output_of(definition)
    return not shape or shape[:1] in {"{", "["}


def _says_more(definition: ToolDef) -> bool:
    """Whether the help of a tool says more than its usage line."""
    if definition.raw:
        return False
    root = dict(definition.input_schema)
    properties = schema.fields(schema.expand(root, root))
    return any(isinstance(part, dict) and not _NAMED.isdisjoint(part) for part in properties.values())


_NAMED = frozenset(["description", "default", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern"])


def _limits(setting: Setting) -> str:
    """Describe the limits that the author has set."""
    limits = setting.limits
    if limits is None:
        return ""
    changed = [limit for limit in fields(limits) if limit.metadata["prompt"] and getattr(limits, limit.name) != limit.default]
    changed.sort(key=lambda limit: limit.name != "timeout")  # the time first
    return _joined(limit.metadata["prompt"].format(getattr(limits, limit.name)) for limit in changed)


def _joined(words: Iterable[str]) -> str:
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last
