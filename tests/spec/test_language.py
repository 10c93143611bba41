"""Scripts with the answers of GNU bash 5.2, run by bashkit and, where that bash is at hand, by bash again."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from record import read_rows

from bashkit import Bash
from bashkit.interp.run import tiers
from bashkit.interp.run.scripts import forget_scripts

FOLDER = Path(__file__).parent / "language"


def load_cases():
    for path in sorted(FOLDER.glob("*.yaml")):
        for case in read_rows(path):
            yield pytest.param(case, id=f"{path.stem}: {case['name']}")


@cache
def bash_version() -> str:
    if shutil.which("bash") is None:
        return "none"
    return subprocess.run(
        ["bash", "-c", "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"], capture_output=True, encoding="utf-8", check=True
    ).stdout.strip()


@pytest.fixture(params=["closures", "translated"])
def tier(request, monkeypatch):
    """Loops and functions as they begin, and as they are once they are hot: from the second turn, from the first call."""
    if request.param == "translated":
        monkeypatch.setattr(tiers, "TURNS", 1)
        monkeypatch.setattr(tiers, "CALLS", 0)
    forget_scripts()
    yield request.param
    forget_scripts()


@pytest.mark.parametrize("case", list(load_cases()))
def test_bashkit_answers_as_bash(case, tier):
    shell = Bash(cwd="/case", env={"LC_ALL": "C.UTF-8", "HOME": "/tmp"}, timeout_seconds=60)
    result = shell.execute_sync(case["script"], stdin=case.get("stdin"))
    assert (result.stdout, result.exit_code) == (case["stdout"], case["status"]), result.stderr
    assert "internal error" not in result.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("case", list(load_cases()))
def test_recorded_answer_is_still_that_of_bash(case):
    if bash_version() != "5.2":
        pytest.skip("the answers are those of bash 5.2, which is not installed here")
    from importlib import util

    spec = util.spec_from_file_location("record", Path(__file__).parent / "record.py")
    record = util.module_from_spec(spec)
    spec.loader.exec_module(record)
    for _ in range(3):  # on a loaded machine a program may come later than the one beside it
        answer = record.ask_bash(case["script"], case.get("stdin", ""))
        if answer == (case["stdout"], case["status"]):
            break
    assert answer == (case["stdout"], case["status"])
