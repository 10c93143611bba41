"""The output of a script while it is written: standard error in colour, and only the end of a flood."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from bashkit_tui.protocols import ShownText
from bashkit_tui.texts.formatting import grouped, printable, size_text
from bashkit_tui.texts.matching import marked, pattern
from bashkit_tui.widgets.search_bar import Searchable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from textual import events
    from textual.selection import Selection

_LINES = 5_000  # the most lines of a log, and of a text that are shown before its fold is opened
_MATCHES = 10_000  # the most places of a search
_TOTAL = 2_000_000  # the most characters of all lines
_LINE = 4_000  # the most characters shown of a line
_NARROWEST = 8  # columns, for a log that was never on the screen


@dataclass(slots=True)
class _Line:
    """One line: pairs of stream and printable text, and the number of characters left out."""

    pieces: list[tuple[str, str]] = field(default_factory=list)
    length: int = 0
    more: int = 0
    rows: int = 0

    def extend(self, stream: str, text: str) -> None:
        room = max(0, _LINE - self.length)
        shown = printable(text[:room]).expandtabs(4)
        if shown:
            self.pieces.append((stream, shown))
        self.length += min(room, len(text))
        self.more += max(0, len(text) - room)

    @property
    def plain(self) -> str:
        text = "".join(text for _, text in self.pieces)
        return f"{text}… ({grouped(self.more)} more characters)" if self.more else text


class OutputLog(ScrollView, Searchable, can_focus=True):
    """A log whose last line may still grow, or a whole text. Long lines are wrapped; only visible rows are drawn.

    A log has the end of what was written. A text has all of it, and what follows its first lines is folded.
    """

    BINDING_GROUP_TITLE = "Output"
    ALLOW_SELECT = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", id="output.copy", tooltip="Copy the output that is kept to the clipboard"),
        Binding("r", "raw", "Raw", id="output.raw", tooltip="Show a JSON document as it was printed, or indented again"),
        Binding("plus", "unfold", "Open all", id="output.open", show=False, tooltip="Show the lines that are folded"),
        Binding("up", "scroll_up", "Up", show=False),
        Binding("down", "scroll_down", "Down", show=False),
        Binding("home", "scroll_home", "Start", show=False),
        Binding("end", "scroll_end", "End", show=False),
        Binding("pageup", "page_up", "Page up", show=False),
        Binding("pagedown", "page_down", "Page down", show=False),
    ]
    DEFAULT_CSS = """
    OutputLog { background: $surface; scrollbar-size-vertical: 1; scrollbar-gutter: stable; overflow: hidden auto; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.begin()

    def begin(self) -> None:
        """Empty the log."""
        self._kept: deque[_Line] = deque([_Line()])
        self._rows: list[tuple[_Line, int, int]] = []  # a line and the part of it on this row
        self._characters = 0
        self._wrapped_at = 0
        self._whole: str | None = None  # of a text
        self._stream = ""  # of a text
        self._folded: list[str] = []  # the lines of a text that are not shown
        self._other = ""  # the other form of a JSON document: as it was printed, or indented
        self._words = ""
        self._matches: list[tuple[int, int]] = []
        self.dropped = 0
        self.border_subtitle = ""
        self.virtual_size = Size(0, 0)
        self.refresh()

    def feed(self, pieces: list[tuple[str, str]], dropped: int = 0) -> None:
        """Append output.

        Args:
            pieces: Pairs of a style and a text, which may end in the middle of a line. The styles are ``stdout`` and ``stderr``,
                and in a diff ``added``, ``removed``, ``place`` and ``muted``.
            dropped: The number of characters before it that were dropped.
        """
        follow = self.is_vertical_scroll_end
        self.dropped += dropped
        if pieces:
            self._unwrap_last()
            for stream, chunk in pieces:
                self._append(stream, chunk)
            self._trim()
            self._wrap_rest()
            if follow:
                self.scroll_end(animate=False, immediate=True)
        if self.dropped:
            self.border_subtitle = f"… {size_text(self.dropped)} before this not kept"
        self.refresh()

    def show(self, stream: str, text: str) -> None:
        """Show a whole text from its start."""
        self.begin()
        self._whole, self._stream, self._kept = text, stream, deque()
        lines = list(_short_lines(text))
        self._folded = lines[_LINES:]
        self._put(lines[:_LINES])
        if self._folded:
            self._kept.append(_Line([("muted", f"… {grouped(len(self._folded))} more lines: + shows them")]))
        self._wrap_rest()
        self.scroll_home(animate=False)
        self.refresh()

    def show_forms(self, indented: str, raw: str) -> None:
        """Show a JSON document indented; a key shows it as it was printed."""
        self.show("stdout", indented)
        self._other = raw

    def action_raw(self) -> None:
        """Show the other form of a JSON document."""
        shown, other = self._other, self.text
        self.show("stdout", shown)
        self._other = other

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's signature
        """Offer the other form only where there is one."""
        return action != "raw" or bool(self._other)

    def action_unfold(self) -> None:
        """Show all lines of a text."""
        if self._folded:
            self._unwrap_last()
            self._kept.pop()
            lines, self._folded = self._folded, []
            self._put(lines)
            self._wrap_rest()
            self.refresh()

    def _put(self, lines: Iterable[str]) -> None:
        for text in lines:
            line = _Line()
            line.extend(self._stream, text)
            self._kept.append(line)

    def _append(self, stream: str, chunk: str) -> None:
        lines = chunk.split("\n")
        if len(lines) > _LINES + 1:  # skip lines that would be trimmed anyway
            first = len(lines) - _LINES - 1
            self.dropped += self._characters + len(self._kept) - 1 + sum(map(len, lines[:first])) + first
            self._kept, self._rows, self._characters, lines = deque([_Line()]), [], 0, lines[first:]
        for number, text in enumerate(lines):
            if number:
                self._kept.append(_Line())
            if text:
                before = self._kept[-1].length
                self._kept[-1].extend(stream, text)
                self._characters += self._kept[-1].length - before

    def _trim(self) -> None:
        gone = 0
        while len(self._kept) > _LINES + 1 or (self._characters > _TOTAL and len(self._kept) > 1):
            line = self._kept.popleft()
            self._characters -= line.length
            self.dropped += line.length + line.more + 1
            gone += line.rows
        if gone:
            del self._rows[:gone]
            self.scroll_target_y = max(0, self.scroll_target_y - gone)

    # -- rows ----------------------------------------------------------------------------------------------------------

    @property
    def _width(self) -> int:
        return max(_NARROWEST, self.scrollable_content_region.width or 80)

    def _unwrap_last(self) -> None:
        """Remove the rows of the unfinished line: it may grow."""
        last = self._kept[-1]
        if last.rows:
            del self._rows[-last.rows :]
            last.rows = 0

    def _wrap_rest(self) -> None:
        """Wrap the lines that have no rows yet."""
        new: list[_Line] = []
        for line in reversed(self._kept):
            if line.rows:
                break
            new.append(line)
        for line in reversed(new):
            if line is self._kept[-1] and not line.pieces:
                continue  # nothing is on it yet
            parts = list(_wrapped(line.plain, self._width))
            line.rows = len(parts)
            self._rows += [(line, start, end) for start, end in parts]
        self._wrapped_at = self._width
        self.virtual_size = Size(self._width, len(self._rows))

    def on_resize(self, event: events.Resize) -> None:
        """Wrap every line to the new width."""
        event.stop()
        if self._width != self._wrapped_at:
            follow = self.is_vertical_scroll_end
            self._rows = []
            for line in self._kept:
                line.rows = 0
            self._wrap_rest()
            if follow:
                self.scroll_end(animate=False, immediate=True)

    @property
    def lines(self) -> list[Strip]:
        """Every row as it is drawn."""
        return [self._strip(row) for row in range(len(self._rows))]

    @property
    def text(self) -> str:
        """The text of the log."""
        return "\n".join(line.plain for line in self._kept) if self._whole is None else self._whole

    def shown_text(self) -> ShownText | None:
        """The text of the log, for the clipboard and the pager."""
        return ShownText("output.txt", self.text) if self.text else None

    def render_line(self, y: int) -> Strip:
        """Textual's protocol."""
        width, row = self.size.width, self.scroll_offset.y + y
        if row >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        return self._strip(row).extend_cell_length(width, self.rich_style).crop(0, width).apply_offsets(0, row)

    def _strip(self, row: int) -> Strip:
        line, start, end = self._rows[row]
        theme, place = self.app.current_theme, 0
        colors = {"stderr": theme.error, "removed": theme.error, "added": theme.success, "place": theme.secondary, "muted": "dim"}
        text = Text(line.plain, end="", no_wrap=True)
        for stream, piece in line.pieces:
            text.stylize(colors.get(stream) or "", place, place + len(piece))
            place += len(piece)
        if line.more:
            text.stylize("dim", place)
        marked(text, self._words)
        text = text[start:end]
        span = self.text_selection.get_span(row) if self.text_selection is not None else None
        if span is not None:
            text.stylize(self.screen.get_component_rich_style("screen--selection"), span[0], None if span[1] == -1 else span[1])
        return Strip(text.render(self.app.console), cell_len(text.plain)).apply_style(self.rich_style)

    # -- searching -----------------------------------------------------------------------------------------------------

    def find(self, words: str) -> int:
        """Mark the words wherever they stand, or with "" nothing.

        Returns:
            The number of places, up to a limit.
        """
        self._words = words
        shown = [line.plain for line in self._kept]
        lines = shown if not self._folded else [*shown[:-1], *self._folded]
        self._matches = list(islice(_places(words, lines), _MATCHES)) if words else []
        self.refresh()
        return len(self._matches)

    def show_match(self, number: int) -> None:
        """Scroll to one of the places."""
        wanted, letter = self._matches[number]
        if self._folded and wanted >= len(self._kept) - 1:
            self.action_unfold()
        row = sum(line.rows for line in islice(self._kept, wanted))
        row += sum(1 for _, _, end in self._rows[row : row + self._kept[wanted].rows - 1] if end <= letter)
        self.scroll_to(y=row - self.size.height // 2, animate=False, immediate=True)

    # -- copying -------------------------------------------------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text that the mouse has selected."""
        return selection.extract("\n".join(line.plain[start:end] for line, start, end in self._rows)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002 - Textual's signature
        """Draw the selection."""
        self.refresh()

    def action_copy(self) -> None:
        """Copy the text of the log."""
        self.app.copy_to_clipboard(self.text)
        self.app.notify("The output is on the clipboard.", timeout=2)


def _short_lines(text: str) -> Iterator[str]:
    """The lines of a text, long ones in pieces."""
    for line in text.split("\n"):
        for start in range(0, max(1, len(line)), _LINE):
            yield line[start : start + _LINE]


def _places(words: str, lines: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where the words are: the number of the line and the place in it."""
    find = pattern(words).finditer
    for number, line in enumerate(lines):
        for found in find(line):
            yield number, found.start()


def _wrapped(text: str, width: int) -> Iterator[tuple[int, int]]:
    """The parts of a line that fit into ``width`` columns, as offsets; an empty line has one empty part."""
    if text.isascii():
        for start in range(0, len(text), width) or (0,):
            yield start, min(len(text), start + width)
        return
    start = cells = 0
    for place, letter in enumerate(text):
        wide = cell_len(letter)
        if cells + wide > width:
            yield start, place
            start, cells = place, 0
        cells += wide
    yield start, len(text)
