"""factor: primes."""

import pytest

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
