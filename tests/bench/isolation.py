"""What a sandbox process costs: ``python -m tests.bench.isolation``.

Milliseconds, the best of some rounds: for one execution, one callback, one first script of a new session, and a session whose files
travel from one process to another; inline and in a sandbox process. ``fairness`` is how long a good script takes beside a hostile one.
"""

import asyncio
import time

from bashkit import Bash, ExecutionLimits
from bashkit.sandbox.pool import pool

ROUNDS = 7
CALLS = 200
MODES = ("inline", "process")


def best(work, count=1):
    """Milliseconds for each of ``count`` pieces of work, in the best round."""
    rounds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        rounds.append(time.perf_counter() - begin)
    return min(rounds) / count * 1000


def execution(mode):
    """One execution in a session that goes on."""
    bash = Bash(isolation=mode)
    bash.execute_sync("true")
    return best(lambda: [bash.execute_sync("true") for _ in range(50)], 50)


def session(mode):
    """A new session and its first script."""
    return best(lambda: [Bash(isolation=mode).execute_sync("true") for _ in range(20)], 20)


def callback(mode):
    """One call of an asynchronous builtin."""

    async def call(_):
        return "answer\n"

    bash = Bash(isolation=mode, custom_builtins={"call": call}, limits=ExecutionLimits(max_output_bytes=1 << 20))
    script = f"for i in {{1..{CALLS}}}; do call; done > /dev/null"
    bash.execute_sync(script)
    return best(lambda: bash.execute_sync(script), CALLS)


def journey(mode):
    """A script in a session of 10 MB of files whose process is another each time."""
    bash = Bash(isolation=mode)
    bash.execute_sync("head -c 1000000 /dev/urandom > 0; for i in {1..9}; do cp 0 $i; done")

    def work():
        for worker in list(pool._idle):
            worker.holds = None
        bash.execute_sync("true")

    return best(work)


def fairness(mode):
    """A short script of a good session beside one that does its worst."""
    good = [Bash(isolation=mode) for _ in range(20)]
    hostile = Bash(isolation=mode, limits=ExecutionLimits(timeout=3, max_commands=1 << 40, max_loop_iterations=1 << 40))

    async def run():
        task = asyncio.create_task(hostile.execute("while :; do x+=a; x=${x: -9}; done"))
        times = []
        for _ in range(5):
            begin = time.perf_counter()
            await asyncio.gather(*(bash.execute("seq 100 | sort -r | head -n 1") for bash in good))
            times.append(time.perf_counter() - begin)
        hostile.cancel()
        await task
        return min(times) / len(good) * 1000

    return asyncio.run(run())


def main():
    """Print a table."""
    print("| | inline | sandbox process | more |\n|---|---:|---:|---:|")
    for name, measure in {
        "one execution": execution,
        "a session's first execution": session,
        "one callback": callback,
        "10 MB of files move": journey,
        "a script beside a hostile one": fairness,
    }.items():
        inline, process = (measure(mode) for mode in MODES)
        print(f"| {name} | {inline:.3f} | {process:.3f} | {process - inline:.3f} |")


if __name__ == "__main__":
    main()
