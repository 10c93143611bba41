"""The kinds of sources. Each module or package of this folder defines one subclass of Source, which the registry finds.

A program adds its own kind with ``register`` before it loads a toolset file:

    from bashkit.toolset.sources import Source, register

    @register
    class DatabaseSource(Source):
        key = "database"
        ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.toolset.registry import Registry
from bashkit.toolset.source import EVERYTHING, Asking, Found, FoundTool, Selection, Source, SourceError, ask_all

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.toolset.declaration import Declaration

__all__ = [
    "EVERYTHING",
    "SOURCES",
    "Asking",
    "Found",
    "FoundTool",
    "Selection",
    "Source",
    "SourceError",
    "ask_all",
    "kinds",
    "kinds_of",
    "read_source",
    "register",
]

SOURCES: Registry[Source] = Registry(__name__, Source)
kinds = SOURCES.kinds
register = SOURCES.register


def kinds_of(source: Mapping[str, Any]) -> list[type[Source]]:
    """The kinds that the keys of an entry of ``sources`` name; exactly one if it has no mistake."""
    return [kind for kind in kinds() if kind.key in source]


def read_source(source: Declaration) -> Source:
    """Make the source that a file declares. Mistakes found only now are noted in the document."""
    value = source.value
    selection = Selection(value.get("prefix", ""), tuple(value.get("include", ())), tuple(value.get("exclude", ())))
    common = {"timeout": source.timeout, "document": source.document, "path": source.path, "selection": selection}
    return kinds_of(value)[0].read(source, common)
