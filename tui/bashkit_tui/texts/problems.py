"""Problems of a toolset as the inspector shows them: place, message, source line, caret, hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from bashkit.toolset.text.source_line import source_line
from bashkit_tui.texts.formatting import printable, shown_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.errors import Problem

_LEAST = 20  # columns that a source line gets
_ROOM = 76  # columns where the widget does not know its own yet


def snippet(problem: Problem, room: int = 0) -> Content:
    """A problem on a few lines: place and message, the source line, a caret under the mistake, a hint.

    Args:
        problem: The problem.
        room: The columns that there are; 0 where that is not known.
    """
    place = f"{shown_path(problem.file)}:{problem.line}:{problem.column}"
    colour = "$text-error" if problem.severity == "error" else "$text-warning"
    kind = "" if problem.severity == "error" else "warning: "
    code = f"  {problem.code}" if problem.code else ""
    message = f"{kind}{printable(problem.message)}"
    lines = [Content.assemble((place, "$text-primary"), "  ", (message, f"bold {colour}"), (code, "$foreground-muted"))]
    if problem.source.strip():
        number = str(problem.line)
        left = len(number) + len("   │ ")
        shown = source_line(printable(problem.source), problem.column, problem.width, max((room or _ROOM) - left, _LEAST))
        lines.append(Content.assemble((f"  {number} │ ", "$foreground-muted"), shown.text))
        lines.append(
            Content.assemble(
                (f"  {' ' * len(number)} │ ", "$foreground-muted"),
                " " * shown.before,
                ("^" * shown.marked, f"bold {colour}"),
            )
        )
    if problem.hint:
        lines.append(Content.assemble("  ", ("hint: ", "$foreground-muted"), (printable(problem.hint), "$text-success")))
    return Content("\n").join(lines)


def snippets(problems: Sequence[Problem], room: int = 0) -> Content:
    """Many problems, an empty line between them."""
    return Content("\n\n").join(snippet(problem, room) for problem in problems)
