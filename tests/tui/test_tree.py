"""The tree of toolsets and tools: order, badges, filter, and its place after a reload."""

import json

import pytest
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Input, TabbedContent

from bashkit.prompts import Collection
from bashkit.toolset import load
from bashkit.toolset.package_data import examples
from bashkit_tui.main_screen.tool_tree import ToolTree
from bashkit_tui.panes.script.script_editor import ScriptEditor
from bashkit_tui.toolsets.library import toolset_paths
from bashkit_tui.toolsets.preview import preview_tools

from .conftest import GREENHOUSE

HOSTILE = "[bold red]x[/] [@click=app.quit]go[/] \x1b[31mred\x07 a\u202eb"
SHOWN = "[bold red]x[/] [@click=app.quit]go[/] ␛[31mred␇ a�b"


@pytest.fixture
def write(tmp_path):
    def written(text, name="set.yaml"):
        path = tmp_path / name
        path.write_text(f"version: 1\nname: {path.name.partition('.')[0]}\n{text}")
        return path

    return written


# -- which toolsets ----------------------------------------------------------------------------------------------------


def test_without_an_argument_the_bundled_toolsets_are_opened():
    assert toolset_paths([]) == sorted(examples().glob("*.yaml"))


def test_a_directory_stands_for_all_toolset_files_below_it(write, tmp_path):
    write("tools: []\n", "b.toolset.yaml")
    (tmp_path / "sub" / "toolsets").mkdir(parents=True)
    write("tools: []\n", "sub/toolsets/a.yaml")
    write("tools: []\n", "sub/notes.yaml")
    assert toolset_paths([tmp_path]) == [tmp_path / "b.toolset.yaml", tmp_path / "sub" / "toolsets" / "a.yaml"]


def test_without_a_toolset_by_name_a_directory_stands_for_its_yaml_files_or_its_executables(write, tmp_path):
    (tmp_path / "tools").mkdir()
    assert toolset_paths([tmp_path / "tools"]) == [tmp_path / "tools"]
    assert toolset_paths([write("tools: []\n").parent]) == [tmp_path / "set.yaml"]


async def test_a_toolset_that_appears_in_a_directory_appears_in_the_tree(inspect, write, tmp_path):
    write("tools: [{name: one, stub: 1}]\n", "a.toolset.yaml")
    async with inspect(tmp_path) as inspector:
        write("tools: [{name: two, stub: 1}]\n", "b.toolset.yaml")
        inspector.screen.poll()
        await inspector.until(lambda: len(inspector.screen.opened) == 2 and inspector.screen.ready)
        assert inspector.tree == ["a 1", "  one", "b 1", "  two"]
        (tmp_path / "a.toolset.yaml").unlink()
        inspector.screen.poll()
        await inspector.until(lambda: len(inspector.screen.opened) == 1 and inspector.screen.ready)
        assert inspector.tree == ["b 1", "  two"]


# -- what is in it -----------------------------------------------------------------------------------------------------


async def test_the_roots_of_the_tree_are_toolsets(inspect, write):
    async with inspect(write("tools: [{name: solo, stub: 1}]\n", "other.yaml"), "greenhouse.yaml") as inspector:
        assert [line for line in inspector.tree if not line.startswith(" ")] == ["other 1", "greenhouse 4"]


async def test_tools_are_grouped_by_category_and_have_a_letter_for_their_effects(inspect):
    async with inspect() as inspector:
        assert inspector.tree == [
            "greenhouse 4",
            "  plants 2", "    r get_plant", "    r list_plants",
            "  care 1", "    w water",
            "  other 1", "    about",
        ]  # fmt: skip


async def test_the_first_tool_is_selected(inspect):
    async with inspect() as inspector:
        assert inspector.text("#tool-name").startswith("get_plant ")


@pytest.mark.thorough
async def test_what_is_not_as_its_snapshot_has_a_mark(inspect, write):
    path = write("tools:\n  - {name: one, description: d, stub: 1}\n  - {name: two, stub: 2}\n")
    toolset = load(path)
    collection = Collection.of(toolset)
    collection.store.update(collection.texts())
    async with inspect(path) as inspector:
        assert inspector.tree == ["set 2", "  one", "  two"]
    path.write_text(path.read_text(encoding="utf-8").replace("description: d", "description: e") + "  - {name: three, stub: 3}\n")
    async with inspect(path) as inspector:
        assert inspector.tree == ["set 3 ~", "  one ~", "  two", "  three +"]


@pytest.mark.thorough
async def test_where_nothing_is_kept_nothing_is_marked(inspect, write):
    async with inspect(write("tools: [{name: one, stub: 1}]\n")) as inspector:
        assert inspector.tree == ["set 1", "  one"]


async def test_names_are_neither_markup_nor_control_sequences(inspect, write):
    async with inspect(
        write(f"tools:\n  - {{name: one, category: {json.dumps(HOSTILE)}, stub: 1}}\n"), size=(160, 40)
    ) as inspector:
        assert SHOWN in "\n".join(inspector.tree)
        assert "\x1b" not in inspector.shown()


# -- the filter --------------------------------------------------------------------------------------------------------


async def test_slash_filters_and_escape_shows_everything_again(inspect):
    async with inspect() as inspector:
        await inspector.press("slash", *"water")
        assert inspector.tree == ["greenhouse 1", "  care 1", "    w water"]
        await inspector.press("enter")
        assert inspector.app.focused is inspector.one(ToolTree)
        assert inspector.text("#tool-name").startswith("water")
        await inspector.press("slash", "escape")
        assert inspector.one("#filter", Input).value == ""
        assert len(inspector.tree) == 8


async def test_a_few_letters_are_enough_and_the_best_match_is_selected(inspect):
    async with inspect() as inspector:
        await inspector.press("slash", *"lp")
        assert [line.strip() for line in inspector.tree if "_" in line] == ["r list_plants"]
        assert inspector.text("#tool-name").startswith("list_plants")


@pytest.mark.thorough
async def test_the_letters_that_were_meant_are_marked(inspect):
    async with inspect() as inspector:
        await inspector.press("slash", *"lp")
        tree = inspector.one(ToolTree)
        label = tree.render_label(tree.cursor_node, *[inspector.app.console.get_style("none")] * 2)
        marked = [label.plain[span.start : span.end] for span in label.spans if getattr(span.style, "underline", False)]
        assert marked == ["l", "p"]


@pytest.mark.thorough
async def test_the_filter_looks_at_descriptions_and_tags_too(inspect):
    async with inspect() as inspector:
        await inspector.press("slash", *"lookup fetch")
        assert [line.strip() for line in inspector.tree] == ["greenhouse 1", "plants 1", "r get_plant"]


async def test_a_filter_that_fits_nothing_says_so(inspect):
    async with inspect() as inspector:
        await inspector.press("slash", *"zzz")
        assert inspector.tree == []
        assert "No tool fits" in inspector.shown()


# -- its place ---------------------------------------------------------------------------------------------------------


async def test_a_reload_keeps_the_cursor_the_filter_and_what_is_folded(inspect, write):
    text = "tools:\n" + "".join(f"  - {{name: t{number}, category: c{number % 2}, stub: 1}}\n" for number in range(6))
    path = write(text)
    async with inspect(path) as inspector:
        tree = inspector.one(ToolTree)
        folded = next(node for node in tree._entries() if node.data.category == "c0")
        folded.collapse()
        await inspector.settled()
        tree.move_cursor(next(node for node in tree._entries() if node.data.tool == "t3"))
        await inspector.settled()
        write(text + "  - {name: t7, category: c1, stub: 1}\n")
        await inspector.press("f2")
        await inspector.until(lambda: "set 7" in inspector.tree)
        await inspector.until(lambda: inspector.screen.ready)
        assert tree.cursor_node.data.tool == "t3"
        assert [node.is_expanded for node in tree._entries() if node.data.category is not None] == [False, True]
        await inspector.press("slash", *"t1")
        write(text)
        await inspector.press("f2")
        await inspector.until(lambda: inspector.screen.ready)
        assert inspector.tree == ["set 1", "  c1 1", "    t1"]


@pytest.mark.thorough
async def test_a_reload_behind_a_filter_that_hides_all_is_seen(inspect, write):
    text = "tools: [{name: a, stub: 1}]\n"
    path = write(text)
    async with inspect(path) as inspector:
        await inspector.press("slash", *"zzz")
        for written, label in ((text.replace("stub", "stob"), "Problems 2"), (text, "Problems")):
            write(written)
            await inspector.press("f2")
            await inspector.until(lambda: inspector.screen.ready)
            assert str(inspector.one("#tabs", TabbedContent).get_tab("problems").label) == label
            assert "No tool fits" in inspector.shown()


async def test_a_thousand_tools_are_there_and_can_be_filtered(inspect, write):
    path = write("tools:\n" + "".join(f"  - {{name: tool_{n:04d}, category: c{n % 10}, stub: 1}}\n" for n in range(1000)))
    async with inspect(path) as inspector:
        assert len(inspector.tree) == 1011
        await inspector.press("slash", *"0999")
        assert inspector.tree == ["set 1", "  c9 1", "    tool_0999"]


# -- the preview -------------------------------------------------------------------------------------------------------


def test_a_preview_finds_what_the_tree_shows():
    found = {item.name: (item.category, item.effects) for item in preview_tools(GREENHOUSE)}
    assert found == {
        "get_plant": ("plants", "read"),
        "list_plants": ("plants", "read"),
        "water": ("care", "write"),
        "about": ("", None),
    }


@pytest.mark.parametrize(
    "text", ["", "- 1", "tools: 1", "tools: [", "tools: [1, {name: 2}, {}]", "tools: [{name: a, effects: [x]}, b]", "\0"]
)
def test_a_preview_of_what_is_not_a_toolset_finds_nothing_wrong(tmp_path, text):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    assert [item.name for item in preview_tools(path)] in ([], ["a"])


def test_a_preview_of_a_missing_file_finds_nothing(tmp_path):
    assert preview_tools(tmp_path / "gone.yaml") == ()


# -- folding -----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_in_a_narrow_terminal_the_tree_makes_room_for_what_has_the_focus(inspect):
    async with inspect(size=(80, 24)) as inspector:
        sidebar = inspector.one("#sidebar")
        assert sidebar.size.width > 20
        await inspector.press("3")
        assert sidebar.size.width == 2
        await inspector.press("slash")
        assert sidebar.size.width > 20
        await inspector.press("escape", "2", "escape")  # the editor's own way back to the tree
        assert (sidebar.size.width > 20, inspector.app.focused) == (True, inspector.one(ToolTree))


@pytest.mark.thorough
async def test_a_click_on_the_rail_unfolds_the_tree(inspect):
    async with inspect(size=(80, 24)) as inspector:
        await inspector.press("3")
        await inspector.pilot.click("#rail")
        assert inspector.app.focused is inspector.one(ToolTree)
        assert inspector.one("#sidebar").size.width > 20


@pytest.mark.thorough
async def test_ctrl_b_folds_the_tree_in_a_wide_terminal_too(inspect):
    async with inspect() as inspector:
        await inspector.press("3", "ctrl+b")
        assert inspector.one("#sidebar").size.width == 2
        await inspector.press("ctrl+b")
        await inspector.press("3")
        assert inspector.one("#sidebar").size.width > 20


def test_a_preview_passes_over_what_it_does_not_show(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        "x: {tools: [{name: no}]}\n? [a, {b: c}]\n: d\ntools:\n- {name: a, input_schema: {name: no, tools: [{name: no}]}, category: &c one}\n"
        "- no\n- [{name: no}]\n- {description: none}\n- {name: b, category: *c, effects: often}\n- {name: c, effects: write}\ny: 1\n"
    )
    assert [(item.name, item.category, item.effects) for item in preview_tools(path)] == [
        ("a", "one", None),
        ("b", "", None),
        ("c", "", "write"),
    ]


async def test_a_line_that_changes_is_the_only_one_that_is_painted(inspect, monkeypatch):
    rows = []
    render = Widget.render_lines

    def counting(self, crop):
        rows.append(crop.height)
        return render(self, crop)

    async with inspect() as inspector:
        tree, compositor = inspector.one(ToolTree), inspector.screen._compositor
        monkeypatch.setattr(Widget, "render_lines", counting)
        compositor._dirty_regions.clear()  # what the start has changed, and no test has looked at
        tree.refresh(Region(0, 3, tree.size.width, 1))
        compositor.update_widgets({tree})
        compositor.render_partial_update()
        assert set(rows) == {1}


async def test_the_cursor_changes_its_two_lines_alone(inspect, monkeypatch):
    async with inspect() as inspector:
        tree = inspector.one(ToolTree)
        painted = []
        monkeypatch.setattr(tree, "refresh", lambda *regions, **options: painted.extend(region.y for region in regions))
        at = tree.cursor_line
        category = next(line for line in range(at) if tree.get_node_at_line(line).data.category is not None)
        tree.cursor_line = category
        assert painted == [at, category]
        tree.cursor_line = at
        assert painted == [at, category, category, at]


@pytest.mark.thorough
async def test_in_every_theme_guides_have_one_colour_and_the_screen_can_be_painted(inspect):
    guides = ("tree--guides", "tree--guides-hover", "tree--guides-selected")
    async with inspect() as inspector:
        tree, editor = inspector.one(ToolTree), inspector.one(ScriptEditor)
        for name in inspector.app.available_themes:
            inspector.app.theme = name
            for focused in (tree, editor):
                focused.focus()
                await inspector.settled()
                assert len({tree.get_component_rich_style(guide) for guide in guides}) == 1, (name, focused)


async def test_under_the_mouse_a_category_is_lit_with_its_tools(inspect):
    async with inspect() as inspector:
        tree = inspector.one(ToolTree)
        await inspector.press("down", "down")
        category = next(line for line in range(9) if tree.get_node_at_line(line).data.category is not None)

        def grounds():
            strips = inspector.screen._compositor.render_strips()
            lines = [strips[tree.region.y + line] for line in (category, category + 1)]
            return [line.crop(tree.region.right - 3, tree.region.right - 2)._segments[0].style.bgcolor for line in lines]

        before = grounds()
        tree.hover_line = category
        await inspector.settled()
        lit = grounds()
        assert before[0] == before[1] != lit[0] == lit[1]
        tree.hover_line = -1
        await inspector.settled()
        assert grounds() == before
