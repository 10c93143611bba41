"""Shell patterns: what they match, what ${x#…}, ${x%…} and ${x/…} take, and that hostile ones end soon."""

import pytest

from bashkit.regex.glob import compile_glob

MATCHES = [
    ("", ""), ("abc", "abc"), ("a?c", "abc"), ("a*c", "ac"), ("a*c", "abbc"), ("*", ""), ("*.txt", "x.txt"), ("a*", "a/b"),
    ("[ab]", "b"), ("[!ab]", "c"), ("[^ab]", "c"), ("[]a]", "]"), ("[]a]", "a"), ("[!]a]", "x"), ("[a-c]x", "bx"),
    ("[a-]", "-"), ("[[:digit:]]*", "7up"), ("[[:alpha:][:digit:]]", "7"), ("[[:alpha:]]", "é"), ("[[=b=]]", "b"),
    ("[[.hyphen.]]", "-"), ("[[.a.]-c]", "b"), (r"\*", "*"), (r"a\?", "a?"), (r"[\]]", "]"), ("[ab", "[ab"), ("[!]", "[!]"),
    ("?", "\n"), ("a\\", "a\\"), ("[+--]", "-"), ("?", "é"), ("?", "\udcff"), ("@(a|ab)@(b|)", "ab"), ("+()", ""),
    (r"a\|b", "a|b"), ("a!(X)b", "aYb"), ("a!(X)b", "ab"), ("!(*.c)", "x.h"), ("*(ab|c)", "abcab"), ("?(a)b", "b"),
    ("+([0-9])", "123"), ("!(a|b)", "c"), ("@(a|!(b))", "a"), ("*.@(jpg|png)", "x.png"), ("@(a", "@(a"), ("*+(a)*(b)", "aab"),
]  # fmt: skip
REFUSALS = [
    ("", "a"), ("a", ""), ("a?c", "ac"), ("[!a]", "a"), ("[c-a]", "b"), ("*.txt", "x.txt2"), ("[[:foo:]]", "f"), ("A", "a"),
    ("a!(X)b", "aXb"), ("!(*.c)", "x.c"), ("+(a)", ""), ("@(a|b)", "ab"), ("+([0-9])", "12a"), ("!(*)", "x"), ("?", "ab"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "text"), MATCHES)
def test_matches(pattern, text):
    assert compile_glob(pattern).matches(text)


@pytest.mark.parametrize(("pattern", "text"), REFUSALS)
def test_does_not_match(pattern, text):
    assert not compile_glob(pattern).matches(text)


def test_without_extglob_the_operators_are_literal():
    assert compile_glob("@(a)", extglob=False).matches("@(a)")
    assert not compile_glob("@(a)", extglob=False).matches("a")


@pytest.mark.parametrize(("pattern", "text"), [("aBc", "AbC"), ("[a-c]*", "BX"), ("@(foo|bar)", "FOO")])
def test_ignore_case(pattern, text):
    assert compile_glob(pattern, ignore_case=True).matches(text)


# pattern, text, shortest prefix, longest prefix, shortest suffix, longest suffix
CUTS = [
    ("*.", "a.b.c", 2, 4, None, None),
    (".*", "a.b.c", None, None, 2, 4),
    ("*", "abc", 0, 3, 0, 3),
    ("a", "aba", 1, 1, 1, 1),
    ("?", "é", 1, 1, 1, 1),
    ("*(f|o)", "foox", 0, 3, 0, 0),
    ("+(o|x)", "foox", None, None, 1, 3),
    (".!(gz)", "foo.tar.gz", None, None, 7, 7),
    ("a*b", "a1b2b", 3, 5, 5, 5),
    ("x", "", None, None, None, None),
]


@pytest.mark.parametrize(("pattern", "text", "short_prefix", "long_prefix", "short_suffix", "long_suffix"), CUTS)
def test_prefix_and_suffix(pattern, text, short_prefix, long_prefix, short_suffix, long_suffix):
    matcher = compile_glob(pattern)
    assert matcher.prefix(text, False) == short_prefix
    assert matcher.prefix(text, True) == long_prefix
    assert matcher.suffix(text, False) == short_suffix
    assert matcher.suffix(text, True) == long_suffix


# As ${x//pattern/-} prints in bash 5.2.
REPLACEMENTS = [
    ("b*", "abcabc", "a-"), ("[ac]", "abcabc", "-b--b-"), ("*", "", "-"), ("*", "abc", "-"), ("a", "banana", "b-n-n-"),
    ("an", "banana", "b--a"), ("x", "abc", "abc"), ("a*n", "banana", "b-a"), ("?", "ab", "--"), ("?", "", ""),
    ("*(z)", "abc", "-a-b-c"), ("?(b)", "abc", "-a--c"), ("*(z)", "zzabczz", "--a-b-c-"), ("*(z)", "", "-"),
    ("+([0-9])", "a12b3", "a-b-"), ("@(ab|a)", "aba", "--"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "text", "expected"), REPLACEMENTS)
def test_replacement(pattern, text, expected):
    result, position = "", 0
    for start, end in compile_glob(pattern).finditer(text):
        result += text[position:start] + "-"
        position = end
    assert result + text[position:] == expected


@pytest.mark.parametrize("pattern", ["*a*a*a*a*a*b", "+(a|aa)b", "+(+(a))b", "*!(b)b", "a*b", "*(*(a)|aa)b"])
def test_a_hostile_pattern_ends(pattern):
    text = "a" * 50_000
    matcher = compile_glob(pattern)
    assert not matcher.matches(text)
    assert list(matcher.finditer(text)) == []


def test_groups_nested_too_deep_are_literal():
    pattern = "@(" * 5000 + "a" + ")" * 5000
    assert compile_glob(pattern).matches("x") is False
