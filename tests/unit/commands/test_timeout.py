"""timeout: durations, statuses and what the launcher is asked."""

import pytest

from bashkit.interp.runtime.control import KilledStatus

TRANSCRIPTS = {
    "running": """
$ timeout 5 basename a/b
b
$ timeout 1m false
[1]
$ timeout x true
! timeout: invalid time interval ‘x’
! Try 'timeout --help' for more information.
[125]
$ timeout 5
! Try 'timeout --help' for more information.
[125]
$ timeout
! Try 'timeout --help' for more information.
[125]
$ timeout -s FOO 1 true
! timeout: ‘FOO’: invalid signal
! Try 'timeout --help' for more information.
[125]
$ timeout -k x 1 true
! timeout: invalid time interval ‘x’
! Try 'timeout --help' for more information.
[125]
$ timeout 5 nosuch
! timeout: failed to run command ‘nosuch’: No such file or directory
[127]
$ timeout 0 true
$ timeout -s 9 5 true
$ timeout --preserve-status 5 true
$ timeout -k 1 5 true
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


@pytest.mark.parametrize(
    ("options", "ended", "status"),
    [
        ([], 0, 124),
        (["-s", "KILL"], KilledStatus.of(9, 7), 137),
        (["-k", "1", "--foreground"], KilledStatus.of(9, 7), 137),
        (["--preserve-status"], KilledStatus.of(15, 7), 143),
        (["--preserve-status"], 3, 3),
        (["-v"], 0, 124),
    ],
)
def test_time_is_up(utility, monkeypatch, options, ended, status):
    def run_limited(argv, limit):
        limit.tell(limit.signal)
        return ended, True

    monkeypatch.setattr(utility.launcher, "run_limited", run_limited)
    outcome = utility("timeout", *options, "0.5", "sleep", "9")
    assert outcome.status == status
    assert isinstance(outcome.status, KilledStatus) == ("KILL" in options)
    assert ("sending signal TERM" in outcome.stderr) == ("-v" in options)


def test_own_124_is_kept(utility, monkeypatch):
    monkeypatch.setattr(utility.launcher, "run_limited", lambda argv, limit: (124, False))
    assert utility("timeout", "--preserve-status", "5", "sleep", "1").status == 124
