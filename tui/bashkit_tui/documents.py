"""The texts of the inspector that need no screen: parameters, measures, problems, results.

What is imported inside functions is not needed for the first paint.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.content import Content

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.errors import Problem
    from bashkit.prompts.snapshots import State
    from bashkit.tools import ToolCall, ToolDef

CHARACTERS_PER_TOKEN = 4  # a rule of thumb for English text and code; tokenizers differ
_TAB = "    "
_CONTROLS = {code: 0x2400 + code for code in range(32) if code not in {9, 10}} | {0x7F: 0x2421}
_CONTROLS |= dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
_CONTROLS |= dict.fromkeys(
    [0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF, *range(0x202A, 0x202F), *range(0x2060, 0x2070)], 0xFFFD
)
_CONTROLS |= dict.fromkeys(range(0xE0000, 0xE0080), 0xFFFD)  # tags: they say something to a model, and nothing to its author
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A row of the table of parameters: what the author said about one flag, in words."""

    name: str
    type: str
    required: bool
    default: str
    choices: tuple[str, ...]
    description: str


def parameters(definition: ToolDef) -> list[Parameter]:
    """The parameters of a tool: the required ones first, as its usage line has them."""
    from bashkit.tools.define import schema

    root = dict(definition.input_schema)
    flat = schema.expand(root, root)
    needed = schema.required(flat)
    names = needed + [name for name in schema.fields(flat) if name not in needed]
    return [_parameter(name, schema.expand(schema.fields(flat).get(name), root), required=name in needed) for name in names]


def _parameter(name: str, part: dict[str, Any], *, required: bool) -> Parameter:
    from bashkit.tools.define import schema

    choices = schema.choices_of(part)
    return Parameter(
        name,
        _type(part),
        required,
        _word(part["default"]) if "default" in part else "",
        tuple(_word(choice) for choice in choices or ()),
        " ".join([" ".join(str(part.get("description", "")).split()), *_bounds(part)]).strip(),
    )


def _type(part: Mapping[str, Any]) -> str:
    from bashkit.tools.define import schema
    from bashkit.tools.describe.notation import placeholder

    kinds = [kind for kind in schema.types(dict(part)) if kind != "null"]
    if kinds == ["array"]:
        items = part.get("items")
        inner = placeholder(items) if isinstance(items, dict) and "type" in items else ""
        return f"{inner}[]" if inner else "array"
    text = str(part["format"]) if kinds == ["string"] and part.get("format") else " or ".join(kinds) or "any"
    return f"{text} or null" if "null" in schema.types(dict(part)) else text


def _bounds(part: Mapping[str, Any]) -> list[str]:
    """The limits of a value, each in parentheses."""
    low, high = part.get("minimum"), part.get("maximum")
    found = []
    if low is not None and high is not None:
        found.append(f"({low} to {high})")
    elif low is not None or high is not None:
        found.append(f"(at least {low})" if low is not None else f"(at most {high})")
    if "pattern" in part:
        found.append(f"(matches {part['pattern']})")
    return found


def _word(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    from bashkit.tools import json_text

    return json_text.encode(value)


def measure(text: str, allowed: int | None = None) -> str:
    """The length of a text in characters, and roughly in tokens.

    Args:
        text: What the model reads.
        allowed: Characters it may have, where its author said so.
    """
    limit = f" of {_grouped(allowed)}" if allowed is not None else ""
    tokens = -(-len(text) // CHARACTERS_PER_TOKEN)
    return f"{_grouped(len(text))}{limit} characters, about {_grouped(tokens)} tokens"


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")  # ISO 80000-1: groups of three, a thin space between


def snapshot_note(state: State | None) -> Content:
    """What is known about the kept text: ``same``, ``changed``, ``new``; nothing where nothing is kept."""
    if state is None:
        return Content("")
    style, words = {
        "same": ("$text-success", "snapshot: same"),
        "changed": ("$text-warning", "snapshot: changed"),
        "new": ("$foreground-muted", "snapshot: new, not kept yet"),
        "orphan": ("$text-warning", "snapshot: orphan"),
    }[state]
    return Content.styled(words, style)


def shown_path(path: Path | str) -> str:
    """A path as a person would type it here: relative where it is below the working directory."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd().resolve()))
    except (ValueError, OSError):
        return str(path)


def snippet(problem: Problem) -> Content:
    """A problem on a few lines: place and message, the source line, a caret under what is wrong, a hint."""
    place = f"{shown_path(problem.file)}:{problem.line}:{problem.column}"
    colour = "$text-error" if problem.severity == "error" else "$text-warning"
    kind = "" if problem.severity == "error" else "warning: "
    code = f"  {problem.code}" if problem.code else ""
    message = f"{kind}{printable(problem.message)}"
    lines = [Content.assemble((place, "$text-primary"), "  ", (message, f"bold {colour}"), (code, "$foreground-muted"))]
    if problem.source.strip():
        number = str(problem.line)
        before = problem.source[: problem.column - 1].replace("\t", _TAB)
        marked = problem.source[problem.column - 1 :][: problem.width].replace("\t", _TAB)
        source = printable(problem.source.replace("\t", _TAB))
        lines.append(Content.assemble((f"  {number} │ ", "$foreground-muted"), source))
        lines.append(
            Content.assemble(
                (f"  {' ' * len(number)} │ ", "$foreground-muted"),
                " " * len(before),
                ("^" * max(1, len(marked)), f"bold {colour}"),
            )
        )
    if problem.hint:
        lines.append(Content.assemble("  ", ("hint: ", "$foreground-muted"), (printable(problem.hint), "$text-success")))
    return Content("\n").join(lines)


def snippets(problems: Sequence[Problem]) -> Content:
    """Many problems, an empty line between them."""
    return Content("\n\n").join(snippet(problem) for problem in problems)


def printable(text: str) -> str:
    """Untrusted text as a terminal may have it: what would control the terminal, or hide in it, is shown as a symbol instead.

    Every character stays one character, so that columns keep their meaning.
    """
    return _SURROGATES.sub("\ufffd", text).translate(_CONTROLS)


def duration_text(seconds: float | None) -> str:
    """``12 ms`` below a second, ``1.23 s`` from there on, ``…`` while it is not known."""
    if seconds is None:
        return "…"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def arguments_text(call: ToolCall) -> str:
    """The arguments of a call on one line: ``id=1 tags=["a"]``, or the words of a tool in raw form."""
    given = call.arguments
    if isinstance(given, dict):
        return printable(" ".join(f"{name}={_argument(value)}" for name, value in given.items())).replace("\n", "␊")
    return printable(" ".join(map(str, given)) if isinstance(given, (list, tuple)) else str(given)).replace("\n", "␊")


def _argument(value: Any) -> str:
    if isinstance(value, str) and value and not any(letter.isspace() or letter in "\"'" for letter in value):
        return value
    return _json(value)


def count(number: int, word: str) -> str:
    """``1 tool``, ``2 tools``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def size_text(size: int) -> str:
    """``12 B``, ``3.4 kB``, ``98.3 MB``: bytes or characters in powers of ten."""
    if size < 1000:
        return f"{size} B"
    for unit in ("kB", "MB"):
        size_in = size / 1000 if unit == "kB" else size / 1_000_000
        if size_in < 999.95:
            return f"{size_in:.1f} {unit}"
    return f"{size / 1_000_000_000:.1f} GB"
