"""head: the first lines or bytes; expectations recorded from the GNU program."""

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
    (["head", "n"], "", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "", 0),
    (["head", "-n", "3", "n"], "", "1\n2\n3\n", "", 0),
    (["head", "-n3", "n"], "", "1\n2\n3\n", "", 0),
    (["head", "-3", "n"], "", "1\n2\n3\n", "", 0),
    (["head", "-n", "-25", "n"], "", "1\n2\n3\n4\n5\n", "", 0),
    (["head", "-n", "-40", "n"], "", "", "", 0),
    (["head", "-n", "0", "n"], "", "", "", 0),
    (["head", "-c", "5", "n"], "", "1\n2\n3", "", 0),
    (["head", "-c", "-70", "n"], "", "1\n2\n3\n4\n5\n6", "", 0),
    (["head", "-c", "1K", "a"], "", "one\ntwo\nthree\n", "", 0),
    (["head", "-c", "1k", "a"], "", "one\ntwo\nthree\n", "", 0),
    (["head", "-n", "2", "a", "b"], "", "==> a <==\none\ntwo\n\n==> b <==\nx\ny", "", 0),
    (["head", "-q", "-n", "1", "a", "b"], "", "one\nx\n", "", 0),
    (["head", "-v", "-n", "1", "a"], "", "==> a <==\none\n", "", 0),
    (["head", "-n", "1", "missing", "a"], "", "==> a <==\none\n", "head: cannot open 'missing' for reading: No such file or directory\n", 1),
    (["head", "-n", "x", "a"], "", "", "head: invalid number of lines: ‘x’\n", 1),
    (["head", "-c", "x", "a"], "", "", "head: invalid number of bytes: ‘x’\n", 1),
    (["head", "--lines=2", "a"], "", "one\ntwo\n", "", 0),
    (["head", "--bytes=3", "a"], "", "one", "", 0),
    (["head", "-n", "1"], "q\nw\n", "q\n", "", 0),
    (["head", "-n", "2", "-"], "q\nw\ne", "q\nw\n", "", 0),
    (["head", "-2", "a", "b"], "", "==> a <==\none\ntwo\n\n==> b <==\nx\ny", "", 0),
    (["head", "-2c", "a"], "", "on", "", 0),
    (["head", "-c", "-2", "b"], "", "x", "", 0),
    (["head", "-n", "-1", "b"], "", "x\n", "", 0),
    (["head", "-n", "-0", "a"], "", "one\ntwo\nthree\n", "", 0),
    (["head", "-z", "-n", "1", "a"], "", "one\ntwo\nthree\n", "", 0),
    (["head", "-n", "20", "n"], "", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n", "", 0),
    (["head", "-n", "100", "n"], "", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n", "", 0),
    (["head", "-5q", "a", "b"], "", "one\ntwo\nthree\nx\ny", "", 0),
    (["head", "-n", "+2", "a"], "", "one\ntwo\n", "", 0),
    (["head", "sub"], "", "", "head: error reading 'sub': Is a directory\n", 1),
    (["head", "-k", "a"], "", "", "head: invalid option -- 'k'\nTry 'head --help' for more information.\n", 1),
    (["head", "-n", "1", "a", "-", "b"], "", "==> a <==\none\n\n==> standard input <==\n\n==> b <==\nx\n", "", 0),
    (["head", "-n"], "", "", "head: option requires an argument -- 'n'\nTry 'head --help' for more information.\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_head(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
