"""Says on a terminal what a command waits for, such as an MCP server that takes long to start."""

from __future__ import annotations

import sys


def show_waiting(subcommand: str | None) -> None:
    """Write to standard error what is waited for, if that is a terminal and the subcommand does not draw on it."""
    if subcommand == "tui" or not sys.stderr.isatty():
        return
    import logging

    from bashkit.toolset.source import WAITING

    logger = logging.getLogger(WAITING)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("bashkit: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
