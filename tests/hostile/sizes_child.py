"""Runs scripts that come as lines of JSON, each in a session of its own, and answers each with a line that says what it took."""

import json
import os
import resource
import sys
import time
from pathlib import Path


def main():
    """Run scripts until there are no more."""
    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    from bashkit import Bash, ExecutionLimits

    files = {
        "/in/empty": "",
        "/in/line": "a" * 1_000_000,
        "/in/lines": "".join(f"{number}\n" for number in range(100_000)),
        "/in/deep": "([{" * 30_000,
    }
    for line in sys.stdin:
        case = json.loads(line)
        limits = ExecutionLimits(timeout=case["timeout"], max_output_bytes=1 << 20)
        bash = Bash(limits=limits, files=files)
        before = _memory("VmRSS")
        _reset_peak()
        begin = time.monotonic()
        result = bash.execute_sync(case["script"])
        answer = {
            "seconds": time.monotonic() - begin,
            "growth": max(0, _memory("VmHWM") - before),
            "error": result.error,
            "stderr": result.stderr[-2000:],
        }
        os.write(answers, json.dumps(answer).encode() + b"\n")


def _memory(key):
    """A figure of /proc/self/status in megabytes; 0 where there is none."""
    try:
        with Path("/proc/self/status").open() as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith(key))
    except (OSError, StopIteration):
        return 0


def _reset_peak():
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass


main()
