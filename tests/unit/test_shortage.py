"""A host that can start no thread: scripts end with a message, and go well again once it can."""

import subprocess
import sys

import pytest

PROGRAM = """\
import threading

from bashkit import Bash
from bashkit.interp.runtime import watchdog

start = threading.Thread.start


def refuse(thread):
    raise RuntimeError({reason!r})


bash = Bash({options})
for threading.Thread.start in (refuse, start):
    result = bash.execute_sync({script!r})
    print(repr(result.stdout), repr(result.stderr), result.exit_code, result.error)
print(watchdog._thread.is_alive(), len(watchdog._watched))
"""
REFUSED = "'' 'bash: the host can start no further thread\\n' 1 internal"


@pytest.mark.parametrize(
    ("script", "options", "refused", "after"),
    [
        ("python3 -c 'print(1)'", "", REFUSED, "'1\\n' '' 0 None"),
        ("sqlite3 :memory: 'select 1'", "", REFUSED, "'1\\n' '' 0 None"),
        ("echo hi", "", REFUSED, "'hi\\n' '' 0 None"),
        ("echo hi", "isolation='process'", REFUSED, "'hi\\n' '' 0 None"),
    ],
)
@pytest.mark.parametrize("reason", ["can't start new thread", "thread is not supported for isolated subinterpreters"])
def test_scripts_end_with_a_message(script, options, refused, after, reason):
    program = PROGRAM.format(options=options, script=script, reason=reason)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == [refused, after, "True 0"]
    assert done.stderr == ""
