"""ReadOnly: files in memory that a session sees and cannot change."""

import pytest

from bashkit import Bash, FileSystem, HostDirectory, LazyFile, MemoryFileSystem, ReadOnly, Snapshot
from bashkit.errors import DefinitionError

MODES = pytest.mark.parametrize("isolation", ["inline", "process"])
CHANGES = [
    "echo x > /c/new", "echo x >> /c/a", "rm /c/a", "mkdir /c/e", "touch /c/a", "chmod 600 /c/a", "mv /c/a /c/b",
    "mv /c/a /tmp/", "mv /tmp/mine /c/", "ln -s x /c/l", "ln /c/a /c/l", "cp /tmp/mine /c/d/b", "sed -i s/o/0/ /c/a", "truncate -s 0 /c/a",
    "mkfifo /c/p", "chown 0 /c/a",
]  # fmt: skip


def corpus():
    files = FileSystem()
    files.write_file("/a", "one\n")
    files.write_file("/d/b", "two\n")
    files.symlink("d/b", "/link")
    files.write_file("/lazy", LazyFile(lambda: "late\n"))
    return files


@MODES
def test_it_is_read_and_never_changed(isolation):
    files = corpus()
    bash = Bash(mounts={"/c": ReadOnly(files)}, isolation=isolation)
    assert bash.execute_sync("cd /c; cat a link lazy; ls; find /c -type f | sort; [ -w a ] || echo no").stdout == (
        "one\ntwo\nlate\na\nd\nlazy\nlink\n/c/a\n/c/d/b\n/c/lazy\nno\n"
    )
    result = bash.execute_sync("echo own > /tmp/mine\n" + "\n".join(f"{{ {change}; }} 2>&1 && echo done" for change in CHANGES))
    assert "done" not in result.stdout
    assert result.stdout.count(": Read-only file system") == len(CHANGES)
    assert [files.read_file(path) for path in ("/a", "/d/b", "/lazy")] == [b"one\n", b"two\n", b"late\n"]
    assert [entry["name"] for entry in files.read_dir("/")] == ["a", "d", "lazy", "link"]
    with pytest.raises(OSError, match="Read-only"):
        bash.fs.write_file("/c/new", "")
    with pytest.raises(OSError, match="Read-only"):
        bash.fs.write_file("/c/new", LazyFile(lambda: ""))


@MODES
def test_changes_by_others_show(isolation):
    shared = MemoryFileSystem()
    writer, reader = Bash(isolation=isolation), Bash(isolation=isolation)
    writer.fs.mount("/w", shared)
    reader.fs.mount("/r", shared, read_only=True)
    assert reader.execute_sync("ls /r").stdout == ""
    writer.execute_sync("echo 1 > /w/n")
    assert reader.execute_sync("cat /r/n; echo 2 > /r/n; rm /r/n").stdout == "1\n"
    reader.snapshot()  # from here on the file is shared with the snapshot
    writer.execute_sync("echo 3 >> /w/n")
    assert reader.execute_sync("cat /r/n").stdout == "1\n3\n"


def test_what_is_open_shows_what_is_written_later():
    shared = MemoryFileSystem()
    shared.write_file("/n", b"1\n")
    bash = Bash(mounts={"/w": shared, "/r": ReadOnly(shared)})
    bash.snapshot()
    assert bash.execute_sync("exec 3</r/n; echo 2 >> /w/n; cat <&3; [ /w/n -ef /r/n ] || echo two").stdout == "1\n2\ntwo\n"


@MODES
def test_a_snapshot_keeps_it(isolation):
    files = corpus()
    bash = Bash(mounts={"/c": ReadOnly(files)}, isolation=isolation)
    bash.execute_sync("x=5")
    kept = bash.snapshot()
    files.write_file("/a", "changed\n")
    for snapshot in (kept, Snapshot.from_bytes(kept.to_bytes())):
        again = Bash.from_snapshot(snapshot, isolation=isolation)
        assert again.execute_sync("echo $x; cat /c/a /c/lazy; echo x > /c/a").stdout == "5\none\nlate\n"
        assert again.fs.read_file("/c/a") == b"one\n"


def test_what_cannot_be_mounted_so(tmp_path):
    bash = Bash()
    with pytest.raises(DefinitionError, match="can be mounted read-only, not HostDirectory"):
        bash.fs.mount("/c", HostDirectory(tmp_path), read_only=True)
    with pytest.raises(OSError, match="Invalid argument"):
        bash.fs.mount("/self", bash.fs)
    with pytest.raises(OSError, match="Invalid argument"):
        Bash().fs.mount("/other", Bash(isolation="process").fs)
