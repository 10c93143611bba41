"""A toolset as plain functions, for every framework that makes tools of functions with annotations and a docstring."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, Literal

from bashkit.integrations.offering import identifiers, offer, one
from bashkit.tools.define.schema import expand, types
from bashkit.tools.offer.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.integrations.offering import Source
    from bashkit.tools.define.schema import Schema
    from bashkit.tools.offer import Offered

_KINDS: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict[str, Any]}


def bash_tool(toolset: Source, *, with_prompt: bool = True, asynchronous: bool = False) -> Callable[..., Any]:
    """The function that takes a bash script, in which every tool of the toolset is a command, and returns what the model reads.

    A call that fails returns what was wrong.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The docstring is the system prompt; pass False if the host puts ``tool.system_prompt()`` into its own.
        asynchronous: Make it a coroutine function, which never blocks the event loop.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    offered = one(toolset, with_prompt=with_prompt)
    return _function(identifiers([offered.name])[0], offered, asynchronous=asynchronous)


def tools(toolset: Source, *, asynchronous: bool = False) -> list[Callable[..., Any]]:
    """The tools of a toolset, one function each, whose names and parameters are identifiers of Python; see ``bash_tool``."""
    found = offer(toolset, "tools").tools
    names = identifiers([one.name for one in found])
    return [_function(name, offered, asynchronous=asynchronous) for name, offered in zip(names, found, strict=True)]


def _function(name: str, offered: Offered, *, asynchronous: bool) -> Callable[..., Any]:
    schema = object_schema(offered.input_schema)
    places = dict(zip(identifiers(list(schema["properties"])), schema["properties"], strict=True))
    signature = Signature(_parameters(schema, places), return_annotation=str)

    def read(values: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        return {places[key]: value for key, value in signature.bind_partial(*values, **named).arguments.items()}

    def call(*values: Any, **named: Any) -> str:
        return offered.call_sync(read(values, named)).text

    async def acall(*values: Any, **named: Any) -> str:
        return (await offered.call(read(values, named))).text

    made: Any = acall if asynchronous else call
    made.__name__ = made.__qualname__ = name
    made.__doc__ = _documented(offered.description, schema, places)
    made.__signature__ = signature
    made.__annotations__ = {one.name: one.annotation for one in signature.parameters.values()} | {"return": str}
    return made  # type: ignore[no-any-return]


def _parameters(schema: Schema, places: dict[str, str]) -> list[Parameter]:
    """The parameters of a function, those that are required first."""
    kind = Parameter.POSITIONAL_OR_KEYWORD
    required, optional = [], []
    for name, field in places.items():
        annotation = _annotation(schema["properties"][field], schema)
        if field in schema.get("required", ()):
            required.append(Parameter(name, kind, annotation=annotation))
        else:
            optional.append(Parameter(name, kind, annotation=annotation | None, default=None))
    return required + optional


def _annotation(part: Any, schema: Schema) -> Any:
    field = expand(part, schema)
    choices = field.get("enum")
    if choices and all(isinstance(choice, str) for choice in choices):
        return Literal[tuple(choices)]
    kinds = types(field)
    if kinds == ("array",):
        return list[_annotation(field.get("items", {}), schema)]  # type: ignore[misc]  # a value
    return _KINDS.get(kinds[0], Any) if len(kinds) == 1 else Any


def _documented(description: str, schema: Schema, places: dict[str, str]) -> str:
    """A docstring that says what each parameter means, where the schema does."""
    told = {name: expand(schema["properties"][field], schema).get("description") for name, field in places.items()}
    lines = [f"    {name}: {text}" for name, text in told.items() if text]
    return "\n".join([description, "", "Args:", *lines]) if lines else description
