"""Compiles programs that do not change the record: their fields are split and converted for many records at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.compile.scope import children
from bashkit.commands.patterns.awk.syntax.tree import (
    Assign,
    Builtin,
    Call,
    Conditional,
    Expr,
    Field,
    Getline,
    Group,
    If,
    Increment,
    Logic,
    Name,
    Number,
    Print,
    Regex,
    Simple,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.commands.patterns.awk.compile.scope import Scope
    from bashkit.commands.patterns.awk.run.record import Record
    from bashkit.commands.patterns.awk.run.values import Value
    from bashkit.commands.patterns.awk.syntax.tree import Program, Rule

_CUTTING = frozenset({"FS", "RS", "FIELDWIDTHS", "FPAT", "IGNORECASE", "RT", "NF", "NR", "FNR"})


def leaves_records_alone(program: Program, scope: Scope) -> bool:
    """Whether no rule changes the record, its number, or how later records are split."""
    if program.functions or scope.indirect or scope.fields_assigned or "RT" in scope.used:
        return False
    rules = [rule for rule in program.rules if rule.kind != "BEGIN"]
    if any(rule.kind in ("BEGINFILE", "ENDFILE") for rule in rules):
        return False
    parts = [part for rule in rules for part in (rule.pattern, rule.until, rule.action) if part is not None]
    return not any(map(_changes_record, parts))


def _changes_record(node: object) -> bool:
    if isinstance(node, (Getline, Call)):
        return True
    if isinstance(node, (Assign, Increment)):
        target = node.target
        while isinstance(target, Group):
            target = target.inner
        if isinstance(target, Field) or (isinstance(target, Name) and target.name in _CUTTING):
            return True
    if isinstance(node, Builtin):
        if node.name in ("sub", "gsub") and (len(node.arguments) < 3 or _is_field(node.arguments[2])):
            return True
        if node.name == "typeof" and _is_field(node.arguments[0]):
            return True
    return any(map(_changes_record, children(node)))


def _is_field(node: object) -> bool:
    while isinstance(node, Group):
        node = node.inner
    return isinstance(node, Field)


def surely_cut(rule: Rule) -> bool:
    """Whether a rule reads a field of every record that reaches it."""
    if rule.pattern is not None:
        first = rule.pattern
        while isinstance(first, (Logic, Group)):
            first = first.operands[0] if isinstance(first, Logic) else first.inner
        return has_field(first)
    if rule.action is None:
        return False
    found = (item.test if isinstance(item, If) else item for item in rule.action.body)
    return any(has_field(item) for item in found if isinstance(item, (Simple, Print, Expr)))


def has_field(node: object) -> bool:
    """Whether evaluating an expression certainly reads a field."""
    if isinstance(node, Field):
        return not (isinstance(node.number, Number) and node.number.value == 0)
    if isinstance(node, (Logic, Conditional)):
        return False
    return any(has_field(child) for child in children(node))


def looks_at_record(node: object) -> bool:
    """Whether evaluating an expression may read the record or its fields."""
    if isinstance(node, (Field, Regex)) or (isinstance(node, Name) and node.name == "NF"):
        return True
    if isinstance(node, (Print, Builtin)) and not node.arguments:
        return True
    if isinstance(node, Builtin) and node.name in ("sub", "gsub"):
        return True
    return any(looks_at_record(child) for child in children(node))


def changes(node: object) -> bool:
    """Whether evaluating an expression may assign something."""
    if isinstance(node, (Assign, Increment, Getline, Call)):
        return True
    if isinstance(node, Builtin) and node.name in ("sub", "gsub", "split", "match"):
        return True
    return any(changes(child) for child in children(node))


class Columns:
    """The columns that a loop over many records needs beside their texts.

    Attributes:
        cut: Whether every record is split into fields before the loop.
        apart: Whether fields are separate loop variables, because only some fields of a record are read.
        used: The fields, counted from 0, whose columns are made before the loop.
        wanted: Names of loop variables and the Python that makes all their values.
    """

    def __init__(self, *, cut: bool, apart: bool) -> None:
        self.cut = cut
        self.apart = apart
        self.used: dict[int, None] = {}
        self.wanted: dict[str, str] = {}

    def text(self, index: int) -> str:
        """The variable for a field."""
        return self._wanted(index, f"f{index}", f"c{index}")

    def number(self, index: int) -> str:
        """The variable for the number of a field."""
        return self._wanted(index, f"n{index}", f"numbers(c{index}, NT)")

    def look(self, index: int) -> str:
        """The variable for the number that a field looks like, or None."""
        return self._wanted(index, f"l{index}", f"numbers(c{index}, L)")

    def _wanted(self, index: int, name: str, made: str) -> str:
        self.used[index] = None
        self.wanted[name] = made
        return name


def numbers(texts: list[str], table: Mapping[str, float | None]) -> Sequence[float | None]:
    """The numbers of one field of many records.

    Args:
        texts: The fields.
        table: Makes the number of a single string.
    """
    joined = "".join(texts)
    if "_" in joined or not joined.isascii():  # only Python accepts "1_000" as a number
        return [table[text] for text in texts]
    found: list[float]
    try:
        found = list(map(float, map(int, texts)))  # takes half the time of map(float, texts)
    except (ValueError, OverflowError):
        try:
            found = list(map(float, texts))
        except ValueError:
            return [table[text] for text in texts]
        total = sum(found)
        if total - total != 0.0:  # also "inf" and "nan"
            return [table[text] for text in texts]
    else:
        if "-0" in joined and 0.0 in found:
            return [table[text] for text in texts]
    return found


def get(fields: Sequence[Value], count: int, text: str, index: float, record: Record) -> Value:
    """``$index`` of a record.

    Raises:
        AwkError: The index is negative, or no index.
    """
    if index >= 1:
        return fields[int(index) - 1] if index < count + 1 else record.beyond(index)
    return text if index > -1 else record.get(index)
