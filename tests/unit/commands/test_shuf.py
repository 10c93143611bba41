"""shuf: random order; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "x\n",
    "e": "",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["shuf", "a"], "", "x\n", "", 0),
    (["shuf", "e"], "", "", "", 0),
    (["shuf", "-e", "q"], "", "q\n", "", 0),
    (["shuf", "-i", "5-5"], "", "5\n", "", 0),
    (["shuf", "-n", "0", "a"], "", "", "", 0),
    (["shuf", "-r", "e"], "", "", "shuf: no lines to repeat\n", 1),
    (["shuf", "-r", "-n", "3", "-e", "q"], "", "q\nq\nq\n", "", 0),
    (["shuf", "a", "b"], "", "", "shuf: extra operand ‘b’\nTry 'shuf --help' for more information.\n", 1),
    (["shuf", "-i", "1", "a"], "", "", "shuf: invalid input range: ‘1’\n", 1),
    (["shuf", "-i", "3-1"], "", "", "shuf: invalid input range: ‘3-1’\n", 1),
    (["shuf", "-n", "x", "a"], "", "", "shuf: invalid line count: ‘x’\n", 1),
    (["shuf", "-e", "-i", "1-2"], "", "", "shuf: cannot combine -e and -i options\nTry 'shuf --help' for more information.\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_shuf(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


def test_a_permutation(utility):
    outcome = utility("shuf", "-i", "1-50")
    numbers = [int(line) for line in outcome.stdout.split()]
    assert sorted(numbers) == list(range(1, 51))
    assert numbers != sorted(numbers)


def test_as_many_as_asked_for(utility):
    assert len(utility("shuf", "-n", "3", "-e", "a", "b", "c", "d").stdout.split()) == 3
    assert len(utility("shuf", "-r", "-n", "9", "-i", "1-2").stdout.split()) == 9


def test_the_result_goes_to_a_file(utility):
    utility.write("a", "1\n2\n")
    utility("shuf", "-o", "a", "a")
    assert sorted(utility.read("a").split()) == ["1", "2"]
