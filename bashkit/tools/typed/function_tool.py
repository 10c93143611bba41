"""The decorator ``tool``, which makes a tool of a typed function."""

from __future__ import annotations

from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from bashkit.errors import DefinitionError
from bashkit.tools.define.definition import ToolDef
from bashkit.tools.define.schema import parameters
from bashkit.tools.typed.binding import bind, takes_tool_args
from bashkit.tools.typed.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


class FunctionTool(Generic[P, R]):
    """A function that is also a tool: ``ScriptedTool(tools=[…])``, its builder and ``add_tool`` take it.

    Calling it calls the function. As a tool, a sync function runs in one of bashkit's threads and an async one on the event loop,
    unless ``inline=True``.

    Args:
        function: Sync or async.
        options: Fields of ToolDef. What is left out comes from the function: its name, what its docstring says, the schema of its
            parameters, and the schema of its result.

    Raises:
        DefinitionError: It is no function.
    """

    def __init__(self, function: Callable[P, R], **options: Any) -> None:
        if not callable(function) and not hasattr(function, "__get__"):
            raise DefinitionError(f"tool makes a tool of a function, not of {function!r}")
        self.function = function
        self.options = options
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        return self.function(*args, **kwargs)

    def __get__(self, owner: Any, kind: type | None = None) -> FunctionTool[..., R]:
        """Of a method: the tool that calls it on an object."""
        if owner is None:
            return self
        method: Callable[..., R] = self.function.__get__(owner, kind)
        return FunctionTool(method, **self.options)

    @cached_property
    def definition(self) -> ToolDef:
        """The tool's declaration, made when it is first wanted.

        Raises:
            DefinitionError: An annotation has no form in JSON, or an option is wrong.
        """
        given: dict[str, Any] = {"name": getattr(self.function, "__name__", "")}
        given |= described(self.function, declared="input_schema" in self.options) | self.options
        try:
            return ToolDef(**given)
        except TypeError as error:
            raise DefinitionError(f"tool: {error}") from None

    @property
    def callback(self) -> Callable[..., Any]:
        """The tool's callback: ``(args: ToolArgs)``, sync or async."""
        schema = self.options.get("input_schema")
        return bind(self.function, None if schema is None else parameters(schema))


@overload
def tool(function: Callable[P, R], /) -> FunctionTool[P, R]: ...
@overload
def tool(**options: Any) -> Callable[[Callable[P, R]], FunctionTool[P, R]]: ...
def tool(function: Any = None, /, **options: Any) -> Any:
    """Make a tool of a function: ``@tool``, or ``@tool(name="get_user", effects="read")``.

    The parameters become the flags: names, types, defaults and choices come from the signature, descriptions from the docstring
    (in the style of Google, NumPy or Sphinx) or from ``Annotated[T, "…"]``. The function gets its arguments converted to the
    annotated types. A parameter annotated ``ToolArgs`` gets the ToolArgs; so does an only parameter without an annotation.

    Args:
        function: Sync or async; a generator's items are written as they come.
        options: Fields of ToolDef.

    Raises:
        DefinitionError: It is no function.
    """
    if function is None:
        return lambda decorated: FunctionTool(decorated, **options)
    return FunctionTool(function, **options)


def described(function: Callable[..., Any], *, declared: bool = False) -> dict[str, Any]:
    """The fields of a ToolDef that come from a function: description, input and output schema, as far as it has them.

    Args:
        function: The function.
        declared: The input schema is declared elsewhere.

    Raises:
        DefinitionError: An annotation has no form in JSON.
    """
    if isinstance(function, FunctionTool):
        stated = {"description", "input_schema", "output_schema", *function.options} - {"name"}
        return {key: getattr(function.definition, key) for key in stated if getattr(function.definition, key)}
    try:
        signature = Signature.of(function)
    except (TypeError, ValueError):  # a function in C that does not tell
        return {}
    found: dict[str, Any] = {"description": signature.documentation.description, "output_schema": signature.output_schema()}
    if not declared and not takes_tool_args(function, None):
        found["input_schema"] = signature.input_schema()
    return {key: value for key, value in found.items() if value}
