"""Numbers and JSON as the inspector writes them."""

import pytest

from bashkit_tui.texts.formatting import count, measure
from bashkit_tui.texts.json_forms import indented_json


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (count(1, "tool"), "1 tool"),
        (count(50_000_000, "command"), "50\u202f000\u202f000 commands"),
        (measure("x" * 4000, 5000), "4\u202f000 of 5\u202f000 characters, about 1\u202f000 tokens"),
    ],
)
def test_numbers_are_grouped_by_threes(text, written):
    assert text == written


@pytest.mark.parametrize("text", ['{"a":[1,"é"]}', '{"a": [1, "\\u00e9"]}\n', '{"a": [1, "é"]}'])
def test_a_document_on_one_line_is_indented(text):
    assert indented_json(text) == '{\n  "a": [\n    1,\n    "é"\n  ]\n}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        '"a"',
        "[]",
        "{}\n",
        "[1]\n[2]\n",
        "[1.50]",
        "[1e400]",
        "[NaN]",
        "[1] 2",
        "[" * 200 + "]" * 200,
        "[" * 9999 + "]" * 9999,
    ],
)
def test_any_other_text_stays(text):
    assert indented_json(text) == ""
