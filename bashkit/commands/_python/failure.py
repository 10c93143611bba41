"""What Python prints about an exception that nobody handles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_monty import MontyRuntimeError, MontySyntaxError

_LACK = "The monty syntax parser does not yet support"


def report(error: MontyRuntimeError | MontySyntaxError, name: str, own: str) -> str:
    """The traceback of the script alone.

    Args:
        error: The exception.
        name: What the script is called: its file, ``<string>`` or ``<stdin>``.
        own: What Monty calls the script; frames of other files are left out.
    """
    lines = error.display("traceback").splitlines(keepends=True)
    kept, shown = [], True
    for line in lines:
        if line.startswith('  File "'):
            shown = line.startswith(f'  File "{own}"')
            line = line.replace(own, name, 1)
        elif not line.startswith(" "):
            shown = True
        if shown:
            kept.append(line)
    return (
        "".join(kept).rstrip("\n").replace("The monty syntax parser does not yet support", "this Python does not support") + "\n"
    )
