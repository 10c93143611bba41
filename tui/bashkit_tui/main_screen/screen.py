"""The main screen: toolsets and tools on the left, the panes on the right.

It takes the place of the opening screen, and shows the frame alone. Then the toolsets are read, the tree is filled, and the tabs
get their widgets (``bashkit_tui.panes``). A pane is brought up to date when it is shown.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on, work
from textual.binding import Binding, BindingType
from textual.widgets import Input, TabbedContent, TabPane

from bashkit.importing import one_thread
from bashkit_tui.error_reports import reported
from bashkit_tui.main_screen.pane_frame import PaneFrame
from bashkit_tui.main_screen.row_compositor import RowCompositor
from bashkit_tui.main_screen.script_commands import ScriptCommands
from bashkit_tui.main_screen.sidebar import Sidebar
from bashkit_tui.main_screen.title_bar import TitleBar
from bashkit_tui.main_screen.tool_tree import Entry, ToolTree
from bashkit_tui.messages import SnapshotsChanged, ToolSelected
from bashkit_tui.panes import Pane, panes, tool
from bashkit_tui.protocols import FilePlace, OffersText, ShownText, ShowsSelection
from bashkit_tui.settings.key_bindings import is_text
from bashkit_tui.texts.formatting import count
from bashkit_tui.toolsets.library import Library
from bashkit_tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.app import ComposeResult
    from textual.binding import ActiveBinding
    from textual.timer import Timer

    from bashkit_tui.app import InspectorApp
    from bashkit_tui.toolsets.opened_toolset import OpenedToolset


_LEADING = frozenset({"filter", "fold", "form", "tab", "turn"})  # the actions that move the focus on this screen
_MOVES = frozenset({"up", "down", "pageup", "pagedown", "home", "end"})  # the keys that move the cursor in the tree
_REST = 0.05  # seconds that the cursor must rest before a pane follows it


def _leads(binding: Binding) -> bool:
    return binding.action.partition("(")[0] in _LEADING


def _load(pane: Pane) -> None:
    with one_thread:  # for the toolsets are being read in another
        pane.load()


class InspectorScreen(ScriptCommands):
    """Shows one or more toolsets.

    Args:
        paths: Toolset files, or directories; the bundled examples when empty.
        poll_seconds: The time between two polls of the files.
    """

    DEFAULT_CSS = """
    InspectorScreen {
        layout: horizontal;  /* without containers: each costs a third of a millisecond per key */
        & > #title { dock: top; }
        & > #tabs { width: 1fr; height: 1fr; }
    }
    """
    AUTO_FOCUS = "ToolTree"
    BINDING_GROUP_TITLE = "Inspector"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012 - Textual declares it for instances
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]  # noqa: RUF012 - Textual declares it for instances
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "Filter", id="tools.filter", tooltip="Type a few letters of the tools that are wanted"),
        Binding(
            "ctrl+b", "fold", "Fold", id="tools.fold", show=False,
            tooltip="Show the tree only while the focus is in it, or always",
        ),
        Binding(
            "f2,ctrl+l", "reload", "Reload", id="toolset.reload", show=False,
            tooltip="Read the files again; they are watched as well",
        ),
        Binding(
            "f4", "check", "Check", id="toolset.check", show=False,
            tooltip="Import every callback, find every executable, and say what could be better",
        ),
        Binding(
            "f10,t", "tests", "Tests", id="toolset.tests", show=False,
            tooltip="Run the tests of the toolset, now and after every change, and mark the tools of those that fail",
        ),
        *(pane.binding for pane in panes().values()),
        Binding(
            "f8,ctrl+pagedown", "turn(1)", "Next tab", id="tab.next", show=False,
            tooltip="Show the next tab, from inside the editor too",
        ),
        Binding("ctrl+pageup", "turn(-1)", "Previous tab", id="tab.previous", show=False, tooltip="Show the tab before"),
    ]  # fmt: skip

    def __init__(self, paths: Sequence[Path] = (), poll_seconds: float = 1.0) -> None:
        super().__init__()
        self._compositor = RowCompositor()
        self.library = Library(paths)
        self._poll_seconds = poll_seconds
        self._selected: Entry | None = None
        self._shown: dict[str, tuple[OpenedToolset, str | None]] = {}
        self._due: Timer | None = None
        self._furnished = False
        self._furnishing = asyncio.Lock()
        self._leading: tuple[Mapping[str, str] | None, frozenset[str]] = (None, frozenset())
        self._awaited = asyncio.Lock()  # held by an action that waits for a pane

    # -- parts ---------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """The title, the tree beside the panes, the keys."""
        yield TitleBar(id="title")
        yield Sidebar(id="sidebar")
        with TabbedContent(initial=next(iter(panes())), id="tabs"):
            for pane in panes().values():
                yield PaneFrame(pane.title, id=pane.id)
        yield KeyBar()

    def on_mount(self) -> None:
        """Focus the tree; read the toolsets after the first paint."""
        self.set_focus(self.query_one(ToolTree))  # at once: the next key goes there
        self.watch(self.app, "theme", self._theme_changed, init=False)
        self.call_after_refresh(self._begin)

    @reported
    def _begin(self) -> None:
        self._read(None)
        self.set_interval(self._poll_seconds, self.poll)

    @property
    def opened(self) -> list[OpenedToolset]:
        """The toolsets that have been read, in their order."""
        return self.library.opened

    @property
    def current(self) -> OpenedToolset | None:
        """The toolset that the cursor is in."""
        return None if self._selected is None else self.library.get(self._selected.path)

    @property
    def current_tool(self) -> str | None:
        """The tool that the cursor is on."""
        return None if self._selected is None else self._selected.tool

    @property
    def current_pane(self) -> Pane:
        """The pane that is shown."""
        return panes()[self.query_one("#tabs", TabbedContent).active]

    @property
    def behind(self) -> bool:
        """Whether the pane does not show the selection yet."""
        return self._due is not None

    @property
    def ready(self) -> bool:
        """Whether every toolset has been read and shown."""
        return self._furnished and self.library.complete and not self.behind

    # -- reading -------------------------------------------------------------------------------------------------------

    @work(group="read", exit_on_error=False)
    @reported
    async def _read(self, paths: Sequence[Path] | None) -> None:
        await self.library.read(paths, self._progress)

    async def _progress(self) -> None:
        self._show_all()
        if not self._furnished and (self.library.complete or any(not item.reading for item in self.opened)):
            await self._furnish()

    async def furnish(self) -> None:
        """Return once every pane has its widget; an action that needs one awaits this, and the keys after it wait, too."""
        if self._furnished:
            return
        async with self._awaited:
            await self._furnish()

    async def held(self, key: str) -> None:
        """Wait until what a key needs is there: its modules, the pane of an action before it, the pane that it may be about."""
        await self.library.imported.wait()
        async with self._awaited:
            if self._due is not None and key not in _MOVES:
                self._show()

    async def led(self, key: str) -> bool:
        """Move the focus, if that is what a key does; return whether it was. Textual would let the widget with the focus look
        for the action, while the next keys follow to that widget.
        """
        if key not in self._leading_keys():  # most keys; what is bound now takes a millisecond to find out
            return False
        active = self.active_bindings.get(key)
        if active is None or not active.enabled or active.node is not self or not _leads(active.binding):
            return False
        if self._furnished:
            await self.app.run_action(active.binding.action, self)
        else:
            await self._awaited.acquire()  # the next keys wait
            self.run_worker(self._lead(active.binding.action), exit_on_error=False)
        return True

    def _leading_keys(self) -> frozenset[str]:
        """The keys that may move the focus, whatever has it."""
        keymap = self.app._keymap  # noqa: SLF001 - Textual tells it nowhere else; a changed one is another object
        if self._leading[0] is not keymap:
            bindings = self._bindings.copy()
            bindings.apply_keymap(keymap)
            found = frozenset(key for key, bound in bindings.key_to_bindings.items() if any(map(_leads, bound)))
            self._leading = (keymap, found)
        return self._leading[1]

    @reported
    async def _lead(self, action: str) -> None:
        """Do an action when the panes have their widgets."""
        try:
            await self._furnish()
            await self.app.run_action(action, self)
        finally:
            self._awaited.release()

    async def _furnish(self) -> None:
        """Put the widgets into the panes, into the one that is shown first."""
        async with self._furnishing:
            if self._furnished:
                return
            first, *others = panes().values()
            await self._fill([first])
            await self._fill(others)
            self._furnished = True
        self._show()

    async def _fill(self, some: Sequence[Pane]) -> None:
        """Put the widgets into some panes and draw them once; a thread imports their modules."""
        for pane in some:
            await asyncio.to_thread(_load, pane)
        with self.app.batch_update():
            for pane in some:
                await self.query_one(f"#{pane.id}", TabPane).mount(pane.make())

    def poll(self) -> None:
        """Read the changed toolsets again."""
        if self.library.complete:
            self._poll()

    @work(group="poll", exclusive=True, exit_on_error=False)
    @reported
    async def _poll(self) -> None:
        changed = await asyncio.to_thread(self.library.changed)
        if changed:
            self._read(changed)

    @reported
    def _show_all(self) -> None:
        """Fill the tree again, and show its selection."""
        tree = self.query_one(ToolTree)
        tree.show(self.opened, tree.entry or self._selected)
        self._selected = tree.entry or self._selected  # a filter may hide all
        self.query_one(Sidebar).explain("There is no toolset here." if self.library.complete else "Reading…")
        self._show()

    @reported
    def _theme_changed(self) -> None:
        self._shown.clear()
        self._show_all()

    # -- showing -------------------------------------------------------------------------------------------------------

    @on(ToolSelected)
    @reported
    def _select(self, event: ToolSelected) -> None:
        event.stop()
        self._selected = self.query_one(ToolTree).entry
        self._show_soon()
        if event.opened:
            self.show_tab(tool.PANE.id)

    def _show_soon(self) -> None:
        """Show the selection when the cursor rests, so that it never waits for a pane, and a key that is held down for none."""
        if self._due is not None:
            self._due.stop()
        self._due = self.set_timer(_REST, self._show)

    @reported
    def _show(self) -> None:
        """Bring the title and the visible pane up to date with the selection."""
        if self._due is not None:
            self._due.stop()
            self._due = None
        opened = self.current
        if opened is None:
            return
        self.query_one(TitleBar).show(opened)
        self._label_tabs(opened)
        pane = self.current_pane
        state = (opened, self.current_tool)
        known = self._shown.get(pane.id)
        if not self._furnished or (known is not None and known[0] is opened and known[1] == state[1]):
            return
        if opened.reading:
            return
        self._shown[pane.id] = state
        view = self.query_one(f"#{pane.view_id}")
        if isinstance(view, ShowsSelection):
            view.show_selection(*state)

    def _label_tabs(self, opened: OpenedToolset) -> None:
        """Update the labels of the tabs; an unchanged label costs no new layout."""
        for pane in panes().values():
            if pane.label is not None:
                tab, label = self.query_one("#tabs", TabbedContent).get_tab(pane.id), pane.label(opened)
                if tab.label != label:
                    tab.label = label

    @on(TabbedContent.TabActivated, "#tabs")
    @reported
    def _tab_shown(self) -> None:
        self._show()

    def show_tab(self, tab: str) -> None:
        """Show a tab; the focus stays where it is."""
        self.query_one("#tabs", TabbedContent).active = tab
        self._show()

    def go_to_tool(self, path: Path, name: str | None) -> None:
        """Select a tool, or a toolset, and show it."""
        self.query_one("#filter", Input).value = ""
        self._selected = Entry(path, name)
        self.query_one(ToolTree).show(self.opened, self._selected)
        self.show_tab(tool.PANE.id)

    def edit_toolset(self, path: Path) -> None:
        """Open a toolset file in the editor."""
        cast("InspectorApp", self.app).edit(FilePlace(path))

    @on(SnapshotsChanged)
    @reported
    def _compare_again(self, event: SnapshotsChanged) -> None:
        event.stop()
        self.poll()

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """Textual's hook, which the footer reads: without the keys that the focused widget takes as text."""
        return {key: active for key, active in super().active_bindings.items() if not is_text(self.focused, key)}

    # -- what it offers ------------------------------------------------------------------------------------------------

    def shown_text(self) -> ShownText | None:
        """The text of the visible pane."""
        view = self.query_one(f"#{self.current_pane.view_id}") if self._furnished else None
        return view.shown_text() if isinstance(view, OffersText) else None

    def file_place(self) -> FilePlace | None:
        """Where the selected tool, or the toolset, is declared."""
        opened = self.current
        if opened is None:
            return None
        declared = opened.tool(self.current_tool)
        if declared is None or not declared.document.text:  # a directory of executables has no document
            problem = next((one for one in opened.problems if self.current_tool in opened.broken), None)
            return FilePlace(Path(problem.file), problem.line, problem.column) if problem is not None else FilePlace(opened.path)
        return FilePlace(Path(declared.document.file), declared.mark.line, declared.mark.column)

    # -- actions -------------------------------------------------------------------------------------------------------

    def action_filter(self) -> None:
        """Focus the filter."""
        self.set_focus(self.query_one("#filter", Input))  # at once: the next key goes there

    async def action_fold(self) -> None:
        """Fold the tree away whenever the focus is elsewhere, or let it stay."""
        if self.query_one(Sidebar).fold():
            await self.action_tab(self.current_pane.id)
        else:
            self.set_focus(self.query_one(ToolTree))

    def action_reload(self) -> None:
        """Read every file again."""
        self._read(None)
        self.notify("Read again.", timeout=2)

    async def action_tab(self, tab: str) -> None:
        """Show a tab and focus its widget."""
        await self.furnish()
        self.show_tab(tab)
        self.set_focus(self.query_one(panes()[tab].focus))

    async def action_turn(self, step: int) -> None:
        """Show the tab ``step`` places to the right."""
        names = list(panes())
        await self.action_tab(names[(names.index(self.current_pane.id) + step) % len(names)])

    def action_check(self) -> None:
        """Check that the callbacks of the current toolset exist, and add advice to its problems."""
        opened = self.current
        if opened is not None and opened.path.is_file():
            self._check(opened.path)

    @work(group="check", exclusive=True, exit_on_error=False)
    @reported
    async def _check(self, path: Path) -> None:
        from bashkit.toolset import check

        found = await asyncio.to_thread(check, path, advise=True)
        self.library.add_problems(path, found)
        self._show_all()
        if found:
            errors = sum(1 for problem in found if problem.severity == "error")
            advice = len(found) - errors
            words = [count(number, word) for number, word in ((errors, "problem"), (advice, "warning")) if number]
            self.notify(f"{' and '.join(words)}: see the Problems tab.", severity="warning")
        else:
            self.notify("Every callback was found, and there is nothing to advise.")

    def action_tests(self) -> None:
        """Run the tests of the current toolset."""
        from bashkit.toolset.script_tests import script_tests

        opened = self.current
        if opened is None or opened.toolset is None:
            return
        if not script_tests(opened.toolset):
            self.notify("The toolset has no tests: it declares them with the key `tests`.", timeout=4, markup=False)
            return
        self._test(opened.path)

    @work(group="tests", exclusive=True, exit_on_error=False)
    @reported
    async def _test(self, path: Path) -> None:
        self.notify("The tests are running…", timeout=2)
        await self.library.run_tests(path)
        self._show_all()
        opened = self.library.get(path)
        if opened is not None and opened.tests is not None:
            failed, every = len(opened.tests.failed), len(opened.tests.outcomes)
            note = f"{every - failed} passed, {failed} failed{': see the Problems tab' if failed else ''}."
            self.notify(note, severity="warning" if failed else "information")
