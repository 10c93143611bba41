"""tee: standard output and files; expectations recorded from the GNU program."""

import pytest

FILES = {
    "x": "old\n",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["tee"], "in\n", "in\n", "", 0),
    (["tee", "y", "z"], "in\n", "in\n", "", 0),
    (["tee", "-a", "x"], "in\n", "in\n", "", 0),
    (["tee", "nodir/x"], "in\n", "in\n", "tee: nodir/x: No such file or directory\n", 1),
    (["tee", "-q"], "in\n", "", "tee: invalid option -- 'q'\nTry 'tee --help' for more information.\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_tee(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


def test_the_files_hold_what_passed(utility):
    utility.write("x", "old\n")
    utility("tee", "-a", "x", "y", stdin="new\n")
    assert utility.read("x") == "old\nnew\n"
    assert utility.read("y") == "new\n"
