"""What the files of a session refuse, where something is mounted as where nothing is."""

import errno
import os

import pytest

from bashkit import LazyFile, MemoryFileSystem, Overlay

NOBODYS = 0o000


@pytest.fixture(params=["plain", "mounted"])
def files(request):
    """Files of a session, in which a directory and two files are closed to everybody."""
    files = MemoryFileSystem()
    if request.param == "mounted":
        files.mount("/elsewhere", MemoryFileSystem())
    files.makedirs("/closed/inner")
    files.write_file("/closed/inner/f", b"data")
    files.write_file("/locked", b"data")
    files.symlink("loop", "/loop")
    files.makedirs("/full/inner")
    files.mkdir("/open")
    files.symlink("open", "/way")
    for path in ("/closed", "/locked"):
        files.chmod(path, NOBODYS)
    return files


@pytest.mark.parametrize(
    ("call", "arguments", "number"),
    [
        ("stat", ["/closed/inner"], errno.EACCES),
        ("stat", ["/closed/inner/../.."], errno.EACCES),
        ("listdir", ["/closed"], errno.EACCES),
        ("mkdir", ["/closed/new"], errno.EACCES),
        ("symlink", ["/", "/closed/new"], errno.EACCES),
        ("unlink", ["/closed/inner/f"], errno.EACCES),
        ("rename", ["/locked", "/closed/new"], errno.EACCES),
        ("rename", ["/locked", "/new/"], errno.ENOTDIR),
        ("rename", ["/way/", "/new"], errno.ENOTDIR),
        ("rename", ["/open", "/locked"], errno.ENOTDIR),
        ("rename", ["/locked", "/open"], errno.EISDIR),
        ("rename", ["/open", "/full"], errno.ENOTEMPTY),
        ("rename", ["/full", "/full/inner/new"], errno.EINVAL),
        ("rename", ["/full", "/full/new"], errno.EINVAL),
        ("rename", ["/", "/new"], errno.EBUSY),
        ("rename", ["/open/.", "/new"], errno.EBUSY),
        ("rename", ["/open", "/full/.."], errno.EBUSY),
        ("rename", ["/missing", "/new"], errno.ENOENT),
        ("rename", ["/open", ""], errno.ENOENT),
        ("rename", ["", "/new"], errno.ENOENT),
        ("read_file", ["/locked"], errno.EACCES),
        ("write_file", ["/locked", b""], errno.EACCES),
        ("truncate", ["/locked", 0], errno.EACCES),
        ("truncate", ["/closed", 0], errno.EISDIR),
        ("stat", ["/" + "./" * (1 << 15)], errno.ENAMETOOLONG),
        ("makedirs", ["/" + "x/" * 2048 + "y"], errno.ENAMETOOLONG),
        ("stat", ["/loop"], errno.ELOOP),
        ("realpath", ["/loop/x"], errno.ELOOP),
        ("realpath", ["/missing/x"], errno.ENOENT),
        ("realpath", [""], errno.ENOENT),
        ("realpath", ["/locked/x"], errno.ENOTDIR),
        ("realpath", ["/locked/.."], errno.ENOTDIR),
        ("volume_at", ["/missing"], errno.ENOENT),
        ("rmdir", ["/"], errno.EBUSY),
        ("rmdir", ["/."], errno.EINVAL),
        ("rmdir", ["/locked/.."], errno.ENOTDIR),
        ("link", ["/locked", "/missing/"], errno.ENOENT),
        ("link", ["/closed", "/new"], errno.EPERM),
        ("write_lazy", ["/closed", LazyFile(bytes)], errno.EISDIR),
        ("unmount", ["/closed"], errno.EACCES),
    ],
)
def test_it_is_refused(files, call, arguments, number):
    files = files if call != "unmount" else files.unchecked()
    number = number if call != "unmount" else errno.EINVAL
    with pytest.raises(OSError) as refused:
        getattr(files, call)(*arguments)
    assert refused.value.errno == number


@pytest.fixture
def repository(tmp_path):
    """Files with an overlay of a directory that has a pipe in it."""
    (tmp_path / "f").write_bytes(b"data")
    os.mkfifo(tmp_path / "pipe")
    files = MemoryFileSystem()
    files.mount("/repo", Overlay(tmp_path))
    return files


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ("rename", ["/repo/pipe", "/repo/moved"]),
        ("link", ["/repo/pipe", "/repo/linked"]),
        ("chmod", ["/repo/pipe", 0o777]),
        ("chown", ["/repo/pipe", 7, 7]),
        ("utime", ["/repo/pipe", 1.0, 1.0]),
    ],
)
def test_a_special_file_below_an_overlay_is_not_changed(repository, call, arguments):
    before = repository.stat("/repo/pipe")
    with pytest.raises(PermissionError):
        getattr(repository, call)(*arguments)
    assert repository.stat("/repo/pipe") == before
    assert repository.listdir("/repo") == ["f", "pipe"]


def test_a_special_file_below_an_overlay_can_be_hidden(repository, tmp_path):
    quota = repository.mounts()["/repo"][1].quota
    before = quota.files
    repository.unlink("/repo/pipe")
    assert repository.listdir("/repo") == ["f"]
    assert quota.files == before
    assert (tmp_path / "pipe").is_fifo()


def test_the_owner_of_a_file_below_an_overlay_can_be_changed(repository):
    repository.chown("/repo/f", 7, 8)
    assert (repository.stat("/repo/f").uid, repository.stat("/repo/f").gid) == (7, 8)


def test_a_file_that_has_gone_below_an_overlay(repository, tmp_path):
    repository.stat("/repo/f")
    (tmp_path / "f").unlink()
    with pytest.raises(FileNotFoundError):
        repository.read_file("/repo/f")


@pytest.mark.parametrize(("size", "fits"), [(100, True), (101, False)])
def test_what_an_overlay_reads_must_have_room(tmp_path, size, fits):
    (tmp_path / "f").write_bytes(b"x" * size)
    files = MemoryFileSystem(max_bytes=100)
    files.mount("/repo", Overlay(tmp_path))
    if fits:
        files.open("/repo/f", write=True, append=True).release()
        assert files.volume.quota.bytes == size
    else:
        with pytest.raises(OSError, match="No space left"):
            files.open("/repo/f", write=True, append=True)


# -- mounts ----------------------------------------------------------------------------------------------------------------


def test_a_file_is_no_place_for_a_mount():
    files = MemoryFileSystem()
    files.write_file("/f", b"")
    with pytest.raises(NotADirectoryError):
        files.mount("/f", MemoryFileSystem())


def test_a_mount_ends_when_those_below_it_have_ended():
    files, outer, inner = MemoryFileSystem(), MemoryFileSystem(), MemoryFileSystem()
    files.mount("/a", outer)
    files.mount("/a/b/c", inner)
    with pytest.raises(OSError, match="busy"):
        files.unmount("/a")
    files.unmount("/a/b/c")
    assert list(files.mounts()) == ["/a"]
    files.unmount("/a")
    assert not files.mounts()


def test_what_is_mounted_at_a_path():
    files, outer, inner = MemoryFileSystem(), MemoryFileSystem(), MemoryFileSystem()
    for path in ("/ab", "/a/b", "/a/bc"):
        files.makedirs(path)
    files.mount("/a", outer)
    files.mount("/a/b", inner)
    outer.mkdir("/bc")
    found = {path: files.volume_at(path) for path in ("/", "/ab", "/a", "/a/bc", "/a/b")}
    assert {path: (place, volume) for path, (place, volume) in found.items()} == {
        "/": ("/", files.volume),
        "/ab": ("/", files.volume),
        "/a": ("/a", outer.volume),
        "/a/bc": ("/a", outer.volume),
        "/a/b": ("/a/b", inner.volume),
    }


def test_room_is_given_back_when_other_files_take_the_place_of_those_there_are():
    """However often: a session that is restored holds what it holds, and no more."""
    files = MemoryFileSystem(max_bytes=1000, max_files=10)
    for name in "abcd":
        files.write_file(f"/{name}", b"x" * 200)
    quota, tree = files.volume.quota, files.volume.freeze()
    held = quota.bytes, quota.files
    for _ in range(5):
        files.volume.adopt(tree)
        assert (quota.bytes, quota.files) == held
