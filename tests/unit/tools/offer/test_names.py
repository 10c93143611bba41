import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bashkit.tools.offer.names import legal_names


def test_a_legal_name_stays():
    assert legal_names(["get_user", "pdf-extractor", "_x9"]) == ["get_user", "pdf-extractor", "_x9"]


def test_others_are_made_legal():
    assert legal_names(["pdf.one", "a:b", "3d", "é", "x" * 70]) == ["pdf_one", "a_b", "_3d", "_", "x" * 64]


def test_a_legal_name_is_not_lost_to_one_that_was_made_so():
    assert legal_names(["a.b", "a_b", "a:b", "a_b_2"]) == ["a_b_3", "a_b", "a_b_4", "a_b_2"]


@pytest.mark.thorough
@given(st.lists(st.text(min_size=1, max_size=80)))
def test_all_are_legal_and_different(names):
    found = legal_names(names)
    assert len(set(found)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name) for name in found)
