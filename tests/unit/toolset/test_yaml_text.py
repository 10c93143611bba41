"""The YAML that is written: what PyYAML would write in the same style, and what reads back as the same value."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bashkit.toolset.text.document import read
from bashkit.toolset.text.scalars import plain
from bashkit.toolset.text.yaml_text import YamlWriter, yaml_text

WORDS = (
    "a", "word", "the", "-", "--", "---", "...", "?", "?x", ",", ":", ":x", "x:", "#", "#x", "x#y", "a: b", "é", "日本", "\t", "\n",
    "\n\n", " ", "  ", "null", "~", "true", "12", "1e5", "0x1F", ".5", "'", '"', "it's", "{", "}", "[a]", "a,b", "&x", "*x", "!x",
    "%", "@", "`", "|", ">", "\x07", "\ufeff", "\U0001f600", "longword" * 5, "x" * 130, "/path/{id}", "$ref", "(deprecated)", "Yes",
    "no", "2001-01-01", "=", "\\n", "a\n\nb\n", "a \nb", "\r\n",
)  # fmt: skip
ODD = ("<<", "\x85", "\u2028", "x\u2029y")  # PyYAML writes these so that they are read as something else


def texts(words):
    return st.builds(str.join, st.sampled_from([" ", " ", "", "\n"]), st.lists(st.sampled_from(words), max_size=30))


def values(words):
    """Objects of JSON, some of them deep inside others."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts(words)
    inside = st.recursive(
        scalars,
        lambda part: st.lists(part, max_size=4) | st.dictionaries(texts(words), part, max_size=4),
        max_leaves=12,
    )
    return st.builds(deeper, st.dictionaries(texts(words), inside, max_size=4), st.sampled_from([0, 0, 3, 20, 25]))


def deeper(value, levels):
    for level in range(levels):
        value = {"key" * (level % 4 + 1): value} if level % 3 else {"list": [value]}
    return value


class Dumper(yaml.SafeDumper):
    """PyYAML in the same style."""

    def increase_indent(self, flow=False, indentless=False):
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data):
        return True

    def resolve(self, kind, value, implicit):
        if kind is not yaml.ScalarNode or not implicit[0]:
            return super().resolve(kind, value, implicit)
        try:
            read_as = type(plain(value))
        except ValueError:
            return None
        names = {str: "str", bool: "bool", int: "int", float: "float", type(None): "null"}
        return f"tag:yaml.org,2002:{names[read_as]}"


def represent_text(dumper, text):
    lines = text.split("\n")
    block = len(lines) > 1 and all(line == line.rstrip() for line in lines) and "\t" not in text
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if block else None)


def represent_list(dumper, items):
    short = not any(isinstance(item, (list, dict)) for item in items) and sum(len(str(item)) + 2 for item in items) <= 80
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


Dumper.add_representer(str, represent_text)
Dumper.add_representer(list, represent_list)


def as_pyyaml(value):
    """Without the end of the document, which PyYAML marks after some texts."""
    text = yaml.dump(value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120, default_flow_style=False)
    return text.removesuffix("...\n") if text.endswith("\n...\n") else text


@given(st.lists(values(WORDS), max_size=3))
def test_it_is_what_pyyaml_writes(written):
    writer = YamlWriter()
    assert [writer.text(value) for value in written] == [as_pyyaml(value) for value in written]


@given(values(WORDS + ODD))
def test_it_is_read_back_as_the_same_value(value):
    document = read(yaml_text(value), "t.yaml")
    assert document.problems == []
    assert document.value == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([], "[]\n"),
        ([{}, []], "- {}\n- []\n"),
        ([[["a"], {"b": 1}]], "- - [a]\n  - b: 1\n"),
        ({"a" * 123: {"b": 1}}, f"? {'a' * 123}\n: b: 1\n"),
        ({"<<": {"a": 1}}, "'<<':\n  a: 1\n"),
        ({"a": "one\u2028two"}, 'a: "one\\Ltwo"\n'),
        ({"a": ("x", "y")}, "a: [x, y]\n"),
    ],
)
def test_shapes(value, text):
    assert yaml_text(value) == text


def test_what_json_does_not_have_is_refused():
    with pytest.raises(TypeError, match="JSON has no set"):
        yaml_text({"a": {1, 2}})
