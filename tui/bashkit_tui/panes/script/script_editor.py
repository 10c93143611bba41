"""The script editor: bash or Python with colours, bash with completion; the place of a syntax error is underlined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from rich.style import Style
from textual import events, on
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.document._syntax_aware_document import SyntaxAwareDocument
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import LanguageDoesNotExist

from bashkit import host_files
from bashkit_tui.error_reports import reported
from bashkit_tui.panes.script.completion_list import CompletionList
from bashkit_tui.panes.script.editor_themes import EDITOR_CONTRAST, EDITOR_DARK, EDITOR_LIGHT, editor_theme
from bashkit_tui.protocols import FilePlace, ShownText
from bashkit_tui.scripts.embedded_python import PYTHON_COLOURS, colours, python_grammar, python_query
from bashkit_tui.scripts.script_history import ScriptHistory
from bashkit_tui.scripts.syntax_notes import MOST_CHECKED, python_note, syntax_note
from bashkit_tui.widgets.plain_inputs import PlainTextArea

if TYPE_CHECKING:
    from pathlib import Path

    from rich.text import Text
    from textual.document._document import EditResult
    from textual.document._edit import Edit
    from textual.timer import Timer

    from bashkit_tui.scripts.completion import Completion, Vocabulary
    from bashkit_tui.scripts.syntax_notes import SyntaxNote

_PAUSE = 0.08  # seconds without a key before completions are offered
_COLOURED = 50_000  # characters of a script that has colours
_LONG = 4_000  # characters up to which a script is checked at every key; a longer one waits for a pause
_PAUSE_LONG = 0.3
_STARTS = frozenset("-$/{=_.~")  # besides letters and digits, characters after which the list opens by itself
_MAX_FILE = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class EditedScript:
    """What the editor has for one toolset.

    Attributes:
        text: The script.
        saved: Its text as it was saved or kept last.
        file: Its file, or None.
        ran: The scripts that were run.
        cursor: The row and the column of the cursor.
    """

    text: str = ""
    saved: str = ""
    file: Path | None = None
    ran: ScriptHistory = field(default_factory=ScriptHistory)
    cursor: tuple[int, int] = (0, 0)

    @property
    def lost(self) -> bool:
        """Whether the text was neither saved nor run."""
        return bool(self.text.strip()) and self.text != self.saved and self.text not in self.ran


class ScriptEditor(PlainTextArea):
    """A bash editor. Up on the first line and Down on the last go through the scripts that were run."""

    BINDING_GROUP_TITLE = "Script editor"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+@,ctrl+space", "complete", "Complete", id="editor.complete", show=False, tooltip="List what can be typed here",
        ),
        Binding("ctrl+o", "open", "Open", id="editor.open", tooltip="Read a script from a file"),
        Binding("ctrl+s", "save", "Save", id="editor.save", tooltip="Write the script to a file"),
        Binding(
            "ctrl+up", "earlier", "Earlier script", id="editor.earlier", show=False,
            tooltip="The script that was run before; or Up on the first line",
        ),
        Binding(
            "ctrl+down", "later", "Later script", id="editor.later", show=False,
            tooltip="The script that was run after; or Down on the last line",
        ),
        Binding("escape", "leave", "Leave", id="editor.leave", tooltip="Go from the editor to the tree of tools", show=False),
    ]  # fmt: skip

    class Noted(Message):
        """The syntax was checked.

        Args:
            note: The syntax error, or None.
            checked: Whether the script was short enough to be checked.
        """

        def __init__(self, note: SyntaxNote | None, *, checked: bool) -> None:
            super().__init__()
            self.note = note
            self.checked = checked

    class Renamed(Message):
        """The script was opened, changed or saved."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(
            id=id, show_line_numbers=True, tab_behavior="focus", soft_wrap=True, placeholder="A bash script; Ctrl+R runs it"
        )
        self.completions = CompletionList()  # the parent mounts it after the editor: a text area has no children
        self.ran = ScriptHistory()
        self.indent_width = 2
        self.file: Path | None = None
        self.vocabulary: Vocabulary | None = None
        self._saved = ""
        self._grammar: str | None = None
        self._written_in: Literal["bash", "python"] | None = None  # not mounted yet
        self._wrong: tuple[int, int, int] | None = None  # row, first and last column of the underlined part
        self._checking: Timer | None = None
        self._offering: Timer | None = None
        self._taking = False
        for theme in (EDITOR_DARK, EDITOR_LIGHT, EDITOR_CONTRAST):
            self.register_theme(theme)

    def on_mount(self) -> None:
        """Choose the language and the colours."""
        grammar = python_grammar()
        if grammar is not None:
            self.register_language("python", grammar, PYTHON_COLOURS)
        self.write_in("bash")
        self.watch(self.app, "theme", self._follow)

    def write_in(self, language: Literal["bash", "python"]) -> None:
        """Choose the language of the scripts; the same one leaves the cursor where it is."""
        if language == self._written_in:
            return
        self._written_in = language
        self.placeholder = f"{'A bash script' if language == 'bash' else 'Python code'}; Ctrl+R runs it"
        try:
            self.language = self._grammar = language
        except LanguageDoesNotExist:  # its grammar is not installed: the editor works without colours
            self.language = self._grammar = None
        self.check()

    def edit(self, edit: Edit) -> EditResult:
        """Textual's hook: every change."""
        if len(edit.text) > _COLOURED:
            self._colour(len(edit.text))
        return super().edit(edit)

    def _colour(self, length: int) -> None:
        """Give a script of so many characters its colours, unless it is so long that every key would wait for them."""
        wanted = self._grammar if length <= _COLOURED else None
        if wanted != self.language:
            selection = self.selection
            self.language = wanted
            self.selection = selection

    def _build_highlight_map(self) -> None:
        """Textual's hook: what is coloured; Python in a here-document has the colours of Python."""
        super()._build_highlight_map()
        document = self.document
        if self.language != "bash" or not isinstance(document, SyntaxAwareDocument):
            return
        query = python_query(document.language)
        for node in () if query is None else document.query_syntax_tree(query).get("body", ()):
            first, last = node.start_point[0], node.end_point[0]
            for row in range(first, last):
                self._highlights.pop(row, None)
            text = "\n".join(document.get_line(row) for row in range(first, last))
            for row, start, end, name in colours(text):
                self._highlights[first + row].append((start, end, name))

    def _follow(self) -> None:
        self.theme = editor_theme(self.app.current_theme).name

    # -- the text ------------------------------------------------------------------------------------------------------

    def put(self, script: str) -> None:
        """Replace the text, in one step for undo, and go to its end."""
        self._taking = True
        self.replace(script, (0, 0), self.document.end, maintain_selection_offset=False)
        self.move_cursor(self.document.end)

    def add_line(self, command: str) -> None:
        """Put a command on a line of its own: the cursor's line if that is empty, else the line below."""
        self._taking = True
        row, _ = self.cursor_location
        line = self.document.get_line(row)
        if line.strip():
            self.insert("\n" + command, (row, len(line)), maintain_selection_offset=False)
        else:
            self.replace(command, (row, 0), (row, len(line)), maintain_selection_offset=False)
        added = row + command.count("\n") + (1 if line.strip() else 0)
        self.move_cursor((added, len(self.document.get_line(added))))

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor at a one-based position, or as close to it as the text allows."""
        row = min(max(line, 1), self.document.line_count) - 1
        self.move_cursor((row, min(max(column, 1) - 1, len(self.document.get_line(row)))), center=True)

    def exchange(self, kept: EditedScript) -> EditedScript:
        """Show the script of another toolset, and return the one that was shown."""
        before = self.edited
        self._taking = True
        self.text, self._saved, self.file, self.ran = kept.text, kept.saved, kept.file, kept.ran
        self.move_cursor(kept.cursor)
        self.post_message(self.Renamed())
        return before

    @property
    def edited(self) -> EditedScript:
        """The script as it is now."""
        return EditedScript(self.text, self._saved, self.file, self.ran, self.cursor_location)

    @property
    def modified(self) -> bool:
        """Whether the text differs from its file."""
        return self.file is not None and self.text != self._saved

    @on(TextArea.Changed)
    @reported
    def _changed(self) -> None:
        """Check the syntax and offer completions; both wait for a pause when they would slow typing."""
        self._colour(len(self.text))
        if len(self.text) <= _LONG:
            self.check()
        else:
            self._checking = _again(self._checking, self.set_timer(_PAUSE_LONG, self.check))
        if self.file is not None:
            self.post_message(self.Renamed())
        taken, self._taking = self._taking, False
        if taken:
            self.completions.close()
        elif not self.has_focus:
            self._close()
        else:
            self._offering = _again(self._offering, self.set_timer(_PAUSE, self._offer_if_wanted))

    # -- syntax --------------------------------------------------------------------------------------------------------

    @reported
    def check(self) -> None:
        """Check the syntax."""
        script = self.text
        checked = len(script) <= MOST_CHECKED
        note = None if not checked else python_note(script) if self._written_in == "python" else syntax_note(script)
        self._wrong = None
        if note is not None and not note.incomplete and 0 < note.line <= self.document.line_count:
            line = self.document.get_line(note.line - 1)
            first = min(max(0, note.column - 1), max(0, len(line) - 1))
            last = next((place for place in range(first + 1, len(line)) if line[place] in " \t;|&()<>"), len(line))
            self._wrong = (note.line - 1, first, last)
        self._line_cache.clear()
        self.refresh()
        self.post_message(self.Noted(note, checked=checked))

    def get_line(self, line_index: int) -> Text:
        """Textual's hook: the line, with the syntax error underlined."""
        line = super().get_line(line_index)
        if self._wrong is not None and self._wrong[0] == line_index:
            theme = self.app.theme_variables
            shade = Color.parse(theme["surface"]).blend(Color.parse(theme["error"]), 0.3).hex  # the letters keep their colours
            line.stylize(Style(bgcolor=shade, underline=True), self._wrong[1], self._wrong[2])
        return line

    # -- completion ----------------------------------------------------------------------------------------------------

    @property
    def _offset(self) -> int:
        row, column = self.cursor_location
        return sum(map(len, self.document.lines[:row])) + row * len(self.document.newline) + column

    def _location(self, offset: int) -> tuple[int, int]:
        before = self.text[:offset]
        return before.count("\n"), offset - before.rfind("\n") - 1

    @reported
    def _offer_if_wanted(self) -> None:
        """Offer completions when the cursor is at the end of a word's beginning."""
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        words = before.split()
        after_flag = before.endswith(" ") and bool(words) and words[-1].startswith("--")
        if before and (before[-1].isalnum() or before[-1] in _STARTS or after_flag) and self.selection.is_empty:
            self.offer(asked=False)
        else:
            self.completions.close()

    def offer(self, *, asked: bool) -> None:
        """Show the completions at the cursor.

        Args:
            asked: Whether the user asked for them; if not, a complete word gets no list.
        """
        from bashkit_tui.scripts.completion import complete

        known = self.vocabulary if self._written_in == "bash" else None
        found = None if known is None else complete(self.text, self._offset, known)
        if found is None or (not asked and len(found.items) == 1 and found.items[0].insert.rstrip() == found.prefix):
            self.completions.close()
            return
        self.completions.offer(found, self.cursor_screen_offset)

    def _close(self) -> None:
        """Close the list; an offer that waits for a pause is taken back."""
        if self._offering is not None:
            self._offering.stop()
            self._offering = None
        self.completions.close()

    def action_complete(self) -> None:
        """List the completions."""
        self.offer(asked=True)
        if self.completions.offered is None:
            self.app.notify("Nothing is known that could stand here.", timeout=2)

    async def _on_key(self, event: events.Key) -> None:
        """Give the list its keys while it is open, and the text the others."""
        found = self.completions
        if found.offered is None:
            await super()._on_key(event)
            return
        moves = {"down": 1, "up": -1, "pagedown": 8, "pageup": -8}
        item = found.current
        if event.key in moves:
            found.move(moves[event.key])
        elif event.key == "escape":
            self._close()
        elif (
            event.key in {"enter", "tab"}
            and item is not None
            and not (event.key == "enter" and item.insert.rstrip() == found.offered.prefix)
        ):
            self.take(item)
        else:
            if event.key in {"enter", "tab", "left", "right", "home", "end"}:
                self._close()
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()

    def take(self, item: Completion) -> None:
        """Put a completion into the text."""
        offered = self.completions.offered
        self._close()
        if offered is None:
            return
        self._taking = True
        start, (row, column) = self._location(offered.start), self.cursor_location
        if item.insert.endswith(" ") and self.document.get_line(row)[column : column + 1] == " ":
            column += 1  # the blank is there already
        self.replace(item.insert, start, (row, column), maintain_selection_offset=False)
        self.move_cursor(self._location(offered.start + len(item.insert)))
        if item.kind in {"flag", "file"}:  # more may follow
            self._offering = _again(self._offering, self.set_timer(_PAUSE, self._offer_if_wanted))

    def _on_blur(self, event: events.Blur) -> None:
        """Close the list without the focus, unless the mouse is over it."""
        if not self.completions.is_mouse_over:
            self._close()
        super()._on_blur(event)

    # -- history -------------------------------------------------------------------------------------------------------

    def action_cursor_up(self, select: bool = False) -> None:
        """Move up; from the first line, go to the earlier script."""
        if self.completions.offered is not None:
            self.completions.move(-1)
        elif select or self.cursor_location[0] > 0:
            super().action_cursor_up(select)
        else:
            self.action_earlier()

    def action_cursor_down(self, select: bool = False) -> None:
        """Move down; from the last line, go to the later script."""
        if self.completions.offered is not None:
            self.completions.move(1)
        elif select or self.cursor_location[0] < self.document.line_count - 1:
            super().action_cursor_down(select)
        else:
            self.action_later()

    def action_earlier(self) -> None:
        """Put the script that was run before into the editor."""
        found = self.ran.previous(self.text)
        if found is not None:
            self.put(found)
            self.move_cursor((0, 0))

    def action_later(self) -> None:
        """Put the script that was run after into the editor."""
        found = self.ran.next()
        if found is not None:
            self.put(found)

    def action_leave(self) -> None:
        """Close the list, or focus the tree, where single keys are commands."""
        if self.completions.offered is not None:
            self._close()
        else:
            self.screen.set_focus(self.screen.query_one("#tree"))

    # -- files ---------------------------------------------------------------------------------------------------------

    def action_open(self) -> None:
        """Ask for a file and read it."""
        from bashkit_tui.screens.path_prompt import PathPrompt

        self.app.push_screen(PathPrompt("Open a script", str(self.file or ""), self.read))

    def action_save(self) -> None:
        """Ask for a file and write to it."""
        from bashkit_tui.screens.path_prompt import PathPrompt

        self.app.push_screen(PathPrompt("Save the script", str(self.file or self._file_name), self.write))

    def shown_text(self) -> ShownText | None:
        """The script, for the clipboard and the pager."""
        return ShownText(self._file_name, self.text) if self.text else None

    @property
    def _file_name(self) -> str:
        return "script.py" if self._written_in == "python" else "script.sh"

    def file_place(self) -> FilePlace | None:
        """The place of the cursor in the script's file, if it has one."""
        row, column = self.cursor_location
        return None if self.file is None else FilePlace(self.file, row + 1, column + 1)

    def read(self, path: Path) -> str:
        """Read a script; return an error message or ""."""
        try:
            text = host_files.read_text(path, _MAX_FILE)
        except OSError as error:
            return f"{path}: {error.strerror}"
        self.put(text)
        self.move_cursor((0, 0))
        self.file, self._saved = path, self.text
        self.post_message(self.Renamed())
        return ""

    def write(self, path: Path) -> str:
        """Write the script, with a newline at its end; return an error message or ""."""
        text = self.text if self.text.endswith("\n") or not self.text else f"{self.text}\n"
        try:
            path.write_text(text, encoding="utf-8", errors="surrogateescape")
        except (OSError, ValueError) as error:
            return f"{path}: {getattr(error, 'strerror', None) or error}"
        self.file, self._saved = path, self.text
        self.post_message(self.Renamed())
        self.app.notify(f"Saved to {path}", timeout=2, markup=False)
        return ""


def _again(timer: Timer | None, new: Timer) -> Timer:
    """Stop a timer and return the one that replaces it."""
    if timer is not None:
        timer.stop()
    return new
