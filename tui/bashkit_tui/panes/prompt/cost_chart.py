"""A chart of what each tool takes of a prompt, in tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from bashkit_tui.runs.trace_rows import bar
from bashkit_tui.texts.cost_rows import CostRow, cost_rows
from bashkit_tui.texts.formatting import grouped, signed

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.prompts.shares import Change, Shares

_NAME = 26  # columns of a name, at most
_WIDEST = 40  # columns of a bar, at most


class CostChart(VerticalScroll):
    """A row for every tool: its name, a bar, its tokens, and how they have changed since the file was opened."""

    BINDING_GROUP_TITLE = "Tokens"
    DEFAULT_CSS = """
    CostChart { height: auto; max-height: 12; padding: 0 2; margin: 0 0 1 0; scrollbar-size-vertical: 1; }
    CostChart:focus { background-tint: $foreground 3%; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.rows: list[CostRow] = []

    def compose(self) -> ComposeResult:
        """All rows as one text."""
        yield Static(id="prompt-costs", markup=False)

    def show(self, shares: Shares | None, change: Change | None) -> None:
        """Show what the tools take of a prompt; None of another text."""
        self.rows = [] if shares is None else cost_rows(shares, change)
        self.set_class(not self.rows, "-empty")
        self._draw()

    def on_resize(self) -> None:
        """Make the bars as long as there is room."""
        self._draw()

    def _draw(self) -> None:
        if not self.rows:
            return
        changed = any(row.change for row in self.rows)
        names = min(_NAME, max(len(row.name) for row in self.rows))
        numbers = max(len(grouped(row.tokens)) for row in self.rows)
        room = self.scrollable_content_region.width - names - numbers - 4 - (8 if changed else 0)
        most = max((row.tokens for row in self.rows if row.tool), default=0)
        lines = [_line(row, most, names, numbers, max(0, min(_WIDEST, room))) for row in self.rows]
        self.query_one("#prompt-costs", Static).update(Content("\n").join(lines))


def _line(row: CostRow, most: int, names: int, numbers: int, width: int) -> Content:
    name = row.name if len(row.name) <= names else f"{row.name[: names - 1]}…"
    length = bar([(0, row.tokens)], most, width) if row.tool and row.tokens else ""
    change = "" if not row.change else f"  {row.note or signed(row.change)}"
    return Content.assemble(
        (name.ljust(names), "" if row.tool and row.tokens else "$foreground-muted"),
        "  ",
        (length.ljust(width), "$primary"),
        "  ",
        (grouped(row.tokens).rjust(numbers), "" if row.tool else "$foreground-muted"),
        (change, "$text-warning" if row.change > 0 else "$text-success"),
    )
