"""jq programs that are answered without a worker: always exactly what a worker answers."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bashkit import Bash
from bashkit.commands.jq import direct, session

KEYS = st.sampled_from(["a", "b", "name", "id", "a b", "é", "_x"])
TEXTS = st.text(max_size=8) | st.sampled_from(["", '"', "\\", "\n\t", "\x1f", "\x7f", "\u2028", "€", "😀", "</script>"])
NUMBERS = st.integers(-(10**17), 10**17) | st.integers(-20, 20)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS | st.sampled_from([0.5, 1e300, 1.0]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
SUFFIXES = st.sampled_from([".a", ".name", ".id", "[0]", "[-1]", "[7]", "[]", '["a b"]', '."a b"', ".[]", "[ 1 ]"])
PATHS = st.lists(SUFFIXES, max_size=3).map("".join).map(lambda path: path if path.startswith(".") else f".{path}")
TERMS = PATHS | st.sampled_from(["length", "keys", "."])
PROGRAMS = st.lists(st.lists(TERMS, min_size=1, max_size=2).map(", ".join), min_size=1, max_size=3).map(" | ".join)
OPTIONS = st.sampled_from(["", "-r", "-c", "-rc", "-j", "-cj"])
WRITTEN = st.sampled_from(["compact", "pretty", "escaped"])

NOT_HERE = [
    ("..", "{}"),
    (".a?", "{}"),
    (".a // 1", "{}"),
    ("map(.a)", "[]"),
    (".[1:2]", "[]"),
    ('.["a\\n"]', "{}"),
    (".a", "[1]"),
    (".[0]", "{}"),
    (".[]", "1"),
    ("length", "true"),
    ("keys", "null"),
    (".", "1.0"),
    (".", "1e3"),
    (".", "-0"),
    (".", "1234567890123456"),
    (".", "nan"),
    (".", '"\\ud800"'),
    (".", '"\x7f"'),
    (".", "1 2 ]"),
    (".", "[1}"),
    (".", "[]" * 2000),
    (".", "[" * 3000 + "]" * 3000),
    (",".join(["."] * 200), "[]"),
    ("|".join([".,."] * 14), "[]"),
]


def written(value, how):
    if how == "pretty":
        return json.dumps(value, indent=3, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=how == "escaped", separators=(",", ":"))


def run(program, text, options):
    response = Bash(files={"/in.json": text, "/program": program}).execute_sync(f'jq {options} "$(cat /program)" < /in.json')
    return response.stdout, response.stderr, response.exit_code


def asked(program, text, options="", monkeypatch=None):
    """The answer of a worker."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "answer", lambda request: None)
        return run(program, text, options)


@settings(deadline=None, max_examples=100)
@given(st.lists(VALUES, max_size=3), PROGRAMS, OPTIONS, WRITTEN)
def test_the_answer_is_a_workers(values, program, options, how):
    text = "\n".join(written(value, how) for value in values)
    assert run(program, text, options) == asked(program, text, options)


@pytest.mark.parametrize(("program", "text"), NOT_HERE)
def test_what_is_not_certain_is_a_workers(monkeypatch, program, text):
    answers = []

    def watched(request):
        answers.append(direct.answer(request))
        return answers[-1]

    monkeypatch.setattr(session, "answer", watched)
    assert run(program, text, "") == asked(program, text)
    assert answers == [None]


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
    ],
)
def test_no_worker_is_asked_for_a_path(monkeypatch, options, program, printed):
    def refuse(process):
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(session, "_borrow", refuse)
    text = '{"id": 1, "name": "Ada", "tags": ["x", {"y": null}], "a b": []}'
    assert run(program, text, options) == (printed, "", 0)
