"""How tools are described for scripts in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.tools.define import schema
from bashkit.tools.describe import facts
from bashkit.tools.describe.dialect import Dialect
from bashkit.tools.describe.help import about, aligned
from bashkit.tools.describe.notation import input_shape, output_of
from bashkit.tools.describe.shapes import outputs
from bashkit.tools.describe.stubs import parameter, parameters, python_name, signature, stub

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bashkit.tools.define.definition import ToolDef


def _entries(definitions: Sequence[ToolDef]) -> list[list[str]]:
    """A stub file: every function below a comment."""
    return [list(_entry(definition, shape)) for definition, shape in zip(definitions, outputs(definitions), strict=True)]


def _entry(definition: ToolDef, shape: str) -> Iterator[str]:
    notes = [
        *facts.purpose(definition).splitlines(),
        *filter(None, [facts.raw_schema(definition)]),
        *(f"{legal}: {fields}" for legal, fields in _shapes(definition).items()),
        *([f"Result: {shape}"] if shape else ()),
        *filter(None, [facts.call_limit(definition)]),
    ]
    yield from (f"# {note.strip()}".rstrip() for note in notes)
    yield stub(definition)


def function_help(definition: ToolDef) -> str:
    """Write the declaration, each parameter with its type, default, choices and description, and the shape of the result."""
    sections = [signature(definition), *facts.introduction(definition)]
    lines = [] if definition.raw else list(_parameters(definition))
    if lines:
        sections.append("Parameters:\n" + "\n".join(lines))
    shape = output_of(definition)
    if shape:
        sections.append(f"Result:\n  {shape}")
    sections += facts.rules(definition)
    return "\n\n".join(sections) + "\n"


def _parameters(definition: ToolDef) -> Iterator[str]:
    root = dict(definition.input_schema)
    flat = schema.expand(root, root)
    needed = schema.required(flat)
    shapes = _shapes(definition)
    for legal, own in parameters(definition).items():
        part = schema.fields(flat)[own]
        text = about(schema.expand(part, root), required=own in needed)
        text += f": {shapes[legal]}" if legal in shapes else ""
        yield aligned(parameter(legal, part, root, needed=own in needed), text)


def _shapes(definition: ToolDef) -> dict[str, str]:
    """The fields of the parameters that are objects, or lists of them, by the parameters' names in Python."""
    root = dict(definition.input_schema)
    fields = schema.fields(schema.expand(root, root))
    found = {} if definition.raw else parameters(definition)
    return {legal: shape for legal, own in found.items() if (shape := input_shape(fields[own], root))}


def _tips(definitions: Sequence[ToolDef], *, usage: bool) -> list[str]:  # noqa: ARG001 - the same in every mode
    tips = [
        "- The functions need no import. Pass arguments by keyword; results are plain data, failures are RuntimeErrors",
        "- Output is what you print, then the value of the last expression as JSON",
    ]
    if definitions:
        call = f"{python_name(definitions[0].name)}(...)"
        tips.append(f"- Calls that do not need each other run at the same time: `await asyncio.gather({call}, {call})`")
    tips.append("- The standard library is there in part (json, re, datetime, collections, itertools, math, pathlib ...)")
    tips.append("- There are no other packages, no generators (`yield`) and no inheritance")
    return tips


def _page(line: int, file: str) -> str:
    if not file:
        return "print less: the fields that you need, or a slice"
    part = f".splitlines()[{line - 1}:{line + 99}]" if line else "[:2000]"
    return f"everything is in {file}: print a part, open({file!r}).read(){part}"


PYTHON = Dialect(
    script="Python code",
    scripts="Python code",
    one="Python code",
    whole="all of the Python code",
    parameter="Python code to execute, whose last expression may be the result",
    input="Python code to execute",
    also="python3(1)",
    tools="functions",
    noun="function",
    about=(
        "Runs Python code in a virtual environment in which each tool below is a",
        "function. Standard output is what it prints, and the value of its last",
        "expression as JSON on a line of its own.",
        "",
        "'help(NAME)' describes one function, 'discover()' lists them.",
    ),
    heading="FUNCTIONS",
    examples=False,
    name=lambda definition: python_name(definition.name),
    usage=signature,
    entries=_entries,
    fence=(("```python",), ("```",)),
    help=function_help,
    look="`help(NAME)` prints a function's declaration and result: look before its first use.",
    find=(
        '- `discover(search="what you want to do")`: the functions that fit best',
        "- `discover(category=NAME)`, `discover(tag=TAG)`: all of one kind; filters combine",
        "- `help(FUNCTION)`: declaration, parameters and result",
    ),
    finders="the functions discover(search=TEXT, category=NAME, tag=TAG, json=True) and help(FUNCTION)",
    finding="'discover()' finds functions, 'help(FUNCTION)' describes one. They are not run here.",
    search=('discover(search="refund a customer")', 'discover(category="billing", json=True)', "help(get_invoice)"),
    first="help()",
    tips=_tips,
    more="- `help(NAME)` tells more about a function: what each parameter means, defaults, ranges",
    shorten="print the fields that you need, or a slice",
    page=_page,
    fileless="keep data in variables",
    lasting="Variables, functions, imports and files",
)
