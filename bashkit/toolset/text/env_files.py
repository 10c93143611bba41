"""Reads .env files."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from bashkit import host_files

if TYPE_CHECKING:
    from pathlib import Path

_MOST_BYTES = 1 << 20


class EnvFileError(Exception):
    """A .env file cannot be read, or has a line that is no assignment."""


def read_env_file(path: Path) -> dict[str, str]:
    """The variables of a .env file, in the notation that python-dotenv and Docker Compose share. Nothing is expanded.

    Raises:
        EnvFileError: See there.
    """
    from dotenv.parser import parse_stream

    try:
        text = host_files.read_text(path, _MOST_BYTES)
    except OSError as error:
        raise EnvFileError(f"{path.name} cannot be read: {error.strerror}") from error
    bindings = list(parse_stream(StringIO(text, newline=None)))
    for binding in bindings:
        if binding.error:
            raise EnvFileError(f"{path.name}:{binding.original.line}: it is no assignment: NAME=value")
    return {binding.key: binding.value or "" for binding in bindings if binding.key is not None}
