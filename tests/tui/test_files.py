"""The files of a run: what it added, changed and removed, and how that is shown."""

import pytest

from bashkit.bash import Bash
from bashkit.runs.file_changes import FileState, compare_files
from bashkit_tui.panes.script.file_view import FileTree, FileView
from bashkit_tui.runs.file_preview import hexadecimal, is_text, preview
from bashkit_tui.widgets.output_log import OutputLog

pytestmark = pytest.mark.thorough


def changes(script, **files):
    bash = Bash(files={f"/data/{name}": content for name, content in files.items()}, cwd="/data")
    before = Bash.from_snapshot(bash.snapshot()).fs
    bash.execute_sync(script)
    return before, bash.fs, compare_files(before, bash.fs)


@pytest.mark.parametrize(
    ("script", "path", "pieces"),
    [
        ("echo x > b", "b", [("added", "x\n")]),
        ("rm a", "a", [("removed", "one\ntwo\n")]),
        (":", "a", [("stdout", "one\ntwo\n")]),
        (": > b", "b", [("added", "")]),
        ("ln -s /x l", "l", [("stdout", "→ /x")]),
        ("mkdir d", "d", [("muted", "directory, added")]),
        ("printf '\\000\\001A' > b", "b", [("stdout", "00000000: 0001 41                                  ..A")]),
        (
            "sed -i s/two/2/ a", "a",
            [("muted", "--- before\n"), ("muted", "+++ after\n"), ("place", "@@ -1,3 +1,3 @@\n"), ("stdout", " one\n"), ("removed", "-two\n"),
             ("added", "+2\n"), ("stdout", " \n")],
        ),
    ],
)  # fmt: skip
def test_what_is_shown_of_a_file(script, path, pieces):
    before, after, comparison = changes(script, a="one\ntwo\n")
    item = next(item for item in comparison.files if item.path == f"/data/{path}")
    assert preview(item, before, after) == pieces


def test_a_large_text_is_cut():
    before, after, _ = changes("printf '%0300000d' 0 > big")
    assert preview(FileState("/data/big", "added", "file", 300_000), before, after)[-1] == ("muted", "\n… 100.0 kB more")


@pytest.mark.parametrize(
    ("data", "text"), [(b"", True), (b"abc\n\t", True), ("ü".encode(), True), (b"a\0b", False), (bytes(range(256)), False)]
)
def test_text_is_told_from_bytes(data, text):
    assert is_text(data) is text


def test_bytes_are_shown_as_by_xxd():
    assert hexadecimal(b"0123456789abcdefXY").splitlines() == [
        "00000000: 3031 3233 3435 3637 3839 6162 6364 6566  0123456789abcdef",
        "00000010: 5859                                     XY",
    ]


async def shown(inspector, script):
    await inspector.run(script)
    inspector.one("#traces").active = "files"
    await inspector.until(lambda: inspector.screen.query(FileView) and inspector.one(FileTree).root.children)
    await inspector.settled()
    inspector.one(FileTree).focus()
    await inspector.settled()


def tree(inspector):
    found = []

    def visit(node, depth):
        for child in node.children:
            found.append("  " * depth + inspector.one(FileTree).render_label(child, "", "").plain.strip())
            visit(child, depth + 1)

    visit(inspector.one(FileTree).root, 0)
    return found


async def test_the_tree_shows_what_the_run_changed(inspect):
    async with inspect() as inspector:
        await shown(inspector, "mkdir d; echo hi > d/x")
        assert tree(inspector) == ["▾ home/", "  ▾ user/", "    + ▾ d/", "      + x  3 B"]
        assert str(inspector.one("#traces").get_tab("files").label) == "Files 2"


async def test_the_file_under_the_cursor_is_previewed(inspect):
    async with inspect() as inspector:
        await shown(inspector, "echo hi > x")
        await inspector.press("end")
        await inspector.until(lambda: inspector.one("#file-preview", OutputLog).text == "hi\n")


async def test_every_file_can_be_seen(inspect):
    async with inspect() as inspector:
        await shown(inspector, "echo hi > x")
        few = len(tree(inspector))
        await inspector.press("a")
        assert len(tree(inspector)) > few


async def test_a_run_that_changes_nothing_says_so(inspect):
    async with inspect() as inspector:
        await shown(inspector, "echo hi")
        assert tree(inspector) == ["The run changed no file; a shows them all."]


async def test_a_cancelled_run_shows_its_files_too(inspect):
    async with inspect() as inspector:
        await inspector.write("echo hi > x; echo; sleep 600")
        await inspector.press("ctrl+r")
        await inspector.until(lambda: inspector.output)
        await inspector.press("escape")
        await inspector.until(lambda: not inspector.script.running)
        inspector.one("#traces").active = "files"
        await inspector.until(lambda: inspector.screen.query(FileView) and "+ x" in " ".join(tree(inspector)))
