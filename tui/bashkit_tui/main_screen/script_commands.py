"""The commands of the main screen that run scripts, and that take a command line from the Tool pane to the Script pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.screen import Screen

from bashkit_tui.error_reports import reported
from bashkit_tui.messages import CommandOffered, ExampleChosen
from bashkit_tui.panes import script, tool

if TYPE_CHECKING:
    from bashkit_tui.panes.script.script_view import ScriptView
    from bashkit_tui.runs.run_mode import Mode
    from bashkit_tui.toolsets.opened_toolset import OpenedToolset


class ScriptCommands(Screen[None]):
    """The commands of the main screen that concern scripts; the panes get their widgets a moment after the first paint."""

    BINDING_GROUP_TITLE = "Inspector"
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
        Binding(
            "f3",
            "history",
            "History",
            id="script.history",
            show=False,
            tooltip="What was run: search it, run it again, compare two runs",
        ),
        Binding("f", "form", "Form", id="tool.form", tooltip="Fill in the parameters of the selected tool", show=False),
    ]

    @property
    def current(self) -> OpenedToolset | None:
        """The toolset that the cursor is in."""
        raise NotImplementedError

    @property
    def current_tool(self) -> str | None:
        """The tool that the cursor is on."""
        raise NotImplementedError

    async def furnish(self) -> None:
        """Return once every pane has its widget."""
        raise NotImplementedError

    def show_tab(self, tab: str) -> None:
        """Show a tab; the focus stays where it is."""
        raise NotImplementedError

    @property
    def script_view(self) -> ScriptView:
        """The widget of the Script pane."""
        from bashkit_tui.panes.script.script_view import ScriptView

        return self.query_one(ScriptView)

    @on(ExampleChosen)
    @reported
    def _try_example(self, event: ExampleChosen) -> None:
        event.stop()
        self.show_tab(script.PANE.id)
        editor = self.script_view.editor
        editor.put(event.command)
        self.set_focus(editor)

    @on(CommandOffered)
    @reported
    def _take_command(self, event: CommandOffered) -> None:
        event.stop()
        view = self.script_view
        self.show_tab(script.PANE.id)
        if not event.run:
            view.editor.add_line(event.command)
        elif (opened := self.current) is not None and opened.toolset is not None:
            view.run_script(opened.toolset, event.command, stale=opened.stale)
        self.set_focus(view.editor)

    def lost_scripts(self) -> list[str]:
        """The names of the toolsets whose scripts were neither saved nor run."""
        try:
            return self.script_view.lost
        except NoMatches:  # the pane has no widget yet
            return []

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's signature
        """Disable Cancel unless a script is running."""
        if action != "cancel":
            return True
        try:
            view = self.query_one(f"#{script.PANE.view_id}")
        except NoMatches:  # the pane has no widget yet
            return False
        return bool(getattr(view, "running", False))

    async def action_form(self) -> None:
        """Show the form of the selected tool; a toolset and a category have none."""
        from bashkit_tui.panes.tool.tool_view import ToolView

        if self.current_tool is None:
            self.notify("A form belongs to a tool: choose one in the tree.", timeout=3)
            return
        await self.furnish()
        self.show_tab(tool.PANE.id)
        self.query_one(ToolView).show_part("form")

    async def action_history(self) -> None:
        """Show the history of runs."""
        await self.furnish()
        self.show_tab(script.PANE.id)
        self.script_view.show_history(self.current)

    async def answer_calls(self, mode: Mode) -> None:
        """Choose what answers the calls of scripts."""
        await self.furnish()
        self.script_view.answer_calls(mode)

    async def action_run(self) -> None:
        """Run the script of the Script pane."""
        await self.furnish()
        opened = self.current
        if opened is None or opened.reading:
            self.notify("The toolset is being read.", timeout=2)
            return
        if opened.toolset is None:
            self.notify("There is nothing to run scripts against: see the Problems tab.", severity="warning", markup=False)
            return
        self.show_tab(script.PANE.id)
        self.script_view.run_script(opened.toolset, stale=opened.stale)

    def action_cancel(self) -> None:
        """End the running script."""
        self.script_view.cancel()
