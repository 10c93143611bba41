"""The Tool tab: everything about one tool, or an overview of a toolset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from textual import on
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.highlight import highlight
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from bashkit.tools import json_text
from bashkit.tools.notation import output_of, usage
from bashkit_tui.documents import Parameter, count, parameters, printable, shown_path, snippets
from bashkit_tui.guarding import reported
from bashkit_tui.locating import place_of
from bashkit_tui.messages import ExampleChosen

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from textual.app import ComposeResult

    from bashkit.tools import Example, ToolDef
    from bashkit.toolset import DeclaredTool
    from bashkit_tui.opened import OpenedToolset

_NARROW = 72  # columns below which a table of six columns is no table any more
_SECTIONS = ("usage", "parameters", "output", "examples", "callback", "schema")
_TITLES = {"schema": "Input schema", "output": "Output", "examples": "Examples (Enter: try it in the Script tab)"}


class ToolView(VerticalScroll):
    """Description, usage, parameters, output, examples, callback and schema of the selected tool."""

    BINDING_GROUP_TITLE = "Tool"

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._examples: tuple[Example, ...] = ()

    def compose(self) -> ComposeResult:
        """A heading, and a section for each thing to know."""
        yield Static(id="tool-name", markup=False)
        yield Static(id="tool-description", markup=False)
        with Vertical(id="tool-sections"):
            for name in _SECTIONS:
                with Vertical(classes="section", id=f"section-{name}"):
                    yield Static(_TITLES.get(name, name.capitalize()), classes="section-title")
                    if name == "examples":
                        yield OptionList(id="tool-examples", compact=True, markup=False)
                    else:
                        yield Static(id=f"tool-{name}", classes="section-body", markup=False)

    def show_tool(self, declared: DeclaredTool) -> None:
        """Show one tool."""
        definition = declared.definition
        self._text("name", _heading(definition))
        self._text("description", printable(definition.description) or Content.styled("no description", "$foreground-muted"))
        self._text("usage", highlight(usage(definition), language="bash"))
        rows = parameters(definition)
        color = self.app.current_theme.primary
        self.query_one("#tool-parameters", Static).update(ParameterTable(rows, color) if rows else "none")
        self._text("output", _output(definition))
        self._text("callback", _callback(declared))
        self._text("schema", highlight(json_text.encode(dict(definition.input_schema), indent=2), language="json"))
        self._show_examples(definition.examples)
        self.query_one("#tool-sections").display = True
        self.scroll_home(animate=False)

    def show_toolset(self, opened: OpenedToolset) -> None:
        """Show what a toolset is made of."""
        self._text("name", Content.styled(printable(opened.name), "bold $text-primary"))
        self.query_one("#tool-description", Static).update(_Overview(opened, self.app.current_theme.primary))
        self.query_one("#tool-sections").display = False

    def show_broken(self, name: str, opened: OpenedToolset) -> None:
        """Show why a tool cannot be shown."""
        where = [problem for problem in opened.problems if problem.path.startswith("tools[")]
        own = [problem for problem in where if _names(problem.path, name, opened)] or where
        self._text("name", Content.assemble((printable(name), "bold $text-error"), ("  has mistakes", "$foreground-muted")))
        self._text("description", snippets(own))
        self.query_one("#tool-sections").display = False

    def _text(self, name: str, text: Content | str) -> None:
        self.query_one(f"#tool-{name}", Static).update(text)

    def _show_examples(self, examples: tuple[Example, ...]) -> None:
        self._examples = examples
        options = self.query_one("#tool-examples", OptionList)
        options.clear_options()
        options.add_options(Option(_example(example)) for example in examples)
        self.query_one("#section-examples").display = bool(examples)

    @on(OptionList.OptionSelected, "#tool-examples")
    @reported
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(ExampleChosen(self._examples[event.option_index].command.rstrip("\n")))


class ParameterTable:
    """The parameters as a table, or where that would be too narrow, as a list."""

    __slots__ = ("_color", "_rows")

    def __init__(self, rows: list[Parameter], color: str) -> None:
        self._rows = rows
        self._color = color

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Rich's protocol."""
        if options.max_width < _NARROW:
            for row in self._rows:
                yield from self._listed(row)
        else:
            yield self._table()

    def _table(self) -> Table:
        table = Table(box=None, expand=True, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
        for title in ("name", "type", "required", "default"):
            table.add_column(title, no_wrap=True)
        table.add_column("enum", ratio=2)
        table.add_column("description", ratio=5)
        for row in self._rows:
            required = Text("yes", style="bold") if row.required else Text("no", style="dim")
            choices = Text(", ".join(row.choices) or "-", style="" if row.choices else "dim")
            default = Text(row.default or "-", style="" if row.default else "dim")
            table.add_row(
                Text(row.name, style=f"bold {self._color}"), Text(row.type), required, default, choices, Text(row.description)
            )
        return table

    def _listed(self, row: Parameter) -> RenderResult:
        words = [row.type, "required" if row.required else "optional"]
        if row.default:
            words.append(f"default {row.default}")
        yield Text.assemble((row.name, f"bold {self._color}"), "  ", (", ".join(words), "dim"))
        if row.choices:
            yield Padding(Text.assemble(("enum: ", "dim"), ", ".join(row.choices)), (0, 0, 0, 2))
        if row.description:
            yield Padding(Text(row.description), (0, 0, 0, 2))


class _Overview:
    """A toolset in a few lines and the list of its tools."""

    __slots__ = ("_color", "_opened")

    def __init__(self, opened: OpenedToolset, color: str) -> None:
        self._opened = opened
        self._color = color

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Rich's protocol."""
        opened, toolset = self._opened, self._opened.toolset
        if toolset is None:
            yield Text("This file is no toolset yet: the Problems tab says why.")
            return
        if toolset.description:
            yield Text(printable(toolset.description))
        yield Text("")
        facts = Table(box=None, show_header=False, padding=(0, 2, 0, 0), show_edge=False)
        facts.add_column(style="dim", no_wrap=True)
        facts.add_column()
        facts.add_row("file", Text(shown_path(opened.path)))
        facts.add_row("tools", Text(str(len(opened.tools))))
        for label, names in (("environment", toolset.env), ("secrets", toolset.secrets)):
            if names:
                facts.add_row(label, Text(", ".join(names)))
        if toolset.limits is not None:
            facts.add_row("limits", Text(f"{toolset.limits.timeout:g} s, {count(toolset.limits.max_commands, 'command')}"))
        yield facts
        yield Text("")
        tools = Table(box=None, show_header=False, padding=(0, 2, 0, 0), show_edge=False)
        tools.add_column(no_wrap=True)
        tools.add_column()
        for item in opened.tools:
            tools.add_row(Text(item.definition.name, style=f"bold {self._color}"), Text(printable(item.definition.description)))
        yield tools


def _heading(definition: ToolDef) -> Content:
    notes = [definition.category, *definition.tags]
    parts: list[Content | str | tuple[str, str]] = [(definition.name, "bold $text-primary")]
    if any(notes):
        parts += ["  ", (" · ".join(note for note in notes if note), "$foreground-muted")]
    if definition.effects:
        color = {"read": "$text-success", "write": "$text-warning", "destructive": "$text-error"}[definition.effects]
        parts += ["  ", (f"effects: {definition.effects}", color)]
    return Content.assemble(*parts)


def _output(definition: ToolDef) -> Content | str:
    shape = output_of(definition)
    return (
        printable(shape)
        if shape
        else Content.styled("not declared: give it an output_schema, or an example with an output", "$foreground-muted")
    )


def _callback(declared: DeclaredTool) -> Content:
    place = place_of(declared)
    file = "" if place.file is None else shown_path(place.file) + (f":{place.line}" if place.line else "")
    lines = [Content.assemble((f"{place.kind}  ", "$foreground-muted"), (printable(place.target), "bold"))]
    if file:
        lines.append(Content.assemble(("defined at   ", "$foreground-muted"), file))
    elif place.kind != "stub":
        lines.append(Content.styled("not found beside the toolset", "$text-warning"))
    if declared.document.text:  # a directory of executables declares nothing
        key = {"python": ("callback", "python"), "executable": ("callback", "executable"), "stub": ("stub",)}[place.kind]
        mark = declared.document.mark((*declared.path, *key))
        lines.append(
            Content.assemble(("declared at  ", "$foreground-muted"), f"{shown_path(declared.document.file)}:{mark.line}")
        )
    return Content("\n").join(lines)


def _example(example: Example) -> Content:
    command = highlight(example.command.rstrip("\n"), language="bash")
    if not example.description:
        return command
    return Content("\n").join([Content.styled(f"# {printable(example.description)}", "$foreground-muted"), command])


def _names(path: str, name: str, opened: OpenedToolset) -> bool:
    """Whether a problem's path is inside the tool called ``name``."""
    document = opened.toolset.document if opened.toolset is not None else None
    tools = document.value.get("tools", ()) if document is not None and isinstance(document.value, dict) else ()
    index = path.removeprefix("tools[").partition("]")[0]
    tool = tools[int(index)] if index.isdecimal() and isinstance(tools, list) and int(index) < len(tools) else None
    return isinstance(tool, dict) and str(tool.get("name", f"tool {index}")) == name
