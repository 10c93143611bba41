"""How much work a pattern may be for ``re``, and what takes over where that is too much."""

from copy import copy
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bashkit import regex
from bashkit.errors import LimitExceededError
from bashkit.limits import Budget, ExecutionLimits
from bashkit.regex.cache import Recent
from bashkit.regex.pattern import Pattern

CHEAP = ["foo", "user[0-9]*@", "a.*b", "[a-z]+@[a-z]+", "^(ab|c)*$", "([0-9]{1,3}\\.){3}[0-9]{1,3}", "(foo|bar)x?"]
DEAR = ["a?" * 40 + "a" * 40, "(a|a)" * 40 + "b", "(aa?)" * 40 + "b", "((a*)*)*b", "(a|aa)+b", "(a{1,5}){20}b", "(a?){40}a{40}"]


@pytest.mark.parametrize("pattern", CHEAP)
def test_re_searches_a_line_of_text(pattern):
    assert regex.compile(pattern, "extended")._suits("x" * 80)


@pytest.mark.usefixtures("re2")
@pytest.mark.parametrize("pattern", DEAR)
def test_re_is_not_given_what_multiplies(pattern):
    compiled = regex.compile(pattern, "extended")
    assert not compiled._suits("a" * 40)
    assert compiled.search("a" * 39 + "x") is None


@pytest.mark.parametrize("pattern", ["user[0-9]*@", "id=([0-9]+);", "ab{0,9}[0-9]*c"])
def test_re_searches_a_long_text_where_no_run_holds_another_beginning(pattern):
    assert regex.compile(pattern, "extended")._suits("x" * 200_000)


@pytest.mark.parametrize("pattern", ["user[a-z]*@", "[0-9]+@", "ab{0,9}[0-9a]*c", "(ab|[0-9])[0-9]*c", "x(y[0-9x]*)*z"])
def test_re_is_not_given_a_long_text_where_a_run_may_hold_many_beginnings(pattern):
    assert not regex.compile(pattern, "extended")._suits("x" * 1_000_000)


@pytest.mark.parametrize("pattern", ["[ab]" * 4096 + "c", "[ab]{5000}c", ".{0,5000}c"])
def test_re_is_not_given_a_long_pattern_for_a_long_text(pattern):
    assert not regex.compile(pattern, "extended")._suits("a" * 1_000_000)


def test_a_pattern_whose_repeats_multiply_is_refused():
    with pytest.raises(regex.RegexError, match="too big"):
        regex.compile("(x{1000}){1000}", "extended")
    with pytest.raises(regex.RegexError, match="too big"):
        regex.compile("a" + "{2}" * 3000, "extended")


def test_a_pattern_that_is_too_long_is_refused():
    with pytest.raises(regex.RegexError, match="too big"):
        regex.compile("a?" * 50_000, "extended")


@pytest.mark.parametrize("pattern", ["[ab]{5000}c", "[ab]{2500,6000}c", "[ab]{5000,}c"])
def test_a_number_beyond_those_of_re2_is_written_out(pattern):
    assert regex.compile(pattern, "extended").search("x" * 20_000 + "ab" * 2500 + "c").end() == 25_001


@pytest.mark.thorough
def test_a_text_searched_in_windows_gives_the_leftmost_match():
    text = "ab" * 40_000 + "c" + "ab" * 3000 + "c"
    assert regex.compile("[ab]{2000}c", "extended").search(text).span() == (78_000, 80_001)


def test_an_automaton_that_outgrows_its_memory_is_not_run_over_a_long_text():
    text = "".join(Random(1).choices("ab", k=1_000_000))
    with pytest.raises(LimitExceededError):
        regex.compile("x*[ab]*a[ab]{250}c", "extended", budget=Budget(ExecutionLimits(timeout=0.5))).search(text)


def test_what_is_kept_has_a_weight():
    kept: Recent[str, str] = Recent(100)
    for name in "abcd":
        kept.put(name, name.upper(), 40)
    assert [kept.get(name) for name in "abcd"] == [None, None, "C", "D"]
    kept.get("c")
    kept.put("e", "E", 40)
    assert [kept.get(name) for name in "cde"] == ["C", None, "E"]
    kept.put("f", "F", 101)
    assert kept.get("f") is None


@given(
    st.sampled_from(
        [
            "ab",
            "a{2,3}b",
            r"(?<!\w)ab(?!\w)",
            r"\bb?a\b",
            "(a|bb)(a|c)$",
            "^b.a",
            r"a(?!a)",
            "[ab]{4}(?=c)",
            "b(?=a{2,3}c)",
            "(?<=ab)c(?<!bc).",
            "x",
        ]
    ),
    st.text("abc \n", max_size=400),
    st.integers(0, 400),
)
def test_windows_give_the_leftmost_match(pattern, text, position):
    compiled = regex.compile(pattern, "perl", multiline=True, budget=Budget(ExecutionLimits()))
    compiled._limit = 16 * (compiled._effort.span + 1)
    whole, found = compiled._re(text).search(text, position), compiled._patiently(text, position, "search")
    assert (found and found.span()) == (whole and whole.span())
    assert not compiled._effort.endless


@pytest.mark.parametrize("pattern", ["([0-9])([0-9]{3})($|,| )", "(,|$|;)x?", "a($|b)c*", "(x|$|y)"])
def test_the_end_decides_between_choices_as_a_character_does(pattern, monkeypatch):
    """``re`` searches by itself, and finds what the automaton, which looks for the longest match, would find."""
    usual = regex.compile(pattern, "extended")
    checked = copy(usual)
    checked._right = False
    source = Random(5)
    texts = [
        "".join(source.choice("12,; xyabc\n") for _ in range(source.randrange(12))) + "1234" * source.randrange(2)
        for _ in range(300)
    ]
    found = [match and match.span() for match in map(checked.search, texts)]
    monkeypatch.setattr(Pattern, "_slow", None)
    assert [match and match.span() for match in map(usual.search, texts)] == found
    assert any(found)


def test_a_choice_that_may_be_empty_is_not_decided_by_the_end():
    assert not regex.compile("a($|b*|bc)", "extended")._right
    assert not regex.compile("a($|,|,,)", "extended")._right
