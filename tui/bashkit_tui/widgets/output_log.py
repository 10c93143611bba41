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
        self._kept: int | None = None

    def begin(self) -> None:
        """Start over."""
        self.clear()
        self._open = Text()
        self._kept = None

    def feed(self, pieces: list[tuple[str, str]]) -> None:
        """Append output: pairs of ``stdout`` or ``stderr`` and a text, which need not end with a line."""
        if not pieces:
            return
        text = self._open
        for stream, chunk in pieces:
            tail = chunk if len(chunk) <= _LINES * _LINE else chunk[-_LINES * _LINE :]
            text.append(printable(tail), style=self._color() if stream == "stderr" else "")
        lines = text.split("\n", allow_blank=True)
        if self._kept is not None:  # the unfinished line is written anew
            del self.lines[max(0, self._kept - self._start_line) :]
            self.notify_style_update()
        last = lines.pop()
        for line in lines[-_LINES:]:
            self._line(line)
        self._open, self._kept = last, None
        if not last.plain:
            return
        before = self._start_line + len(self.lines)
        self._line(last)
        if self._start_line + len(self.lines) > before:
            self._kept = before
        else:  # not laid out yet: RichLog keeps it for later, and what follows goes on a line of its own
            self._open = Text()

    def _line(self, line: Text) -> None:
        if len(line) > _LINE:
            line = line[:_LINE] + Text(f"… ({len(line)} characters)", style="dim")
        self.write(line)

    def _color(self) -> str:
        return self.app.current_theme.error or "red"
