import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bashkit.errors import ToolError
from bashkit.tools import ScriptedTool, ToolDef
from bashkit.tools.call.redaction import Secrets, explained


def streamed(secrets, pieces):
    """What a script reads of output that comes in pieces, and how much is held back at the end."""
    masked = Secrets(secrets)
    held, written = b"", []
    for piece in pieces:
        data = held + piece.encode()
        end = masked.settled(data)
        written.append(masked.bytes(data[:end]))
        held = data[end:]
    return b"".join([*written, masked.bytes(held)]).decode(), len(held)


def splits(text):
    """All ways to write a text in pieces."""
    for cuts in itertools.product([False, True], repeat=len(text) - 1):
        pieces = [""]
        for character, cut in zip(text, [*cuts, False], strict=True):
            pieces[-1] += character
            if cut:
                pieces.append("")
        yield pieces


@pytest.mark.parametrize(
    ("secrets", "text", "shown"),
    [
        (["secret"], "a secret.", "a ***."),
        (["secret"], "secrsecret", "secr***"),
        (["abxy", "xyz"], "abxyz.", "***z."),
        (["abxy9", "xyz12345"], ".abxy9.", ".***."),
        (["admin", "admin123"], "admin123", "***"),
        (["admin", "admin123"], "admin12", "***12"),
        (["abab"], "ababab.", "***ab."),
        (["aa"], "aaaaaa", "*********"),
    ],
)
def test_s15_a_secret_is_masked_however_the_output_comes(secrets, text, shown):
    assert Secrets(secrets).text(text) == shown
    assert {streamed(secrets, pieces)[0] for pieces in splits(text)} == {shown}


def overlap(secrets):
    """Whether one may begin in another, or in itself, and end behind it."""
    return any(second.startswith(first[place:]) for first in secrets for second in secrets for place in range(1, len(first)))


@given(st.lists(st.text("abcd", min_size=2, max_size=5), max_size=3), st.lists(st.text("abcde", max_size=6), max_size=8))
def test_s15_output_in_pieces_is_masked_as_if_it_came_at_once(secrets, pieces):
    assume(not overlap(secrets))
    shown, held = streamed(secrets, pieces)
    assert shown == Secrets(secrets).text("".join(pieces))
    assert held < max(map(len, secrets), default=1)


def test_s15_a_secret_at_the_end_of_what_is_shown_of_a_message():
    secrets = Secrets(["swordfish"])
    assert "sword" not in explained(ToolError("x" * ((1 << 16) - 6) + "swordfish"), None, secrets)


def test_s15_a_secret_at_the_end_of_what_is_shown_of_progress():
    def tell(args):
        args.progress(1, message="x" * 995 + "swordfish")

    tool = ScriptedTool("t", tools=[(ToolDef("tell"), tell)], secrets={"KEY": "swordfish"})
    (call,) = tool.execute_sync("tell").trace
    assert "sword" not in call.progress[0]["message"]


def test_s15_two_secrets_of_which_one_begins_within_the_other_are_masked_in_pieces():
    def tell(args):
        yield from ("key abx", "y9.")

    tool = ScriptedTool("t", tools=[(ToolDef("tell"), tell)], secrets={"A": "xyz12345", "B": "abxy9"})
    assert tool.execute_sync("tell").stdout == "key ***."
