"""The widget of the Prompt pane: a list of the texts that the model sees, and one of them with its size or its diff."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from bashkit.errors import PromptSnapshotError
from bashkit.prompts.sizes import describe
from bashkit_tui.error_reports import reported
from bashkit_tui.messages import SnapshotsChanged
from bashkit_tui.panes.prompt.cost_chart import CostChart
from bashkit_tui.protocols import ShownText
from bashkit_tui.texts.formatting import measure, printable, signed
from bashkit_tui.toolsets.snapshot_acceptance import Acceptances
from bashkit_tui.widgets.diff_view import DiffView
from bashkit_tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize

    from bashkit.prompts.snapshots import State
    from bashkit_tui.toolsets.opened_toolset import OpenedToolset
    from bashkit_tui.toolsets.prompt_documents import PromptDocument

_LOOKS = ("text", "unified", "split")
_TIGHT = 100  # columns below which the state of a text does not fit beside its size
_MARKS = {"changed": ("~", "$text-warning"), "new": ("+", "$text-success")}


class PromptView(Horizontal):
    """The list of texts on the left; on the right the chosen text, or its diff."""

    BINDING_GROUP_TITLE = "Prompt"
    SCOPED_CSS = False  # the rules for sizes of the screen match a class of the screen
    DEFAULT_CSS = """
    PromptView {
        & > #prompt-documents {
            width: 26; height: 1fr; padding: 1 0 0 1; text-wrap: nowrap; text-overflow: ellipsis;
            background: transparent; border: none; scrollbar-size-vertical: 1; overflow-x: hidden;
            & > .option-list--option-highlighted { background: $primary 20%; color: $foreground; text-style: bold; }
            &:focus > .option-list--option-highlighted { background: $primary 40%; }
        }
        & > #prompt-main { width: 1fr; }
        & #prompt-head { height: auto; padding: 1 2; }
        & #prompt-size { width: 1fr; height: auto; }
        & #prompt-state { width: auto; padding: 0 0 0 2; }
        & CostChart.-empty { display: none; }
        &.-no-bars CostChart { display: none; }
        & DiffView { display: none; }
        &.-diff DiffView { display: block; }
        &.-diff TextView { display: none; }
        &.-tight #prompt-head { layout: vertical; }
        &.-tight #prompt-state { padding: 0; }
    }
    .-narrow PromptView {
        & > #prompt-documents { width: 23; padding: 0; }
        & #prompt-head { padding: 0 2; }
    }
    .-short PromptView CostChart { display: none; }
    .-short PromptView.-bars CostChart { display: block; }
    .-short PromptView CostChart.-empty { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "d", "turn_look", "Diff", id="prompt.diff", tooltip="The text, what changed in it, or both versions side by side"
        ),
        Binding("n", "next(1)", "Next change", id="prompt.next", tooltip="Go to the next text that is not as it was kept"),
        Binding("N", "next(-1)", "Change before", id="prompt.previous", show=False, tooltip="Go to the changed text before"),
        Binding("b", "bars", "Tokens", id="prompt.tokens", tooltip="Show what each tool takes of the prompt, or only the prompt"),
        Binding("a", "accept", "Accept", id="prompt.accept", tooltip="Keep this text as it is now"),
        Binding("u", "undo", "Undo", id="prompt.undo", show=False, tooltip="Take back what was accepted last"),
    ]

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._opened: OpenedToolset | None = None
        self._documents: list[PromptDocument | None] = []
        self._wanted = ""
        self._look = "text"
        self._acceptances = Acceptances()

    def compose(self) -> ComposeResult:
        """The list, and the size above the text."""
        yield OptionList(id="prompt-documents", compact=True, markup=False)
        with Vertical(id="prompt-main"):
            with Horizontal(id="prompt-head"):
                yield Static(id="prompt-size", markup=False)
                yield Static(id="prompt-state", markup=False)
            yield CostChart(id="prompt-chart")
            yield TextView(id="prompt-text")
            yield DiffView(id="prompt-diff")

    # -- showing -------------------------------------------------------------------------------------------------------

    def on_resize(self, event: Resize) -> None:
        """Put what is said about the snapshot below the size where it does not fit beside it."""
        self.set_class(event.size.width < _TIGHT, "-tight")

    def show_selection(self, opened: OpenedToolset, tool: str | None) -> None:  # noqa: ARG002 - the protocol's signature
        """Show the texts of a toolset."""
        self._opened = opened
        self._fill()

    @property
    def document(self) -> PromptDocument | None:
        """The text on the right."""
        prompts = self._opened.prompts if self._opened is not None else None
        return None if prompts is None else prompts.find(self._wanted) or next(iter(prompts.documents), None)

    def _fill(self) -> None:
        prompts = self._opened.prompts if self._opened is not None else None
        listed = self.query_one("#prompt-documents", OptionList)
        self._documents = []
        options: list[Option] = []
        for item in prompts.documents if prompts is not None else ():
            if not self._documents or (before := self._documents[-1]) is None or before.group != item.group:
                self._documents.append(None)
                head = Content.styled(item.group, "bold $text-secondary")
                options.append(Option(Content("\n").join(["", head]) if options else head, disabled=True))
            self._documents.append(item)
            options.append(Option(_label(item)))
        shown = self.document
        with listed.prevent(OptionList.OptionHighlighted):
            listed.clear_options()
            listed.add_options(options)
            if shown is not None:
                listed.highlighted = self._documents.index(shown)
        self._draw()

    def _draw(self) -> None:
        document = self.document
        if document is None:
            note = "Writing…" if self._opened is None or self._opened.toolset is not None else "This file is not a toolset yet."
            self.query_one("#prompt-size", Static).update(Content.styled(note, "$foreground-muted"))
            self.query_one("#prompt-state", Static).update("")
            self.query_one(TextView).show("", "text")
            self.query_one(CostChart).show(None, None)
            self.set_class(False, "-diff")
            return
        differs = self._state(document) in {"changed", "new"}
        diff = self._look != "text" and differs
        self.set_class(diff, "-diff")
        self.query_one("#prompt-size", Static).update(self._cost(document, diff=diff))
        self.query_one("#prompt-state", Static).update(_snapshot_note(self._state(document)))
        if diff and document.snapshot is not None:
            self.query_one(DiffView).show(document.snapshot.diff(), split=self._look == "split")
        self.query_one(CostChart).show(document.shares, document.change)
        self.query_one(TextView).show(document.text, document.language)

    def _state(self, document: PromptDocument) -> State | None:
        return None if document.snapshot is None else document.snapshot.state

    def _cost(self, document: PromptDocument, *, diff: bool) -> Content:
        """The size of the text, or in a diff the change of its size."""
        over = document.budget is not None and len(document.text) > document.budget
        if diff and document.snapshot is not None:
            note = describe(document.snapshot.kept, document.snapshot.current, document.budget)
        else:
            shares, change = document.shares, document.change
            note = measure(document.text, document.budget, shares.tokens if shares is not None and shares.counted else None)
            note += f", {signed(change.tokens)} tokens since it was opened" if change else ""
        name = printable(document.name).replace("\n", "␊")
        return Content.assemble((name, "bold"), "\n", (note, "$text-error" if over else "$foreground-muted"))

    @on(OptionList.OptionHighlighted, "#prompt-documents")
    @reported
    def _chosen(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        document = self._documents[event.option_index] if event.option_index < len(self._documents) else None
        if document is not None and document.name != self._wanted:
            self._wanted = document.name
            self._draw()

    @on(OptionList.OptionSelected, "#prompt-documents")
    @reported
    def _entered(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.screen.set_focus(self.query_one(DiffView) if self.has_class("-diff") else self.query_one(TextView))

    def shown_text(self) -> ShownText | None:
        """The text or the diff on the right."""
        document = self.document
        if document is None:
            return None
        if self.has_class("-diff"):
            return ShownText(f"{document.name}.diff", self.query_one(DiffView).diff)
        return ShownText(document.name, document.text)

    # -- actions -------------------------------------------------------------------------------------------------------

    def action_turn_look(self) -> None:
        """Switch from the text to the unified diff, to both sides, and back to the text."""
        document = self.document
        if document is None or self._state(document) not in {"changed", "new"}:
            self._tell(
                "This text is as it was kept."
                if document and self._state(document) == "same"
                else "Nothing is kept of this text."
            )
            return
        self._look = _LOOKS[(_LOOKS.index(self._look) + 1) % len(_LOOKS)]
        focused = self.screen.focused
        inside = focused is not None and focused.id in {"prompt-text", "prompt-diff"}
        self._draw()
        if inside:
            self.screen.set_focus(self.query_one(DiffView) if self.has_class("-diff") else self.query_one(TextView))

    def action_bars(self) -> None:
        """Show the chart of tokens, or hide it; by default a tall screen has it."""
        chart = self.query_one(CostChart)
        if not chart.rows:
            self._tell("Only system prompts that describe their tools are taken apart.")
            return
        shown = chart.display
        self.set_class(shown, "-no-bars")
        self.set_class(not shown, "-bars")
        if shown and self.screen.focused is chart:
            self.screen.set_focus(self.query_one("#prompt-documents", OptionList))

    def action_next(self, step: int) -> None:
        """Go to the next text that differs."""
        places = [at for at, item in enumerate(self._documents) if item is not None and self._state(item) in {"changed", "new"}]
        if not places:
            self._tell("Everything is as it was kept.")
            return
        now = self._documents.index(self.document)
        if step > 0:
            at = next((at for at in places if at > now), places[0])
        else:
            at = next((at for at in reversed(places) if at < now), places[-1])
        if self._look == "text":
            self._look = "unified"
        self.query_one("#prompt-documents", OptionList).highlighted = at
        document = self._documents[at]
        self._wanted = document.name if document is not None else ""
        self._draw()

    def action_accept(self) -> None:
        """Accept the current text as its snapshot."""
        document, prompts = self.document, self._opened.prompts if self._opened is not None else None
        if document is None or prompts is None or prompts.store is None or document.snapshot is None:
            self._tell("Nothing is kept of this text.")
            return
        if document.snapshot.state == "same":
            self._tell("This text is kept already.")
            return
        try:
            self._acceptances.accept([(prompts.store, document.snapshot)])
        except PromptSnapshotError as error:
            self._tell(str(error), severity="error")
            return
        self._tell(f"{document.name} is kept; u takes that back.")
        self._read_again()

    def action_undo(self) -> None:
        """Undo the last acceptance."""
        try:
            undone = self._acceptances.undo()
        except PromptSnapshotError as error:
            self._tell(str(error), severity="error")
            return
        self._tell("There is nothing to undo." if not undone else f"{undone[0].path.name} is as it was before.")
        if undone:
            self._read_again()

    def _tell(self, message: str, severity: Literal["information", "error"] = "information") -> None:
        self.app.notify(printable(message), severity=severity, timeout=4, markup=False)

    def _read_again(self) -> None:
        self.post_message(SnapshotsChanged())


def _label(item: PromptDocument) -> Content:
    state = None if item.snapshot is None else item.snapshot.state
    mark, style = _MARKS.get(state or "", (" ", ""))
    return Content.assemble((f"{mark} ", f"bold {style}"), printable(item.title).replace("\n", "␊"))


def _snapshot_note(state: State | None) -> Content:
    """The state of a snapshot in words; empty for a text without one."""
    if state is None:
        return Content("")
    style, words = {
        "same": ("$text-success", "snapshot: same"),
        "changed": ("$text-warning", "snapshot: changed"),
        "new": ("$foreground-muted", "snapshot: new, not kept yet"),
        "orphan": ("$text-warning", "snapshot: orphan"),
    }[state]
    return Content.styled(words, style)
