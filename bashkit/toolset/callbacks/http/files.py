"""Files of a session in HTTP requests: arguments that name a file to send."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolError
from bashkit.interp.utility.process import explain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bashkit.interp.utility.process import Process

_STDIN = "-"


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A file that a request sends.

    Attributes:
        name: Its name without directories; "" for standard input.
        data: Its content.
    """

    name: str
    data: bytes = field(repr=False)


def with_files(process: Process, params: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The arguments, with a SessionFile in place of each path that one of ``names`` has.

    Raises:
        ToolError: A file cannot be read.
        LimitExceededError: The files are larger than what the execution may hold.
    """
    found = dict(params)
    for name in names:
        value = found.get(name)
        if isinstance(value, list):
            found[name] = [_read(process, path) for path in value]
        elif value is not None:
            found[name] = _read(process, value)
    return found


def _read(process: Process, name: str) -> SessionFile:
    try:
        stream = process.open(name)
        try:
            data = stream.read_all()
        finally:
            process.close(stream)
    except OSError as error:
        error.filename = name
        raise ToolError(explain(error)) from None
    process.hold(len(data))
    return SessionFile("" if name == _STDIN else name.rstrip("/").rpartition("/")[2], data)
