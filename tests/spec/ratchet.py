"""The open conformance suites as a ratchet: a case that once passed must go on passing.

    python tests/spec/ratchet.py FOLDER            compare with tests/spec/baseline.json; exit 1 when a recorded case fails
    python tests/spec/ratchet.py FOLDER --update   record what passes now

FOLDER holds ``run.py`` and ``cases/``. A recorded case that fails is run once more alone before it counts, so that a busy machine
does not fail it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

BASELINE = Path(__file__).parent / "baseline.json"


def run_suites(folder: Path, jobs: int, suites: list[str]) -> dict[str, dict[str, str]]:
    """The verdict of every case, by suite and case."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.json"
        command = [sys.executable, str(folder / "run.py"), *suites, "--json", str(report), "--jobs", str(jobs)]
        subprocess.run(command, check=True)
        return {suite: found["results"] for suite, found in json.loads(report.read_text(encoding="utf-8")).items()}


def main() -> int:
    """Compare or record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--update", action="store_true", help="record what passes now")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    verdicts = run_suites(options.folder, options.jobs, [])
    passing = {
        suite: sorted(case for case, verdict in found.items() if verdict == "pass") for suite, found in sorted(verdicts.items())
    }
    if options.update:
        document = {suite: {"total": len(verdicts[suite]), "passed": cases} for suite, cases in passing.items()}
        BASELINE.write_text(json.dumps(document, indent=0) + "\n", encoding="utf-8")
        print("recorded", {suite: len(cases) for suite, cases in passing.items()})
        return 0
    document = json.loads(BASELINE.read_text(encoding="utf-8"))
    recorded: dict[str, list[str]] = {suite: found["passed"] for suite, found in document.items()}
    lost = {suite: sorted(set(cases) - set(passing.get(suite, ()))) for suite, cases in recorded.items()}
    lost = {suite: cases for suite, cases in lost.items() if cases}
    if lost:
        again = run_suites(options.folder, 1, sorted(lost))
        lost = {suite: [case for case in cases if again.get(suite, {}).get(case) != "pass"] for suite, cases in lost.items()}
        lost = {suite: cases for suite, cases in lost.items() if cases}
    gained = sum(len(set(cases) - set(recorded.get(suite, ()))) for suite, cases in passing.items())
    print(f"ratchet: {sum(map(len, recorded.values()))} recorded, {gained} more pass now, {sum(map(len, lost.values()))} lost")
    for suite, cases in lost.items():
        print(f"  {suite}: {' '.join(cases)}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
