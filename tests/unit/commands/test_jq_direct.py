"""jq programs that are answered without a worker: always exactly what a worker answers."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bashkit import Bash
from bashkit.commands._workers.worker import UnavailableError
from bashkit.commands.data.jq import session
from bashkit.commands.data.jq.direct.functions import PLAIN, WITH_ARGUMENTS
from bashkit.commands.data.jq.direct.values import NotHereError

KEYS = st.sampled_from(["a", "b", "name", "id", "a b", "é", "_x", "key", "value"])
TEXTS = st.text(max_size=8) | st.sampled_from(
    ["", '"', "\\", "\n\t", "\x1f", "\x7f", "\u2028", "€", "😀", "</script>", "a", "a,b", "12", "A z", "2024-01-02", "x-0"]
)
NUMBERS = (
    st.integers(-(10**17), 10**17)
    | st.integers(-20, 20)
    | st.sampled_from([0.5, -2.5, 12.99, -0.0, -0.5, 1e300, 1.0, 0.1, 0.2, 1e-7])
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.lists(NUMBERS, max_size=4)
        | st.lists(TEXTS, max_size=3)
    ),
    max_leaves=12,
)
SUFFIXES = st.sampled_from(
    [
        ".a",
        ".name",
        ".id",
        "[0]",
        "[-1]",
        "[7]",
        "[]",
        '["a b"]',
        '."a b"',
        ".[]",
        "[ 1 ]",
        "[1:]",
        "[:-1]",
        '["a"]',
        ".a?",
        ".id?",
        "[]?",
        ".[]?",
    ]
)
PATHS = st.lists(SUFFIXES, max_size=3).map("".join).map(lambda path: path if path.startswith(".") else f".{path}")
LITERALS = st.sampled_from(
    ["0", "1", "2.5", "12", '"a"', '"x\\ty"', '""', '","', "null", "true", "false", "[]", "{}", "-1", "$text", "$json"]
)
NAMES = st.sampled_from(sorted(PLAIN))
OPERATORS = st.sampled_from("+ - * / % == != < <= > >= and or //".split())


def larger(inner):
    """Programs made of smaller ones."""
    functions = sorted({name for name, count in WITH_ARGUMENTS if count == 1})
    return (
        st.tuples(inner, OPERATORS, inner).map(" ".join)
        | st.tuples(inner, st.sampled_from([" | ", ", ", "|"]), inner).map("".join)
        | st.tuples(st.sampled_from(functions), inner).map(lambda parts: f"{parts[0]}({parts[1]})")
        | inner.map(lambda item: f"[{item}]")
        | inner.map(lambda item: f"({item})")
        | st.tuples(inner, SUFFIXES).map(lambda parts: f"({parts[0]}){parts[1]}")
        | st.tuples(inner, inner).map(lambda parts: f'{{a: {parts[0]}, "b c": {parts[1]}, id}}')
        | st.tuples(inner, inner).map(lambda parts: f"{{({parts[0]}): {parts[1]}, $text}}")
        | st.tuples(inner, inner, inner).map(lambda parts: f"if {parts[0]} then {parts[1]} else {parts[2]} end")
        | st.tuples(inner, inner).map(lambda parts: f"if {parts[0]} then {parts[1]} elif . then 1 end")
        | inner.map(lambda item: f'"<\\({item})>"')
    )


PROGRAMS = st.recursive(PATHS | LITERALS | NAMES, larger, max_leaves=5)
OPTIONS = st.sampled_from(["", "-r", "-c", "-rc", "-j", "-cj", "-s", "-cS", "-e", "-n", "--tab", "--indent 1", "-sc", "-S"])
WRITTEN = st.sampled_from(["compact", "pretty", "escaped"])
VARIABLES = "--arg text 'a b' --argjson json '[1,{\"a\":2.5}]'"

NOT_HERE = [
    ("..", "{}"),
    ("(.a)?", "{}"),
    (".[0]?", "{}"),
    (".a", "[1]"),
    (".[0]", "{}"),
    (".[]", "1"),
    ("length", "true"),
    ("keys", "null"),
    (".", "1.10"),
    (".", "1e3"),
    (".", "-0"),
    (".", "1234567890123456"),
    (".", "nan"),
    (".", '"\\ud800"'),
    (".", '"\x7f"'),
    (".", "1 2 ]"),
    (".", "[1}"),
    (".", "[" * 3000 + "]" * 3000),
    ("range(3)", "1"),
    (". * 1000000000", "9999999"),
    (". / 0", "1"),
    ("-.", "1"),
    ("1 == 1 == 1", "1"),
    (". == [1]", "[1]"),
    ("sort", "[[2],[1]]"),
    ('test("a.c")', '"abc"'),
    ("tonumber", '"1e3"'),
    ("def f: 1; f", "1"),
    (". as $x | $x", "1"),
    ("reduce .[] as $x (0; . + $x)", "[1]"),
    ("try error catch .", "1"),
    ("$ENV", "1"),
    ("env", "1"),
    ("input", "1 2"),
    (". = 1", "1"),
    (".a |= 1", "{}"),
    (".a += 1", "{}"),
    ("del(.a)", "{}"),
    ("@base64", '"a"'),
    ('@csv "\\([1])"', "1"),
    (". # comment", "1"),
    ("{a: 1,}", "{}"),
    ("[.[] | 1", "[]"),
    ("nosuch", "1"),
    ("$nosuch", "1"),
]


def written(value, how):
    if how == "pretty":
        return json.dumps(value, indent=3, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=how == "escaped", separators=(",", ":"))


def run(program, text, options):
    response = Bash(files={"/in.json": text, "/program": program}).execute_sync(f'jq {options} "$(cat /program)" < /in.json')
    return response.stdout, response.stderr, response.exit_code


def refuse(request):
    raise NotHereError


def asked(program, text, options=""):
    """The answer of a worker."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "Answering", refuse)
        return run(program, text, options)


@settings(deadline=None, max_examples=int(os.environ.get("BASHKIT_FUZZ_EXAMPLES", "150")))
@given(st.lists(VALUES, max_size=3), PROGRAMS, OPTIONS, WRITTEN)
def test_the_answer_is_a_workers(values, program, options, how):
    text = "\n".join(written(value, how) for value in values)
    assert run(program, text, f"{options} {VARIABLES}") == asked(program, text, f"{options} {VARIABLES}")


@pytest.mark.parametrize("program", ["@csv", "@tsv"])
def test_a_null_character_in_a_table_is_a_workers_too(program):
    text = r'["a\u0000b"]'
    assert run(program, text, "-r") == asked(program, text, "-r")


@pytest.mark.parametrize(("program", "text"), NOT_HERE)
def test_what_is_not_certain_is_a_workers(monkeypatch, program, text):
    borrowed = []
    monkeypatch.setattr(session, "lent", lambda *given, lent=session.lent: borrowed.append(1) or lent(*given))
    assert run(program, text, "") == asked(program, text)
    assert len(borrowed) == 2


@pytest.mark.parametrize(
    ("options", "program", "printed"),
    [
        ("-r", ".name", "Ada\n"),
        ("", ".name", '"Ada"\n'),
        ("-c", ".tags", '["x",{"y":null}]\n'),
        ("", ".tags", '[\n  "x",\n  {\n    "y": null\n  }\n]\n'),
        ("-j", ".tags[0], .id", "x1"),
        ("-c", ".tags | length, keys", "2\n[0,1]\n"),
        ("-c", '."a b"', "[]\n"),
        ("-c", ".none.deeper[3]", "null\n"),
        ("-r", '.orders[] | select(.total > 10 and .status == "open") | "\\(.id): \\(.total)"', "7: 12.5\n"),
        ("-c", "[.orders[] | {id, cents: (.total * 100)}]", '[{"id":7,"cents":1250},{"id":8,"cents":300}]\n'),
        ("", "[.orders[].total] | add", "15.5\n"),
        ("-c", ".orders | group_by(.status) | map({(.[0].status): length}) | add", '{"done":1,"open":1}\n'),
        ("-r", '.orders | sort_by(.total) | .[0].id // "none"', "8\n"),
        ("-r", ".orders[] | [.id, .status] | @csv", '7,"open"\n8,"done"\n'),
        ("-c --arg s done", ".orders | map(select(.status == $s).id)", "[8]\n"),
        ("-n", "1 + 2 * 3", "7\n"),
        ("-e", ".none", "null\n"),
        ("-r --arg day 2024-01-02", "select(.day >= $day).id", "1\n"),
        ("-sc", "map(.id)", "[1]\n"),
        ("-r", 'if .id >= 1 then "yes" else "no" end', "yes\n"),
        ("-c", 'to_entries | map(select(.key == "id")) | from_entries', '{"id":1}\n'),
        ("-r", '.tags | map(type) | join(", ")', "string, object\n"),
    ],
)
def test_no_worker_is_asked(monkeypatch, options, program, printed):
    def fail(process, program):
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(session, "lent", fail)
    orders = '[{"id": 7, "total": 12.5, "status": "open"}, {"id": 8, "total": 3, "status": "done"}]'
    text = f'{{"id": 1, "day": "2024-01-05", "name": "Ada", "tags": ["x", {{"y": null}}], "a b": [], "orders": {orders}}}'
    assert run(program, text, options) == (printed, "", 1 if options == "-e" else 0)


ROW = '{"id":%d,"name":"n%d","n":%d,"text":"' + "x" * 100 + '"}'
ODD_LINES = ["", "  ", "[1,\n2]", '{"id":1.10}', "1 2", "nan", "]", '{"id":1,\n"n":2}', "[1", '{"a":[{}', "{}]}", "3,4", "\x1e"]


@pytest.mark.parametrize("source", ["jq %s /rows", "(head -n 2000 /rows; tail -n +2001 /rows) | jq %s"])
@pytest.mark.parametrize("odd", [None, *ODD_LINES])
def test_long_inputs_are_answered_line_by_line(source, odd):
    rows = [ROW % (number, number, number % 100) for number in range(4000)]
    if odd is not None:
        rows[3000:3000] = [odd]
    files = {"/rows": "\n".join(rows) + ("\n" if odd != "]" else "")}
    for program in ("-r .name", "-c 'select(.n > 97)'", "."):
        script = f"{source % program} | cksum"
        result = Bash(files=files).execute_sync(script)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session, "Answering", refuse)
            expected = Bash(files=files).execute_sync(script)
        assert result == expected


GROWING = [
    "|".join([". + ."] * 40),
    "|".join(["[., .]"] * 40),
    "|".join([".,."] * 40),
    "|".join(["[.[], .[]]"] * 40),
    "|".join(["tojson"] * 40),
    "|".join(['"\\(.)\\(.)"'] * 30),
    "|".join(["{a: ., b: .}"] * 30),
    "|".join(["map([., .])"] * 14) + "|" + "|".join(["add"] * 14),
    "join(.[0])",
    "[range(100000)] | map([range(100000)])",
]


@pytest.mark.parametrize("program", GROWING)
def test_nothing_grows_without_measure_here(monkeypatch, program):
    """A worker has a limit for its memory, and can be ended."""

    def borrow(process, program):
        raise UnavailableError("asked")

    monkeypatch.setattr(session, "lent", borrow)
    assert run(program, '["x"]', "") == ("", "jq: error: asked\n", 2)
