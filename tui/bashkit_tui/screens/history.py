"""The History screen: search past runs, edit or run a script again, compare two runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.highlight import highlight
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from bashkit_tui.error_reports import reported
from bashkit_tui.screens.outcome_line import outcome_line
from bashkit_tui.texts.formatting import count, grouped, printable
from bashkit_tui.texts.fuzzy import match
from bashkit_tui.widgets.key_bar import KeyBar
from bashkit_tui.widgets.plain_inputs import PlainInput

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.runs.history_file import HistoryFile, PastRun

_LINES = 40  # the most lines of a script or output in the preview


@dataclass(frozen=True, slots=True)
class Wish:
    """The user's choice: put the script of a past run into the editor, or run it again."""

    what: Literal["put", "run"]
    run: PastRun


class HistoryScreen(ModalScreen["Wish | None"]):
    """A list of runs, the newest first, under a field to search in.

    Args:
        file: The history file.
        toolset: The name of the toolset whose runs to show; None for those of all.
    """

    BINDING_GROUP_TITLE = "History"
    CSS_PATH = "history.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close", id="history.close", tooltip="Back to the inspector"),
        Binding("enter", "put", "Into editor", id="history.put", priority=True, tooltip="Put the script into the editor"),
        Binding("ctrl+r", "run", "Run again", id="history.run", tooltip="Put the script into the editor and run it"),
        Binding(
            "ctrl+t,insert",
            "choose",
            "Choose",
            id="history.choose",
            priority=True,
            tooltip="Choose a run to compare; two are compared at once",
        ),
        Binding("ctrl+y", "copy", "Copy", id="history.copy", show=False, tooltip="Copy the script"),
        Binding(
            "delete",
            "forget",
            "Forget",
            id="history.forget",
            show=False,
            priority=True,
            tooltip="Take the run out of the history",
        ),
        Binding("down", "move(1)", "Down", show=False, priority=True),
        Binding("up", "move(-1)", "Up", show=False, priority=True),
        Binding("pagedown", "move(10)", "Page down", show=False, priority=True),
        Binding("pageup", "move(-10)", "Page up", show=False, priority=True),
    ]

    def __init__(self, file: HistoryFile, toolset: str | None = None) -> None:
        super().__init__()
        self._file = file
        self._toolset = toolset
        self._runs = [run for run in file.read() if toolset is None or run.toolset == toolset]
        self._found = list(self._runs)
        self._chosen: PastRun | None = None

    def compose(self) -> ComposeResult:
        """Search field, list, preview."""
        with Vertical(id="history-box") as box:
            box.border_title = "History" if self._toolset is None else f"History of {printable(self._toolset)}"
            yield PlainInput(placeholder="search scripts, toolsets, outcomes", id="history-search", compact=True)
            with Horizontal():
                yield OptionList(id="history-list", compact=True, markup=False)
                yield VerticalScroll(Static(id="history-preview", markup=False), id="history-scroll")
        yield KeyBar()

    def on_mount(self) -> None:
        """List every run."""
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._fill()

    @property
    def current(self) -> PastRun | None:
        """The run under the cursor."""
        index = self.query_one(OptionList).highlighted
        return None if index is None or index >= len(self._found) else self._found[index]

    @on(Input.Changed)
    @reported
    def _search(self, event: Input.Changed) -> None:
        event.stop()
        if not event.value.strip():
            self._found = list(self._runs)
        else:
            fits = [(match(event.value, _searched(run)), run) for run in self._runs]
            scored = [(found.score, run) for found, run in fits if found is not None]
            self._found = [run for _, run in sorted(scored, key=lambda pair: -pair[0])]
        self._fill()

    def _fill(self) -> None:
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(Option(self._row(run)) for run in self._found)
        options.highlighted = 0 if self._found else None
        self.query_one("#history-box").border_subtitle = f"{grouped(len(self._found))} of {count(len(self._runs), 'run')}"
        self._preview()

    def _row(self, run: PastRun) -> Content:
        fate = ("✓ ", "$text-success") if run.exit_code == 0 and run.error is None else ("✗ ", "$text-error")
        mark = ("◆ ", "$text-accent") if run is self._chosen else ""
        return Content.assemble(mark, fate, (f"{run.time[5:]}  ", "$foreground-muted"), printable(run.title)[:200])

    @on(OptionList.OptionHighlighted)
    @reported
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._preview()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()

    def _preview(self) -> None:
        run = self.current
        text = (
            Content.styled("Nothing was run yet." if not self._runs else "No run fits.", "$foreground-muted")
            if run is None
            else _preview(run)
        )
        self.query_one("#history-preview", Static).update(text)
        self.query_one("#history-scroll").scroll_home(animate=False)

    # -- doing ---------------------------------------------------------------------------------------------------------

    def action_move(self, step: int) -> None:
        """Move the highlight."""
        options = self.query_one(OptionList)
        if self._found:
            options.highlighted = max(0, min((options.highlighted or 0) + step, len(self._found) - 1))

    def action_put(self) -> None:
        """Put the script into the editor."""
        if self.current is not None:
            self.dismiss(Wish("put", self.current))

    def action_run(self) -> None:
        """Run the script again."""
        if self.current is not None:
            self.dismiss(Wish("run", self.current))

    def action_copy(self) -> None:
        """Copy the script."""
        if self.current is not None:
            self.app.copy_to_clipboard(self.current.script)
            self.notify("The script is on the clipboard.", timeout=2)

    def action_forget(self) -> None:
        """Remove the run from the history."""
        run, search = self.current, self.query_one(Input)
        if run is None or (self.focused is search and search.cursor_position < len(search.value)):
            search.action_delete_right()
            return
        problem = self._file.remove(run)
        if problem:
            self.notify(printable(problem), severity="error", markup=False)
            return
        self._runs.remove(run)
        self._found.remove(run)
        self._fill()

    def action_choose(self) -> None:
        """Mark a run, or compare the marked one with this one."""
        run = self.current
        if run is None:
            return
        if self._chosen is None or self._chosen is run:
            self._chosen = None if self._chosen is run else run
            place = self.query_one(OptionList).highlighted
            self._fill()
            self.query_one(OptionList).highlighted = place
            if self._chosen is not None:
                self.notify("Choose the other one: the two are compared then.", timeout=3)
            return
        from bashkit_tui.screens.compare import CompareScreen

        older, newer = sorted((self._chosen, run), key=lambda item: item.when)
        self.app.push_screen(CompareScreen(older, newer))


def _searched(run: PastRun) -> str:
    fate = "ok" if run.exit_code == 0 else f"exit {run.exit_code} {run.error or ''}"
    return f"{run.script[:2000]} {run.toolset} {run.mode} {fate}"


def _preview(run: PastRun) -> Content:
    script = printable("\n".join(run.script.split("\n")[:_LINES]))
    colored = highlight(script, language="bash")
    parts = [outcome_line(run), Content(""), colored if colored.plain.rstrip("\n") == script.rstrip("\n") else Content(script)]
    for title, text, style in (("stdout", run.stdout, ""), ("stderr", run.stderr, "$text-error")):
        if text:
            lines = text.rstrip("\n").split("\n")
            shown = "\n".join(line[:500] for line in lines[:_LINES])
            parts += [Content(""), Content.styled(title, "bold $text-secondary"), Content.styled(printable(shown), style)]
            if len(lines) > _LINES:
                parts.append(Content.styled(f"… {count(len(lines) - _LINES, 'more line')}", "$foreground-muted"))
    return Content("\n").join(parts)
