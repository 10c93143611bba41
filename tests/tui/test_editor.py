"""The script editor: completion while typing, what is underlined, files."""

import asyncio

import pytest

from bashkit_tui.panes.script.completion_list import CompletionList


def offered(inspector):
    found = inspector.one(CompletionList)
    return [] if found.offered is None else [item.label for item in found.offered.items]


async def typed(inspector, text):
    """Type at the end of the script; wait for the list."""
    keys = {
        " ": "space",
        "-": "minus",
        "$": "dollar_sign",
        "\n": "enter",
        "=": "equals_sign",
        "/": "slash",
        ";": "semicolon",
        "_": "underscore",
    }
    await inspector.press(*(keys.get(letter, letter) for letter in text))


@pytest.fixture
def editing(inspect):
    class Opening:
        def __init__(self, script="", **options):
            self.script = script
            self.context = inspect(**options)

        async def __aenter__(self):
            inspector = await self.context.__aenter__()
            await inspector.write(self.script)
            await inspector.until(lambda: inspector.script.editor.vocabulary is not None)
            return inspector

        async def __aexit__(self, *error):
            await self.context.__aexit__(*error)

    return Opening


async def test_tools_are_offered_while_one_types_and_tab_takes_one(editing):
    async with editing() as inspector:
        await typed(inspector, "get_pl")
        await inspector.until(lambda: offered(inspector) == ["get_plant"])
        await inspector.press("tab")
        assert inspector.script.editor.text == "get_plant "
        assert inspector.app.focused is inspector.script.editor


@pytest.mark.thorough
async def test_the_same_offer_again_keeps_the_highlight(editing):
    async with editing("get_plant ") as inspector:
        await typed(inspector, "--")
        await inspector.until(lambda: offered(inspector) == ["--id", "--unit", "--help", "--dry-run"])
        await inspector.press("down")
        completions = inspector.script.editor.completions
        completions.offer(completions.offered, inspector.script.editor.cursor_screen_offset)  # as a slow check of the script does
        await inspector.press("enter")
        assert inspector.script.editor.text == "get_plant --unit "


async def test_flags_and_their_values_follow(editing):
    async with editing("get_plant ") as inspector:
        await typed(inspector, "--")
        await inspector.until(lambda: offered(inspector) == ["--id", "--unit", "--help", "--dry-run"])
        await inspector.press("down", "enter")
        assert inspector.script.editor.text == "get_plant --unit "
        await inspector.until(lambda: offered(inspector) == ["litre", "gallon"])
        await inspector.press("down", "enter")
        assert inspector.script.editor.text == "get_plant --unit gallon "


async def test_escape_closes_the_list_and_nothing_else(editing):
    async with editing() as inspector:
        await typed(inspector, "wat")
        await inspector.until(lambda: "water" in offered(inspector))
        await inspector.press("escape")
        assert offered(inspector) == []
        assert inspector.app.focused is inspector.script.editor
        assert inspector.script.editor.text == "wat"


@pytest.mark.thorough
async def test_escape_takes_back_the_list_that_is_to_come(editing):
    async with editing() as inspector:
        await inspector.press("w", "a", "escape")
        await asyncio.sleep(0.3)  # the list comes after a pause of 80 ms
        assert offered(inspector) == []


async def test_a_word_that_is_complete_does_not_keep_enter_from_its_meaning(editing):
    async with editing() as inspector:
        await typed(inspector, "do")
        await inspector.until(lambda: "done" in offered(inspector))
        await inspector.press("enter")
        assert inspector.script.editor.text == "do\n"


async def test_it_can_be_asked_for(editing):
    async with editing("cat ") as inspector:
        await inspector.press("ctrl+@")
        await inspector.until(lambda: inspector.notes or offered(inspector))
        assert inspector.notes == ["Nothing is known that could stand here."]
        await inspector.run("echo > seen.txt")
        await inspector.write("cat ")
        await inspector.press("ctrl+@")
        assert offered(inspector) == ["seen.txt"]


async def test_variables_of_script_and_environment(editing):
    async with editing("umbrella=1\n") as inspector:
        await typed(inspector, "echo $")
        await inspector.until(lambda: offered(inspector)[:2] == ["umbrella", "UNIT"])
        await inspector.press("tab")
        assert inspector.script.editor.text == "umbrella=1\necho $umbrella"


@pytest.mark.thorough
async def test_the_mouse_can_choose(editing):
    async with editing() as inspector:
        await typed(inspector, "get_pl")
        await inspector.until(lambda: offered(inspector))
        await inspector.settled()
        await inspector.pilot.click(CompletionList, offset=(3, 1))
        await inspector.settled()
        assert inspector.script.editor.text == "get_plant "


@pytest.mark.thorough
async def test_what_is_put_into_the_editor_opens_no_list(editing):
    async with editing() as inspector:
        inspector.script.editor.put("get_pl")
        await inspector.pilot.pause(0.2)
        assert offered(inspector) == []


def underlined(inspector):
    """The rows and texts that are underlined."""
    editor = inspector.script.editor
    found = []
    for row in range(editor.document.line_count):
        line = editor.get_line(row)
        found += [(row, line.plain[span.start : span.end]) for span in line.spans if getattr(span.style, "underline", False)]
    return found


async def test_a_mistake_is_underlined(editing):
    async with editing("echo a\nfi; echo b") as inspector:
        assert underlined(inspector) == [(1, "fi")]
        assert inspector.text("#syntax") == "✗ 2:1  syntax error near unexpected token `fi'"


@pytest.mark.thorough
async def test_what_is_only_unfinished_is_not(editing):
    async with editing("if true; then") as inspector:
        assert underlined(inspector) == []
        assert inspector.text("#syntax").startswith("… ")


async def test_a_long_script_is_checked_when_typing_pauses(editing):
    async with editing("echo a\n" * 1000 + "fi") as inspector:
        await inspector.until(lambda: underlined(inspector) == [(1000, "fi")])


async def test_a_script_is_saved_and_opened(editing, tmp_path):
    file = tmp_path / "one.sh"
    async with editing("echo kept") as inspector:
        await inspector.press("ctrl+s", "ctrl+a", "ctrl+k")
        inspector.one("#path-input").value = str(file)
        await inspector.press("enter")
        assert file.read_text(encoding="utf-8") == "echo kept\n"
        assert str(inspector.script.editor.border_title).endswith("one.sh")
        await inspector.press("x")
        assert str(inspector.script.editor.border_title).endswith("one.sh *")
        inspector.script.editor.put("")
        await inspector.press("ctrl+o", "enter")
        assert inspector.script.editor.text == "echo kept\n"


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("none.sh", None, "No such file or directory"),
        pytest.param("latin.sh", b"\xff\xfe", "it is not UTF-8", marks=pytest.mark.thorough),
        pytest.param("large.sh", b"x" * (1 << 20) + b"x", "it is larger than 1 MB", marks=pytest.mark.thorough),
    ],
)
async def test_what_cannot_be_opened_is_said_in_the_prompt(editing, tmp_path, name, content, problem):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    async with editing("mine") as inspector:
        await inspector.press("ctrl+o")
        inspector.one("#path-input").value = str(file)
        await inspector.press("enter")
        assert inspector.text("#path-problem") == f"{file}: {problem}"
        await inspector.press("escape")
        assert inspector.script.editor.text == "mine"


async def test_what_cannot_be_saved_is_said_in_the_prompt(editing, tmp_path):
    async with editing("mine") as inspector:
        await inspector.press("ctrl+s")
        inspector.one("#path-input").value = str(tmp_path / "no" / "such.sh")
        await inspector.press("enter")
        assert inspector.text("#path-problem").endswith("No such file or directory")


async def test_what_the_script_tab_offers_to_pager_and_editor(editing, tmp_path):
    async with editing("echo shown") as inspector:
        editor = inspector.script.editor
        assert (editor.shown_text().text, editor.file_place()) == ("echo shown", None)
        editor.write(tmp_path / "a.sh")
        editor.move_cursor((0, 5))
        place = editor.file_place()
        assert (place.file, place.line, place.column) == (tmp_path / "a.sh", 1, 6)
        await inspector.press("ctrl+r")
        await inspector.ended()
        assert inspector.script.shown_text().text == "shown\n"


@pytest.mark.thorough
async def test_a_long_script_of_the_history_is_undone(editing):
    long = "\n".join(f"echo {number}" for number in range(60))
    async with editing() as inspector:
        inspector.script.editor.ran.add(long)
        await typed(inspector, "echo")
        await inspector.press("ctrl+up")
        inspector.script.editor.move_cursor(inspector.script.editor.document.end)
        await inspector.press("ctrl+z")
        assert inspector.script.editor.text == "echo"
        assert inspector.notes == []
        await inspector.press("ctrl+y")
        assert inspector.script.editor.text == long


@pytest.mark.thorough
async def test_a_completion_takes_the_blank_that_is_there(editing):
    async with editing("get_p --id 1") as inspector:
        editor = inspector.script.editor
        editor.move_cursor((0, 5))
        await inspector.press("ctrl+@", "tab")
        assert (editor.text, editor.cursor_location) == ("get_plant --id 1", (0, 10))


async def test_a_completion_looks_at_its_own_line(editing):
    before = "echo 1\n" * 9
    async with editing(f"{before}get_p --id 1\necho 3") as inspector:
        editor = inspector.script.editor
        editor.move_cursor((9, 5))
        await inspector.press("ctrl+@", "tab")
        assert (editor.text, editor.cursor_location) == (f"{before}get_plant --id 1\necho 3", (9, 10))


@pytest.mark.thorough
async def test_ctrl_home_and_end_go_to_the_ends_of_the_script(editing):
    async with editing("echo 1\necho 2\necho 3") as inspector:
        editor = inspector.script.editor
        await inspector.press("ctrl+home")
        assert editor.cursor_location == (0, 0)
        await inspector.press("ctrl+shift+end")
        assert editor.selected_text == editor.text
        await inspector.press("ctrl+end")
        assert (editor.cursor_location, editor.selected_text) == ((2, 6), "")
