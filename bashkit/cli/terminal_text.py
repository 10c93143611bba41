"""Shows texts of others at the terminal: names, descriptions and messages must not control it, or hide what they say."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from logging import Formatter, LogRecord

_INVISIBLE = [0x61C, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
_BREAKS = "\t\n"
_TAGS = range(0xE0000, 0xE0080)  # a model reads them, and a terminal hides them
_LINES = {code: f"\\x{code:02x}" for code in [*range(32), 127] if chr(code) not in _BREAKS}
_LINES |= {code: f"\\u{code:04x}" for code in [*range(0x80, 0xA0), *_INVISIBLE]}
_LINES |= {code: f"\\udb40\\u{0xDC00 + (code & 0x3FF):04x}" for code in _TAGS}  # as JSON has it
_JSON = {code: f"\\u{code:04x}" for code in [*range(0x7F, 0xA0), *_INVISIBLE]} | {code: _LINES[code] for code in _TAGS}
_LINE = _LINES | {ord(letter): f"\\x{ord(letter):02x}" for letter in _BREAKS if letter != "\t"}


def visible(text: str) -> str:
    """A text on one line: controls, newlines too, invisible characters and bytes that are no UTF-8 become escapes."""
    return _encodable(text.translate(_LINE))


def visible_lines(text: str) -> str:
    """The same of a text of several lines."""
    return _encodable(text.translate(_LINES))


def say(text: object, *, err: bool = False, nl: bool = True) -> None:
    """Print a part of a report that quotes others; it is in no colour.

    Args:
        text: The text.
        err: Print to standard error.
        nl: Print a newline after it.
    """
    click.echo(visible_lines(str(text)), err=err, nl=nl)


def print_document(text: str) -> None:
    """Print a text that is the result of the command: at a terminal visibly, into files and pipes as it is."""
    click.echo(visible_lines(text) if sys.stdout.isatty() else text, nl=False)


def print_json(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print JSON that is the result of the command: at a terminal visibly, and still JSON of the same values; into files and
    pipes as it is, in UTF-8.

    Args:
        text: The JSON.
        err: Print to standard error.
        nl: Print a newline after it.
    """
    stream = sys.stderr if err else sys.stdout
    data = _encodable(text.translate(_JSON)) if stream.isatty() else text.encode("utf-8", "surrogateescape")
    click.echo(data, err=err, nl=nl)


def formatter(form: str) -> Formatter:
    """What writes the records of a log visibly; of an exception its type and message, and no traceback."""
    from logging import Formatter

    class Visible(Formatter):
        def format(self, record: LogRecord) -> str:
            record.message = record.getMessage()
            error = record.exc_info[1] if record.exc_info else None
            reason = [] if error is None else [type(error).__name__, *([visible(str(error))] if str(error) else ())]
            return ": ".join([visible_lines(self.formatMessage(record)), *reason])

    return Visible(form)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
