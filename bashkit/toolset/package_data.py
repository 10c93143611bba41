"""Files that ship with bashkit: where the example toolsets and the schema of toolset files are."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]


def schemas() -> Path:
    """The folder of the JSON Schemas: inside the installed package, or the checkout's."""
    return _folder("schemas", "schemas")


def examples() -> Path:
    """The folder of the example toolsets: inside the installed package, or the checkout's."""
    return _folder("examples", "toolsets")


def _folder(packaged: str, checkout: str) -> Path:
    inside = Path(str(resources.files("bashkit"))) / packaged
    return inside if inside.is_dir() else _CHECKOUT / checkout
