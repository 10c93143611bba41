"""The command palette: actions, tools, toolset files and themes. Names are data, never markup."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from bashkit_tui.runs.run_mode import MODES
from bashkit_tui.settings.key_bindings import commands, elsewhere
from bashkit_tui.texts.formatting import printable, shown_path
from bashkit_tui.texts.fuzzy import match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit_tui.app import InspectorApp

    _Entry = tuple[str, str, Callable[[], Any]]

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


class _NamedEntries(Provider):
    """Finds entries by their titles."""

    async def search(self, query: str) -> Hits:
        """The entries whose title matches ``query``."""
        for title, help_text, action in self._entries():
            found = hit(query, title, help_text, action)
            if found is not None:
                yield found

    @abstractmethod
    def _entries(self) -> Iterator[_Entry]:
        """The title, the help text and the action of every entry."""


class ActionProvider(_NamedEntries):
    """Finds the actions of keys by their names."""

    async def discover(self) -> Hits:
        """Every action, before anything is typed."""
        for title, help_text, action in self._entries():
            yield discovery(title, help_text, action)

    def _entries(self) -> Iterator[_Entry]:
        app = cast("InspectorApp", self.app)
        for command in (*commands(self.screen, app.keys), *elsewhere(self.screen, app.keys)):
            if command.id and command.id != "app.palette" and command.owner.check_action(command.action, ()):
                action = partial(self.app.run_action, command.action, command.owner)
                yield f"{command.description} ({command.keys})", command.tooltip, action


class ToolProvider(_NamedEntries):
    """Finds tools, toolsets and their files."""

    def _entries(self) -> Iterator[_Entry]:
        from bashkit_tui.main_screen.screen import InspectorScreen

        screen = self.screen
        if not isinstance(screen, InspectorScreen):
            return
        for opened in screen.opened:
            yield f"Toolset: {opened.name}", shown_path(opened.path), partial(screen.go_to_tool, opened.path, None)
            yield f"File: {shown_path(opened.path)}", "Open it in the editor", partial(screen.edit_toolset, opened.path)
            for item in opened.tools:
                name = item.definition.name
                about = item.definition.description.partition("\n")[0]
                yield f"Tool: {name}", about, partial(screen.go_to_tool, opened.path, name)


class ModeProvider(_NamedEntries):
    """Finds the modes of answering calls."""

    def _entries(self) -> Iterator[_Entry]:
        from bashkit_tui.main_screen.screen import InspectorScreen

        screen = self.screen
        if not isinstance(screen, InspectorScreen):
            return
        for mode, words in MODES.items():
            yield f"Calls are answered by: {words}", "", partial(screen.answer_calls, mode)


class ThemeProvider(_NamedEntries):
    """Finds themes."""

    def _entries(self) -> Iterator[_Entry]:
        for name in self.app.available_themes:
            yield f"Theme: {name}", "", partial(setattr, self.app, "theme", name)
