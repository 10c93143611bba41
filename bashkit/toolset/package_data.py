"""Locates the files that ship with bashkit: the example toolsets and the schema of toolset files."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]


def schemas() -> Path:
    """The folder of the JSON Schemas, in the installed package or in the checkout."""
    return _folder("schemas", "schemas")


def examples() -> Path:
    """The folder of the example toolsets, in the installed package or in the checkout."""
    return _folder("examples", "toolsets")


def _folder(packaged: str, checkout: str) -> Path:
    inside = Path(str(resources.files("bashkit"))) / packaged
    return inside if inside.is_dir() else _CHECKOUT / checkout
