import pytest
from jsonschema import Draft202012Validator

from bashkit.tools.offer.schemas import object_schema, strict_schema, without_nulls

OBJECT = {"type": "object"}


def test_an_object_schema_has_a_plain_root():
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    schema["properties"] = {"a": {"type": "string"}, "b": {"$ref": "#/$defs/B"}}
    schema["$defs"] = {"B": {"type": "integer"}}
    assert object_schema(schema) == {"type": "object", "properties": schema["properties"], "$defs": schema["$defs"]}
    assert object_schema({}) == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("part", "strict"),
    [
        ({"type": "integer", "minimum": 1}, {"type": ["integer", "null"], "minimum": 1}),
        ({"type": "string", "default": "x"}, {"type": ["string", "null"], "description": 'Default: "x"'}),
        ({"type": "string", "minLength": 3}, {"type": ["string", "null"]}),
        ({"enum": ["a", "b"]}, {"type": ["string", "null"], "enum": ["a", "b", None]}),
        ({"const": 5}, {"anyOf": [{"const": 5, "type": "integer"}, {"type": "null"}]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": "array", "items": {"type": "string"}}, {"type": ["array", "null"], "items": {"type": "string"}}),
    ],
)
def test_in_strict_mode_an_optional_parameter_may_be_null(part, strict):
    assert strict_schema({"type": "object", "properties": {"p": part}}) == {
        "type": "object",
        "properties": {"p": strict},
        "required": ["p"],
        "additionalProperties": False,
    }


def test_in_strict_mode_inner_objects_are_closed_too():
    inner = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
    found = strict_schema({"properties": {"p": inner}, "required": ["p"]})
    assert found["properties"]["p"] == {**inner, "additionalProperties": False}


@pytest.mark.parametrize(
    "part",
    [
        OBJECT,
        {"type": "object", "properties": {}, "additionalProperties": True},
        {},
        {"type": "array"},
        {"oneOf": [{"type": "string"}]},
        {"type": "object", "patternProperties": {"x": {}}},
    ],
)
def test_what_strict_mode_cannot_express_has_no_strict_schema(part):
    assert strict_schema({"type": "object", "properties": {"p": part}, "required": ["p"]}) is None


def test_nulls_of_optional_parameters_are_dropped():
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": ["string", "null"]},
            "c": {"type": "string"},
            "d": {},
            "e": {"type": "array", "items": {"$ref": "#/$defs/E"}},
        },
        "required": ["c"],
        "$defs": {"E": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    }
    given = {"a": None, "b": None, "c": None, "d": None, "e": [{"x": None}, {"x": 1}], "unknown": None}
    expected = {"b": None, "c": None, "d": None, "e": [{}, {"x": 1}], "unknown": None}
    assert without_nulls(given, schema) == expected


def test_what_obeys_the_strict_schema_obeys_the_original():
    schema = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}, "n": {"type": "integer"}}, "required": ["n"]}
    given = {"a": None, "n": 3}
    Draft202012Validator(strict_schema(schema)).validate(given)
    Draft202012Validator(schema).validate(without_nulls(given, schema))
