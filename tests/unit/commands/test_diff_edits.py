"""The changes between two lists of lines, also where there are very many of them."""

from random import Random

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.commands.comparing.diff import edits
from bashkit.limits import Budget


def applied(old, new, changes):
    """The new lines, made of the old ones by the changes."""
    made, done = [], 0
    for change in changes:
        made += old[done : change.old_start] + new[change.new_start : change.new_end]
        done = change.old_end
    return made + old[done:]


def size(changes):
    return sum(change.old_end - change.old_start + change.new_end - change.new_start for change in changes)


def pairs(letters):
    """Files of a few lines out of so many."""
    random = Random(letters)
    for _ in range(100):
        yield [[random.randrange(letters) for _ in range(random.randrange(60))] for _ in "ab"]


@pytest.mark.parametrize("letters", [2, 5, 30, 200])
def test_many_changes_are_right_and_few_pairs_give_the_smallest_set(monkeypatch, letters):
    budget = Budget(ExecutionLimits())
    for old, new in pairs(letters):
        monkeypatch.setattr(edits, "_FAR", 512)
        least = size(edits.changes(old, new, budget))
        monkeypatch.setattr(edits, "_FAR", 2)
        monkeypatch.setattr(edits, "_NEAR", 1)
        monkeypatch.setattr(edits, "_FEW", 1 << 30)
        found = edits.changes(old, new, budget)
        assert (applied(old, new, found), size(found)) == (new, least)
        monkeypatch.setattr(edits, "_FEW", 0)
        found = edits.changes(old, new, budget)
        assert applied(old, new, found) == new
        assert least <= size(found) <= len(old) + len(new)
        found = edits.changes(old, new, budget, minimal=True)
        assert (applied(old, new, found), size(found)) == (new, least)


@pytest.mark.parametrize("lines", ["{1..8000}", "$(for i in {1..800}; do echo {1..10}; done)"])
def test_lines_in_another_order_take_no_more_than_their_number(lines):
    limits = ExecutionLimits(max_commands=40_000)
    result = Bash(limits=limits).execute_sync(
        f"printf '%s\\n' {lines} > a; sort -R --random-source=<(yes) a > b; diff a b > p; echo $?; patch -s a p; cmp a b"
    )
    assert (result.stdout, result.stderr) == ("1\n", "")
