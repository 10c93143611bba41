"""Appending an item to a list of a toolset file: what is there stays as it is, to the byte."""

import pytest

from bashkit.errors import ToolsetError
from bashkit.toolset.text import document as documents
from bashkit.toolset.writing.appending import with_item

TESTS = ("tests",)
ITEM = {"name": "n", "script": "a\nb\n"}
WRITTEN = "- name: n\n  script: |\n    a\n    b\n"


def indented(text, spaces):
    return "".join(f"{' ' * spaces}{line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("version: 1\n", "version: 1\n\ntests:\n" + indented(WRITTEN, 2), id="no-list"),
        pytest.param("tests:\n  - name: a\n", "tests:\n  - name: a\n" + indented(WRITTEN, 2), id="at-the-end"),
        pytest.param("tests:\n  - name: a", "tests:\n  - name: a\n" + indented(WRITTEN, 2), id="no-newline"),
        pytest.param("tests:\n- name: a # x\nz: 1\n", "tests:\n- name: a # x\n" + WRITTEN + "z: 1\n", id="not-indented"),
        pytest.param(
            "tests:\n  -   name: a\n      script: x\n", "tests:\n  -   name: a\n      script: x\n  -   name: n\n      script: |\n        a\n        b\n", id="wide-hyphen"
        ),
        pytest.param(
            "tests:\n  - name: a\n\n  - name: b\n\n# of z\nz: 1\n",
            "tests:\n  - name: a\n\n  - name: b\n\n" + indented(WRITTEN, 2) + "\n# of z\nz: 1\n",
            id="blank-lines-between",
        ),
        pytest.param(
            "tests:\n  - script: |\n      x\n      # last\n\nz: 1\n",
            "tests:\n  - script: |\n      x\n      # last\n" + indented(WRITTEN, 2) + "\nz: 1\n",
            id="comment-in-a-script",
        ),
        pytest.param("tests: [] # none\n", 'tests: [{"name":"n","script":"a\\nb\\n"}] # none\n', id="empty"),
        pytest.param("tests: [{name: a}]\n", 'tests: [{name: a}, {"name":"n","script":"a\\nb\\n"}]\n', id="brackets"),
        pytest.param("tests: [\n  {name: a}\n]\n", 'tests: [\n  {name: a}, {"name":"n","script":"a\\nb\\n"}\n]\n', id="long-brackets"),
        pytest.param("tests:\r\n  - name: a\r\n", "tests:\r\n  - name: a\r\n" + indented(WRITTEN, 2).replace("\n", "\r\n"), id="crlf"),
    ],
)  # fmt: skip
def test_an_item_is_appended(before, after):
    assert with_item(documents.read(before, "t.yaml"), TESTS, ITEM) == after


def test_a_list_inside_a_tool_is_extended_or_made():
    text = "tools:\n  - name: a\n    stubs:\n      - value: 1\n    effects: read\n  # b\n  - name: b\n"
    once = with_item(documents.read(text, "t.yaml"), ("tools", 0, "stubs"), {"value": 2})
    assert once == text.replace("value: 1\n", "value: 1\n      - value: 2\n")
    twice = with_item(documents.read(once, "t.yaml"), ("tools", 1, "stubs"), {"value": 3})
    assert twice == once + "    stubs:\n      - value: 3\n"


def test_a_list_that_stands_elsewhere_is_left_alone():
    text = "x-a: &a\n  - name: a\ntests: *a\n"
    with pytest.raises(ToolsetError, match="position"):
        with_item(documents.read(text, "t.yaml"), TESTS, ITEM)


def test_an_item_may_be_text():
    text = "examples:\n  - command: a\n"
    assert with_item(documents.read(text, "t.yaml"), ("examples",), "b: c") == text + "  - 'b: c'\n"
