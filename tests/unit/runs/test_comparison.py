"""Two runs side by side."""

from dataclasses import replace

import pytest

from bashkit.runs.comparison import compare_runs, pairs
from bashkit.runs.history_file import PastCall, PastRun

RUN = PastRun(0.0, "shop", "real", "echo a", 0, None, 0.5, 1, "a\n", "", (PastCall("get", 1, {"id": 1}, 0, 0.1),))


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ("a\nb", "a\nb", [("same", "a", "a"), ("same", "b", "b")]),
        ("a\nb", "a\nc", [("same", "a", "a"), ("changed", "b", "c")]),
        ("a", "a\nb", [("same", "a", "a"), ("right", "", "b")]),
        ("a\nb", "b", [("left", "a", ""), ("same", "b", "b")]),
        ("", "x", [("right", "", "x")]),
    ],
)
def test_lines_are_put_beside_each_other(left, right, found):
    assert [(pair.kind, pair.left, pair.right) for pair in pairs(left, right)] == found


def test_script_outcome_outputs_and_calls_are_compared():
    other = replace(RUN, stdout="b\n", exit_code=1, calls=(PastCall("get", 1, {"id": 2}, 0, 0.9),))
    assert [(section.title, section.differs) for section in compare_runs(RUN, other)] == [
        ("Script", False), ("Outcome", True), ("Standard output", True), ("Tool calls", True),
    ]  # fmt: skip


def test_how_long_a_run_took_is_no_difference():
    assert not any(section.differs for section in compare_runs(RUN, replace(RUN, seconds=9.0, when=5.0)))
