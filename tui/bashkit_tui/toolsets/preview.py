"""A preview of a toolset file: the names of its tools, before the file is validated.

Only YAML is needed for it; ``bashkit.toolset`` and its schemas take ten times as long to import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_EFFECTS = {"read", "write", "destructive"}


@dataclass(frozen=True, slots=True)
class ToolPreview:
    """The facts about a tool that the tree shows."""

    name: str
    description: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    effects: str | None = None


def preview_tools(path: Path) -> tuple[ToolPreview, ...]:
    """The tools that a file seems to declare; () when it cannot be read, which the reader reports."""
    try:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        value = yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506 - both are safe loaders
    except Exception:  # the reader reports the same mistake with its line
        return ()
    tools = value.get("tools") if isinstance(value, dict) else None
    return tuple(found for tool in tools if (found := _preview(tool)) is not None) if isinstance(tools, list) else ()


def _preview(tool: Any) -> ToolPreview | None:
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
        return None
    effects = tool.get("effects")
    return ToolPreview(
        tool["name"],
        description=_text(tool.get("description")),
        category=_text(tool.get("category")),
        effects=effects if isinstance(effects, str) and effects in _EFFECTS else None,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
