"""The inspector under test: a small toolset, and the steps that its tests have in common."""

import asyncio
import contextlib
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
import textual.app
import textual.pilot
from rich.style import Style
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen
from textual.widgets import Static, TabbedContent

from bashkit_tui.app import InspectorApp
from bashkit_tui.main_screen.tool_tree import ToolTree
from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.panes.script.script_view import ScriptView
from bashkit_tui.settings.themes import DARK
from bashkit_tui.toolsets.reader import read_toolset, with_prompts
from bashkit_tui.widgets.output_log import OutputLog

FOLDER = Path(__file__).parent / "greenhouse"
GREENHOUSE = FOLDER / "greenhouse.yaml"
BROKEN = FOLDER / "broken.yaml"


async def nothing_to_do(min_sleep=0.0, max_sleep=1.0):
    """Wait until the event loop has no callback that is ready."""
    loop = asyncio.get_running_loop()
    quiet = 0
    while quiet < 3:
        await asyncio.sleep(0)
        quiet = 0 if loop._ready else quiet + 1


def open_toolset(path):
    """A toolset as the inspector has it after both steps of reading."""
    return with_prompts(read_toolset(path))


class Inspector:
    """An inspector that is running, as a test drives and reads it."""

    def __init__(self, app, pilot):
        self.app = app
        self.pilot = pilot

    async def press(self, *keys):
        """Press keys, each after what the one before it has changed is drawn."""
        for key in keys:
            await self.pilot.press(key)
            await self.settled()

    def send(self, *keys):
        """Press keys without waiting for what they do, as while a busy script leaves no quiet moment."""
        for key in keys:
            self.app.simulate_key(key)

    async def settled(self):
        """Wait until everything is done, and what it changed is drawn, and what waited for that is done too."""
        await nothing_to_do()
        await self.until(lambda: not getattr(self.app.screen, "behind", False))
        for _ in range(2):
            await nothing_to_do()
            self.app.screen._on_timer_update()
        await nothing_to_do()
        if (screen := self.app.screen)._compositor._dirty_regions:
            _paint(screen)
            await nothing_to_do()

    async def until(self, condition):
        """Let the inspector go on until something is so."""
        async with asyncio.timeout(60):
            while not condition():
                await self.pilot.pause(0.01)

    async def run(self, script):
        """Run a script to its end."""
        await self.write(script)
        await self.press("ctrl+r")
        await self.ended()

    async def ended(self):
        await self.until(lambda: not self.script.running and not self.script.behind)
        await self.settled()

    async def write(self, script):
        self.tab = "script"
        await self.settled()
        self.script.editor.focus()
        self.script.editor.put(script)
        await self.settled()

    def one(self, selector, kind=None):
        return self.app.screen.query_one(selector, kind) if kind else self.app.screen.query_one(selector)

    def text(self, selector):
        """What a Static shows, without colours."""
        return str(self.one(selector, Static).render())

    @property
    def screen(self):
        return self.app.screen

    @property
    def tab(self):
        return self.one(TabbedContent).active

    @tab.setter
    def tab(self, name):
        self.one(TabbedContent).active = name

    @property
    def script(self):
        return self.one(ScriptView)

    @property
    def status(self):
        return self.text("#status")

    @property
    def output(self):
        """The lines of the output, without colours."""
        return [strip.text.rstrip() for strip in self.one(OutputLog).lines]

    @property
    def calls(self):
        """The cells of the trace, without colours."""
        return self.one(CallTree).table()

    @property
    def tree(self):
        """The labels of the tree with their badges, indented by depth."""
        lines = []
        tree = self.one(ToolTree)

        def visit(node, depth):
            label = tree.render_label(node, Style(), Style()).plain
            lines.append("  " * depth + label.removeprefix(tree.ICON_NODE_EXPANDED).removeprefix("  "))
            for child in node.children:
                visit(child, depth + 1)

        for child in tree.root.children:
            visit(child, 0)
        return lines

    @property
    def notes(self):
        """The notifications so far."""
        return [note.message for note in self.app._notifications]

    def shown(self):
        """The whole screen as text."""
        width, height = self.app.size
        lines = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in lines)[: (width + 1) * height]


@pytest.fixture(autouse=True)
def pilots_wait_for_work_and_not_for_time(monkeypatch):
    """Textual's pilot waits until the process uses little of the processor for 20 ms: too long when it is idle, too short when another is not."""
    for module in (textual.app, textual.pilot):
        monkeypatch.setattr(module, "wait_for_idle", nothing_to_do)

    async def processed(self, *_):
        """Textual's own waits half a minute, and then fails, when a widget goes away that it waits for."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):  # a busy script leaves no moment without work
                await nothing_to_do()
        return True

    monkeypatch.setattr(textual.pilot.Pilot, "_wait_for_screen", processed)


_paint = Screen._compositor_refresh


@pytest.fixture(autouse=True)
def only_what_is_settled_is_painted(monkeypatch):
    """What changes before a test looks at the screen is painted with what comes after it: three quarters of all paintings."""
    monkeypatch.setattr(Screen, "_compositor_refresh", lambda screen: None if screen is screen.app.screen else _paint(screen))


@pytest.fixture(autouse=True, scope="session")
def stylesheets_are_parsed_once():
    """Inspectors that are opened one after another parse the same style sheets, which is a tenth of the work of opening one."""
    parsed, parse = {}, Stylesheet._parse_rules
    given = weakref.WeakKeyDictionary()  # the variables of a sheet, and their items: there are some hundred

    def remembered(self, *what, **more):
        if self not in given or given[self][0] is not self._variables:
            given[self] = (self._variables, frozenset(self._variables.items()))
        key = (given[self][1], what, frozenset(more.items()))
        if key not in parsed:
            parsed[key] = parse(self, *what, **more)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", remembered)
        yield


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    """A terminal of a person."""
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def inspect(monkeypatch, tmp_path_factory):
    """Open an inspector: ``async with inspect(paths, size=…) as inspector``."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.setattr("bashkit_tui.main_screen.screen._REST", 0.001)

    @contextlib.asynccontextmanager
    async def opening(*paths, size=(120, 40), theme=DARK, poll_seconds=3600.0):
        app = InspectorApp([GREENHOUSE] if not paths else [Path(path) for path in paths], poll_seconds=poll_seconds)
        app.animation_level = "none"
        app.theme = theme.name
        async with app.run_test(size=size, notifications=True) as pilot:
            inspector = Inspector(app, pilot)
            await inspector.until(lambda: app.screen.ready)
            await inspector.settled()
            yield inspector

    return opening


@pytest.fixture
def no_time(monkeypatch):
    """Everything takes no time."""
    clock = SimpleNamespace(monotonic=lambda: 0.0)
    monkeypatch.setattr("bashkit_tui.runs.script_run.time", clock)
    monkeypatch.setattr("bashkit.tools.call.adapter.time", clock)
