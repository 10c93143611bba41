"""A sample of the hostile scripts, a quarter of it always, and a moment of each for mistakes of ours.

``python -m tests.hostile`` runs them all, in both modes, and counts seconds too.
"""

import zlib

import pytest

from bashkit import Bash, ExecutionLimits
from tests.hostile.harness import problems, read_cases

MOMENT = 0.2  # seconds
SAMPLE = 12  # every so many-th script, by its name: the same ones each time
CASES = read_cases()


def _sample():
    """The scripts of the sample, all but a few as thorough ones."""
    for case in CASES:
        number, rest = divmod(zlib.crc32(case.id.encode()), SAMPLE)
        if rest == 0:
            yield pytest.param(case, id=case.id, marks=pytest.mark.thorough if number % 24 else ())


def test_names_are_unique():
    assert len({case.id for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", list(_sample()))
def test_the_host_is_unharmed(case, request):
    if case.known:
        request.applymarker(pytest.mark.xfail(reason=case.known))
    assert problems(case, "inline") == []


@pytest.mark.thorough
@pytest.mark.parametrize("category", sorted({case.category for case in CASES}))
def test_no_script_finds_a_mistake_of_ours(category):
    for case in CASES:
        if case.category == category:
            bash = Bash(limits=ExecutionLimits(**case.limits | {"timeout": MOMENT}))
            assert bash.execute_sync(case.script, stdin=case.stdin).error != "internal", case.id
