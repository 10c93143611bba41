import json
from collections.abc import Mapping

import pytest

from bashkit.tools import ToolArgs
from bashkit.tools.define.result import convert

ARGS = ToolArgs({"s": "x", "i": 7, "f": 1.5, "b": True, "n": None, "big": 1 << 63, "huge": 10**400}, stdin="in")


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("param_str", {"s": "x"}),
        ("param_i64", {"i": 7}),
        ("param_f64", {"i": 7.0, "f": 1.5, "big": float(1 << 63)}),
        ("param_bool", {"b": True}),
    ],
)
def test_s03_typed_access_is_none_for_another_type(method, expected):
    for key in [*ARGS, "absent"]:
        assert getattr(ARGS, method)(key) == expected.get(key), key


def test_s03_index_get_and_in():
    assert ARGS["s"] == "x"
    assert ARGS.get("absent", 3) == 3
    assert "i" in ARGS
    with pytest.raises(KeyError):
        ARGS["absent"]


def test_the_arguments_are_a_mapping():
    given = {"id": 1, "items": ["a"], "values": 2}
    args = ToolArgs(given, stdin="in")
    assert isinstance(args, Mapping)
    assert dict(args) == {**args} == given == args
    assert args != {"id": 1}
    assert args != 1
    assert args == ToolArgs(given, stdin="in") != ToolArgs(given)
    assert json.dumps(dict(args)) == json.dumps(given)
    assert (len(args), list(args), list(args.keys())) == (3, ["id", "items", "values"], ["id", "items", "values"])
    assert list(args.values()) == [1, ["a"], 2]
    assert (args["items"], dict(args.items())) == (["a"], given)
    assert convert(args).stdout == '{"id":1,"items":["a"],"values":2}\n'


def test_the_arguments_match_as_a_mapping_and_have_no_hash():
    match ToolArgs({"id": 1, "name": "Ada"}):
        case {"id": number, **rest}:
            assert (number, rest) == (1, {"name": "Ada"})
    with pytest.raises(TypeError):
        hash(ToolArgs())
