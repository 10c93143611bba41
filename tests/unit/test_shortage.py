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
NONE_LEFT = "can't start new thread"
REFUSED = "'' 'bash: the host can start no further thread\\n' 1 internal"


@pytest.mark.parametrize(
    ("script", "options", "reason", "output"),
    [
        ("python3 -c 'print(1)'", "", NONE_LEFT, "1"),
        ("sqlite3 :memory: 'select 1'", "", NONE_LEFT, "1"),
        ("echo hi", "", NONE_LEFT, "hi"),
        ("echo hi", "", "thread is not supported for isolated subinterpreters", "hi"),
        ("echo hi", "isolation='process'", NONE_LEFT, "hi"),
    ],
)
def test_scripts_end_with_a_message(script, options, reason, output):
    program = PROGRAM.format(options=options, script=script, reason=reason)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == [REFUSED, f"'{output}\\n' '' 0 None", "True 0"]
    assert done.stderr == ""
