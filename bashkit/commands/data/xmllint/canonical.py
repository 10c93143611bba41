"""Canonical XML (W3C Canonical XML 1.0 with comments, and Exclusive XML Canonicalization 1.0)."""

from __future__ import annotations

from collections import ChainMap
from typing import TYPE_CHECKING

from bashkit.limits import turn

if TYPE_CHECKING:
    from bashkit.commands.data.xmllint.tree import Node

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;"})
_ATTRIBUTE = str.maketrans({"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#x9;", "\n": "&#xA;", "\r": "&#xD;"})


def canonical(document: Node, *, exclusive: bool) -> str:
    """Write the canonical form of a document; its depth is bounded, so recursion is safe.

    Args:
        document: The root of the tree.
        exclusive: Declare a namespace only where its prefix is used.
    """
    parts, after = [], False
    for child in document.children:
        text = _node(child, ChainMap(), ChainMap({"": ""}), exclusive=exclusive)
        if child.kind == "element":
            after = True
            parts.append(text)
        else:
            parts.append(f"\n{text}" if after else f"{text}\n")
    return "".join(parts)


def _node(node: Node, scope: ChainMap[str, str], rendered: ChainMap[str, str], *, exclusive: bool) -> str:
    """Write a node; ``scope`` has the namespaces in force, ``rendered`` those written above it."""
    if node.kind in {"text", "cdata"}:
        return node.value.translate(_TEXT)
    if node.kind == "comment":
        return f"<!--{node.value}-->"
    if node.kind == "instruction":
        return f"<?{node.name} {node.value}?>" if node.value else f"<?{node.name}?>"
    turn()
    own = {_declared(name): uri for name, uri in node.declared.items()}
    scope = scope.new_child(own) if own else scope
    plain = [one for one in node.attributes if one.name not in node.declared]
    prefixes = {name.rpartition(":")[0] for name in (node.name, *(one.name for one in plain if ":" in one.name))} - {"xml"}
    new = {prefix for prefix in prefixes if prefix in scope} if exclusive else own  # without that, others are rendered above
    shown = {prefix: scope[prefix] for prefix in new if rendered.get(prefix) != scope[prefix]}
    rendered = rendered.new_child(shown) if shown else rendered
    text = "".join(f' xmlns{":" if prefix else ""}{prefix}="{shown[prefix].translate(_ATTRIBUTE)}"' for prefix in sorted(shown))
    plain.sort(
        key=lambda one: (scope.get(one.name.rpartition(":")[0], "") if ":" in one.name else "", one.name.rpartition(":")[2])
    )
    text += "".join(f' {one.name}="{one.value.translate(_ATTRIBUTE)}"' for one in plain)
    inner = "".join(_node(child, scope, rendered, exclusive=exclusive) for child in node.children)
    return f"<{node.name}{text}>{inner}</{node.name}>"


def _declared(name: str) -> str:
    return name.removeprefix("xmlns").removeprefix(":")
