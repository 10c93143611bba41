"""The signal handling of a started command (GNU coreutils manual, env: --ignore-signal and related options)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.run.traps import SIGNALS
from bashkit.interp.utility.command import UsageError, flag, value
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_FIRST_REAL_TIME, _LAST_REAL_TIME = 34, 64
_FIXED = {9, 19}  # KILL and STOP


def _names() -> dict[int, str]:
    """The names of all signals that a process can receive, by number."""
    found = {number: name for name, number in SIGNALS.items() if number}
    found[29] = "POLL"
    for number in range(_FIRST_REAL_TIME, _LAST_REAL_TIME + 1):
        after, before = number - _FIRST_REAL_TIME, _LAST_REAL_TIME - number
        name, distance = ("RTMIN", f"+{after}") if after <= before else ("RTMAX", f"-{before}")
        found[number] = name if distance in {"+0", "-0"} else name + distance
    return found


_NAMES = _names()
_NUMBERS = {name: number for number, name in _NAMES.items()} | {"IO": 29, "CLD": 17, "IOT": 6}


def _parse(text: str) -> list[int]:
    """The signals of a list separated by commas."""
    found = []
    for word in filter(None, text.split(",")):
        number = int(word) if is_digits(word) and len(word) < 4 else _NUMBERS.get(word.upper().removeprefix("SIG"), 0)
        if number not in _NAMES:
            raise UsageError(f"{mention(word)}: invalid signal")
        found.append(number)
    return found


OPTIONS = (
    value("--ignore-signal", metavar="SIG", optional=True, help="set handling of SIG signal(s) to do nothing", check=_parse),
    value("--default-signal", metavar="SIG", optional=True, help="reset handling of SIG signal(s) to the default", check=_parse),
    value("--block-signal", metavar="SIG", optional=True, help="block delivery of SIG signal(s) to COMMAND", check=_parse),
    flag("--list-signal-handling", help="list non default signal handling to standard error"),
)


class Dispositions:
    """The signals that a started command ignores and blocks.

    Args:
        process: The utility that starts it; signals that it ignores stay ignored.
        arguments: Its options.

    Attributes:
        log: The changes, one line each.

    Raises:
        UsageError: A signal is unknown, or cannot be ignored.
    """

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._ignored = {SIGNALS[name] for name in process.launcher.ignored()}
        self._blocked: set[int] = set()
        self._actions: dict[int, tuple[bool, bool]] = {}  # ignored, and whether the signal was named
        masks: dict[int, bool] = {}
        for key, argument in arguments.given:
            if key not in {"ignore-signal", "default-signal", "block-signal"}:
                continue
            named = argument is not None
            for number in _parse(argument) if argument is not None else list(_NAMES):
                if key != "block-signal":
                    self._actions[number] = (key == "ignore-signal", named)
                if key != "ignore-signal":
                    masks[number] = key == "block-signal"
        self.log: list[str] = []
        self._set_actions()
        for number, blocks in sorted(masks.items()):
            (self._blocked.add if blocks and number not in _FIXED else self._blocked.discard)(number)
            self.log.append(f"signal {_NAMES[number]} ({number}) mask set to {'BLOCK' if blocks else 'UNBLOCK'}")

    def _set_actions(self) -> None:
        for number, (ignored, named) in sorted(self._actions.items()):
            if number in _FIXED and named:
                raise UsageError(f"failed to set signal action for signal {number}: Invalid argument", hint=False)
            if number not in _FIXED:
                (self._ignored.add if ignored else self._ignored.discard)(number)
            failed = " (failure ignored)" if number in _FIXED else ""
            self.log.append(f"Reset signal {_NAMES[number]} ({number}) to {'IGNORE' if ignored else 'DEFAULT'}{failed}")

    def listing(self) -> str:
        """The signals with changed handling, one line each."""
        lines = []
        for number in sorted(self._ignored | self._blocked):
            words = [word for word, among in (("BLOCK", self._blocked), ("IGNORE", self._ignored)) if number in among]
            lines.append(f"{_NAMES[number]:<10} ({number:2}): {','.join(words)}\n")
        return "".join(lines)

    def ignored(self) -> frozenset[str]:
        """The signals that do not reach the command, by the names of ``trap``."""
        return frozenset(name for name, number in SIGNALS.items() if number in self._ignored or number in self._blocked)
