"""wc: lines, words, characters, bytes; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "one\ntwo\nthree\n",
    "b": "x\ny",
    "n": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n",
    "e": "",
    "sub/f": "in\n",
    "v": "a\tb\x01\x7f\x80é\r\nz\n",
    "blank": "\n\n\na\n\n\nb\n\n",
    "u": "héllo wörld\n日本\n",
    "words": "  two  words \n\ttab\n",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["wc", "a"], "", " 3  3 14 a\n", "", 0),
    (["wc", "-l", "a"], "", "3 a\n", "", 0),
    (["wc", "-w", "a"], "", "3 a\n", "", 0),
    (["wc", "-c", "a"], "", "14 a\n", "", 0),
    (["wc", "-m", "u"], "", "15 u\n", "", 0),
    (["wc", "-L", "u"], "", "11 u\n", "", 0),
    (["wc", "-L"], "a\u00a0b\n\u3000\u2003\u2009x\n", "5\n", "", 0),
    (["wc", "u"], "", " 2  3 21 u\n", "", 0),
    (["wc", "a", "b"], "", " 3  3 14 a\n 1  2  3 b\n 4  5 17 total\n", "", 0),
    (["wc", "-l", "a", "b", "n"], "", " 3 a\n 1 b\n30 n\n34 total\n", "", 0),
    (["wc"], "", "      0       0       0\n", "", 0),
    (["wc"], "a b\nc", "      1       3       5\n", "", 0),
    (["wc", "-l"], "a\n", "1\n", "", 0),
    (["wc", "-"], "a b\n", "      1       2       4 -\n", "", 0),
    (["wc", "a", "-"], "x\n", "      3       3      14 a\n      1       1       2 -\n      4       4      16 total\n", "", 0),
    (["wc", "missing", "a"], "", " 3  3 14 a\n 3  3 14 total\n", "wc: missing: No such file or directory\n", 1),
    (["wc", "-lw", "a"], "", " 3  3 a\n", "", 0),
    (["wc", "-cl", "a"], "", " 3 14 a\n", "", 0),
    (["wc", "-mc", "u"], "", "15 21 u\n", "", 0),
    (["wc", "words"], "", " 2  3 19 words\n", "", 0),
    (["wc", "e"], "", "0 0 0 e\n", "", 0),
    (["wc", "-L", "words", "v"], "", "13 words\n10 v\n13 total\n", "", 0),
    (["wc", "--lines", "a"], "", "3 a\n", "", 0),
    (["wc", "-x"], "", "", "wc: invalid option -- 'x'\nTry 'wc --help' for more information.\n", 1),
    (["wc", "-lwmcL", "u"], "", " 2  3 15 21 11 u\n", "", 0),
    (["wc", "-l", "missing"], "", "", "wc: missing: No such file or directory\n", 1),
    (["wc", "-c", "-"], "ab", "2 -\n", "", 0),
    (["wc", "sub"], "", "      0       0       0 sub\n", "wc: sub: Is a directory\n", 1),
    (["wc", "-w", "blank", "u"], "", " 2 blank\n 3 u\n 5 total\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_wc(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
