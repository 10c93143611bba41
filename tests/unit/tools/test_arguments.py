import pytest

from bashkit.tools import ToolArgs

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
