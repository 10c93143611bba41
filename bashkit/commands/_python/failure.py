"""What Python prints about an exception that nobody handles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from pydantic_monty import MontyRuntimeError, MontySyntaxError

_LACK = "The monty syntax parser does not yet support"
_FRAME = re.compile(r'  File "([^"]*)", line (\d+)')
_MARKS = re.compile(r" +~+\n?")


def report(error: MontyRuntimeError | MontySyntaxError, name: str, source: str, own: str, others: Container[str]) -> str:
    """The traceback of the script alone.

    Args:
        error: The exception.
        name: What the script is called: its file, ``<string>`` or ``<stdin>``.
        source: What its author wrote. Lines that were edited for Monty are shown as they were, without marks.
        own: What Monty calls the script.
        others: What it calls those that ran before in the same session; frames of other files are left out.
    """
    lines = source.split("\n")
    kept, shown, written, edited = [], True, "", False
    for line in error.display("traceback").splitlines(keepends=True):
        frame = _FRAME.match(line)
        if frame is not None:
            shown = frame[1] == own or frame[1] in others
            kept.append(line.replace(frame[1], name, 1) if shown else "")
            number = int(frame[2])
            written = "".join(lines[number - 1 : number]).strip() if frame[1] == own else ""
        elif written:
            edited = line.strip() != written
            kept.append(f"    {written}\n")
            written = ""
        elif (shown or not line.startswith(" ")) and not (edited and _MARKS.fullmatch(line)):
            kept.append(line)
            shown, edited = True, False
    text = "".join(kept).rstrip("\n").replace("'__Sys__' object has", "module 'sys' has")
    return text.replace(_LACK, "this Python does not support") + "\n"
