"""The trace of the last run: its tool calls as a tree of script lines, with bars on one time axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from bashkit_tui.messages import CallChosen
from bashkit_tui.runs.trace_rows import TraceRow, arguments_text, bar, name_text, rows, script_line, ticks
from bashkit_tui.texts.formatting import count, duration_text, printable

if TYPE_CHECKING:
    from textual import events

    from bashkit.tools import ToolCall
    from bashkit_tui.runs.script_run import ScriptRun

_NAME, _EXIT, _TIME = 26, 4, 8  # columns
_NARROW = 70


class CallTree(ScrollView, can_focus=True):
    """One row for each call; several calls of one script line fold under a heading."""

    BINDING_GROUP_TITLE = "Tool calls"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Details", id="calls.open", tooltip="Arguments, input and output of the call under the cursor"),
        Binding("g", "go", "To line", id="calls.go", tooltip="Go to the line of the script that made the call"),
        Binding("y", "copy", "Copy", id="calls.copy", tooltip="Copy the call as a command"),
        Binding("x", "export", "Export", id="calls.export", tooltip="Write the run to a file: a page, a timeline, or its calls"),
        Binding(
            "t", "group", "Tree", id="calls.group", tooltip="By line of the script, or in the order of the calls", show=False
        ),
        Binding("space", "fold", "Fold", id="calls.fold", show=False, tooltip="Hide or show the calls of a line"),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "move(-1000000)", "First", show=False),
        Binding("end", "move(1000000)", "Last", show=False),
    ]
    DEFAULT_CSS = """
    CallTree { background: $surface; scrollbar-size-vertical: 1; overflow-x: hidden; overflow-y: auto; }
    """

    class Wanted(Message):
        """The user wants to ``open`` or ``copy`` a call, or to ``export`` all of them."""

        def __init__(self, what: str, index: int) -> None:
            super().__init__()
            self.what = what
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.calls: list[ToolCall] = []
        self.cursor = 0
        self.by_line = True
        self._moved = False  # whether the user moved the cursor; until then it stays on the first row
        self._ran = False
        self._lines: list[str] = []
        self._folded: set[int] = set()
        self._rows: list[TraceRow] = []
        self._seconds = 0.0

    # -- what is shown -------------------------------------------------------------------------------------------------

    def begin(self, script: str = "") -> None:
        """Start over with the calls of this script."""
        self._lines = script.split("\n")
        self._folded.clear()
        self._ran = True
        self.cursor, self._moved = 0, False
        self.show([], 0.0)
        self.scroll_home(animate=False)

    def show(self, calls: list[ToolCall], seconds: float) -> None:
        """Show these calls.

        Args:
            calls: In the order they began.
            seconds: How long the script has run, or ran.
        """
        self.calls, self._seconds = calls, seconds
        kept = self._rows[self.cursor] if self.cursor < len(self._rows) else None
        self._rows = rows(calls, by_line=self.by_line, folded=self._folded)
        if not self._moved:
            self.cursor = 0
        elif kept is not None and kept not in self._rows[self.cursor : self.cursor + 1]:
            self.cursor = next(
                (place for place, row in enumerate(self._rows) if row.heading == kept.heading and row.calls[0] == kept.calls[0]),
                0,
            )
        self.virtual_size = Size(0, len(self._rows) + 1)
        self.refresh()

    def update_from(self, run: ScriptRun) -> None:
        """Show the calls that began or ended since the last time, and let the bars of running calls grow."""
        if run.changed or any(call.duration is None for call in run.calls[-16:]):
            run.changed.clear()
            self.show(run.calls, run.seconds)

    @property
    def total(self) -> float:
        """The length of the time axis, in seconds."""
        return max([self._seconds, *(call.span(self._seconds)[1] for call in self.calls)])

    @property
    def current(self) -> int | None:
        """The index of the call under the cursor; for a heading, of its first call."""
        return self._rows[self.cursor].calls[0] if self.cursor < len(self._rows) else None

    @property
    def order(self) -> list[int]:
        """The indexes of the calls from top to bottom, those in folded lines among them."""
        return [row.calls[0] for row in rows(self.calls, by_line=self.by_line) if not row.heading]

    def table(self) -> list[list[str]]:
        """The calls as a table: position, tool, arguments, exit status, duration."""
        return [
            [f"{call.line}:{call.column}", name_text(call), arguments_text(call), _exit(call), duration_text(call.duration)]
            for call in self.calls
        ]

    def select_line(self, line: int) -> bool:
        """Put the cursor on the first call of a script line; False if the line made no call."""
        for place, row in enumerate(self._rows):
            if script_line(self.calls[row.calls[0]]) == line:
                self._move_to(place)
                return True
        return False

    # -- drawing -------------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """Textual's protocol: the axis stays above the rows."""
        width = self.scrollable_content_region.width
        place = self.scroll_offset.y + y - 1
        if y == 0:
            text = (
                self._head(width)
                if self._rows
                else Text.assemble(("The script called no tool." if self._ran else "No tool was called yet.", "dim"))
            )
        elif place < len(self._rows):
            text = self._row(self._rows[place], width)
            if place == self.cursor:
                self._mark(text)
        else:
            return Strip.blank(width, self.rich_style)
        text.end = ""
        strip = Strip(text.render(self.app.console), cell_len(text.plain)).apply_style(self.rich_style)
        return strip.extend_cell_length(width, self.rich_style).crop(0, width)

    def _mark(self, text: Text) -> None:
        """Draw the cursor: a shade behind the row, stronger with the focus."""
        theme = self.app.theme_variables
        shade = Color.parse(theme["surface"]).blend(Color.parse(theme["primary"]), 0.35 if self.has_focus else 0.12)
        text.pad_right(max(0, self.size.width - cell_len(text.plain)))
        text.stylize(Style(bgcolor=shade.hex))

    def _columns(self, width: int) -> tuple[int, int, int]:
        """The widths of name, arguments and bars."""
        rest = width - _EXIT - _TIME - 3
        if width < _NARROW:
            name = min(_NAME, rest // 2)
            return name, 0, max(0, rest - name)
        arguments = (rest - _NAME) * 2 // 5
        return _NAME, arguments, rest - _NAME - arguments - 1

    def _head(self, width: int) -> Text:
        name, arguments, bars = self._columns(width)
        words = [_fit("line  tool", name), _fit("arguments", arguments)] if arguments else [_fit("line  tool", name)]
        axis = ticks(self.total, bars, duration_text(self.total))
        return Text.assemble((" ".join([*words, "exit".rjust(_EXIT), "time".rjust(_TIME), axis]), "dim"))

    def _row(self, row: TraceRow, width: int) -> Text:
        theme = self.app.current_theme
        name, arguments, bars = self._columns(width)
        members = [self.calls[index] for index in row.calls]
        spans = bar([call.span(self._seconds) for call in members], self.total, bars)
        text = Text()
        if row.heading:
            mark = "▸" if row.line in self._folded else "▾"
            known = 0 < script_line(members[0]) <= len(self._lines)
            source = printable(self._lines[row.line - 1].strip()) if known else printable(members[0].within)
            text.append(_fit(f"{mark}{row.line:>4} {count(len(members), 'call')}", name) + " ", style="bold")
            if arguments:
                text.append(_fit(source, arguments) + " ", style="dim")
            text.append(" " * (_EXIT + 1) + _wall(members, self._seconds).rjust(_TIME) + " ", style="dim")
            text.append(spans, style="dim")
            return text
        call = members[0]
        place = f"{'  ' if row.depth else ' '}{call.line:>4}:{call.column:<3} "
        text.append(place, style="dim")
        text.append(_fit(name_text(call), name - len(place)) + " ", style=f"bold {theme.primary}")
        if arguments:
            text.append(_fit(arguments_text(call), arguments) + " ")
        color = _color(call, theme.success, theme.error, theme.warning)
        text.append(_exit(call).rjust(_EXIT) + " ", style=color)
        text.append(duration_text(call.duration).rjust(_TIME) + " ")
        text.append(spans, style=color)
        return text

    # -- moving --------------------------------------------------------------------------------------------------------

    def _move_to(self, place: int) -> None:
        self._moved = True
        self.cursor = max(0, min(place, len(self._rows) - 1))
        top, height = self.scroll_offset.y, max(1, self.size.height - 1)
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, immediate=True)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, immediate=True)
        self.refresh()

    def action_move(self, step: int) -> None:
        """Move ``step`` rows down."""
        self._move_to(self.cursor + step)

    def action_page(self, step: int) -> None:
        """Move ``step`` screens down."""
        self._move_to(self.cursor + step * max(1, self.size.height - 2))

    def on_click(self, event: events.Click) -> None:
        """Move to the clicked row; a double click opens its call."""
        place = self.scroll_offset.y + event.get_content_offset_capture(self).y - 1
        if 0 <= place < len(self._rows):
            again = place == self.cursor and event.chain > 1
            self._move_to(place)
            if self._rows[place].heading and event.x < 3:
                self.action_fold()
            elif again:
                self.action_open()

    def on_focus(self) -> None:
        """Draw the cursor in its colour."""
        self.refresh()

    def on_blur(self) -> None:
        """Draw the cursor paler."""
        self.refresh()

    # -- doing ---------------------------------------------------------------------------------------------------------

    def _want(self, what: str) -> None:
        if self.current is not None:
            self.post_message(self.Wanted(what, self.current))

    def action_open(self) -> None:
        """Show everything about the call."""
        self._want("open")

    def action_copy(self) -> None:
        """Copy the call as a command."""
        self._want("copy")

    def action_export(self) -> None:
        """Write the trace to a file."""
        self._want("export")

    def action_go(self) -> None:
        """Go to the line of the script."""
        if self.current is not None:
            call = self.calls[self.current]
            self.post_message(CallChosen(script_line(call), call.column))

    def action_fold(self) -> None:
        """Hide the calls of the line, or show them."""
        if self.cursor < len(self._rows):
            line = self._rows[self.cursor].line
            self._folded ^= {line}
            self.show(self.calls, self._seconds)
            self.select_line(line)

    def action_group(self) -> None:
        """Switch between the tree of lines and the order of calls."""
        index = self.current
        self.by_line = not self.by_line
        self.show(self.calls, self._seconds)
        self._move_to(next((place for place, row in enumerate(self._rows) if not row.heading and row.calls[0] == index), 0))


def _fit(text: str, width: int) -> str:
    """A text padded or cut to ``width`` columns."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, max(0, width - 1)) + "…" if width else ""


def _exit(call: ToolCall) -> str:
    return "…" if call.exit_code is None and call.duration is None else "-" if call.exit_code is None else str(call.exit_code)


def _wall(calls: list[ToolCall], now: float) -> str:
    """The time from the begin of the first call to the end of the last."""
    spans = [call.span(now) for call in calls]
    return duration_text(max(end for _, end in spans) - min(begin for begin, _ in spans))


def _color(call: ToolCall, good: str | None, bad: str | None, running: str | None) -> str:
    if call.duration is None:
        return running or ""
    return (good if call.exit_code == 0 else bad) or ""
