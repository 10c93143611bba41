"""Runs the command line in the process of the test: what ``python -m bashkit`` does, without the start of a Python."""

from __future__ import annotations

import contextlib
import io
import logging
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.cli import main
from bashkit.toolset.source import WAITING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Done:
    status: int
    stdout: str
    stderr: str


class _Stream(io.TextIOWrapper):
    """Standard output or standard error, kept in memory."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="", write_through=True)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def text(self) -> str:
        self.flush()
        kept = self.buffer
        assert isinstance(kept, io.BytesIO)
        return kept.getvalue().decode()


def run(*words: str, stdin: str = "", terminal: bool = False) -> Done:
    """Run ``bashkit WORDS...`` in the current directory.

    Args:
        words: The command line.
        stdin: What is read from standard input, which is no terminal.
        terminal: Whether standard output and standard error say that they are a terminal.
    """
    out, err = _Stream(terminal=terminal), _Stream(terminal=terminal)
    old = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(stdin.encode())), out, err
    try:
        with _process_as_it_was():
            main(words)
    except SystemExit as ended:
        assert isinstance(ended.code, int)
        return Done(ended.code, out.text(), err.text())
    finally:
        sys.stdin, sys.stdout, sys.stderr = old
    raise AssertionError("the command line ends with an exit status")


@contextlib.contextmanager
def _process_as_it_was() -> Iterator[None]:
    """Put back what the command line changes in its process: signals, the hook for what is ignored, a logger of the terminal."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))}
    hook, logger = sys.unraisablehook, logging.getLogger(WAITING)
    of_logger = [*logger.handlers], logger.level, logger.propagate
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in handlers.items():
            signal.signal(number, handler)
        logger.handlers[:], logger.level, logger.propagate = of_logger
