"""Whatever a tool, a file or a schema says is data: no markup, no link, no control sequence reaches the terminal, from no widget."""

import json
import re

import pytest
from textual.widgets import TabbedContent

from bashkit.runs.history_file import HistoryFile, PastCall, PastRun
from bashkit.tools import ToolCall, ToolDef
from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.panes.script.completion_list import CompletionList
from bashkit_tui.panes.script.file_view import FileTree, FileView
from bashkit_tui.panes.tool.tool_form import ToolForm
from bashkit_tui.panes.tool.tool_view import ToolView
from bashkit_tui.screens.approval import ApprovalScreen
from bashkit_tui.screens.call import CallScreen
from bashkit_tui.screens.compare import CompareScreen
from bashkit_tui.screens.history import HistoryScreen
from bashkit_tui.widgets.output_log import OutputLog

pytestmark = pytest.mark.thorough

EVIL = "\x1b]8;;http://evil\x07link\x1b]8;;\x07\x1b[2J[@click=app.quit]go[/][bold red]x[/]$primary\x9b31m\x00\x7f\u202e"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(inspector):
    """Every segment on the screen: no control character, and neither link nor action that the data brought along."""
    for strip in inspector.app.screen._compositor.render_strips():
        for segment in strip:
            assert not CONTROLS.search(segment.text), repr(segment.text)
            style = segment.style
            assert style is None or not style.link
            assert style is None or "quit" not in str(style.meta)
    return inspector.shown()


@pytest.fixture
def evil(inspect, tmp_path):
    """A toolset every text of which is hostile."""
    texts = json.dumps(EVIL)
    file = tmp_path / "evil.yaml"
    file.write_text(f"""\
version: 1
name: evil
description: {texts}
policy: {{read: ask}}
tools:
  - name: bad
    description: {texts}
    category: {texts}
    tags: [{texts}]
    effects: read
    input_schema:
      type: object
      properties:
        {texts}: {{type: string, description: {texts}, default: {texts}}}
        pick: {{enum: [{texts}, b], description: {texts}}}
        id: {{type: string}}
    output_schema: {{type: object, properties: {{{texts}: {{type: string}}}}}}
    examples: [{{command: {texts}, description: {texts}, output: {texts}}}]
    stub: {texts}
""")
    return lambda **options: inspect(file, **options)


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_a_tool(evil, size):
    async with evil(size=size) as inspector:
        view = inspector.one(ToolView)
        await inspector.until(lambda: view._definition is not None)
        for part in ("about", "schema", "usage", "form"):
            view.show_part(part)
            await inspector.settled()
            assert "bad" in harmless(inspector)
        form = inspector.one(ToolForm)
        await inspector.until(lambda: form.rows and form.rows[-1].is_mounted)
        for row in form.rows:
            if hasattr(row.control, "value") and row.item.kind == "text":
                row.control.value = "[bold]\x1b[2J"
        await inspector.settled()
        assert "[bold]" in harmless(inspector)


async def test_a_toolset(evil):
    async with evil() as inspector:
        await inspector.press("home")
        await inspector.settled()
        assert "[@click" in harmless(inspector)


async def test_output_errors_and_trace(evil):
    async with evil() as inspector:
        await inspector.press("2", "f9")  # stubs: no question
        await inspector.run("bad --id $'[red]\\e[2J'; bad --id x >&2; printf '%s\\n' \"$(bad)\"")
        shown = harmless(inspector)
        assert "[@click=app.quit]go[/]" in shown
        assert "␛[2J" in shown
        assert len(inspector.calls) == 3


async def test_the_screen_of_a_call_and_the_question_about_one(evil):
    from bashkit.tools.call.policy import PlannedCall

    async with evil() as inspector:
        await inspector.write("")
        call = ToolCall("b[@click=app.quit]d", 1, 1, {EVIL: EVIL, "list": [EVIL]}, 0.0, exit_code=1, duration=1.0, error=EVIL,
                        stdin_bytes=9, stdin=EVIL, stdout_bytes=9, stdout=json.dumps({EVIL: EVIL}), stderr_bytes=9, stderr=EVIL)  # fmt: skip
        inspector.app.push_screen(CallScreen([call], 0, inspector.screen.current.toolset))
        await inspector.until(lambda: isinstance(inspector.screen, CallScreen) and inspector.screen.is_mounted)
        for part in ("arguments", "stdin", "stdout", "stderr"):
            inspector.one("#call-parts", TabbedContent).active = f"call-{part}"
            await inspector.settled()
            assert "@click" in harmless(inspector)
        inspector.app.push_screen(ApprovalScreen(PlannedCall("b[@click=app.quit]d", {EVIL: EVIL}, "read", 1, 1)))
        await inspector.until(lambda: isinstance(inspector.screen, ApprovalScreen) and inspector.screen.is_mounted)
        await inspector.settled()
        assert "b[@click=app.quit]d" in harmless(inspector)


async def test_files(evil):
    async with evil() as inspector:
        await inspector.press("2", "f9")
        await inspector.run("bad > $'[red]\\e[2J'; ln -s $'\\e[2J' link")
        inspector.one("#traces", TabbedContent).active = "files"
        await inspector.until(lambda: inspector.screen.query(FileView) and inspector.one(FileTree).root.children)
        await inspector.settled()
        for _ in range(4):
            inspector.one(FileTree).action_cursor_down()
            await inspector.settled()
            assert "[red]␛[2J" in harmless(inspector)


async def test_history_and_comparison(evil):
    run = PastRun(0.0, "evil", EVIL, f"echo {EVIL}", 1, EVIL, 1.0, 1, EVIL, EVIL, (PastCall(EVIL, 1, EVIL, 0, 0.0),))
    async with evil() as inspector:
        HistoryFile().add(run)
        HistoryFile().add(PastRun(1.0, "evil", "real", "true", 0, None, 1.0, 0, "", "", ()))
        await inspector.press("f3")
        await inspector.until(lambda: isinstance(inspector.screen, HistoryScreen) and inspector.screen.is_mounted)
        await inspector.press("insert", "down")
        await inspector.settled()
        assert "[@click=app.quit]go[/]" in harmless(inspector)
        await inspector.press("insert")
        await inspector.until(lambda: isinstance(inspector.screen, CompareScreen) and inspector.screen.is_mounted)
        await inspector.settled()
        assert "[@click=app.quit]go[/]" in harmless(inspector)


async def test_completions_and_a_script_that_is_opened(evil, tmp_path):
    (tmp_path / "[red]x.sh").write_text(f"echo '{EVIL}'\n".replace("\0", ""), encoding="utf-8")
    async with evil() as inspector:
        await inspector.write("")
        await inspector.until(lambda: inspector.script.editor.vocabulary is not None)
        inspector.script.editor.put("bad --pick ")
        await inspector.press("ctrl+@")
        await inspector.until(lambda: inspector.one(CompletionList).offered)
        await inspector.settled()
        assert "link" in harmless(inspector)
        await inspector.press("escape")
        inspector.script.editor.read(tmp_path / "[red]x.sh")
        await inspector.settled()
        assert "[red]x.sh" in harmless(inspector)
        log = inspector.one(OutputLog)
        log.feed([("stdout", "x" * 10_000_000 + "\nend\n")])
        assert log.text.split("\n")[0].endswith("x… (9\u202f996\u202f000 more characters)")
        assert log.text.split("\n")[1] == "end"


@pytest.mark.parametrize("width", [(140, 40), (60, 20)])
async def test_wide_letters_do_not_break_the_columns(inspect, width):
    async with inspect(size=width) as inspector:
        await inspector.run(
            "echo 日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語; get_plant --id 1 --unit 日本"
        )
        tree = inspector.one(CallTree)
        assert {tree.render_line(y).cell_length for y in range(3)} == {tree.scrollable_content_region.width}


def test_names_of_tools_cannot_be_hostile():
    with pytest.raises(Exception, match="cannot be called"):
        ToolDef(EVIL)
