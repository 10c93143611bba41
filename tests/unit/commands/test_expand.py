"""expand: tabs to spaces; expectations recorded from the GNU program."""

import pytest

FILES = {
    "t": "a\tb\n\tx\ty\n  \tz\nabcdefgh\ti\n",
    "s": "        a       b\n    c   d\n  e\n\tf       g\na b c  d\n",
    "u": "é\tb\n",
    "e": "",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["expand", "t"], "", "a       b\n        x       y\n        z\nabcdefgh        i\n", "", 0),
    (["expand", "-t4", "t"], "", "a   b\n    x   y\n    z\nabcdefgh    i\n", "", 0),
    (["expand", "-t", "4,8,12", "t"], "", "a   b\n    x   y\n    z\nabcdefgh    i\n", "", 0),
    (["expand", "-i", "t"], "", "a\tb\n        x\ty\n        z\nabcdefgh\ti\n", "", 0),
    (["expand", "-4", "t"], "", "a   b\n    x   y\n    z\nabcdefgh    i\n", "", 0),
    (["expand", "-t", "2,/4", "t"], "", "a b\n  x y\n    z\nabcdefgh    i\n", "", 0),
    (["expand", "-t", "0", "t"], "", "", "expand: tab size cannot be 0\n", 1),
    (["expand", "-t", "x", "t"], "", "", "expand: tab size contains invalid character(s): ‘x’\n", 1),
    (["expand", "-t", "4,2", "t"], "", "", "expand: tab sizes must be ascending\n", 1),
    (["expand", "u"], "", "é      b\n", "", 0),
    (["expand", "e"], "", "", "", 0),
    (["expand", "missing", "t"], "", "a       b\n        x       y\n        z\nabcdefgh        i\n", "expand: missing: No such file or directory\n", 1),
    (["expand"], "a\tb", "a       b", "", 0),
    (["expand", "-2,4", "t"], "", "a b\n  x y\n    z\nabcdefgh i\n", "", 0),
    (["expand", "--tabs=3", "t"], "", "a  b\n   x  y\n   z\nabcdefgh i\n", "", 0),
    (["expand", "-t", "4,+6", "t"], "", "a   b\n    x     y\n    z\nabcdefgh  i\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_expand(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
