"""How the call of a client has ended, as records and observers tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.tools.offer import Answer


def ending(answer: Answer | None) -> tuple[int | None, str | None]:
    """The exit status, None if nothing ran to an end; and why it did not run to its end, None if it did.

    Args:
        answer: The answer to the call; None if it was ended from outside.
    """
    if answer is None:
        return None, "cancelled"
    if answer.response is None:
        return None, "arguments"  # they were wrong, and nothing has run
    return answer.response.exit_code, answer.response.error
