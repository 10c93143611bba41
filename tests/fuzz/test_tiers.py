"""A loop or function does the same as closures, which it begins as, and as generated Python, which it becomes when it is hot.

A few random scripts of every area, and a few mutations of the cases of ``tests/spec``, with each run of the tests;
``BASHKIT_FUZZ_EXAMPLES=2000`` tries that many.
"""

import os
import re
from random import Random

import grammar
import mutations
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import HypothesisWarning

from bashkit import Bash, ExecutionLimits, VirtualClock
from bashkit.interp.run import tiers
from bashkit.interp.run.scripts import forget_scripts

ASKED = os.environ.get("BASHKIT_FUZZ_EXAMPLES")
EXAMPLES = int(ASKED or "12")
FEW = EXAMPLES if ASKED else 4  # tried by the tests that are not thorough
LIMITS = ExecutionLimits(max_commands=20_000, max_loop_iterations=2_000, max_function_depth=60, timeout=60.0)
PROCESSES = re.compile(r"(?<!\|)\|(?!\|)|(?<![&<>])&(?![&>])|[<>]\(")  # pipelines, jobs, process substitutions

pytestmark = pytest.mark.filterwarnings(
    f"ignore:The recursion limit will not be reset:{HypothesisWarning.__module__}.{HypothesisWarning.__name__}"
)


def answer(script: str, *, turns: int, calls: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiers, "TURNS", turns)
        patch.setattr(tiers, "CALLS", calls)
        forget_scripts()
        result = Bash(cwd="/case", clock=VirtualClock(1_700_000_000), seed=1, limits=LIMITS).execute_sync(script)
        forget_scripts()
    assert result.error != "internal", f"{script}\n{result.stderr}"
    return result.stdout, result.exit_code, result.stderr


def check(script: str) -> None:
    text = f"hot() {{\n{script}\n}}\nfor hot in 1 2 3; do hot a b; echo $?\n{script}\ndone\n"
    closures = answer(text, turns=1 << 60, calls=1 << 60)
    if "limit" in closures[2]:  # what a limit cuts off depends on when it is looked at
        return
    python = answer(text, turns=1, calls=0)
    if PROCESSES.search(script):
        closures, python = _in_any_order(closures), _in_any_order(python)
    assert python == closures, text


def _in_any_order(given):
    """What stages of a pipeline and jobs write beside each other comes in an order that depends on the time they take."""
    stdout, status, stderr = given
    return sorted(stdout.splitlines()), status, sorted(stderr.splitlines())


@pytest.mark.parametrize("examples", [FEW, *([] if ASKED else [pytest.param(EXAMPLES, marks=pytest.mark.thorough)])])
@pytest.mark.parametrize("area", grammar.AREAS)
def test_both_tiers_agree(area, examples, caplog):
    @settings(
        max_examples=examples, database=None, deadline=None, derandomize=EXAMPLES < 100, suppress_health_check=list(HealthCheck)
    )
    @given(grammar.scripts(area))
    def compare(script):
        check(script)

    compare()
    assert not caplog.records  # nothing was left to the closures because the translator failed


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed < FEW else pytest.mark.thorough) for seed in range(EXAMPLES)]
)
def test_both_tiers_agree_on_mutations(seed):
    random = Random(seed)
    check(mutations.mutated(random.choice(mutations.cases().scripts), mutations.cases(), random))
