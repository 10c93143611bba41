"""Files that ship with bashkit: where the example toolsets and the schema of toolset files are."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

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


@cache
def toolset_schema() -> dict[str, Any]:
    """The JSON Schema of the toolset format."""
    schema: dict[str, Any] = json.loads(schema_text())
    return schema


@cache
def schema_text() -> str:
    """The same as the text of its file."""
    return (schemas() / "toolset.schema.json").read_text(encoding="utf-8")
