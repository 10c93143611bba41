"""comm: sorted files compared; expectations recorded from the GNU program."""

import pytest

from bashkit import Bash

FILES = {
    "a": "a\nb\nc\ne\n",
    "b": "b\nc\nd\n",
    "u": "b\na\nc\n",
    "e": "",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["comm", "a", "b"], "", "a\n\t\tb\n\t\tc\n\td\ne\n", "", 0),
    (["comm", "-1", "a", "b"], "", "\tb\n\tc\nd\n", "", 0),
    (["comm", "-2", "a", "b"], "", "a\n\tb\n\tc\ne\n", "", 0),
    (["comm", "-3", "a", "b"], "", "a\n\td\ne\n", "", 0),
    (["comm", "-12", "a", "b"], "", "b\nc\n", "", 0),
    (["comm", "-23", "a", "b"], "", "a\ne\n", "", 0),
    (["comm", "-13", "a", "b"], "", "d\n", "", 0),
    (["comm", "-123", "a", "b"], "", "", "", 0),
    (["comm", "a", "a"], "", "\t\ta\n\t\tb\n\t\tc\n\t\te\n", "", 0),
    (["comm", "a", "e"], "", "a\nb\nc\ne\n", "", 0),
    (["comm", "e", "a"], "", "\ta\n\tb\n\tc\n\te\n", "", 0),
    (["comm", "a", "u"], "", "a\n\t\tb\n\ta\n\t\tc\ne\n", "comm: file 2 is not in sorted order\ncomm: input is not in sorted order\n", 1),
    (["comm", "u", "a"], "", "\ta\n\t\tb\na\n\t\tc\n\te\n", "comm: file 1 is not in sorted order\ncomm: input is not in sorted order\n", 1),
    (["comm", "--check-order", "u", "a"], "", "\ta\n\t\tb\n", "comm: file 1 is not in sorted order\n", 1),
    (["comm", "--nocheck-order", "u", "a"], "", "\ta\n\t\tb\na\n\t\tc\n\te\n", "", 0),
    (["comm", "--output-delimiter=,", "a", "b"], "", "a\n,,b\n,,c\n,d\ne\n", "", 0),
    (["comm", "--total", "a", "b"], "", "a\n\t\tb\n\t\tc\n\td\ne\n2\t1\t2\ttotal\n", "", 0),
    (["comm", "-12", "--total", "a", "b"], "", "b\nc\n2\t1\t2\ttotal\n", "", 0),
    (["comm", "a"], "", "", "comm: missing operand after ‘a’\nTry 'comm --help' for more information.\n", 1),
    (["comm"], "", "", "comm: missing operand\nTry 'comm --help' for more information.\n", 1),
    (["comm", "a", "b", "c"], "", "", "comm: extra operand ‘c’\nTry 'comm --help' for more information.\n", 1),
    (["comm", "a", "missing"], "", "", "comm: missing: No such file or directory\n", 1),
    (["comm", "-", "a"], "b\nz\n", "\ta\n\t\tb\n\tc\n\te\nz\n", "", 0),
    (["comm", "-x", "a", "b"], "", "", "comm: invalid option -- 'x'\nTry 'comm --help' for more information.\n", 1),
    (["comm", "-z", "a", "b"], "", "a\nb\nc\ne\n\x00\tb\nc\nd\n\x00", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_comm(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


def test_what_was_merged_stands_before_a_report():
    result = Bash().execute_sync("printf 'b\\na\\n' > x; printf 'b\\n' > y; comm x y 2>&1")
    assert result.stdout == "\t\tb\na\ncomm: file 1 is not in sorted order\ncomm: input is not in sorted order\n"
