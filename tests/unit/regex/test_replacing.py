"""A text that takes the place of every match is put in as one that is made for each match."""

from random import Random

import pytest

from bashkit.regex import compile_any

PATTERNS = ["a", "[a-c]", "[^a]", "[0-9]", "[[:alpha:]]", "[[:space:]]", "é", "[é]", ".", "ab", "a*", "^a", "[ab]$", "a|b", "(a)"]
TEXTS = ["", "#", "XY", "\\", "\\1", "\\g<0>", "&", "\n", "é", "a"]
LETTERS = "abcxAB019 é.-\t\udcff"


@pytest.mark.parametrize("by_line", [False, True])
@pytest.mark.parametrize("ignore_case", [False, True])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_one_text_for_all_matches(pattern, ignore_case, by_line):
    found = compile_any((pattern,), "extended", ignore_case=ignore_case, by_line=by_line)
    source = Random(pattern)
    for number in range(60):
        letters = LETTERS + "\n" if by_line else LETTERS
        letters = "".join(filter(str.isascii, letters)) if number % 2 else letters
        text = "".join(source.choices(letters, k=source.randrange(12)))
        for new in TEXTS:
            assert found.replace(text, new) == found.replace(text, lambda _, new=new: new), (text, new)
