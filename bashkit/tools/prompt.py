"""The system prompt of a scripted tool: which commands there are, how they are called, what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.tools import json_text
from bashkit.tools.notation import output_of, usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bashkit.tools.definition import ToolDef

_FLAGS = "- Pass arguments as `--key value` or `--key=value` flags"
_TIPS = ("- Pipe tool output through `jq` for JSON processing", "- Use variables to pass data between tool calls")


def system_prompt(name: str, definitions: Sequence[ToolDef], context: Iterable[str] = ()) -> str:
    """The prompt in its full form.

    Args:
        name: The heading.
        definitions: The tools, in the order in which they are listed.
        context: Texts of the toolset's author, appended after rules (``---``).
    """
    lines = [f"# {name}", "", 'Input: {"commands": "<bash script>"}', "Output: {stdout, stderr, exit_code}"]
    if definitions:
        lines += ["", "## Available tool commands", ""]
        for definition in definitions:
            lines += entry(definition)
    tips = ([] if definitions and all(item.raw for item in definitions) else [_FLAGS]) + list(_TIPS)
    lines += ["", "## Tips", "", *tips]
    return "\n".join(lines) + "\n" + "".join(f"\n---\n\n{text.strip()}\n" for text in context)


def entry(definition: ToolDef) -> list[str]:
    """The lines about one tool."""
    text = "\n  ".join(line.strip() for line in definition.description.strip().splitlines())
    lines = [f"- `{definition.name}`: {text}" if text else f"- `{definition.name}`"]
    if definition.raw:
        if definition.input_schema:
            lines.append(f"  Schema: {json_text.encode(dict(definition.input_schema))}")
    elif definition.input_schema.get("properties") or "--" in usage(definition):
        lines.append(f"  Usage: `{usage(definition)}`")
    shape = output_of(definition)
    if shape:
        lines.append(f"  Output: `{shape}`")
    return lines
