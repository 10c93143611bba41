"""The history: what is kept of a run, and how the file holds up."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from bashkit.runs.history_file import HistoryFile, PastCall, PastRun

RUN = PastRun(0.0, "shop", "real", "echo a", 0, None, 0.5, 1, "a\n", "", (PastCall("get", 1, {"id": 1}, 0, 0.1),))


@pytest.fixture
def kept(tmp_path):
    return HistoryFile(tmp_path / "state" / "history.jsonl")


def test_runs_are_read_back_the_newest_first(kept):
    second = replace(RUN, when=1.0, script="\udcff\0", exit_code=None, error="cancelled", calls=())
    assert (kept.add(RUN), kept.add(second)) == ("", "")
    assert kept.read() == [second, RUN]


def test_without_a_file_there_is_no_history(kept):
    assert kept.read() == []


def test_only_the_owner_may_read_it(kept):
    kept.add(RUN)
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "damage",
    [
        b"{",
        b"[]\n",
        b"\xff\xfe\n",
        b"\0\0\0\n",
        b"null\n",
        b'{"calls": []}\n',
        b'{"when":"x","calls":[]}\n',
        b"[" * 100_000 + b"\n",
        b"\n\n",
    ],
)
def test_a_damaged_line_costs_only_itself(kept, damage):
    kept.add(RUN)
    with kept.path.open("ab") as file:
        file.write(damage)
    kept.add(replace(RUN, when=2.0))
    assert [run.when for run in kept.read()] == [2.0, 0.0]


@pytest.mark.parametrize(
    ("field", "value"),
    [("calls", [["get"]]), ("calls", [[1, 1, {}, 0, 0]]), ("exit_code", "0"), ("stdout", None), ("seconds", [])],
)
def test_a_record_of_wrong_types_is_left_out(kept, field, value):
    kept.add(RUN)
    record = json.loads(kept.path.read_bytes()) | {field: value}
    kept.path.write_text(json.dumps(record) + "\n")
    assert kept.read() == []


@pytest.mark.thorough
def test_the_file_stays_small(kept):
    for number in range(520):
        kept.add(replace(RUN, when=float(number), stdout="x" * 20_000))
    assert kept.path.stat().st_size < 8_000_000
    assert kept.read()[0].when == 519.0
    assert len(kept.read()) >= 100


def test_several_inspectors_may_write_at_once(kept):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: HistoryFile(kept.path).add(replace(RUN, when=float(number))), range(50)))
    assert sorted(run.when for run in kept.read()) == [float(number) for number in range(50)]


def test_a_run_can_be_forgotten(kept):
    other = replace(RUN, when=1.0)
    kept.add(RUN)
    kept.add(other)
    assert kept.remove(RUN) == ""
    assert kept.read() == [other]


def test_a_history_that_cannot_be_kept_says_why(tmp_path):
    (tmp_path / "state").write_text("a file where a directory should be")
    assert HistoryFile(tmp_path / "state" / "history.jsonl").add(RUN).endswith(("Not a directory", "File exists"))


def test_a_script_that_is_too_long_is_not_kept(kept):
    kept.add(replace(RUN, script="x" * 100_001))
    assert kept.read() == []
