"""rev: reversed lines; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "abc\nhéllo\n\nx",
    "e": "",
    "s": "a:b:c",
    "n": "1\n2\n3",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["rev", "a"], "", "cba\nolléh\n\nx", "", 0),
    (["rev", "e"], "", "", "", 0),
    (["rev"], "ab\ncd", "ba\ndc", "", 0),
    (["rev", "a", "s"], "", "cba\nolléh\n\nxc:b:a", "", 0),
    (["rev", "missing", "a"], "", "cba\nolléh\n\nx", "rev: cannot open missing: No such file or directory\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_rev(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
