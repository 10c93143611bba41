"""Which texts a word can have, as far as the script says: words without expansions, and variables it sets to such words."""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from bashkit.syntax import nodes
from bashkit.syntax.reading import literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bashkit.syntax.reading import Reading

MOST = 16  # texts of a word that are told apart
_NAME = re.compile(r"[A-Za-z_]\w*")
_CHANGES = re.compile(r"[^=!<>]=[^=]|\+\+|--|^=")
_SETTERS = frozenset("read mapfile readarray getopts let unset printf eval source .".split())  # of the names that they are given


class Unsure(str):
    """The source of a word whose text is not known."""

    __slots__ = ()


class Values:
    """What the variables of a script can hold.

    Args:
        readings: The script, and the scripts that it holds as texts.
        opaque: Something in it may set any variable.
    """

    def __init__(self, readings: Iterable[Reading], *, opaque: bool = False) -> None:
        self._words: dict[str, list[nodes.Word]] = {}
        self._unknown: set[str] = set()
        self._opaque = opaque
        self._open: set[str] = set()
        for reading in readings:
            for node in reading.nodes:
                self._note(node)

    def _note(self, node: Any) -> None:
        if isinstance(node, nodes.Assignment):
            if isinstance(node.value, nodes.Word) and node.subscript is None and not node.append:
                self._words.setdefault(node.name, []).append(node.value)
            else:
                self._unknown.add(node.name)
        elif isinstance(node, nodes.For) and node.words is not None:
            self._words.setdefault(node.name, []).extend(node.words)
        elif isinstance(node, (nodes.For, nodes.Select)):
            self._unknown.add(node.name)
        elif isinstance(node, nodes.SimpleCommand) and node.words and literal(node.words[0]) in _SETTERS:
            self._unknown.update(text for word in node.words[1:] if (text := literal(word)) and _NAME.fullmatch(text))
        elif isinstance(node, nodes.ParameterExpansion) and node.operator in {"=", ":="}:
            self._unknown.add(node.name)
        elif isinstance(node, (nodes.ArithmeticExpansion, nodes.ArithmeticCommand)):
            self._note_arithmetic(node.expression)
        elif isinstance(node, nodes.ArithmeticFor):
            for expression in (node.initial, node.condition, node.step):
                self._note_arithmetic(expression)

    def _note_arithmetic(self, expression: nodes.Word) -> None:
        text = expression.source or literal(expression) or ""
        if not text or _CHANGES.search(text):
            self._unknown.update(_NAME.findall(text))

    def texts(self, word: Any) -> tuple[str, ...]:
        """The texts that a word can have; one Unsure if they are not known."""
        if not isinstance(word, nodes.Word):
            return (Unsure(getattr(word, "source", "")),)
        found = self._of_parts(word.parts)
        return (Unsure(word.source),) if found is None else found

    def _of_parts(self, parts: tuple[Any, ...]) -> tuple[str, ...] | None:
        choices = []
        for part in parts:
            known = self._of_part(part)
            if known is None:
                return None
            choices.append(known)
        found = tuple(dict.fromkeys("".join(pieces) for pieces in islice(product(*choices), MOST + 1)))
        return found if len(found) <= MOST else None

    def _of_part(self, part: Any) -> tuple[str, ...] | None:
        if isinstance(part, (nodes.Literal, nodes.Quoted)):
            return (part.text,)
        if isinstance(part, nodes.DoubleQuoted):
            return self._of_parts(part.parts)
        if not isinstance(part, nodes.ParameterExpansion) or part.operator or part.length or part.indirect or part.listing:
            return None
        return None if part.subscript is not None else self._of_variable(part.name)

    def _of_variable(self, name: str) -> tuple[str, ...] | None:
        if self._opaque or name in self._unknown or name in self._open or name not in self._words:
            return None
        self._open.add(name)  # a variable that is set from itself is not known
        try:
            found: list[str] = []
            for word in self._words[name]:
                texts = self.texts(word)
                if isinstance(texts[0], Unsure):
                    return None
                found += texts
        finally:
            self._open.discard(name)
        found = list(dict.fromkeys(found))
        return tuple(found) if len(found) <= MOST else None
