"""One hostile script in a process of its own: reads a case as JSON, runs it, and prints what it did to its host as JSON.

Nothing but the library is loaded here, so that memory, threads and children are the script's.
"""

import asyncio
import json
import os
import resource
import selectors
import sys
import threading
import time
from pathlib import Path


def main():
    """Run the case that comes on standard input."""
    case = json.load(sys.stdin)
    answers = os.dup(1)
    os.dup2(
        os.open(os.devnull, os.O_WRONLY), 1
    )  # what reaches the host's own descriptors is found in the parent's standard error
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    from bashkit import Bash, ExecutionLimits
    from bashkit.worker import preload

    preload()  # what a script uses first is imported once a process, and counts for no script
    options = {} if case["isolation"] == "inline" else {"isolation": case["isolation"]}

    def session():
        return Bash(limits=ExecutionLimits(**case["limits"]), **options)

    session().execute_sync("echo alive")
    bash = session()
    threads = threading.active_count()
    before = _memory("VmRSS")
    _reset_peak()
    begin = time.monotonic()
    result, gap = _run(bash, case)
    answer = {
        "seconds": time.monotonic() - begin,
        "growth": max(0, _memory("VmHWM") - before),
        "gap": gap,
        "status": result.exit_code,
        "error": result.error,
        "stdout": result.stdout[:2000],
        "stderr": result.stderr[-2000:],
    }
    answer["rests"] = any(_rests() for _ in range(5))  # a search of re2 cannot be interrupted, but is short
    answer["threads"] = threading.active_count() - threads
    answer["alive"] = session().execute_sync("echo alive").stdout == "alive\n"
    os.write(answers, json.dumps(answer).encode())


def _rests():
    """Whether the process does nothing for 0.2 seconds."""
    before = time.process_time()
    time.sleep(0.2)
    return time.process_time() - before <= 0.15


class _Turns(selectors.DefaultSelector):
    """A selector that measures the turns of its event loop: a turn lasts from one look at the files to the next.

    What counts is the processor time of the loop's thread: a busy machine is nobody's fault.

    Attributes:
        longest: Seconds of the longest turn.
    """

    def __init__(self):
        super().__init__()
        self.longest = 0.0
        self._begun = time.thread_time()

    def select(self, timeout=None):
        """Wait for files between two turns."""
        self.longest = max(self.longest, time.thread_time() - self._begun)
        try:
            return super().select(timeout)
        finally:
            self._begun = time.thread_time()


def _run(bash, case):
    """The result, and the longest time for which the event loop of the host stood still."""
    if case["sync"]:
        return bash.execute_sync(case["script"], stdin=case["stdin"]), 0.0

    results = []  # not the result of a task: asyncio.run writes down its repr, which may be long
    turns = _Turns()

    async def run():
        results.append(await bash.execute(case["script"], stdin=case["stdin"]))

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(turns)) as runner:
        runner.run(run())
    return results[0], turns.longest


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
        pass  # the peak of the whole life counts then


main()
