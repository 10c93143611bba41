"""A script cut into executions: a session that goes on from a snapshot after each of them answers as one that stays.

Some of the cases of ``tests/spec`` with each run of the tests; ``BASHKIT_FUZZ_EXAMPLES=20000`` takes all.
"""

import os
import re
from random import Random

import mutations
import pytest

from bashkit import Bash, Snapshot, VirtualClock

EXAMPLES = int(os.environ.get("BASHKIT_FUZZ_EXAMPLES", "40"))
NOT_KEPT = re.compile(r"&\s|&$|\bexec\b|\bcoproc\b|\bhistory\b|\bfc\b|\bhash\b|BASH_CMDS|\bset -r\b|declare -f|\btype\b")


def executions(script):
    """The script as lines that are commands together; fewer than two where it cannot be cut."""
    found, text = [], ""
    for line in script.splitlines(keepends=True):
        text += line
        if not Bash().execute_sync(f"set -n\n{text}").stderr:
            found.append(text)
            text = ""
    return [] if text else found


def scripts():
    fit = [script for script in mutations.cases().scripts if "\n" in script.strip() and not NOT_KEPT.search(script)]
    Random(1).shuffle(fit)
    return fit[:EXAMPLES]


def answer(bash, text):
    result = bash.execute_sync(text)
    return result.stdout, result.exit_code, result.stderr


@pytest.mark.parametrize("script", scripts())
def test_a_session_goes_on_as_one_that_stays(script):
    clock = VirtualClock(1_700_000_000)
    stays, goes = (Bash(cwd="/case", clock=clock, seed=1) for _ in range(2))
    for text in executions(script):
        assert answer(goes, text) == answer(stays, text)
        goes = Bash.from_snapshot(Snapshot.from_bytes(goes.snapshot().to_bytes()), clock=clock)
