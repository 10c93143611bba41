"""What a class tells mypyc, which compiles this package for the wheels; the pure form needs no mypy_extensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_attributes: Any) -> Any:
        """A decorator that leaves the class as it is."""
        return lambda kind: kind


__all__ = ["mypyc_attr"]
