"""The traceback of a callback's exception, for the author of the callback."""

from __future__ import annotations

from pathlib import Path
from traceback import StackSummary, TracebackException

import bashkit

_OWN = str(Path(bashkit.__file__).parent)


def traceback_text(error: BaseException) -> str:
    """The traceback without the frames of bashkit, which say nothing about the callback."""
    found = TracebackException.from_exception(error)
    part: TracebackException | None = found
    while part is not None:
        part.stack = StackSummary.from_list([frame for frame in part.stack if not frame.filename.startswith(_OWN)])
        part = part.__cause__ or part.__context__
    return "".join(found.format())
