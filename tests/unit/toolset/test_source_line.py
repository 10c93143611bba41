"""The source line of a problem and its caret, in columns of a terminal."""

import pytest

from bashkit.toolset.text.source_line import source_line


@pytest.mark.parametrize(
    ("source", "mark", "room", "expected"),
    [
        ("name: x", "x", 40, ("name: x", 6, 1)),
        ("\tname: x", "name", 40, ("    name: x", 4, 4)),
        ("説明: 日本", "日本", 40, ("説明: 日本", 6, 4)),
        ("a: 1, bad: 2, c: 3, d: 4", "bad", 12, ("…1, bad: 2,…", 4, 3)),
        ("説明説明説明説明bad説明", "bad", 12, ("…明説明bad…", 7, 3)),
        ("bad: 2, c: 3, d: 4", "bad", 12, ("bad: 2, c: …", 0, 3)),
        ("a: 1, " + "b" * 30, "b" * 30, 12, ("…1, bbbbbbb…", 4, 8)),
    ],
)
def test_the_caret_stands_under_the_mistake(source, mark, room, expected):
    assert source_line(source, source.index(mark) + 1, len(mark), room) == expected
