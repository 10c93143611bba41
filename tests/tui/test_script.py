"""The Script tab: editing, running, cancelling, and what a run leaves behind."""

from textual.widgets import Footer, TabbedContent

from bashkit_tui.panes.script.call_tree import CallTree
from bashkit_tui.scripts.syntax_notes import syntax_note
from bashkit_tui.widgets.output_log import OutputLog


async def test_ctrl_r_runs_the_script(inspect):
    async with inspect() as inspector:
        await inspector.run("get_plant --id 1 | jq -r .name")
        assert inspector.output == ["Fern"]
        assert inspector.status.startswith("✓ exit 0")
        assert inspector.status.endswith("1 tool call")


async def test_f5_runs_it_too_and_from_every_tab(inspect):
    async with inspect() as inspector:
        await inspector.write("echo here")
        inspector.tab = "prompt"
        await inspector.press("f5")
        await inspector.ended()
        assert (inspector.tab, inspector.output) == ("script", ["here"])


async def test_without_a_script_nothing_is_run_and_the_reason_is_said(inspect):
    async with inspect() as inspector:
        await inspector.press("ctrl+r")
        assert inspector.script.outcome is None
        assert inspector.notes == ["There is no script yet: write one, or press Enter on an example of a tool."]


async def test_output_is_shown_while_the_script_runs(inspect):
    async with inspect() as inspector:
        await inspector.write("echo first; get_plant --id 1 >/dev/null; sleep 600; echo last")
        await inspector.press("ctrl+r")
        await inspector.until(lambda: inspector.output == ["first"] and inspector.calls)
        assert inspector.script.running
        assert inspector.status.startswith("● running")
        await inspector.press("escape")
        await inspector.until(lambda: not inspector.script.running)


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


async def test_escape_cancels_and_keeps_the_output_so_far(inspect):
    async with inspect() as inspector:
        await inspector.write("echo kept; sleep 600")
        await inspector.press("ctrl+r")
        await inspector.until(lambda: inspector.output == ["kept"])
        await inspector.press("escape")
        await inspector.until(lambda: not inspector.script.running)
        assert inspector.status.startswith("■ cancelled")
        assert inspector.output == ["kept"]
        assert inspector.app.focused is inspector.script.editor  # the key did nothing else


async def test_cancelling_is_offered_only_while_a_script_runs(inspect):
    async with inspect() as inspector:

        def offered():
            return "Cancel" in {key.description for key in inspector.one(Footer).query("FooterKey")}

        assert not offered()
        await inspector.write("sleep 600")
        await inspector.press("ctrl+r")
        await inspector.until(offered)
        await inspector.press("ctrl+c")
        await inspector.until(lambda: not offered())


async def test_a_second_run_waits_for_the_first_to_be_cancelled(inspect):
    async with inspect() as inspector:
        await inspector.write("sleep 600")
        await inspector.press("ctrl+r", "ctrl+r")
        assert inspector.notes == ["A script is running already; Escape cancels it."]
        await inspector.press("escape")


async def test_standard_error_is_in_colour(inspect):
    async with inspect() as inspector:
        await inspector.run("echo plain; echo red >&2")
        plain, red = inspector.one(OutputLog).lines
        error = inspector.app.current_theme.error
        assert {segment.style.color.name for segment in red if segment.text.strip()} == {error}
        assert not [segment for segment in plain if segment.style and segment.style.color and segment.style.color.name == error]


async def test_a_line_may_come_in_pieces(inspect):
    async with inspect() as inspector:
        await inspector.run(":")
        log = inspector.one(OutputLog)
        for piece, lines in (("a", ["a"]), ("b", ["ab"]), ("c\n", ["abc"]), ("end", ["abc", "end"])):
            log.feed([("stdout", piece)])
            assert inspector.output == lines


async def test_pieces_of_a_long_line_and_a_full_log_do_not_mix(inspect):
    async with inspect() as inspector:
        await inspector.run("seq 6000")
        log = inspector.one(OutputLog)
        for piece in ("x" * 300, "y", "z\nend"):
            log.feed([("stdout", piece)])
        assert inspector.output[-1] == "end"
        assert "".join(inspector.output[-8:-1]).endswith("6000" + "x" * 300 + "yz")
        assert len(log.text.split("\n")) == 5001  # the last one may still grow


async def test_output_cannot_control_the_terminal(inspect):
    async with inspect() as inspector:
        await inspector.run(r"printf '\033[2J\a\377x\r\n'")
        assert inspector.output == ["␛[2J␇�x␍"]


async def test_very_much_output_is_cut_to_its_end(inspect):
    async with inspect() as inspector:
        await inspector.run("seq 1 100000")
        assert inspector.output[-1] == "100000"
        assert len(inspector.output) == 5000
        assert inspector.one(OutputLog).border_subtitle == "… 558.9 kB before this not kept"


async def test_a_very_long_line_is_cut(inspect):
    async with inspect() as inspector:
        await inspector.run("printf '%05000d' 0; echo; echo next")
        assert inspector.output[-1] == "next"
        assert "".join(inspector.output[:-1]) == "0" * 4000 + "… (1000 more characters)"


async def test_the_status_line_shows_exit_code_category_duration_and_calls(inspect, no_time):
    async with inspect() as inspector:
        await inspector.run("list_plants >/dev/null; exit 3")
        assert inspector.status == "✗ exit 3  0 ms  1 tool call"
        await inspector.run("get_plant --id 1 >/dev/null\nif then")
        assert inspector.status == "✗ exit 2  parse  0 ms  1 tool call"


async def test_the_trace_is_a_table_of_the_calls(inspect, no_time):
    async with inspect() as inspector:
        await inspector.run("get_plant --id 1 >/dev/null\nx=$(list_plants); get_plant --id 9 --unit gallon")
        assert inspector.calls == [
            ["1:1", "get_plant", "id=1 unit=litre", "0", "0 ms"],
            ["2:5", "list_plants", "", "0", "0 ms"],
            ["2:19", "get_plant", "id=9 unit=gallon", "1", "0 ms"],
        ]


async def test_choosing_a_call_goes_to_its_line(inspect):
    async with inspect() as inspector:
        await inspector.run("echo\n\n  get_plant --id 1")
        inspector.one(CallTree).focus()
        await inspector.press("g")
        assert inspector.app.focused is inspector.script.editor
        assert inspector.script.editor.cursor_location == (2, 2)


async def test_more_calls_than_a_table_can_show_are_counted(inspect):
    async with inspect() as inspector:
        await inspector.run("for ((i = 0; i < 1005; i++)); do about; done >/dev/null")
        assert len(inspector.calls) == 1000
        assert inspector.status.endswith("1005 tool calls  (5 not shown)")


async def test_up_and_down_go_through_the_scripts_of_the_session(inspect):
    async with inspect() as inspector:
        editor = inspector.script.editor
        await inspector.run("echo 1")
        await inspector.run("echo 2")
        editor.put("draft")
        await inspector.press("up")
        assert editor.text == "echo 2"
        await inspector.press("up", "up")
        assert editor.text == "echo 1"
        await inspector.press("down")
        assert editor.text == "echo 2"
        await inspector.press("ctrl+down")
        assert editor.text == "draft"


async def test_up_moves_the_cursor_where_there_is_a_line_above(inspect):
    async with inspect() as inspector:
        await inspector.run("echo old")
        await inspector.write("one\ntwo")
        await inspector.press("up")
        assert inspector.script.editor.text == "one\ntwo"
        assert inspector.script.editor.cursor_location[0] == 0


async def test_a_syntax_error_shows_while_typing(inspect):
    async with inspect() as inspector:
        await inspector.write("echo a\n")
        assert inspector.text("#syntax") == "✓ syntax"
        await inspector.press(*"fi")
        assert inspector.text("#syntax") == "✗ 2:1  syntax error near unexpected token `fi'"


async def test_a_script_that_only_lacks_its_end_is_told_apart(inspect):
    async with inspect() as inspector:
        await inspector.write("for x in 1 2; do")
        assert inspector.text("#syntax").startswith("… ")


def test_a_here_document_without_its_end_is_incomplete():
    assert syntax_note("cat <<END\nx").incomplete
    assert syntax_note("cat <<END\nx\nEND\n") is None


async def test_each_run_is_a_fresh_shell(inspect):
    async with inspect() as inspector:
        await inspector.run("x=1; echo $x")
        await inspector.run('echo "[$x]"')
        assert inspector.output == ["[]"]


async def test_scripts_see_the_environment_of_the_toolset(inspect):
    async with inspect() as inspector:
        await inspector.run("echo $UNIT")
        assert inspector.output == ["litre"]


async def test_bash_is_highlighted(inspect):
    async with inspect() as inspector:
        await inspector.write("echo 'text'  # why")
        assert inspector.script.editor.language == "bash"
        assert inspector.script.editor._highlights


async def test_escape_leaves_the_editor(inspect):
    async with inspect() as inspector:
        await inspector.write("x")
        await inspector.press("escape", "3")
        assert inspector.one(TabbedContent).active == "prompt"
