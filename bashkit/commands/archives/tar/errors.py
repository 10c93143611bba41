"""The error with which tar gives up."""

from __future__ import annotations


class TarError(Exception):
    """The archive cannot be processed.

    Args:
        message: The message without the command's name.
        fatal: Whether to add that the error is not recoverable.
    """

    def __init__(self, message: str, *, fatal: bool = True) -> None:
        super().__init__(message)
        self.fatal = fatal


EARLY_END = "Unexpected EOF in archive"
COMPRESSED = "Cannot update compressed archives"
HINT = "\nTry 'tar --help' or 'tar --usage' for more information."
