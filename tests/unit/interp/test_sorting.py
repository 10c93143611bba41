"""Long lists are sorted in pieces, with the result of one call."""

from random import Random

import pytest

from bashkit import Bash
from bashkit.commands.records.sort.bulk import in_a_row, packed
from bashkit.interp.runtime import sorting
from bashkit.limits import Budget, ExecutionLimits


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("different", [1, 2, 50, 10_000])
@pytest.mark.parametrize("length", [0, 1, 128, 129, 1000, 5000])
def test_the_order_is_that_of_sorted(monkeypatch, length, different, reverse):
    monkeypatch.setattr(sorting, "PIECE", 64)
    source = Random(length + different)
    items = [(source.randrange(different), number) for number in range(length)]
    found = sorting.ordered(items, Budget(ExecutionLimits()), key=lambda item: item[0], reverse=reverse)
    assert found == sorted(items, key=lambda item: item[0], reverse=reverse)
    assert sorting.ordered(items, Budget(ExecutionLimits()), reverse=reverse) == sorted(items, reverse=reverse)


@pytest.mark.parametrize("options", ["-n", "-rn"])
def test_many_numbers_are_sorted_within_the_memory(options):
    result = Bash().execute_sync(f"seq 900000 | sort {options} | cksum; seq 900000 | sort {options} | head -1")
    seq = "seq 900000 -1 1" if "r" in options else "seq 900000"
    assert result.error is None
    assert result.stdout == Bash().execute_sync(f"{seq} | cksum; {seq} | head -1").stdout


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 3], "q"),
        ([1.5, 2.0], "d"),
        ([1, 2.5], None),
        ([1 << 70, 1], None),
        ([b"a"], None),
        ([], None),
    ],
)
def test_numbers_are_packed(values, kind):
    found = packed(values)
    assert list(found) == values
    assert getattr(found, "typecode", None) == kind


def test_pieces_of_several_kinds_are_a_list():
    assert in_a_row([packed([1, 2]), packed([3])]).tolist() == [1, 2, 3]
    assert in_a_row([packed([1, 2]), packed([2.5])]) == [1, 2, 2.5]
    assert in_a_row([]) == []
