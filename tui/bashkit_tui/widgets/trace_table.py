"""The trace: a row for every tool call of the last run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual import on
from textual.widgets import DataTable

from bashkit_tui.documents import arguments_text, duration_text
from bashkit_tui.guarding import reported
from bashkit_tui.messages import CallChosen

if TYPE_CHECKING:
    from bashkit.tools import ToolCall
    from bashkit_tui.running import ScriptRun

_ARGUMENTS = 60  # columns
_COLUMNS = ("line", "tool", "arguments", "exit", "time")


class TraceTable(DataTable[Text]):
    """Line and column, tool, arguments, exit code, duration. Enter goes to the line of the script."""

    BINDING_GROUP_TITLE = "Tool calls"

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, cursor_type="row", zebra_stripes=True, cell_padding=1)
        self._calls: list[ToolCall] = []

    def on_mount(self) -> None:
        """The columns."""
        for name in _COLUMNS:
            self.add_column(name, key=name)

    def begin(self) -> None:
        """Start over."""
        self.clear()
        self._calls = []

    def update_from(self, run: ScriptRun) -> None:
        """Show the calls that began or ended since the last time."""
        self._calls = run.calls
        for index in sorted(run.changed):
            cells = self._cells(run.calls[index])
            if index >= self.row_count:
                self.add_row(*cells, key=str(index))
            else:
                for name, cell in zip(_COLUMNS, cells, strict=True):
                    self.update_cell(str(index), name, cell, update_width=True)
        run.changed.clear()

    def _cells(self, call: ToolCall) -> tuple[Text, ...]:
        theme = self.app.current_theme
        failed = call.exit_code not in {None, 0}
        arguments = arguments_text(call)
        return (
            Text(f"{call.line}:{call.column}", justify="right", style="dim"),
            Text(call.tool, style=f"bold {theme.primary}"),
            Text(arguments if len(arguments) <= _ARGUMENTS else arguments[: _ARGUMENTS - 1] + "…"),
            Text(
                "…" if call.exit_code is None else str(call.exit_code), justify="right", style=theme.error or "" if failed else ""
            ),
            Text(duration_text(call.duration), justify="right"),
        )

    @on(DataTable.RowSelected)
    @reported
    def _chosen(self, event: DataTable.RowSelected) -> None:
        event.stop()
        if event.cursor_row < len(self._calls):
            call = self._calls[event.cursor_row]
            self.post_message(CallChosen(call.line, call.column))
