"""The Script tab: editor, output, status line and trace of tool calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static, TextArea

from bashkit_tui.documents import count, duration_text, printable
from bashkit_tui.guarding import report, reported
from bashkit_tui.messages import CallChosen
from bashkit_tui.running import Outcome, ScriptRun, syntax_note
from bashkit_tui.widgets.output_log import OutputLog
from bashkit_tui.widgets.script_editor import ScriptEditor
from bashkit_tui.widgets.trace_table import TraceTable

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.worker import Worker

    from bashkit.toolset import Toolset

_FRAME = 0.05  # seconds between two looks at a running script
_LAID_OUT = 10  # columns: a log that was never on the screen has none, and would wrap what it gets at every letter


class ScriptView(Vertical):
    """Runs scripts against a toolset; the interface stays alive meanwhile."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._run: ScriptRun | None = None
        self._worker: Worker[None] | None = None
        self.outcome: Outcome | None = None

    def compose(self) -> ComposeResult:
        """From top to bottom, in the order in which one looks at them."""
        yield ScriptEditor(id="editor")
        yield Static(id="syntax", markup=False)
        with Vertical(id="results"):
            yield OutputLog(id="output")
            yield Static(id="status", markup=False)
            yield TraceTable(id="trace")

    def on_mount(self) -> None:
        """The state before anything was run."""
        self.query_one("#output").border_title = "Output"
        self.query_one("#trace").border_title = "Tool calls"
        self.query_one("#editor").border_title = "Script"
        self._say(Content.styled("Ctrl+R runs the script", "$foreground-muted"))
        self._show_syntax()
        self.set_interval(_FRAME, self._frame)

    @property
    def running(self) -> bool:
        """Whether a script is running."""
        return self._worker is not None

    @property
    def behind(self) -> bool:
        """Whether there is output that the log does not show yet."""
        return self._run is not None and bool(self._run.chunks)

    @property
    def editor(self) -> ScriptEditor:
        """The editor."""
        return self.query_one(ScriptEditor)

    def run_script(self, toolset: Toolset) -> None:
        """Run what is in the editor; a script that is still running is left to finish."""
        script = self.editor.text
        if self.running:
            self.app.notify("A script is running already; Escape cancels it.", severity="warning")
            return
        if not script.strip():
            self.app.notify("There is no script yet: write one, or press Enter on an example of a tool.", severity="warning")
            return
        self.editor.ran.add(script)
        self.query_one(OutputLog).begin()
        self.query_one(TraceTable).begin()
        self.outcome = None
        self._run = ScriptRun(toolset, script)
        self._worker = self.run_worker(self._execute(self._run), group="script", exit_on_error=False)
        self.screen.refresh_bindings()
        self._frame()

    def cancel(self) -> None:
        """End the running script; its output so far stays."""
        if self._worker is not None:
            self._worker.cancel()

    async def _execute(self, run: ScriptRun) -> None:
        try:
            self.outcome = await run.execute()
        except asyncio.CancelledError:
            self.outcome = run.cancelled()
        except Exception as error:
            report(self.app, error)
            self.outcome = Outcome(None, "internal", run.seconds, run.called)
        finally:
            self._worker = None
            self._frame()
            self._say(_ending(self.outcome, run))
            self.screen.refresh_bindings()

    @reported
    def _frame(self) -> None:
        """Show what the run has done since the last frame; the last one shows what the run left."""
        run = self._run
        if run is None:
            return
        log = self.query_one(OutputLog)
        if log.scrollable_content_region.width >= _LAID_OUT:
            log.feed(run.take())
        self.query_one(TraceTable).update_from(run)
        if self.running:
            progress = f"{duration_text(run.seconds)}, {count(run.called, 'tool call')}"
            self._say(
                Content.assemble(("● running", "bold $text-warning"), f"  {progress}  ", ("Escape cancels", "$foreground-muted"))
            )

    def _say(self, text: Content) -> None:
        self.query_one("#status", Static).update(text)

    @on(TextArea.Changed, "#editor")
    @reported
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._show_syntax()

    def _show_syntax(self) -> None:
        note = syntax_note(self.editor.text)
        line = self.query_one("#syntax", Static)
        if note is None:
            line.update(Content.styled("✓ syntax", "$text-success") if self.editor.text.strip() else "")
            return
        mark, style = ("… ", "$text-warning") if note.incomplete else ("✗ ", "$text-error")
        line.update(
            Content.assemble(
                (mark, style), (f"{note.line}:{note.column}  ", "$foreground-muted"), (printable(note.message), style)
            )
        )

    @on(CallChosen)
    @reported
    def _go_to(self, event: CallChosen) -> None:
        event.stop()
        self.screen.set_focus(self.editor)
        if event.line:
            self.editor.go_to(event.line, event.column)


def _ending(outcome: Outcome | None, run: ScriptRun) -> Content:
    """The status line after a run: exit code, category, duration, calls."""
    if outcome is None:
        return Content("")
    if outcome.exit_code is None:
        head: tuple[str, str] = (
            f"■ {outcome.error}",
            "bold $text-warning" if outcome.error == "cancelled" else "bold $text-error",
        )
    elif outcome.exit_code == 0 and outcome.error is None:
        head = ("✓ exit 0", "bold $text-success")
    else:
        head = (f"✗ exit {outcome.exit_code}", "bold $text-error")
    parts: list[str | tuple[str, str]] = [head]
    if outcome.error is not None and outcome.exit_code is not None:
        parts.append((f"  {outcome.error}", "$text-error"))
    parts.append(f"  {duration_text(outcome.seconds)}  {count(outcome.calls, 'tool call')}")
    hidden = outcome.calls - len(run.calls)
    if hidden > 0:
        parts.append((f"  ({hidden} not shown)", "$foreground-muted"))
    return Content.assemble(*parts)
