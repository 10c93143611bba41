"""Resolves annotations that are written as text, one by one: a name that only a type checker knows spoils no other."""

from __future__ import annotations

import sys
import typing
from types import SimpleNamespace
from typing import Any

from bashkit.errors import DefinitionError
from bashkit.tools.define.arguments import ToolArgs


def resolve(owner: Any, name: str, annotation: Any) -> Any:
    """The type that an annotation stands for.

    Args:
        owner: The function or class that has it.
        name: Whose annotation it is, for the message.
        annotation: As it is written: a type, or a text.

    Raises:
        DefinitionError: It names something that does not exist when the program runs.
    """
    inner = owner
    while hasattr(inner, "__wrapped__"):
        inner = inner.__wrapped__
    module = sys.modules.get(getattr(inner, "__module__", ""))
    known = {"ToolArgs": ToolArgs} | (getattr(inner, "__globals__", None) or vars(module or SimpleNamespace()))
    try:
        found = typing.get_type_hints(SimpleNamespace(__annotations__={name: annotation}), known, include_extras=True)
    except Exception as error:
        raise DefinitionError(f"the annotation of {name} cannot be read: {type(error).__name__}: {error}") from error
    return found[name]


def annotations_of(kind: type) -> dict[str, Any]:
    """The annotations of a class and those it inherits from.

    Raises:
        DefinitionError: One names something that does not exist.
    """
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except Exception as error:
        raise DefinitionError(f"the annotations of {kind.__name__} cannot be read: {type(error).__name__}: {error}") from error


def is_tool_args(annotation: Any) -> bool:
    """Whether an annotation, which may be text, stands for ToolArgs."""
    if isinstance(annotation, str):
        return annotation.strip("'\"").rpartition(".")[2] == ToolArgs.__name__
    return annotation is ToolArgs
