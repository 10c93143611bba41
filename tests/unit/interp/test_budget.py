"""What a budget counts, to the last turn and the last byte, whichever way a script is run."""

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.errors import LimitExceededError
from bashkit.interp.run import tiers
from bashkit.interp.run.scripts import forget_scripts
from bashkit.limits import Budget, Charge, Words, ask_room, ask_room_for, collected


@pytest.fixture(params=["closures", "translated"])
def tier(request, monkeypatch):
    """Loops as they begin, and as they are from the second turn on."""
    monkeypatch.setattr(tiers, "TURNS", 1 if request.param == "translated" else 1_000_000)
    forget_scripts()
    yield
    forget_scripts()


@pytest.mark.usefixtures("tier")
@pytest.mark.parametrize(
    "loop",
    [
        "for i in {1..9}",
        "for ((;;))",
        "for ((i = 0; i < 9; i++))",
        "while :",
        "until ! :",
        "while ((1))",
        "declare -n r; for r in a b c d e f g h",
        "yes 1 | select i in a b",
        "for j in a b; do for i in {1..9}; do echo; done; done; for k in a",
    ],
)
def test_so_many_turns_and_no_more(loop):
    result = Bash(limits=ExecutionLimits(max_loop_iterations=5)).execute_sync(f"{loop}; do echo; done 2> /dev/null")
    turns = 5 if "for k" not in loop else 4  # one of the outer loop
    assert (result.stdout, result.error) == ("\n" * turns, "limit:max_loop_iterations")


def test_room_that_is_there_is_not_kept():
    budget = Budget(ExecutionLimits(max_memory_bytes=1000))
    budget.room(1000)
    assert budget.memory == 1000
    with pytest.raises(LimitExceededError):
        budget.room(1001)


def test_room_that_is_found_by_counting_is_not_kept():
    budget = Budget(ExecutionLimits(max_memory_bytes=1000))
    budget.measure = lambda: 0
    budget.grow(900)
    budget.room(200)
    assert budget.memory == 1000


@pytest.mark.parametrize(("text", "separators"), [("ab " * 100_000, " "), ("ab,c " * 100_000, ", "), ("é" * 300_000, ())])
def test_the_pieces_of_a_long_text_are_asked_for_as_large_as_they_are(text, separators):
    pieces = [*text] if not separators else text.replace(",", " ").split(" ")
    made = sum(8 + (49 + len(piece) if len(piece) > 1 else len(piece) - 1) for piece in pieces)
    budget = Budget(ExecutionLimits(max_memory_bytes=made * 3 // 4))
    with pytest.raises(LimitExceededError):
        ask_room(text, separators, budget)
    ask_room(text, separators, Budget(ExecutionLimits(max_memory_bytes=made * 3 // 2)))


def test_the_pieces_of_a_short_text_need_no_room():
    ask_room(" " * 1000, " ", Budget(ExecutionLimits(max_memory_bytes=10)))


def test_no_more_heads_are_asked_for_than_there_can_be_pieces_of_two_characters():
    ask_room_for(1000, 10, Budget(ExecutionLimits(max_memory_bytes=10 + 8 * 1000 + 49 * 5)))
    with pytest.raises(LimitExceededError):
        ask_room_for(1000, 10, Budget(ExecutionLimits(max_memory_bytes=10 + 8 * 1000 + 49 * 5 - 1)))


def test_a_charge_is_what_is_reached_and_ends_with_its_owner():
    budget = Budget(ExecutionLimits(max_memory_bytes=1000, max_string_bytes=500))
    charge = Charge(budget)
    charge.reach(400)
    charge.reach(300)
    assert budget.memory == 700
    with pytest.raises(LimitExceededError, match="max_string_bytes"):
        charge.reach_line(501)
    charge.reach_line(500)
    assert budget.memory == 500
    del charge
    assert budget.memory == 1000


def test_words_that_are_made_one_by_one_are_charged_to_the_last():
    budget = Budget(ExecutionLimits(max_memory_bytes=100 << 20))
    found = collected(budget, (str(number).zfill(36) for number in range(100_000)))
    assert isinstance(found, Words)
    assert len(found) == 100_000
    assert budget.memory == (100 << 20) - 100_000 * 100
    del found
    assert budget.memory == 100 << 20


def test_output_that_fits_is_told_to_the_last_byte():
    budget = Budget(ExecutionLimits(max_output_bytes=10))
    assert [budget.write(4), budget.write(6), budget.write(1)] == [4, 6, 0]
    budget = Budget(ExecutionLimits(max_output_bytes=10))
    assert [budget.write(4), budget.write(9), budget.write(9)] == [4, 6, 0]


@pytest.mark.parametrize(("limit", "most"), [("max_words", 7), ("max_string_bytes", 7)])
def test_what_is_asked_for_may_reach_the_limit(limit, most):
    budget = Budget(ExecutionLimits(**{limit: most}))
    ask = {"max_words": budget.words, "max_string_bytes": budget.string}[limit]
    ask(most)
    with pytest.raises(LimitExceededError, match=limit):
        ask(most + 1)


def test_a_string_may_become_as_long_as_the_limit_says():
    budget = Budget(ExecutionLimits(max_string_bytes=7))
    budget.longer(4, 3)
    with pytest.raises(LimitExceededError, match="max_string_bytes"):
        budget.longer(4, 4)
