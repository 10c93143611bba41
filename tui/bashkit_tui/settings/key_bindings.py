"""The key bindings that classes declare, for the help screen, the command palette and the check of the key map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from textual.binding import Binding
from textual.keys import format_key, key_to_character

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from textual.dom import DOMNode
    from textual.screen import Screen
    from textual.widget import Widget

_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "escape": "Escape",
    "enter": "Enter",
    "up": "Up",
    "down": "Down",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "left": "Left",
    "right": "Right",
}


@dataclass(frozen=True, slots=True)
class Command:
    """One binding that works on a screen now.

    Attributes:
        group: The title of the widget or screen that it belongs to.
        keys: The keys as the help screen writes them.
        bound: The keys as the binding names them, separated by commas.
        action: The binding's action, with its parameters.
        description, tooltip: The short and the long text.
        id: Its name in key maps; "" for a binding of Textual.
        owner: The node that runs the action.
    """

    group: str
    keys: str
    bound: str
    action: str
    description: str
    tooltip: str
    id: str
    owner: DOMNode


@dataclass(frozen=True, slots=True)
class Declared:
    """A binding as its class declares it.

    Attributes:
        group: The title of its class.
        keys: Its keys, separated by commas.
    """

    group: str
    keys: str


def commands(screen: Screen[Any], keymap: Mapping[str, str] | None = None) -> list[Command]:
    """The bindings that work on a screen now: of the focused widget and its ancestors, the screen, the application.

    Args:
        screen: The screen.
        keymap: The keys that replace declared ones, by the ids of the bindings.
    """
    node: DOMNode | None = screen.focused or screen
    found: list[Command] = []
    while node is not None:
        found += _own(node, keymap or {})
        node = node.parent
    if screen.focused is not None:
        known = {(command.owner, command.action) for command in found}
        found += [command for command in _textual(screen.focused) if (command.owner, command.action) not in known]
    return found


def elsewhere(screen: Screen[Any], keymap: Mapping[str, str] | None = None) -> list[Command]:
    """The bindings of the other widgets of a screen, which have no focus; those with an id, each once, and described with
    the title of their widget.

    Args:
        screen: The screen.
        keymap: As for ``commands``.
    """
    here = {command.id for command in commands(screen, keymap)}
    found: dict[str, Command] = {}
    for node in screen.walk_children():
        for command in _own(node, keymap or {}):
            if command.id and command.id not in here:
                found.setdefault(command.id, replace(command, description=f"{command.group}: {command.description}"))
    return list(found.values())


def pressable(screen: Screen[Any], keymap: Mapping[str, str] | None = None) -> list[Command]:
    """The same without the keys that the focused widget takes as text."""
    found: list[Command] = []
    for command in commands(screen, keymap):
        keys = [key for key in command.bound.split(",") if not is_text(screen.focused, key.strip())]
        if keys:
            found.append(replace(command, keys=_shown(",".join(keys)), bound=",".join(keys)))
    return found


def is_text(focused: Widget | None, key: str) -> bool:
    """Whether a widget with the focus takes a key as text."""
    character = "/" if key == "slash" else key_to_character(key)  # Unicode calls it a solidus
    return focused is not None and character is not None and focused.check_consume_key(key, character)


def _own(node: DOMNode, keymap: Mapping[str, str]) -> Iterator[Command]:
    """The bindings that a node's own classes declare."""
    group = node.BINDING_GROUP_TITLE or type(node).__name__
    for binding in _of_classes(node, "bashkit_tui"):
        yield _command(binding, node, keymap.get(binding.id or "", binding.key), group)


def _textual(node: DOMNode) -> Iterator[Command]:
    """The bindings that a widget inherits from Textual, mostly for moving in it."""
    group = f"{node.BINDING_GROUP_TITLE or type(node).__name__}: moving about"
    for binding in _of_classes(node, "textual.widgets"):
        kept = node._bindings.key_to_bindings  # noqa: SLF001 - Textual tells them nowhere else
        if not any(key.strip() in kept for key in binding.key.split(",")):
            continue  # the widget has given its keys to others
        yield _command(binding, node, binding.key, group)


def _of_classes(node: DOMNode, package: str) -> Iterator[Binding]:
    """The bindings of a node's classes in a package, each action once."""
    seen: set[str] = set()
    for kind in type(node).__mro__:
        for binding in kind.__dict__.get("BINDINGS", ()) if kind.__module__.startswith(package) else ():
            if isinstance(binding, Binding) and binding.description and binding.action not in seen:
                seen.add(binding.action)
                yield binding


def declared() -> dict[str, Declared]:
    """Every binding of the inspector that a key map can change, by its id; this imports every module of the inspector."""
    from importlib import import_module
    from pkgutil import walk_packages

    import bashkit_tui

    found: dict[str, Declared] = {}
    for module in walk_packages(bashkit_tui.__path__, "bashkit_tui."):
        if module.name == "bashkit_tui.web":  # needs an extra, and declares no keys
            continue
        for kind in vars(import_module(module.name)).values():
            if isinstance(kind, type) and kind.__module__.startswith("bashkit_tui"):
                for binding in kind.__dict__.get("BINDINGS", ()):
                    if isinstance(binding, Binding) and binding.id:
                        found[binding.id] = Declared(kind.__dict__.get("BINDING_GROUP_TITLE") or kind.__name__, binding.key)
    return found


def _command(binding: Binding, node: DOMNode, keys: str, group: str) -> Command:
    return Command(group, _shown(keys), keys, binding.action, binding.description, binding.tooltip, binding.id or "", node)


def _shown(keys: str) -> str:
    return ", ".join(_key(key.strip()) for key in keys.split(","))


def _key(key: str) -> str:
    *modifiers, last = key.split("+")
    name = _NAMES.get(last) or format_key(last)
    if len(last) == 1 and last.isupper():
        return last
    name = name.upper() if len(name) == 1 and modifiers else name if len(name) == 1 else name[:1].upper() + name[1:]
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])
