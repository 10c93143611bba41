"""nice: the command just runs."""

import pytest

TRANSCRIPTS = {
    "running": """
$ nice
0
$ nice true
$ nice false
[1]
$ nice -n 5 basename a/b
b
$ nice -n x true
! nice: invalid adjustment ‘x’
[125]
$ nice nosuch
! nice: ‘nosuch’: No such file or directory
[127]
$ nice -n 5
! nice: a command must be given with an adjustment
! Try 'nice --help' for more information.
[125]
$ nice --adjustment=3 basename x/y
y
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
