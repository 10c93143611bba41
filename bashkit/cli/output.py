"""Watches standard output for the whole command line, so that the command says what it could not write."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_ERRORS = "bashkit-output"  # the name of how characters are written that the encoding lacks
_STDOUT = 1


class _Watched(io.FileIO):
    """A file that remembers why it could not be written."""

    failure: OSError | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some bytes and return how many these were."""
        try:
            return super().write(data)
        except OSError as error:
            self.failure = error
            raise


class Output:
    """Standard output, from now on through a watched file. A closed one (``>&-``) refuses to be written: Python has no
    ``sys.stdout`` for it, and click would drop in silence whatever is printed.
    """

    def __init__(self) -> None:
        self._file: _Watched | None = None
        _open_closed()
        old = sys.stdout
        if old is not sys.__stdout__:
            return  # whoever calls the command line from Python has put something in its place
        if old is None:
            _refuse()
        self._file = _Watched(_STDOUT, "w", closefd=False)
        codecs.register_error(_ERRORS, _shown)
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(self._file),
            encoding="utf-8" if old is None else old.encoding,
            errors=_ERRORS,
            line_buffering=self._file.isatty(),
        )

    def failure(self) -> OSError | None:
        """Write what is left, and return why standard output could not be written now or before."""
        try:
            sys.stdout.flush()
        except OSError:
            with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - pathlib is loaded only by the commands that need it
                os.dup2(nowhere.fileno(), _STDOUT)  # Python writes what is left once more at the end
        return None if self._file is None else self._file.failure


def _open_closed() -> None:
    """Open what stands for a closed standard input or standard error: Python has None there."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - as above, and for the whole program
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - the same


def _shown(error: UnicodeError) -> tuple[str | bytes, int]:
    """A byte that is not UTF-8 is written as it was; any other character that the encoding lacks is written as an escape."""
    assert isinstance(error, UnicodeEncodeError)
    try:
        return error.object[error.start : error.end].encode("ascii", "surrogateescape"), error.end
    except UnicodeEncodeError:
        return codecs.backslashreplace_errors(error)


def _refuse() -> None:
    descriptor = os.open(os.devnull, os.O_RDONLY)
    if descriptor != _STDOUT:
        os.dup2(descriptor, _STDOUT)
        os.close(descriptor)
