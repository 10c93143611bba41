"""Signatures: what parameters a typed function declares, and how it is called with the arguments of a call."""

from __future__ import annotations

import inspect
import sys
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from keyword import iskeyword
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

from bashkit.errors import DefinitionError, ToolError
from bashkit.tools import json_text
from bashkit.tools.define import values
from bashkit.tools.define.result import ToolResult
from bashkit.tools.define.schema import expand, fields, required, subschemas
from bashkit.tools.typed.docstrings import Documentation, read
from bashkit.tools.typed.hints import is_tool_args, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from bashkit.tools.define.arguments import ToolArgs

_EMPTY = inspect.Parameter.empty
_STREAMS = frozenset({Iterator, Generator, AsyncIterator, AsyncGenerator, AsyncIterable})
_USAGE = 2  # the exit status for arguments that do not fit


@dataclass(slots=True)
class Parameter:
    """One parameter of a function.

    Attributes:
        name: In Python.
        key: In the arguments of a call.
        annotation: As it is written.
        default: Its default, or ``inspect.Parameter.empty``.
        positional: It has no name for callers.
        info: What pydantic's ``Field`` says where the default stands (``limit: int = Field(20, ge=1)``), or None.
    """

    name: str
    key: str
    annotation: Any
    default: Any
    positional: bool
    info: Any = None
    _reader: Any = field(default=None, repr=False)

    @classmethod
    def of(cls, found: inspect.Parameter, properties: Collection[str]) -> Parameter:
        """Read a parameter of a signature."""
        default, fields = found.default, sys.modules.get("pydantic.fields")
        info = default if fields is not None and isinstance(default, fields.FieldInfo) else None
        if info is not None:
            default = _EMPTY if info.is_required() else info.get_default(call_default_factory=True)
        positional = found.kind is found.POSITIONAL_ONLY
        return cls(found.name, _key(found.name, properties), found.annotation, default, positional, info)

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is _EMPTY

    @property
    def takes_args(self) -> bool:
        """Whether it is annotated ToolArgs and gets them."""
        return is_tool_args(self.annotation)

    def reader(self, function: Callable[..., Any]) -> Any:
        """What converts its values.

        Raises:
            DefinitionError: The annotation cannot be resolved, or there is no JSON for it.
        """
        if self._reader is None:
            resolved = Any if self.annotation is _EMPTY else resolve(function, self.name, self.annotation)
            if self.info is not None:
                resolved = Annotated[resolved, self.info]
            self._reader = reader(resolved), resolved
        return self._reader[0]

    def described(self, function: Callable[..., Any]) -> str:
        """The description in ``Annotated[T, "…"]`` or ``Annotated[T, Field(description="…")]``; "" without one."""
        self.reader(function)
        for note in get_args(self._reader[1])[1:] if hasattr(self._reader[1], "__metadata__") else ():
            text = note if isinstance(note, str) else getattr(note, "description", None)
            if isinstance(text, str):
                return text
        return ""


@dataclass(slots=True)
class Signature:
    """How a function is called, and what it declares.

    Attributes:
        function: Sync or async.
        parameters: Its parameters.
        others: It takes further arguments as ``**kwargs``.
        returns: The annotation of its result, as it is written.
        variadic: The name of its ``*args``, which no call fills; "" without.
    """

    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    others: bool
    returns: Any
    variadic: str = ""

    @classmethod
    def of(cls, function: Callable[..., Any], properties: Collection[str] = ()) -> Signature:
        """Read the signature of a function; annotations are resolved when they are needed.

        Args:
            function: The function.
            properties: The parameters that its tool declares. ``user-id`` belongs to ``user_id``, ``from`` to ``from_``.
        """
        found = inspect.signature(function)
        plain = [one for one in found.parameters.values() if one.kind not in {one.VAR_POSITIONAL, one.VAR_KEYWORD}]
        parameters = tuple(Parameter.of(one, properties) for one in plain)
        others = any(one.kind is one.VAR_KEYWORD for one in found.parameters.values())
        variadic = next((one.name for one in found.parameters.values() if one.kind is one.VAR_POSITIONAL), "")
        return cls(function, parameters, others, found.return_annotation, variadic)

    # -- calling -------------------------------------------------------------------------------------------------------

    def callback(self) -> Callable[[ToolArgs], Any]:
        """A callback that calls the function with the arguments of a call, converted to the annotated types."""
        function = self.function
        inner = inspect.unwrap(function)
        if any(map(inspect.iscoroutinefunction, (function, inner, type(inner).__call__))):

            async def awaited(args: ToolArgs) -> Any:
                positional, named = self.arguments(args)
                return await function(*positional, **named)

            return awaited

        def called(args: ToolArgs) -> Any:
            positional, named = self.arguments(args)
            return function(*positional, **named)

        return called

    def arguments(self, args: ToolArgs) -> tuple[list[Any], dict[str, Any]]:
        """The positional and the named arguments of a call.

        Raises:
            ToolError: An argument does not fit its annotation.
            DefinitionError: The function needs an argument that is not there, or has no parameter for one that is.
        """
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for parameter in self.parameters:
            value = args if parameter.takes_args else self._read(parameter, args.params.get(parameter.key, _EMPTY))
            if parameter.positional:
                positional.append(parameter.default if value is _EMPTY else value)
            elif value is not _EMPTY:
                named[parameter.name] = value
        known = {parameter.key for parameter in self.parameters if not parameter.takes_args}
        further = {key: value for key, value in args.params.items() if key not in known}
        if further and not self.others:
            raise DefinitionError(f"{self._name} has no parameter {next(iter(further))}")
        return positional, named | further

    @property
    def _name(self) -> str:
        return str(getattr(self.function, "__name__", "the function"))

    def _read(self, parameter: Parameter, value: Any) -> Any:
        if value is _EMPTY:
            if parameter.required:
                raise DefinitionError(f"{self._name} needs {parameter.name}, which the tool does not require")
            return value if parameter.info is None else parameter.info.get_default(call_default_factory=True)
        if type(value) is parameter.annotation and parameter.info is None:
            return value
        try:
            return parameter.reader(self.function).read(value)
        except ValueError as error:
            raise ToolError(f"--{parameter.key}{error}", exit_code=_USAGE) from None

    # -- declaring -----------------------------------------------------------------------------------------------------

    @property
    def documentation(self) -> Documentation:
        """What the docstring says."""
        return read(inspect.getdoc(inspect.unwrap(self.function)))

    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments.

        Raises:
            DefinitionError: An annotation cannot be resolved, there is no JSON for it, or a parameter has no name for callers.
        """
        if self.variadic and not self.others:  # what takes both is a wrapper
            name = self.variadic
            raise DefinitionError(f"parameter *{name}: calls give arguments by name; make it a list, such as {name}: list[str]")
        properties: dict[str, Any] = {}
        definitions: dict[str, Any] = {}
        documented = self.documentation.parameters
        plain = [parameter for parameter in self.parameters if not parameter.takes_args]
        for parameter in plain:
            try:
                part = _untitled(parameter.reader(self.function).schema())
            except DefinitionError as error:
                raise DefinitionError(f"parameter {parameter.name}: {error}") from error
            _collect(definitions, part.pop("$defs", {}))
            description = parameter.described(self.function) or documented.get(parameter.name, "")
            part |= {"description": description} if description else {}
            properties[parameter.key] = part | _default(parameter.default)
        schema: dict[str, Any] = {"type": "object", "properties": properties}
        schema["required"] = [parameter.key for parameter in plain if parameter.required]
        schema |= {} if self.others else {"additionalProperties": False}
        return schema | ({"$defs": definitions} if definitions else {})

    def output_schema(self) -> dict[str, Any] | None:
        """The JSON Schema of its result, or of each item of a stream; None for text, and for what cannot be known."""
        try:
            kind = Any if self.returns is _EMPTY else resolve(self.function, "the result", self.returns)
            inner = inspect.unwrap(self.function)
            lazily = inspect.isgeneratorfunction(inner) or inspect.isasyncgenfunction(inner)
            if get_origin(kind) in _STREAMS or (lazily and get_origin(kind) is Iterable):
                kind = get_args(kind)[0]
            if kind in (Any, None, type(None), bytes, ToolResult):
                return None
            schema = _untitled(reader(kind).schema(output=True))
        except DefinitionError:
            return None
        return schema if schema and schema.get("type") != "string" else None

    def misfit(self, root: Mapping[str, Any]) -> str:
        """Why the function cannot be called with the arguments that a tool declares; "" if it can.

        Args:
            root: The tool's input schema.
        """
        flat = expand(dict(root), dict(root))
        properties, needed = fields(flat), required(flat)
        for parameter in self.parameters:
            declared = properties.get(parameter.key)
            if not parameter.required or parameter.takes_args or parameter.key in needed:
                continue
            if declared is None:
                return f"needs {parameter.name}, which input_schema does not declare"
            if "default" not in expand(declared, dict(root)):
                return f"needs {parameter.name}, which input_schema does not require"
        known = {parameter.key for parameter in self.parameters if not parameter.takes_args}
        unknown = [] if self.others else [name for name in properties if name not in known]
        return f"has no parameter {unknown[0]}, which input_schema declares" if unknown else ""


def reader(annotation: Any) -> Any:
    """What converts values to an annotated type: pydantic where it is installed and knows the type.

    Raises:
        DefinitionError: There is no JSON for the type.
    """
    from bashkit.tools.typed import basic

    if not has_pydantic():
        return basic.Reader(annotation)
    from bashkit.tools.typed import models

    try:
        return models.Reader(annotation)
    except DefinitionError as error:  # such as typing's TypedDict before Python 3.12
        try:
            return basic.Reader(annotation)
        except DefinitionError:
            raise error from None


@cache
def has_pydantic() -> bool:
    """Whether pydantic is installed."""
    return find_spec("pydantic") is not None


def _key(name: str, properties: Collection[str]) -> str:
    if name in properties:
        return name
    found = (key for key in properties if key.replace("-", "_") in {name, name.removesuffix("_")})
    return next(found, name[:-1] if name.endswith("_") and iskeyword(name[:-1]) else name)


def _default(value: Any) -> dict[str, Any]:
    """The default of a parameter in its schema, unless it has no form in JSON or says only that nothing was given."""
    if value is _EMPTY or value is None:
        return {}
    try:
        return {"default": json_text.decode(values.encode(value))}
    except (TypeError, ValueError):
        return {}


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without the titles that pydantic makes of names."""
    for _, part in list(subschemas(schema)):
        if isinstance(part.get("title"), str):
            del part["title"]
    return schema


def _collect(definitions: dict[str, Any], found: dict[str, Any]) -> None:
    for name, schema in found.items():
        if definitions.setdefault(name, schema) != schema:
            raise DefinitionError(f"two types are called {name}")
