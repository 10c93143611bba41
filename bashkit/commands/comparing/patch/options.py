"""Reads the options of patch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.backups import CONTROLS
from bashkit.interp.utility.command import UsageError
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_READ_ONLY = ("warn", "ignore", "fail")
_REJECTS = (None, "context", "unified")
_QUOTINGS = (
    "literal",
    "shell",
    "shell-always",
    "shell-escape",
    "shell-escape-always",
    "c",
    "c-maybe",
    "escape",
    "locale",
    "clocale",
)


def check(arguments: Arguments) -> None:
    """Refuse invalid arguments of options.

    Raises:
        UsageError: An argument is invalid.
    """
    if (arguments.get("read-only") or "warn") not in _READ_ONLY or arguments.get("reject-format") not in _REJECTS:
        raise UsageError("Try 'patch --help' for more information.", hint=False)
    text = arguments.get("g")
    if text is not None and not re.fullmatch("[-+]?[0-9]+", text):
        raise UsageError(f"**** get option value {text} is not a number", hint=False)


def count(arguments: Arguments, key: str, what: str) -> int | None:
    """The value of a numeric option, or None."""
    text = arguments.get(key)
    if text is not None and not is_digits(text):
        raise UsageError(f"**** {what} {text} is not a number", hint=False)
    return None if text is None else int(text[:9])


_IN_ITS_LOCALE = {"locale": "shell-always", "clocale": "c"}  # patch is always in that of C


def quoting(process: Process, arguments: Arguments) -> str:
    """The quoting style of file names."""
    given = arguments.get("quoting-style")
    style = given or process.env.get("QUOTING_STYLE") or "shell"
    if style in _QUOTINGS:
        return _IN_ITS_LOCALE.get(style, style)
    if given is None:
        return "shell"
    raise UsageError(
        f"invalid argument '{given}' for 'quoting style'\npatch: Try 'patch --help' for more information.", hint=False
    )


def version_control(process: Process, arguments: Arguments) -> str:
    """The method of naming backups: ``simple``, ``existing`` or ``numbered``."""
    word = arguments.get("V") or process.env.get("PATCH_VERSION_CONTROL") or process.env.get("VERSION_CONTROL") or "existing"
    found = {name for names in CONTROLS for name in names if name.startswith(word)}
    control = next((names[0] for names in CONTROLS if found and found <= set(names)), None)
    if control is None or not word:
        listed = "".join(f"\n  - {', '.join(map(repr, names))}" for names in CONTROLS)
        raise UsageError(
            f"invalid argument '{word}' for '--version-control or -V option'\nValid arguments are:{listed}", hint=False
        )
    return "numbered" if control == "none" else control
