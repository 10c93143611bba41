"""What Monty's type checker says about the line at which code has failed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic_monty import FunctionSnapshot, MontyError, MontyRuntimeError, MontyTypingError

from bashkit.commands._python.workers import Worker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.interp.utility.process import Process

_KINDS = ("TypeError", "AttributeError")  # exceptions about which types can say something
_LONGEST = 20_000  # characters of code that are checked
_FOUND = re.compile(r"^main\.py:(\d+):(\d+): error\[([a-z-]+)\] (.+)$", re.MULTILINE)
_ABOUT_NAMES = {"unresolved-reference", "unresolved-import"}  # names that code before it, or bashkit itself, has given
_WRONG = '\n__wrong__: int = ""\n'  # has the checker refuse the code in any case, so that it does not run
STUBS = "from typing import Any, Literal\n"  # what the declarations of functions need


def expected(process: Process, text: str, error: MontyRuntimeError, own: str, settings: Mapping[str, Any], stubs: str) -> str:
    """A line for each thing that the checker finds wrong where the code has failed; "" if it finds nothing there.

    Args:
        process: The utility.
        text: The code.
        error: The exception that nobody handled.
        own: What Monty calls the code.
        settings: Those of the run, as for ``Monty.checkout``.
        stubs: The declarations of functions that need no import.
    """
    if type(error.exception()).__name__ not in _KINDS or len(text) > _LONGEST:
        return ""
    lines = {frame.line for frame in error.traceback() if frame.filename == own}
    checking = {"type_check": True, "type_check_format": "concise", "type_check_stubs": STUBS + stubs}
    worker = Worker(process, {**settings, **checking}, lambda: None)
    try:
        found = worker.turn(lambda: _findings(worker, text))
    except MontyError:  # the checker has died, or has met what it does not know
        return ""
    finally:
        worker.close()
    kept = {
        (line, column): message for line, column, kind, message in found if int(line) in lines and kind not in _ABOUT_NAMES
    }  # of several at one place the last
    return "".join(f"hint: line {line}: {message}\n" for (line, _), message in kept.items())


def _findings(worker: Worker, text: str) -> list[tuple[str, str, str, str]]:
    """Line, column, kind and message of all that the checker finds. The code does not run."""
    try:
        snapshot = worker.session.feed_start(text + _WRONG)
        while isinstance(snapshot, FunctionSnapshot) and snapshot.function_name == "import_stubs":
            snapshot = snapshot.resume_auto()
    except MontyTypingError as error:
        return _FOUND.findall(error.display())
    return []
