"""Writes values as YAML for people, with anchors for values that are used several times."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from io import StringIO
from typing import TYPE_CHECKING, Any

import yaml
from yaml.emitter import Emitter

from bashkit.toolset.text.scalars import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH = 120
_SHORT = 80  # maximum characters of a list on one line
_ODD_BREAKS = re.compile("[\x85\u2028\u2029]")  # lines end there for YAML 1.1 alone
_analysis = lru_cache(maxsize=4096)(Emitter(StringIO(), allow_unicode=True).analyze_scalar)  # the texts of an API recur


def yaml_text(value: Any) -> str:
    """Write a value as YAML."""
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH, default_flow_style=False)
    return str(text)


def flow(value: dict[str, Any]) -> str:
    """Write keys and values as YAML on one line, in braces."""
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=math.inf, default_flow_style=True)
    return str(text).rstrip("\n")


def alias(name: str) -> str:
    """A placeholder for a value that ``anchored`` writes; ``link`` turns it into a YAML alias."""
    return f"*{name}"


def anchored(name: str, value: Any) -> str:
    """Write a value under the key ``x-NAME``, with an anchor to which ``alias`` refers."""
    key = f"x-{name}"
    return yaml_text({key: value}).replace(f"{key}:", f"{key}: &{name}", 1)


def link(text: str, name: str) -> str:
    """Replace every ``alias`` placeholder, which YAML quotes because of its asterisk, by a YAML alias."""
    return re.sub(rf"(?m)^( +[\w-]+:) '\*{re.escape(name)}'$", rf"\1 *{name}", text)


class _Dumper(yaml.SafeDumper):
    """Writes YAML as a person would: block style, lists indented below their key, quotes only where necessary."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - PyYAML's signature
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True

    def analyze_scalar(self, scalar: str) -> Any:
        """What styles a text allows."""
        return _analysis(scalar)

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """The tag that a reader would give a plain scalar, by YAML 1.2 rather than PyYAML's 1.1."""
        if kind is not yaml.ScalarNode or not implicit[0]:
            return super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]  # PyYAML's own
        try:
            read = plain(value)
        except ValueError:
            return None  # it must be quoted
        if value == "<<":
            return None  # as a key it would be a merge
        names = {str: "str", bool: "bool", int: "int", float: "float", type(None): "null"}
        return f"tag:yaml.org,2002:{names[type(read)]}"


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    lines = text.split("\n")
    block = len(lines) > 1 and all(line == line.rstrip() for line in lines) and "\t" not in text
    style = '"' if _ODD_BREAKS.search(text) else "|" if block else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _list(dumper: yaml.SafeDumper, items: Sequence[Any]) -> yaml.Node:
    scalars = all(isinstance(item, (str, int, float, bool)) or item is None for item in items)
    short = scalars and sum(len(str(item)) + 2 for item in items) <= _SHORT
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(list, _list)
_Dumper.add_multi_representer(dict, lambda dumper, value: dumper.represent_dict(value.items()))
