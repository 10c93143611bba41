"""The screen that follows a server: on the left the scripts that it is asked to run, on the right one of them.

A call that waits for an approval is announced, and its question opens when the user asks for it: a dialog that came by itself
would take keys that were meant for something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from bashkit_tui.attached.followed_calls import FollowedCalls
from bashkit_tui.attached.server_events import RefusedError
from bashkit_tui.error_reports import reported
from bashkit_tui.messages import CallChosen
from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.protocols import ShownText
from bashkit_tui.runs.trace_rows import script_line
from bashkit_tui.texts.formatting import count, duration_text, printable
from bashkit_tui.widgets.key_bar import KeyBar
from bashkit_tui.widgets.output_log import OutputLog
from bashkit_tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from bashkit_tui.attached.followed_calls import Asked, FollowedScript
    from bashkit_tui.attached.server_events import Server
    from bashkit_tui.screens.approval import ApprovalScreen

_REFRESH = 0.1  # seconds between two looks at what is new


class ServerCalls(CallTree):
    """The tool calls of a script that runs elsewhere."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is no run of this inspector to export."""
        return action != "export" and super().check_action(action, parameters)


class AttachedScreen(Screen[None]):
    """Follows a server.

    Args:
        server: The server.
    """

    SCOPED_CSS = False  # the rules for sizes of the screen match a class of the screen
    DEFAULT_CSS = """
    #server-title { height: 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
    #server-halves { height: 1fr; }
    #server-scripts {
        width: 40; height: 1fr; padding: 1 0 0 1; border: none; background: $surface; text-wrap: nowrap; text-overflow: ellipsis;
        scrollbar-size-vertical: 1; overflow-x: hidden;
    }
    #server-scripts > .option-list--option-highlighted { background: $primary 20%; color: $foreground; text-style: bold; }
    #server-scripts:focus > .option-list--option-highlighted { background: $primary 40%; }
    #server-main { width: 1fr; }
    #server-script, #server-calls, #server-output { border: round $foreground 25%; border-title-color: $foreground-muted; }
    #server-script:focus, #server-calls:focus, #server-output:focus { border: round $primary; border-title-color: $text-primary; }
    #server-script { height: 3fr; padding: 0 1; }
    #server-status { height: 1; padding: 0 2; text-wrap: nowrap; text-overflow: ellipsis; }
    #server-calls { height: 4fr; }
    #server-output { height: 3fr; padding: 0 1; }
    .-narrow #server-halves { layout: vertical; }
    .-narrow #server-scripts { width: 1fr; height: 5; padding: 0 1; }
    .-narrow #server-main { height: 1fr; }
    """
    BINDING_GROUP_TITLE = "Server"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012 - Textual declares it for instances
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer", "Answer", id="server.answer", tooltip="Answer the call that waits for an approval"),
        Binding("l", "latest", "Latest", id="server.latest", tooltip="Show the newest script, and newer ones as they come"),
    ]

    def __init__(self, server: Server) -> None:
        super().__init__()
        self._server = server
        self._followed = FollowedCalls()
        self._state = Content.styled("connecting…", "$foreground-muted")
        self._new = True
        self._latest = True
        self._chosen = ""
        self._listed: list[str] = []
        self._drawn: object = None
        self._printed = False
        self._dialog: tuple[str, ApprovalScreen | None] = ("", None)  # the question that is shown
        self._always: set[tuple[str, str]] = set()  # pairs of a script and a tool

    def compose(self) -> ComposeResult:
        """The state of the connection; the scripts beside one of them."""
        yield Static(id="server-title", markup=False)
        with Horizontal(id="server-halves"):
            yield OptionList(id="server-scripts", compact=True, markup=False)
            with Vertical(id="server-main"):
                yield TextView(id="server-script")
                yield Static(id="server-status", markup=False)
                yield ServerCalls(id="server-calls")
                yield OutputLog(id="server-output")
        yield KeyBar()

    def on_mount(self) -> None:
        """Connect, and show what comes."""
        for name, title in (("script", "Script"), ("calls", "Calls"), ("output", "Output, when the script has ended")):
            self.query_one(f"#server-{name}").border_title = title
        self.query_one("#server-scripts").focus()
        self.watch(self.app, "theme", self._theme_changed, init=False)
        self._follow()
        self.set_interval(_REFRESH, self._catch_up)

    @work(group="follow", exit_on_error=False)
    @reported
    async def _follow(self) -> None:
        try:
            async for event in self._server.events(self._lost):
                self._state = Content.styled("● following", "$text-success")
                self._followed.take(event)
                self._new = True
                self._settle(event)
        except RefusedError as error:
            self._say(f"■ {error}", "$text-error")

    def _lost(self, reason: str, pause: float) -> None:
        self._say(f"○ no connection: {reason}; the next try is in {pause:g} s", "$text-warning")

    def _say(self, words: str, style: str) -> None:
        self._state = Content.styled(printable(words), style)
        self._new = True

    @property
    def followed(self) -> FollowedCalls:
        """What the server has told."""
        return self._followed

    # -- showing -------------------------------------------------------------------------------------------------------

    @reported
    def _theme_changed(self) -> None:
        self._drawn, self._new = None, True

    @reported
    def _catch_up(self) -> None:
        """Show what is new; while a script runs, its bars grow."""
        script = self.current
        if self._new:
            self._new = False
            self._fill()
            script = self.current
            self._draw(script)
        elif script is not None and not script.ended:
            self._draw(script)

    def _fill(self) -> None:
        self.query_one("#server-title", Static).update(self._title())
        scripts = list(reversed(self._followed.scripts.values()))
        if self._latest and scripts:
            self._chosen = scripts[0].key
        listed = self.query_one("#server-scripts", OptionList)
        keys = [script.key for script in scripts]
        with listed.prevent(OptionList.OptionHighlighted):
            if keys == self._listed:
                for place, script in enumerate(scripts):
                    listed.replace_option_prompt_at_index(place, _label(script))
            else:
                self._listed = keys
                listed.clear_options()
                listed.add_options(Option(_label(script)) for script in scripts)
            listed.highlighted = keys.index(self._chosen) if self._chosen in keys else (0 if keys else None)
        if self._chosen not in keys:
            self._chosen = keys[0] if keys else ""

    def _title(self) -> Content:
        parts: list[Content | str | tuple[str, str]] = [
            (" bashkit ", "bold $text-primary"),
            ("│ ", "$foreground-muted"),
            (printable(self._server.url), "bold"),
            "  ",
            self._state,
        ]
        if self._followed.toolsets:
            parts.append((f"  {printable(', '.join(self._followed.toolsets))}", "$foreground-muted"))
        if self._followed.lost:
            parts.append((f"  {count(self._followed.lost, 'event')} missed", "$text-warning"))
        waiting = len(self._followed.asking)
        if waiting:
            parts.append((f"  ? {count(waiting, 'call')} to answer: a", "bold $text-warning"))
        return Content.assemble(*parts)

    @property
    def current(self) -> FollowedScript | None:
        """The script on the right."""
        return self._followed.scripts.get(self._chosen)

    def _draw(self, script: FollowedScript | None) -> None:
        calls = self.query_one(ServerCalls)
        if script is None:
            self.query_one("#server-status", Static).update(
                Content.styled("What the clients of the server run is shown here from now on.", "$foreground-muted")
            )
            return
        if script is not self._drawn:
            self._drawn = script
            self.query_one(TextView).show(script.text, "bash" if script.is_script else "json")
            calls.begin(script.text)
            self.query_one(OutputLog).begin()
            self._printed = False
        calls.show(script.calls, script.elapsed)
        self.query_one("#server-status", Static).update(_status(script))
        if script.ended and not self._printed:
            self._printed = True
            self.query_one(OutputLog).feed([("stdout", script.stdout), ("stderr", script.stderr)])

    @on(OptionList.OptionHighlighted, "#server-scripts")
    @reported
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_index < len(self._listed):
            self._chosen = self._listed[event.option_index]
            self._latest = event.option_index == 0
            self._draw(self.current)

    @on(OptionList.OptionSelected, "#server-scripts")
    @reported
    def _entered(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.set_focus(self.query_one(ServerCalls))

    def shown_text(self) -> ShownText | None:
        """The script on the right."""
        script = self.current
        return None if script is None else ShownText("script.sh" if script.is_script else "arguments.json", script.text)

    # -- calls ---------------------------------------------------------------------------------------------------------

    @on(CallTree.Wanted)
    @reported
    def _wanted(self, event: CallTree.Wanted) -> None:
        event.stop()
        script = self.current
        if script is None or event.index >= len(script.calls):
            return
        if event.what == "copy":
            from bashkit.tools.call.command_line import call_line

            self.app.copy_to_clipboard(call_line(script.calls[event.index], None))
            self.notify("The command is on the clipboard.", timeout=2)
        elif event.what == "open":
            from bashkit_tui.screens.call import CallScreen

            order = self.query_one(ServerCalls).order
            calls = [script.calls[place] for place in order]

            def closed(wanted: int | None) -> None:
                if wanted is not None:
                    self.post_message(CallChosen(script_line(calls[wanted]), calls[wanted].column))

            self.app.push_screen(CallScreen(calls, order.index(event.index)), closed)

    @on(CallChosen)
    @reported
    def _to_line(self, event: CallChosen) -> None:
        event.stop()
        view = self.query_one(TextView)
        view.scroll_to(y=max(0, event.line - 1), animate=False)
        self.set_focus(view)

    # -- approvals -----------------------------------------------------------------------------------------------------

    def _settle(self, event: dict[str, Any]) -> None:
        """After an event: answer what was answered for all calls of its kind, tell of a question, close one that is over."""
        found = [(script, asked) for script, asked in self._followed.asking if asked.key == event.get("question")]
        for script, asked in found:
            if (script.key, asked.call.tool) in self._always and not asked.call.question:
                self._send(asked, allow=True)
            else:
                self.notify(f"{printable(asked.call.tool)} waits for an approval: a answers.", timeout=5, markup=False)
        key, screen = self._dialog
        if screen is not None and screen is self.app.screen and key not in (asked.key for _, asked in self._followed.asking):
            screen.dismiss("later")
            self.notify("The call does not wait for an answer any more.", timeout=5)

    def action_answer(self) -> None:
        """Show the question of the script on the right, or else the oldest one."""
        waiting = self._followed.asking
        if not waiting:
            self.notify("No call waits for an approval.", timeout=2)
            return
        from bashkit_tui.screens.approval import ApprovalScreen

        script, asked = next((one for one in waiting if one[0] is self.current), waiting[0])
        self._chosen, self._latest, self._new = script.key, False, True

        def answered(answer: str | None) -> None:
            self._dialog = ("", None)
            if answer is None or answer == "later":
                return
            if answer == "always":
                self._always.add((script.key, asked.call.tool))
            self._send(asked, allow=answer != "no")

        self._dialog = (asked.key, ApprovalScreen(asked.call, later=True))
        self.app.push_screen(self._dialog[1], answered)

    @work(group="answer", exit_on_error=False)
    async def _send(self, asked: Asked, *, allow: bool) -> None:
        problem = await self._server.answer(asked.key, allow=allow)
        if problem:
            self.notify(problem, severity="warning", markup=False)

    def action_latest(self) -> None:
        """Follow the newest script."""
        self._latest = self._new = True


def _label(script: FollowedScript) -> Content:
    """The row of a script: its state, its session, its first line."""
    mark, style = _state(script)
    first = next((line.strip() for line in script.text.splitlines() if line.strip() and not line.strip().startswith("#")), "")
    name = first if script.is_script else f"{script.tool} {script.text}"
    session = (f"{script.session[:6]} ", "$foreground-muted") if script.session else ""
    return Content.assemble((f"{mark} ", f"bold {style}"), session, printable(name)[:200])


def _state(script: FollowedScript) -> tuple[str, str]:
    if script.questions:
        return "?", "$text-warning"
    if not script.ended:
        return "●", "$text-warning"
    if script.unseen:
        return "○", "$foreground-muted"
    return ("✓", "$text-success") if script.exit_code == 0 and not script.error else ("✗", "$text-error")


def _status(script: FollowedScript) -> Content:
    mark, style = _state(script)
    if script.questions:
        words = f"{mark} {next(iter(script.questions.values())).call.tool} waits for an approval: a answers"
    elif not script.ended:
        words = f"{mark} running"
    elif script.unseen:
        words = f"{mark} ended while there was no connection"
    elif script.exit_code is None:
        words = f"■ {script.error}"
    else:
        words = f"{mark} exit {script.exit_code}" + (f"  {script.error}" if script.error else "")
    facts = f"  {duration_text(script.elapsed)}  {count(max(script.called, len(script.calls)), 'tool call')}"
    facts += f"  session {script.session}" if script.session else ""
    return Content.assemble((printable(words), f"bold {style}"), (printable(facts), "$foreground-muted"))
