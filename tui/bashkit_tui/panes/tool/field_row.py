"""One field of a tool's form: its name, its control, its description, and the problems of the input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Select, Static, Switch, TextArea

from bashkit_tui.error_reports import reported
from bashkit_tui.texts.formatting import printable
from bashkit_tui.widgets.plain_inputs import PlainInput, PlainTextArea

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.widget import Widget

    from bashkit_tui.panes.tool.form_fields import FormField, Typed

_MOST_ROWS = 100


class FieldRow(Vertical):
    """A field and its control.

    Args:
        item: The field.
        typed: The first value of the control.
    """

    DEFAULT_CSS = """
    FieldRow {
        height: auto;
        margin: 0 0 1 0;
        & > .field-name { height: 1; }
        & > .field-note { color: $foreground-muted; padding: 0 0 0 1; }
        & > .field-problem { color: $text-error; padding: 0 0 0 1; display: none; }
        &.-wrong > .field-problem { display: block; }
        & > .field-rows { height: auto; }
        & Input, & TextArea, & SelectCurrent { background: $panel; }
        & Input { border: none; height: 1; padding: 0 1; width: 1fr; }
        & Input:focus, & TextArea:focus { border: none; background-tint: $primary 18%; }
        & Select:focus > SelectCurrent { border: none; background-tint: $primary 18%; }
        & Select { width: 1fr; max-width: 48; }
        & SelectCurrent { padding: 0 1; }
        & Switch { border: none; padding: 0; height: 1; background: $panel; }
        & Switch:focus { background-tint: $primary 30%; }
        & TextArea { height: auto; min-height: 1; max-height: 8; border: none; padding: 0 1; }
    }
    """

    class Changed(Message):
        """The value of the control changed."""

        def __init__(self, row: FieldRow) -> None:
            super().__init__()
            self.row = row

        @property
        def control(self) -> FieldRow:
            """The row."""
            return self.row

    class Submitted(Message):
        """Enter was pressed in a line of text."""

    def __init__(self, item: FormField, typed: Typed | None = None) -> None:
        super().__init__()
        self.item = item
        self._typed = item.initial if typed is None else typed

    def compose(self) -> ComposeResult:
        """Name, control, note, problem."""
        item = self.item
        mark = (" *", "bold $text-error") if item.required else ""
        name = Content.assemble((printable(item.name), "bold"), mark, (f"  {printable(item.type)}", "$foreground-muted"))
        yield Static(name, classes="field-name", markup=False)
        yield from self._controls()
        note = printable(item.description)
        if item.default is not None:
            note = f"{note}{'  ' if note else ''}default {printable(item.default)}"
        if note:
            yield Static(note, classes="field-note", markup=False)
        yield Static(classes="field-problem", markup=False)

    def _controls(self) -> ComposeResult:
        item, typed = self.item, self._typed
        if item.kind == "switch":
            yield Switch(bool(typed), animate=False)
        elif item.kind == "select":
            options = [(Content(printable(choice) or "''"), choice) for choice in item.choices]
            chosen = typed if typed in item.choices else Select.NULL
            yield Select(options, value=chosen, prompt=_hint(item) or "choose", compact=True)
        elif item.kind == "rows":
            with Vertical(classes="field-rows"):
                for text in [*(typed if isinstance(typed, list) else []), ""]:
                    yield self._line(text)
        elif item.kind in {"json", "lines"}:
            yield PlainTextArea(str(typed), compact=True, tab_behavior="focus", placeholder="JSON" if item.kind == "json" else "")
        else:
            yield self._line(str(typed))

    def _line(self, text: str) -> Input:
        return PlainInput(text, placeholder=_hint(self.item), select_on_focus=False)

    @property
    def typed(self) -> Typed:
        """The value of the control."""
        return self._typed

    def _held(self) -> Typed:
        if self.item.kind == "switch":
            return self.query_one(Switch).value
        if self.item.kind == "select":
            value = self.query_one(Select).value
            return "" if value is Select.NULL else str(value)
        if self.item.kind == "rows":
            return [line.value for line in self.query(Input)]
        if self.item.kind in {"json", "lines"}:
            return self.query_one(TextArea).text
        return self.query_one(Input).value

    @property
    def control(self) -> Widget:
        """The widget that takes the keys."""
        return self.query("Input, Select, Switch, TextArea").first()

    @property
    def untouched(self) -> bool:
        """Whether the user has typed nothing."""
        typed = self.typed
        return not any(typed) if isinstance(typed, list) else typed == self.item.initial

    def show_problems(self, problems: tuple[str, ...]) -> None:
        """Show the problems of the input; () hides them."""
        self.set_class(bool(problems), "-wrong")
        for place in self.query(".field-problem").results(Static):  # empty before it is composed
            place.update(printable("\n".join(problems)))

    @on(Input.Changed)
    @on(Select.Changed)
    @on(Switch.Changed)
    @on(TextArea.Changed)
    @reported
    def _changed(self, event: Message) -> None:
        event.stop()
        self._typed = self._held()
        if self.item.kind == "rows":
            self._leave_one_empty()
        self.post_message(self.Changed(self))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Submitted())

    def _leave_one_empty(self) -> None:
        """Keep an empty line for one more item below the last."""
        lines = list(self.query(Input))
        if (not lines or lines[-1].value) and len(lines) < _MOST_ROWS:
            self.query_one(".field-rows").mount(self._line(""))


def _hint(item: FormField) -> str:
    """The placeholder of an empty control."""
    return printable(item.default if item.default is not None else "")
