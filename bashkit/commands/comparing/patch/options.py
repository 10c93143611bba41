"""Reads the options of patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.backups import CONTROLS
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.quoting import quote_word
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

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


def check_number(what: str, *, signed: bool = False) -> Callable[[str], None]:
    """A check of the argument of a numeric option."""

    def check_text(text: str) -> None:
        try:
            number = clamped(text)
        except ValueError:
            raise UsageError(f"**** {what} {quote_word(text)} is not a number", hint=False) from None
        if number < 0 and not signed:
            raise UsageError(f"**** {what} {text} is negative", hint=False)

    return check_text


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
