"""The quick check of flat schemas says nothing that the full validator does not say."""

import random

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from bashkit.tools.call.validation import ArgumentChecker
from bashkit.tools.define.plain import obviously_valid, plain

NUMBERS = [-2, -1, 0, 1, 3, 0.5, -1.5, 2.0]
VALUES = [None, True, False, *NUMBERS, "", "a", "b", "1", "long text", [1], {"x": 1}]


def some(draw, **choices):
    """Some of the keywords, each with one of its values."""
    return {key: draw.choice(values) for key, values in choices.items() if draw.random() < 0.5}


def part(draw):
    kinds = [
        lambda: {"type": draw.choice(["string", "boolean", "integer", "number"])} | some(draw, description=["d"]),
        lambda: (
            {"type": draw.choice(["integer", "number"])}
            | some(draw, minimum=NUMBERS, maximum=NUMBERS, exclusiveMinimum=NUMBERS, exclusiveMaximum=NUMBERS)
        ),
        lambda: {"type": "string"} | some(draw, minLength=[0, 1, 2], maxLength=[0, 2, 5]),
        lambda: {"enum": draw.sample(["a", "b", "1"], 2)} | some(draw, type=["string"]),
        lambda: {"type": "integer", "default": draw.choice([0, 3])},
    ]
    return draw.choice(kinds)()


def schema(draw):
    names = draw.sample("abc", draw.randrange(4))
    found = {"type": "object", "properties": {name: part(draw) for name in names}}
    return found | some(draw, required=[["a"], ["b", "d"], []], additionalProperties=[True, False])


@pytest.mark.parametrize("seed", range(20))
def test_s07_what_fits_is_valid(seed):
    draw = random.Random(seed)
    fitting = 0
    for _ in range(100):
        rules = schema(draw)
        quick, checker = plain(rules), ArgumentChecker(rules)
        params = {name: draw.choice(VALUES) for name in draw.sample("abcd", draw.randrange(5))}
        filled = quick.fill(params)
        valid = Draft202012Validator(rules).is_valid(filled)
        fitting += quick.fits(filled)
        assert valid or not quick.fits(filled)
        assert checker.fill(params) == filled
        assert (checker.problems(filled) == []) is valid
    assert fitting


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": ["string", "null"]}}},
        {"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {}}},
        {"properties": {"a": {"type": "string", "pattern": "x"}}},
        {"properties": {"a": {"type": "string", "format": "date"}}},
        {"properties": {"a": {"type": "array"}}},
        {"properties": {"a": {"enum": [1, True]}}},
        {"properties": {"a": {"type": "integer", "default": {"x": 1}}}},
        {"properties": {}, "minProperties": 1},
        {"additionalProperties": {"type": "string"}},
        {"properties": {"a": {"type": "string", "minimum": 1}}},
        {"properties": {"a": True}},
    ],
)
def test_what_is_not_plain_is_left_to_the_validator(schema):
    assert plain(schema) is None


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
]
KEYWORDS = [
    "type", "required", "enum", "default", "const", "examples", "title", "format", "minimum", "minLength", "maxItems", "additionalProperties", "items",
    "properties", "pattern", "$ref",
]  # fmt: skip


def junk(draw, depth=0):
    inner = [junk(draw, depth + 1)] if depth < 2 else []
    return {draw.choice(KEYWORDS): draw.choice([*JUNK, *inner, *({"a": one} for one in inner)]) for _ in range(draw.randrange(3))}


@pytest.mark.parametrize("seed", range(10))
def test_s01_what_is_obviously_valid_is_valid(seed):
    draw = random.Random(seed)
    schemas = [junk(draw) for _ in range(200)]
    accepted = [one for one in schemas if obviously_valid(one)]
    assert 10 < len(accepted) < 190
    for one in accepted:
        try:
            Draft202012Validator.check_schema(one)
        except SchemaError:
            pytest.fail(f"{one} is not JSON Schema")


def test_s01_everyday_schemas_are_obviously_valid(business):
    assert all(obviously_valid(item.input_schema) for item in business)
    assert not obviously_valid({"properties": {"a": {"$ref": "#/x"}}})
