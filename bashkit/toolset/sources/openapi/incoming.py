"""Names the requests of a document that the API sends and its client would answer: webhooks and callbacks, which are no tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.toolset.sources.openapi.media import METHODS
from bashkit.toolset.sources.openapi.naming import operation_name
from bashkit.toolset.sources.openapi.operations import Operation, operations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.toolset.sources.openapi.spec import Spec


def incoming(spec: Spec) -> list[str]:
    """The names of the webhooks and callbacks, as operations are named; a name that is there twice is one."""
    found = list(_names(spec.value.get("webhooks")))
    for operation in operations(spec):
        if isinstance(operation, Operation):
            found += _names(operation.value.get("callbacks"))
    return list(dict.fromkeys(found))


def _names(group: Any) -> Iterator[str]:
    """The names in ``webhooks``, where a name has a path item, or in ``callbacks``, where a name has path items by expression."""
    for name, value in group.items() if isinstance(group, dict) else ():
        if name.startswith("x-"):
            continue
        item = value if isinstance(value, dict) else {}
        items = [item] if item.keys() & set(METHODS) else [part for part in item.values() if isinstance(part, dict)]
        methods = [part[method] for part in items for method in METHODS if isinstance(part.get(method), dict)]
        for one in methods or [{}]:
            yield operation_name(one.get("operationId"), "", name)
