"""timeout: durations, statuses and what the launcher is asked."""

import pytest

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


@pytest.mark.parametrize(("options", "status"), [([], 124), (["-s", "KILL"], 137), (["--preserve-status"], 143), (["-v"], 124)])
def test_time_is_up(utility, monkeypatch, options, status):
    def run(argv, *, timeout=None, **streams):
        now[0] += timeout
        return 124

    now = [0.0]
    monkeypatch.setattr(utility.launcher, "run", run)
    monkeypatch.setattr("bashkit.limits.Budget.refuel", lambda budget: None)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    outcome = utility("timeout", *options, "0.5", "sleep", "9")
    assert outcome.status == status
    assert ("sending signal TERM" in outcome.stderr) == ("-v" in options)


def test_own_124_is_kept(utility, monkeypatch):
    monkeypatch.setattr(utility.launcher, "run", lambda argv, **streams: 124)
    assert utility("timeout", "--preserve-status", "5", "sleep", "1").status == 124
