"""seq: numbers; expectations recorded from the GNU program."""

import pytest

# words, standard input, standard output, standard error, status
CASES = [
    (["seq", "5"], "", "1\n2\n3\n4\n5\n", "", 0),
    (["seq", "2", "5"], "", "2\n3\n4\n5\n", "", 0),
    (["seq", "1", "2", "9"], "", "1\n3\n5\n7\n9\n", "", 0),
    (["seq", "5", "1"], "", "", "", 0),
    (["seq", "5", "-1", "1"], "", "5\n4\n3\n2\n1\n", "", 0),
    (["seq", "5", "-2", "-3"], "", "5\n3\n1\n-1\n-3\n", "", 0),
    (["seq", "0.5", "2"], "", "0.5\n1.5\n", "", 0),
    (["seq", "1", "0.5", "3"], "", "1.0\n1.5\n2.0\n2.5\n3.0\n", "", 0),
    (["seq", "0", ".1", ".5"], "", "0.0\n0.1\n0.2\n0.3\n0.4\n0.5\n", "", 0),
    (["seq", "-w", "8", "11"], "", "08\n09\n10\n11\n", "", 0),
    (["seq", "-w", "1", "100", "300"], "", "001\n101\n201\n", "", 0),
    (["seq", "-w", "-5", "5"], "", "-5\n-4\n-3\n-2\n-1\n00\n01\n02\n03\n04\n05\n", "", 0),
    (["seq", "-w", "0.5", "10.25"], "", "00.5\n01.5\n02.5\n03.5\n04.5\n05.5\n06.5\n07.5\n08.5\n09.5\n", "", 0),
    (["seq", "-s", ",", "3"], "", "1,2,3\n", "", 0),
    (["seq", "-s:", "1", "3"], "", "1:2:3\n", "", 0),
    (["seq", "-f", "%03g", "3"], "", "001\n002\n003\n", "", 0),
    (["seq", "-f", "%.2f", "1", "3"], "", "1.00\n2.00\n3.00\n", "", 0),
    (["seq", "-f", "x%gy", "2"], "", "x1y\nx2y\n", "", 0),
    (["seq", "-f", "%e", "2"], "", "1.000000e+00\n2.000000e+00\n", "", 0),
    (["seq", "0"], "", "", "", 0),
    (["seq"], "", "", "seq: missing operand\nTry 'seq --help' for more information.\n", 1),
    (["seq", "a"], "", "", "seq: invalid floating point argument: ‘a’\nTry 'seq --help' for more information.\n", 1),
    (["seq", "1", "2", "3", "4"], "", "", "seq: extra operand ‘4’\nTry 'seq --help' for more information.\n", 1),
    (["seq", "1", "0", "3"], "", "", "seq: invalid Zero increment value: ‘0’\nTry 'seq --help' for more information.\n", 1),
    (["seq", "-f", "x", "3"], "", "", "seq: format ‘x’ has no % directive\n", 1),
    (["seq", "-f", "%d", "3"], "", "", "seq: format ‘%d’ has unknown %d directive\n", 1),
    (["seq", "-f", "%g%g", "3"], "", "", "seq: format ‘%g%g’ has too many % directives\n", 1),
    (["seq", "-5"], "", "", "", 0),
    (["seq", "-3", "-1"], "", "-3\n-2\n-1\n", "", 0),
    (["seq", "--", "-2", "0"], "", "-2\n-1\n0\n", "", 0),
    (["seq", "1e2", "102"], "", "100\n101\n102\n", "", 0),
    (["seq", "0x10", "18"], "", "16\n17\n18\n", "", 0),
    (["seq", "1.0", "3"], "", "1.0\n2.0\n3.0\n", "", 0),
    (["seq", "1", "3.5"], "", "1\n2\n3\n", "", 0),
    (["seq", "10", "-3", "1"], "", "10\n7\n4\n1\n", "", 0),
    (["seq", "3", "3"], "", "3\n", "", 0),
    (["seq", "-w", "3", "3"], "", "3\n", "", 0),
    (["seq", "1.5"], "", "1\n", "", 0),
    (["seq", "9223372036854775806", "9223372036854775809"], "", "9223372036854775806\n9223372036854775807\n9223372036854775808\n9223372036854775809\n", "", 0),
    (["seq", "-w", "1", "10", "25"], "", "01\n11\n21\n", "", 0),
    (["seq", "-w", "10", "1"], "", "", "", 0),
    (["seq", "+1", "3"], "", "1\n2\n3\n", "", 0),
    (["seq", "-s", "ab", "2"], "", "1ab2\n", "", 0),
    (["seq", "1.2", "1", "4"], "", "1.2\n2.2\n3.2\n", "", 0),
    (["seq", "-w", "5", "-1", "-5"], "", "05\n04\n03\n02\n01\n00\n-1\n-2\n-3\n-4\n-5\n", "", 0),
    (["seq", "1", "1.25", "4"], "", "1.00\n2.25\n3.50\n", "", 0),
    (["seq", "-f", "%5.1f", "2"], "", "  1.0\n  2.0\n", "", 0),
    (["seq", "-f", "%g%%", "2"], "", "1%\n2%\n", "", 0),
    (["seq", "-w", "1.0", "2"], "", "1.0\n2.0\n", "", 0),
    (["seq", "-w", "09", "10"], "", "09\n10\n", "", 0),
    (["seq", "-w", "003"], "", "001\n002\n003\n", "", 0),
    (["seq", "-10", "5", "10"], "", "-10\n-5\n0\n5\n10\n", "", 0),
    (["seq", "-x", "3"], "", "", "seq: invalid option -- 'x'\nTry 'seq --help' for more information.\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_seq(utility, words, stdin, stdout, stderr, status):
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
