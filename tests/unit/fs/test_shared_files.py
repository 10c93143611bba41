"""Files that are changed when they are shared with a snapshot, or not yet in memory."""

import pytest

from bashkit import LazyFile, MemoryFileSystem, Overlay


@pytest.fixture
def files():
    return MemoryFileSystem(clock=lambda: 5.0)


def contents(files, *paths):
    return [files.read_file(path) for path in paths]


def test_names_of_one_file_stay_so_when_a_snapshot_shares_it(files):
    files.makedirs("/a/b")
    files.write_file("/a/b/one", b"old")
    for name in ("/a/b/two", "/a/three"):
        files.link("/a/b/one", name)
    files.write_file("/a/b/other", b"other")
    files.link("/a/b/other", "/a/b/another")
    tree = files.volume.freeze()
    files.write_file("/a/b/two", b"new")
    assert contents(files, "/a/b/one", "/a/b/two", "/a/three") == [b"new"] * 3
    files.write_file("/a/b/another", b"changed")
    assert contents(files, "/a/b/other", "/a/b/another") == [b"changed"] * 2
    assert files.stat("/a/b/one").links == 3
    files.volume.adopt(tree)
    assert contents(files, "/a/b/one", "/a/b/two", "/a/three", "/a/b/other") == [b"old"] * 3 + [b"other"]


def test_names_in_a_directory_that_is_not_walked_stay_those_of_one_file(files):
    files.makedirs("/a/b")
    files.write_file("/one", b"old")
    names = ["/a/b/two", "/a/b/three", "/a/b/four", "/a/five"]
    for name in names:
        files.link("/one", name)
    files.volume.freeze()
    files.write_file("/one", b"new")
    assert contents(files, *names) == [b"new"] * 4


def lazily(files, _tmp_path):
    files.write_lazy("/f", LazyFile(lambda: b"data"))
    return "/f"


def below(files, tmp_path):
    (tmp_path / "f").write_bytes(b"data")
    files.mount("/repo", Overlay(tmp_path))
    return "/repo/f"


@pytest.mark.parametrize("make", [lazily, below])
@pytest.mark.parametrize(("size", "left"), [(0, b""), (2, b"da"), (4, b"data"), (6, b"data\0\0")])
def test_a_file_that_is_not_in_memory_is_cut_or_extended(files, tmp_path, make, size, left):
    path = make(files, tmp_path)
    quota = files.volume.quota
    before = quota.bytes
    files.truncate(path, size)
    assert files.read_file(path) == left
    assert files.stat(path).size == size
    assert quota.bytes - before == size
    files.unlink(path)
    assert quota.bytes <= before + 100  # an overlay remembers that the name is gone
