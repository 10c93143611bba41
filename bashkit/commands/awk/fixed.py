"""Programs whose rules leave the record alone: their fields are cut and turned into numbers for many records at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.awk.nodes import (
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
    Simple,
)
from bashkit.commands.awk.scope import children

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.commands.awk.nodes import Program, Rule
    from bashkit.commands.awk.record import Record
    from bashkit.commands.awk.scope import Scope
    from bashkit.commands.awk.values import Value

_CUTTING = frozenset({"FS", "RS", "FIELDWIDTHS", "FPAT", "IGNORECASE", "RT", "NF", "NR", "FNR"})


def leaves_records_alone(program: Program, scope: Scope) -> bool:
    """Whether no rule changes the record, its number, or how the following ones are cut."""
    if program.functions or scope.indirect or scope.fields_assigned or "RT" in scope.used:
        return False
    rules = [rule for rule in program.rules if rule.kind != "BEGIN"]
    if any(rule.kind in ("BEGINFILE", "ENDFILE") for rule in rules):
        return False
    parts = [part for rule in rules for part in (rule.pattern, rule.until, rule.action) if part is not None]
    return not any(map(_changes_record, parts))


def _changes_record(node: object) -> bool:
    if isinstance(node, Getline | Call):
        return True
    if isinstance(node, Assign | Increment):
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
    """Whether a rule looks at a field of every record that reaches it."""
    if rule.pattern is not None:
        first = rule.pattern
        while isinstance(first, Logic | Group):
            first = first.operands[0] if isinstance(first, Logic) else first.inner
        return has_field(first)
    if rule.action is None:
        return False
    found = (item.test if isinstance(item, If) else item for item in rule.action.body)
    return any(has_field(item) for item in found if isinstance(item, Simple | Print | Expr))


def has_field(node: object) -> bool:
    """Whether evaluating it surely looks at a field."""
    if isinstance(node, Field):
        return not (isinstance(node.number, Number) and node.number.value == 0)
    if isinstance(node, Logic | Conditional):
        return False
    return any(has_field(child) for child in children(node))


def changes(node: object) -> bool:
    """Whether evaluating it may assign something."""
    if isinstance(node, Assign | Increment | Getline | Call):
        return True
    if isinstance(node, Builtin) and node.name in ("sub", "gsub", "split", "match"):
        return True
    return any(changes(child) for child in children(node))


class Columns:
    """What a loop over many records needs of each of them beside its text.

    Attributes:
        cut: Every record is cut into fields before the loop.
        wanted: Names of loop variables and the Python that makes all their values.
    """

    def __init__(self, *, cut: bool) -> None:
        self.cut = cut
        self.wanted: dict[str, str] = {}

    def number(self, index: int) -> str:
        """The variable with the number of a field, counted from 0."""
        return self._column(f"n{index}", f"numbers(rows, {index}, NT)")

    def look(self, index: int) -> str:
        """The variable with the number that a field looks like, or None."""
        return self._column(f"l{index}", f"numbers(rows, {index}, L)")

    def _column(self, name: str, made: str) -> str:
        self.wanted[name] = made
        return name


def numbers(rows: Sequence[Sequence[str]], index: int, table: dict[str, float | None]) -> list[float | None]:
    """The numbers of one field of many records.

    Args:
        rows: The fields.
        index: Which one.
        table: Makes the number of a single string.
    """
    texts = [row[index] for row in rows]
    found: list[float | None]
    try:
        found = list(map(float, texts))
    except ValueError:
        return [table[text] for text in texts]
    total = sum(found)  # type: ignore[arg-type]  # they are floats here
    joined = "".join(texts)
    if total - total == 0.0 and "_" not in joined and joined.isascii():
        return found
    return [table[text] for text in texts]  # "inf", "nan" and "1_000" are numbers for Python only


def get(fields: Sequence[Value], count: int, text: str, index: float, record: Record) -> Value:
    """``$index`` of a record.

    Raises:
        AwkError: The index is negative.
    """
    if index >= 1:
        return fields[int(index) - 1] if index < count + 1 else ""
    return text if index > -1 else record.get(index)
