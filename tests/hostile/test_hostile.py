"""A sample of the hostile scripts; ``python -m tests.hostile`` runs them all, in both modes, and counts seconds too."""

import zlib

import pytest

from tests.hostile.harness import problems, read_cases

SAMPLE = 12  # every so many-th script, by its name: the same ones each time
CASES = read_cases()


def test_names_are_unique():
    assert len({case.id for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", [case for case in CASES if zlib.crc32(case.id.encode()) % SAMPLE == 0], ids=lambda case: case.id)
def test_the_host_is_unharmed(case, request):
    if case.known:
        request.applymarker(pytest.mark.xfail(reason=case.known))
    assert problems(case, "inline") == []
