"""Whatever a stranger writes, the part of bashkit that reads it ends in an answer: no internal error, no exception, no endless work.

A few random texts for every part with each run of the tests; ``BASHKIT_FUZZ_EXAMPLES=2000`` tries that many.
"""

import os

import pytest
from components import COMPONENTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning

EXAMPLES = int(os.environ.get("BASHKIT_FUZZ_EXAMPLES", "12"))

pytestmark = pytest.mark.filterwarnings(
    f"ignore:The recursion limit will not be reset:{HypothesisWarning.__module__}.{HypothesisWarning.__name__}"
)


@pytest.mark.parametrize("name", COMPONENTS)
def test_any_text_is_answered(name):
    component = COMPONENTS[name]
    tokens = st.sampled_from(component.tokens())
    texts = st.lists(tokens | tokens | tokens | st.text(max_size=4), max_size=40).map("".join) | st.text(max_size=20)

    @settings(
        max_examples=EXAMPLES, database=None, deadline=None, derandomize=EXAMPLES < 100, suppress_health_check=list(HealthCheck)
    )
    @given(texts)
    def answer(text):
        component.run(text)

    answer()
