"""A utility's command line that comes again is parsed once, and what the utility makes of it is made once."""

import gc
import shlex
import time

import pytest

from bashkit import Bash
from bashkit.commands import find_command
from bashkit.interp.utility.command import UsageError, command, flag, value
from bashkit.limits import Budget

MADE = []


def budgets():
    """How many are left."""
    gc.collect()
    return sum(isinstance(found, Budget) for found in gc.get_objects())


def made_of(arguments):
    MADE.append(arguments.get("n"))
    return object()


@command("probe", usage="[OPTION]... [FILE]...", summary="Keep what it is called with.", options=(flag("-a"), value("-n")))
def probe(process, arguments):
    return 0


@pytest.fixture(autouse=True)
def nothing_kept():
    probe.lines.clear()
    MADE.clear()


def test_what_is_made_of_a_line_is_made_once():
    probe.parse(["-n", "1", "f"])
    first, second = probe.parse(["-n", "1", "f"]), probe.parse(["-n", "1", "f"])
    assert first.once(made_of) is second.once(made_of) is first.once(made_of)
    assert probe.parse(["-n", "2", "f"]).once(made_of) is not first.once(made_of)
    assert MADE == ["1", "2"]


def test_a_line_that_came_once_is_not_kept():
    first, second = probe.parse(["-n", "1"]), probe.parse(["-n", "1"])
    assert first.once(made_of) is not second.once(made_of)


def test_each_run_may_change_its_own_lists():
    for _ in range(4):
        arguments = probe.parse(["-a", "f"])
        assert (arguments.given, arguments.operands) == ([("a", None)], ["f"])
        arguments.operands.pop()
        arguments.given.append(("n", "3"))


@pytest.mark.parametrize("words", [["x" * 257], ["x"] * 17, ["y", "x" * 256]])
def test_long_lines_are_not_kept(words):
    for _ in range(3):
        assert probe.parse(words).operands == words
    assert not probe.lines


@pytest.mark.parametrize("words", [["x" * 256], ["x"] * 16])
def test_short_lines_are_kept(words):
    for _ in range(3):
        assert probe.parse(words).operands == words
    assert probe.lines[tuple(words)] is not None


def test_few_lines_are_kept():
    for number in range(20):
        probe.parse([str(number)])
    assert len(probe.lines) <= 8


def test_a_refused_line_is_refused_again():
    for _ in range(3):
        with pytest.raises(UsageError, match="invalid option"):
            probe.parse(["-x"])
    assert not probe.lines


def test_a_utility_says_all_it_has_to_say_each_time():
    script = "for i in 1 2; do echo a | tr 'a\\' '[:upper:]'; done"
    said = (
        "tr: warning: an unescaped backslash at end of string is not portable\n"
        "tr: misaligned [:upper:] and/or [:lower:] construct\n"
    )
    assert Bash().execute_sync(script).stderr == said * 2


def test_sets_that_repeat_go_on_as_they_began():
    result = Bash().execute_sync("for i in 1 2; do printf 'aabb\\n' | tr -s ab; done; tr -s a <<< aaab")
    assert result.stdout == "ab\nab\nab\n"


def test_no_execution_is_kept_with_a_line():
    lines = (
        "cut -d, -f2", "grep -c a", "head -n 1", "sed s/a/b/", "sort -k2,2n", "sort -R", "tail -n +2", "tr -s a b", "wc -lw",
    )  # fmt: skip
    for line in lines:
        find_command(line.split()[0]).lines.clear()  # of earlier tests: so many that one more would make room for itself
    Bash().execute_sync("echo a | cat")
    before = budgets()
    Bash().execute_sync("; ".join(f"echo a | {line}" for line in lines for _ in range(3)))
    assert all(tuple(shlex.split(line)[1:]) in find_command(line.split()[0]).lines for line in lines)
    assert any(
        budgets() <= before or time.sleep(0.1) for _ in range(100)
    )  # the watchdog looks at the last one until its next round
