"""The inspector's application: actions for every screen, the user's settings, and the entry point ``run``."""

from __future__ import annotations

import asyncio
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType

from bashkit.errors import BashkitError
from bashkit_tui.error_reports import describe, report
from bashkit_tui.opening_screen import OpeningScreen
from bashkit_tui.runs.callback_output import CallbackOutput
from bashkit_tui.settings.themes import DARK, OWN
from bashkit_tui.texts.formatting import grouped, printable, shown_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from textual.actions import ActionParseResult
    from textual.dom import DOMNode
    from textual.screen import Screen
    from textual.widget import Widget

    from bashkit_tui.attached.server_events import Server
    from bashkit_tui.main_screen.screen import InspectorScreen
    from bashkit_tui.protocols import FilePlace, ShownText


# Textual writes to the terminal in a thread of its own, which has to wait for the interpreter while the next part is drawn:
# this long, each of several times, instead of Python's 5 ms.
_SWITCH_SECONDS = 0.0001


def _action_provider() -> type[Any]:
    from bashkit_tui.palette import ActionProvider

    return ActionProvider


def _tool_provider() -> type[Any]:
    from bashkit_tui.palette import ToolProvider

    return ToolProvider


def _mode_provider() -> type[Any]:
    from bashkit_tui.palette import ModeProvider

    return ModeProvider


def _theme_provider() -> type[Any]:
    from bashkit_tui.palette import ThemeProvider

    return ThemeProvider


def run(paths: list[Path] | None = None, config: Path | None = None, server: Server | None = None) -> None:
    """Open the inspector in the terminal and return when the user leaves.

    Args:
        paths: Toolset files or directories; the bundled toolsets when left out.
        config: The settings; ``inspector.toml`` in the user's configuration folder when left out.
        server: A server to follow, instead of toolsets.

    Raises:
        BashkitError: There is no terminal.
    """
    from bashkit_tui.standard_streams import shielded

    if not (_has_terminal() or os.environ.get("TEXTUAL_DRIVER")):  # which is set where a browser has the inspector
        raise BashkitError("the inspector needs a terminal: --screenshot OUT.svg makes a picture, --web serves it to a browser")
    app = InspectorApp(paths, config=config, settings=True, server=server)
    sys.setswitchinterval(_SWITCH_SECONDS)
    with shielded(app.callback_output):
        app.run()


def _has_terminal() -> bool:
    """Whether keys can be read, and pictures be drawn on standard error, as Textual does."""
    return all(stream is not None and stream.isatty() for stream in (sys.__stdin__, sys.__stderr__))


class InspectorApp(App[None]):
    """The inspector.

    Args:
        paths: Toolset files or directories; the bundled toolsets when left out.
        poll_seconds: The time between two polls of the files.
        config: The settings file; None for the usual place.
        settings: Whether to read the user's settings.
        server: A server to follow, instead of toolsets.

    Attributes:
        keys: The keys that replace declared ones, by the ids of bindings.
        callback_output: What callbacks write to standard output and standard error.
    """

    TITLE = "bashkit"
    CSS_PATH = "app.tcss"
    ALLOW_IN_MAXIMIZED_VIEW = "KeyBar"
    BINDING_GROUP_TITLE = "Everywhere"
    COMMANDS: ClassVar[set[Any]] = {_action_provider, _tool_provider, _mode_provider, _theme_provider}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "keys", "Keys", id="help.open", tooltip="List the keys that work here"),
        Binding(
            "ctrl+p",
            "command_palette",
            "Palette",
            id="app.palette",
            tooltip="Find a command, a tool, a file or a theme by its name",
        ),
        Binding(
            "f7,j",
            "jump",
            "Jump",
            id="app.jump",
            show=False,
            tooltip="Show a letter over every part of the screen; the letter goes there",
        ),
        Binding(
            "f6,z", "zoom", "Zoom", id="app.zoom", show=False, tooltip="Let the part with the focus fill the screen, and back"
        ),
        Binding(
            "y",
            "copy",
            "Copy",
            id="app.copy",
            show=False,
            tooltip="Copy what is selected, or else the whole text, to the clipboard",
        ),
        Binding("v", "page", "Pager", id="app.pager", show=False, tooltip="Read the text in $PAGER"),
        Binding("e", "edit", "Edit", id="app.edit", show=False, tooltip="Open $VISUAL or $EDITOR where this stands in its file"),
        Binding(
            "f12,r",
            "review",
            "Review",
            id="app.review",
            show=False,
            tooltip="Go through everything that differs from its snapshot",
        ),
        Binding(
            "R",
            "try_scripts",
            "Try scripts",
            id="app.try_scripts",
            show=False,
            tooltip="Run the scripts of a file, and go through what differs from what was accepted",
        ),
        Binding("ctrl+t", "themes", "Theme", id="app.theme", show=False, tooltip="Choose a theme and see it at once"),
        Binding("ctrl+q", "quit", "Quit", id="app.quit", priority=True, tooltip="Leave the inspector"),
    ]

    def __init__(
        self,
        paths: Sequence[Path] | None = None,
        *,
        poll_seconds: float = 1.0,
        config: Path | None = None,
        settings: bool = False,
        server: Server | None = None,
    ) -> None:
        super().__init__()
        self._server = server
        self._opened = asyncio.Event()  # the first screen has its parts
        self._paths = tuple(paths or ())
        self._poll_seconds = poll_seconds
        self._config = config
        self._settings = settings or config is not None
        self.keys: Mapping[str, str] = {}
        self.callback_output = CallbackOutput()
        for theme in list(self.available_themes.values()):
            if theme.ansi:  # the terminal's own sixteen colours: they cannot be mixed, as the widgets here mix them
                self.unregister_theme(theme.name)
        for theme in OWN:
            self.register_theme(theme)
        self.theme = DARK.name

    def get_default_screen(self) -> Screen[Any]:
        """The main screen."""
        if self._server is not None:
            from bashkit_tui.attached.screen import AttachedScreen

            self._opened.set()
            return AttachedScreen(self._server)
        return OpeningScreen(self._main_screen, self._opened.set)

    def _main_screen(self) -> InspectorScreen:
        from bashkit_tui.main_screen.screen import InspectorScreen

        return InspectorScreen(self._paths, self._poll_seconds)

    @property
    def _inspector(self) -> InspectorScreen | None:
        """The main screen, if it is shown and nothing over it."""
        return next(iter(self._inspectors([self.screen])), None)

    @staticmethod
    def _inspectors(screens: Sequence[Screen[Any]]) -> list[InspectorScreen]:
        """Those of the screens that are main screens."""
        from bashkit_tui.main_screen.screen import InspectorScreen

        return [screen for screen in screens if isinstance(screen, InspectorScreen)]

    # -- settings ------------------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Take what is printed away from the screen, and apply the user's settings."""
        if not self.is_headless:
            sys.stdout, sys.stderr = map(self.callback_output.stream, ("stdout", "stderr"))  # Textual restores them
        if self._settings:
            self._configure()

    def _configure(self) -> None:
        from bashkit_tui.settings.configuration import default_file, read

        file = self._config or default_file()
        if self._config is None and not file.exists():
            return
        from bashkit_tui.settings.key_bindings import declared

        found = read(file, required=self._config is not None, themes=list(self.available_themes), actions=declared())
        if found.theme is not None:
            self.theme = found.theme
        if found.keys:
            self.set_keymap(dict(found.keys))
        for mistake in found.mistakes:
            self.tell(str(mistake), "warning", 20)

    def set_keymap(self, keymap: Mapping[str, str]) -> None:
        """Change keys, by the ids of bindings."""
        self.keys = keymap
        super().set_keymap(keymap)

    # -- actions -------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's signature
        """Only toolsets can be reviewed."""
        return self._server is None or action not in {"review", "try_scripts", "edit"}

    async def action_quit(self) -> None:
        """Leave; ask first if a script was neither saved nor run."""
        from bashkit_tui.screens.leave import LeaveScreen

        lost = [name for screen in self._inspectors(self.screen_stack) for name in screen.lost_scripts()]
        if not lost or isinstance(self.screen, LeaveScreen):
            self.exit()
            return
        self.push_screen(LeaveScreen(lost), lambda leave: self.exit() if leave else None)

    def action_keys(self) -> None:
        """List the keys that work where the focus is."""
        from bashkit_tui.screens.help import HelpScreen
        from bashkit_tui.settings.key_bindings import pressable

        self.push_screen(HelpScreen(pressable(self.screen, self.keys)))

    def action_themes(self) -> None:
        """Choose a theme."""
        from bashkit_tui.screens.theme_picker import ThemeScreen

        self.push_screen(ThemeScreen())

    def action_jump(self) -> None:
        """Show letters over the parts of the screen."""
        from bashkit_tui.screens.jump import JumpScreen

        screen = self.screen

        def go(target: Widget | None) -> None:
            if target is not None:
                screen.set_focus(target)

        self.push_screen(JumpScreen(screen), go)

    def action_zoom(self) -> None:
        """Maximise the focused widget, or what a field is in, or restore its size."""
        from textual.widgets import Button, Input, Select, Switch

        if self.screen.maximized is not None:
            self.screen.minimize()
        elif self.focused is not None:
            self.screen.maximize(self.focused, container=isinstance(self.focused, (Button, Input, Select, Switch)))

    def action_copy(self) -> None:
        """Copy the selection, or the focused text, through OSC 52."""
        selected = self.screen.get_selected_text()
        text = selected or (shown.text if (shown := self._shown_text()) is not None else "")
        if not text:
            self.tell("There is nothing to copy here.")
            return
        self.copy_to_clipboard(text)
        self.tell(f"{grouped(len(text))} characters are in the clipboard, if this terminal allows it.")

    def action_page(self) -> None:
        """Show the focused text in the pager."""
        from bashkit_tui.external_programs import ExternalError, page

        shown = self._shown_text()
        if shown is None:
            self.tell("There is no text here for the pager.")
            return
        try:
            page(self, shown)
        except ExternalError as error:
            self.tell(str(error), "error")

    def action_edit(self) -> None:
        """Open the editor at the focused place in a file."""
        from bashkit_tui.protocols import focused_place

        place = focused_place(self.screen)
        if place is None:
            self.tell("There is no file behind this.")
        else:
            self.edit(place)

    def edit(self, place: FilePlace) -> None:
        """Open the editor at a place, and poll the files afterwards."""
        from bashkit_tui.external_programs import ExternalError, edit

        try:
            edit(self, place)
        except ExternalError as error:
            self.tell(str(error), "error")
        for screen in self._inspectors(self.screen_stack):
            screen.poll()

    def action_review(self) -> None:
        """Review the differing snapshots of all open toolsets."""
        screen = self._inspector
        if screen is None:
            return
        from bashkit_tui.screens.review import ReviewScreen
        from bashkit_tui.toolsets.review_queue import differing_snapshots

        whole = [item.toolset for item in screen.opened if item.toolset is not None and item.whole and item.path.is_file()]
        if not whole:
            self.tell("There is no toolset without mistakes to review.", "warning")
            return
        self.push_screen(ReviewScreen(partial(differing_snapshots, whole)), lambda _: screen.poll())

    def action_try_scripts(self) -> None:
        """Run the scripts of a file against the current toolset, and review what differs from what was accepted."""
        screen = self._inspector
        if screen is None:
            return
        from bashkit_tui.screens.path_prompt import PathPrompt
        from bashkit_tui.screens.review import ReviewScreen
        from bashkit_tui.toolsets.tried_scripts import differing_results, problem

        toolset = screen.current.toolset if screen.current is not None and screen.current.whole else None
        if toolset is None:
            self.tell("There is no toolset without mistakes to try scripts against.", "warning")
            return

        def chosen(path: Path | None) -> None:
            if path is not None:
                self.push_screen(ReviewScreen(partial(differing_results, toolset, path)))

        title = "Try the scripts of a file (rows of 'bashkit batch')"
        suggested = toolset.path.with_suffix(".scripts.jsonl")
        self.push_screen(PathPrompt(title, shown_path(suggested), partial(problem, toolset)), chosen)

    def _shown_text(self) -> ShownText | None:
        from bashkit_tui.protocols import focused_text

        return focused_text(self.screen)

    def tell(self, message: str, severity: Any = "information", seconds: float = 5) -> None:
        """Show a notification; its text is not markup."""
        self.notify(printable(message), severity=severity, timeout=seconds, markup=False)

    async def on_event(self, event: events.Event) -> None:
        """Textual's hook: a key that follows one that moves the focus goes to the new place, however fast both are pressed."""
        if isinstance(event, events.Key):
            await self._opened.wait()
            screen = self._inspector
            if screen is not None:
                await screen.held(event.key)
                if await screen.led(event.key):
                    return
        await super().on_event(event)

    # -- errors --------------------------------------------------------------------------------------------------------

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action; an exception becomes a notification."""
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except Exception as error:
            report(self, error)
            return True

    def _fatal_error(self) -> None:
        """End with one line instead of Textual's traceback after a fatal error."""
        error = self._exception
        if not self._exit_renderables:  # later errors follow from the first one
            self._exit_renderables.append(Text(f"bashkit: internal error: {describe(error) if error is not None else 'unknown'}"))
        self._close_messages_no_wait()
