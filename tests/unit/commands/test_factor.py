"""factor: primes."""

import pytest

from bashkit.commands.numbers import factor
from bashkit.limits import Budget, ExecutionLimits

TRANSCRIPTS = {
    "factoring": r"""
$ factor 1 2 12 97
1:
2: 2
12: 2 2 3
97: 97
$ factor 0
0:
$ factor 1000000007 1000000016000000063
1000000007: 1000000007
1000000016000000063: 1000000007 1000000009
$ factor 18446744073709551615
18446744073709551615: 3 5 17 257 641 65537 6700417
$ factor 123456789012345678901234567
123456789012345678901234567: 73859 1671519909724551901613
$ factor < '10 20\n30'
10: 2 5
20: 2 2 5
30: 2 3 5
$ factor x -1 6
! factor: invalid option -- '1'
! Try 'factor --help' for more information.
[1]
$ factor ''
! factor: ‘’ is not a valid positive integer
[1]
$ factor +7
7: 7
$ factor -h 72
72: 2^3 3^2
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


def test_few_witnesses_are_asked_about_small_numbers(monkeypatch):
    """None below the square of the least prime that is not tried, and four below three milliards."""
    asked = []
    power = factor._power
    monkeypatch.setattr(factor, "_power", lambda *arguments: asked.append(arguments[0]) or power(*arguments))
    budget = Budget(ExecutionLimits())
    assert [list(factor.prime_factors(number, budget)) for number in (1627, 37 * 41)] == [[1627], [37, 41]]
    assert not asked
    assert sorted(factor.prime_factors(3_215_031_751, budget)) == [151, 751, 28351]  # which the first four do not refute
    assert 11 in asked
    asked.clear()
    assert list(factor.prime_factors(1_000_000_007, budget)) == [1_000_000_007]
    assert asked == [2, 3, 5, 7]
