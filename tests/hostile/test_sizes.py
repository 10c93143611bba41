"""A sample of the sizes; ``python -m tests.hostile.sizes`` runs them all, and counts seconds too."""

import zlib

import pytest

from tests.hostile.sizes import broken, sized

SAMPLE = 100  # every so many-th script, by its text: the same ones each time
PARTS = 2


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_no_size_harms_the_host(part):
    chosen = [one for one in sized() if zlib.crc32(one.script.encode()) % SAMPLE == 0]
    assert broken(chosen[part::PARTS]) == []
