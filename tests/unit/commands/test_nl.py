"""nl: numbered lines; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "one\ntwo\n\nthree\n\n\nfour\n",
    "s": "\\:\\:\\:\nhead\n\\:\\:\nbody\n\\:\nfoot\n\\:\\:\nbody2\n",
    "e": "",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["nl", "a"], "", "     1\tone\n     2\ttwo\n       \n     3\tthree\n       \n       \n     4\tfour\n", "", 0),
    (["nl", "-ba", "a"], "", "     1\tone\n     2\ttwo\n     3\t\n     4\tthree\n     5\t\n     6\t\n     7\tfour\n", "", 0),
    (["nl", "-bt", "a"], "", "     1\tone\n     2\ttwo\n       \n     3\tthree\n       \n       \n     4\tfour\n", "", 0),
    (["nl", "-bn", "a"], "", "       one\n       two\n       \n       three\n       \n       \n       four\n", "", 0),
    (["nl", "-bpo", "a"], "", "     1\tone\n     2\ttwo\n       \n       three\n       \n       \n     3\tfour\n", "", 0),
    (["nl", "-w3", "a"], "", "  1\tone\n  2\ttwo\n    \n  3\tthree\n    \n    \n  4\tfour\n", "", 0),
    (["nl", "-s:", "a"], "", "     1:one\n     2:two\n       \n     3:three\n       \n       \n     4:four\n", "", 0),
    (["nl", "-nln", "a"], "", "1     \tone\n2     \ttwo\n       \n3     \tthree\n       \n       \n4     \tfour\n", "", 0),
    (["nl", "-nrz", "a"], "", "000001\tone\n000002\ttwo\n       \n000003\tthree\n       \n       \n000004\tfour\n", "", 0),
    (["nl", "-nrn", "a"], "", "     1\tone\n     2\ttwo\n       \n     3\tthree\n       \n       \n     4\tfour\n", "", 0),
    (["nl", "-v10", "a"], "", "    10\tone\n    11\ttwo\n       \n    12\tthree\n       \n       \n    13\tfour\n", "", 0),
    (["nl", "-i5", "a"], "", "     1\tone\n     6\ttwo\n       \n    11\tthree\n       \n       \n    16\tfour\n", "", 0),
    (["nl", "-l2", "-ba", "a"], "", "     1\tone\n     2\ttwo\n       \n     3\tthree\n       \n     4\t\n     5\tfour\n", "", 0),
    (["nl", "s"], "", "\n       head\n\n     1\tbody\n\n       foot\n\n     1\tbody2\n", "", 0),
    (["nl", "-ha", "-fa", "s"], "", "\n     1\thead\n\n     1\tbody\n\n     1\tfoot\n\n     1\tbody2\n", "", 0),
    (["nl", "-p", "s"], "", "\n       head\n\n     1\tbody\n\n       foot\n\n     2\tbody2\n", "", 0),
    (["nl", "e"], "", "", "", 0),
    (["nl", "a", "a"], "", "     1\tone\n     2\ttwo\n       \n     3\tthree\n       \n       \n     4\tfour\n     5\tone\n     6\ttwo\n       \n     7\tthree\n       \n       \n     8\tfour\n", "", 0),
    (["nl", "missing"], "", "", "nl: missing: No such file or directory\n", 1),
    (["nl", "missing", "a"], "", "     1\tone\n     2\ttwo\n       \n     3\tthree\n       \n       \n     4\tfour\n", "nl: missing: No such file or directory\n", 1),
    (["nl"], "x\ny", "     1\tx\n     2\ty\n", "", 0),
    (["nl", "-w0", "a"], "", "", "nl: invalid line number field width: ‘0’: Numerical result out of range\n", 1),
    (["nl", "-bx", "a"], "", "", "nl: invalid body numbering style: ‘x’\nTry 'nl --help' for more information.\n", 1),
    (["nl", "-nxx", "a"], "", "", "nl: invalid line numbering format: ‘xx’\nTry 'nl --help' for more information.\n", 1),
    (["nl", "-vx", "a"], "", "", "nl: invalid starting line number: ‘x’\n", 1),
    (["nl", "-w1", "-ba", "a"], "", "1\tone\n2\ttwo\n3\t\n4\tthree\n5\t\n6\t\n7\tfour\n", "", 0),
    (["nl", "-d:", "s"], "", "     1\t\\:\\:\\:\n     2\thead\n     3\t\\:\\:\n     4\tbody\n     5\t\\:\n     6\tfoot\n     7\t\\:\\:\n     8\tbody2\n", "", 0),
    (["nl", "-w3", "-nrz", "-s\\", ""], "", "", "nl: '': No such file or directory\n", 1),
    (["nl", "-v-2", "a"], "", "    -2\tone\n    -1\ttwo\n       \n     0\tthree\n       \n       \n     1\tfour\n", "", 0),
    (["nl", "-b", "a", "-s.", "-w2", "a"], "", " 1.one\n 2.two\n 3.\n 4.three\n 5.\n 6.\n 7.four\n", "", 0),
    (["nl", "-i", "-1", "a"], "", "     1\tone\n     0\ttwo\n       \n    -1\tthree\n       \n       \n    -2\tfour\n", "", 0),
    (["nl", "-ba", "-l3", "a"], "", "     1\tone\n     2\ttwo\n       \n     3\tthree\n       \n       \n     4\tfour\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_nl(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
