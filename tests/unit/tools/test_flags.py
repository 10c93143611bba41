import pytest

from bashkit.tools.call.flags import FlagReader, nearest

SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string"},
        "price": {"type": "number"},
        "verbose": {"type": "boolean"},
        "user_id": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"sku": {"type": "string"}, "n": {"type": "integer"}}},
        },
        "address": {"type": "object", "properties": {"city": {"type": "string"}, "floor": {"type": "integer"}}},
        "status": {"enum": ["open", "closed", 7]},
        "nick": {"type": ["string", "null"]},
        "meta": {"anyOf": [{"type": "object"}, {"enum": [""], "type": "string"}]},
        "counts": {"anyOf": [{"type": "object", "additionalProperties": {"type": "integer"}}, {"type": "null"}]},
        "langs": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"const": "all"}]},
        "epochs": {"anyOf": [{"const": "auto"}, {"type": "integer"}]},
        "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "mixed": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
        "public": {"oneOf": [{"type": "boolean"}, {"type": "string", "enum": ["true", "false", "auto"]}]},
        "data": {},
        "point": {"$ref": "#/$defs/point"},
        "both": {
            "allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}}, {"properties": {"b": {"type": "boolean"}}}]
        },
        "rate": {"type": "number", "nullable": True},
        "active": {"type": ["boolean", "null"]},
        "names": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
        "flags": {"type": "object", "properties": {"dry": {"type": "boolean"}}},
    },
    "$defs": {"point": {"type": "object", "properties": {"x": {"type": "number"}, "next": {"$ref": "#/$defs/point"}}}},
}


def read(*words, schema=SCHEMA):
    reading = FlagReader(schema).read(list(words))
    assert reading.problems == []
    return reading.params


@pytest.mark.parametrize(
    ("words", "params"),
    [
        (["--id", "42"], {"id": 42}),
        (["--id=42"], {"id": 42}),
        (["--verbose"], {"verbose": True}),
        (["--public"], {"public": True}),
        (["--public", "false"], {"public": False}),
        (["--public", "auto"], {"public": "auto"}),
        (["--name", "Alice"], {"name": "Alice"}),
        (["--price", "9.5"], {"price": 9.5}),
        (["--other", "42"], {"other": "42"}),
        (["--name", "42"], {"name": "42"}),
        (["--name="], {"name": ""}),
        (["--name=a=b"], {"name": "a=b"}),
        ([], {}),
    ],
)
def test_s05_the_flag_table(words, params):
    assert read(*words) == params


@pytest.mark.parametrize(
    ("words", "params"),
    [
        (["--tags", "a,b"], {"tags": ["a", "b"]}),
        (["--tags", "a", "--tags", "b,c"], {"tags": ["a", "b", "c"]}),
        (["--tags", '["a,b","c"]'], {"tags": ["a,b", "c"]}),
        (["--tags="], {"tags": []}),
        (["--ids", "1, 2"], {"ids": [1, 2]}),
        (["--lines", "sku=A,n=2", "--lines", '{"sku":"B"}'], {"lines": [{"sku": "A", "n": 2}, {"sku": "B"}]}),
        (["--address", '{"city":"Oslo"}'], {"address": {"city": "Oslo"}}),
        (["--address", "city=Oslo,floor=3"], {"address": {"city": "Oslo", "floor": 3}}),
        (["--address", "city=Oslo, Norway"], {"address": {"city": "Oslo, Norway"}}),
        (["--address.city", "Oslo", "--address.floor=3"], {"address": {"city": "Oslo", "floor": 3}}),
        (["--point.next.x", "-1.5"], {"point": {"next": {"x": -1.5}}}),
        (["--both.a", "1", "--both.b"], {"both": {"a": 1, "b": True}}),
        (["--no-verbose"], {"verbose": False}),
        (["--verbose=false"], {"verbose": False}),
        (["--verbose", "false"], {"verbose": False}),
        (["--verbose", "--id", "1"], {"verbose": True, "id": 1}),
        (["--user-id", "5"], {"user_id": 5}),
        (["--id", "-5"], {"id": -5}),
        (["--price", "-.5e3"], {"price": -500.0}),
        (["--status", "7"], {"status": 7}),
        (["--status", "open"], {"status": "open"}),
        (["--nick", "null"], {"nick": None}),
        (["--limit", "null"], {"limit": None}),
        (["--limit", "3"], {"limit": 3}),
        (["--rate", "null"], {"rate": None}),
        (["--active", "null"], {"active": None}),
        (["--active", "--id", "1"], {"active": True, "id": 1}),
        (["--names", "a"], {"names": "a"}),
        (["--names", "a", "--names", "b", "--names", '["c"]'], {"names": ["a", "b", "c"]}),
        (["--pair", "1,2"], {"pair": [1, "2"]}),
        (["--no-flags.dry"], {"flags": {"dry": False}}),
        (["--mixed", "7"], {"mixed": 7}),
        (["--mixed", "007"], {"mixed": "007"}),
        (["--meta", "k=v", "--meta", "l=w"], {"meta": {"k": "v", "l": "w"}}),
        (["--meta", ""], {"meta": ""}),
        (["--counts", "a=1", "--counts.b", "2"], {"counts": {"a": 1, "b": 2}}),
        (["--langs", "en,de"], {"langs": ["en", "de"]}),
        (["--langs", "all"], {"langs": "all"}),
        (["--epochs", "auto"], {"epochs": "auto"}),
        (["--epochs", "3"], {"epochs": 3}),
        (["--data", '{"file":"x.pdf"}'], {"data": {"file": "x.pdf"}}),
        (["--data", "0"], {"data": 0}),
        (["--data", '""'], {"data": ""}),
        (["--data", "plain"], {"data": "plain"}),
        (['{"id":1,"tags":["a"]}'], {"id": 1, "tags": ["a"]}),
        (["--name", "--- title"], {"name": "--- title"}),
        (["--name=--id"], {"name": "--id"}),
        (["--flag", "--id", "1"], {"flag": True, "id": 1}),
        (["--id", "1", "--id", "2"], {"id": 2}),
        (["--id", "42.0"], {"id": 42}),
        (["--id", "abc"], {"id": "abc"}),
    ],
)
def test_s06_beyond_the_table(words, params):
    assert read(*words) == params


def test_s06_a_parameter_that_additional_properties_describe_is_typed_by_them():
    schema = {"properties": {"id": {"type": "integer"}}, "additionalProperties": {"type": "integer"}}
    assert read("--id", "1", "--other", "5", schema=schema) == {"id": 1, "other": 5}


REQUIRED = {**SCHEMA, "required": ["name", "id"]}


@pytest.mark.parametrize(
    ("words", "params"),
    [
        (["1", "Ann"], {"id": 1, "name": "Ann"}),  # schema order, not the order of "required"
        (["--id", "1", "Ann"], {"id": 1, "name": "Ann"}),
        (["7", "--", "--id"], {"id": 7, "name": "--id"}),
        (["-7", "Ann"], {"id": -7, "name": "Ann"}),
    ],
)
def test_s06_positional_words_are_the_required_properties_in_schema_order(words, params):
    assert read(*words, schema=REQUIRED) == params


def test_s06_a_required_array_takes_the_remaining_words():
    schema = {
        "properties": {"to": {"type": "string"}, "ids": {"type": "array", "items": {"type": "integer"}}},
        "required": ["to", "ids"],
    }
    assert read("x", "1", "2,3", schema=schema) == {"to": "x", "ids": [1, 2, 3]}


def test_s06_an_object_is_the_first_parameter_when_it_names_no_property():
    schema = {"properties": {"data": {}}, "required": ["data"]}
    assert read('{"file":"x.pdf"}', schema=schema) == {"data": {"file": "x.pdf"}}
    assert read('{"data":1}', schema=schema) == {"data": 1}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--id"], "--id needs a value: expected integer"),
        (["--status", "--verbose"], "--status needs a value: expected one of open, closed, 7"),
        (["stray"], "unexpected argument 'stray': parameters are written --name value"),
        (["-v"], "unknown option -v: parameters are written --name value"),
        (["--no-verbose=1"], "--no-verbose takes no value"),
        (["--tags", "[1,"], "--tags: not valid JSON for an array"),
        (["--address", "Oslo"], "--address: expected a JSON object or key=value pairs"),
    ],
)
def test_problems_of_the_command_line_itself(words, problem):
    problems = FlagReader(SCHEMA).read(words).problems
    assert len(problems) == 1
    assert problems[0].startswith(problem)


def test_a_misspelled_flag_is_kept_and_warned_about():
    reading = FlagReader(SCHEMA).read(["--statsu", "open"])
    assert reading.params == {"statsu": "open"}
    assert reading.warnings == ["--statsu is not a parameter (did you mean --status?)"]


@pytest.mark.parametrize(
    ("flag", "meant"),
    [
        ("page_size_of_all_results", "page_size"),
        ("the_largest_limit", "limit"),
        ("of_the_id", "id"),
        ("of_the_x", None),
        ("limit_of_the_page_size", None),
    ],
)
def test_a_flag_that_begins_or_ends_with_one_name_means_it(flag, meant):
    assert nearest(flag, ["page_size", "limit", "id", "x"]) == meant


@pytest.mark.parametrize(("word", "value"), [("true", True), ("false", False), ("TRUE", "TRUE"), ("yes", "yes"), ("1", "1")])
def test_where_strings_are_allowed_only_json_is_a_boolean(word, value):
    assert read("--level", word, schema={"properties": {"level": {"type": ["boolean", "string"]}}}) == {"level": value}


def test_the_short_flag_of_a_file_that_gets_the_output():
    schema = {"properties": {"id": {"type": "integer"}, "output_file": {"type": "string"}}}
    assert read("-o", "report.json", "--id", "3", schema=schema) == {"output_file": "report.json", "id": 3}
    assert FlagReader({"properties": {"id": {"type": "integer"}}}).read(["-o", "3"]).problems[0].startswith("unknown option -o")


def test_deep_json_and_deep_dots_do_not_overflow():
    deep = "[" * 100_000
    assert read("--data", deep) == {"data": deep}
    name = "point" + ".next" * 200
    assert list(read(f"--{name}", "1")) == [name]


REST = {
    "type": "object",
    "properties": {"data": {}, "args": {"type": "array", "items": {"type": "string"}}},
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("words", "params"),
    [
        ([], {}),
        (["a.pdf", "-v", "--pages", "2"], {"args": ["a.pdf", "-v", "--pages", "2"]}),
        (["a.pdf", "--data", "[1]", "b"], {"args": ["a.pdf", "b"], "data": [1]}),
        (["--", "--data", "1", "--", "2"], {"args": ["--data", "1", "--", "2"]}),
        (["run", "--", "cmd", "--data", "1"], {"args": ["run", "--", "cmd", "--data", "1"]}),
        (["--"], {}),
        (["--dat", "x"], {"args": ["--dat", "x"]}),
        (["--args", "x", "y"], {"args": ["x", "y"]}),
        (['{"data": {"a": 1}}'], {"data": {"a": 1}}),
        (['{"a": 1}'], {"args": ['{"a": 1}']}),
        (["", "-", "--no-data"], {"args": ["", "-", "--no-data"]}),
    ],
)
def test_k03_the_parameter_rest_takes_all_words_that_are_no_flags_of_others(words, params):
    reading = FlagReader(REST, "args").read(words)
    assert (reading.params, reading.problems, reading.warnings) == (params, [], [])
