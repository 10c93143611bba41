"""Tells apart callbacks that take the ToolArgs and functions that take the arguments themselves."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from bashkit.tools.typed.hints import is_tool_args

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_EMPTY = inspect.Parameter.empty
_USUAL = "args"  # a function that calls its only parameter so has always got the ToolArgs

_VAGUE = frozenset({"Any", "object", "Mapping"})


def bind(function: Callable[..., Any], properties: Collection[str] | None = ()) -> Callable[..., Any]:
    """Make a callback, which takes one ToolArgs, of a function that may want its arguments one by one.

    Args:
        function: Sync or async; the callback is the same. One that takes ToolArgs is returned unchanged.
        properties: The parameters that the tool declares; None if they come from the function.
    """
    if takes_tool_args(function, properties):
        return function
    from bashkit.tools.typed.signature import Signature

    return Signature.of(function, properties or ()).callback()


def takes_tool_args(function: Callable[..., Any], properties: Collection[str] | None = ()) -> bool:
    """Whether a function is called with one ToolArgs, not with the arguments that it names.

    It is if nothing but its first parameter is required, and that is annotated ToolArgs, or not at all (or with Any or Mapping,
    which says as little); unless the tool declares a parameter of the same name, which is not ``args``. Where the function itself
    declares the tool's parameters, that must be its only one. A function whose signature is unknown takes ToolArgs.

    Args:
        function: A callback.
        properties: The parameters that the tool declares; None if they come from the function.
    """
    quick = _only_parameter(function)
    if quick is not None:
        name, annotation = quick
        return is_tool_args(annotation) or _may_be_tool_args(name, annotation, properties)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return True
    if not parameters or parameters[0].kind in {inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD}:
        return False
    first, *others = parameters
    if first.kind is inspect.Parameter.VAR_POSITIONAL:
        return properties is not None or any(other.kind is inspect.Parameter.VAR_KEYWORD for other in others)
    if any(_is_required(other) for other in others) or (others and properties is None):
        return False
    if is_tool_args(first.annotation):
        return not any(other.name in (properties or ()) for other in others)
    return _may_be_tool_args(first.name, first.annotation, properties)


def _may_be_tool_args(name: str, annotation: Any, properties: Collection[str] | None) -> bool:
    """Whether a parameter that is not annotated ToolArgs gets them."""
    if properties is None:
        return annotation is _EMPTY
    if name in properties and name != _USUAL:
        return False
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return annotation is _EMPTY or text.partition("[")[0].rpartition(".")[2] in _VAGUE


def _is_required(parameter: inspect.Parameter) -> bool:
    variadic = parameter.kind in {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    return not variadic and parameter.default is _EMPTY


def _only_parameter(function: Any) -> tuple[str, Any] | None:
    """Name and annotation of the only parameter of a usual callback, found in a tenth of the time that ``signature`` takes."""
    skipped = 0
    if inspect.ismethod(function):
        function, skipped = function.__func__, 1
    elif not inspect.isfunction(function):
        function, skipped = getattr(type(function), "__call__", None), 1  # noqa: B004 - the function itself is wanted
    if not inspect.isfunction(function) or hasattr(function, "__wrapped__"):
        return None
    code = function.__code__
    if code.co_argcount - skipped != 1 or code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return None
    name = code.co_varnames[skipped]
    return name, function.__annotations__.get(name, _EMPTY)
