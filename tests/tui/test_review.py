"""The review queue: every difference of every open toolset, and a decision for each."""

import json

import pytest

from bashkit.prompts import Collection
from bashkit.toolset import load
from bashkit_tui.screens.review import ReviewScreen
from bashkit_tui.toolsets.review_queue import ReviewQueue, differing_snapshots

pytestmark = pytest.mark.thorough


def toolset(folder, name, *descriptions, tests=""):
    """A toolset file with a tool for each description."""
    file = folder / f"{name}.yaml"
    tools = "".join(f"  - {{name: t{at}, description: {json.dumps(text)}, stub: 1}}\n" for at, text in enumerate(descriptions))
    file.write_text(f"version: 1\nname: {name}\ntools:\n{tools}{tests}")
    return file


def keep(file):
    collection = Collection.of(load(file))
    collection.store.update(
        {snapshot.path.name: snapshot.current for snapshot in collection.compare() if snapshot.current is not None}
    )
    return collection.store


@pytest.fixture
def two(tmp_path):
    """Two toolsets, each with a tool that was changed since."""
    files = [toolset(tmp_path, name, "before", "same") for name in ("a", "b")]
    for file in files:
        keep(file)
        toolset(tmp_path, file.stem, "afterwards", "same")
    return files


@pytest.fixture
def reviewing(inspect):
    import contextlib

    @contextlib.asynccontextmanager
    async def opening(*files, size=(140, 40)):
        async with inspect(*files, size=size) as inspector:
            await inspector.press("r")
            assert isinstance(inspector.screen, ReviewScreen)
            await inspector.until(lambda: inspector.screen.queue is not None)
            await inspector.settled()
            yield inspector

    return opening


def title(inspector):
    return inspector.text("#review-title").split("Review")[1].strip()


async def test_it_shows_every_difference_of_every_toolset(reviewing, two):
    async with reviewing(*two) as inspector:
        names = [f"{item.collection.toolset.name}:{item.snapshot.path.name}" for item in inspector.screen.queue.items]
        assert names == [
            f"{name}:{file}" for name in "ab" for file in ("help.md", "schema.json", "system-prompt.md", "tool.t0.help.md")
        ]
        assert title(inspector) == "1 of 8"
        assert "before" in inspector.text(".diff-body")
        assert "afterwards" in inspector.text(".diff-body")
        assert inspector.text("#review-note").startswith("a  ")
        await inspector.press("d")
        assert inspector.text(".diff-body").splitlines()[0].split() == ["kept", "│", "now"]
        await inspector.press("d")
        assert inspector.text(".diff-body").startswith("--- ")
        await inspector.press("p")
        assert title(inspector) == "8 of 8"
        await inspector.press("n")
        assert title(inspector) == "1 of 8"
        await inspector.pilot.click("#review-queue", offset=(4, 3))
        assert title(inspector) == "3 of 8"


async def test_a_narrow_terminal_has_more_room_for_a_difference_than_for_their_names(reviewing, two):
    async with reviewing(*two, size=(40, 12)) as inspector:
        assert inspector.one("#review-main").region.width > inspector.one("#review-queue").region.width


async def test_accepting_goes_on_and_undo_takes_it_back_to_the_byte(reviewing, two):
    file = two[0].parent / "__snapshots__" / "a" / "help.md"
    before = file.read_bytes()
    async with reviewing(*two) as inspector:
        await inspector.press("a")
        assert title(inspector) == "2 of 8, 1 accepted"
        assert b"afterwards" in file.read_bytes()
        await inspector.press("u")
        assert (title(inspector), file.read_bytes()) == ("1 of 8", before)
        await inspector.press("u")
        assert inspector.notes[-1] == "There is nothing to undo."
        await inspector.press("A")  # is about one toolset
        assert title(inspector) == "5 of 8, 4 accepted"
        await inspector.press("A")
        assert title(inspector).endswith("8 accepted  all decided")
        await inspector.press("u", "u")
        assert (title(inspector), file.read_bytes()) == ("1 of 8", before)


async def test_rejecting_writes_nothing_and_says_at_the_end_what_to_change(reviewing, two):
    async with reviewing(*two) as inspector:
        before = (two[0].parent / "__snapshots__" / "a" / "help.md").read_bytes()
        await inspector.press("x")
        assert title(inspector) == "2 of 8, 1 rejected"
        await inspector.press("escape")
        assert not isinstance(inspector.screen, ReviewScreen)
        assert inspector.notes[-1].endswith("help.md, which was rejected")
        assert f"{two[0].name}:2 makes" in inspector.notes[-1]
        assert (two[0].parent / "__snapshots__" / "a" / "help.md").read_bytes() == before


async def test_after_a_review_the_tree_has_no_marks(reviewing, two):
    async with reviewing(two[0]) as inspector:
        await inspector.press("A", "escape")
        await inspector.until(lambda: inspector.tree == ["a 2", "  t0", "  t1"])


async def test_where_nothing_differs_it_says_so(reviewing, tmp_path):
    file = toolset(tmp_path, "a", "x")
    keep(file)
    async with reviewing(file) as inspector:
        assert inspector.text("#review-note") == "Everything is as it was accepted. Escape goes back."
        await inspector.press("a", "x", "A", "u", "n", "d")
        assert isinstance(inspector.screen, ReviewScreen)


async def test_the_output_of_a_test_is_reviewed_too(reviewing, tmp_path):
    tests = "tests:\n  - {name: one, script: t0, snapshot: true}\n"
    file = toolset(tmp_path, "a", "x", tests=tests)
    keep(file)
    file.write_text(file.read_text(encoding="utf-8").replace("script: t0", "script: t0; t0"))
    async with reviewing(file) as inspector:
        assert [item.snapshot.path.name for item in inspector.screen.queue.items] == ["test.one.txt"]
        assert "+1" in inspector.text(".diff-body")


async def test_an_orphan_is_removed_when_it_is_accepted(reviewing, tmp_path):
    file = toolset(tmp_path, "a", "x", "y")
    store = keep(file)
    toolset(tmp_path, "a", "x")
    async with reviewing(file) as inspector:
        at = [item.state for item in inspector.screen.queue.items].index("orphan")
        await inspector.press(*["n"] * at, "a")
        assert "tool.t1.help.md" not in store.names()
        await inspector.press("u")
        assert "tool.t1.help.md" in store.names()


async def test_e_opens_the_line_that_makes_the_text(reviewing, two, monkeypatch):
    from bashkit_tui import external_programs

    ran = []
    monkeypatch.setattr(external_programs, "_run", lambda _, command: ran.append(command))
    monkeypatch.setenv("VISUAL", "vi")
    async with reviewing(*two) as inspector:
        await inspector.press("p", "e")
        assert ran[0][:2] == ["vi", "+4"]


async def test_diffs_are_neither_markup_nor_control_sequences(reviewing, tmp_path):
    file = toolset(tmp_path, "a", "[bold]a[/] \x1b[31m")
    keep(file)
    toolset(tmp_path, "a", "[@click=app.quit]a[/] \x1b[32m")
    async with reviewing(file) as inspector:
        for key in ("d", "d"):
            await inspector.press(key)
            assert "[@click=app.quit]a[/] ␛[32m" in inspector.text(".diff-body")
            assert "\x1b" not in inspector.shown()


async def test_a_toolset_with_mistakes_is_not_reviewed(inspect):
    async with inspect("broken.yaml") as inspector:
        await inspector.press("r")
        assert inspector.notes == ["There is no toolset without mistakes to review."]


# -- the queue ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def queue(two):
    found, trouble = differing_snapshots([load(file) for file in two])
    assert trouble == []
    return ReviewQueue(found)


def test_a_later_decision_takes_the_place_of_an_earlier_one(queue):
    queue.reject()
    queue.index = 0
    queue.accept()
    assert queue.decisions == {0: "accepted"}
    assert queue.undo()
    assert (queue.decisions, queue.undo()) == ({}, False)


def test_what_was_accepted_cannot_be_rejected_without_undo(queue):
    queue.accept()
    queue.index = 0
    queue.reject()
    assert queue.decisions == {0: "accepted"}


def test_when_one_of_many_cannot_be_kept_none_is(queue):
    from bashkit.errors import PromptSnapshotError

    first, third = queue.items[0].snapshot, queue.items[2].snapshot
    third.path.write_text("theirs\n")
    with pytest.raises(PromptSnapshotError, match="changed by another process"):
        queue.accept_all()
    assert (first.path.read_text(encoding="utf-8"), queue.decisions, queue.undo()) == (first.kept, {}, False)


def test_a_toolset_that_cannot_be_compared_is_said(tmp_path):
    file = toolset(tmp_path, "a", "x")
    toolset(tmp_path, "a.toolset", "x").write_text(file.read_text(encoding="utf-8"))
    found, trouble = differing_snapshots([load(file)])
    assert (found, len(trouble)) == ([], 1)
    assert "would keep their snapshots in one folder" in trouble[0]


# -- scripts that are tried --------------------------------------------------------------------------------------------


async def test_scripts_are_tried_and_what_they_do_otherwise_is_accepted(inspect, tmp_path):
    file = toolset(tmp_path, "a", "one")
    (tmp_path / "a.scripts.jsonl").write_text('{"id": 1, "script": "t0"}\n{"id": 2, "script": "echo"}\n')
    kept = tmp_path / "__snapshots__" / "a.scripts.jsonl"
    async with inspect(file) as inspector:
        for shown, text in (("1 of 2", "--- stdout\n1\n"), ("1 of 1", "--- stdout\n2\n")):
            await inspector.press("R")
            assert inspector.one("#path-input").value.endswith("a.scripts.jsonl")
            await inspector.press("enter")
            await inspector.until(lambda: isinstance(inspector.screen, ReviewScreen) and inspector.screen.queue is not None)
            await inspector.settled()
            assert title(inspector) == shown
            await inspector.press("A")
            assert text in (kept / "script.1.txt").read_text(encoding="utf-8")
            await inspector.press("escape")
            file.write_text(file.read_text(encoding="utf-8").replace("stub: 1", "stub: 2"))
            inspector.screen.poll()
            await inspector.until(lambda: "stub: 2" in inspector.screen.current.toolset.document.text)


async def test_a_file_without_scripts_is_refused(inspect, tmp_path):
    file = toolset(tmp_path, "a", "one")
    async with inspect(file) as inspector:
        await inspector.press("R", "enter")
        assert inspector.text("#path-problem").endswith("a.scripts.jsonl: it cannot be read: No such file or directory")
