"""tr: translating, squeezing and deleting; expectations recorded from the GNU program."""

import pytest

# words, standard input, standard output, standard error, status
CASES = [
    (["tr", "a-z", "A-Z"], "hello\n", "HELLO\n", "", 0),
    (["tr", "abc", "x"], "aabbcc\n", "xxxxxx\n", "", 0),
    (["tr", "abc", "xy"], "abcabc\n", "xyyxyy\n", "", 0),
    (["tr", "-d", "l"], "hello\n", "heo\n", "", 0),
    (["tr", "-s", "l"], "hello  ll\n", "helo  l\n", "", 0),
    (["tr", "-s", "a-z"], "aabbccdd\n", "abcd\n", "", 0),
    (["tr", "-cd", "0-9"], "a1b2\n", "12", "", 0),
    (["tr", "-c", "a-z", "_"], "a1b2\n", "a_b__", "", 0),
    (["tr", "-dc", "0-9\\n"], "a1b2\n", "12\n", "", 0),
    (["tr", "[:lower:]", "[:upper:]"], "hello\n", "HELLO\n", "", 0),
    (["tr", "[:upper:]", "[:lower:]"], "HeLLo\n", "hello\n", "", 0),
    (["tr", "-d", "[:space:]"], "a b\tc\n", "abc", "", 0),
    (["tr", "-d", "[:punct:]"], "a.b,c!\n", "abc\n", "", 0),
    (["tr", "\\n", ","], "a\nb\n", "a,b,", "", 0),
    (["tr", ":", "\\n"], "a:b\n", "a\nb\n", "", 0),
    (["tr", "\\101", "z"], "ABA\n", "zBz\n", "", 0),
    (["tr", "-s", "\\n"], "a\n\n\nb\n", "a\nb\n", "", 0),
    (["tr", "ab", "[x*]"], "aabbc\n", "xxxxc\n", "", 0),
    (["tr", "a-d", "[x*2]yz"], "abcd\n", "xxyz\n", "", 0),
    (["tr", "-t", "abc", "x"], "abc\n", "xbc\n", "", 0),
    (["tr", "-ds", "a", "b"], "aabbcc\n", "bcc\n", "", 0),
    (["tr", "-s", "a", "b"], "aabb\n", "b\n", "", 0),
    (["tr", "[=a=]", "b"], "aaa\n", "bbb\n", "", 0),
    (["tr", "a"], "x", "", "tr: missing operand after ‘a’\nTwo strings must be given when translating.\nTry 'tr --help' for more information.\n", 1),
    (["tr"], "x", "", "tr: missing operand\nTry 'tr --help' for more information.\n", 1),
    (["tr", "a", "b", "c"], "x", "", "tr: extra operand ‘c’\nTry 'tr --help' for more information.\n", 1),
    (["tr", "-d", "a", "b"], "x", "", "tr: extra operand ‘b’\nOnly one string may be given when deleting without squeezing repeats.\nTry 'tr --help' for more information.\n", 1),
    (["tr", "-ds", "a"], "x", "", "tr: missing operand after ‘a’\nTwo strings must be given when both deleting and squeezing repeats.\nTry 'tr --help' for more information.\n", 1),
    (["tr", "z-a", "x"], "x", "", "tr: range-endpoints of 'z-a' are in reverse collating sequence order\n", 1),
    (["tr", "[:foo:]", "x"], "x", "", "tr: invalid character class ‘foo’\n", 1),
    (["tr", "a", "[:digit:]"], "x", "", "tr: when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'\n", 1),
    (["tr", "[x*]", "y"], "x", "", "tr: the [c*] repeat construct may not appear in string1\n", 1),
    (["tr", "a-z", "b-za"], "xyz\n", "yza\n", "", 0),
    (["tr", "[a-z]", "[A-Z]"], "a[b]\n", "A[B]\n", "", 0),
    (["tr", "-s", "[:space:]", "_"], "a  b \n\n", "a_b_", "", 0),
    (["tr", "é", "e"], "é\n", "ee\n", "", 0),
    (["tr", "\\t", "\\40"], "a\tb\n", "a b\n", "", 0),
    (["tr", "-C", "a-z\\n", "."], "a1é\n", "a...\n", "", 0),
    (["tr", "-d", "\\\\"], "a\\b\n", "ab\n", "", 0),
    (["tr", "a\\-z", "x"], "a-z m\n", "xxx m\n", "", 0),
    (["tr", "a-", "xy"], "a-b\n", "xyb\n", "", 0),
    (["tr", "0-9", "x"], "a1\n", "ax\n", "", 0),
    (["tr", "-q", "a", "b"], "x", "", "tr: invalid option -- 'q'\nTry 'tr --help' for more information.\n", 1),
    (["tr", "a", ""], "a", "", "tr: when not truncating set1, string2 must be non-empty\n", 1),
    (["tr", "abc", "x-"], "abc\n", "x--\n", "", 0),
    (["tr", "--delete", "a"], "banana\n", "bnn\n", "", 0),
    (["tr", "-s"], "", "", "tr: missing operand\nTry 'tr --help' for more information.\n", 1),
    (["tr", "abc", "[y*2]z"], "abc\n", "yyz\n", "", 0),
    (["tr", "a-c", "[:upper:]"], "abc", "", "tr: misaligned [:upper:] and/or [:lower:] construct\n", 1),
    (["tr", "-c", "[:alpha:]", "ab"], "a1", "", "tr: when translating with complemented character classes,\nstring2 must map all characters in the domain to one\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_tr(utility, words, stdin, stdout, stderr, status):
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
