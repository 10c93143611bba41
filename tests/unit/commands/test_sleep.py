"""sleep: durations and their mistakes."""

import pytest

TRANSCRIPTS = {
    "durations": """
$ sleep 0
$ sleep 0.001 0s
$ sleep .001
$ sleep 1e-3
$ sleep
! sleep: missing operand
! Try 'sleep --help' for more information.
[1]
$ sleep x
! sleep: invalid time interval ‘x’
! Try 'sleep --help' for more information.
[1]
$ sleep 1x y
! sleep: invalid time interval ‘1x’
! sleep: invalid time interval ‘y’
! Try 'sleep --help' for more information.
[1]
$ sleep -1
! sleep: invalid option -- '1'
! Try 'sleep --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        (["1"], 1),
        (["1.5"], 1.5),
        (["0.1m"], 6),
        (["0x.8p1"], 1),
        (["0x2"], 2),
        (["1", "2s"], 3),
        (["2h"], 11),
        (["infinity"], 11),
    ],
)
def test_sleeps_no_longer_than_the_time_limit(utility, words, seconds):
    assert utility("sleep", *words, timeout=10).status == 0
    assert utility.system.slept == [seconds]
