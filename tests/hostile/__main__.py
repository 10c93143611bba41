"""All hostile scripts: ``python -m tests.hostile [--mode inline|process] [--category NAME] [--name TEXT] [--jobs N] [-v]``."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.hostile.harness import MODES, problems, read_cases


def main():
    """Run what was asked for; the status is 1 if anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description="Run hostile scripts.")
    parser.add_argument("--mode", choices=MODES, action="append", help="where they run; both when left out")
    parser.add_argument("--category", help="one file of tests/hostile/cases")
    parser.add_argument("--name", default="", help="a part of the name")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-v", action="store_true", help="name those that hold too")
    options = parser.parse_args()
    jobs = [
        (case, mode)
        for case in read_cases()
        for mode in options.mode or MODES
        if mode in case.modes and options.category in {None, case.category} and options.name in case.name
    ]
    failed = known = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for (case, mode), found in zip(jobs, pool.map(lambda job: problems(*job, strict=True), jobs), strict=True):
            failed += bool(found) and not case.known
            known += bool(found and case.known)
            if found or options.v:
                print(
                    f"{'known' if found and case.known else 'FAIL' if found else 'ok'}  {mode}  {case.id}  {'; '.join(found)}",
                    flush=True,
                )
    print(f"{len(jobs) - failed - known} of {len(jobs)} hold, {known} are known not to")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
