"""uniq: runs of equal lines; expectations recorded from the GNU program."""

import pytest

FILES = {
    "d": "a\na\nb\nc\nc\nc\nA\n",
    "f": "1 x\n2 x\n3 y\n",
    "e": "",
    "n": "a\na",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["uniq", "d"], "", "a\nb\nc\nA\n", "", 0),
    (["uniq", "-c", "d"], "", "      2 a\n      1 b\n      3 c\n      1 A\n", "", 0),
    (["uniq", "-d", "d"], "", "a\nc\n", "", 0),
    (["uniq", "-D", "d"], "", "a\na\nc\nc\nc\n", "", 0),
    (["uniq", "-u", "d"], "", "b\nA\n", "", 0),
    (["uniq", "-i", "d"], "", "a\nb\nc\nA\n", "", 0),
    (["uniq", "-ic", "d"], "", "      2 a\n      1 b\n      3 c\n      1 A\n", "", 0),
    (["uniq", "-f", "1", "f"], "", "1 x\n3 y\n", "", 0),
    (["uniq", "-s", "2", "f"], "", "1 x\n3 y\n", "", 0),
    (["uniq", "-w", "1", "d"], "", "a\nb\nc\nA\n", "", 0),
    (["uniq", "-f1", "-c", "f"], "", "      2 1 x\n      1 3 y\n", "", 0),
    (["uniq", "--all-repeated=separate", "d"], "", "a\na\n\nc\nc\nc\n", "", 0),
    (["uniq", "--all-repeated=prepend", "d"], "", "\na\na\n\nc\nc\nc\n", "", 0),
    (["uniq", "--group", "d"], "", "a\na\n\nb\n\nc\nc\nc\n\nA\n", "", 0),
    (["uniq", "--group=both", "d"], "", "\na\na\n\nb\n\nc\nc\nc\n\nA\n\n", "", 0),
    (["uniq", "--group=append", "d"], "", "a\na\n\nb\n\nc\nc\nc\n\nA\n\n", "", 0),
    (["uniq", "--group=prepend", "d"], "", "\na\na\n\nb\n\nc\nc\nc\n\nA\n", "", 0),
    (["uniq", "e"], "", "", "", 0),
    (["uniq", "n"], "", "a\n", "", 0),
    (["uniq", "missing"], "", "", "uniq: missing: No such file or directory\n", 1),
    (["uniq", "d", "out"], "", "", "", 0),
    (["uniq", "-1", "f"], "", "1 x\n3 y\n", "", 0),
    (["uniq"], "a\na\n", "a\n", "", 0),
    (["uniq", "-c", "-"], "a\na\n", "      2 a\n", "", 0),
    (["uniq", "-cD", "d"], "", "", "uniq: printing all duplicated lines and repeat counts is meaningless\nTry 'uniq --help' for more information.\n", 1),
    (["uniq", "d", "a", "b"], "", "", "uniq: extra operand ‘b’\nTry 'uniq --help' for more information.\n", 1),
    (["uniq", "-w", "x", "d"], "", "", "uniq: x: invalid number of bytes to compare\n", 1),
    (["uniq", "--group", "-c", "d"], "", "", "uniq: --group is mutually exclusive with -c/-d/-D/-u\nTry 'uniq --help' for more information.\n", 1),
    (["uniq", "-du", "d"], "", "", "", 0),
    (["uniq", "-cd", "d"], "", "      2 a\n      3 c\n", "", 0),
    (["uniq", "-cu", "d"], "", "      1 b\n      1 A\n", "", 0),
    (["uniq", "-z"], "a\x00a\x00b\x00", "a\x00b\x00", "", 0),
    (["uniq", "--group=x", "d"], "", "", "uniq: invalid argument ‘x’ for ‘--group’\nValid arguments are:\n  - ‘prepend’\n  - ‘append’\n  - ‘separate’\n  - ‘both’\nTry 'uniq --help' for more information.\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_uniq(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


@pytest.mark.parametrize(
    ("words", "stdout"),
    [
        (("-c", "-f1"), "  40000 1 same\n      1 z other\n"),
        (("-d", "-i", "-f1"), "1 same\n"),
        (("-u", "-f1"), "z other\n"),
    ],
)
def test_a_run_over_several_blocks_is_its_first_line(utility, words, stdout):
    lines = "".join(f"{number} same\n" for number in range(1, 40001)) + "z other\n"
    assert utility("uniq", *words, stdin=lines.encode()).stdout == stdout
