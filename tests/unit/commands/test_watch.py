"""watch: a command again and again, a bounded number of times."""

import pytest

from bashkit import Bash
from bashkit.interp.runtime.clock import VirtualClock

ENDED = "watch: ended after 10 runs: there is no terminal to watch it on\n"
CASES = {
    "ten times": ("watch -t -n 2 echo hi; date +%s", "hi\n" * 10 + "18\n", ENDED),
    "until it changes": ("watch -t -g -n 1 'echo $(( $(date +%s) > 2 ))'; date +%s", "0\n0\n0\n1\n3\n", ""),
    "until it fails": ("watch -t -e -n 1 'test $(date +%s) -lt 3'; echo $?; date +%s", "8\n3\n", ""),
    "until it stays": ("watch -t -q 2 -n 1 echo a; date +%s", "a\na\na\n2\n", ""),
    "with a title": ("watch -n 60 -g date +%s | head -n 1", "Every 60.0s: date +%s    bashkit: Thu Jan  1 00:00:00 1970\n", ""),
    "nothing": ("watch; echo $?", "1\n", "watch: no command given\nTry 'watch --help' for more information.\n"),
}


@pytest.mark.parametrize(("script", "output", "errors"), CASES.values(), ids=CASES)
def test_runs_a_command(script, output, errors):
    result = Bash(clock=VirtualClock()).execute_sync(script)
    assert (result.stdout, result.stderr) == (output, errors)
