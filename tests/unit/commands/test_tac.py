"""tac: lines in reverse order; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "abc\nhéllo\n\nx",
    "e": "",
    "s": "a:b:c",
    "n": "1\n2\n3",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["tac", "a"], "", "x\nhéllo\nabc\n", "", 0),
    (["tac", "n"], "", "32\n1\n", "", 0),
    (["tac", "e"], "", "", "", 0),
    (["tac"], "1\n2\n", "2\n1\n", "", 0),
    (["tac", "-s", ":", "s"], "", "cb:a:", "", 0),
    (["tac", "-b", "-s", ":", "s"], "", ":c:ba", "", 0),
    (["tac", "a", "n"], "", "x\nhéllo\nabc\n32\n1\n", "", 0),
    (["tac", "missing", "n"], "", "32\n1\n", "tac: failed to open 'missing' for reading: No such file or directory\n", 1),
    (["tac", "-r", "-s", "[:b]", "s"], "", "c:ba:", "", 0),
    (["tac", "-b", "n"], "", "\n3\n21", "", 0),
    (["tac", "--separator=:", "s"], "", "cb:a:", "", 0),
    (["tac", "."], "", "", "tac: .: read error: Invalid argument\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_tac(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
