"""sha384sum: printing and checking."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ > a 'hello\\n'
$ > b ''
$ > 'c d' 'x'
$ sha384sum a b 'c d'
1d0f284efe3edea4b9ca3bd514fa134b17eae361ccc7a1eefeff801b9bd6604e01f21f6bf249ef030599f0c218f2ba8c  a
38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b  b
d752c2c51fba0e29aa190570a9d4253e44077a058d3297fa3a5630d5bd012622f97c28acaed313b5c83bb990caa7da85  c d
$ sha384sum < 'hello\\n'
1d0f284efe3edea4b9ca3bd514fa134b17eae361ccc7a1eefeff801b9bd6604e01f21f6bf249ef030599f0c218f2ba8c  -
$ sha384sum -b a
1d0f284efe3edea4b9ca3bd514fa134b17eae361ccc7a1eefeff801b9bd6604e01f21f6bf249ef030599f0c218f2ba8c *a
$ sha384sum --tag a
SHA384 (a) = 1d0f284efe3edea4b9ca3bd514fa134b17eae361ccc7a1eefeff801b9bd6604e01f21f6bf249ef030599f0c218f2ba8c
$ sha384sum nope a
1d0f284efe3edea4b9ca3bd514fa134b17eae361ccc7a1eefeff801b9bd6604e01f21f6bf249ef030599f0c218f2ba8c  a
! sha384sum: nope: No such file or directory
[1]
$ sha384sum -z a b
1d0f284efe3edea4b9ca3bd514fa134b17eae361ccc7a1eefeff801b9bd6604e01f21f6bf249ef030599f0c218f2ba8c  a\x0038b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b  b\x00
$ sha384sum - < 'x'
d752c2c51fba0e29aa190570a9d4253e44077a058d3297fa3a5630d5bd012622f97c28acaed313b5c83bb990caa7da85  -
$ sha384sum --quiet a
! sha384sum: the --quiet option is meaningful only when verifying checksums
! Try 'sha384sum --help' for more information.
[1]
$ sha384sum .
! sha384sum: .: Is a directory
[1]
""",
    "checking": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ sha384sum -c nope
! sha384sum: nope: No such file or directory
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
