import errno
import multiprocessing
import os
import tempfile

import pytest

from bashkit.errors import PromptSnapshotError
from bashkit.prompts import PromptSnapshot, SnapshotStore
from bashkit.prompts.snapshots import abandoned

OURS = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"


@pytest.fixture
def store(tmp_path):
    return SnapshotStore(tmp_path / "__snapshots__" / "shop")


def states(store, current):
    return {snapshot.path.name: snapshot.state for snapshot in store.compare(current)}


def keep(store, name, content):
    store.folder.mkdir(parents=True, exist_ok=True)
    (store.folder / name).write_bytes(content)


@pytest.mark.parametrize("name", ["shop.yaml", "shop.yml", "shop.toolset.yaml"])
def test_y06_where_snapshots_are_kept(tmp_path, name):
    assert SnapshotStore.beside(tmp_path / name).folder == tmp_path / "__snapshots__" / "shop"


def test_y06_a_folder_that_is_missing_makes_everything_new(store):
    assert states(store, {"help.md": "a", "tool.a.help.md": "b"}) == {"help.md": "new", "tool.a.help.md": "new"}


@pytest.mark.parametrize(
    ("kept", "current", "state"),
    [
        (b"a\n", "a\n", "same"),
        (b"a\n", "b\n", "changed"),
        (None, "a\n", "new"),
        (b"a\n", None, "orphan"),
        (b"a\n", "a", "changed"),
        (b"", "", "same"),
    ],
)
def test_y06_states(store, kept, current, state):
    if kept is not None:
        keep(store, "help.md", kept)
    assert states(store, {} if current is None else {"help.md": current}) == {"help.md": state}


def test_y06_update_makes_everything_the_same_and_leaves_what_is_not_ours(store):
    store.update({"help.md": "a\n", "tool.a.help.md": "b\n"})
    keep(store, "README.md", b"mine")
    different = store.update({"help.md": "a\n", "test.x.txt": "c\n"})
    assert [(item.path.name, item.state) for item in different] == [("test.x.txt", "new"), ("tool.a.help.md", "orphan")]
    assert sorted(path.name for path in store.folder.iterdir()) == ["README.md", "help.md", "test.x.txt"]


def test_y06_plain_files_without_header_and_with_lf(store):
    store.write("help.md", "a\nå\udcff\n")
    assert (store.folder / "help.md").read_bytes() == "a\nå".encode() + b"\xff\n"
    assert [path.name for path in store.folder.iterdir()] == ["help.md"]


@pytest.mark.parametrize("name", ["../help.md", "tool./x.help.md", "notes.md", "", "system-prompt.other.md"])
def test_only_snapshots_are_written(store, name):
    with pytest.raises(ValueError, match="not the name of a snapshot"):
        store.write(name, "x")


def test_y06_a_diff_is_what_a_pull_request_shows(store):
    keep(store, "help.md", b"a\nb\n")
    (snapshot,) = store.compare({"help.md": "a\nc\n"})
    assert snapshot.diff() == "--- help.md (kept)\n+++ help.md (now)\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"


def test_only_a_newline_ends_a_line_of_a_diff(store):
    keep(store, "help.md", "a\x0cb\u2028c\n".encode())
    (snapshot,) = store.compare({"help.md": "a\x0cb\u2028d"})
    assert snapshot.diff().split("\n")[3:] == ["-a\x0cb\u2028c", "+a\x0cb\u2028d", "\\ No newline at end of file", ""]


# -- files in a state that nobody wanted -------------------------------------------------------------------------------


def test_crlf_from_a_checkout_is_no_change_and_update_makes_it_lf(store):
    keep(store, "help.md", b"a\r\nb\r\n")
    (snapshot,) = store.compare({"help.md": "a\nb\n"})
    assert (snapshot.state, snapshot.diff(), snapshot.settled) == ("same", "", False)
    store.update({"help.md": "a\nb\n"})
    assert (store.folder / "help.md").read_bytes() == b"a\nb\n"


def test_crlf_does_not_blow_up_the_diff_of_a_change(store):
    keep(store, "help.md", b"a\r\nb\r\n")
    (snapshot,) = store.compare({"help.md": "a\nc\n"})
    assert snapshot.diff().endswith(" a\n-b\n+c\n")


def test_an_unfinished_merge_is_a_conflict_until_it_is_accepted(store):
    keep(store, "help.md", OURS.encode())
    (snapshot,) = store.compare({"help.md": "b\n"})
    assert (snapshot.state, snapshot.conflicted) == ("changed", True)
    store.accept(snapshot)
    (snapshot,) = store.compare({"help.md": "b\n"})
    assert (snapshot.state, snapshot.conflicted) == ("same", False)


def test_a_prompt_that_is_about_merges_is_no_conflict(store):
    keep(store, "help.md", OURS.encode())
    (snapshot,) = store.compare({"help.md": OURS})
    assert not snapshot.conflicted


def test_a_read_only_directory_is_a_message_and_no_half_file(store, monkeypatch):
    def refuse(**options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    keep(store, "help.md", b"a\n")
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(PromptSnapshotError, match=r"shop/help\.md cannot be written: Read-only file system"):
        store.update({"help.md": "b\n"})
    assert store.read("help.md") == "a\n"


def test_what_cannot_be_read_is_a_message(store):
    (store.folder / "help.md").mkdir(parents=True)
    with pytest.raises(PromptSnapshotError, match=r"help\.md cannot be read: Is a directory"):
        store.compare({})


# -- two at the same time ----------------------------------------------------------------------------------------------


def test_what_changed_since_it_was_looked_at_is_not_overwritten(store):
    snapshot = PromptSnapshot(store.folder / "help.md", "a\n", "b\n")
    keep(store, "help.md", b"c\n")
    with pytest.raises(PromptSnapshotError, match="changed by another process"):
        store.accept(snapshot)
    assert store.read("help.md") == "c\n"


def test_two_that_accept_the_same_agree(store):
    keep(store, "help.md", b"a\n")
    snapshot = PromptSnapshot(store.folder / "help.md", "a\n", "b\n")
    store.accept(snapshot)
    store.accept(snapshot)
    assert store.read("help.md") == "b\n"


def test_accept_is_taken_back_to_the_byte(store):
    keep(store, "help.md", b"a\r\n")
    changed, new, orphan = (
        PromptSnapshot(store.folder / "help.md", "a\r\n", "b\n"),
        PromptSnapshot(store.folder / "schema.json", None, "{}\n"),
        PromptSnapshot(store.folder / "tool.x.help.md", "x", None),
    )
    keep(store, "tool.x.help.md", b"x")
    for snapshot in (changed, new, orphan):
        store.accept(snapshot)
    for snapshot in (changed, new, orphan):
        store.restore(snapshot)
    assert {path.name: path.read_bytes() for path in store.folder.iterdir()} == {"help.md": b"a\r\n", "tool.x.help.md": b"x"}


def _update(folder, letter):
    store = SnapshotStore(folder)
    refused = 0
    for number in range(40):
        try:
            store.update({"help.md": letter * 20_000 + str(number % 2)})
        except PromptSnapshotError:
            refused += 1
        text = store.read("help.md")
        assert text
        assert len(set(text[:-1])) == 1, "a reader sees one text or the other"
    return refused


def test_concurrent_updates_leave_one_whole_text_and_no_litter(store):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.starmap(_update, [(store.folder, "a"), (store.folder, "b")])
    assert [path.name for path in store.folder.iterdir()] == ["help.md"]


# -- toolsets that share a name, or lost theirs ------------------------------------------------------------------------


def test_two_files_that_would_share_a_folder_are_refused(tmp_path):
    for name in ("shop.yaml", "shop.toolset.yaml"):
        (tmp_path / name).touch()
    with pytest.raises(PromptSnapshotError, match=r"shop\.yaml and shop\.toolset\.yaml would keep their snapshots in one folder"):
        SnapshotStore.of(tmp_path / "shop.yaml")


def test_a_renamed_toolset_leaves_a_folder_that_is_found(tmp_path, store):
    store.update({"system-prompt.md": "x"})
    (tmp_path / "shop.yaml").touch()
    assert abandoned(tmp_path) == []
    (tmp_path / "shop.yaml").rename(tmp_path / "store.yaml")
    (found,) = abandoned(tmp_path)
    assert found.folder == store.folder
    found.update({})
    assert not store.folder.exists()


def test_folders_of_others_are_never_taken_for_abandoned(tmp_path, store):
    SnapshotStore(tmp_path / "__snapshots__" / "test_screens").update({"help.md": "no prompt, so it may be another's"})
    store.update({"system-prompt.md": "x"})
    keep(store, "picture.svg", b"")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "a.sh").touch(0o755)
    SnapshotStore(tmp_path / "__snapshots__" / "tools").update({"system-prompt.md": "of a directory of executables"})
    assert abandoned(tmp_path) == []
