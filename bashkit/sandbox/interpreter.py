"""The interpreter that processes of bashkit are started with."""

from __future__ import annotations

import errno
import sys


def executable() -> str:
    """The path of this Python.

    Raises:
        FileNotFoundError: There is none. The executable of a frozen program (PyInstaller and its kin) is the program itself:
            it would start itself again, and that one again.
    """
    if getattr(sys, "frozen", False) or not sys.executable:
        raise FileNotFoundError(errno.ENOENT, "a frozen program has no Python to start processes with")
    return sys.executable
