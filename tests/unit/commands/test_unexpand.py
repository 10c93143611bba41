"""unexpand: spaces to tabs; expectations recorded from the GNU program."""

import pytest

FILES = {
    "t": "a\tb\n\tx\ty\n  \tz\nabcdefgh\ti\n",
    "s": "        a       b\n    c   d\n  e\n\tf       g\na b c  d\n",
    "u": "é\tb\n",
    "e": "",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["unexpand", "s"], "", "\ta       b\n    c   d\n  e\n\tf       g\na b c  d\n", "", 0),
    (["unexpand", "-a", "s"], "", "\ta\tb\n    c\td\n  e\n\tf\tg\na b c  d\n", "", 0),
    (["unexpand", "-t4", "s"], "", "\t\ta\t\tb\n\tc\td\n  e\n\tf\t\tg\na b c  d\n", "", 0),
    (["unexpand", "--first-only", "-t4", "s"], "", "\t\ta       b\n\tc   d\n  e\n\tf       g\na b c  d\n", "", 0),
    (["unexpand", "-a", "-t", "4", "s"], "", "\t\ta\t\tb\n\tc\td\n  e\n\tf\t\tg\na b c  d\n", "", 0),
    (["unexpand", "-t", "1,4,5"], "12K\ta1M\t\n .5\nf1\t\tJan\n", "12K\ta1M\t\n\t.5\nf1\t\tJan\n", "", 0),
    (["unexpand", "e"], "", "", "", 0),
    (["unexpand", "missing", "s"], "", "\ta       b\n    c   d\n  e\n\tf       g\na b c  d\n", "unexpand: missing: No such file or directory\n", 1),
    (["unexpand"], "        x", "\tx", "", 0),
    (["unexpand", "-a"], "a       b        c\n", "a\tb\t c\n", "", 0),
    (["unexpand", "-t", "2,6"], "  a b   c\n", "\ta b   c\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_unexpand(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
