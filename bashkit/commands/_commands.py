"""What utilities that run other commands say of those that cannot be run."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.interp.utility.process import Process

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126


def refusal(process: Process, name: str, prefix: str, env: Mapping[str, str] | None = None) -> int:
    """Report that a command cannot be run.

    Args:
        process: The utility.
        name: The command.
        prefix: What stands in the message before the reason.
        env: The environment that the command will have; None is that of the utility.

    Returns:
        The status that says so; 0, without a message, if it can be run.
    """
    problem = process.launcher.obstacle(name, env)
    if not problem:
        return 0
    process.warn(f"{prefix}: {os.strerror(problem)}")
    return _NOT_FOUND if problem == errno.ENOENT else _NOT_EXECUTABLE
