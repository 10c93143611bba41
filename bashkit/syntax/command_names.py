"""The names of the commands in a tree, as far as they are spelled out."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

from bashkit.syntax.nodes import SimpleCommand, Word

if TYPE_CHECKING:
    from collections.abc import Iterator


def command_names(tree: Any) -> Iterator[str]:
    """The first word of every simple command in a tree, if it is one literal."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(node)
        elif is_dataclass(node):
            if isinstance(node, SimpleCommand) and node.words and isinstance(node.words[0], Word) and node.words[0].literal:
                yield node.words[0].literal
            pending.extend(getattr(node, name) for name in node.__dataclass_fields__)
