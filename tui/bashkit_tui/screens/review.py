"""The Review screen: texts and results that differ from what was accepted, and a key for each decision."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from bashkit.errors import PromptSnapshotError
from bashkit_tui.error_reports import report, reported
from bashkit_tui.protocols import FilePlace, ShownText
from bashkit_tui.texts.formatting import printable
from bashkit_tui.toolsets.review_queue import ReviewQueue
from bashkit_tui.widgets.diff_view import DiffView
from bashkit_tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from bashkit.cli.snapshot_report import Compared

_STATES = {
    "new": ("+", "$text-success"),
    "changed": ("~", "$text-warning"),
    "orphan": ("-", "$text-error"),
    "conflict": ("!", "$text-error"),
}
_DECISIONS = {"accepted": ("✓", "$text-success"), "rejected": ("✗", "$text-error")}


class ReviewScreen(Screen[None]):
    """The queue on the left, the difference on the right.

    Args:
        compare: Finds what differs, and why something cannot be compared; it runs in a thread.
    """

    CSS_PATH = "review.tcss"
    BINDING_GROUP_TITLE = "Review"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012 - Textual declares it for instances
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "decide('accept')", "Accept", id="review.accept", tooltip="Keep this text as it is now, and go on"),
        Binding(
            "x", "decide('reject')", "Reject", id="review.reject",
            tooltip="The text should be as it was: nothing is written; go on",
        ),
        Binding("n", "move(1)", "Next", id="review.next", tooltip="Look at the next one; decide later"),
        Binding("p", "move(-1)", "Previous", id="review.previous", show=False, tooltip="Look at the one before"),
        Binding("u", "undo", "Undo", id="review.undo", tooltip="Take the last decision back, and what it wrote"),
        Binding(
            "A", "decide('accept_all')", "Accept all", id="review.accept_all", show=False,
            tooltip="Keep this text and everything undecided of the same toolset",
        ),
        Binding("d", "turn_look", "Diff", id="review.look", tooltip="One below the other, or side by side"),
        Binding(
            "escape,q", "leave", "Close", id="review.close",
            tooltip="Back to the inspector; what was accepted stays accepted",
        ),
    ]  # fmt: skip

    def __init__(self, compare: Callable[[], tuple[list[Compared], list[str]]]) -> None:
        super().__init__()
        self._find = compare
        self._split = False
        self.queue: ReviewQueue | None = None

    def compose(self) -> ComposeResult:
        """The title, the queue beside the difference, the keys."""
        yield Static("", id="review-title", markup=False)
        with Horizontal(id="review-halves"):
            yield OptionList(id="review-queue", compact=True, markup=False)
            with Vertical(id="review-main"):
                yield Static("Comparing…", id="review-note", markup=False)
                yield DiffView(id="review-diff")
        yield KeyBar()

    def on_mount(self) -> None:
        """Compare in a thread: this runs scripts."""
        self.query_one(DiffView).focus()
        self.watch(self.app, "theme", self._redraw, init=False)
        self._compare()

    @work(exit_on_error=False)
    async def _compare(self) -> None:
        try:
            found, trouble = await asyncio.to_thread(self._find)
        except Exception as error:
            report(self.app, error)
            found, trouble = [], []
        for message in trouble:
            self._tell(message, "error")
        self.queue = ReviewQueue(found)
        self._redraw()

    # -- showing -------------------------------------------------------------------------------------------------------

    @reported
    def _redraw(self) -> None:
        queue = self.queue
        if queue is None:
            return
        listed = self.query_one("#review-queue", OptionList)
        with listed.prevent(OptionList.OptionHighlighted):
            listed.clear_options()
            listed.add_options(Option(_label(item, queue.decisions.get(index))) for index, item in enumerate(queue.items))
            listed.highlighted = queue.index if queue.items else None
        self._draw(queue)

    def _draw(self, queue: ReviewQueue) -> None:
        self.query_one("#review-title", Static).update(_title(queue))
        item = queue.current
        self.query_one("#review-diff").display = item is not None
        if item is None:
            self.query_one("#review-note", Static).update(
                Content.styled("Everything is as it was accepted. Escape goes back.", "$text-success")
            )
            return
        self.query_one("#review-note", Static).update(_note(item, queue.decisions.get(queue.index)))
        self.query_one(DiffView).show(item.snapshot.diff(), split=self._split)

    @on(OptionList.OptionHighlighted, "#review-queue")
    @reported
    def _chosen(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self.queue is not None and event.option_index != self.queue.index and event.option_index < len(self.queue.items):
            self.queue.index = event.option_index
            self._draw(self.queue)

    def shown_text(self) -> ShownText | None:
        """The current diff."""
        item = self.queue.current if self.queue is not None else None
        return None if item is None else ShownText(f"{item.snapshot.path.name}.diff", item.snapshot.diff())

    def file_place(self) -> FilePlace | None:
        """The line of the toolset from which the text is generated."""
        item = self.queue.current if self.queue is not None else None
        if item is None:
            return None
        file, line = item.source
        return FilePlace(Path(file), line)

    # -- actions -------------------------------------------------------------------------------------------------------

    def action_decide(self, decision: str) -> None:
        """Accept or reject the current text, or accept all of its toolset."""
        if self.queue is not None and self.queue.items:
            decide: dict[str, Callable[[], None]] = {
                "accept": self.queue.accept, "reject": self.queue.reject, "accept_all": self.queue.accept_all,
            }  # fmt: skip
            try:
                decide[decision]()
            except PromptSnapshotError as error:
                self._tell(str(error), "error")
            self._redraw()

    def action_undo(self) -> None:
        """Undo the last decision."""
        if self.queue is None:
            return
        try:
            if not self.queue.undo():
                self._tell("There is nothing to undo.")
        except PromptSnapshotError as error:
            self._tell(str(error), "error")
        self._redraw()

    def action_move(self, step: int) -> None:
        """Go ``step`` items on."""
        if self.queue is not None:
            self.queue.move(step)
            self._redraw()

    def action_turn_look(self) -> None:
        """Switch between the unified diff and side by side."""
        self._split = not self._split
        if self.queue is not None:
            self._draw(self.queue)

    def action_leave(self) -> None:
        """Close the review, and name the rejected texts."""
        for item in self.queue.rejected if self.queue is not None else ():
            file, line = item.source
            self._tell(f"{file}:{line} makes {item.path}, which was rejected", "warning")
        self.dismiss(None)

    def _tell(self, message: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        self.app.notify(printable(message), severity=severity, timeout=8, markup=False)


def _label(item: Compared, decision: str | None) -> Content:
    mark, style = _DECISIONS[decision] if decision is not None else _STATES[item.state]
    name = printable(item.snapshot.path.name).replace("\n", "␊")
    return Content.assemble((f"{mark} ", f"bold {style}"), (name, "$foreground-muted" if decision else ""))


def _title(queue: ReviewQueue) -> Content:
    parts: list[str | tuple[str, str]] = [(" bashkit ", "bold $text-primary"), ("│ ", "$foreground-muted"), ("Review", "bold")]
    if queue.items:
        made = list(queue.decisions.values())
        numbers = [
            f"{queue.index + 1} of {len(queue.items)}",
            *(f"{made.count(word)} {word}" for word in _DECISIONS if word in made),
        ]
        parts.append((f"  {', '.join(numbers)}", "$foreground-muted"))
        if len(made) == len(queue.items):
            parts.append(("  all decided", "$text-success"))
    return Content.assemble(*parts)


def _note(item: Compared, decision: str | None) -> Content:
    _, style = _STATES[item.state]
    parts: list[str | tuple[str, str]] = [(printable(item.path).replace("\n", "␊"), "bold"), "  ", (item.state, style)]
    if decision is not None:
        parts += ["  ", (f"{_DECISIONS[decision][0]} {decision}", _DECISIONS[decision][1])]
    lines = [Content.assemble(*parts), Content.styled(printable(item.note()).replace("\n", "␊"), "$foreground-muted")]
    if item.snapshot.conflicted:
        lines.append(Content.styled("It holds the marks of an unfinished merge: this text was not accepted.", "$text-warning"))
    if item.collection is not None:
        lines[0] = Content.assemble((f"{printable(item.collection.toolset.name)}  ", "$text-primary"), lines[0])
    return Content("\n").join(lines)
