"""Running: floods, modes, limits, approvals."""

import itertools

import pytest

from bashkit_tui.panes.script.script_view import ScriptView
from bashkit_tui.runs.script_run import ScriptRun
from bashkit_tui.screens.approval import ApprovalScreen
from bashkit_tui.widgets.output_log import OutputLog

SHED = """\
version: 1
name: shed
limits: {timeout: 30s, max_commands: 100000000, max_loop_iterations: 100000000, max_output_bytes: 200000000}
tools:
  - name: burn
    description: Burn it down
    effects: destructive
    input_schema: {type: object, properties: {what: {type: string}}}
    callback: {python: shed.burn}
    stub: not really
  - name: see_it
    effects: read
    callback: {python: shed.see_it}
    stub: a stub
  - {name: peek, effects: read, callback: {python: shed.peek}}
  - {name: fill, effects: write, callback: {python: shed.fill}}
  - {name: send, effects: destructive, callback: {http: {method: DELETE, url: "http://127.0.0.1:9/"}}}
  - {name: sweep, effects: destructive, callback: {skill: ./broom, script: sweep.sh}}
  - {name: clear, effects: destructive, callback: {script: see_it}}
"""
CODE = """\
def burn(args):
    return f"burnt {args['what']}\\n"


def see_it(args):
    return "real\\n"


def peek(args):
    return "peeked\\n"


def fill(args):
    return "filled\\n"
"""
NUMBERS = itertools.count()


@pytest.fixture
def shed(inspect, tmp_path):
    module = f"shed_{next(NUMBERS)}"  # Python knows a module by its name, wherever it is
    (tmp_path / "shed.yaml").write_text(SHED.replace("shed.", f"{module}."))
    (tmp_path / f"{module}.py").write_text(CODE)
    (tmp_path / "broom").mkdir(exist_ok=True)
    (tmp_path / "broom/SKILL.md").write_text("---\nname: broom\ndescription: Sweeps.\n---\n")
    (tmp_path / "broom/sweep.sh").write_text("#!/bin/sh\necho filled\n")
    return lambda **options: inspect(tmp_path / "shed.yaml", **options)


# -- floods ------------------------------------------------------------------------------------------------------------


def test_output_that_nobody_takes_stays_small():
    from bashkit.tools import ToolStatus

    run = ScriptRun(None, "")
    for _ in range(200):
        run._status(ToolStatus.stdout("x" * 50_000))
    assert sum(len(text) for _, text in run.chunks) <= 1_000_000
    pieces, dropped = run.take()
    assert sum(len(text) for _, text in pieces) + dropped == 10_000_000
    assert run.take() == ([], 0)


def test_a_piece_that_is_too_large_keeps_its_end():
    from bashkit.tools import ToolStatus

    run = ScriptRun(None, "")
    run._status(ToolStatus.stdout("a" * 1_500_000 + "end"))
    pieces, dropped = run.take()
    assert (pieces[0][1][-3:], len(pieces[0][1]), dropped) == ("end", 1_000_000, 500_003)


def test_of_a_flood_the_first_part_outlasts_the_run():
    from bashkit.tools import ToolStatus

    run = ScriptRun(None, "")
    for _ in range(3):
        run._status(ToolStatus.stdout("x" * 60_000))
    run._status(ToolStatus.stderr("bad"))
    outcome = run.ended_early("cancelled")
    assert outcome.stdout == "x" * 100_000 + "… (180\u202f000 characters)"
    assert outcome.stderr == "bad"


@pytest.mark.thorough
async def test_a_flood_leaves_the_interface_alive_and_says_what_was_cut(shed):
    async with shed() as inspector:
        await inspector.write("while :; do printf '%01000d\\n' 1 2 3 4 5 6 7 8 9 0; done")
        inspector.send("ctrl+r")
        await inspector.until(lambda: "MB before this not kept" in (inspector.one(OutputLog).border_subtitle or ""))
        inspector.send("x", "y")  # the keys go into the editor, which has the focus
        await inspector.until(lambda: inspector.script.editor.text.endswith("xy"))
        inspector.send("escape")
        await inspector.until(lambda: not inspector.script.running)
        assert len(inspector.one(OutputLog).text) < 2_100_000


# -- what answers ------------------------------------------------------------------------------------------------------


async def test_the_mode_says_what_answers(shed):
    async with shed() as inspector:
        await inspector.write("see_it")
        assert str(inspector.script.editor.border_subtitle) == "real callbacks · at most 30 s · 100\u202f000\u202f000 commands"
        await inspector.press("f9", "f9", "f9", "ctrl+r")
        assert "Nothing is recorded yet: run a script with real callbacks first." in inspector.notes
        assert inspector.script.outcome is None
        await inspector.press("f9")
        await inspector.run("see_it")
        assert inspector.output == ["real"]
        assert "real callbacks" in str(inspector.script.editor.border_subtitle)
        await inspector.press("f9")
        await inspector.run("see_it; burn --what shed")  # stubs need no approval
        assert inspector.output == ["a stub", "not really"]
        assert inspector.status.endswith("stubs")
        await inspector.press("f9", "f9")
        await inspector.run("see_it")
        assert inspector.output == ["real"]
        assert inspector.status.endswith("replay")


def mode_color(inspector):
    """The style of the mode on the status line."""
    shown = inspector.one("#status").content
    return shown.spans[-1].style


@pytest.mark.parametrize(
    ("presses", "mode", "scripts"),
    [
        (1, "stubs", {"peek": (), "fill; see_it": ("a stub",), "sweep": (), "clear": ("a stub",)}),
        (2, "stubs, else real", {"peek; see_it": ("peeked", "a stub"), "fill": ()}),
    ],
)
async def test_with_stubs_no_other_callback_runs(shed, presses, mode, scripts):
    async with shed() as inspector:
        await inspector.write("")
        await inspector.press(*["f9"] * presses)
        for script, output in scripts.items():
            await inspector.run(script)
            text = "\n".join(inspector.output)
            assert [line for line in output if line in text] == list(output)
            assert "filled" not in text
            refused = f"{script.partition(';')[0]}: it has no stub, and the mode {mode!r} does not run its callback"
            assert (refused in inspector.one(OutputLog).text) == (script not in {"clear", "peek; see_it"})
            assert not inspector.script.panel.last.wrote


async def test_the_mode_changes_its_colour_when_a_tool_that_writes_was_called(shed):
    async with shed() as inspector:
        await inspector.run("peek")
        assert inspector.status.endswith("real callbacks")
        calm = mode_color(inspector)
        await inspector.run("fill")
        assert inspector.status.endswith("real callbacks, written")
        assert mode_color(inspector) != calm


# -- approvals ---------------------------------------------------------------------------------------------------------


async def asked(inspector, script):
    await inspector.write(script)
    await inspector.press("ctrl+r")
    await inspector.until(lambda: isinstance(inspector.screen, ApprovalScreen) and inspector.screen.is_mounted)
    await inspector.settled()


async def done(inspector):
    view = inspector.app.screen_stack[0].query_one(ScriptView)
    await inspector.until(lambda: not view.running and not view.behind and not isinstance(inspector.screen, ApprovalScreen))
    await inspector.settled()


async def test_a_destructive_call_is_put_to_the_user(shed):
    async with shed() as inspector:
        await asked(inspector, "burn --what shed")
        assert 'what: "shed"' in inspector.shown()
        await inspector.press("y")
        await done(inspector)
        assert inspector.output == ["burnt shed"]
        for key in ("n", "escape", "enter"):
            await asked(inspector, "burn --what shed || echo went on")
            await inspector.press(key)
            await done(inspector)
            assert inspector.output == ["burn: the call was not approved", "went on"], key


@pytest.mark.parametrize("tool", ["send", "sweep", "clear"])
async def test_callbacks_of_every_kind_are_put_to_the_user(shed, tool):
    async with shed() as inspector:
        await asked(inspector, tool)
        await inspector.press("n")
        await done(inspector)
        assert inspector.output == [f"{tool}: the call was not approved"]


async def test_always_holds_for_the_tool_and_the_run(shed):
    async with shed() as inspector:
        await asked(inspector, "burn --what a; burn --what b")
        await inspector.press("a")
        await done(inspector)
        assert inspector.output == ["burnt a", "burnt b"]
        await asked(inspector, "burn --what c")
        await inspector.press("n")
        await done(inspector)


async def test_parallel_calls_are_asked_about_one_after_the_other(shed):
    async with shed() as inspector:
        await asked(inspector, "burn --what a & burn --what b & wait")
        first = inspector.screen
        await inspector.press("y")
        await inspector.until(lambda: isinstance(inspector.screen, ApprovalScreen) and inspector.screen is not first)
        await inspector.settled()
        await inspector.press("y")
        await done(inspector)
        assert sorted(inspector.output) == ["burnt a", "burnt b"]


# -- room --------------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_in_a_small_terminal_the_pane_with_the_focus_gets_the_room(inspect):
    async with inspect(size=(80, 30)) as inspector:
        await inspector.run("about")
        heights = {}
        for name, target in (("editor", "#editor"), ("output", "#output"), ("trace", "#trace")):
            inspector.one(target).focus()
            await inspector.settled()
            heights[name] = {other: inspector.one(other).size.height for other in ("#editor", "#output", "#trace")}
        assert heights["output"]["#output"] > heights["editor"]["#output"]
        assert heights["trace"]["#trace"] > heights["editor"]["#trace"]


@pytest.mark.thorough
async def test_in_a_wide_terminal_output_and_calls_are_beside_each_other(inspect):
    async with inspect(size=(160, 45)) as inspector:
        await inspector.run("about")
        output, traces = inspector.one("#output").region, inspector.one("#traces").region
        assert (output.y, output.height) == (traces.y, traces.height)
        assert output.right <= traces.x
