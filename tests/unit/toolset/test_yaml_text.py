"""The YAML that is written is read back as the same value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bashkit.toolset.text.document import read
from bashkit.toolset.text.yaml_text import yaml_text

WORDS = (
    "a", "word", "-", "--", "---", "...", "?", "?x", ",", ":", ":x", "x:", "#", "#x", "x#y", "a: b", "é", "日本", "\t", "\n", "\n\n",
    " ", "  ", "null", "~", "true", "12", "1e5", "0x1F", ".5", "'", '"', "it's", "{", "}", "[a]", "a,b", "&x", "*x", "!x", "%", "@",
    "`", "|", ">", "\x07", "\ufeff", "\U0001f600", "x" * 130, "/path/{id}", "Yes", "2001-01-01", "=", "\\n", "\r\n", "<<", "\x85",
    "\u2028", "x\u2029y",
)  # fmt: skip
TEXTS = st.builds(str.join, st.sampled_from([" ", " ", "", "\n"]), st.lists(st.sampled_from(WORDS), max_size=30))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(SCALARS, lambda part: st.lists(part, max_size=4) | st.dictionaries(TEXTS, part, max_size=4), max_leaves=12)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_it_is_read_back_as_the_same_value(value):
    document = read(yaml_text(value), "t.yaml")
    assert document.problems == []
    assert document.value == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"<<": "<<"}, "'<<': '<<'\n"),
        ({"a": "x\u2029y"}, 'a: "x\\Py"\n'),
        ({"a": ["b", 1, None]}, "a: [b, 1, null]\n"),
        ({"a": ["b" * 50, "c" * 50]}, f"a:\n  - {'b' * 50}\n  - {'c' * 50}\n"),
        ({"a": "b\nc\n", "yes": "no", "n": "1", "f": "1.0"}, "a: |\n  b\n  c\nyes: no\nn: '1'\nf: '1.0'\n"),
    ],
)
def test_it_is_written_as_a_person_would(value, text):
    assert yaml_text(value) == text
