"""Patterns that are matched piece by piece agree with the regular expressions, whatever the text."""

import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bashkit import Bash, ExecutionLimits
from bashkit.errors import LimitExceededError
from bashkit.limits import Budget
from bashkit.regex import glob, segments

PATTERNS = st.lists(st.sampled_from(["a", "b", "é", "?", "*", "[ab]", "[!a]"]), max_size=8).map("".join)
TEXTS = st.text("abcé\n", max_size=20)


@given(PATTERNS, TEXTS, st.booleans())
def test_they_find_what_the_regular_expressions_find(pattern, text, ignore_case):
    def everything():
        matcher = glob.compile_glob.__wrapped__(pattern, ignore_case=ignore_case)
        return (
            matcher.matches(text),
            matcher.prefix(text, True),
            matcher.prefix(text, False),
            matcher.suffix(text, True),
            matcher.suffix(text, False),
            list(matcher.finditer(text)),
        )

    expected = everything()
    with patch.object(glob, "_EASY", -1), patch.object(segments, "_WINDOW", 3):
        assert everything() == expected


@given(PATTERNS)
def test_a_long_pattern_is_read_like_a_short_one(pattern):
    budget = Budget(ExecutionLimits())
    read = glob.compile_long_glob(pattern, budget)
    for text in ("", "a", "ab", "aab", "bé", "abc"):
        assert read.matches(text) == glob.compile_glob(pattern).matches(text)


def test_a_search_asks_for_its_time():
    matcher = glob.compile_long_glob("*" + "[ab]" * 10_000 + "c*", Budget(ExecutionLimits()))
    budget = Budget(ExecutionLimits(timeout=0.001))
    with pytest.raises(LimitExceededError):
        matcher.matches("a" * 1_000_000, budget)


@pytest.mark.thorough
def test_long_patterns_are_not_kept():
    script = 'x=$(head -c 100000 /dev/zero | tr "\\0" a); for i in {1..50}; do [[ $i == *$x$i? ]]; done'
    assert Bash().execute_sync(script).error is None
    assert glob.compile_glob("a" * 10_000) is not glob.compile_glob("a" * 10_000)
    assert not any(len(key) > 10_000 for key in map(str, re._cache))


@pytest.mark.parametrize("parts", [1, 2, 63, 64, 65, 1000])
def test_a_long_row_of_sets(parts):
    pattern = "*" + "[ab]" * parts + "c*"
    for text, found in (("b" * parts + "c", True), ("x" + "a" * (parts + 3) + "cd", True), ("a" * (parts - 1) + "c", False)):
        assert Bash().execute_sync(f"[[ {text} == {pattern} ]]").exit_code == (not found), text
        assert glob.compile_long_glob(pattern, Budget(ExecutionLimits())).matches(text, None) == found
