"""``bashkit batch``: very many scripts on several processes; whatever is killed is gone on with, and two runs are compared."""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

from bashkit import host_files
from bashkit.batch import difference, on_ray
from bashkit.batch import run as batch_run
from bashkit.batch.pool import Pool
from bashkit.batch.rows import Row
from bashkit.batch.run import Batch
from bashkit.batch.work import Setting
from bashkit.cli import main
from bashkit.errors import BashkitError

TOOLS = """\
import os, re, time

def double(args):
    if args["n"] == 13:
        raise ValueError("13 is unlucky")
    return args["n"] * 2

def die(args):
    os.kill(os.getpid(), 9)

def die_once(args):
    if not os.path.exists(args["mark"]):
        open(args["mark"], "w").close()
        os.kill(os.getpid(), 9)
    return "alive"

def hold(args):
    return bool(re.match("(a+)+$", "a" * 64 + "b"))  # no other thread runs meanwhile

def take(args):
    time.sleep(args["seconds"])
    return "ok"
"""
TOOLSET = """\
version: 1
name: t
session: persistent
tools:
  - name: double
    effects: read
    input_schema: {type: object, properties: {n: {type: integer}}, required: [n]}
    callback: {python: battools.double}
    stubs: [{when: {n: 1}, values: [first, second]}, {value: other}]
  - {name: hold, effects: read, callback: {python: battools.hold}}
  - {name: die, effects: read, callback: {python: battools.die}}
  - name: die_once
    effects: read
    input_schema: {type: object, properties: {mark: {type: string}}, required: [mark]}
    callback: {python: battools.die_once}
  - name: take
    effects: read
    input_schema: {type: object, properties: {seconds: {type: number}}, required: [seconds]}
    callback: {python: battools.take}
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "battools.py").write_text(TOOLS)
    (tmp_path / "t.yaml").write_text(TOOLSET)
    return tmp_path


@pytest.fixture
def run(place, capsys):
    def command(*words):
        with pytest.raises(SystemExit) as caught:
            main(["batch", *words])
        out, err = capsys.readouterr()
        return caught.value.code, out, err

    return command


def write(path, *rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def results(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def rows(count):
    return [{"id": f"r{number}", "script": f"double --n {number}"} for number in range(count)]


def test_every_row_has_a_shell_of_its_own(run, place):
    write(
        place / "rows.jsonl",
        {
            "id": "a",
            "script": 'cat; cat /d/in; echo "$WHO"; X=1',
            "stdin": "typed\n",
            "files": {"/d/in": "file\n"},
            "env": {"WHO": "me"},
        },
        {"id": 2, "script": 'echo "$X$WHO"; ls /d; double --n 13; exit 3'},
        {"id": "c", "script": "while :; do :; done"},
    )
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1") == (0, "", "")
    first, second, third = results(place / "out.jsonl")
    assert first == {"row": 0, "id": "a", "stdout": "typed\nfile\nme\n", "stderr": "", "exit_code": 0, "calls": []}
    assert (second["row"], second["id"], second["stdout"], second["exit_code"]) == (1, 2, "\n", 3)
    assert second["calls"] == [{"tool": "double", "arguments": {"n": 13}, "exit_code": 1, "error": "13 is unlucky"}]
    assert third["error"].startswith("limit:")


@pytest.mark.thorough
def test_a_row_whose_files_cannot_be_made_is_told(run, place):
    write(place / "rows.jsonl", {"id": 1, "script": "ls", "files": {"/a": "", "/a/b": ""}}, *rows(1))
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1") == (0, "", "")
    first, second = results(place / "out.jsonl")
    assert (first["stderr"], first["exit_code"], first["error"]) == ("files['/a/b'] cannot be made: File exists\n", 2, "row")
    assert second["exit_code"] == 0


def test_results_are_in_order_if_that_is_asked_for(run, place):
    write(place / "rows.jsonl", {"id": "slow", "script": "take --seconds 0.3"}, *rows(20))
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "2", "--ordered") == (0, "", "")
    assert [row["row"] for row in results(place / "out.jsonl")] == list(range(21))


def test_results_that_wait_for_an_earlier_one_take_little_memory(place):
    """The first row ends last, as a slow one may; the others have ten times as much as memory may keep."""
    size, most = 1 << 20, 10 * batch_run._EARLY >> 20

    class Backwards:
        def run(self, rows):
            rows = list(rows)
            for row in [*rows[1:], rows[0]]:
                yield row.number, b'{"row":%d,"id":"%s","x":"' % (row.number, row.id.encode()) + b"x" * size + b'"}'

        def close(self):
            pass

    write(place / "rows.jsonl", *rows(most))
    batch = Batch.open(place / "rows.jsonl", place / "out.jsonl")
    tracemalloc.start()
    try:
        batch.run(Backwards(), lambda: None, ordered=True)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2 * batch_run._EARLY
    with (place / "out.jsonl").open() as file:
        assert [json.loads(line)["row"] for line in file] == list(range(most))
    assert sorted(path.name for path in place.iterdir()) == ["battools.py", "out.jsonl", "rows.jsonl", "t.yaml"]


def test_large_rows_wait_in_their_file(place):
    taken = []

    def large():
        for number in range(4):
            taken.append(number)
            yield Row(number, number, "wc -c", stdin="x" * 1_000_000)

    pool = Pool(Setting(place / "t.yaml"), 1)
    try:
        for number, result in pool.run(large()):
            assert json.loads(result)["stdout"] == "1000000\n"
            assert len(taken) <= number + 2  # the one that comes next is known
    finally:
        pool.close()


def test_a_task_of_ray_has_few_large_rows():
    given = [Row(number, number, "true", files={"/f": "x" * size}) for number, size in enumerate([1, 2_000_000, *[1] * 40])]
    bunches, left = [], iter(given)
    while bunch := on_ray._next_bunch(left):
        bunches.append(len(bunch))
    assert bunches == [2, 32, 8]


def test_large_rows_with_large_results(place):
    """Neither side waits for the other to read."""
    write(place / "rows.jsonl", *({"id": number, "script": "cat", "stdin": "x\n" * 250_000} for number in range(4)))
    command = ["batch", "run", "rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "2"]
    subprocess.run([sys.executable, "-m", "bashkit", *command], check=True, timeout=120)
    assert [len(row["stdout"]) for row in results(place / "out.jsonl")] == [500_000] * 4


@pytest.mark.thorough
def test_a_run_that_was_killed_is_gone_on_with(run, place):
    write(
        place / "rows.jsonl",
        *({"id": f"r{number}", "script": f"take --seconds 0.01; double --n {number}"} for number in range(200)),
    )
    words = ["batch", "rows.jsonl", "--toolset", "t.yaml", "--jobs", "2", "--out", "out.jsonl"]
    out = place / "out.jsonl"
    with subprocess.Popen([sys.executable, "-m", "bashkit", *words]) as running:
        while not out.exists() or out.read_bytes().count(b"\n") < 20:
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
    before = out.read_bytes()
    assert before.count(b"\n") < 200
    with out.open("ab") as file:
        file.write(b'{"row":199,"id":"r1')  # half a line
    assert run(*words[1:]) == (0, "", "")
    assert out.read_bytes().startswith(before)
    found = results(out)
    assert sorted(row["row"] for row in found) == list(range(200))  # nothing is lost, nothing is there twice
    assert {row["stdout"] for row in found} == {f"ok{2 * number}\n" for number in range(200) if number != 13} | {"ok"}
    done = out.read_bytes()
    assert run(*words[1:]) == (0, "", "")
    assert out.read_bytes() == done


@pytest.mark.thorough
def test_a_process_that_dies_costs_one_row(run, place):
    mark = place / "mark"
    write(
        place / "rows.jsonl",
        *rows(5),
        {"id": "once", "script": f"die_once --mark {mark}"},
        {"id": "dies", "script": "die"},
        *({**row, "id": f"more {row['id']}"} for row in rows(5)),
    )
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1", "--ordered") == (0, "", "")
    found = results(place / "out.jsonl")
    assert len(found) == 12
    assert found[5]["stdout"] == "alive"
    assert (found[6]["error"], found[6]["exit_code"]) == ("crash", 137)
    assert [row["stdout"] for row in found[7:]] == [f"{2 * number}\n" for number in range(5)]


@pytest.mark.thorough
def test_a_callback_that_lets_nothing_run_costs_one_row(run, place):
    (place / "t.yaml").write_text(TOOLSET + "limits: {timeout: 500ms}\n")
    write(place / "rows.jsonl", *rows(2), {"id": "holds", "script": "hold"}, {"id": "after", "script": "double --n 9"})
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1", "--ordered") == (0, "", "")
    found = results(place / "out.jsonl")
    assert [row["exit_code"] for row in found] == [0, 0, 124, 0]
    assert (found[2]["error"], found[2]["stderr"]) == (
        "timeout",
        "the process that ran this script did not keep to its time limit, and was ended\n",
    )


@pytest.mark.thorough
def test_stubs_and_recordings_begin_anew_with_every_row(run, place):
    write(place / "rows.jsonl", *({"id": number, "script": "double --n 1; double --n 1"} for number in range(6)))
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "stubs.jsonl", "--jobs", "2", "--stub")[0] == 0
    assert {row["stdout"] for row in results(place / "stubs.jsonl")} == {"first\nsecond\n"}
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "real.jsonl", "--jobs", "2", "--record", "calls.jsonl")[0] == 0
    assert len(results(place / "calls.jsonl")) == 12
    (place / "battools.py").write_text("")
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "again.jsonl", "--jobs", "2", "--replay", "calls.jsonl")[0] == 0
    assert run("diff", "real.jsonl", "again.jsonl") == (0, "6 the same, 0 different, 0 only before, 0 only now\n", "")


def test_what_a_new_version_of_a_toolset_does_to_scripts(run, place):
    write(
        place / "rows.jsonl",
        *rows(4),
        *({"id": f"say {number}", "script": f"echo {number}"} for number in range(3)),
        {"id": "two", "script": "double --n 1; double --n 2 | cat"},
        {"id": "wait", "script": "take --seconds 0; exit 3"},
    )
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "before.jsonl", "--jobs", "1")[0] == 0
    (place / "t.yaml").write_text(TOOLSET.replace("{n: {type: integer}}", "{n: {type: integer, minimum: 2}}"))
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "after.jsonl", "--jobs", "1")[0] == 0
    code, out, _ = run("diff", "before.jsonl", "after.jsonl")
    assert code == 1
    head, group, *more = out.splitlines()
    assert head == "6 the same, 3 different, 0 only before, 0 only now"
    assert group.startswith("3  double: it fails now: ")
    assert group.endswith("  (r0, r1, two)")
    assert more == []
    code, out, _ = run("diff", "before.jsonl", "after.jsonl", "--json")
    assert json.loads(out)["groups"][0]["count"] == 3


def test_a_long_message_is_one_cause_by_its_beginning(run, place):
    for name, message in (("before", ""), ("after", "x" * 1000)):
        lines = (
            {**RESULT, "row": row, "id": f"r{row}", "exit_code": len(message), "stderr": message + name * row} for row in range(3)
        )
        write(place / f"{name}.jsonl", *lines)
    code, out, _ = run("diff", "before.jsonl", "after.jsonl")
    assert code == 1
    assert out.splitlines()[1:] == [f"3  the exit status was 0 and is 1000: {'x' * 200}…  (r0, r1, r2)"]


def test_of_very_many_causes_the_frequent_ones_are_told_and_the_others_counted(run, place):
    """A cause that comes again and again is kept, however late it comes first."""
    count, many = 3 * difference._MOST, 50
    causes = [*map(chr, range(0x4E00, 0x4E00 + count)), *["late"] * many]
    for name, code in (("before", 0), ("after", 1)):
        write(
            place / f"{name}.jsonl",
            *({**RESULT, "row": row, "id": row, "exit_code": code, "stderr": cause} for row, cause in enumerate(causes)),
        )
    _, out, _ = run("diff", "before.jsonl", "after.jsonl")
    head, first, *more, last = out.splitlines()
    assert head == f"0 the same, {count + many} different, 0 only before, 0 only now"
    assert first == "  50  the exit status was 0 and is 1: late  (3000, 3001, 3002, …)"
    assert len(more) == difference._MOST - 1
    assert last == f"{count - len(more)}  … and other causes"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 1,, "script": ""}', "rows.jsonl:2:10: this is not JSON: Expecting property name enclosed in double quotes\n"),
        ("[", "rows.jsonl:2:2: this is not JSON: Expecting value\n"),
        ('{"id": NaN}', "rows.jsonl:2: this is not JSON: NaN is not JSON\n"),
        pytest.param(
            '{"id": ' + "9" * 5000 + "}",
            "rows.jsonl:2: this is not JSON: an integer has more than 4300 digits\n",
            id="long integer",
        ),
        ("[1]", "rows.jsonl:2: a row is an object with the keys id, script, files, env, stdin\n"),
        ('{"id": 1}', "rows.jsonl:2: script is missing\n"),
        ('{"id": true, "script": ""}', "rows.jsonl:2: id is a text or a whole number\n"),
        ('{"id": 1, "script": 2}', "rows.jsonl:2: script is a text\n"),
        ('{"id": 1, "script": "", "x": 1}', "rows.jsonl:2: unknown key 'x'; there are id, script, files, env, stdin\n"),
        ('{"id": 1, "script": "", "files": {"a": "b"}}', "rows.jsonl:2: a path of files is absolute, not 'a'\n"),
        ('{"id": 1, "script": "", "env": {"a b": "b"}}', "rows.jsonl:2: 'a b' is no name of a variable\n"),
        ('{"id": 1, "script": "", "env": {"a": 1}}', "rows.jsonl:2: env is an object of texts, and 'a' is none\n"),
        ('{"id": 1, "script": "", "env": []}', "rows.jsonl:2: env is an object of texts\n"),
    ],
)
def test_a_row_that_is_wrong_is_told_before_anything_runs(run, place, line, message):
    (place / "rows.jsonl").write_text(f'{{"id": 0, "script": ""}}\n{line}\n')
    code, _, err = run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl")
    assert code == 2
    assert err.startswith(f"bashkit: {message}")
    assert not (place / "out.jsonl").exists()


@pytest.mark.thorough
def test_rows_of_windows_may_begin_with_a_byte_order_mark(run, place):
    (place / "rows.jsonl").write_bytes(b'\xef\xbb\xbf{"id": 1, "script": "echo 1"}\r\n')
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1") == (0, "", "")
    assert results(place / "out.jsonl")[0]["stdout"] == "1\n"


@pytest.mark.thorough
def test_two_rows_of_one_id_are_refused(run, place):
    numbers = [{"id": -1, "script": "echo 1"}, {"id": -2, "script": "echo 2"}]  # which have one hash
    write(place / "rows.jsonl", *numbers, {"id": "1", "script": ""}, {"id": 1, "script": ""})
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "numbers.jsonl", "--jobs", "1") == (0, "", "")
    write(place / "rows.jsonl", *numbers, {"id": "a", "script": ""}, *rows(2), {"id": "a", "script": ""})
    message = "bashkit: rows.jsonl:6: the row of line 3 has the id 'a', too\n"
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl") == (2, "", message)
    assert not (place / "out.jsonl").exists()


def test_results_are_compared_by_their_ids_which_differ(run, place):
    write(place / "out.jsonl", RESULT | {"id": "a"}, RESULT | {"row": 1, "id": "a"})
    message = "bashkit: out.jsonl:2: another result has the id 'a', too: results are compared by their ids\n"
    assert run("diff", "out.jsonl", "out.jsonl") == (2, "", message)


@pytest.mark.parametrize("place_of_results", ["-", os.devnull])
def test_results_go_into_a_file(run, place, place_of_results):
    write(place / "rows.jsonl", *rows(1))
    code, _, err = run("rows.jsonl", "--toolset", "t.yaml", "--out", place_of_results, "--jobs", "1")
    assert code == 2
    assert "gone on with" in err
    assert not (place / "-").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_batch_ends_when_its_calls_cannot_be_recorded(run, place):
    write(place / "rows.jsonl", *rows(3))
    done = run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1", "--record", "/dev/full")
    assert done == (2, "", "bashkit: /dev/full: it cannot be written: No space left on device\n")
    assert results(place / "out.jsonl") == []


@pytest.mark.thorough
def test_results_of_other_rows_are_left_alone(run, place):
    write(place / "rows.jsonl", *rows(3))
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1")[0] == 0
    write(place / "rows.jsonl", {"id": "x", "script": ""}, *rows(2))
    code, _, err = run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl")
    assert code == 2
    assert "this is a result of other rows: rows.jsonl has no 'r0' in this place" in err
    (place / "out.jsonl").write_text("hello\n")
    assert "out.jsonl:1: this line is no result of a batch" in run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl")[2]


RESULT = {"row": 0, "id": "r0", "stdout": "", "stderr": "", "exit_code": 0, "calls": []}
DAMAGED = {
    "not JSON": (b"hello", "Expecting value"),
    "no object": (b"[1]", "it is no object"),
    "a text": (b'"row"', "it is no object"),
    "binary": (b"\0\xff\x80", "Expecting value"),
    "nested": (b"[" * 100_000, "nested too deeply"),
    "two in one": (json.dumps(RESULT).encode() * 2, "Extra data"),
    "number of another type": (json.dumps(RESULT | {"row": "0"}).encode(), "'row' is of another type"),
    "true for a number": (json.dumps(RESULT | {"row": True}).encode(), "'row' is of another type"),
    "id of another type": (json.dumps(RESULT | {"id": ["r0"]}).encode(), "'id' is of another type"),
    "without calls": (json.dumps({key: RESULT[key] for key in RESULT if key != "calls"}).encode(), "'calls' is missing"),
    "a call that is none": (json.dumps(RESULT | {"calls": [1]}).encode(), "a call is no object"),
    "a call without tool": (json.dumps(RESULT | {"calls": [{}]}).encode(), "'tool' of a call is missing"),
    "half a line in the midst": (json.dumps(RESULT).encode()[:30], "Invalid control character"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_result_is_told_with_its_line_and_stays(run, place, damage):
    line, reason = DAMAGED[damage]
    write(place / "rows.jsonl", *rows(3))
    before = json.dumps(RESULT | {"row": 1, "id": "r1"}).encode() + b"\n" + line + b"\n"
    (place / "out.jsonl").write_bytes(before)
    for words in (("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl"), ("diff", "out.jsonl", "out.jsonl")):
        code, _, err = run(*words)
        assert code == 2
        assert err.startswith("bashkit: out.jsonl:2: this line is no result of a batch: ")
        assert reason in err
    assert (place / "out.jsonl").read_bytes() == before


def test_what_is_no_result_at_the_end_is_not_cut_off(run, place):
    write(place / "rows.jsonl", *rows(1))
    (place / "notes.txt").write_text("my notes")
    code, _, err = run("rows.jsonl", "--toolset", "t.yaml", "--out", "notes.txt")
    assert (code, (place / "notes.txt").read_text()) == (2, "my notes")
    assert "notes.txt:1: this line is no result of a batch" in err


@pytest.mark.thorough
def test_a_whole_result_without_its_newline_is_kept(run, place):
    write(place / "rows.jsonl", *rows(3))
    (place / "out.jsonl").write_text(json.dumps(RESULT | {"stdout": "kept"}))
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1", "--ordered")[0] == 0
    assert [row["stdout"] for row in results(place / "out.jsonl")] == ["kept", "2\n", "4\n"]


@pytest.mark.parametrize("length", [7, *(pytest.param(length, marks=pytest.mark.thorough) for length in (1, 20))])
def test_half_a_line_at_the_end_is_run_again(run, place, length):
    write(place / "rows.jsonl", *rows(2))
    whole = json.dumps(RESULT, separators=(",", ":"))
    (place / "out.jsonl").write_text(f"{whole}\n{whole[:length]}")
    message = "out.jsonl:2: this line is no result of a batch: it is cut off; the batch that wrote it can be gone on with\n"
    assert run("diff", "out.jsonl", "out.jsonl") == (2, "", f"bashkit: {message}")
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1")[0] == 0
    assert [row["row"] for row in results(place / "out.jsonl")] == [0, 1]


def test_two_results_of_a_row_are_told(run, place):
    write(place / "rows.jsonl", *rows(2))
    write(place / "out.jsonl", RESULT, RESULT)
    code, _, err = run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl")
    assert (code, err) == (2, "bashkit: out.jsonl:2: an earlier line has a result of 'r0', too: remove one of them\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_results_that_another_batch_is_writing_are_refused(run, place):
    write(place / "rows.jsonl", *rows(2))
    message = "bashkit: out.jsonl: another batch writes its results there: only one can at a time\n"
    with (place / "out.jsonl").open("ab") as file:
        assert host_files.lock(file.fileno())
        file.write(json.dumps(RESULT).encode()[:20])  # a part of what it is writing
        file.flush()
        before = (place / "out.jsonl").read_bytes()
        assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1") == (2, "", message)
        assert (place / "out.jsonl").read_bytes() == before
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl", "--jobs", "1") == (0, "", "")


def test_results_that_another_batch_has_written_meanwhile_are_left_alone(place):
    class Nobody:
        def run(self, rows):
            pytest.fail("a row is run")

        def close(self):
            pass

    write(place / "rows.jsonl", *rows(2))
    batch = Batch.open(place / "rows.jsonl", place / "out.jsonl")
    write(place / "out.jsonl", RESULT, RESULT | {"row": 1, "id": "r1"})
    with pytest.raises(BashkitError, match="another batch"):
        batch.run(Nobody(), lambda: None)
    assert len(results(place / "out.jsonl")) == 2


def test_a_toolset_with_mistakes_is_told_once(run, place):
    write(place / "rows.jsonl", *rows(3))
    (place / "t.yaml").write_text("version: 1\n")
    code, _, err = run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.jsonl")
    assert code == 2
    assert err.startswith("t.yaml:1:1: a toolset needs a name")


def test_memory_does_not_grow_with_the_rows(place):
    """The parent holds a byte, a hash and nothing else for a row."""
    write(place / "rows.jsonl", *rows(3000))
    batch = Batch.open(place / "rows.jsonl", place / "none")
    assert len(batch.has) == 3000
    assert sys.getsizeof(batch.has) < 4000


# -- other places ------------------------------------------------------------------------------------------------------


@pytest.fixture
def arrow():
    pyarrow = pytest.importorskip("pyarrow", reason="needs the extra batch")
    importlib.import_module("pyarrow.parquet")
    return pyarrow


@pytest.fixture
def memory():
    fsspec = pytest.importorskip("fsspec", reason="needs the extra batch")
    files = fsspec.filesystem("memory")
    yield files
    files.store.clear()


def test_what_parquet_needs_is_told_before_a_script_runs(run, place, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    write(place / "rows.jsonl", {"id": 1, "script": "true"})
    code, _, err = run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.parquet")
    assert (code, err) == (2, "bashkit: out.parquet: Parquet needs an extra: pip install 'bashkit-toolsets[batch]'\n")
    assert not (place / "out.parquet.part").exists()


@pytest.mark.thorough
def test_rows_and_results_may_be_parquet(run, place, arrow):
    rows = [
        {"id": 7, "script": "cat /in; echo $X; cat; double --n 4", "files": {"/in": "a\n"}, "env": {"X": "b"}, "stdin": "c\n"},
        {"id": 8, "script": "printf 'x\\377'; exit 3", "files": None, "env": None, "stdin": None},
    ]
    kinds = arrow.map_(arrow.string(), arrow.string())
    schema = arrow.schema(
        [("id", arrow.int64()), ("script", arrow.string()), ("files", kinds), ("env", kinds), ("stdin", arrow.string())]
    )
    table = arrow.Table.from_pylist(
        [
            {**row, "files": row["files"] and list(row["files"].items()), "env": row["env"] and list(row["env"].items())}
            for row in rows
        ],
        schema=schema,
    )
    arrow.parquet.write_table(table, place / "rows.parquet")
    assert run("rows.parquet", "--toolset", "t.yaml", "--out", "out.parquet", "--ordered")[0] == 0
    found = arrow.parquet.read_table(place / "out.parquet").to_pylist()
    assert [(row["id"], row["stdout"], row["exit_code"]) for row in found] == [
        ("7", "a\nb\nc\n8\n", 0),
        ("8", "x\N{REPLACEMENT CHARACTER}", 3),
    ]
    assert [call["tool"] for call in json.loads(found[0]["calls"])] == ["double"]
    assert not (place / "out.parquet.part").exists()
    assert run("diff", "out.parquet", "out.parquet")[0] == 0


def test_a_killed_run_for_parquet_is_gone_on_with(run, place, arrow):
    write(place / "rows.jsonl", {"id": 1, "script": "echo again"}, {"id": 2, "script": "echo two"})
    done = {"row": 0, "id": 1, "stdout": "kept\n", "stderr": "", "exit_code": 0, "error": None, "calls": []}
    write(place / "out.parquet.part", done)
    assert run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.parquet")[0] == 0
    assert arrow.parquet.read_table(place / "out.parquet").column("stdout").to_pylist() == ["kept\n", "two\n"]
    code, _, err = run("rows.jsonl", "--toolset", "t.yaml", "--out", "out.parquet")
    assert (code, err) == (
        2,
        "bashkit: out.parquet exists already, and out.parquet.part does not, with which its run could be gone on with\n",
    )


def test_rows_and_results_may_be_at_addresses(run, memory):
    memory.pipe("/batch/rows.jsonl", b'{"id": "a", "script": "echo hi"}\n')
    assert run("memory://batch/rows.jsonl", "--toolset", "t.yaml", "--out", "memory://batch/out.jsonl")[0] == 0
    assert json.loads(memory.cat("/batch/out.jsonl"))["stdout"] == "hi\n"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("memory://batch/none.jsonl", "memory://batch/none.jsonl: it cannot be reached: "),
        ("nowhere://x/rows.jsonl", "nowhere://x/rows.jsonl: "),
        ("bad.parquet", "bad.parquet: it cannot be read as Parquet: "),
        ("memory://batch/wrong.jsonl", "memory://batch/wrong.jsonl:1: script is missing"),
    ],
)
def test_what_is_wrong_with_a_place_is_told(run, place, arrow, memory, rows, message):
    (place / "bad.parquet").write_text("no")
    memory.pipe("/batch/wrong.jsonl", b'{"id": "a"}\n')
    code, out, err = run(rows, "--toolset", "t.yaml", "--out", "out.jsonl")
    assert (code, out) == (2, "")
    assert err.startswith(f"bashkit: {message}")
    assert not (place / "out.jsonl").exists()
