"""Time workloads for bashkit, GNU bash, the Rust wheel and just-bash in one run, and write the ratios down.

    python -m tests.bench                        everything; the table goes to tests/bench/README.md
    python -m tests.bench loop jq --rounds 9     some workloads, more rounds; the table is only printed

What is at hand takes part: GNU bash, bashkit itself also in sandbox processes, and what these variables name:

    BASHKIT_COMPILED_PYTHON   the interpreter of a virtual environment with a compiled wheel of bashkit (BASHKIT_COMPILE=1)
    BASHKIT_WHEEL_PYTHON      ... with the Rust wheel (pip install bashkit), which has our import name and needs a place of its own
    BASHKIT_JUST_BASH_PYTHON  ... with just-bash from PyPI
    BASHKIT_JUST_BASH_NODE    the node_modules of just-bash from npm

Every figure is the median of the rounds, the engines taking turns, so that a machine
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
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.engines import ISOLATED, JUST_BASH, JUST_BASH_PY, OURS, WHEEL, Engine, GnuBash
from tests.bench.utilities import UTILITIES, write_inputs
from tests.bench.workloads import WORKLOADS

if TYPE_CHECKING:
    from tests.bench.workloads import Workload

HERE = Path(__file__).parent
Row = dict[str, str | float | None]
Engines = dict[str, Engine | GnuBash]
_HEAD = """\
# Benchmarks

Made by `python -m tests.bench` on {date}; every figure is milliseconds for one run of the workload, the median of {rounds} rounds in which the
engines took turns; an engine that prints something else than GNU bash, or cannot run the workload, has no figure. A ratio below 1 means that bashkit is faster. What the workloads are: [workloads.py](workloads.py).

{engines}

"""
_UTILITIES = """\
## Utilities on 100 000 lines

The real programs' time has their start in it. The scripts: [utilities.py](utilities.py).

"""


TITLES = {
    "bashkit": "bashkit",
    "compiled": "compiled",
    "isolated": "isolated",
    "bash": "GNU bash",
    "wheel": "Rust wheel",
    "node": "just-bash",
    "just_bash_py": "just-bash (PyPI)",
}
_OWN = ("compiled", "isolated")  # bashkit in other forms
_LONG = 3.0  # seconds for a round after which an engine has no other


def start(folder: Path) -> Engines:
    """The engines that are at hand, all with the same files."""
    python = [sys.executable, "-P", "-c"]
    engines: Engines = {"bashkit": Engine([*python, OURS], folder, "bashkit")}
    if compiled := os.environ.get("BASHKIT_COMPILED_PYTHON"):
        engines["compiled"] = Engine([compiled, "-P", "-c", OURS], folder, "bashkit")
    engines["isolated"] = Engine([*python, ISOLATED], folder)
    if shutil.which("bash"):
        engines["bash"] = GnuBash(folder)
    if wheel := os.environ.get("BASHKIT_WHEEL_PYTHON"):
        engines["wheel"] = Engine([wheel, "-P", "-c", WHEEL], folder, "bashkit")
    if modules := os.environ.get("BASHKIT_JUST_BASH_NODE"):
        engines["node"] = Engine(["node", "-e", JUST_BASH], folder, NODE_PATH=modules)
    if just_bash := os.environ.get("BASHKIT_JUST_BASH_PYTHON"):
        engines["just_bash_py"] = Engine([just_bash, "-P", "-c", JUST_BASH_PY], folder, "just_bash")
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
        able = dict(engines)
        for turn in range(rounds + 1):
            for name, engine in tuple(able.items()):
                seconds = engine.time(work, expected)
                if seconds is None or seconds > _LONG:
                    del able[name]
                if seconds is not None and (turn or seconds > _LONG):  # the first round warms up
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
    known = [name for name in TITLES if name == "bashkit" or any(row.get(name) is not None for row in rows)]
    others = [name for name in known if name not in {"bashkit", *_OWN}]
    own = [name for name in known if name in _OWN]
    lines = [
        "| workload | bashkit |"
        + "".join(f" {TITLES[name]} |" for name in own)
        + "".join(f" {TITLES[name]} | ratio |" for name in others),
        "|---|---:|" + "---:|" * len(own) + "---:|---:|" * len(others),
    ]
    for row in rows:
        workload = row["workload"].replace("|", "\\|")
        line = f"| {workload} | {_figure(row['bashkit'])} |" + "".join(f" {_figure(row[name])} |" for name in own)
        for name in others:
            share = ratio(row, name)
            line += f" {_figure(row[name])} | {'–' if share is None else f'{share:.2f}'} |"
        lines.append(line)
    means = []
    for name in others:
        shares = [share for row in rows if (share := ratio(row, name))]
        means.append(f" | {math.exp(statistics.fmean(map(math.log, shares))):.2f} |" if shares else " | – |")
    lines.append("| **geometric mean** | |" + " |" * len(own) + "".join(means))
    return "\n".join(lines) + "\n"


def _figure(value: str | float | None) -> str:
    if not isinstance(value, float):
        return "–"
    return f"{value:.3f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _engines(engines: Engines) -> str:
    """What was compared, one line each, with the most memory that it had."""
    code = "import importlib.metadata as m; print(m.version({!r}))"
    compiled, wheel, port = (os.environ.get(f"BASHKIT_{name}_PYTHON", "") for name in ("COMPILED", "WHEEL", "JUST_BASH"))
    said = {
        "bashkit": f"bashkit under CPython {platform.python_version()}",
        "compiled": "the same with its parser compiled, under " + _said(compiled, "--version"),
        "isolated": "the same in sandbox processes",
        "bash": _said("bash", "--version") + ", with " + _said("awk", "--version"),
        "wheel": "the Rust wheel " + _said(wheel, "-c", code.format("bashkit")),
        "node": "just-bash from npm " + _npm_version() + ", under Node.js " + _said("node", "--version"),
        "just_bash_py": "just-bash from PyPI " + _said(port, "-c", code.format("just-bash")),
    }
    lines = []
    for name, engine in engines.items():
        memory = f", {engine.megabytes} MB at most" if isinstance(engine, Engine) and engine.megabytes else ""
        lines.append(f"- {said[name]}{memory}")
    return "\n".join(lines)


def _said(*command: str) -> str:
    """The first line of what a command prints; "" where there is none."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")[0]
    except OSError:
        return ""


def _npm_version() -> str:
    modules = os.environ.get("BASHKIT_JUST_BASH_NODE")
    path = Path(modules or "") / "just-bash/package.json"
    return str(json.loads(path.read_text(encoding="utf-8"))["version"]) if modules and path.exists() else ""


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
        said = _engines(engines)
    if options.json:
        print(json.dumps(language + utilities, indent=1))
        return
    text = "\n".join(title + table(rows) for title, rows in (("", language), (_UTILITIES, utilities)) if rows)
    print(text, end="")
    if not options.workloads:
        (HERE / "README.md").write_text(
            _HEAD.format(rounds=options.rounds, date=datetime.now(tz=UTC).date(), engines=said) + text, encoding="utf-8"
        )


if __name__ == "__main__":
    main()
