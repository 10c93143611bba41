"""The history: what is kept of a run, and how the file holds up."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

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
    [
        ("calls", [["get"]]),
        ("calls", [[1, 1, {}, 0, 0]]),
        ("exit_code", "0"),
        ("stdout", None),
        ("seconds", []),
        ("seconds", 10**400),
        ("when", 1e20),
        ("when", -1),
    ],
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


@pytest.mark.parametrize("arguments", ['{"a": 1e999}', "[" * 900 + "]" * 900])
def test_a_record_that_could_not_be_written_again_is_left_out(kept, arguments):
    kept.add(RUN)
    kept.path.write_text(kept.path.read_text().replace('{"id":1}', arguments))
    assert kept.read() == []


@pytest.mark.skipif(os.name != "posix", reason="pipes are those of POSIX systems")
@pytest.mark.parametrize("name", ["history.jsonl", "history.lock", "history.new"])
@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_what_is_no_file_in_its_place_holds_nobody_up(kept, name, kind):
    kept.add(RUN)
    place = kept.path.parent / name
    place.unlink(missing_ok=True)
    os.mkfifo(place) if kind == "pipe" else place.mkdir()
    problem = kept.add(replace(RUN, when=1.0))
    assert str(kept.path) in problem or name != "history.jsonl"
    assert isinstance(kept.remove(RUN), str)
    assert isinstance(kept.read(), list)
    assert bool(kept.problem()) == (name == "history.jsonl")


@pytest.mark.skipif(os.name != "posix", reason="locks of files are those of POSIX systems")
def test_a_lock_that_is_not_given_back_is_not_waited_for(kept, monkeypatch):
    import fcntl

    monkeypatch.setattr("bashkit.runs.history_file._PATIENCE", 0.05)
    kept.add(RUN)
    with (kept.path.parent / "history.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert kept.add(RUN).endswith("another inspector holds its lock")
    assert kept.add(RUN) == ""


@pytest.mark.skipif(os.name != "posix", reason="users are those of POSIX systems")
def test_a_user_without_a_home_has_no_history(monkeypatch):
    def unknown(_):
        raise KeyError

    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert HistoryFile().path == Path("/.local/state/bashkit/history.jsonl")
