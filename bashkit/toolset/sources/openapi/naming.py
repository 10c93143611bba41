"""Turns the names of operations and parameters into words of a command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

_CURSORS = frozenset({
    "cursor", "pagetoken", "nexttoken", "nextcursor", "pagecursor", "after", "pageafter", "startingafter", "continuationtoken",
    "nextpagetoken", "marker",
})  # fmt: skip
_PAGES = frozenset({"page", "pagenumber", "pageindex"})
_OFFSETS = frozenset({"offset", "pageoffset", "skip"})
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OTHER = re.compile(r"[^A-Za-z0-9]+")
_ODD = re.compile(r"[^A-Za-z0-9_.-]+")


def snake(text: str) -> str:
    """Write ``listPets``, ``pets/list`` and ``List-Pets`` as command words: ``list_pets``, ``pets_list``."""
    return _OTHER.sub("_", _HUMPS.sub("_", text)).strip("_").lower()


def operation_name(identifier: object, method: str, path: str) -> str:
    """The command word of an operation: its operationId, or its method and path."""
    name = snake(identifier) if isinstance(identifier, str) else ""
    return name or snake(f"{method} {path}")


def argument_name(name: str, place: str, taken: set[str]) -> str:
    """The flag of a parameter; if the name is taken, the parameter's location is appended."""
    plain = snake(name) if place in {"header", "cookie"} else _ODD.sub("_", name).strip("_.-")
    plain = plain or place
    return plain if plain not in taken else f"{plain}_{place}"


def paging(name: str, schema: Mapping[str, Any]) -> Literal["cursor", "page", "offset", ""]:
    """What a query parameter chooses a page by; "" if it does not."""
    word = _OTHER.sub("", name).lower()
    kinds = schema.get("type", "integer")
    numeric = any(kind in ("integer", "number") for kind in (kinds if isinstance(kinds, list) else [kinds]))
    if word in _CURSORS or (word == "page" and not numeric):
        return "cursor"
    if not numeric:
        return ""
    return "page" if word in _PAGES else "offset" if word in _OFFSETS else ""


def one_line(text: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(text.strip().partition("\n\n")[0].split())
