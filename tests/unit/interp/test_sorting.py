"""Long lists are sorted in pieces, with the result of one call."""

from random import Random

import pytest

from bashkit import Bash
from bashkit.commands.records import sort
from bashkit.commands.records.sort import sorter
from bashkit.commands.records.sort.bulk import bulk_keys, in_a_row, packed
from bashkit.commands.records.sort.keys import Key, Order
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


@pytest.mark.thorough
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


WORDS = ["", "a", "1", "-2", "3.5", "007", " 4", "x y", "2024-01-05", "-", ".5", "--3", "9" * 20, "0", "\t6", "7 b", "-0", "8."]
KEYS = [
    Key(1, 1, 0, 0, Order(kind="n")),
    *(Key(field, 1, field, 0, Order(kind=kind)) for field in (1, 2, 4) for kind in ("", "n")),
]


@pytest.mark.parametrize("separator", [None, b",", b" "])
@pytest.mark.parametrize("key", KEYS)
def test_keys_that_are_made_at_once_compare_like_those_made_one_by_one(key, separator):
    source = Random(f"{key}{separator!r}")
    extract, convert = key.extract(separator), key.order.convert(b"", b"")
    seen = 0
    for _ in range(300):
        words = source.sample(WORDS, source.randrange(1, 6))
        rows = (source.choices(words, k=source.randrange(2, 6)) for _ in range(source.randrange(1, 8)))
        lines = [(separator or b" ").join(map(str.encode, row)) for row in rows]
        found = bulk_keys(key, separator, lines)
        if found is None:
            continue
        seen += 1
        single = [convert(extract(line)) for line in lines]
        for one in range(len(lines)):
            for other in range(len(lines)):
                assert (found[one] < found[other]) == (single[one] < single[other]), (lines[one], lines[other])
                assert (found[one] == found[other]) == (single[one] == single[other]), (lines[one], lines[other])
    assert seen


@pytest.mark.parametrize("options", ["", "-r", "-u", "-ur", "-uz"])
@pytest.mark.parametrize("most", [0, 600, 1 << 18])
def test_whole_lines_are_sorted_alike_in_every_form(monkeypatch, options, most):
    for module in (sort, sorter):
        monkeypatch.setattr(module, "MOST_TEXTS", most)
    source = Random(options)
    lines = [f"{source.randrange(900)}\xff{source.choice('aé')}" for _ in range(1000)]
    end = "\0" if "z" in options else "\n"
    files = {"/f": "".join(line + end for line in lines[:500]), "/g": end.join(lines[500:])}
    wanted = sorted(set(lines) if "u" in options else lines, key=str.encode, reverse="r" in options)
    result = Bash(files=files).execute_sync(f"sort {options} /f /g > /h; cat /h | tr '\\0' '\\n'")
    assert result.stdout == "".join(line + "\n" for line in wanted)
