"""The widget of the Tool pane: one tool in parts, or an overview of a toolset."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.highlight import highlight
from textual.widgets import OptionList, Static, TabbedContent, TabPane
from textual.widgets.option_list import Option

from bashkit.tools.describe.help import tool_help
from bashkit.tools.describe.notation import output_of, usage
from bashkit.toolset.callbacks import Callback
from bashkit_tui.error_reports import reported
from bashkit_tui.messages import ExampleChosen
from bashkit_tui.panes.tool.parameters import parameters
from bashkit_tui.panes.tool.tool_form import ToolForm
from bashkit_tui.panes.tool.tool_tables import Overview, ParameterTable
from bashkit_tui.texts.formatting import printable, shown_path
from bashkit_tui.texts.problems import snippets
from bashkit_tui.widgets.json_tree import JsonTree

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.tools import Example, ToolDef
    from bashkit.toolset import DeclaredTool
    from bashkit_tui.toolsets.opened_toolset import OpenedToolset

_SECTIONS = ("usage", "parameters", "output", "examples", "callback")
_TITLES = {"output": "Output", "examples": "Examples (Enter: try it in the Script tab)"}
_PARTS = ("about", "form", "schema", "usage")


class ToolView(Vertical):
    """Name and description of the selected tool above its parts: declaration, form, schemas, ``--help``."""

    BINDING_GROUP_TITLE = "Tool"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "right_square_bracket", "part(1)", "Next part", id="tool.next", show=False, tooltip="Show the next part of the tool"
        ),
        Binding(
            "left_square_bracket", "part(-1)", "Previous part", id="tool.previous", show=False, tooltip="Show the part before"
        ),
    ]
    SCOPED_CSS = False  # the rules for sizes of the screen match a class of the screen
    DEFAULT_CSS = """
    ToolView {
        padding: 1 0 0 0;
        & > #tool-head { height: auto; max-height: 40%; padding: 0 2; scrollbar-size-vertical: 1; }
        & > #tool-head.-alone { height: 1fr; max-height: 100%; }
        & > #tool-parts { height: 1fr; margin: 1 0 0 0; }
        & .tool-part { padding: 0 2; scrollbar-size-vertical: 1; height: 1fr; }
        & .section { height: auto; margin: 1 0 0 0; }
        & .section-title { color: $text-secondary; text-style: bold; }
        & .section-body { padding: 0 0 0 2; }
        & #tool-examples { height: auto; max-height: 12; padding: 0 0 0 2; background: transparent; }
        & #tool-schema { height: 1fr; margin: 1 2 0 2; }
        & #tool-help { padding: 1 0 0 0; }
        & #tool-parts > ContentTabs { padding: 0 1; height: 1; background: $surface; }
        & #tool-parts Underline { display: none; }
        & #tool-parts Tab.-active { color: $text-primary; text-style: bold; background: $panel; }
    }
    .-narrow ToolView { padding: 0; }
    .-narrow ToolView > #tool-parts { margin: 0; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._examples: tuple[Example, ...] = ()
        self._definition: ToolDef | None = None
        self._made: set[str] = set()

    def compose(self) -> ComposeResult:
        """A heading, and the parts."""
        with VerticalScroll(id="tool-head", can_focus=False):
            yield Static(id="tool-name", markup=False)
            yield Static(id="tool-description", markup=False)
        with TabbedContent(id="tool-parts", initial="part-about"):
            with TabPane("About", id="part-about"), VerticalScroll(classes="tool-part"):
                for name in _SECTIONS:
                    with Vertical(classes="section", id=f"section-{name}"):
                        yield Static(_TITLES.get(name, name.capitalize()), classes="section-title")
                        if name == "examples":
                            yield OptionList(id="tool-examples", compact=True, markup=False)
                        else:
                            yield Static(id=f"tool-{name}", classes="section-body", markup=False)
            with TabPane("Form", id="part-form"):
                yield ToolForm(id="tool-form")
            with TabPane("Schema", id="part-schema"):
                yield JsonTree(id="tool-schema")
            with TabPane("--help", id="part-usage"), VerticalScroll(classes="tool-part"):
                yield Static(id="tool-help", markup=False)

    @property
    def form(self) -> ToolForm:
        """The form."""
        return self.query_one(ToolForm)

    @property
    def part(self) -> str:
        """The visible part: ``about``, ``form``, ``schema`` or ``usage``."""
        return self.query_one("#tool-parts", TabbedContent).active.removeprefix("part-")

    def show_selection(self, opened: OpenedToolset, tool: str | None) -> None:
        """Show the selected tool, or the toolset."""
        declared = opened.tool(tool)
        if declared is not None:
            self.show_tool(declared)
        elif tool in opened.broken:
            self.show_broken(tool or "", opened)
        else:
            self.show_toolset(opened)

    def show_tool(self, declared: DeclaredTool) -> None:
        """Show one tool."""
        definition = declared.definition
        self._text("name", _heading(definition))
        self._text("description", printable(definition.description) or Content.styled("no description", "$foreground-muted"))
        self._text("usage", highlight(printable(usage(definition)), language="bash"))
        rows = parameters(definition)
        color = self.app.current_theme.primary
        self.query_one("#tool-parameters", Static).update(ParameterTable(rows, color) if rows else "none")
        self._text("output", _output(definition))
        self._text("callback", _callback(declared))
        self._show_examples(definition.examples)
        self._stand(alone=False)
        if definition != self._definition:
            self._definition = definition
            self._made.clear()
            for part in self.query(".tool-part"):
                part.scroll_home(animate=False)
        self._make()

    def show_toolset(self, opened: OpenedToolset) -> None:
        """Show an overview of a toolset."""
        self._text("name", Content.styled(printable(opened.name), "bold $text-primary"))
        self.query_one("#tool-description", Static).update(Overview(opened, self.app.current_theme.primary))
        self._alone()

    def show_broken(self, name: str, opened: OpenedToolset) -> None:
        """Show the mistakes of a tool."""
        where = [problem for problem in opened.problems if problem.path.startswith("tools[")]
        own = [problem for problem in where if _names(problem.path, name, opened)] or where
        self._text("name", Content.assemble((printable(name), "bold $text-error"), ("  has mistakes", "$foreground-muted")))
        self._text("description", snippets(own, self.query_one("#tool-description").size.width))
        self._alone()

    def _alone(self) -> None:
        """Hide the parts."""
        self._stand(alone=True)
        self._definition = None
        self._made.clear()

    def _stand(self, *, alone: bool) -> None:
        """Give the head the whole room, or share it; a class of this view would match the rules of all the widgets in it anew."""
        self.query_one("#tool-head").set_class(alone, "-alone")
        self.query_one("#tool-parts").display = not alone

    def show_part(self, part: str) -> None:
        """Show a part and focus it.

        Args:
            part: ``about``, ``form``, ``schema`` or ``usage``.
        """
        if self._definition is None:
            return
        self.query_one("#tool-parts", TabbedContent).active = f"part-{part}"
        self._make()
        if part == "form":
            self.call_after_refresh(self.form.focus_first)
        else:
            self.screen.set_focus(self.query_one("#tool-schema" if part == "schema" else f"#part-{part} .tool-part"))

    def action_part(self, step: int) -> None:
        """Show the part ``step`` places to the right."""
        self.show_part(_PARTS[(_PARTS.index(self.part) + step) % len(_PARTS)])

    @on(TabbedContent.TabActivated, "#tool-parts")
    @reported
    def _activated(self, event: TabbedContent.TabActivated) -> None:
        event.stop()
        self._make()

    def _make(self) -> None:
        """Fill the visible part; forms and trees would take too long to fill for every tool under the cursor."""
        definition, part = self._definition, self.part
        if definition is None or part in self._made:
            return
        self._made.add(part)
        if part == "form":
            self.form.show(definition)
        elif part == "schema":
            schemas = {"input": dict(definition.input_schema)}
            self.query_one(JsonTree).show(
                schemas | ({"output": dict(definition.output_schema)} if definition.output_schema else {})
            )
        elif part == "usage":
            self._text("help", printable(tool_help(definition)))

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


def _heading(definition: ToolDef) -> Content:
    notes = [definition.category, *definition.tags]
    parts: list[Content | str | tuple[str, str]] = [(definition.name, "bold $text-primary")]
    if any(notes):
        parts += ["  ", (printable(" · ".join(note for note in notes if note)), "$foreground-muted")]
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
    callback = declared.callback
    kind, target = (callback.key, callback.target) if isinstance(callback, Callback) else ("stub", "a fixed answer")
    lines = [Content.assemble((f"{kind}  ", "$foreground-muted"), (printable(target), "bold"))]
    location = callback.location() if isinstance(callback, Callback) else None
    if location is not None:
        file, line = location
        text = shown_path(file) + (f":{line}" if line else "")
        lines.append(Content.assemble(("defined at   ", "$foreground-muted"), text))
    elif isinstance(callback, Callback) and callback.is_file:
        lines.append(Content.styled("not found beside the toolset", "$text-warning"))
    if declared.document.text:  # a directory of executables has no document
        key = ("callback", kind) if isinstance(callback, Callback) else ("stub",)
        mark = declared.document.mark((*declared.path, *key))
        lines.append(
            Content.assemble(("declared at  ", "$foreground-muted"), f"{shown_path(declared.document.file)}:{mark.line}")
        )
    return Content("\n").join(lines)


def _example(example: Example) -> Content:
    command = highlight(printable(example.command.rstrip("\n")), language="bash")
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
