"""Writes the system prompt of a scripted tool: its commands, their usage and output, and tips."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from bashkit.errors import DefinitionError
from bashkit.tools.define import schema
from bashkit.tools.describe.in_bash import BASH, python_tips
from bashkit.tools.describe.notation import first_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bashkit.limits import ExecutionLimits
    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.describe.dialect import Dialect

Mode = Literal["full", "compact", "discovery"]

_DISCOVERY = 4_000  # maximum characters of a discovery prompt, without its context
_ROOMS = (_DISCOVERY, 3_000, 2_000, 1_500, 1_000, 0)  # lengths of discovery prompts that are tried to keep a budget
_PER_TOKEN = 4  # characters of a token, about
_AVAILABLE = "## Available "


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
        dialect: How tools are described.
    """

    name: str
    context: Sequence[str] = ()
    limits: ExecutionLimits | None = None
    max_result_chars: int | None = None
    files: bool = True
    persistent: bool = False
    python: bool = False
    dialect: Dialect = BASH


@dataclass(frozen=True, slots=True)
class Listing:
    """The commands that a mode lists.

    Attributes:
        name: The scripted tool.
        definitions: Its commands.
        note: Why the list is shortened, or "".
        room: Maximum characters of the list, in modes of limited length.
        dialect: How the commands are described.
    """

    name: str
    definitions: Sequence[ToolDef]
    note: str
    room: int
    dialect: Dialect


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a prompt may be.

    Attributes:
        most: The maximum.
        unit: What is counted: ``characters`` or ``tokens``.
        count: Counts it in a text.
    """

    most: int
    unit: Literal["characters", "tokens"] = "characters"
    count: Callable[[str], int] = len

    def fits(self, text: str) -> bool:
        """Whether a text keeps the budget."""
        return self.count(text) <= self.most


def tokens(text: str) -> int:
    """An estimate of the tokens in a text: one for four characters."""
    return -(-len(text) // _PER_TOKEN)


def choose(setting: Setting, definitions: Sequence[ToolDef], mode: Mode, budgets: Sequence[Budget]) -> tuple[Mode, str]:
    """Choose the richest prompt that keeps the budgets, from ``mode`` on; return its mode and text.

    Raises:
        DefinitionError: The shortest prompt is too long.
    """
    for chosen in tuple(MODES)[tuple(MODES).index(mode) :]:
        for room in _ROOMS if MODES[chosen].search else (0,):
            note = "" if chosen == mode or not budgets else f" This list is short: the prompt keeps within {_limit(budgets)}."
            text = write(setting, definitions, chosen, note, room)
            if all(budget.fits(text) for budget in budgets):
                return chosen, text
    text = _bare(setting)
    for budget in budgets:
        if not budget.fits(text):
            raise DefinitionError(
                f"the shortest system prompt has {budget.count(text)} {budget.unit}, more than the maximum of {budget.most}"
            )
    return "discovery", text


def _limit(budgets: Sequence[Budget]) -> str:
    return " and ".join(f"{budget.most} {budget.unit}" for budget in budgets)


def _head(setting: Setting) -> list[str]:
    return [
        f"# {setting.name}",
        "",
        f'Input: {{"commands": "<{setting.dialect.script}>"}}',
        "Output: {stdout, stderr, exit_code}",
    ]


def _tail(setting: Setting) -> str:
    return "".join(f"\n---\n\n{text.strip()}\n" for text in setting.context)


def _bare(setting: Setting) -> str:
    """The shortest prompt: how tools are found, and what the author wants to be said."""
    return "\n".join([*_head(setting), "", f"`{setting.dialect.first}`"]) + "\n" + _tail(setting)


def write(setting: Setting, definitions: Sequence[ToolDef], mode: Mode, note: str = "", room: int = _DISCOVERY) -> str:
    """Write the prompt in one mode.

    Args:
        setting: The parts of the prompt beside the commands.
        definitions: The commands.
        mode: The mode.
        note: Why the list is short, or "".
        room: Maximum characters of the prompt without context, in the discovery mode.
    """
    start, end = _head(setting), ["", "## Tips", "", *_tips(setting, definitions, mode)]
    left = room - sum(len(line) + 1 for line in (*start, *end)) - len(_AVAILABLE) - len(setting.dialect.tools)
    listing = Listing(setting.name, definitions, note, left, setting.dialect)
    body = MODES[mode].write(listing) if definitions else []
    if body:
        start += ["", f"{_AVAILABLE}{setting.dialect.tools}", "", *body]
    return "\n".join([*start, *end]) + "\n" + _tail(setting)


# -- modes -------------------------------------------------------------------------------------------------------------


def _full(listing: Listing) -> list[str]:
    before, after = listing.dialect.fence
    return [*before, *(line for lines in listing.dialect.entries(listing.definitions) for line in lines), *after]


def _compact(listing: Listing) -> list[str]:
    lines = [line for lines in _one_liners(listing.definitions, listing.dialect) for line in lines]
    return [f"{listing.dialect.look}{listing.note}", "", *lines]


def _one_liners(definitions: Sequence[ToolDef], dialect: Dialect) -> list[list[str]]:
    return [[one_line(definition, dialect.name(definition))] for definition in definitions]


def one_line(definition: ToolDef, name: str) -> str:
    """Describe a tool in the compact mode: its name in scripts and the first sentence of its description."""
    short = first_sentence(definition)
    return f"- `{name}`: {short}" if short else f"- `{name}`"


# -- very many commands ------------------------------------------------------------------------------------------------


def _discovery(listing: Listing) -> list[str]:
    definitions, room, noun = listing.definitions, listing.room, listing.dialect.noun
    count = f"is 1 {noun}" if len(definitions) == 1 else f"are {len(definitions)} {noun}s"
    lines = [
        (
            f"There {count}. Find what you need before you call it, with the tool `{listing.name}_discover` or in a "
            f"script:{listing.note}"
        ),
        "",
        *listing.dialect.find,
    ]
    room -= sum(len(line) + 1 for line in lines)
    categories = Counter(" ".join(definition.category.split()) for definition in definitions if definition.category)
    if categories:
        _list(lines, "Categories: ", [f"{label} ({count})" for label, count in sorted(categories.items())], room)
        return lines
    names = [f"`{listing.dialect.name(definition)}`" for definition in definitions]
    if sum(len(name) + 2 for name in names) < room - len(noun) - 5:
        lines += ["", f"{noun.capitalize()}s: {', '.join(names)}"]
    return lines


def _list(lines: list[str], title: str, words: list[str], room: int) -> None:
    """Add a line of as many words as fit."""
    text = title
    for index, word in enumerate(words):
        rest = f", and {len(words) - index} more"
        following = f"{'' if text == title else ', '}{word}"
        if len(text) + len(following) + (len(rest) if index + 1 < len(words) else 0) + 2 > room:
            if text == title:
                return
            text += rest
            break
        text += following
    lines += ["", text]


@dataclass(frozen=True, slots=True)
class PromptMode:
    """How a prompt shows the commands.

    Attributes:
        description: The description of the mode, for the schema of toolset files.
        write: Writes the lines about the commands.
        parts: Those of them that are about one command alone, for each; None where there are none.
        usage: Whether it shows the usage of each command.
        search: Whether the model gets a second tool for finding commands.
    """

    description: str
    write: Callable[[Listing], list[str]]
    parts: Callable[[Sequence[ToolDef], Dialect], list[list[str]]] | None = None
    usage: bool = False
    search: bool = False


MODES: dict[Mode, PromptMode] = {  # the richest first
    "full": PromptMode("every tool with usage and output", _full, lambda tools, dialect: dialect.entries(tools), usage=True),
    "compact": PromptMode("names and one-liners", _compact, _one_liners),
    "discovery": PromptMode("how to find the tools, for very many of them", _discovery, search=True),
}


# -- tips --------------------------------------------------------------------------------------------------------------


def _tips(setting: Setting, definitions: Sequence[ToolDef], mode: Mode) -> list[str]:
    """The tips that apply to this toolset."""
    dialect = setting.dialect
    tips = dialect.tips(definitions, usage=MODES[mode].usage)
    if MODES[mode].usage and any(map(_says_more, definitions)):
        tips.append(dialect.more)
    if setting.python:
        tips += python_tips(definitions)
    limits = _limits(setting)
    if limits:
        tips.append(f"- One script may take {limits}")
    if setting.max_result_chars is not None:
        tips.append(f"- Output beyond {setting.max_result_chars} characters is cut in the middle: {dialect.shorten}")
    if not setting.files:
        tips.append(f"- There are no files: {dialect.fileless}")
    if setting.persistent:
        tips.append(f"- {dialect.lasting} last from one call to the next")
    return tips


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
