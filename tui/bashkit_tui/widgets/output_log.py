"""What a script writes, as it comes: standard output plain, standard error in colour."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import RichLog

from bashkit_tui.documents import printable

_LINES = 2_000  # lines that are kept
_LINE = 4_000  # characters of a line that are shown


class OutputLog(RichLog):
    """A log whose last line may still grow."""

    BINDING_GROUP_TITLE = "Output"

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, wrap=True, min_width=1, max_lines=_LINES, auto_scroll=True)
        self._open = Text()
        self._cut = 0
        self._kept: int | None = None

    def begin(self) -> None:
        """Start over."""
        self.clear()
        self._open, self._cut, self._kept = Text(), 0, None

    def feed(self, pieces: list[tuple[str, str]]) -> None:
        """Append output: pairs of ``stdout`` or ``stderr`` and a text, which need not end with a line."""
        if not pieces:
            return
        self._take_back()
        finished: list[Text] = []
        error = self.app.current_theme.error or "red"
        for stream, chunk in _tail(pieces):
            style = error if stream == "stderr" else ""
            first, *rest = chunk.split("\n")
            self._extend(first, style)
            for part in rest:
                finished.append(self._as_shown())
                self._open, self._cut = Text(), 0
                self._extend(part, style)
        if finished:
            self.write(Text("\n").join(finished))
        self._show_open()

    def _extend(self, text: str, style: str) -> None:
        room = max(0, _LINE - len(self._open))
        self._open.append(printable(text[:room]), style=style)
        self._cut += max(0, len(text) - room)

    def _as_shown(self) -> Text:
        """The open line as it is shown."""
        if not self._cut:
            return self._open
        return self._open + Text(f"… ({self._cut} more characters)", style="dim")

    def _take_back(self) -> None:
        """Remove the unfinished line: it will be written anew, longer."""
        if self._kept is not None:
            del self.lines[max(0, self._kept - self._start_line) :]
            self._kept = None
            self.notify_style_update()

    def _show_open(self) -> None:
        if not self._open.plain:
            return
        before = self._start_line + len(self.lines)
        self.write(self._as_shown())
        self._kept = before


def _tail(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The last lines of the output, as many as are kept: a million lines are not worth making colours for."""
    found: list[tuple[str, str]] = []
    lines = 0
    for stream, chunk in reversed(pieces):
        number = chunk.count("\n")
        if lines + number > _LINES:
            found.append((stream, "\n" + "\n".join(chunk.rsplit("\n", _LINES - lines)[1:])))  # the line before it has ended
            break
        lines += number
        found.append((stream, chunk))
    return found[::-1]
