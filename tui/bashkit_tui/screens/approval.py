"""The Approval screen: may this call run?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from bashkit.tools.analyze import told
from bashkit_tui.texts.formatting import printable
from bashkit_tui.widgets.stream_view import StreamView

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit.tools.call.policy import PlannedCall

_MOST_LINES = 8  # of what the whole script may do
Answer = Literal["once", "always", "no", "later"]


class ApprovalScreen(ModalScreen[Answer]):
    """Shows a pending call; the result is ``once``, ``always`` (this tool, for the rest of the run), ``no`` or ``later``.

    Args:
        call: The pending call.
        later: Whether Escape leaves the call waiting; else it refuses it.
    """

    BINDING_GROUP_TITLE = "Approval"
    CSS_PATH = "approval.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer('once')", "Yes", id="approval.yes", tooltip="Let this call run"),
        Binding(
            "a",
            "answer('always')",
            "Always",
            id="approval.always",
            tooltip="Let every call of this tool run, in this run of the script",
        ),
        Binding("n", "answer('no')", "No", id="approval.no", tooltip="Refuse the call; the script is told so"),
        Binding("escape", "leave", "Close", id="approval.close", show=False, tooltip="Refuse the call, or answer it later"),
    ]

    def __init__(self, call: PlannedCall, *, later: bool = False) -> None:
        super().__init__()
        self._call = call
        self._later = later

    def compose(self) -> ComposeResult:
        """The call, and the answers."""
        call = self._call
        effects = (f"  {call.effects}", "$text-error") if call.effects else ("  declares no effects", "$foreground-muted")
        with Vertical(id="approval-box") as box:
            box.border_title = "A running call asks" if call.question else "May this call run?"
            yield Static(
                Content.assemble(
                    (printable(call.tool), "bold $text-primary"), effects, (f"  line {call.line}", "$foreground-muted")
                )
            )
            if call.question:
                yield Static(printable(call.question), id="approval-question", markup=False)
            yield StreamView(id="approval-arguments")
            rest = self._rest()
            if rest:
                box.add_class("-with-script")
                yield Static(rest, id="approval-script", markup=False)
            with Horizontal(id="approval-answers"):
                yield Button("Yes (y)", id="approval-once", compact=True, variant="success")
                if not call.question:
                    yield Button("Always (a)", id="approval-always", compact=True)
                yield Button("No (n)", id="approval-no", compact=True, variant="error")

    def _rest(self) -> str:
        """What the whole script may do; "" if that is no more than this call."""
        lines = [] if self._call.script is None else [printable(line) for line in told(self._call.script)]
        more = [f"… and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
        return "" if len(lines) < 2 else "\n".join(["The whole script:", *lines[:_MOST_LINES], *more])

    def on_mount(self) -> None:
        """Show the arguments, or the wanted answers, whose defaults Yes gives; focus the answer No."""
        view = self.query_one(StreamView)
        self.query_one("#approval-no").focus()
        if self._call.question:
            view.show_value({"answers": self._call.answers} if self._call.answers else {})
            return
        if self._call.arguments in ({}, []):
            view.show_text("", "The call has no arguments.")
        else:
            view.show_value(self._call.arguments)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_answer((event.button.id or "").removeprefix("approval-"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A question cannot be answered for all calls to come."""
        return not (action == "answer" and parameters == ("always",) and self._call.question)

    def action_leave(self) -> None:
        """Close without an answer, where the call goes on waiting."""
        self.dismiss("later" if self._later else "no")

    def action_answer(self, answer: str) -> None:
        """Give an answer."""
        self.dismiss("once" if answer == "once" else "always" if answer == "always" else "no")
