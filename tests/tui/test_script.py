"""The Script tab: editing, running, cancelling, and what a run leaves behind."""

import asyncio

import pytest
from textual.widgets import TabbedContent

from bashkit_tui.runs import script_run
from bashkit_tui.scripts.syntax_notes import syntax_note
from bashkit_tui.widgets.key_bar import KeyBar
from bashkit_tui.widgets.output_log import OutputLog

from ..eager_tasks import FACTORY


async def test_scripts_are_run_and_their_ends_are_told(inspect, no_time):
    async with inspect() as inspector:
        await inspector.press("ctrl+r")
        assert inspector.script.outcome is None
        assert inspector.notes == ["There is no script yet: write one, or press Enter on an example of a tool."]
        for script, output, status in [
            ("get_plant --id 1 | jq -r .name", ["Fern"], "✓ exit 0  0 ms  1 tool call  real callbacks"),
            ("list_plants >/dev/null; exit 3", [], "✗ exit 3  0 ms  1 tool call  real callbacks"),
            ("x=1; echo $x $UNIT", ["1 litre"], "✓ exit 0  0 ms  0 tool calls  real callbacks"),  # the environment of the toolset
            ('echo "[$x]"', ["[]"], "✓ exit 0  0 ms  0 tool calls  real callbacks"),  # each run is a fresh shell
        ]:
            await inspector.run(script)
            assert (inspector.output, inspector.status) == (output, status), script
        await inspector.run("get_plant --id 1 >/dev/null\nif then")
        assert inspector.status == "✗ exit 2  parse  0 ms  1 tool call  real callbacks"
        await inspector.run("get_plant --id 1 >/dev/null\nx=$(list_plants); get_plant --id 9 --unit gallon")
        assert inspector.calls == [
            ["1:1", "get_plant", "id=1 unit=litre", "0", "0 ms"],
            ["2:5", "list_plants", "", "0", "0 ms"],
            ["2:19", "get_plant", "id=9 unit=gallon", "1", "0 ms"],
        ]


async def test_the_calls_of_a_running_script_are_counted_on_their_tab(inspect):
    async with inspect() as inspector:
        await inspector.write("get_plant --id 1; sleep 0.5; get_plant --id 1; sleep 600")
        await inspector.press("ctrl+r")
        tabs = inspector.one("#traces", TabbedContent)
        for number in (1, 2):
            await inspector.until(lambda label=f"Calls {number}": str(tabs.get_tab("calls").label) == label)
        assert inspector.script.running
        await inspector.press("escape")
        await inspector.until(lambda: not inspector.script.running)


async def test_a_run_may_be_over_as_soon_as_it_is_begun(inspect, monkeypatch):
    async def execute(run):
        return run.ended_early("cancelled")

    async with inspect() as inspector:
        await inspector.write("sleep 600")
        asyncio.get_running_loop().set_task_factory(FACTORY)
        monkeypatch.setattr(script_run.ScriptRun, "execute", execute)
        await inspector.press("ctrl+r")
        assert not inspector.script.running
        assert "cancelled" in inspector.status


@pytest.mark.thorough
async def test_f5_runs_the_script_from_every_tab(inspect):
    async with inspect() as inspector:
        await inspector.write("echo here")
        inspector.tab = "prompt"
        await inspector.press("f5")
        await inspector.ended()
        assert (inspector.tab, inspector.output) == ("script", ["here"])


async def test_a_running_script_shows_its_output_and_is_cancelled(inspect):
    async with inspect() as inspector:

        def offered():
            return "Cancel" in {key.description for key in inspector.one(KeyBar).shown}

        assert not offered()
        await inspector.write("echo first; get_plant --id 1 >/dev/null; sleep 600; echo last")
        await inspector.press("ctrl+r")
        await inspector.until(lambda: inspector.output == ["first"] and inspector.calls)
        assert inspector.script.running
        assert inspector.status.startswith("● running")
        await inspector.until(offered)
        await inspector.press("ctrl+r")
        assert inspector.notes == ["A script is running already; Escape cancels it."]
        await inspector.press("escape")
        await inspector.until(lambda: not inspector.script.running)
        assert inspector.status.startswith("■ cancelled")
        assert inspector.output == ["first"]
        assert inspector.app.focused is inspector.script.editor  # the key did nothing else
        await inspector.until(lambda: not offered())
        await inspector.press("ctrl+r")
        await inspector.until(offered)
        await inspector.press("ctrl+c")
        await inspector.until(lambda: not offered())


async def test_the_interface_stays_alive_while_a_busy_script_runs(inspect):
    async with inspect() as inspector:
        await inspector.write("while :; do echo busy | cat > /dev/null; done")
        inspector.send("ctrl+r")
        await inspector.until(lambda: inspector.script.running)
        inspector.one("#tree").focus()
        inspector.send("3")
        await inspector.until(lambda: inspector.tab == "prompt")
        assert inspector.script.running
        inspector.send("ctrl+c")
        await inspector.until(lambda: not inspector.script.running)


@pytest.mark.thorough
async def test_output_is_shown_as_the_text_it_is(inspect):
    async with inspect() as inspector:
        await inspector.run("echo plain; echo red >&2")
        plain, red = inspector.one(OutputLog).lines
        error = inspector.app.current_theme.error
        assert {segment.style.color.name for segment in red if segment.text.strip()} == {error}
        assert not [segment for segment in plain if segment.style and segment.style.color and segment.style.color.name == error]

        await inspector.run(":")
        for piece, lines in (("a", ["a"]), ("b", ["ab"]), ("c\n", ["abc"]), ("end", ["abc", "end"])):
            inspector.one(OutputLog).feed([("stdout", piece)])
            assert inspector.output == lines, "a line may come in pieces"

        await inspector.run(r"printf '\033[2J\a\377x\r\n'")
        assert inspector.output == ["␛[2J␇�x␍"], "output cannot control the terminal"

        await inspector.run("printf '%05000d' 0; echo; echo next")
        assert inspector.output[-1] == "next"
        assert inspector.one("#output").text == "0" * 4000 + "… (1\u202f000 more characters)\nnext\n"


@pytest.mark.thorough
async def test_very_much_output_is_cut_to_its_end(inspect):
    async with inspect() as inspector:
        await inspector.run("seq 1 100000")
        assert inspector.output[-1] == "100000"
        assert len(inspector.output) == 5000
        assert inspector.one(OutputLog).border_subtitle == "… 558.9 kB before this not kept"


@pytest.mark.thorough
async def test_more_calls_than_a_table_can_show_are_counted(inspect, monkeypatch):
    monkeypatch.setattr(script_run, "TRACED", 10)
    async with inspect() as inspector:
        await inspector.run("for ((i = 0; i < 15; i++)); do about; done >/dev/null")
        assert len(inspector.calls) == 10
        assert inspector.status.endswith("15 tool calls  (5 not shown)  real callbacks")


@pytest.mark.thorough
async def test_up_and_down_go_through_the_scripts_of_the_session(inspect):
    async with inspect() as inspector:
        editor = inspector.script.editor
        await inspector.run("echo 1")
        await inspector.run("echo 2")
        editor.put("draft")
        for key, text in [("up", "echo 2"), ("up", "echo 1"), ("up", "echo 1"), ("down", "echo 2"), ("ctrl+down", "draft")]:
            await inspector.press(key)
            assert editor.text == text
        await inspector.write("one\ntwo")
        await inspector.press("up")  # there is a line above
        assert (editor.text, editor.cursor_location[0]) == ("one\ntwo", 0)


@pytest.mark.usefixtures("tree_sitter")
async def test_the_editor_knows_bash(inspect):
    async with inspect() as inspector:
        await inspector.write("echo a\n")
        assert inspector.text("#syntax") == "✓ syntax"
        await inspector.press(*"fi")
        assert inspector.text("#syntax") == "✗ 2:1  syntax error near unexpected token `fi'"
        await inspector.write("for x in 1 2; do")
        assert inspector.text("#syntax").startswith("… "), "it only lacks its end"
        await inspector.write("echo 'text'  # why")
        assert inspector.script.editor.language == "bash"
        assert inspector.script.editor._highlights
        await inspector.press("escape", "3")
        assert inspector.tab == "prompt", "escape leaves the editor"


def test_a_here_document_without_its_end_is_incomplete():
    assert syntax_note("cat <<END\nx").incomplete
    assert syntax_note("cat <<END\nx\nEND\n") is None


def _offered(inspector):
    return {key.description for key in inspector.one(KeyBar).shown}


async def test_the_title_of_the_output_is_the_command(inspect):
    async with inspect() as inspector:
        assert inspector.one("#output").border_title == "Output"
        for script, title in [("echo a", "╭─ $ echo a ─"), ("# what it does\n\necho [b]\necho c", "╭─ $ echo [b] … ─")]:
            await inspector.run(script)
            assert title in inspector.shown()


async def test_a_lone_json_result_is_indented_and_a_key_shows_it_raw(inspect):
    raw, indented = ['{"a":1,"b":["é"]}'], ["{", '  "a": 1,', '  "b": [', '    "é"', "  ]", "}"]
    async with inspect() as inspector:
        await inspector.run('echo \'{"a":1,"b":["é"]}\'')
        assert inspector.output == indented
        inspector.one("#output").focus()
        await inspector.until(lambda: "Raw" in _offered(inspector))
        await inspector.press("r")
        assert inspector.output == raw
        assert inspector.one("#output").shown_text().text == raw[0]
        await inspector.press("r")
        assert inspector.output == indented


@pytest.mark.thorough
async def test_what_is_no_lone_json_result_is_shown_as_it_is(inspect):
    async with inspect() as inspector:
        for printed in ["[1]\n[2]", '{"a":1.50}', "{}", "[1] and more", '{"a":1}\n!error']:
            words, error = printed.split("!")[0].rstrip("\n"), "error" if "!" in printed else ""
            await inspector.run(f"printf '%s\\n' '{words}'; test -z '{error}' || echo {error} >&2")
            assert inspector.output == [*words.split("\n"), *[error] * bool(error)]
            inspector.one("#output").focus()
            await inspector.until(lambda: "Copy" in _offered(inspector))
            assert "Raw" not in _offered(inspector)


@pytest.mark.thorough
async def test_a_small_screen_has_room_for_the_output_and_the_calls_after_a_run(inspect):
    async with inspect(size=(80, 24)) as inspector:
        await inspector.run("for i in 1 2 3 4 5; do get_plant --id 1; done")
        for focused in ("#editor", "#output", "#trace"):
            inspector.one(focused).focus()
            await inspector.settled()
            assert inspector.one("#output").size.height >= 4
            assert inspector.one("#trace").size.height >= 4
        inspector.script.editor.focus()
        await inspector.press("end", "space")
        await inspector.until(lambda: inspector.script.editor.size.height >= 7)  # who writes wants to see the script


@pytest.mark.thorough
@pytest.mark.usefixtures("tree_sitter")
async def test_a_script_that_would_keep_every_key_waiting_has_no_colours(inspect):
    async with inspect() as inspector:
        await inspector.write("echo 'text'  # why")
        editor = inspector.script.editor
        editor.insert("\necho 'text'  # why" * 2700)
        await inspector.settled()
        end = (2700, len("echo 'text'  # why"))
        assert (editor.language, editor.cursor_location, dict(editor._highlights)) == (None, end, {})
        await inspector.press("enter", *"fi")
        assert editor.text.endswith("# why\nfi")
        editor.delete((1, 0), editor.document.end)
        await inspector.settled()
        assert editor.text == "echo 'text'  # why\n"
        assert (editor.language, editor.cursor_location) == ("bash", (1, 0))
        assert editor._highlights
        await inspector.press("ctrl+z")
        assert editor.text.endswith("# why\nfi")
