"""Annotations through pydantic: their JSON Schema, and the values that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticSchemaGenerationError, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema

from bashkit.errors import DefinitionError

if TYPE_CHECKING:
    from pydantic_core.core_schema import CallSchema, DecimalSchema


class Schemas(GenerateJsonSchema):
    """Schemas that fit what bashkit reads and writes: a decimal may be a number, a named tuple is an object."""

    def decimal_schema(self, schema: DecimalSchema) -> dict[str, Any]:  # noqa: ARG002 - bounds are checked when it is read
        """A number, or a text with its digits."""
        return {"type": ["number", "string"]}

    def call_schema(self, schema: CallSchema) -> dict[str, Any]:
        """The fields of a named tuple, as older versions of pydantic describe them."""
        arguments: Any = schema["arguments_schema"]
        return self.kw_arguments_schema(arguments["arguments_schema"], arguments.get("var_kwargs_schema"))

    def named_tuple_schema(self, schema: Any) -> dict[str, Any]:
        """The fields of a named tuple, as newer versions of pydantic describe them."""
        parts = {field["name"]: field["schema"] for field in schema["fields"]}
        required = [name for name, part in parts.items() if part["type"] != "default"]
        return {
            "type": "object",
            "properties": {name: self.generate_inner(part) for name, part in parts.items()},
            "required": required,
        }

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """The schema of a field with a default; a default that only its function knows is left out."""
        found = super().default_schema(schema)
        if found.get("default", ...) is None:
            del found["default"]
        return found


class Reader:
    """One annotation.

    Args:
        annotation: The type.

    Raises:
        DefinitionError: There is no JSON for it.
    """

    __slots__ = ("_adapter",)

    def __init__(self, annotation: Any) -> None:
        try:
            self._adapter: TypeAdapter[Any] = TypeAdapter(annotation)
        except (PydanticSchemaGenerationError, PydanticUserError) as error:
            raise DefinitionError(str(error).splitlines()[0]) from error

    def schema(self, *, output: bool = False) -> dict[str, Any]:
        """The JSON Schema of a value that is read, or of one that is written.

        Raises:
            DefinitionError: There is no JSON for it.
        """
        try:
            return self._adapter.json_schema(mode="serialization" if output else "validation", schema_generator=Schemas)
        except PydanticUserError as error:
            raise DefinitionError(str(error).splitlines()[0]) from error

    def read(self, value: Any) -> Any:
        """Convert a JSON value.

        Raises:
            ValueError: It does not fit; the message says where and why.
        """
        try:
            return self._adapter.validate_python(value)
        except ValidationError as error:
            raise ValueError("; ".join(map(_sentence, error.errors()))) from None


_WORDS = {"time_delta_parsing": "expected a duration such as PT1H30M"}  # pydantic tells what its parser makes of the text


def _sentence(error: Any) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error["loc"])
    message = _WORDS.get(error["type"]) or error["msg"].removeprefix("Value error, ")
    return f"{path}: {message[:1].lower()}{message[1:]}"
