"""Many patterns of which any may match a line: what each of them alone says is what all of them say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bashkit import Bash, regex
from bashkit.limits import Budget, ExecutionLimits
from bashkit.regex.many import ManyPatterns
from bashkit.regex.strings import Strings


def compile_lines(patterns: tuple[str, ...], dialect: Any, *, ignore_case: bool, whole: Any) -> Any:
    budget = Budget(ExecutionLimits())
    return regex.compile_lines(
        patterns, dialect, budget=budget, ignore_case=ignore_case, whole=whole, syntax="gnu", records=False, octets=False
    )


_BASIC = ("ab", "b.*ca", "^ca", "bc$", "ab[^a]", "\\(a\\|é\\)bc", "\\(ab\\)c\\1", "ab*c", "^$", "\\<ab", "cab\\|ab.b", "K", "ſs")
_ALPHABETS = ("abcé sSK-", "ab Bc-_")


def _lines(source: random.Random, alphabet: str = _ALPHABETS[0]) -> list[str]:
    return ["".join(source.choices(alphabet, k=source.randint(0, 12))) for _ in range(60)]


def _patterns(source: random.Random, dialect: str, alphabet: str = _ALPHABETS[0]) -> tuple[str, ...]:
    words = {"".join(source.choices(alphabet, k=source.randint(2, 6))) for _ in range(20)}
    return (*sorted(words), *(_BASIC if dialect == "basic" else ()))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("whole", ["", "word", "line"])
@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("dialect", ["fixed", "basic"])
@pytest.mark.parametrize("alphabet", _ALPHABETS)
def test_selects_the_lines_that_one_of_them_selects(
    alphabet: str, dialect: str, ignore_case: bool, whole: str, seed: int
) -> None:
    source = random.Random(seed)
    patterns, lines = _patterns(source, dialect, alphabet), _lines(source, alphabet)
    text = "".join(f"{line}\n" for line in lines)
    together = compile_lines(patterns, dialect, ignore_case=ignore_case, whole=whole)
    alone = [compile_lines((pattern,), dialect, ignore_case=ignore_case, whole=whole) for pattern in patterns]

    assert isinstance(together, ManyPatterns)
    wanted = [f"{line}\n" for line in lines if any(pattern.test(line) for pattern in alone)]
    assert [text[start:end] for start, end in together.lines(text)] == wanted
    assert together.count_lines(text) == len(wanted)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("whole", ["", "word", "line"])
def test_finds_the_leftmost_and_longest_match_of_any(whole: str, seed: int) -> None:
    source = random.Random(seed)
    patterns, lines = _patterns(source, "basic"), _lines(source)
    together = compile_lines(patterns, "basic", ignore_case=False, whole=whole)
    alone = [compile_lines((pattern,), "basic", ignore_case=False, whole=whole) for pattern in patterns]
    for line in lines:
        firsts = [found.span() for pattern in alone if (found := pattern.searcher(line)(0)) is not None]
        best = min(firsts, key=lambda span: (span[0], -span[1]), default=None)
        for found in (next(together.finditer(line), None), together.searcher(line)(0)):
            assert (None if found is None else found.span()) == best


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("whole", ["", "word", "line"])
@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("alphabet", _ALPHABETS)
def test_finds_all_matches_of_strings_in_many_lines(alphabet: str, ignore_case: bool, whole: str, seed: int) -> None:
    source = random.Random(seed)
    patterns, lines = _patterns(source, "fixed", alphabet), _lines(source, alphabet)
    together = compile_lines(patterns, "fixed", ignore_case=ignore_case, whole=whole)
    alone = [compile_lines((pattern,), "fixed", ignore_case=ignore_case, whole=whole) for pattern in patterns]
    wanted = []
    for line in lines:
        position = 0
        while spans := [found.span() for pattern in alone if (found := pattern.searcher(line)(position)) is not None]:
            start, position = min(spans, key=lambda span: (span[0], -span[1]))
            wanted.append(line[start:position])
    assert [found.group() for found in together.finditer("".join(f"{line}\n" for line in lines))] == wanted


@pytest.mark.usefixtures("re2")
@pytest.mark.parametrize("options", ["-F", "-wF", "-oF", "-viF"])
def test_strings_that_the_automaton_knows_are_not_sought_line_by_line(options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def places(strings: Strings, line: str) -> Any:
        raise AssertionError(line)

    monkeypatch.setattr(Strings, "places", places)
    script = f"seq 1000 1100 > known; seq 3000 | grep -c {options} -f known; seq 3000 | grep {options} -f known | wc -l"
    counts = {"-F": "101\n101\n", "-wF": "101\n101\n", "-oF": "101\n101\n", "-viF": "2899\n2899\n"}
    assert Bash().execute_sync(script).stdout == counts[options]


def test_reads_of_an_error_before_anything_is_searched() -> None:
    with pytest.raises(regex.RegexError, match="Unmatched"):
        compile_lines((*map(str, range(20)), "a[b"), "basic", ignore_case=False, whole="")


@pytest.mark.usefixtures("re2")
def test_strings_tells_each_place_and_those_that_overlap() -> None:
    found = Strings(["aba", "ab", "bab", "éa"])

    assert list(found.places("xababéa")) == [(1, "aba"), (1, "ab"), (2, "bab"), (3, "ab"), (5, "éa")]
    assert list(found.lines("no\nxab\n\nbab")) == [(3, 6), (8, 11)]
    assert list(found.lines("né\néa\n")) == [(3, 5)]


def test_strings_of_any_number_and_length_are_found() -> None:
    numbers = [f"{number * 7919:09}@example.com" for number in range(60_000)]
    found = Strings([*numbers, "x" * 100_000])

    assert [text for _, text in found.places(f"to {numbers[4711]}, {numbers[59_999]}")] == [numbers[4711], numbers[59_999]]


@pytest.mark.parametrize("options", ["-vxF", "-vxFi", "-vwF", "-vF"])
def test_lines_of_one_long_file_that_are_not_in_another(options: str) -> None:
    old = "".join(f"name{number}@example.com\n" for number in range(30_000))
    new = "".join(f"name{number}@example.com\n" for number in range(29_990, 30_005))
    result = Bash(files={"/old": old, "/new": new}).execute_sync(f"grep {options} -f /old /new")

    assert result.stdout.split() == [f"name{number}@example.com" for number in range(30_000, 30_005)]
