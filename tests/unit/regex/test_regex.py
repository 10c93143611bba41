"""Regular expressions: POSIX and GNU semantics, messages, and what would not end."""

import re

import pytest

from bashkit import regex
from bashkit.errors import LimitExceededError
from bashkit.limits import Budget, ExecutionLimits

# dialect, pattern, text, what it matches (None: nothing), groups
SEARCHES = [
    ("extended", "a|ab", "ab", "ab", ()),
    ("extended", "(a|ab)(c|bcd)(d*)", "abcd", "abcd", ("a", "bcd", "")),
    ("extended", "(foo|foobar)(bar)?", "foobar", "foobar", ("foo", "bar")),
    ("extended", "(a?)(ab)?", "ab", "ab", ("", "ab")),
    ("extended", "(x|xy|y|z)*", "xyz", "xyz", ("z",)),
    ("extended", "(a*)*", "aaa", "aaa", ("aaa",)),
    ("extended", "(a)|(b)", "a", "a", ("a", None)),
    ("extended", "(a)\\1", "baa", "aa", ("a",)),
    ("extended", "a{2}", "caaa", "aa", ()),
    ("extended", "a{,2}b", "aaab", "aab", ()),
    ("extended", "a**b", "aab", "aab", ()),
    ("extended", "a+?b", "ab", "ab", ()),
    ("extended", "a^b", "a^b", None, ()),
    ("extended", "(^a)b", "ab", "ab", ("a",)),
    ("extended", "a)", "a)", "a)", ()),
    ("extended", "[]a]+", "x]a", "]a", ()),
    ("extended", "[^]a]", "]ax", "x", ()),
    ("extended", "[[:digit:]]+", "ab12", "12", ()),
    ("extended", "[[:alpha:]]+", "1éa", "éa", ()),
    ("extended", "[\\n]", "\\", "\\", ()),
    ("extended", "[a-]", "-", "-", ()),
    ("extended", "\\w+", "-foo_1-", "foo_1", ()),
    ("extended", "\\<b", "ab b", "b", ()),
    ("extended", "a.b", "a\nb", "a\nb", ()),
    ("extended", "^b", "a\nb", None, ()),
    ("extended", "x*", "a", "", ()),
    ("extended", "()", "a", "", ("",)),
    ("extended", "\\.", "a.b", ".", ()),
    ("extended", "[[=a=]b]", "b", "b", ()),
    ("extended", ".", "é", "é", ()),
    ("extended", "é+", "aéé", "éé", ()),
    ("extended", "(é|éa)x", "éax", "éax", ("éa",)),
    ("basic", "a+b", "a+b", "a+b", ()),
    ("basic", "a\\+b", "aab", "aab", ()),
    ("basic", "a\\|b", "b", "b", ()),
    ("basic", "*a", "*a", "*a", ()),
    ("basic", "\\(*a\\)", "*a", "*a", ("*a",)),
    ("basic", "^*a", "*a", "*a", ()),
    ("basic", "a^b$c", "a^b$c", "a^b$c", ()),
    ("basic", "\\(a\\)\\1", "aa", "aa", ("a",)),
    ("basic", "a\\{2,3\\}", "aaaa", "aaa", ()),
    ("basic", "a{2}", "a{2}", "a{2}", ()),
    ("basic", "\\(^a\\|b$\\)", "cb", "b", ("b",)),
    ("perl", "a|ab", "ab", "a", ()),
    ("perl", "a+?", "aa", "a", ()),
    ("perl", "\\d{2,}", "a123", "123", ()),
    ("perl", "foo\\Kbar", "foobar", "bar", ()),
    ("perl", "(?<=a)b", "cbab", "b", ()),
    ("perl", "a(?!b).", "abac", "ac", ()),
    ("perl", "(?<y>a)\\k<y>", "aa", "aa", ("a",)),
    ("perl", "\\Qa.b\\E+", "a.bb", "a.bb", ()),
    ("perl", "(?i)ab", "AB", "AB", ()),
    ("perl", "[\\w.]+@", "x a.b@", "a.b@", ()),
    ("perl", "\\x41\\x{e9}", "Aé", "Aé", ()),
    ("perl", "(?>a*)b", "aab", "aab", ()),
    ("perl", "a++b", "aab", "aab", ()),
    ("perl", "[^\\d\\s]+", "1 ab", "ab", ()),
    ("perl", "(?:ab){2}", "abab", "abab", ()),
    ("fixed", "a.b*", "xa.b*", "a.b*", ()),
]


@pytest.mark.parametrize(("dialect", "pattern", "text", "found", "groups"), SEARCHES)
def test_search(dialect, pattern, text, found, groups):
    match = regex.compile(pattern, dialect).search(text)
    assert (match and match.group()) == found
    if match is not None:
        assert match.groups() == groups


MISTAKES = [
    ("extended", "(a", "Unmatched ( or \\("),
    ("extended", "[a", "Unmatched [, [^, [:, [., or [="),
    ("extended", "a\\", "Trailing backslash"),
    ("extended", "*a", "Invalid preceding regular expression"),
    ("extended", "a|*b", "Invalid preceding regular expression"),
    ("extended", "a{1,0}", "Invalid content of \\{\\}"),
    ("extended", "a{1a}", "Invalid content of \\{\\}"),
    ("extended", "a{99999}", "Regular expression too big"),
    ("extended", "[b-a]", "Invalid range end"),
    ("extended", "[[:foo:]]", "Invalid character class name"),
    ("extended", "[[.foo.]]", "Invalid collation character"),
    ("extended", "a\\1", "Invalid back reference"),
    ("extended", "(a)|b\\1", "Invalid back reference"),
    ("basic", "\\(a", "Unmatched ( or \\("),
    ("basic", "a\\)", "Unmatched ) or \\)"),
    ("basic", "a\\{1", "Unmatched \\{"),
    ("perl", "(a", "missing closing parenthesis"),
    ("perl", "a)", "unmatched closing parenthesis"),
    ("perl", "[a", "missing terminating ] for character class"),
    ("perl", "*a", "quantifier does not follow a repeatable item"),
    ("perl", "a**", "quantifier does not follow a repeatable item"),
    ("perl", "\\1", "reference to non-existent subpattern"),
    ("extended", "(" * 5000 + ")" * 5000, "Regular expression too big"),
]


@pytest.mark.parametrize(("dialect", "pattern", "message"), MISTAKES)
def test_a_wrong_pattern_is_refused_in_the_words_of_gnu(dialect, pattern, message):
    with pytest.raises(regex.RegexError) as caught:
        regex.compile(pattern, dialect).search("")
    assert caught.value.message == message


def test_ignore_case_and_multiline():
    assert regex.compile("^ab$", "basic", ignore_case=True, multiline=True).search("x\nAB\ny").span() == (2, 4)
    assert regex.compile("[a-c]x", "extended", ignore_case=True).search("BX").group() == "BX"


def test_no_empty_match_where_another_has_just_ended():
    spans = [match.span() for match in regex.compile("b*", "basic").finditer("abc")]
    assert spans == [(0, 0), (1, 2), (3, 3)]


def test_undecodable_bytes_are_kept():
    match = regex.compile("(a|ab)(\udcff*)b", "extended").search("a\udcff\udcffb")
    assert match.groups() == ("a", "\udcff\udcff")


HOSTILE = ["(a+)+$", "(a+)+b", "(a|aa)*b", "(.*)*x", "a*a*a*a*b", "(a*)*b", ".*a.*b.*c", "(a|a)*$", "[a-z]+[0-9]+x", "((a*)+)+b"]


@pytest.mark.usefixtures("re2")
@pytest.mark.parametrize("pattern", HOSTILE)
def test_a_hostile_pattern_is_linear(pattern):
    found = regex.compile(pattern, "extended").search("a" * 50_000)  # which would never end otherwise
    assert (found is None) == (re.search(pattern, "a" * 8) is None)


@pytest.mark.parametrize(("dialect", "pattern"), [("extended", r"(a*)*\1b"), ("perl", "(a+)+(?=b)"), ("perl", "(?=(a|aa)*b)")])
def test_a_hostile_pattern_that_re2_does_not_know_ends_with_a_limit(dialect, pattern):
    budget = Budget(ExecutionLimits(timeout=0.2))
    with pytest.raises(LimitExceededError):
        regex.compile(pattern, dialect, budget=budget).search("a" * 50_000)


def test_the_backtracking_matcher_agrees_with_re_on_what_both_can_do():
    pattern = regex.compile(r"(a|b)+?(c)\2(?!d)[x-z]{2,}", "perl")
    text = "abccxyz"
    slow = pattern._backtrack(text, 0, "search")
    assert (slow.group(), slow.groups()) == (pattern.search(text).group(), pattern.search(text).groups())
