"""What the quick look at a schema takes for JSON Schema is JSON Schema."""

import hypothesis.strategies as st
import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from bashkit.tools.define.everyday_schema import obviously_valid

JUNK = [
    None,
    True,
    0,
    2,
    -1,
    "string",
    "int",
    "object",
    ["string", "null"],
    ["string", "string"],
    [],
    [1],
    {},
    {"type": "strange"},
    {"a": {"type": "string"}},
    "#/$defs/a",
]
KEYWORDS = [
    "type", "required", "enum", "default", "const", "examples", "title", "format", "minimum", "minLength", "maxItems", "additionalProperties", "items",
    "properties", "pattern", "$ref", "$defs", "maxProperties", "readOnly",
]  # fmt: skip


LEAVES = st.dictionaries(st.sampled_from(KEYWORDS), st.sampled_from(JUNK), max_size=3)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.dictionaries(
        st.sampled_from([*KEYWORDS, "anyOf", "allOf"]),
        st.sampled_from(JUNK) | inner | st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
        max_size=3,
    ),
    max_leaves=6,
)


@given(schema=SCHEMAS)
def test_s01_what_is_obviously_valid_is_valid(schema):
    if obviously_valid(schema):
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError:
            pytest.fail(f"{schema} is not JSON Schema")


def test_s01_everyday_schemas_are_obviously_valid(business):
    assert all(obviously_valid(item.input_schema) for item in business)
    assert not obviously_valid({"properties": {"a": {"$ref": "#/x"}}})
    assert obviously_valid({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"items": {"$ref": "#/$defs/x"}}}})
    assert not obviously_valid({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"y": {}}})
    assert not obviously_valid({"$defs": {"x": {"type": "strange"}}})
