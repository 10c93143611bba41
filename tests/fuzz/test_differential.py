"""Random scripts do in bashkit what they do in GNU bash 5.2: the same standard output, the same exit status.

This is a search, not a check of a change: it finds what nobody knew. ``BASHKIT_FUZZ_EXAMPLES=2000 python -m pytest tests/fuzz`` tries
that many scripts of every area and shrinks what differs, and as many mutations of the cases of ``tests/spec``, each a test of its
own; a difference that was mended becomes a case of ``found.yaml``, which every run of the tests checks. ``BASHKIT_FUZZ_PATH`` names folders with programs to compare with, before those of the system.
"""

import os
from random import Random

import grammar
import mutations
import oracle
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis.errors import HypothesisWarning

EXAMPLES = int(os.environ.get("BASHKIT_FUZZ_EXAMPLES", "0"))

pytestmark = [
    pytest.mark.skipif(not EXAMPLES, reason="a search for unknown differences: set BASHKIT_FUZZ_EXAMPLES to start it"),
    pytest.mark.skipif(oracle.gnu_bash() is None, reason="the judge is GNU bash 5.2, which is not installed here"),
    pytest.mark.filterwarnings(
        f"ignore:The recursion limit will not be reset:{HypothesisWarning.__module__}.{HypothesisWarning.__name__}"
    ),
]


def check(scripts):
    """Compare the answers to scripts drawn from a strategy."""

    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(scripts)
    def compare(script):
        answers = oracle.ask_both(script)
        assume(answers is not None)
        expected, given_answer, stderr = answers
        assert given_answer == expected, f"{script}\n{stderr}"

    compare()


@pytest.mark.parametrize("area", grammar.AREAS)
def test_scripts_do_what_they_do_in_bash(area):
    for program, version in grammar.needs(area).items():
        if not oracle.version_of(program).startswith(version):
            pytest.skip(f"the judge is {program} of version {version}, which is not installed here")
    check(grammar.scripts(area))


def test_damaged_scripts_fail_where_they_fail_in_bash():
    check(grammar.damaged_scripts())


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_mutated_cases_do_what_they_do_in_bash(seed):
    random = Random(seed)
    script = mutations.mutated(random.choice(mutations.cases().scripts), mutations.cases(), random)
    answers = oracle.ask_both(script) if script else None
    if answers is not None and answers[0] != answers[1] and oracle.ask_bash(script) == answers[0]:
        pytest.fail(f"{script}\nbash: {answers[0]}\nours: {answers[1]}\n{answers[2]}", pytrace=False)
