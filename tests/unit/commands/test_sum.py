"""sum: 16-bit checksums; expectations recorded from the GNU program."""

import pytest

CASES = [
    (["sum"], "36979     1\n", "", 0),
    (["sum", "f"], "36979     1 f\n", "", 0),
    (["sum", "-s", "f"], "542 1 f\n", "", 0),
    (["sum", "-s", "-r", "f", "f"], "36979     1 f\n36979     1 f\n", "", 0),
    (["sum", "--sysv", "e"], "0 0 e\n", "", 0),
    (["sum", "no such", "f"], "36979     1 f\n", "sum: 'no such': No such file or directory\n", 1),
]


@pytest.mark.parametrize(("words", "stdout", "stderr", "status"), CASES, ids=[" ".join(row[0]) for row in CASES])
def test_sum(utility, words, stdout, stderr, status):
    utility.write("f", "hello\n")
    utility.write("e", "")
    outcome = utility(*words, stdin=b"hello\n")
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
