"""The Call screen: one tool call in detail."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.highlight import highlight
from textual.screen import ModalScreen
from textual.widgets import Static, TabbedContent, TabPane

from bashkit.errors import BashkitError
from bashkit.tools import json_text
from bashkit.tools.call.command_line import call_line
from bashkit_tui.error_reports import reported
from bashkit_tui.texts.formatting import count, duration_text, grouped, printable, size_text
from bashkit_tui.texts.tracebacks import traceback_text
from bashkit_tui.widgets.key_bar import KeyBar
from bashkit_tui.widgets.search_bar import Searchable
from bashkit_tui.widgets.stream_view import StreamView, json_value

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from textual.app import ComposeResult

    from bashkit.tools import ToolCall
    from bashkit.toolset import Toolset

_STREAMS = ("stdin", "stdout", "stderr")
_PARTS = ("arguments", *_STREAMS, "traceback")


class CallScreen(ModalScreen[int | None]):
    """Arguments, input, output and outcome of a call. Its result is the index of a call whose script line to show, or None.

    Args:
        calls: The calls of the run, in the order of the trace.
        index: The call to show first.
        toolset: The toolset whose tools were called, into which a call can be written; None for calls of a server.
    """

    BINDING_GROUP_TITLE = "Tool call"
    CSS_PATH = "call.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Close", id="call.close", tooltip="Back to the trace"),
        Binding("n", "step(1)", "Next", id="call.next", tooltip="The call after this one"),
        Binding("p", "step(-1)", "Previous", id="call.previous", tooltip="The call before this one"),
        Binding("g", "go", "To line", id="call.go", tooltip="Go to the line of the script that made the call"),
        Binding("s", "save", "Save", id="call.save", tooltip="Write the visible part to a file"),
        Binding("slash", "search", "Search", id="call.search", tooltip="Search words in the visible part"),
        Binding("c", "copy", "Copy command", id="call.copy", tooltip="Copy the call as a command"),
        *(
            Binding(
                key,
                f"learn('{kind}')",
                name,
                id=f"call.learn_{kind}",
                show=False,
                tooltip=f"Write the result into the toolset file {what}",
            )
            for key, kind, name, what in (
                ("o", "output_schema", "Learn schema", "as the output schema of the tool"),
                ("u", "stub", "Learn stub", "as a stub for these arguments"),
                ("e", "example", "Learn example", "as an example of the tool"),
                ("t", "test", "Learn test", "as a test"),
            )
        ),
        Binding(
            "right_square_bracket", "turn(1)", "Next part", id="call.part", show=False, tooltip="Arguments, input, output, errors"
        ),
        Binding("left_square_bracket", "turn(-1)", "Previous part", id="call.back", show=False, tooltip="The part before"),
    ]

    def __init__(self, calls: Sequence[ToolCall], index: int, toolset: Toolset | None = None) -> None:
        super().__init__()
        self._calls = calls
        self._index = index
        self._toolset = toolset
        self._tools = {item.name: item for item in toolset.tools} if toolset is not None else {}
        self._due: set[str] = set()

    def compose(self) -> ComposeResult:
        """The facts above the texts."""
        with Vertical(id="call-box"):
            yield Static(id="call-facts", markup=False)
            yield VerticalScroll(Static(id="call-command", markup=False), id="call-line", can_focus=False)
            yield Static(id="call-error", markup=False)
            with TabbedContent(id="call-parts"):
                for name in _PARTS:
                    with TabPane(name.capitalize() if name == "arguments" else name, id=f"call-{name}"):
                        yield StreamView(name, id=f"call-{name}-view")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the call, with its output if it has one."""
        best = "stdout" if self._call.stdout else "stderr" if self._call.stderr else "arguments"
        self.query_one(TabbedContent).active = f"call-{best}"
        self._show()

    @property
    def _call(self) -> ToolCall:
        return self._calls[self._index]

    def _show(self) -> None:
        call = self._call
        self.query_one("#call-box").border_title = f"Call {grouped(self._index + 1)} of {grouped(len(self._calls))}"
        self.query_one("#call-facts", Static).update(_facts(call))
        line = printable(call_line(call, self._tools.get(call.tool)))
        colored = highlight(line, language="bash")
        self.query_one("#call-command", Static).update(colored if colored.plain.rstrip("\n") == line else line)
        error = self.query_one("#call-error", Static)
        error.update(printable(call.error))
        error.display = bool(call.error)
        tabs = self.query_one(TabbedContent)
        for name in _STREAMS:
            size = getattr(call, f"{name}_bytes")
            tabs.get_tab(f"call-{name}").label = (
                Content.assemble(name, (f" {size_text(size)}", "$foreground-muted")) if size else Content(name)
            )
        if call.exception is not None:
            tabs.show_tab("call-traceback")
        else:
            tabs.hide_tab("call-traceback")
        self._due = set(_PARTS)
        self._show_part()

    def _show_part(self) -> None:
        """Fill the visible part, unless it is filled: a large text costs time."""
        name = self._part
        if name not in self._due:
            return
        self._due.discard(name)
        call, view = self._call, self.query_one(f"#call-{name}-view", StreamView)
        if name == "arguments" and call.arguments not in ({}, []):
            view.show_value(call.arguments)
        elif name == "arguments":
            view.show_text("", "The call had no arguments.")
        elif name == "traceback":
            view.show_text(self._text(name), "The callback raised no exception.")
        else:
            waiting = call.duration is None and name != "stdin"
            empty = "still running" if waiting else "not kept" if getattr(call, f"{name}_bytes") else f"no {name}"
            view.show_text(self._text(name), empty)

    @property
    def _part(self) -> str:
        """The name of the visible part."""
        return self.query_one(TabbedContent).active.removeprefix("call-")

    @on(TabbedContent.TabActivated)
    @reported
    def _activated(self, event: TabbedContent.TabActivated) -> None:
        event.stop()
        self._show_part()
        self.call_after_refresh(self._focus)

    def _focus(self) -> None:
        """Focus the visible part, so that keys scroll it."""
        target = self.query_one(f"#call-{self._part}-view", StreamView).target
        self.set_focus(target if target.display and target.parent is not None else None)

    def action_step(self, step: int) -> None:
        """Show the call ``step`` places on."""
        self._index = max(0, min(self._index + step, len(self._calls) - 1))
        self._show()
        self.call_after_refresh(self._focus)

    def action_turn(self, step: int) -> None:
        """Show the part ``step`` places on."""
        tabs = self.query_one(TabbedContent)
        parts = _PARTS if self._call.exception is not None else _PARTS[:-1]
        place = parts.index(self._part)
        tabs.active = f"call-{parts[(place + step) % len(parts)]}"

    def _text(self, part: str) -> str:
        """The text of a part; "" if there is none."""
        call = self._call
        if part == "arguments":
            return json_text.encode(call.arguments)
        if part == "traceback":
            return "" if call.exception is None else traceback_text(call.exception)
        return getattr(call, part) or ""

    def action_save(self) -> None:
        """Write the visible part to a file."""
        from bashkit_tui.screens.path_prompt import PathPrompt

        part = self._part
        text = self._text(part)
        if not text:
            self.notify("There is nothing to save here.", timeout=2)
            return

        def write(path: Path) -> str:
            try:
                path.write_text(text, encoding="utf-8", errors="surrogateescape")
            except (OSError, ValueError) as error:
                return f"{path}: {getattr(error, 'strerror', None) or error}"
            self.app.notify(f"Saved to {path}", timeout=2, markup=False)
            return ""

        suffix = "txt" if part != "arguments" and json_value(text) is None else "json"
        self.app.push_screen(PathPrompt(f"Save {part}", f"{self._call.tool}-{part}.{suffix}", write))

    def action_search(self) -> None:
        """Search the visible part."""
        if isinstance(self.focused, Searchable):
            self.focused.action_search()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's signature
        """What a call teaches needs a toolset."""
        return action != "learn" or self._toolset is not None

    def action_learn(self, kind: str) -> None:
        """Show what the call would add to the toolset file, and add it if the user says so."""
        if self._toolset is None:
            return
        from bashkit.toolset import load_partly
        from bashkit.toolset.learning.from_call import learn
        from bashkit_tui.screens.learning import LearnScreen

        try:
            now = load_partly(self._toolset.path).toolset  # what was learned before has changed the file since the run
            learned = learn(now or self._toolset, self._call, kind)
        except BashkitError as error:
            self.notify(f"{str(error)[:1].upper()}{str(error)[1:]}.", severity="warning", markup=False)
            return
        self.app.push_screen(LearnScreen(learned))

    def action_go(self) -> None:
        """Close, and show the script line of the call."""
        self.dismiss(self._index)

    def action_copy(self) -> None:
        """Copy the call as a command."""
        self.app.copy_to_clipboard(call_line(self._call, self._tools.get(self._call.tool)))
        self.app.notify("The command is on the clipboard.", timeout=2)


def _facts(call: ToolCall) -> Content:
    """Tool, place, outcome and times on one line."""
    if call.exit_code is None:
        fate = ("● running", "bold $text-warning") if call.duration is None else ("■ ended early", "bold $text-warning")
    else:
        good = call.exit_code == 0
        fate = (f"{'✓' if good else '✗'} exit {call.exit_code}", "bold $text-success" if good else "bold $text-error")
    notes = [
        f"line {call.line}:{call.column}",
        f"after {duration_text(max(0.0, call.started))}",
        f"took {duration_text(call.duration)}",
    ]
    if call.pipeline is not None:
        notes.append(f"pipeline {call.pipeline}")
    if call.attempts > 1:
        notes.append(count(call.attempts, "attempt"))
    if call.cached:
        notes.append("cached result")
    if call.attempts == 0 and not call.cached and call.duration is not None:
        notes.append("refused")
    return Content.assemble(
        (printable(call.tool), "bold $text-primary"), "  ", fate, ("  " + " · ".join(notes), "$foreground-muted")
    )
