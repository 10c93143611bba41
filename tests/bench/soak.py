"""Mixed load for a long time, and one hostile session beside many good ones.

    python -m tests.bench.soak load [--minutes 60] [--sessions 1000] [--isolation inline|process]
    python -m tests.bench.soak fairness [--isolation inline|process]

``load`` prints a line a minute and says at the end whether memory stayed flat: the median of the last quarter is compared with
that of the second, when caches are full. ``fairness`` prints how long the scripts of 99 good sessions take beside good ones, and
beside a hostile one.
"""

import argparse
import asyncio
import random
import statistics
import sys
import threading
import time
from pathlib import Path

from bashkit import Bash, ExecutionLimits

AT_ONCE = 32
FLAT = 1.05  # the most that memory may have grown
GOOD = [
    "for i in {1..200}; do echo $((i * i)); done | sort -rn | head -n 3",
    "n=$((n + 1)); echo $n > count; cat count; ls | wc -l",
    "seq 500 | awk '{ s += $1 } END { print s }'",
    """echo '[{"a":1},{"a":2}]' | jq 'map(.a) | add'""",
    "call $RANDOM | tr a-z A-Z; x=$(call 5); echo ${#x}",
    "f() { local i; for i in a b c; do echo $i; done; }; f | while read -r l; do m[$RANDOM % 50]=$l; done; echo ${#m[@]}",
    "printf '%s\\n' {a..z} > f; sed 's/./&&/' f | grep -c aa; find . -name 'f*' | sort | tail -n 1",
    "sqlite3 d.db 'create table if not exists t(a); insert into t values (1); delete from t; select count(*) from t'",
    "s=$(printf 'x%.0s' {1..3000}); echo ${s//x/yz} | md5sum; unset s",
    "sleep 0.01 & sleep 0.01 & wait; echo done",
]
HOSTILE = [
    "while :; do :; done",
    "x=a; while :; do x=$x$x; done",
    "f() { f | f & }; f; wait",
    "yes | sort | head",
    "awk 'BEGIN { for (;;) a[n++] = n }'",
    "for i in {1..100000}; do echo $i > f$i; done",
    "jq -n '[range(10000000)]'",
]


async def call(context):
    """A builtin that takes its time."""
    await asyncio.sleep(0.001)
    return f"called {' '.join(context.argv)}\n"


def session(isolation):
    """A session as a server would make it."""
    limits = ExecutionLimits(timeout=1, max_memory_bytes=32 << 20, max_file_system_bytes=8 << 20)
    return Bash(limits=limits, custom_builtins={"call": call}, isolation=isolation)


def memory(process="self"):
    """Resident bytes of a process, this one when left out, and of its descendants; shared pages of forked ones count once for each."""
    children, sizes = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            sizes[int(path.parent.name)] = int((path.parent / "statm").read_text().split()[1]) * 4096
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    pending, total = [int(Path(f"/proc/{process}").resolve().name)], 0
    while pending:
        one = pending.pop()
        total += sizes.get(one, 0)
        pending += children.get(one, [])
    return total


def open_files():
    """The descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


async def load(minutes, count, isolation):
    """Run scripts in random sessions, and watch what stays."""
    chance = random.Random(1)
    sessions = [session(isolation) for _ in range(count)]
    busy, done, end, samples = set(), 0, time.monotonic() + 60 * minutes, []

    async def work():
        nonlocal done
        while time.monotonic() < end:
            number = chance.randrange(count)
            if number in busy:
                await asyncio.sleep(0)
                continue
            busy.add(number)
            if chance.random() < 0.01:  # this one leaves, another comes
                sessions[number] = session(isolation)
            result = await sessions[number].execute(chance.choice(HOSTILE if chance.random() < 0.01 else GOOD))
            if result.error == "internal":
                print("internal error:", result.stderr)
            done += 1
            busy.discard(number)

    async def watch():
        before = 0
        while time.monotonic() < end:
            await asyncio.sleep(min(60, max(0, end - time.monotonic())))
            samples.append(memory())
            print(
                f"{len(samples):3} min  {done - before:6} scripts  {samples[-1] / (1 << 20):7.1f} MB  {threading.active_count()} threads  "
                f"{open_files()} files  {len(asyncio.all_tasks())} tasks",
                flush=True,
            )
            before = done

    await asyncio.gather(watch(), *(work() for _ in range(AT_ONCE)))
    quarter = max(1, len(samples) // 4)
    early, late = statistics.median(samples[quarter : 2 * quarter] or samples), statistics.median(samples[-quarter:])
    print(f"{done} scripts; memory {early / (1 << 20):.1f} MB in the second quarter, {late / (1 << 20):.1f} MB in the last")
    return 0 if late <= FLAT * early else 1


async def fairness(isolation):
    """Time the scripts of 99 good sessions beside one more good one, and beside a hostile one."""
    good = "for i in {1..300}; do x=$((x + i)); done; echo $x | cat; call 1"

    async def median(hostile):
        sessions = [session(isolation) for _ in range(99)]
        other, stopped, taken = session(isolation), False, []

        async def one(bash):
            for _ in range(20):
                begin = time.perf_counter()
                await bash.execute(good)
                taken.append(time.perf_counter() - begin)

        async def beside():
            while not stopped:
                await other.execute(hostile)

        task = asyncio.ensure_future(beside())
        begin = time.perf_counter()
        await asyncio.gather(*map(one, sessions))
        whole = time.perf_counter() - begin
        stopped = True
        other.cancel()
        await task
        return statistics.median(taken), max(taken), whole

    base = await median(good)
    print(f"{'beside a good one':40} median {base[0] * 1e3:7.1f} ms  slowest {base[1] * 1e3:7.1f} ms  all {base[2]:5.2f} s")
    for script in HOSTILE:
        found = await median(script)
        print(
            f"{script[:40]:40} median {found[0] * 1e3:7.1f} ms  slowest {found[1] * 1e3:7.1f} ms  all {found[2]:5.2f} s  "
            f"x {found[2] / base[2]:.2f}",
            flush=True,
        )
    return 0


def main():
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["load", "fairness"])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--isolation", choices=["inline", "process"], default="inline")
    options = parser.parse_args()
    if options.what == "fairness":
        return asyncio.run(fairness(options.isolation))
    return asyncio.run(load(options.minutes, options.sessions, options.isolation))


if __name__ == "__main__":
    sys.exit(main())
