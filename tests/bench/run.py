"""Time workloads for bashkit, GNU bash and the Rust wheel in one run, and print the ratios.

    python tests/bench/run.py                          bashkit and GNU bash
    BASHKIT_WHEEL_PYTHON=/path/to/python python tests/bench/run.py     the Rust wheel too, from a venv of its own
    python tests/bench/run.py loop jq --rounds 9       some workloads, more rounds

Every figure is the median of the rounds, in milliseconds, the engines taking turns so that a machine that slows down slows them
all. A ratio below 1 means that bashkit is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Workload:
    """A script, how often it runs per round, and which engines can run it."""

    name: str
    script: str
    repeat: int = 1
    tools: bool = False
    cold: bool = False


WORKLOADS = (
    Workload("cold import", "", cold=True),
    Workload("fresh shell + echo", "echo hello", repeat=50),
    Workload("one tool call", "get_user --id 1", repeat=20, tools=True),
    Workload("ten tool calls with jq", "for i in 1 2 3 4 5 6 7 8 9 10; do get_user --id $i | jq -r .name; done", repeat=3, tools=True),
    Workload("loop: for ((;;))", "for ((i=0;i<100000;i++)); do :; done"),
    Workload("loop: while and test", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"),
    Workload("functions", "f() { local x=$1; return 0; }; for ((i=0;i<20000;i++)); do f $i; done"),
    Workload("command substitution", "for ((i=0;i<500;i++)); do x=$(echo $i); done"),
    Workload("string operations", "s=abcdefghij; for ((i=0;i<20000;i++)); do t=${s//c/X}; u=${t#a}; v=${#u}; done"),
    Workload("arrays", "a=(); for ((i=0;i<20000;i++)); do a+=($i); done; s=0; for x in ${a[@]}; do ((s+=x)); done; echo $s"),
    Workload("pipeline of utilities", "seq 1 100000 | grep 7 | sort -r | head -n 5 | wc -l"),
    Workload("recursion", "fib() { (($1<2)) && { r=$1; return; }; fib $(($1-1)); local a=$r; fib $(($1-2)); ((r+=a)); }; fib 15; echo $r"),
)

# what the child interpreter of an engine does: reads one JSON line a request, answers the seconds it took
OURS = """
import json, sys, time
from bashkit import Bash, ScriptedTool, ToolDef
users = {i: '{"id": %d, "name": "user%d"}\\n' % (i, i) for i in range(1, 11)}
schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
tool = (ScriptedTool.builder("bench").tool(ToolDef("get_user", "Fetch user").with_schema(schema), lambda args: users[args.param_i64("id")]).build())
for line in sys.stdin:
    work = json.loads(line)
    started = time.perf_counter()
    for _ in range(work["repeat"]):
        result = tool.execute_sync(work["script"]) if work["tools"] else Bash().execute_sync(work["script"])
        assert result.exit_code == 0, result.stderr
    print(time.perf_counter() - started, flush=True)
"""
WHEEL = """
import json, sys, time
from bashkit import Bash, ExecutionProfile
from bashkit.scripted import ScriptedTool
users = {i: '{"id": %d, "name": "user%d"}\\n' % (i, i) for i in range(1, 11)}
schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
for line in sys.stdin:
    work = json.loads(line)
    started = time.perf_counter()
    for _ in range(work["repeat"]):
        if work["tools"]:
            tool = ScriptedTool("bench", max_commands=10**7, max_loop_iterations=10**7)
            tool.add_tool("get_user", "Fetch user", callback=lambda p, s=None: users[p["id"]], schema=schema)
            result = tool.execute_sync(work["script"])
        else:
            result = Bash(max_commands=10**7, max_loop_iterations=10**7, profile=ExecutionProfile.Interactive).execute_sync(work["script"])
        assert result.exit_code == 0, result.stderr
    print(time.perf_counter() - started, flush=True)
"""


class Child:
    """An engine in an interpreter of its own."""

    def __init__(self, python: str, program: str, environment: dict[str, str] | None = None) -> None:
        self.python = python
        self.process = subprocess.Popen(
            [python, "-P", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )

    def time(self, work: Workload) -> float | None:
        """Seconds for one round; None when the engine cannot run it."""
        if work.cold:
            started = time.perf_counter()
            subprocess.run([self.python, "-P", "-c", "import bashkit"], check=True, capture_output=True)
            return time.perf_counter() - started
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps({"script": work.script, "repeat": work.repeat, "tools": work.tools}) + "\n")
            self.process.stdin.flush()
            return float(self.process.stdout.readline())
        except (OSError, ValueError):
            return None


class GnuBash:
    """GNU bash; a tool is a function that prints what the callback returns, which is more than fair to it."""

    TOOL = """get_user() { printf '{"id": %d, "name": "user%d"}\\n' "$2" "$2"; }; """

    def time(self, work: Workload) -> float | None:
        """Seconds for one round, each run a process of its own."""
        if work.cold:
            return None
        if work.tools and "jq" in work.script and shutil.which("jq") is None:
            return None
        script = (self.TOOL if work.tools else "") + work.script
        started = time.perf_counter()
        for _ in range(work.repeat):
            done = subprocess.run(["bash", "--norc", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            if done.returncode:
                return None
        return time.perf_counter() - started


def measure(names: list[str], rounds: int) -> list[dict[str, object]]:
    """Medians for every workload whose name contains one of ``names`` (all when there is none)."""
    engines: dict[str, Child | GnuBash] = {"bashkit": Child(sys.executable, OURS)}
    if shutil.which("bash"):
        engines["bash"] = GnuBash()
    wheel = os.environ.get("BASHKIT_WHEEL_PYTHON")
    if wheel:
        engines["wheel"] = Child(wheel, WHEEL)
    rows: list[dict[str, object]] = []
    for work in WORKLOADS:
        if names and not any(name in work.name for name in names):
            continue
        times: dict[str, list[float]] = {name: [] for name in engines}
        for turn in range(rounds + 1):
            for name, engine in engines.items():
                seconds = engine.time(work)
                if seconds is not None and turn:  # the first round warms up
                    times[name].append(seconds)
        row: dict[str, object] = {"workload": work.name}
        for name, found in times.items():
            row[name] = round(statistics.median(found) * 1000 / work.repeat, 3) if found else None
        rows.append(row)
    return rows


def show(rows: list[dict[str, object]]) -> None:
    """The figures as a table with the ratios of bashkit to the others."""
    others = [name for name in ("bash", "wheel") if any(name in row for row in rows)]
    head = f"{'workload':28}{'bashkit ms':>12}" + "".join(f"{name + ' ms':>12}{'ratio':>8}" for name in others)
    print(head + "\n" + "-" * len(head))
    for row in rows:
        line = f"{row['workload']:28}{row['bashkit']!s:>12}"
        for name in others:
            own, other = row["bashkit"], row.get(name)
            ratio = f"{own / other:.2f}" if isinstance(own, float) and isinstance(other, float) and other else "-"
            line += f"{other if other is not None else '-':>12}{ratio:>8}"
        print(line)


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", help="parts of workload names")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    rows = measure(options.workloads, options.rounds)
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        show(rows)


if __name__ == "__main__":
    main()
