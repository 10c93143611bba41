"""The widget of the Script pane: the editor, and below it the results of the last run."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from bashkit.errors import BashkitError
from bashkit_tui.error_reports import report, reported
from bashkit_tui.messages import CallChosen
from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.panes.script.completion_list import CompletionList
from bashkit_tui.panes.script.run_panel import RunPanel
from bashkit_tui.panes.script.script_editor import EditedScript, ScriptEditor
from bashkit_tui.runs.approvals import Approvals
from bashkit_tui.runs.run_mode import MODES, Mode, toolset_in_mode
from bashkit_tui.runs.script_run import Outcome, ScriptRun
from bashkit_tui.scripts.analysis_line import analysis_line
from bashkit_tui.scripts.draft_file import read_draft, write_draft
from bashkit_tui.scripts.syntax_notes import MOST_CHECKED
from bashkit_tui.scripts.vocabulary import vocabulary_of
from bashkit_tui.texts.formatting import count, grouped, printable, shown_path

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult
    from textual.worker import Worker

    from bashkit.fs import FileSystem
    from bashkit.tools.call.policy import PlannedCall
    from bashkit.toolset import Toolset
    from bashkit_tui.app import InspectorApp
    from bashkit_tui.protocols import ShownText
    from bashkit_tui.scripts.script_history import ScriptHistory
    from bashkit_tui.toolsets.opened_toolset import OpenedToolset

_PATH = 40  # characters of the script's path in the title
_FRAME = 0.05  # seconds between two updates of a running script
_UNCHECKED = Content.styled(f"syntax not checked: more than {grouped(MOST_CHECKED)} characters", "$foreground-muted")
_VALID = Content.styled("✓ syntax", "$text-success")


class ScriptView(Vertical):
    """Runs scripts against a toolset without blocking the interface."""

    BINDING_GROUP_TITLE = "Script"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f9",
            "mode",
            "Mode",
            id="script.mode",
            tooltip="What answers the calls: real callbacks, stubs, both, or a replay of the last real run",
        ),
        Binding(
            "ctrl+g",
            "calls",
            "Calls of line",
            id="script.calls",
            show=False,
            tooltip="Go to the calls that the line under the cursor made",
        ),
    ]
    SCOPED_CSS = False  # the rules for sizes of the screen match a class of the screen
    DEFAULT_CSS = """
    ScriptView {
        & > #editor { height: 2fr; padding: 0; border: round $foreground 25%; background: $surface; scrollbar-size: 1 1; }
        & > #editor { border-title-color: $foreground-muted; border-subtitle-color: $foreground-muted; }
        & > #editor:focus { border: round $primary; border-title-color: $text-primary; }
        & > #syntax { height: 1; padding: 0 2; text-wrap: nowrap; text-overflow: ellipsis; }
    }
    .-short ScriptView > #editor:focus { height: 5fr; }
    .-short ScriptView.-ran > #editor { height: 5; }
    .-short ScriptView.-ran #output { min-height: 6; }
    .-short ScriptView.-ran #traces { min-height: 7; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.editor = ScriptEditor(id="editor")  # kept here: its text is wanted when it is gone from the screen
        self._run: ScriptRun | None = None
        self._worker: Worker[None] | None = None
        self._toolset: Toolset | None = None
        self.outcome: Outcome | None = None
        self.mode: Mode = "real"
        self._complained = False
        self._opened: OpenedToolset | None = None
        self._scripts: dict[Path, tuple[str, EditedScript]] = {}  # of the other toolsets, with their names

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield self.editor
        yield self.editor.completions
        yield Static(id="syntax", markup=False)
        yield RunPanel(id="results")

    def on_mount(self) -> None:
        """Show the state before the first run."""
        self.panel.say(Content.styled("Ctrl+R runs the script", "$foreground-muted"))
        self._show_titles()
        self.set_interval(_FRAME, self._frame)

    @property
    def running(self) -> bool:
        """Whether a script is running."""
        return self._worker is not None

    @property
    def behind(self) -> bool:
        """Whether there is output that the log does not show yet."""
        return self.panel.behind

    @property
    def panel(self) -> RunPanel:
        """The results."""
        return self.query_one(RunPanel)

    def show_selection(self, opened: OpenedToolset, tool: str | None) -> None:  # noqa: ARG002 - the protocol's signature
        """Take the limits, the tools and the script of the selected toolset."""
        self.take_up(opened)
        if opened.toolset is not self._toolset:
            self._toolset = opened.toolset
            self.editor.vocabulary = None if opened.toolset is None else vocabulary_of(opened.toolset, self._files)
            language = "bash" if opened.toolset is None else opened.toolset.options.get("language", "bash")
            self.editor.write_in("python" if language == "python" else "bash")
        self._show_titles()

    def _files(self) -> FileSystem | None:
        """The files after the last run, for completion."""
        return None if self._run is None else self._run.after

    def shown_text(self) -> ShownText | None:
        """The output in the log."""
        return self.panel.shown_text()

    def _show_titles(self) -> None:
        file = self.editor.file
        path = "" if file is None else f" {printable(shown_path(file))}"
        if len(path) > _PATH:  # keep the end
            path = f" …{path[-_PATH:]}"
        self.editor.border_title = Content(f"Script{path}{' *' if self.editor.modified else ''}")
        limits = None if self._toolset is None else self._toolset.limits
        words = [MODES[self.mode]]
        if limits is not None:
            words += [f"at most {limits.timeout:g} s", count(limits.max_commands, "command")]
        self.editor.border_subtitle = " · ".join(words)

    # -- the scripts of the toolsets -----------------------------------------------------------------------------------

    def take_up(self, opened: OpenedToolset) -> None:
        """Put the script of a toolset into the editor, and keep that of the toolset before."""
        before, self._opened = self._opened, opened
        if before is not None and before.path == opened.path:
            return
        _, found = self._scripts.pop(opened.path, ("", None))
        if found is None:
            found = self._first(opened) if before is not None or not self.editor.text else self.editor.edited
            self._recall(opened.name, found.ran)
        shown = self.editor.exchange(found)
        if before is not None:
            self._scripts[before.path] = (before.name, shown)
            self._keep(before.path, shown.text)

    def _first(self, opened: OpenedToolset) -> EditedScript:
        """The script of the last session."""
        text = read_draft(opened.path)
        lines = text.split("\n")
        return EditedScript(text, text, cursor=(len(lines) - 1, len(lines[-1])))

    def _keep(self, toolset: Path, script: str) -> None:
        problem = write_draft(toolset, script)
        if problem and not self._complained:
            self._complained = True
            self.app.notify(printable(problem), title="The script cannot be kept", severity="warning", markup=False)

    @property
    def lost(self) -> list[str]:
        """The names of the toolsets whose scripts were neither saved nor run."""
        every = [*self._scripts.values(), *([] if self._opened is None else [(self._opened.name, self.editor.edited)])]
        return [name for name, script in every if script.lost]

    def on_unmount(self) -> None:
        """Keep the script for the next start."""
        if self._opened is not None:
            write_draft(self._opened.path, self.editor.text)

    # -- running -------------------------------------------------------------------------------------------------------

    def run_script(self, toolset: Toolset, command: str | None = None, *, stale: bool = False) -> None:
        """Run a script; refuse while one is running.

        Args:
            toolset: Its tools.
            command: What to run instead of the script in the editor.
            stale: Whether the toolset's file cannot be read any more, and ``toolset`` is its last good version.
        """
        script = self.editor.text if command is None else command
        if self.running:
            self.app.notify("A script is running already; Escape cancels it.", severity="warning")
            return
        if not script.strip():
            self.app.notify("There is no script yet: write one, or press Enter on an example of a tool.", severity="warning")
            return
        self.editor.ran.add(script)
        if self._opened is not None:
            self._keep(self._opened.path, self.editor.text)
        try:
            chosen = toolset_in_mode(toolset, self.mode)
        except (BashkitError, OSError, ValueError) as error:
            self.app.notify(printable(str(error)), title="The script cannot be run so", severity="error", markup=False)
            return
        policy = Approvals(self._ask).policy(chosen, self.mode)
        self.outcome = None
        printed = cast("InspectorApp", self.app).callback_output
        self._run = ScriptRun(chosen, script, policy, self.mode, stale, printed)
        self.panel.begin(self._run)
        self.set_class(script == self.editor.text, "-ran")
        worker = self._execute(self._run)
        self._worker = None if worker.is_finished else worker  # Textual's tasks are eager: it may be over before it is known
        self.screen.refresh_bindings()
        self._frame()

    def cancel(self) -> None:
        """End the running script; its output so far stays."""
        if self._worker is not None:
            self._worker.cancel()

    @work(group="script", exit_on_error=False)
    async def _execute(self, run: ScriptRun) -> None:
        try:
            self.outcome = await run.execute()
        except asyncio.CancelledError:
            self.outcome = run.ended_early("cancelled")
        except (Exception, KeyboardInterrupt) as error:  # an async callback may raise the latter
            report(self.app, error)
            self.outcome = run.ended_early("internal")
        finally:
            self._worker = None
            if self.outcome is not None and self.is_mounted:
                self.panel.finish(self.outcome, run)
                self.screen.refresh_bindings()
                self._remember(run, self.outcome)

    async def _ask(self, call: PlannedCall) -> str:
        """Ask the user to approve a call; cancelling the run closes the question."""
        from bashkit_tui.screens.approval import ApprovalScreen

        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        screen = ApprovalScreen(call)
        self.app.push_screen(screen, partial(_settle, answer))
        try:
            return await answer or "no"
        finally:
            if screen.is_current:
                screen.dismiss("no")

    # -- history -------------------------------------------------------------------------------------------------------

    @work(group="history", exit_on_error=False)
    @reported
    async def _remember(self, run: ScriptRun, outcome: Outcome) -> None:
        """Write a run to the history."""
        from bashkit.runs.history_file import HistoryFile
        from bashkit_tui.runs.record import past_run

        problem = await asyncio.to_thread(HistoryFile().add, past_run(run, outcome))
        if problem and not self._complained:
            self._complained = True
            self.app.notify(printable(problem), title="The history cannot be kept", severity="warning", markup=False)

    @work(group="history", exit_on_error=False)
    @reported
    async def _recall(self, toolset: str, ran: ScriptHistory) -> None:
        """Load the scripts that earlier sessions ran against a toolset."""
        from bashkit.runs.history_file import HistoryFile

        runs = await asyncio.to_thread(HistoryFile().read)
        ran.recall(run.script for run in reversed(runs) if run.toolset == toolset)

    def show_history(self, opened: OpenedToolset | None) -> None:
        """Show the history of runs; the chosen script goes into the editor.

        Args:
            opened: The toolset to run it against again.
        """
        from bashkit.runs.history_file import HistoryFile
        from bashkit_tui.screens.history import HistoryScreen, Wish

        def closed(wish: Wish | None) -> None:
            if wish is None:
                return
            self.editor.put(wish.run.script)
            self.screen.set_focus(self.editor)
            if wish.what == "run" and opened is not None and opened.toolset is not None:
                self.run_script(opened.toolset, stale=opened.stale)

        self.app.push_screen(HistoryScreen(HistoryFile(), None if opened is None else opened.name), closed)

    # -- while it runs -------------------------------------------------------------------------------------------------

    @reported
    def _frame(self) -> None:
        """Show the progress since the last frame."""
        self.panel.show_printed(cast("InspectorApp", self.app).callback_output)
        run = self._run
        if run is None or not (self.running or self.behind):
            return
        self.panel.catch_up()
        if self.running:
            self.panel.show_progress(run, run.toolset.limits)

    # -- the script ----------------------------------------------------------------------------------------------------

    @on(ScriptEditor.Noted)
    @reported
    def _noted(self, event: ScriptEditor.Noted) -> None:
        """Show the syntax error in the parser's own words."""
        event.stop()
        self.set_class(self._run is not None and self.editor.text == self._run.script, "-ran")
        note = event.note
        line = self.query_one("#syntax", Static)
        self.workers.cancel_group(self, "analysis")
        if not event.checked:
            line.update(_UNCHECKED)
            return
        if note is None:
            line.update(_VALID if self.editor.text.strip() else "")
            if self._toolset is not None and self.editor.text.strip():
                self._analyse(self._toolset, self.editor.text)
            return
        mark, style = ("… ", "$text-warning") if note.incomplete else ("✗ ", "$text-error")
        line.update(
            Content.assemble(
                (mark, style), (f"{note.line}:{note.column}  ", "$foreground-muted"), (printable(note.message), style)
            )
        )

    @work(group="analysis", exclusive=True, exit_on_error=False)
    async def _analyse(self, toolset: Toolset, script: str) -> None:
        """Show beside the mark what the script may do."""
        try:
            analysis = await asyncio.to_thread(toolset.analyze, script)
        except BashkitError:
            return  # what is wrong with the toolset is said elsewhere
        found = analysis_line(analysis)
        if found:
            self.query_one("#syntax", Static).update(Content.assemble(_VALID, "   ", found))

    @on(CompletionList.Taken)
    @reported
    def _taken(self, event: CompletionList.Taken) -> None:
        event.stop()
        self.screen.set_focus(self.editor)
        self.editor.take(event.item)

    @on(ScriptEditor.Renamed)
    @reported
    def _renamed(self, event: ScriptEditor.Renamed) -> None:
        event.stop()
        self._show_titles()

    @on(CallChosen)
    @reported
    def _go_to(self, event: CallChosen) -> None:
        event.stop()
        run = self._run
        if run is not None and run.script != self.editor.text:
            self.app.notify(
                "The script has changed since the run: the line may be another one now.", severity="warning", timeout=4
            )
        self.screen.set_focus(self.editor)
        if event.line:
            self.editor.go_to(event.line, event.column)

    def action_calls(self) -> None:
        """Go from a line of the script to its calls."""
        line = self.editor.cursor_location[0] + 1
        tree = self.query_one(CallTree)
        if tree.select_line(line):
            self.screen.set_focus(tree)
        else:
            self.app.notify(f"Line {line} made no call in the last run.", timeout=3)

    def action_mode(self) -> None:
        """Switch to the next mode of answering calls."""
        modes = list(MODES)
        self.answer_calls(modes[(modes.index(self.mode) + 1) % len(modes)])

    def answer_calls(self, mode: Mode) -> None:
        """Choose what answers the calls of the next scripts."""
        self.mode = mode
        self._show_titles()
        self.app.notify(f"Calls are answered by: {MODES[self.mode]}.", timeout=3)


def _settle(answer: asyncio.Future[str | None], given: str | None) -> None:
    if not answer.done():
        answer.set_result(given)
