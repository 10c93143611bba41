"""The reserved word ``time`` (bash(1), Pipelines)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Run, Shell

_DEFAULT = "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS"
_POSIX = "real %2R\nuser %2U\nsys %2S"
_FORMAT = re.compile(r"%(?:(%)|(P)|([0-9])?(l)?([RUS]))")
_WRONG = re.compile(r"(?>[^%]|%(?:[%P]|[0-9]?l?[RUS]))*+%[0-9]?l?(.)", re.DOTALL)


def timed(inner: Run, form: str) -> Run:
    """The closure that runs a pipeline and reports how long it took on standard error."""

    def run(shell: Shell) -> int:
        clock = shell.budget.clock
        start = clock()
        try:
            return inner(shell)
        finally:
            elapsed = clock() - start
            template = _POSIX if form == "posix" else shell.get("TIMEFORMAT")
            if template is None:
                template = _DEFAULT
            wrong = _WRONG.match(template)
            if wrong is not None:
                shell.warn(f"TIMEFORMAT: `{wrong[1]}': invalid format character")
            elif template:
                shell.print_error(_FORMAT.sub(lambda match: _figure(match, elapsed), template))

    return run


def _figure(match: re.Match[str], elapsed: float) -> str:
    percent, usage, precision, long, what = match.groups()
    if percent:
        return "%"
    if usage:
        return "100.00"
    seconds = elapsed if what != "S" else 0.0
    digits = min(3, int(precision)) if precision else 3
    if long:
        return f"{int(seconds // 60)}m{seconds % 60:.{digits}f}s"
    return f"{seconds:.{digits}f}"
