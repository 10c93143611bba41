"""tail -f: what is added appears, whoever writes it, and it ends when it is told to; expectations recorded from the GNU program."""

import time

import pytest

from bashkit import Bash
from bashkit.fs.host import HostDirectory
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.interp.runtime.hub import Hub


def run(script, clock=None):
    bash = Bash(files={"/w/f": "1\n2\n", "/w/d/x": ""}, cwd="/w", timeout_seconds=60, clock=clock or VirtualClock(1e9))
    return bash.execute_sync(f"( {script}\n) 2>&1")


CASES = {
    "what a job writes": ("tail -n1 -f f & sleep .1; echo 3 >> f; sleep .1; kill $!; wait $!; echo $?", "2\n3\n143\n"),
    "until a time limit": ("timeout 2 tail -f f; echo $?", "1\n2\n124\n"),
    "until the reader has seen enough": ("tail -f f | grep -m1 ready & sleep 1; echo ready >> f; wait; echo end", "ready\nend\n"),
    "until a process ends": ("sleep .5 & tail -f --pid=$! f; tail -fn0 --pid=999999 f", "1\n2\n"),
    "from a writer that never waits": (
        "yes >> big 2> /dev/null & timeout 9 tail -f big | head -n1; kill $! 2>/dev/null",
        "y\n",
    ),
    "titles": (
        "echo A > g; timeout 1 tail -f f g & sleep .2; echo n >> f; sleep .2; echo m >> g; sleep .2; echo o >> g; wait",
        "==> f <==\n1\n2\n\n==> g <==\nA\n\n==> f <==\nn\n\n==> g <==\nm\no\n",
    ),
    "one follows the output of another": (
        ": > g; tail -f f > g & sleep .2; tail -fn1 g & sleep 1; echo 3 >> f; sleep 1; kill %1 %2; wait",
        "2\n3\n",
    ),
    "a file that is cut": (
        "timeout 1 tail -f f & sleep .3; : > f; sleep .2; echo a >> f; wait",
        "1\n2\ntail: f: file truncated\na\n",
    ),
    "a file that comes": (
        "timeout 3 tail -F new & sleep .3; echo a > new; wait",
        "tail: cannot open 'new' for reading: No such file or directory\ntail: 'new' has appeared;  following new file\na\n",
    ),
    "a name that changes hands": (
        (
            "timeout 9 tail -F f & sleep 1; mv f g; sleep 1; echo a > f; sleep 1; echo bb > h; mv h f; sleep 1; rm f; sleep 1; mkdir f; sleep 1;"
            "rmdir f; echo x > f; wait"
        ),
        (
            "1\n2\ntail: 'f' has become inaccessible: No such file or directory\ntail: 'f' has appeared;  following new file\na\n"
            "tail: 'f' has been replaced;  following new file\nbb\ntail: 'f' has become inaccessible: No such file or directory\n"
            "tail: 'f' has been replaced with an untailable file\ntail: 'f' has appeared;  following new file\nx\n"
        ),
    ),
    "a name that goes": (
        "tail --follow=name f & sleep .2; rm f; wait $!; echo $?",
        "1\n2\ntail: f: No such file or directory\ntail: no files remaining\n1\n",
    ),
    "a descriptor stays": ("timeout 3 tail -f f & sleep .2; mv f g; echo z > f; echo 3 >> g; wait", "1\n2\n3\n"),
    "a directory": (
        "tail -f d; echo $?",
        (
            "tail: error reading 'd': Is a directory\ntail: d: cannot follow end of this type of file; giving up on this name\n"
            "tail: no files remaining\n1\n"
        ),
    ),
    "a pipe is read to its end": ("printf 'a\\nb\\n' | tail -fn1", "b\n"),
    "a process substitution": ("timeout 3 tail -fn1 <(echo a; sleep 1; echo b); echo $?", "b\n124\n"),
    "options without -f": (
        "tail --retry --pid=1 -n1 f",
        (
            "tail: warning: --retry ignored; --retry is useful only when following\n"
            "tail: warning: PID ignored; --pid=PID is useful only when following\n2\n"
        ),
    ),
    "standard input has no name": ("tail -F < f; echo $?", "tail: cannot follow '-' by name\n1\n"),
    "mistakes": (
        "tail -f --pid=x f; tail -s -1 f; tail --max-unchanged-stats=x f; tail -5 f f",
        (
            "tail: invalid PID: ‘x’\ntail: invalid number of seconds: ‘-1’\n"
            "tail: invalid maximum number of unchanged stats between opens: ‘x’\ntail: option used in invalid context -- 5\n"
        ),
    ),
}


@pytest.mark.parametrize("behaviour", CASES)
def test_follows(behaviour):
    script, expected = CASES[behaviour]
    assert run(script).stdout == expected


@pytest.mark.parametrize("clock", [VirtualClock(1e9), time.time])
def test_nothing_but_the_time_limit_ends_it_when_nobody_can_write(clock, monkeypatch):
    looks = []
    monkeypatch.setattr(Hub, "watch", lambda hub, *a, watch=Hub.watch, **k: looks.append(1) or watch(hub, *a, **k))
    result = Bash(files={"/w/f": "1\n"}, timeout_seconds=0.5, clock=clock).execute_sync("tail -f /w/f")
    assert (result.stdout, result.error) == ("1\n", "timeout")
    assert len(looks) < 20, "it waited without doing anything"


def test_sees_what_the_host_writes(tmp_path):
    (tmp_path / "log").write_text("old\n")
    bash = Bash()
    bash.fs.mount("/m", HostDirectory(tmp_path))
    bash.fs.write_file("/w/add", lambda: (tmp_path / "log").write_text("old\nnew\n") and "")
    result = bash.execute_sync("tail -f -s .1 /m/log | grep -m1 new & cat /w/add; wait")
    assert result.stdout == "new\n"
