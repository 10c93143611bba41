"""The rows of the chart of what the tools take of a prompt, with what has changed since the file was opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.prompts.shares import Change, Shares

MOST = 200  # rows of tools that have not changed


@dataclass(frozen=True, slots=True)
class CostRow:
    """One row.

    Attributes:
        name: A tool, or in brackets what is none.
        tokens: Its tokens now.
        change: How many more they are than when the file was opened; 0 if nothing has changed.
        note: ``new`` or ``gone`` for a tool that was not there then, or is not there now; else "".
        tool: Whether it is a tool, and so has a bar.
    """

    name: str
    tokens: int
    change: int = 0
    note: str = ""
    tool: bool = True


def cost_rows(shares: Shares, change: Change | None) -> list[CostRow]:
    """The rows of a prompt: its tools, then the rest, then the tools that are gone. The cheapest of very many have one row.

    Args:
        shares: What the tools take of it.
        change: How it differs from what it was, or None.
    """
    changed = dict(change.tools) | dict(change.added) if change is not None else {}
    rows: list[CostRow] = []
    others: list[int] = []
    for name, tokens in shares.tools.items():
        if len(rows) < MOST or name in changed:
            rows.append(CostRow(name, tokens, changed.get(name, 0), "new" if change is not None and name in change.added else ""))
        else:
            others.append(tokens)
    if others:
        rows.append(CostRow(f"({len(others)} more tools)", sum(others), tool=False))
    if rows:
        rows.append(CostRow("(the rest)", shares.rest, tool=False))
    if change is not None:
        rows += [CostRow(name, 0, -tokens, "gone") for name, tokens in change.removed.items()]
    return rows
