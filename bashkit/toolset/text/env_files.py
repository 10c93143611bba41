"""Reads .env files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class EnvFileError(Exception):
    """A .env file cannot be read, or has a line that is no assignment."""


def read_env_file(path: Path) -> dict[str, str]:
    """The variables of a .env file, in the notation that python-dotenv and Docker Compose share. Nothing is expanded.

    Raises:
        EnvFileError: See there.
    """
    from dotenv.parser import parse_stream

    try:
        with path.open(encoding="utf-8") as stream:
            bindings = list(parse_stream(stream))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise EnvFileError(f"{path.name} cannot be read: {reason}") from error
    for binding in bindings:
        if binding.error:
            raise EnvFileError(f"{path.name}:{binding.original.line}: it is no assignment: NAME=value")
    return {binding.key: binding.value or "" for binding in bindings if binding.key is not None}
