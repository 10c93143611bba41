import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator

from bashkit.tools import ToolDef
from bashkit.tools.call.validation import ArgumentChecker


def problems(schema, params):
    checker = ArgumentChecker(schema)
    return checker.problems(checker.fill(params))


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ({"type": "integer"}, "abc", "--x: expected integer, got 'abc'"),
        ({"type": ["integer", "null"]}, "abc", "--x: expected integer or null, got 'abc'"),
        ({"enum": ["celsius", "fahrenheit"]}, "kelvin", "--x: expected one of celsius, fahrenheit, got 'kelvin'"),
        ({"enum": ["open", "closed"]}, "opne", "--x: expected one of open, closed, got 'opne' (did you mean open?)"),
        ({"type": "integer", "minimum": 1}, 0, "--x: expected at least 1, got 0"),
        ({"type": "integer", "maximum": 9}, 10, "--x: expected at most 9, got 10"),
        ({"type": "number", "exclusiveMinimum": 0}, 0, "--x: expected more than 0, got 0"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "A1", "--x: expected text that matches ^[a-z]+$, got 'A1'"),
        ({"type": "string", "minLength": 2}, "a", "--x: expected at least 2 characters, got 'a'"),
        ({"type": "string", "format": "date"}, "2024-13-01", "--x: expected string (date), got '2024-13-01'"),
        ({"type": "string", "format": "date-time"}, "2024-01-01", "--x: expected string (date-time), got '2024-01-01'"),
        ({"type": "string", "format": "email"}, "nobody", "--x: expected string (email), got 'nobody'"),
        ({"type": "string", "format": "uri"}, "no uri", "--x: expected string (uri), got 'no uri'"),
        ({"type": "array", "maxItems": 1}, [1, 2], "--x: expected at most 1 item, got [1,2]"),
        ({"type": "array", "items": {"type": "integer"}}, [1, "b"], "--x[1]: expected integer, got 'b'"),
        ({"type": "object", "properties": {"city": {"type": "string"}}}, {"city": 1}, "--x.city: expected string, got 1"),
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, "y", "--x: expected integer or boolean, got 'y'"),
        ({"type": "string", "nullable": True}, 3, "--x: expected string or null, got 3"),
        ({"type": "string"}, ["long"] * 40, "--x: expected string, got " + ("[" + '"long",' * 9)[:59] + "…"),
    ],
)
def test_s07_a_message_names_flag_value_and_expectation(part, value, message):
    assert problems({"properties": {"x": part}}, {"x": value}) == [message]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ({"type": "string", "nullable": True}, None),
        ({"enum": ["a"], "nullable": True}, None),
        ({"type": "string", "format": "date-time"}, "2024-01-01T10:00:00Z"),
        ({"type": "string", "format": "date"}, "2024-02-29"),
        ({"type": "number"}, 3),
        ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, "a"),
    ],
)
def test_s07_what_is_right_passes(part, value):
    assert problems({"properties": {"x": part}}, {"x": value}) == []


@pytest.mark.parametrize(
    ("value", "right"), [(19.99, True), (0.3, True), (3, True), (1e300, True), (0.005, False), (float("inf"), False)]
)
def test_s07_a_multiple_is_one_of_the_digits_that_are_written(value, right):
    assert (problems({"properties": {"x": {"type": "number", "multipleOf": 0.01}}}, {"x": value}) == []) is right


SHAPES = [
    {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
    {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
]
EITHER = {"properties": {"a": {"type": "integer"}, "b": {}, "c": {}}}


@pytest.mark.parametrize(
    ("schema", "params", "messages"),
    [
        ({"properties": {"x": {"oneOf": SHAPES}}}, {"x": {"kind": "square"}}, ["--x.side is required: expected number"]),
        (
            {"properties": {"x": {"oneOf": SHAPES}}},
            {"x": {"kind": "square", "side": "s"}},
            ["--x.side: expected number, got 's'"],
        ),
        (
            {"properties": {"x": {"oneOf": SHAPES}}},
            {"x": {"kind": "squares"}},
            ["--x.kind: expected one of circle, square, got 'squares' (did you mean square?)"],
        ),
        (
            {
                "properties": {
                    "x": {
                        "anyOf": [{"type": "object", "properties": {key: {"type": "integer"}}, "required": [key]} for key in "ab"]
                    }
                }
            },
            {"x": {"b": "c"}},
            ["--x.b: expected integer, got 'c'"],
        ),
        ({"properties": {"x": {"anyOf": SHAPES}}}, {"x": {}}, ["--x.kind is required: expected one of circle, square"]),
        ({**EITHER, "anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]}, {}, ["--a or --b with --c is required"]),
        (
            {**EITHER, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"a": 1, "b": 2},
            ["only one may be given of --a and --b"],
        ),
        ({"oneOf": [{}, {"type": "object"}]}, {"a": 1}, ['arguments: {"a":1} fits several forms, and may fit only one']),
        ({**EITHER, "dependentRequired": {"b": ["a"]}}, {"b": 1}, ["--a is required with --b: expected integer"]),
        ({**EITHER, "if": {"required": ["b"]}, "then": {"required": ["a"]}}, {"b": 1}, ["--a is required: expected integer"]),
    ],
)
def test_s07_alternatives_and_conditions_say_what_is_wrong(schema, params, messages):
    assert problems(schema, params) == messages


def test_s07_required_and_unknown_parameters():
    schema = {"properties": {"id": {"type": "integer"}, "name": {}}, "required": ["id"], "additionalProperties": False}
    assert problems(schema, {"nmae": 1, "zzz": 2}) == [
        "--id is required: expected integer",
        "--nmae is not a parameter (did you mean --name?)",
        "--zzz is not a parameter",
    ]


CARD = {"properties": {"kind": {"const": "card"}, "number": {"pattern": "^[0-9]+$"}}, "required": ["kind", "number"]}
BANK = {"properties": {"kind": {"const": "bank"}, "iban": {"type": "string"}}, "required": ["kind", "iban"]}
EITHER = [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b", "c"]}]


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ({"oneOf": [CARD, BANK]}, {"kind": "card", "number": "x"}, "--x.number: expected text that matches ^[0-9]+$, got 'x'"),
        ({"oneOf": [CARD, BANK]}, {"kind": "bank"}, "--x.iban is required: expected string"),
        (
            {"oneOf": [CARD, BANK]},
            {"kind": "cash"},
            "--x.kind: expected one of card, bank, got 'cash'",
        ),
        ({"anyOf": EITHER}, {}, "--x.a or --x.b with --x.c is required"),
        ({"anyOf": EITHER}, {"b": 1}, "--x.a or --x.c is required"),
        ({"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}, 6, "--x: 6 fits several forms, and may fit only one"),
        ({"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]}, 3, "--x: expected at least 5, got 3"),
        ({"anyOf": [{"type": "integer"}, {"enum": ["auto"]}]}, "x", "--x: expected integer or auto, got 'x'"),
        (
            {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "ipv4"}]},
            "x",
            "--x: expected string (date) or string (ipv4), got 'x'",
        ),
        ({"not": {"const": "root"}}, "root", "--x: expected anything but 'root', got 'root'"),
        ({"not": {"type": "string"}}, "a", "--x: expected what the schema does not exclude, got 'a'"),
        ({"type": "null"}, 1, "--x: expected null, got 1"),
    ],
)
def test_what_fits_no_form_is_told_by_the_form_that_is_meant(part, value, message):
    assert problems({"properties": {"x": part}}, {"x": value}) == [message]


PAIR = {"a": {"type": "integer"}, "b": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "given", "message"),
    [
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "--b is required with --a: expected string"),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, "--b is required: expected string"),
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {}, "--a or --b is required"),
        ({"not": {"required": ["a", "b"]}}, {"a": 1, "b": "x"}, "--a and --b exclude each other"),
    ],
)
def test_conditions_among_parameters_name_the_flags(schema, given, message):
    assert problems({"type": "object", "properties": PAIR, **schema}, given) == [message]


def test_s07_extra_keys_pass_unless_the_schema_says_otherwise():
    assert problems({"properties": {"id": {"type": "integer"}}}, {"id": 1, "more": 2}) == []


def test_s07_defaults_are_filled_in_at_every_depth():
    schema = {
        "properties": {
            "limit": {"type": "integer", "default": 10},
            "page": {"type": "object", "properties": {"size": {"default": 5}}},
            "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
            "absent": {"type": "object", "properties": {"inner": {"default": 1}}},
        },
        "required": ["limit"],
        "$defs": {"item": {"type": "object", "properties": {"n": {"default": 1}}}},
    }
    checker = ArgumentChecker(schema)
    given = {"page": {}, "items": [{}, {"n": 2}]}
    assert checker.fill(given) == {"page": {"size": 5}, "items": [{"n": 1}, {"n": 2}], "limit": 10}
    assert given == {"page": {}, "items": [{}, {"n": 2}]}


def test_a_pattern_is_matched_in_linear_time():
    assert problems({"properties": {"x": {"pattern": "^(a+)+$"}}}, {"x": "a" * 5000 + "b"})[0].startswith("--x: expected text")


def test_a_pattern_that_only_backtracking_matches_gives_up_in_the_end():
    schema = {"properties": {"x": {"pattern": "^(a+)+(?=b)"}}}
    assert problems(schema, {"x": "aab"}) == []
    assert problems(schema, {"x": "a" * 5000 + "c"})[0].startswith("--x: expected text")


def test_s07_a_failure_is_exit_2_with_usage_and_no_call(run):
    called = []
    schema = {"properties": {"id": {"type": "integer"}, "status": {"enum": ["open", "closed"]}}, "required": ["id"]}
    outcome = run(ToolDef("get_user").with_schema(schema), called.append, "--status", "opne")
    assert outcome.status == 2
    assert outcome.stdout == ""
    assert outcome.stderr == (
        "get_user: --id is required: expected integer\n"
        "get_user: --status: expected one of open, closed, got 'opne' (did you mean open?)\n"
        "usage: get_user --id <integer> [--status <open|closed>]\n"
    )
    assert called == []


@pytest.mark.parametrize(
    ("items", "unique"),
    [
        ([1, 1.0], False),
        ([1, True], True),
        ([{"a": 1, "b": 2}, {"b": 2, "a": 1}], False),
        (["1", 1], True),
        ([[1], [1.0]], False),
        ([], True),
    ],
)
def test_unique_items_as_json_compares(items, unique):
    assert (problems({"properties": {"x": {"uniqueItems": True}}}, {"x": items}) == []) is unique


def test_unique_items_in_linear_time():
    assert problems({"properties": {"x": {"uniqueItems": True}}}, {"x": [{"n": n} for n in range(20_000)]}) == []


def test_very_many_problems_are_cut():
    schema = {"properties": {"x": {"items": {"type": "integer"}}}, "additionalProperties": False}
    assert len(problems(schema, {"x": ["a"] * 10_000})) == 20
    assert len(problems(schema, {f"key{n}": 1 for n in range(10_000)})) == 20


def test_deep_arguments_are_refused_before_anything_recurses():
    value = []
    for _ in range(5000):
        value = [value]
    assert problems({"properties": {"x": {}}}, {"x": value}) == ["the arguments are nested deeper than 100 levels"]


@pytest.mark.parametrize(
    ("schema", "params", "expected"),
    [
        ({"patternProperties": {"^n_": {"type": "integer"}}}, {"n_a": "x"}, ["--n_a: expected integer, got 'x'"]),
        ({"patternProperties": {"^n_": {}}, "additionalProperties": False}, {"n_a": 1, "m": 2}, ["--m is not a parameter"]),
        ({"additionalProperties": {"type": "integer"}}, {"m": "x"}, ["--m: expected integer, got 'x'"]),
        ({"properties": {"x": {"pattern": "^(?!a)"}}}, {"x": "abc"}, ["--x: expected text that matches ^(?!a), got 'abc'"]),
        ({"properties": {"x": {"pattern": "^(?!a)"}}}, {"x": "bcd"}, []),
    ],
)
def test_patterns_of_keys_and_values(schema, params, expected):
    assert problems(schema, params) == expected


def test_a_pattern_of_keys_is_matched_in_linear_time_and_nothing_is_printed(capfd):
    schema = {"patternProperties": {"^(a+)+$": {}, "(?=a)b": {}}, "additionalProperties": False}
    assert problems(schema, {"a" * 5000 + "b": 1}) == ["--" + "a" * 60 + " is not a parameter"]
    assert capfd.readouterr().err == ""


def test_every_keyword_beside_enum_counts():
    checker = ArgumentChecker({"properties": {"a": {"enum": ["a", "bb"], "minLength": 2}}})
    assert checker.problems({"a": "bb"}) == []
    assert checker.problems({"a": "a"}) == ["--a: expected at least 2 characters, got 'a'"]


NUMBERS = st.sampled_from([-2, 0, 1, 3, 0.5, 2.0])
SIZES = st.integers(0, 3)
VALUES = st.one_of(
    st.none(), st.booleans(), NUMBERS, st.sampled_from(["", "a", "b", "1", "long"]), st.just([1, 1.0]), st.just({"x": 1})
)
PARTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "number", "boolean", "array", ["string", "null"]]),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), NUMBERS),
        **dict.fromkeys(("minLength", "maxLength", "minItems"), SIZES),
        "uniqueItems": st.booleans(),
        "pattern": st.sampled_from(["^a", "[0-9]", "b$"]),
    },
)
SIZED = st.fixed_dictionaries({"type": st.just("string")}, optional=dict.fromkeys(("minLength", "maxLength"), SIZES))
BOUNDED = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional=dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), NUMBERS),
)
CHOSEN = st.fixed_dictionaries(
    {"enum": st.lists(st.sampled_from(["a", "b", "1", ""]), min_size=1, max_size=3)}, optional={"minLength": SIZES}
)
FLAT = st.fixed_dictionaries(  # what is decided without jsonschema, and a little more
    {"properties": st.dictionaries(st.sampled_from("abc"), SIZED | BOUNDED | CHOSEN | st.just({"type": "boolean"}))},
    optional={"required": st.sampled_from([["a"], ["b", "d"]]), "additionalProperties": st.booleans(), "type": st.just("object")},
)
SCHEMAS = st.fixed_dictionaries(
    {"properties": st.dictionaries(st.sampled_from("abc"), PARTS)},
    optional={
        "required": st.sampled_from([["a"], ["b", "d"]]),
        "additionalProperties": st.booleans() | PARTS,
        "patternProperties": st.fixed_dictionaries({"^[ad]": PARTS}),
    },
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no reason to fail
@given(root=SCHEMAS | FLAT, params=st.dictionaries(st.sampled_from("abcd"), VALUES))
def test_s07_arguments_are_right_where_jsonschema_says_so(root, params):
    assert (ArgumentChecker(root).problems(params) == []) == Draft202012Validator(root).is_valid(params)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "string", "minLength": 2},
        {"type": "string", "maxLength": 2},
        {"type": "string", "minLength": 1, "maxLength": 2},
        {"type": "integer", "minimum": 2},
        {"type": "integer", "maximum": 2},
        {"type": "number", "exclusiveMinimum": 2},
        {"type": "number", "exclusiveMaximum": 2},
        {"type": "number", "minimum": 1, "exclusiveMaximum": 3},
        {"type": "integer", "minLength": 2},
        {"type": "boolean", "minLength": 2},
        {"type": "string", "minimum": 2},
        {"type": "boolean"},
        {"enum": ["a", "aa"]},
    ],
    ids=str,
)
def test_bounds_are_those_of_jsonschema(part):
    root = {"properties": {"x": part}}
    values = ["", "a", "aa", "aaa", 1, 2, 3, 1.5, 2.0, 2.5, True, False, None, [], ["a", "a"], {}]
    found = [value for value in values if not ArgumentChecker(root).problems({"x": value})]
    assert repr(found) == repr([value for value in values if Draft202012Validator(root).is_valid({"x": value})])
