"""A glance at a toolset file: the names of its tools, a moment before it has been read, checked and understood.

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
    """What the tree shows of a tool."""

    name: str
    description: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    effects: str | None = None


def preview_tools(path: Path) -> tuple[ToolPreview, ...]:
    """The tools that a file seems to declare; none when it cannot be read, which others will say."""
    try:
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        value = yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506 - both are safe loaders
    except Exception:  # whatever is wrong with it is a problem of the file, with its line, as soon as it is read properly
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
