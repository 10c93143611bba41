"""The quick wrapping of long texts is Textual's."""

import random

import pytest
from textual.document._document import Document
from textual.document._wrapped_document import WrappedDocument

from bashkit_tui.widgets.quick_wrapping import QuickWrapping

PIECES = ("a", "word ", "longer-word", "  ", "\t", "é", "漢字", "x" * 30)


def state(wrapped):
    return wrapped._wrap_offsets, wrapped._tab_width_cache, wrapped._offset_to_line_info, wrapped._line_index_to_offsets


def text(dice, lines):
    return "\n".join("".join(dice.choices(PIECES, k=dice.randrange(6))) for _ in range(lines))


@pytest.mark.parametrize("width", [0, 1, 7, 20, 80])
@pytest.mark.parametrize("seed", range(10))
def test_a_text_is_wrapped_as_textual_wraps_it(seed, width):
    document = Document(text(random.Random(seed), 50))
    quick, plain = QuickWrapping(document, width, 2), WrappedDocument(document, width, 2)
    assert state(quick) == state(plain)
    assert (quick.height, quick.wrapped) == (plain.height, plain.wrapped)


@pytest.mark.parametrize("seed", range(20))
def test_edits_change_what_textual_changes(seed):
    dice = random.Random(seed)
    document = Document(text(dice, 30))
    quick, plain = QuickWrapping(document, 20, 4), WrappedDocument(document, 20, 4)
    for _ in range(10):
        start, end = sorted((dice.randrange(document.line_count), 0) for _ in range(2))
        result = document.replace_range(start, end, text(dice, dice.choice([1, 3, 300])))
        for wrapped in (quick, plain):
            wrapped.wrap_range(start, end, result.end_location)
        assert state(quick) == state(plain)
        assert quick.height == plain.height
