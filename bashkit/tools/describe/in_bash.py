"""How tools are described for scripts in bash."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.tools.describe import facts
from bashkit.tools.describe.dialect import Dialect
from bashkit.tools.describe.help import tool_help
from bashkit.tools.describe.notation import output_of, takes_objects, usage
from bashkit.tools.describe.shapes import outputs
from bashkit.tools.describe.stubs import python_name, signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.tools.define.definition import ToolDef

_LONGEST_EXAMPLE = 200
_MANY = 3  # from this number of commands on, the tip to run some of them at once pays
_FEW = 5  # commands up to which usages have lines of their own
_FLAGS = "- Pass arguments as `--key value` or `--key=value` flags"
_JQ = "- Pipe tool output through `jq` for JSON processing"
_VARIABLES = "- Use variables to pass data between tool calls"
_PARALLEL = "- Run independent calls at the same time: `a & b & wait`"
_OBJECTS = "- Objects and lists of objects are JSON: `--name '{\"key\": 1}'`, or fields: `--name.key 1`"
_PYTHON = "- `python3` runs Python on the same files (`-c`, scripts, here-documents), without packages, generators or inheritance"


def entry(definition: ToolDef, shape: str, *, short: bool) -> list[str]:
    """Describe one tool in the full mode.

    Args:
        definition: The tool.
        shape: Its output, or "".
        short: Write name and usage as one.
    """
    text = "\n  ".join(line.strip() for line in facts.purpose(definition).splitlines())
    call = definition.name if definition.raw else usage(definition)
    shown = call if short else definition.name
    lines = [f"- `{shown}`: {text}" if text else f"- `{shown}`"]
    if schema := facts.raw_schema(definition):
        lines.append(f"  {schema}")
    if not short and call != definition.name:
        lines.append(f"  Usage: `{call}`")
    if definition.stdin == "json":
        lines.append("  Standard input: a JSON object of arguments")
    if shape:
        lines.append(f"  Output: `{shape}`")
    example = _example(definition)
    if example:
        lines.append(f"  Example: `{example}`")
    if limit := facts.call_limit(definition):
        lines.append(f"  {limit}")
    return lines


def _example(definition: ToolDef) -> str:
    """Choose a good example: the first that calls the tool and fits on a line, preferably one that processes the output."""
    fitting = [
        example.command.strip()
        for example in definition.examples
        if "\n" not in example.command.strip() and definition.name in example.command and len(example.command) <= _LONGEST_EXAMPLE
    ]
    return next((command for command in fitting if "|" in command), fitting[0] if fitting else "")


def _entries(definitions: Sequence[ToolDef]) -> list[list[str]]:
    """The entry of every tool. Many are described more densely than a few."""
    short = len(definitions) > _FEW
    return [entry(definition, shape, short=short) for definition, shape in zip(definitions, outputs(definitions), strict=True)]


def _tips(definitions: Sequence[ToolDef], *, usage: bool) -> list[str]:
    tips = []
    if usage and (not definitions or not all(item.raw for item in definitions)):
        tips.append(_FLAGS)
    if not definitions or any(map(_prints_json, definitions)):
        tips.append(_JQ)
    if usage and len(definitions) <= _FEW:
        tips.append(_VARIABLES)
    if len(definitions) >= _MANY:
        tips.append(_PARALLEL)
    if usage and any(map(takes_objects, definitions)):
        tips.append(_OBJECTS)
    return tips


def _prints_json(definition: ToolDef) -> bool:
    """Whether a tool prints JSON; assumed unless its declaration says otherwise."""
    shape = output_of(definition)
    return not shape or shape[:1] in {"{", "["}


def python_tips(definitions: Sequence[ToolDef]) -> list[str]:
    """What to know of ``python3``."""
    tips = [_PYTHON]
    if definitions:
        name = python_name(definitions[0].name)
        tips.append(f"- The commands are functions there: `from tools import {name}`, keyword arguments, JSON results")
    return tips


def _page(line: int, file: str) -> str:
    page = f"sed -n '{line},{line + 99}p'" if line else "cut -c 1-2000"
    if file:
        return f"everything is in {file}: page with {page} {file}, or filter that file with grep or jq"
    return f"print less: select fields with jq, filter with grep, or page with | {page}"


def _entries_of_both(definitions: Sequence[ToolDef]) -> list[list[str]]:
    """Usage and declaration of every tool."""
    described = []
    for definition, (name, *rest) in zip(definitions, _entries(definitions), strict=True):
        place = next((number for number, line in enumerate(rest, 1) if line.startswith("  Usage: ")), 0)
        described.append([name, *rest[:place], f"  Python: `{signature(definition)}`", *rest[place:]])
    return described


def _help_of_both(definition: ToolDef) -> str:
    head, blank, rest = tool_help(definition).partition("\n")
    return f"{head}\nPython: {signature(definition)}{blank}{rest}"


BASH = Dialect(
    script="bash script",
    scripts="bash scripts",
    one="a bash script",
    whole="a whole bash script",
    parameter='Bash commands to execute (like bash -c "commands")',
    input='Bash script to execute (like bash -c "commands")',
    also="bash(1), jq(1)",
    tools="tool commands",
    noun="command",
    about=(
        "Runs a bash script in a virtual environment in which each tool below is a",
        "command. Every call starts with a fresh shell.",
        "",
        "'TOOL --help' describes one tool, 'help --list' and 'discover' list them.",
    ),
    heading="TOOL COMMANDS",
    examples=True,
    name=lambda definition: definition.name,
    usage=usage,
    entries=_entries,
    fence=((), ()),
    help=tool_help,
    look="`help NAME` prints a command's usage and output: look before its first use.",
    find=(
        '- `discover "what you want to do"`: the commands that fit best',
        "- `discover --category NAME`, `discover --tag TAG`: all of one kind; filters combine",
        "- `help COMMAND`: usage, parameters and output",
    ),
    finders="the commands discover (TEXT, --category NAME, --tag TAG, --json) and help (COMMAND, --list, --json)",
    finding="'discover' finds commands, 'help COMMAND' describes one. They are not run here.",
    search=('discover "refund a customer"', "discover --category billing --json | jq -r '.[].name'", "help get_invoice"),
    first="help --list",
    tips=_tips,
    more="- `NAME --help` tells more about a command: what each parameter means, defaults, ranges",
    shorten="select fields with `jq`, page with `head` and `sed -n`",
    page=_page,
    fileless="keep data in variables and pipes",
    lasting="Variables, functions and files",
)
BOTH = replace(BASH, entries=_entries_of_both, help=_help_of_both)
