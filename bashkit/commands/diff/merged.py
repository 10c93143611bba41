"""Both files in one text: ``diff -D NAME`` and ``diff --line-format`` (GNU diffutils manual, If-then-else, Line Formats)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.diff.edits import Change
    from bashkit.commands.diff.formats import Side
    from bashkit.commands.diff.settings import Settings
    from bashkit.limits import Budget

_DIRECTIVE = re.compile(r"%(?:(%)|c'(\\[0-7]{1,3}|.)'|([lL])|(-?'?0?[0-9]*)([doxX])n)")


def merged(settings: Settings, left: Side, right: Side, found: list[Change], budget: Budget) -> Iterator[bytes]:
    """The lines of both files, as the settings want them marked."""
    position = 0
    for change in [*found, None]:
        end = len(left.lines) if change is None else change.old_end
        start = end if change is None else change.old_start
        for index in range(position, start):
            yield _line(settings, left, index, 2, budget)
        if change is not None:
            old = [_line(settings, left, index, 0, budget) for index in range(change.old_start, change.old_end)]
            new = [_line(settings, right, index, 1, budget) for index in range(change.new_start, change.new_end)]
            yield from old + new if settings.ifdef is None else _conditional(settings.ifdef, old, new)
        position = end


def _conditional(name: str, old: list[bytes], new: list[bytes]) -> list[bytes]:
    if not old:
        return [_directive(f"ifdef {name}"), *new, _directive(f"endif /* {name} */")]
    if not new:
        return [_directive(f"ifndef {name}"), *old, _directive(f"endif /* ! {name} */")]
    return [_directive(f"ifndef {name}"), *old, _directive(f"else /* {name} */"), *new, _directive(f"endif /* {name} */")]


def _directive(text: str) -> bytes:
    return f"#{text}\n".encode("utf-8", "surrogateescape")


def _line(settings: Settings, side: Side, index: int, kind: int, budget: Budget) -> bytes:
    """A line of the first file only (0), the second only (1), or both (2)."""
    text = side.lines[index]
    end = b"" if index == len(side.lines) - 1 and not side.complete else b"\n"
    if settings.ifdef is not None:
        return text + b"\n"
    budget.tick()
    form = settings.line_formats[kind] if settings.line_formats is not None else "%L"

    def replaced(found: re.Match[str]) -> str:
        percent, char, letter, width, base = found.groups()
        if percent:
            return "%"
        if char:
            return char if len(char) == 1 else chr(int(char[1:], 8))
        if letter:
            return (text + end if letter == "L" else text).decode("utf-8", "surrogateescape")
        budget.string(int(re.sub("[^0-9]", "", width) or 0))
        return f"%{width.replace(chr(39), '')}{base}" % (index + 1)

    return _DIRECTIVE.sub(replaced, form).encode("utf-8", "surrogateescape")
