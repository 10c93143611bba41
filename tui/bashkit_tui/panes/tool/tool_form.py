"""The form of a tool: fields for its parameters, the command line that they make, and buttons to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.highlight import highlight
from textual.widgets import Button, Static

from bashkit_tui.error_reports import reported
from bashkit_tui.messages import CommandOffered
from bashkit_tui.panes.tool.field_row import FieldRow
from bashkit_tui.protocols import ShownText
from bashkit_tui.texts.formatting import count, printable

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.tools import ToolDef
    from bashkit_tui.panes.tool.form_fields import Filled, Form, Typed

_NOTHING = "Choose a tool: its parameters will be fields here."


class ToolForm(Vertical):
    """Fields, and the command line that follows every key."""

    ALLOW_MAXIMIZE = True
    BINDING_GROUP_TITLE = "Form"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r,f5", "run", "Run", id="form.run", tooltip="Run the command of the form; Enter in a field does too"),
        Binding("ctrl+n", "insert", "To script", id="form.insert", tooltip="Put the command into the script, at the cursor"),
        Binding("ctrl+y", "copy", "Copy", id="form.copy", tooltip="Copy the command to the clipboard"),
        Binding("ctrl+u", "reset", "Empty", id="form.reset", show=False, tooltip="Empty every field"),
        Binding("escape", "leave", "Leave", id="form.leave", show=False, tooltip="Go from the form to the tree of tools"),
        Binding("down", "app.focus_next", "Next field", id="form.next", show=False, tooltip="Go to the next field"),
        Binding("up", "app.focus_previous", "Previous field", id="form.previous", show=False, tooltip="Go to the field before"),
    ]
    SCOPED_CSS = False  # the rules for sizes of the screen match a class of the screen
    DEFAULT_CSS = """
    ToolForm {
        height: 1fr;
        & > #form-fields { height: 1fr; padding: 1 2 0 2; scrollbar-size-vertical: 1; }
        & > #form-result { height: auto; max-height: 50%; background: $surface; padding: 0 2; border-top: solid $foreground 15%; }
        & #form-command { height: auto; max-height: 6; scrollbar-size-vertical: 1; }
        & #form-command > Static { width: 1fr; }
        & #form-verdict { height: 1; text-overflow: ellipsis; text-wrap: nowrap; }
        & #form-buttons { height: 1; margin: 1 0 0 0; }
        & Button { margin: 0 2 0 0; min-width: 8; }
    }
    .-short ToolForm #form-buttons { display: none; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._form: Form | None = None
        self._definition: ToolDef | None = None
        self._typed: dict[str, dict[tuple[str, ...], Typed]] = {}
        self.filled: Filled | None = None
        self.rows: list[FieldRow] = []

    def compose(self) -> ComposeResult:
        """The fields above the command line and the buttons."""
        yield VerticalScroll(Static(_NOTHING, classes="field-note"), id="form-fields", can_focus=False)
        with Vertical(id="form-result"):
            yield VerticalScroll(Static(id="form-line", markup=False), id="form-command", can_focus=False)
            yield Static(id="form-verdict", markup=False)
            with Horizontal(id="form-buttons"):
                yield Button("Run", id="form-run", compact=True, variant="primary")
                yield Button("To script", id="form-insert", compact=True)
                yield Button("Copy", id="form-copy", compact=True)

    def show(self, definition: ToolDef | None) -> None:
        """Show the form of a tool with the input of the last time."""
        if definition == self._definition and self._form is not None:
            return
        self._definition = definition
        fields = self.query_one("#form-fields", VerticalScroll)
        fields.remove_children()
        self.query_one("#form-result").display = definition is not None
        if definition is None:
            self._form = self.filled = None
            self.rows = []
            fields.mount(Static(_NOTHING, classes="field-note"))
            return
        from bashkit_tui.panes.tool.form_fields import Form

        self._form = Form(definition)
        typed = self._typed.get(definition.name, {})
        self.rows = [FieldRow(item, typed.get(item.path)) for item in self._form.fields]
        fields.mount_all(self.rows)
        if not self.rows:
            fields.mount(Static("This tool takes no parameters.", classes="field-note"))
        self._judge(typed)

    def shown_text(self) -> ShownText | None:
        """The command, for the clipboard and the pager."""
        return None if self.filled is None else ShownText("command.sh", self.filled.line)

    def focus_first(self) -> None:
        """Focus the first field, or the button of a form without fields."""
        if self.rows and not self.rows[0].is_mounted:  # it will be, after the next refresh
            self.call_after_refresh(self.focus_first)
            return
        self.screen.set_focus(self.rows[0].control if self.rows else self.query_one("#form-run"))

    @on(FieldRow.Changed)
    @reported
    def _changed(self, event: FieldRow.Changed) -> None:
        event.stop()
        if self._definition is not None and any(row is event.control for row in self.rows):  # not a row of the previous form
            self._typed[self._definition.name] = typed = {row.item.path: row.typed for row in self.rows}
            self._judge(typed)

    def _judge(self, typed: dict[tuple[str, ...], Typed]) -> None:
        """Update the command line and the messages."""
        from bashkit_tui.panes.tool.form_fields import problems_of

        if self._form is None:
            return
        self.filled = filled = self._form.read(typed)
        shown = printable(filled.line)
        line = highlight(shown, language="bash")
        self.query_one("#form-line", Static).update(line if line.plain.rstrip("\n") == shown else shown)
        for row in self.rows:
            row.show_problems(() if row.untouched else problems_of(row.item, filled))
        self.query_one("#form-verdict", Static).update(_verdict(filled))

    # -- what to do with it --------------------------------------------------------------------------------------------

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        {"form-run": self.action_run, "form-insert": self.action_insert, "form-copy": self.action_copy}[event.button.id or ""]()

    @on(FieldRow.Submitted)
    def _submitted(self, event: FieldRow.Submitted) -> None:
        event.stop()
        self.action_run()

    def action_run(self) -> None:
        """Run the command, unless the tool would refuse it."""
        if self.filled is None:
            return
        if not self.filled.problems:
            self.post_message(CommandOffered(self.filled.line, run=True))
            return
        self.app.bell()
        self.app.notify(self.filled.problems[0], title="The tool would refuse this", severity="warning", markup=False)
        from bashkit_tui.panes.tool.form_fields import problems_of

        wrong = next((row for row in self.rows if problems_of(row.item, self.filled)), None)
        if wrong is not None:
            self.screen.set_focus(wrong.control)

    def action_insert(self) -> None:
        """Put the command into the script."""
        if self.filled is not None:
            self.post_message(CommandOffered(self.filled.line))

    def action_copy(self) -> None:
        """Copy the command."""
        if self.filled is not None:
            self.app.copy_to_clipboard(self.filled.line)
            self.app.notify("The command is on the clipboard.", timeout=2)

    def action_reset(self) -> None:
        """Empty every field."""
        definition, self._form = self._definition, None
        if definition is not None:
            self._typed.pop(definition.name, None)
            self.show(definition)
            self.call_after_refresh(self.focus_first)

    def action_leave(self) -> None:
        """Focus the tree, where single keys are commands."""
        self.screen.set_focus(self.screen.query_one("#tree"))


def _verdict(filled: Filled) -> Content:
    if not filled.problems:
        return Content.styled("✓ the tool would take this", "$text-success")
    first, *others = filled.problems
    more = f"  and {count(len(others), 'more problem')}" if others else ""
    return Content.assemble(("✗ ", "$text-error"), (printable(first), "$text-error"), (more, "$foreground-muted"))
