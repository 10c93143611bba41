"""The minimal scripts of differences that the fuzzer found and that are mended, with the answers of GNU bash 5.2."""

from pathlib import Path

import oracle
import pytest
import yaml

from bashkit import Bash

CASES = yaml.safe_load((Path(__file__).parent / "found.yaml").read_text(encoding="utf-8"))
PARAMETERS = [pytest.param(case, id=case["name"]) for case in CASES]


@pytest.mark.parametrize("case", PARAMETERS)
def test_bashkit_answers_as_bash(case):
    result = Bash(cwd="/case", timeout_seconds=60).execute_sync(case["script"])
    assert (result.stdout, result.exit_code) == (case["stdout"], case["status"]), result.stderr
    assert result.error != "internal"


@pytest.mark.thorough
@pytest.mark.skipif(oracle.gnu_bash() is None, reason="the answers are those of GNU bash 5.2, which is not installed here")
@pytest.mark.parametrize("case", PARAMETERS)
def test_the_answer_is_that_of_bash(case):
    assert oracle.ask_bash(case["script"]) == oracle.Answer(case["stdout"], case["status"])
