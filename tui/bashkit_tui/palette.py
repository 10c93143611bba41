"""The command palette: actions, tools, toolset files and themes. Names are data, never markup."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from bashkit_tui.runs.run_mode import MODES
from bashkit_tui.settings.key_bindings import Command, commands, elsewhere
from bashkit_tui.texts.formatting import printable, shown_path
from bashkit_tui.texts.fuzzy import match

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from bashkit_tui.app import InspectorApp
    from bashkit_tui.main_screen.screen import InspectorScreen

_MEANT = "bold underline $text-accent"


def hit(query: str, title: str, help_text: str, action: Callable[[], Any]) -> Hit | None:
    """The hit for an entry whose title matches ``query``; None if it does not match."""
    title = _line(title)
    found = match(query, title)
    if found is None:
        return None
    content = Content(title)
    for letter in found.letters:
        content = content.stylize(_MEANT, letter, letter + 1)
    return Hit(found.score, _with_help(content, help_text), action, text=title)


def discovery(title: str, help_text: str, action: Callable[[], Any]) -> DiscoveryHit:
    """The entry before anything is typed."""
    return DiscoveryHit(_with_help(Content(_line(title)), help_text), action, text=_line(title))


def _with_help(title: Content, help_text: str) -> Content:
    """Append the help text to the title: Textual would read a separate one as markup."""
    return Content("\n").join([title, Content.styled(f"  {_line(help_text)}", "$foreground-muted")]) if help_text else title


def _line(text: str) -> str:
    return printable(text).replace("\n", " ").replace("\t", " ")


class ActionProvider(Provider):
    """Finds the actions of keys by their names."""

    async def discover(self) -> Hits:
        """Every action, before anything is typed."""
        for command in self._commands():
            yield discovery(_title(command), command.tooltip, self._runner(command))

    async def search(self, query: str) -> Hits:
        """The actions whose name matches ``query``."""
        for command in self._commands():
            found = hit(query, _title(command), command.tooltip, self._runner(command))
            if found is not None:
                yield found

    def _commands(self) -> Iterator[Command]:
        app = cast("InspectorApp", self.app)
        for command in (*commands(self.screen, app.keys), *elsewhere(self.screen, app.keys)):
            if command.id and command.id != "app.palette" and command.owner.check_action(command.action, ()):
                yield command

    def _runner(self, command: Command) -> Callable[[], Awaitable[Any]]:
        return partial(self.app.run_action, command.action, command.owner)


class ToolProvider(Provider):
    """Finds tools, toolsets and their files."""

    async def search(self, query: str) -> Hits:
        """The tools and files that match ``query``."""
        from bashkit_tui.main_screen.screen import InspectorScreen

        if not isinstance(self.screen, InspectorScreen):
            return
        for title, help_text, action in _places(self.screen):
            found = hit(query, title, help_text, action)
            if found is not None:
                yield found


def _places(screen: InspectorScreen) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    for opened in screen.opened:
        yield f"Toolset: {opened.name}", shown_path(opened.path), partial(screen.go_to_tool, opened.path, None)
        yield f"File: {shown_path(opened.path)}", "Open it in the editor", partial(screen.edit_toolset, opened.path)
        for item in opened.tools:
            name = item.definition.name
            yield f"Tool: {name}", item.definition.description.partition("\n")[0], partial(screen.go_to_tool, opened.path, name)


class ModeProvider(Provider):
    """Finds the modes of answering calls."""

    async def search(self, query: str) -> Hits:
        """The modes that match ``query``."""
        from bashkit_tui.main_screen.screen import InspectorScreen

        if not isinstance(self.screen, InspectorScreen):
            return
        for mode, words in MODES.items():
            found = hit(query, f"Calls are answered by: {words}", "", partial(self.screen.answer_calls, mode))
            if found is not None:
                yield found


class ThemeProvider(Provider):
    """Finds themes."""

    async def search(self, query: str) -> Hits:
        """The themes that match ``query``."""
        for name in self.app.available_themes:
            found = hit(query, f"Theme: {name}", "", partial(setattr, self.app, "theme", name))
            if found is not None:
                yield found


def _title(command: Command) -> str:
    return f"{command.description} ({command.keys})"
