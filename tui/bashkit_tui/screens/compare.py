"""The Compare screen: two runs of the history side by side, with differences marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from bashkit.runs.comparison import Pair, Section, compare_runs
from bashkit_tui.error_reports import reported
from bashkit_tui.screens.outcome_line import outcome_line
from bashkit_tui.texts.formatting import grouped, printable
from bashkit_tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.runs.history_file import PastRun

_GUTTER = {"same": " │ ", "changed": " ~ ", "left": " < ", "right": " > "}
_STYLES = {
    "same": ("", ""),
    "changed": ("$text-warning", "$text-warning"),
    "left": ("$text-error", ""),
    "right": ("", "$text-success"),
}
_AROUND = 3  # equal lines around a difference


class CompareScreen(ModalScreen[None]):
    """The older run on the left, the newer one on the right.

    Args:
        left, right: The runs.
    """

    BINDING_GROUP_TITLE = "Compare"
    CSS_PATH = "compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Close", id="compare.close", tooltip="Back to the history"),
        Binding("a", "all", "All lines", id="compare.all", tooltip="Every line, or only what differs and what is around it"),
    ]

    def __init__(self, left: PastRun, right: PastRun) -> None:
        super().__init__()
        self._runs = (left, right)
        self._sections = compare_runs(left, right)
        self.everything = False

    def compose(self) -> ComposeResult:
        """One text, so that the mouse can select in it."""
        with Vertical(id="compare-box") as box:
            different = [section.title.lower() for section in self._sections if section.differs]
            box.border_title = "Two runs"
            box.border_subtitle = f"differ in: {', '.join(different)}" if different else "no difference"
            yield Static(id="compare-heads", markup=False)
            yield VerticalScroll(Static(id="compare-body", markup=False), id="compare-scroll")
        yield KeyBar()

    def on_mount(self) -> None:
        """Focus the text, so that keys scroll it."""
        self.query_one("#compare-scroll").focus()
        self.call_after_refresh(self._show)

    @reported
    def on_resize(self) -> None:
        """Wrap the halves to the new width."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        half = max(10, (self.query_one("#compare-scroll").scrollable_content_region.width - 3) // 2)
        heads = [Content.styled(run.time, "bold") + Content("  ") + outcome_line(run) for run in self._runs]
        self.query_one("#compare-heads", Static).update(Content("\n").join(_row(heads[0], heads[1], " │ ", half)))
        rows: list[Content] = []
        for section in self._sections:
            mark = (
                Content.styled("  differs", "$text-warning")
                if section.differs
                else Content.styled("  the same", "$foreground-muted")
            )
            rows += [Content.styled(section.title, "bold $text-secondary") + mark]
            rows += _section(section, half, everything=self.everything)
            rows.append(Content(""))
        self.query_one("#compare-body", Static).update(Content("\n").join(rows))

    def action_all(self) -> None:
        """Switch between all lines and the differences."""
        self.everything = not self.everything
        self._show()


def _section(section: Section, half: int, *, everything: bool) -> list[Content]:
    pairs = section.pairs
    near = {
        place + step for place, pair in enumerate(pairs) if pair.kind != "same" for step in range(-_AROUND, _AROUND + 1)
    } if not everything else set(range(len(pairs)))  # fmt: skip
    rows: list[Content] = []
    hidden = 0
    for place, pair in enumerate(pairs):
        if place not in near:
            hidden += 1
            continue
        rows += _hidden(hidden) + _pair(pair, half)
        hidden = 0
    return rows + _hidden(hidden)


def _hidden(number: int) -> list[Content]:
    return [Content.styled(f"  … {grouped(number)} the same", "$foreground-muted")] if number else []


def _pair(pair: Pair, half: int) -> list[Content]:
    left, right = _STYLES[pair.kind]
    return _row(
        Content.styled(printable(pair.left[:4000]), left),
        Content.styled(printable(pair.right[:4000]), right),
        _GUTTER[pair.kind],
        half,
    )


def _row(left: Content, right: Content, gutter: str, half: int) -> list[Content]:
    """A line of each side, wrapped into its half."""
    sides = [side.wrap(half) if side.plain else [Content("")] for side in (left, right)]
    height = max(map(len, sides))
    rows = []
    for number in range(height):
        one, other = (side[number] if number < len(side) else Content("") for side in sides)
        rows.append(
            one.pad_right(half - one.cell_length) + Content.styled(gutter if not number else " │ ", "$foreground-muted") + other
        )
    return rows
