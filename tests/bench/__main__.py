"""Time workloads for bashkit, GNU bash and the Rust wheel in one run, and write the ratios down.

    python -m tests.bench                        everything; the table goes to tests/bench/README.md
    python -m tests.bench loop jq --rounds 9     some workloads, more rounds; the table is only printed

BASHKIT_WHEEL_PYTHON names the interpreter of a virtual environment with the Rust wheel (``pip install bashkit``), which has our
import name and needs a place of its own. Every figure is the median of the rounds, the engines taking turns, so that a machine
that slows down slows them all. A ratio below 1 means that bashkit is faster.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.engines import OURS, WHEEL, GnuBash, Interpreter
from tests.bench.utilities import UTILITIES, write_inputs
from tests.bench.workloads import WORKLOADS

if TYPE_CHECKING:
    from tests.bench.workloads import Workload

HERE = Path(__file__).parent
Row = dict[str, str | float | None]
Engines = dict[str, Interpreter | GnuBash]
_HEAD = """\
# Benchmarks

Made by `python -m tests.bench`; every figure is milliseconds for one run of the workload, the median of {rounds} rounds in which the
engines took turns; an engine that prints something else than GNU bash, or cannot run the workload, has no figure. A ratio below 1 means that bashkit is faster. What the workloads are: [workloads.py](workloads.py).

{engines}

"""
_UTILITIES = """\
## Utilities on 100 000 lines

The real programs' time has their start in it. The scripts: [utilities.py](utilities.py).

"""


def start(folder: Path) -> Engines:
    """The engines that are at hand, all with the same files."""
    engines: Engines = {"bashkit": Interpreter(sys.executable, OURS, folder)}
    if shutil.which("bash"):
        engines["bash"] = GnuBash(folder)
    wheel = os.environ.get("BASHKIT_WHEEL_PYTHON")
    if wheel:
        engines["wheel"] = Interpreter(wheel, WHEEL, folder)
    return engines


def measure(workloads: tuple[Workload, ...], engines: Engines, names: list[str], rounds: int) -> list[Row]:
    """Medians for every workload whose name contains one of ``names`` (all when there is none)."""
    rows: list[Row] = []
    for work in workloads:
        if names and not any(name in work.name for name in names):
            continue
        times: dict[str, list[float]] = {name: [] for name in engines}
        bash = engines.get("bash")
        expected = bash.output(work) if isinstance(bash, GnuBash) else None
        for turn in range(rounds + 1):
            for name, engine in engines.items():
                seconds = engine.time(work, expected)
                if seconds is not None and turn:  # the first round warms up
                    times[name].append(seconds)
        row: Row = {"workload": work.name}
        for name, found in times.items():
            row[name] = round(statistics.median(found) * 1000 / work.repeat, 3) if found else None
        rows.append(row)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows


def ratio(row: Row, other: str) -> float | None:
    """How long bashkit takes as a share of what the other engine takes."""
    own, theirs = row["bashkit"], row.get(other)
    return own / theirs if isinstance(own, float) and isinstance(theirs, float) and theirs else None


def table(rows: list[Row]) -> str:
    """The figures in Markdown, the geometric means of the ratios in the last row."""
    others = [name for name in ("bash", "wheel") if any(row.get(name) is not None for row in rows)]
    titles = {"bash": "GNU bash", "wheel": "Rust wheel"}
    lines = [
        "| workload | bashkit |" + "".join(f" {titles[name]} | ratio |" for name in others),
        "|---|---:|" + "---:|---:|" * len(others),
    ]
    for row in rows:
        line = f"| {row['workload']} | {_figure(row['bashkit'])} |"
        for name in others:
            share = ratio(row, name)
            line += f" {_figure(row[name])} | {'–' if share is None else f'{share:.2f}'} |"
        lines.append(line)
    means = []
    for name in others:
        shares = [share for row in rows if (share := ratio(row, name))]
        means.append(f" | {math.exp(statistics.fmean(map(math.log, shares))):.2f} |" if shares else " | – |")
    lines.append("| **geometric mean** | |" + "".join(means))
    return "\n".join(lines) + "\n"


def _figure(value: str | float | None) -> str:
    if not isinstance(value, float):
        return "–"
    return f"{value:.3f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _engines() -> str:
    """What was compared, one line each."""
    lines = [f"- bashkit under CPython {platform.python_version()}"]
    if bash := shutil.which("bash"):
        lines.append(
            "- " + subprocess.run([bash, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
        )
    if wheel := os.environ.get("BASHKIT_WHEEL_PYTHON"):
        code = "import importlib.metadata as m; print(m.version('bashkit'))"
        lines.append(
            "- the Rust wheel " + subprocess.run([wheel, "-c", code], capture_output=True, text=True, check=False).stdout.strip()
        )
    return "\n".join(lines)


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("workloads", nargs="*", help="parts of workload names")
    parser.add_argument("--rounds", type=int, default=5, help="how often each workload is timed (5)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        engines = start(folder)
        language, utilities = (
            measure(workloads, engines, options.workloads, options.rounds) for workloads in (WORKLOADS, UTILITIES)
        )
    if options.json:
        print(json.dumps(language + utilities, indent=1))
        return
    text = "\n".join(title + table(rows) for title, rows in (("", language), (_UTILITIES, utilities)) if rows)
    print(text, end="")
    if not options.workloads:
        (HERE / "README.md").write_text(_HEAD.format(rounds=options.rounds, engines=_engines()) + text, encoding="utf-8")


if __name__ == "__main__":
    main()
