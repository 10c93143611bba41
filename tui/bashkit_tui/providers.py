"""The command palette: the actions of the key bindings, and every tool by its name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from textual.command import DiscoveryHit, Hit, Hits, Provider

from bashkit_tui.bindings import Command, commands
from bashkit_tui.screens.inspector import InspectorScreen

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator


class ActionProvider(Provider):
    """What a key does can also be found by its name."""

    async def discover(self) -> Hits:
        """Everything, before a word is typed."""
        for command in self._commands():
            yield DiscoveryHit(_title(command), self._runner(command), help=command.tooltip)

    async def search(self, query: str) -> Hits:
        """The actions whose name resembles ``query``."""
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(_title(command))
            if score > 0:
                yield Hit(score, matcher.highlight(_title(command)), self._runner(command), help=command.tooltip)

    def _commands(self) -> Iterator[Command]:
        for command in commands(self.app, self.screen):
            own = command.owner in {self.app, self.screen}  # a widget's own keys mean nothing away from it
            if own and command.id != "app.palette" and command.owner.check_action(command.action, ()):
                yield command

    def _runner(self, command: Command) -> Callable[[], Awaitable[Any]]:
        return partial(self.app.run_action, command.action, command.owner)


class ToolProvider(Provider):
    """Every tool, by its name or description."""

    async def search(self, query: str) -> Hits:
        """The tools that resemble ``query``."""
        screen = self.screen
        if not isinstance(screen, InspectorScreen):
            return
        matcher = self.matcher(query)
        for opened in screen.opened:
            for item in opened.tools:
                title = f"Tool: {item.definition.name}"
                score = matcher.match(title)
                if score > 0:
                    go = partial(screen.go_to_tool, opened.path, item.definition.name)
                    yield Hit(score, matcher.highlight(title), go, help=item.definition.description or None)


def _title(command: Command) -> str:
    return f"{command.description} ({command.keys})"
