"""Decimal arithmetic that does not depend on the host's decimal context, which tasks inherit with its other context variables."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, DivisionByZero, InvalidOperation, Overflow, localcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


def context_of(digits: int) -> Context:
    """A context with so many digits; all the rest is said as well, for the host may have changed ``decimal.DefaultContext``."""
    return Context(
        prec=digits,
        rounding=ROUND_HALF_EVEN,
        Emin=-999_999,
        Emax=999_999,
        capitals=1,
        clamp=0,
        flags=[],
        traps=[InvalidOperation, DivisionByZero, Overflow],
    )


def calculating(digits: int) -> AbstractContextManager[Context]:
    """Calculate with so many digits; afterwards the host's context is back."""
    return localcontext(context_of(digits))
