"""Bearer tokens on the command line: of a file, and of the environment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from bashkit import host_files

if TYPE_CHECKING:
    from pathlib import Path


def tokens(file: Path | None) -> list[str]:
    """The tokens of the file and of $BASHKIT_TOKENS, from which they are removed: no tool may see them.

    Raises:
        click.UsageError: The file cannot be read, or has no token.
    """
    try:
        text = host_files.read_text(file, pipes=True) if file is not None else ""
    except OSError as error:
        raise click.UsageError(f"--token-file: {file} cannot be read: {error.strerror}") from None
    found = [line.strip() for line in f"{text}\n{os.environ.pop('BASHKIT_TOKENS', '')}".splitlines()]
    found = [token for token in found if token and not token.startswith("#")]
    if file is not None and not found:
        raise click.UsageError(f"--token-file: there is no token in {file}")
    return found
