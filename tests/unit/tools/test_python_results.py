"""What a callback may return besides JSON data, and results that come piece by piece."""

import asyncio
import collections
import dataclasses
import datetime as dt
import decimal
import enum
import io
import ipaddress
import itertools
import pathlib
import sqlite3
import subprocess
import sys
import threading
import types
import typing
import uuid

import pytest

from bashkit.limits import ExecutionLimits
from bashkit.tools import Retry, ScriptedTool, ToolDef, ToolError, ToolResult
from bashkit.tools.define.result import ResultError, convert


class Color(enum.Enum):
    RED = "red"
    BLUE = 2


class Point(typing.NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Order:
    total: decimal.Decimal
    due: dt.date
    tags: set
    points: list


class Model:
    def model_dump(self, mode):
        assert mode == "json"
        return {"id": 1, "nested": Color.RED}


DAY = dt.date(2026, 2, 1)
ZONE = dt.timezone(dt.timedelta(hours=2))
ID = uuid.UUID(int=1)
ID_TEXT = "00000000-0000-0000-0000-000000000001"
VALUES = [
    (Model(), '{"id":1,"nested":"red"}'),
    (Order(decimal.Decimal("1.10"), DAY, {"b", "a"}, [Point(1, 2)]), '{"total":1.10,"due":"2026-02-01","tags":["a","b"],"points":[{"x":1,"y":2}]}'),
    (decimal.Decimal("0.10000000000000000000000000001"), "0.10000000000000000000000000001"),
    ([decimal.Decimal("1E+3"), decimal.Decimal("-0.00")], "[1E+3,-0.00]"),
    ([dt.datetime(2026, 2, 1, 3, 4, 5, tzinfo=ZONE), dt.time(3, 4)], '["2026-02-01T03:04:05+02:00","03:04:00"]'),
    ([dt.timedelta(days=1, hours=2, seconds=3.5), dt.timedelta(0)], '["P1DT2H3.5S","PT0S"]'),
    ([dt.timedelta(minutes=-90), dt.timedelta(days=2), dt.timedelta(microseconds=1)], '["-PT1H30M","P2D","PT0.000001S"]'),
    ({3, 1, 2}, "[1,2,3]"),
    (frozenset({"x", 1, None}), '["x",1,null]'),
    ([Color.RED, Color.BLUE], '["red",2]'),
    (Color.BLUE, "2"),
    (Point(1, 2), '{"x":1,"y":2}'),
    ({"rows": [(1, Point(1, 2))]}, '{"rows":[[1,{"x":1,"y":2}]]}'),
    ({DAY: 1, ID: 2, Color.RED: 3, 4: 5, None: 6, decimal.Decimal("1.50"): 7}, f'{{"2026-02-01":1,"{ID_TEXT}":2,"red":3,"4":5,"null":6,"1.50":7}}'),
    (types.MappingProxyType({"a": (1,)}), '{"a":[1]}'),
    (collections.deque([1, "a"]), '[1,"a"]'),
    (range(3), "[0,1,2]"),
    ([ipaddress.ip_address("::1"), ipaddress.ip_network("10.0.0.0/8")], '["::1","10.0.0.0/8"]'),
    ({"file": pathlib.PurePosixPath("/a/b"), "id": ID}, f'{{"file":"/a/b","id":"{ID_TEXT}"}}'),
    ({"lazily": (number * 2 for number in range(3))}, '{"lazily":[0,2,4]}'),
    (collections.ChainMap({"a": 1}, {"b": {1}}), '{"b":[1],"a":1}'),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_pythons_own_values_are_json_at_any_depth(value, expected):
    assert convert(value).stdout == expected + "\n"


@pytest.mark.parametrize(("value", "line"), [(DAY, "2026-02-01"), (ID, ID_TEXT), (pathlib.PurePosixPath("/a"), "/a")])
def test_a_single_date_uuid_or_path_is_a_line_of_text(value, line):
    assert convert(value).stdout == line + "\n"


def test_an_enums_text_is_written_as_the_text_would_be():
    assert convert(Color.RED) == convert("red")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), "no JSON stands for object; expected text, bytes, JSON data, a model"),
        ({"a": {"b": b"x"}}, "no JSON stands for bytes inside of data; decode them"),
        ([1.5, float("nan")], "NaN and infinities are not JSON"),
        pytest.param(1 << 20000, "an integer has more than 4300 digits", id="digits"),
        ([decimal.Decimal("NaN")], "NaN is not JSON"),
        ([{1}, float("inf")], "NaN and infinities are not JSON"),
        ({(1, 2): 3}, "tuple cannot be the name of an object's member"),
        (Order, "no JSON stands for type"),
    ],
)
def test_a_result_that_is_not_json_is_refused(value, message):
    with pytest.raises(ResultError, match="the callback's result is not JSON: .*" + message):
        convert(value)


def test_what_contains_itself_is_refused():
    value: list = [{1}]
    value.append(value)
    with pytest.raises(ResultError, match="nested too deeply"):
        convert(value)


def test_models_of_pydantic_are_objects():
    pydantic = pytest.importorskip("pydantic")

    class User(pydantic.BaseModel):
        id: int
        born: dt.date

    assert convert([User(id=1, born=DAY)]).stdout == '[{"id":1,"born":"2026-02-01"}]\n'


def test_rows_of_sqlite_are_objects():
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    row = connection.execute("select 1 as id, 'Ada' as name").fetchone()
    assert convert({"user": row}).stdout == '{"user":{"id":1,"name":"Ada"}}\n'


def test_frames_are_records():
    pandas = pytest.importorskip("pandas", reason="frames are converted where pandas is installed")
    frame = pandas.DataFrame({"id": [1, 2], "at": [pandas.Timestamp(DAY), None]})
    assert convert(frame).stdout == '[{"id":1,"at":"2026-02-01T00:00:00"},{"id":2,"at":null}]\n'


LABELLED = [
    ("pandas.DataFrame({'n': [1, 2]}, index=['a', 'b'])", '[{"index":"a","n":1},{"index":"b","n":2}]'),
    ("pandas.DataFrame({'k': ['x', 'x', 'y'], 'n': [1, 2, 4]}).groupby('k').sum()", '[{"k":"x","n":3},{"k":"y","n":4}]'),
    ("pandas.DataFrame({'k': ['x', 'x'], 'n': [1, 2]}).groupby('k').agg({'k': 'count'})", '[{"index":"x","k":2}]'),
    ("pandas.DataFrame({'index': [3]}, index=['a'])", '[{"index_0":"a","index":3}]'),
    ("pandas.DataFrame({'n': [1, 2, 3]}).query('n > 2')", '[{"n":3}]'),
    ("pandas.DataFrame()", "[]"),
    ("pandas.Series([1.5, None])", "[1.5,null]"),
    ("pandas.Series(['x', 'y', 'x']).value_counts()", '{"x":2,"y":1}'),
    (
        "pandas.Series([3], index=pandas.MultiIndex.from_tuples([('x', 1)], names=['k', None]))",
        '[{"k":"x","index_1":1,"value":3}]',
    ),
    ("pandas.Series(['x', None, 'x'], dtype='str').unique()", '["x",null]'),
    ("pandas.DataFrame({'n': [1]}).columns", '["n"]'),
    ("{'a': pandas.NA, 'b': pandas.NaT}", '{"a":null,"b":null}'),
]


@pytest.mark.parametrize(("expression", "text"), LABELLED)
def test_labels_of_rows_are_kept(expression, text):
    pandas = pytest.importorskip("pandas", reason="frames are converted where pandas is installed")
    assert convert(eval(expression, {"pandas": pandas})).stdout == f"{text}\n"


def test_frames_of_polars_are_records():
    polars = pytest.importorskip("polars", reason="frames are converted where polars is installed")
    assert (
        convert(polars.DataFrame({"id": [1, 2], "at": [DAY, None]})).stdout == '[{"id":1,"at":"2026-02-01"},{"id":2,"at":null}]\n'
    )
    assert convert(polars.Series([1, None])).stdout == "[1,null]\n"


def test_nothing_is_imported_for_them():
    script = """
import sys
from bashkit.tools.define.result import convert
before = {*sys.modules}
convert([{1}, {"a": range(3)}])
print(*{*sys.modules} - before)
"""
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "\n"


# -- streams -----------------------------------------------------------------------------------------------------------


def api(callback, definition=None, **options):
    return ScriptedTool("api", tools=[(definition or ToolDef("rows"), callback)], **options)


def items(args):
    yield {"id": 1}
    yield "text\n"
    yield 2.5
    yield b"bytes\n"
    yield None
    yield [DAY]


async def async_items(args):
    for item in items(args):
        await asyncio.sleep(0)
        yield item


async def later(args):
    return items(args)


async def async_later(args):
    return async_items(args)


@pytest.mark.parametrize("callback", [items, async_items, later, async_later, async_items])
@pytest.mark.parametrize("inline", [False, True])
def test_items_of_an_iterator_are_written_one_by_one(callback, inline):
    made = api(callback, ToolDef("rows", inline=inline))
    expected = '{"id":1}\ntext\n2.5\nbytes\n["2026-02-01"]\n'
    assert made.execute_sync("rows").stdout == expected
    assert asyncio.run(made.execute("rows")).stdout == expected
    assert made.execute_sync("rows | grep -n id").stdout == '1:{"id":1}\n'
    assert made.execute_sync("rows").trace[0].stdout_bytes == len(expected)


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_a_reader_that_has_seen_enough_ends_and_closes_the_iterator(isolation):
    closed = threading.Event()

    def endless(args):
        try:
            yield from itertools.count()
        finally:
            closed.set()

    response = api(endless, isolation=isolation).execute_sync("rows | head -2; echo ${PIPESTATUS[@]}")
    assert response.stdout == "0\n1\n141 0\n"
    assert response.trace[0].exit_code == 141
    assert closed.wait(10)


def test_a_reader_that_has_seen_enough_ends_and_closes_an_async_iterator():
    closed = threading.Event()

    async def endless(args):
        try:
            for number in itertools.count():
                yield number
        finally:
            closed.set()

    assert api(endless).execute_sync("rows | head -2").stdout == "0\n1\n"
    assert closed.wait(10)


def test_an_item_is_there_as_soon_as_it_is_made():
    go = threading.Event()
    seen = []

    def waiting(args):
        yield "first\n"
        assert go.wait(10)
        yield "second\n"

    def see(args):
        seen.append(args.stdin)
        go.set()

    made = ScriptedTool("api", tools=[(ToolDef("rows"), waiting), (ToolDef("see"), see)])
    response = made.execute_sync('rows | while read line; do echo "$line" | see; done')
    assert response.exit_code == 0
    assert seen == ["first\n", "second\n"]


def test_all_items_are_made_in_the_thread_of_the_callback():
    def rows(args):
        connection = sqlite3.connect(":memory:")  # which refuses other threads
        return connection.execute("with v(id) as (values (1), (2)) select id, id * 2 as twice from v")

    assert api(rows).execute_sync("rows").stdout == '{"id":1,"twice":2}\n{"id":2,"twice":4}\n'


def test_a_file_is_written_line_by_line():
    assert api(lambda args: io.StringIO("a\nb\n")).execute_sync("rows | tail -1").stdout == "b\n"


@pytest.mark.parametrize("inline", [False, True])
def test_an_endless_iterator_ends_with_the_limits_of_the_script(inline):
    definition = ToolDef("rows", inline=inline)
    small = ExecutionLimits(max_output_bytes=10_000)
    assert api(lambda args: itertools.count(), definition, limits=small).execute_sync("rows").error == "limit:max_output_bytes"
    short = ExecutionLimits(timeout=0.3)
    assert api(lambda args: itertools.count(), definition, limits=short).execute_sync("rows >/dev/null").error == "timeout"


def test_the_time_limit_of_a_call_is_for_all_items_together():
    def slow(args):
        yield "one\n"
        threading.Event().wait(5)

    async def slow_async(args):
        yield "one\n"
        await asyncio.sleep(5)

    for callback in (slow, slow_async):
        response = api(callback, ToolDef("rows", timeout=0.2)).execute_sync("rows")
        assert (response.stdout, response.exit_code) == ("one\n", 124)
        assert response.stderr == "rows: timed out after 0.2 s\n"


def test_many_streams_run_at_once_whatever_may_be_called_at_once():
    made = api(items, limits=ExecutionLimits(max_concurrent_calls=2))
    assert made.execute_sync("rows | cat & rows | cat & rows | cat & wait").stdout.count('{"id":1}') == 3


def test_an_exception_comes_after_the_items_before_it():
    def broken(args):
        yield 1
        raise ToolError("no more", exit_code=7)

    response = api(broken, ToolDef("rows", retry=Retry(exit_codes=(7,), backoff=0))).execute_sync("rows")
    assert (response.stdout, response.stderr, response.exit_code) == ("1\n", "rows: no more\n", 7)
    assert response.trace[0].attempts == 1


def test_only_a_stream_that_has_written_nothing_is_tried_again():
    calls = []

    def broken(args):
        calls.append(1)
        if len(calls) < 3:
            raise OSError("try again")
        yield len(calls)
        raise OSError("too late")

    response = api(broken, ToolDef("rows", retry=Retry(attempts=5, backoff=0))).execute_sync("rows")
    assert (response.stdout, response.stderr) == ("3\n", "rows: OSError\n")
    assert response.trace[0].attempts == 3


def test_a_result_with_an_exit_code_ends_the_stream():
    def some(args):
        yield ToolResult("one\n", "warning\n")
        yield ToolResult("two\n", exit_code=3)
        yield "three\n"

    response = api(some).execute_sync("rows")
    assert (response.stdout, response.stderr, response.exit_code) == ("one\ntwo\n", "warning\n", 3)


def test_a_stream_is_cached_when_it_has_ended():
    calls = []

    def counted(args):
        calls.append(1)
        yield len(calls)
        yield "end\n"

    made = api(counted, ToolDef("rows", cache=60))
    assert made.execute_sync("rows | head -1 >/dev/null; rows; rows").stdout in {"2\nend\n" * 2, "1\nend\n" * 2}


SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


def test_each_item_is_checked_against_the_output_schema():
    def some(args):
        yield {"id": 1}
        yield {"id": "x"}
        yield {"id": "y"}

    definition = ToolDef("rows", output_schema=SCHEMA)
    warned = api(some, definition, validate_output="warn").execute_sync("rows")
    assert warned.stdout == '{"id":1}\n{"id":"x"}\n{"id":"y"}\n'
    assert warned.stderr == "rows: warning: the output does not match its schema: .id: expected integer, got 'x'\n"
    refused = api(some, definition, validate_output="error").execute_sync("rows")
    assert (refused.stdout, refused.exit_code) == ('{"id":1}\n', 1)
    assert "does not match its schema" in refused.stderr


def test_a_secret_is_masked_where_two_items_share_it():
    def some(args):
        yield "the key is s3c"
        yield "ret-value, not s3"
        yield "x"

    made = api(some, secrets={"KEY": "s3cret-value"}, trace_streams=100)
    response = made.execute_sync("rows")
    assert response.stdout == "the key is ***, not s3x"
    assert response.trace[0].stdout == response.stdout


def test_a_call_without_a_script_collects_the_items():
    for callback in (items, async_items):
        made = api(callback)
        result = asyncio.run(made.call("rows", {}))
        assert result.stdout == '{"id":1}\ntext\n2.5\nbytes\n["2026-02-01"]\n'


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (ToolResult({"id": 1}), "stdout of a ToolResult is text or bytes, not dict"),
        (ToolResult("a", None), "stderr of a ToolResult is text or bytes, not NoneType"),
        (ToolResult("a", exit_code="1"), "exit_code of a ToolResult is a whole number, not '1'"),
        (ToolResult("a", files=["a.txt"]), "files of a ToolResult is a mapping, not list"),
        (ToolResult("a", files={"a.txt": 5}), "files of a ToolResult are text, bytes or None by path, not int by 'a.txt'"),
    ],
)
def test_s04_a_result_with_wrong_fields_fails_the_call_and_not_the_script(result, message):
    tool = ScriptedTool("api", tools=[(ToolDef("get"), lambda args: result)])
    response = tool.execute_sync("get; echo $?")
    assert (response.stdout, response.stderr) == ("1\n", f"get: {message}\n")


@pytest.mark.parametrize(("given", "status"), [(0, 1), (256, 1), (-9, 247), (300, 44)])
def test_s04_the_status_of_a_tool_error_is_never_success(given, status):
    def get(args):
        raise ToolError(KeyError("id"), given)

    response = ScriptedTool("api", tools=[(ToolDef("get"), get)]).execute_sync("get")
    assert (response.exit_code, response.stderr) == (status, "get: 'id'\n")
