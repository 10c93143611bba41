"""The key bindings that are declared on a screen, for the help screen and the command palette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.binding import Binding
from textual.keys import format_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import App
    from textual.dom import DOMNode
    from textual.screen import Screen


@dataclass(frozen=True, slots=True)
class Command:
    """One binding: what the user presses, and what it does.

    Attributes:
        group: Where it works: the title of its widget or screen.
        keys: The keys, as a person names them.
        action: The action as the binding has it.
        description, tooltip: The short and the long text.
        id: Its name for keymaps.
        owner: The node whose action it is.
    """

    group: str
    keys: str
    action: str
    description: str
    tooltip: str
    id: str
    owner: DOMNode


def commands(app: App[Any], screen: Screen[Any]) -> list[Command]:
    """Every binding of the inspector's own classes on a screen, the application's first."""
    nodes: Iterable[DOMNode] = (app, screen, *screen.query("*"))
    found: dict[str, Command] = {}
    for node in nodes:
        for kind in type(node).__mro__:
            if not kind.__module__.startswith("bashkit_tui"):
                break
            for binding in kind.__dict__.get("BINDINGS", ()):
                if isinstance(binding, Binding) and binding.id is not None:
                    found.setdefault(binding.id, _command(binding, node))
    return list(found.values())


def _command(binding: Binding, node: DOMNode) -> Command:
    assert binding.id is not None
    group = node.BINDING_GROUP_TITLE or type(node).__name__
    keys = ", ".join(_key(key.strip()) for key in binding.key.split(","))
    return Command(group, keys, binding.action, binding.description, binding.tooltip, binding.id, node)


def _key(key: str) -> str:
    *modifiers, last = key.split("+")
    name = {
        "slash": "/",
        "question_mark": "?",
        "escape": "Escape",
        "up": "Up",
        "down": "Down",
        "pageup": "PageUp",
        "pagedown": "PageDown",
    }.get(last) or format_key(last)
    name = name.upper() if len(name) == 1 and modifiers else name[:1].upper() + name[1:]
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])
