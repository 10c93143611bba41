"""What Python prints about an exception that nobody handles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from pydantic_monty import MontyRuntimeError, MontySyntaxError

_LACK = "The monty syntax parser does not yet support"
_FRAME = re.compile(r'  File "([^"]*)"')


def report(error: MontyRuntimeError | MontySyntaxError, name: str, own: Container[str]) -> str:
    """The traceback of the script alone.

    Args:
        error: The exception.
        name: What the script is called: its file, ``<string>`` or ``<stdin>``.
        own: What Monty calls the script, and those that ran before in the same session; frames of other files are left out.
    """
    kept, shown = [], True
    for line in error.display("traceback").splitlines(keepends=True):
        frame = _FRAME.match(line)
        if frame is not None:
            shown = frame[1] in own
            kept.append(line.replace(frame[1], name, 1) if shown else "")
        elif shown or not line.startswith(" "):
            kept.append(line)
            shown = True
    return "".join(kept).rstrip("\n").replace(_LACK, "this Python does not support") + "\n"
