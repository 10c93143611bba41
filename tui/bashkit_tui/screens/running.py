"""The part of the main screen that takes commands from forms and examples to the Script tab, and runs scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.screen import Screen

from bashkit_tui.guarding import reported
from bashkit_tui.messages import CommandOffered, ExampleChosen

if TYPE_CHECKING:
    from bashkit_tui.opened import OpenedToolset
    from bashkit_tui.widgets.script_view import ScriptView


class RunningScreen(Screen[None]):
    """A screen with the tabs Tool and Script, which are there a moment after its first paint."""

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

    def show_tab(self, tab: str) -> None:
        """Show a tab; the focus stays where it is."""
        raise NotImplementedError

    @property
    def script_view(self) -> ScriptView:
        """The Script tab."""
        from bashkit_tui.widgets.script_view import ScriptView

        return self.query_one(ScriptView)

    @on(ExampleChosen)
    @reported
    def _try_example(self, event: ExampleChosen) -> None:
        event.stop()
        self.show_tab("script")
        editor = self.script_view.editor
        editor.put(event.command)
        self.set_focus(editor)

    @on(CommandOffered)
    @reported
    def _take_command(self, event: CommandOffered) -> None:
        event.stop()
        view = self.script_view
        self.show_tab("script")
        if not event.run:
            view.editor.add_line(event.command)
        elif (opened := self.current) is not None and opened.toolset is not None:
            view.run_script(opened.toolset, event.command)
        self.set_focus(view.editor)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's signature
        """Whether an action makes sense now: only what runs can be cancelled."""
        if action != "cancel":
            return True
        try:
            return bool(getattr(self.query_one("#script-view"), "running"))  # noqa: B009 - its module may not be imported yet
        except NoMatches:
            return False

    def action_form(self) -> None:
        """Fill in the form of the selected tool."""
        from bashkit_tui.widgets.tool_view import ToolView

        self.show_tab("tool")
        self.query_one(ToolView).show_part("form")

    def action_history(self) -> None:
        """Show what was run."""
        self.show_tab("script")
        self.script_view.show_history(None if self.current is None else self.current.toolset)

    def action_run(self) -> None:
        """Run the script."""
        opened = self.current
        if opened is None or opened.toolset is None:
            self.notify("There is nothing to run scripts against: see the Problems tab.", severity="warning", markup=False)
            return
        self.show_tab("script")
        self.script_view.run_script(opened.toolset)

    def action_cancel(self) -> None:
        """End the running script."""
        self.script_view.cancel()
