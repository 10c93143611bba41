"""mkfifo: modes and messages, and what its pipes are for."""

import pytest

from bashkit import Bash
from bashkit.interp.runtime.clock import VirtualClock


def test_makes_pipes_with_a_mode(utility):
    assert utility("mkfifo", "-m", "600", "a", "b").status == 0
    assert [(utility.fs.stat(f"/home/user/{name}").type, oct(utility.fs.stat(f"/home/user/{name}").mode)) for name in "ab"] == [
        ("fifo", "0o600")
    ] * 2


def test_refuses_what_exists(utility):
    utility.write("a", "")
    outcome = utility("mkfifo", "a")
    assert (outcome.status, "cannot create fifo" in outcome.stderr) == (1, True)


PIPES = {
    "a utility opens it by name": ("echo x > p & cat p", "x\n"),
    "a utility writes to it by name": ("echo y | tee p > /dev/null & read line < p; echo $line", "y\n"),
    "one reader hears every writer that is there": ("(echo a > p) & (echo b > p) & cat p | sort; wait", "a\nb\n"),
    "tail goes on with the next writer": ("(echo q > p; sleep 1; echo r > p) & timeout 3 tail -f p", "q\nr\n"),
    "both ends as one descriptor": ("exec 3<>p; echo a >&3; echo b > p; head -c2 p; read x <&3; echo $x", "a\nb\n"),
    "cp reads it": (
        "echo x > p & cp p c; cat c; cp -R p q; stat -c %F q; echo y > p & cp -R --copy-contents p r; cat r",
        "x\nfifo\ny\n",
    ),
    "a utility that has ended reads it no more": (
        "echo x > p & cp p c; (echo y > p; echo written) & sleep 1; echo now; cat p > c; wait",
        "now\nwritten\n",
    ),
}


@pytest.mark.parametrize("behaviour", PIPES)
def test_connects_those_who_open_it(behaviour):
    script, expected = PIPES[behaviour]
    assert Bash(clock=VirtualClock()).execute_sync("cd /tmp; mkfifo p; " + script).stdout == expected
