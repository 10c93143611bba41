"""The main screen: toolsets and tools on the left, what there is to know about them on the right."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import Footer, Input, Static, TabbedContent, TabPane

from bashkit.prompts.documents import HELP, SYSTEM_PROMPT
from bashkit.toolset import check
from bashkit_tui.bindings import commands
from bashkit_tui.documents import count, shown_path
from bashkit_tui.guarding import report, reported
from bashkit_tui.messages import ExampleChosen, ToolSelected
from bashkit_tui.opened import OpenedToolset, open_toolset, signature_of
from bashkit_tui.screens.help import HelpScreen
from bashkit_tui.widgets.problem_view import ProblemView
from bashkit_tui.widgets.script_view import ScriptView
from bashkit_tui.widgets.text_view import TextView
from bashkit_tui.widgets.tool_tree import Entry, Sidebar, ToolTree
from bashkit_tui.widgets.tool_view import ToolView

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from textual.app import ComposeResult

_TABS = ("tool", "script", "help", "prompt", "problems")


def _tab_binding(number: int, tab: str, description: str) -> Binding:
    return Binding(
        str(number), f"tab('{tab}')", description, id=f"tab.{tab}", show=False, tooltip=f"Show the tab {description}",
    )  # fmt: skip


class InspectorScreen(Screen[None]):
    """Everything about one or more toolsets.

    Args:
        paths: Toolset files, or directories of executables.
        poll_seconds: How often the files are looked at for changes.
    """

    BINDING_GROUP_TITLE = "Inspector"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012 - Textual declares it for instances
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r,f5", "run", "Run", id="script.run", tooltip="Run the script in the Script tab"),
        Binding(
            "escape,ctrl+c",
            "cancel",
            "Cancel",
            id="script.cancel",
            priority=True,
            tooltip="End the running script; its output stays",
        ),
        Binding("slash", "filter", "Filter", id="tools.filter", tooltip="Type words that the tools must have"),
        Binding("f2,ctrl+l", "reload", "Reload", id="toolset.reload", tooltip="Read the files again; they are watched as well"),
        Binding(
            "f4", "check", "Check", id="toolset.check", tooltip="Import every callback and find every executable, without a call"
        ),
        _tab_binding(1, "tool", "Tool"),
        _tab_binding(2, "script", "Script"),
        _tab_binding(3, "help", "Help"),
        _tab_binding(4, "prompt", "System prompt"),
        _tab_binding(5, "problems", "Problems"),
        Binding(
            "f8,ctrl+pagedown",
            "turn(1)",
            "Next tab",
            id="tab.next",
            show=False,
            tooltip="Show the next tab, from inside the editor too",
        ),
        Binding("ctrl+pageup", "turn(-1)", "Previous tab", id="tab.previous", show=False, tooltip="Show the tab before"),
        Binding("f1,question_mark", "keys", "Keys", id="help.open", tooltip="List every key"),
    ]

    def __init__(self, paths: Sequence[Path], poll_seconds: float = 1.0) -> None:
        super().__init__()
        self._paths = tuple(paths)
        self._poll_seconds = poll_seconds
        self._by_path: dict[Path, OpenedToolset] = {}
        self._selected: Entry | None = None
        self._reading: set[Path] = set()

    # -- parts ---------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """A title, the two halves, the keys."""
        with Horizontal(id="title"):
            yield Static("", id="title-name", markup=False)
            yield Static("", id="title-path", markup=False)
        with Horizontal(id="halves"):
            yield Sidebar(id="sidebar")
            with Vertical(id="main"), TabbedContent(initial="tool", id="tabs"):
                with TabPane("Tool", id="tool"):
                    yield ToolView(id="tool-view")
                with TabPane("Script", id="script"):
                    yield ScriptView(id="script-view")
                with TabPane("Help", id="help"):
                    yield TextView("text", id="help-view")
                with TabPane("System prompt", id="prompt"):
                    yield TextView("markdown", id="prompt-view")
                with TabPane("Problems", id="problems"):
                    yield ProblemView(id="problem-view")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Read the files, and look at them now and then."""
        self.query_one(Sidebar).loading = True
        self.query_one(ToolTree).focus()
        self.watch(self.app, "theme", self._show_all, init=False)
        self._read(self._paths)
        self.set_interval(self._poll_seconds, self.poll)

    @property
    def opened(self) -> list[OpenedToolset]:
        """The toolsets that have been read, in the order they were asked for."""
        return [self._by_path[path] for path in self._paths if path in self._by_path]

    @property
    def current(self) -> OpenedToolset | None:
        """The toolset that the cursor is in."""
        return None if self._selected is None else self._by_path.get(self._selected.path)

    # -- reading -------------------------------------------------------------------------------------------------------

    def _read(self, paths: Sequence[Path]) -> None:
        wanted = [path for path in paths if path not in self._reading]
        if wanted:
            self._reading.update(wanted)
            self.run_worker(self._read_all(wanted), group="read", exit_on_error=False)

    async def _read_all(self, paths: Sequence[Path]) -> None:
        try:
            for path in paths:
                found = await asyncio.to_thread(open_toolset, path)
                self._by_path[path] = found.after(self._by_path.get(path))
        except Exception as error:
            report(self.app, error)
        finally:
            self._reading.difference_update(paths)
            self._show_all()

    @reported
    def poll(self) -> None:
        """Read the toolsets again whose files have changed."""
        changed = [item.path for item in self.opened if signature_of(item.files) != item.signature]
        if changed:
            self._read(changed)

    @reported
    def _show_all(self) -> None:
        sidebar = self.query_one(Sidebar)
        sidebar.loading = False
        if self.focused is None:
            self.query_one(ToolTree).focus()
        self.query_one(ToolTree).show(self.opened, self._selected)
        if self._selected is None or self._selected.path not in self._by_path:
            self._selected = Entry(self.opened[0].path) if self.opened else None
        self._show()

    # -- showing -------------------------------------------------------------------------------------------------------

    @on(ToolSelected)
    @reported
    def _select(self, event: ToolSelected) -> None:
        event.stop()
        entry = Entry(event.path, event.tool)
        if entry != self._selected:
            self._selected = entry
            self._show()
        if event.opened:
            self.query_one(TabbedContent).active = "tool"

    def _show(self) -> None:
        """Bring every tab up to date with the selection."""
        opened = self.current
        if opened is None or self._selected is None:
            return
        self._show_title(opened)
        view = self.query_one(ToolView)
        declared = opened.tool(self._selected.tool)
        if declared is not None:
            view.show_tool(declared)
        elif self._selected.tool in opened.broken:
            view.show_broken(self._selected.tool or "", opened)
        else:
            view.show_toolset(opened)
        allowed = opened.toolset.max_chars if opened.toolset is not None else None
        self.query_one("#help-view", TextView).show(opened.help, opened.snapshots.get(HELP))
        self.query_one("#prompt-view", TextView).show(opened.system_prompt, opened.snapshots.get(SYSTEM_PROMPT), allowed)
        self._show_problems(opened)

    def _show_title(self, opened: OpenedToolset) -> None:
        name = Content.assemble((" bashkit ", "bold $text-primary"), ("│ ", "$foreground-muted"), (opened.name, "bold"))
        self.query_one("#title-name", Static).update(
            name + Content.styled(f"  {count(len(opened.tools), 'tool')}", "$foreground-muted")
        )
        self.query_one("#title-path", Static).update(Content.styled(shown_path(opened.path) + " ", "$foreground-muted"))

    def _show_problems(self, opened: OpenedToolset) -> None:
        self.query_one(ProblemView).show(opened.problems, stale=opened.stale)
        tab = self.query_one(TabbedContent).get_tab("problems")
        number = len(opened.problems)
        tab.label = Content.assemble("Problems ", (str(number), "bold $text-error")) if number else Content("Problems")

    def go_to_tool(self, path: Path, name: str) -> None:
        """Select a tool and show it."""
        sidebar = self.query_one(Sidebar)
        sidebar.query_one("#filter", Input).value = ""
        self._selected = Entry(path, name)
        self.query_one(ToolTree).show(self.opened, self._selected)
        self.query_one(TabbedContent).active = "tool"
        self._show()

    # -- actions -------------------------------------------------------------------------------------------------------

    @on(ExampleChosen)
    @reported
    def _try_example(self, event: ExampleChosen) -> None:
        event.stop()
        self.query_one(TabbedContent).active = "script"
        editor = self.query_one(ScriptView).editor
        editor.put(event.command)
        self.set_focus(editor)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's signature
        """Whether an action makes sense now: only what runs can be cancelled."""
        if action != "cancel":
            return True
        try:
            return self.query_one(ScriptView).running
        except NoMatches:  # asked before the screen is composed
            return False

    def action_run(self) -> None:
        """Run the script."""
        opened = self.current
        if opened is None or opened.toolset is None:
            self.notify("There is nothing to run scripts against: see the Problems tab.", severity="warning")
            return
        self.query_one(TabbedContent).active = "script"
        self.query_one(ScriptView).run_script(opened.toolset)

    def action_cancel(self) -> None:
        """End the running script."""
        self.query_one(ScriptView).cancel()

    def action_filter(self) -> None:
        """Go to the filter."""
        self.query_one("#filter", Input).focus()

    def action_reload(self) -> None:
        """Read every file again."""
        self._read(self._paths)
        self.notify("Read again.", timeout=2)

    def action_tab(self, tab: str) -> None:
        """Show a tab and put the focus where one goes on."""
        assert tab in _TABS
        self.query_one(TabbedContent).active = tab
        target = {"tool": "#tree", "script": "#editor", "help": "#help-view .text-scroll", "prompt": "#prompt-view .text-scroll"}
        self.set_focus(self.query_one(target.get(tab, "#problem-view")))

    def action_turn(self, step: int) -> None:
        """Show the tab that is so many to the right."""
        self.action_tab(_TABS[(_TABS.index(self.query_one(TabbedContent).active) + step) % len(_TABS)])

    def action_keys(self) -> None:
        """Show the help screen."""
        self.app.push_screen(HelpScreen(commands(self.app, self)))

    def action_check(self) -> None:
        """Look for what the callbacks of the current toolset point at."""
        opened = self.current
        if opened is not None and opened.path.is_file():
            self.run_worker(self._check(opened), group="check", exclusive=True, exit_on_error=False)

    async def _check(self, opened: OpenedToolset) -> None:
        try:
            found = await asyncio.to_thread(check, opened.path)
        except Exception as error:
            report(self.app, error)
            return
        self._by_path[opened.path] = replace(opened, problems=tuple(dict.fromkeys((*opened.problems, *found))))
        self._show_all()
        if found:
            self.notify(f"{count(len(found), 'problem')}: see the Problems tab.", severity="warning")
        else:
            self.notify("Every callback was found.")
