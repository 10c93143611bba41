"""Problems of a toolset as the inspector shows them: place, message, source line, caret, hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from bashkit_tui.texts.formatting import printable, shown_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.errors import Problem

_TAB = "    "


def snippet(problem: Problem) -> Content:
    """A problem on a few lines: place and message, the source line, a caret under the mistake, a hint."""
    place = f"{shown_path(problem.file)}:{problem.line}:{problem.column}"
    colour = "$text-error" if problem.severity == "error" else "$text-warning"
    kind = "" if problem.severity == "error" else "warning: "
    code = f"  {problem.code}" if problem.code else ""
    message = f"{kind}{printable(problem.message)}"
    lines = [Content.assemble((place, "$text-primary"), "  ", (message, f"bold {colour}"), (code, "$foreground-muted"))]
    if problem.source.strip():
        number = str(problem.line)
        before = problem.source[: problem.column - 1].replace("\t", _TAB)
        marked = problem.source[problem.column - 1 :][: problem.width].replace("\t", _TAB)
        source = printable(problem.source.replace("\t", _TAB))
        lines.append(Content.assemble((f"  {number} │ ", "$foreground-muted"), source))
        lines.append(
            Content.assemble(
                (f"  {' ' * len(number)} │ ", "$foreground-muted"),
                " " * len(before),
                ("^" * max(1, len(marked)), f"bold {colour}"),
            )
        )
    if problem.hint:
        lines.append(Content.assemble("  ", ("hint: ", "$foreground-muted"), (printable(problem.hint), "$text-success")))
    return Content("\n").join(lines)


def snippets(problems: Sequence[Problem]) -> Content:
    """Many problems, an empty line between them."""
    return Content("\n\n").join(snippet(problem) for problem in problems)
