"""Where symbolic links lead, where something is mounted as where nothing is."""

import errno

import pytest

from bashkit import MemoryFileSystem


@pytest.fixture(params=["plain", "mounted"])
def files(request):
    files = MemoryFileSystem()
    if request.param == "mounted":
        files.mount("/elsewhere", MemoryFileSystem())
    files.makedirs("/a/b/c")
    files.makedirs("/x/y")
    files.write_file("/x/f", b"of x")
    files.write_file("/a/b/f", b"of b")
    files.write_file("/f", b"of the root")
    for target, path in (
        ("/x/y", "/a/b/absolute"),
        ("../../x/y", "/a/b/relative"),
        ("/", "/a/b/root"),
        ("../../../../..", "/a/b/above"),
        (".", "/a/b/here"),
        ("absolute", "/a/b/twice"),
        ("../f", "/x/y/file"),
    ):
        files.symlink(target, path)
    return files


@pytest.mark.parametrize(
    ("path", "content", "real"),
    [
        ("/a/b/absolute/../f", b"of x", "/x/f"),
        ("/a/b/relative/../f", b"of x", "/x/f"),
        ("/a/b/twice/../f", b"of x", "/x/f"),
        ("/a/b/absolute/../../f", b"of the root", "/f"),
        ("/a/b/absolute/../../a/b/c/../f", b"of b", "/a/b/f"),
        ("/a/b/root/f", b"of the root", "/f"),
        ("/a/b/root/../../f", b"of the root", "/f"),
        ("/a/b/root/a/b/f", b"of b", "/a/b/f"),
        ("/a/b/above/f", b"of the root", "/f"),
        ("/a/b/here/here/f", b"of b", "/a/b/f"),
        ("/a/b/absolute/file", b"of x", "/x/f"),
        ("/a/b/../../a/./b//f", b"of b", "/a/b/f"),
    ],
)
def test_it_is_found(files, path, content, real):
    assert files.read_file(path) == content
    assert files.realpath(path) == real
    files.write_file(path, b"new")
    assert files.read_file(real) == b"new"


@pytest.mark.parametrize("call", ["stat", "realpath"])
@pytest.mark.parametrize(("links", "number"), [(40, 0), (41, errno.ELOOP)])
def test_so_many_links_are_followed(files, call, links, number):
    for place in range(1, links):
        files.symlink(f"l{place - 1}", f"/l{place}")
    files.symlink("f", "/l0")
    if number:
        with pytest.raises(OSError) as refused:
            getattr(files, call)(f"/l{links - 1}")
        assert refused.value.errno == number
    else:
        getattr(files, call)(f"/l{links - 1}")
