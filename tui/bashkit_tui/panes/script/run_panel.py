"""The results of a run: its output, a status line, its calls and its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static, TabbedContent, TabPane

from bashkit.tools.call.command_line import call_line
from bashkit_tui.error_reports import reported
from bashkit_tui.messages import CallChosen
from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.runs.callback_output import Transcript
from bashkit_tui.runs.export import exported
from bashkit_tui.runs.run_mode import MODES
from bashkit_tui.runs.trace_rows import script_line
from bashkit_tui.texts.formatting import count, duration_text, grouped, printable
from bashkit_tui.texts.json_forms import indented_json
from bashkit_tui.widgets.output_log import OutputLog

if TYPE_CHECKING:
    from pathlib import Path

    from textual.app import ComposeResult

    from bashkit.limits import ExecutionLimits
    from bashkit.tools import ToolDef
    from bashkit_tui.protocols import ShownText
    from bashkit_tui.runs.callback_output import CallbackOutput
    from bashkit_tui.runs.script_run import Outcome, ScriptRun


class RunPanel(Vertical):
    """The results of the last run."""

    SCOPED_CSS = False  # the rules for sizes of the screen match a class of the screen
    DEFAULT_CSS = """
    RunPanel {
        height: 5fr;
        & > #output, & > #traces {
            border: round $foreground 25%; border-title-color: $foreground-muted; border-subtitle-color: $text-warning;
        }
        & > #output:focus, & > #traces:focus-within { border: round $primary; border-title-color: $text-primary; }
        & > #output { height: 3fr; padding: 0 1; }
        & > #status { height: 1; padding: 0 2; text-wrap: nowrap; text-overflow: ellipsis; }
        & > #traces { height: 3fr; background: $surface; }
        & > #traces > ContentTabs { height: 1; }
        & > #traces Underline { display: none; }
        & > #traces Tab.-active { color: $text-primary; text-style: bold; background: $panel; }
        & > #traces TabPane { padding: 0; }
    }
    .-wide RunPanel { layout: horizontal; }
    .-wide RunPanel > #output, .-wide RunPanel > #traces { height: 1fr; width: 1fr; }
    .-wide RunPanel > #status { dock: bottom; }
    .-short RunPanel > #output { height: 1fr; }
    .-short RunPanel > #traces { height: 1fr; }
    .-short RunPanel > #output:focus, .-short RunPanel > #traces:focus-within { height: 3fr; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.last: ScriptRun | None = None
        self._outcome: Outcome | None = None
        self._transcript = Transcript()

    def compose(self) -> ComposeResult:
        """From top to bottom; in a wide terminal the output beside the calls."""
        yield OutputLog(id="output")
        yield Static(id="status", markup=False)
        with TabbedContent(id="traces", initial="calls"):
            with TabPane("Calls", id="calls"):
                yield CallTree(id="trace")
            yield TabPane("Files", id="files")
            with TabPane("Callback output", id="printed"):
                yield OutputLog(id="printed-log")

    def on_mount(self) -> None:
        """Show the state before the first run."""
        self.query_one("#output").border_title = "Output"

    # -- a run ---------------------------------------------------------------------------------------------------------

    def begin(self, run: ScriptRun) -> None:
        """Clear the results for a new run."""
        self.last = run
        self._outcome = None
        self._output.begin()
        self._output.border_title = Content(f"$ {_command(run.script)}")
        if run.printed is not None:
            run.printed.begin()
        self._transcript = Transcript()
        self.query_one("#printed-log", OutputLog).begin()
        self._label_printed(0)
        self.query_one(CallTree).begin(run.script)
        self._label()

    @property
    def _output(self) -> OutputLog:
        """The log of what the script prints."""
        return self.query_one("#output", OutputLog)

    @property
    def behind(self) -> bool:
        """Whether there is output that the log does not show yet."""
        return self.last is not None and bool(self.last.chunks)

    def catch_up(self) -> None:
        """Show the output and the calls since the last time."""
        run = self.last
        if run is None:
            return
        if run.chunks or run.dropped:
            self._output.feed(*run.take())
        self.query_one(CallTree).update_from(run)
        self._label_calls()

    def show_printed(self, printed: CallbackOutput) -> None:
        """Show what callbacks have written to the standard streams since the last time."""
        pieces, dropped = printed.take()
        if pieces or dropped:
            self.query_one("#printed-log", OutputLog).feed(self._transcript.log(pieces), dropped)
            self._label_printed(printed.lines)

    def show_progress(self, run: ScriptRun, limits: ExecutionLimits | None) -> None:
        """Show the progress on the status line."""
        of = f" of {limits.timeout:g} s" if limits is not None else ""
        progress = f"{duration_text(run.seconds)}{of}  {count(run.called, 'tool call')}"
        self.say(
            Content.assemble(
                ("● running", "bold $text-warning"), f"  {progress}  ", _mode(run), ("  Escape cancels", "$foreground-muted")
            )
        )

    def finish(self, outcome: Outcome, run: ScriptRun) -> None:
        """Show the results of a finished run."""
        self._outcome = outcome
        self.catch_up()
        indented = "" if outcome.stderr else indented_json(outcome.stdout)
        if indented:
            self._output.show_forms(indented, outcome.stdout.rstrip("\n"))
        if run.printed is not None:
            self.show_printed(run.printed)
        self.query_one(CallTree).show(run.calls, outcome.seconds)
        self.say(ending(outcome, run))
        if self.query_one("#traces", TabbedContent).active == "files":
            self._show_files()
        else:
            self._label()

    def say(self, text: Content) -> None:
        """Put a text on the status line."""
        self.query_one("#status", Static).update(text)

    def _label(self, changes: int | None = None) -> None:
        """Write the number of calls, and of changed files if known, on the tabs."""
        self._label_calls()
        tabs = self.query_one("#traces", TabbedContent)
        tabs.get_tab("files").label = Content("Files" if changes is None else f"Files {grouped(changes)}")

    def _label_calls(self) -> None:
        """Write the number of calls on their tab; an unchanged label costs no new layout."""
        number = 0 if self.last is None else self.last.called
        tab = self.query_one("#traces", TabbedContent).get_tab("calls")
        label = Content(f"Calls {grouped(number)}" if number else "Calls")
        if tab.label != label:
            tab.label = label

    def _label_printed(self, lines: int) -> None:
        """Write the number of lines that callbacks have printed on their tab."""
        self.query_one("#traces", TabbedContent).get_tab("printed").label = Content(
            f"Callback output {grouped(lines)}" if lines else "Callback output"
        )

    # -- files ---------------------------------------------------------------------------------------------------------

    @on(TabbedContent.TabActivated, "#traces")
    @reported
    def _activated(self, event: TabbedContent.TabActivated) -> None:
        event.stop()
        if event.pane.id == "files":
            self._show_files()

    def _show_files(self) -> None:
        """Compare the files before and after the run, once their tab is visible."""
        from bashkit_tui.panes.script.file_view import FileView

        pane = self.query_one("#files", TabPane)
        views = list(pane.query(FileView))
        view = views[0] if views else FileView(id="file-view")
        if not views:
            pane.mount(view)
        self._label(view.show_run(self.last))

    # -- calls ---------------------------------------------------------------------------------------------------------

    @on(CallTree.Wanted)
    @reported
    def _wanted(self, event: CallTree.Wanted) -> None:
        event.stop()
        run = self.last
        if run is None:
            return
        if event.what == "open":
            self._open(run, event.index)
        elif event.what == "copy":
            call = run.calls[event.index]
            self.app.copy_to_clipboard(call_line(call, _tools(run).get(call.tool)))
            self.app.notify("The command is on the clipboard.", timeout=2)
        else:
            self._export(run)

    def _open(self, run: ScriptRun, index: int) -> None:
        from bashkit_tui.screens.call import CallScreen

        order = self.query_one(CallTree).order
        calls = [run.calls[place] for place in order]

        def closed(wanted: int | None) -> None:
            if wanted is not None:
                self.post_message(CallChosen(script_line(calls[wanted]), calls[wanted].column))

        self.app.push_screen(CallScreen(calls, order.index(index), run.toolset), closed)

    def _export(self, run: ScriptRun) -> None:
        from bashkit_tui.screens.path_prompt import PathPrompt

        def write(path: Path) -> str:
            try:
                path.write_text(exported(run, self._outcome, path), encoding="utf-8", errors="backslashreplace")
            except OSError as error:
                return f"{path}: {error.strerror}"
            self.app.notify(f"{count(len(run.calls), 'call')} written to {path}", timeout=4, markup=False)
            return ""

        self.app.push_screen(PathPrompt("Export the run: .html a page, .json a timeline, .jsonl its calls", "run.html", write))

    def shown_text(self) -> ShownText | None:
        """The output in the log."""
        return self._output.shown_text()


def _command(script: str) -> str:
    """The first command of a script, on one line."""
    lines = [line for line in map(str.strip, script.splitlines()) if line]
    first = next((line for line in lines if not line.startswith("#")), "")
    return printable(first) + (" …" if first != lines[-1] else "")


def _tools(run: ScriptRun) -> dict[str, ToolDef]:
    return {item.name: item for item in run.toolset.tools}


def ending(outcome: Outcome, run: ScriptRun) -> Content:
    """The status line after a run: exit code, category, duration, calls."""
    if outcome.exit_code is None:
        color = "bold $text-warning" if outcome.error == "cancelled" else "bold $text-error"
        head: tuple[str, str] = (f"■ {outcome.error}", color)
    elif outcome.exit_code == 0 and outcome.error is None:
        head = ("✓ exit 0", "bold $text-success")
    else:
        head = (f"✗ exit {outcome.exit_code}", "bold $text-error")
    parts: list[Content | str | tuple[str, str]] = [head]
    if outcome.error is not None and outcome.exit_code is not None:
        parts.append((f"  {printable(outcome.error)}", "$text-error"))
    parts.append(f"  {duration_text(outcome.seconds)}  {count(outcome.calls, 'tool call')}")
    hidden = outcome.calls - len(run.calls)
    if hidden > 0:
        parts.append((f"  ({grouped(hidden)} not shown)", "$foreground-muted"))
    parts += ["  ", _mode(run)]
    if run.stale:
        parts.append((f"  {printable(run.toolset.path.name)} is broken: this was its last good version", "$text-warning"))
    return Content.assemble(*parts)


def _mode(run: ScriptRun) -> Content:
    """The mode of a run, in another colour when a tool that writes was really called."""
    if run.wrote:
        return Content.styled(f"{MODES[run.mode]}, written", "bold $text-error")
    return Content.styled(MODES[run.mode], "$foreground-muted")
