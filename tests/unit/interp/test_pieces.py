"""Long texts are worked on in pieces, with the same result and within their limits."""

import os
import subprocess

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.errors import LimitExceededError
from bashkit.interp.runtime.capture import Capture
from bashkit.interp.runtime.pieces import PIECE, has_any, in_pieces
from bashkit.interp.state import quoting
from bashkit.limits import Budget, Words, collected

STYLES = [
    quoting.ansi_c_quote,
    quoting.plain_quote,
    quoting.single_quote,
    quoting.quote_if_needed,
    quoting.backslash_quote,
    quoting.double_quote,
    quoting.key_quote,
]


@pytest.mark.parametrize("quote", STYLES)
@pytest.mark.parametrize(
    "text", ["a" * PIECE, "'~" * PIECE, "~a:~b " * PIECE, "a\n\x01'" * PIECE, "é$" * PIECE + "\udc80", "a" * PIECE + ":~"]
)
def test_long_texts_are_quoted_as_short_ones(quote, text):
    assert quote(text, Budget(ExecutionLimits())) == quote(text)


@pytest.mark.needs("bash")
@pytest.mark.parametrize(
    "text", ["a b", "~a", "#a", "a~", "a=~", "x:~y", "a,b", "{", "a\tb", "\x01\x7f\x1b", "é", "it's", "a\\b", '`$"', "", "a#b"]
)
def test_quoted_as_bash_does(text):
    command = ["bash", "-c", 'printf \'%q\\n\' "$1"; echo "${1@Q}"', "-", text]
    said = subprocess.run(command, env={**os.environ, "LC_ALL": "C.UTF-8"}, capture_output=True, encoding="utf-8", check=True)
    assert f"{quoting.backslash_quote(text)}\n{quoting.single_quote(text)}\n" == said.stdout


def test_what_grows_beyond_a_string_is_refused_between_pieces():
    with pytest.raises(LimitExceededError, match="max_string_bytes"):
        in_pieces(lambda piece: piece * 10, "a" * PIECE * 4, Budget(ExecutionLimits(max_string_bytes=PIECE * 20)))


def test_a_pair_is_found_where_two_pieces_meet():
    import re

    assert has_any(re.compile("ab"), "a" * PIECE + "b" + "a" * PIECE, Budget(ExecutionLimits()))


def test_words_that_are_made_one_by_one_are_charged_while_they_are_made():
    budget = Budget(ExecutionLimits(max_memory_bytes=1 << 20))
    made = []

    def make():
        while True:
            made.append(1)
            yield "a" * 100_000

    with pytest.raises(LimitExceededError, match="max_memory_bytes"):
        collected(budget, make())
    assert len(made) < 15
    found = collected(budget, iter(["a"] * 2000))
    assert isinstance(found, Words)
    assert found == ["a"] * 2000
    del found
    assert budget.memory == 1 << 20


def test_output_in_pieces_is_joined():
    capture = Capture(Budget(ExecutionLimits()))
    for _ in range(100_000):
        capture.write(b"a")
    assert capture.value() == b"a" * 100_000
    assert len(capture._chunks) < 5000


@pytest.mark.parametrize(
    "script",
    [
        'a=({1..500}); b=("${a[@]/1/$x}")',
        'a=({1..500}); b=("${a[@]/#/$x}")',
        'a=({1..500}); b=("${a[@]@Q}" "${a[@]/%/$x}")',
        "f() { local y=$1$((n++)) z=$1; f $y; }; f $x",
        "set -- {1..500}; : ${@/#/$x}",
    ],
)
def test_lists_of_operators_end_at_the_limit(script):
    limits = ExecutionLimits(max_memory_bytes=8 << 20, timeout=30)
    assert (
        Bash(limits=limits).execute_sync('x=$(head -c 1000000 /dev/zero | tr "\\0" a); ' + script).error
        == "limit:max_memory_bytes"
    )


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [
        ("/[", "/["),
        ("][a", "][a"),
        (r"[\]", "[]"),
        (r"\*", "*"),
        (r"\\*", r"\\*"),
        ("@(a|b/", "@(a|b/"),
        ("/tm[p]", "/tmp"),
        ("/tm?//", "/tmp/"),
        ("/bi[m-o]", "/bin"),
    ],
)
def test_what_is_no_pattern_stays(pattern, shown):
    assert Bash().execute_sync(f"shopt -s extglob\nx='{pattern}'; echo $x").stdout in {shown + "\n", pattern + "\n"}


def test_brackets_are_looked_at_once():
    script = "x=$(head -c 300000 /dev/zero | tr '\\0' '['); set -- $x; echo ${#1}"
    assert Bash().execute_sync(script).stdout == "300000\n"


@pytest.mark.parametrize(
    "script",
    [
        "{ { sleep 9; } & kill $!; } | { cat; echo end; }",
        "x=$( { sleep 9; } & kill $!); echo ${x}end",
        "{ sleep 9 & kill $!; } | cat; echo end",
    ],
)
def test_a_job_that_is_killed_before_it_begins_closes_what_it_has(script):
    result = Bash(limits=ExecutionLimits(timeout=5)).execute_sync(script)
    assert (result.stdout, result.error) == ("end\n", None)


@pytest.mark.parametrize("count", [1, 3000])
@pytest.mark.parametrize(
    "wide", ["x=a; y=${x}b; ", ": <<< a ", "{ :; }; ", "case a in b) ;; a) x=ab;; esac; ", "# a\n\n\t# b\n \\\n\n"]
)
def test_wide_scripts_say_the_line(wide, count):
    text = wide * count + "\necho $LINENO\n"
    assert Bash().execute_sync(text).stdout == f"{text.count(chr(10))}\n"


def test_escapes_of_much():
    script = r"""x=$(printf '\\x41%.0s' {1..5000}); y=${x@E}; echo ${#y}; echo -e "$x" | wc -c; printf %b "$x" | wc -c"""
    assert Bash().execute_sync(script).stdout == "5000\n5001\n5000\n"


def test_a_row_of_escaped_characters_is_one_part():
    assert Bash().execute_sync("printf '%s|' " + "\\*\\\\" * 5000 + "a\\\nb").stdout == "*\\" * 5000 + "ab|"


def test_an_execution_leaves_no_circle_behind():
    import gc

    bash = Bash()
    bash.execute_sync("true")
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            bash.execute_sync("true")
        assert gc.collect() == 0
    finally:
        gc.enable()
