"""Numbers as the inspector writes them."""

import pytest

from bashkit_tui.texts.formatting import count, measure


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
