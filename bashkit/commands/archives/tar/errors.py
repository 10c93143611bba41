"""Why tar gives up."""

from __future__ import annotations


class TarError(Exception):
    """The archive cannot be treated.

    Args:
        message: Without the command's name.
        fatal: Whether to add that nothing can be done about it.
    """

    def __init__(self, message: str, *, fatal: bool = True) -> None:
        super().__init__(message)
        self.fatal = fatal


HINT = "\nTry 'tar --help' or 'tar --usage' for more information."
