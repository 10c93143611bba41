"""What changes of files below a session take of its room, and what they give back."""

import pytest

from bashkit import Bash, ExecutionLimits, MemoryFileSystem, Overlay

TARGET = "t" * 1000


@pytest.fixture
def repository(tmp_path):
    """Files with an overlay, and what of the room is taken."""
    for place in range(20):
        (tmp_path / f"f{place}").write_bytes(b"x" * 100)
    (tmp_path / "link").symlink_to(TARGET)
    files = MemoryFileSystem(max_bytes=10_000, max_files=100)
    files.mount("/repo", Overlay(tmp_path))
    quota = files.volume.quota
    return files, lambda: (quota.bytes, quota.files - 1)  # without /repo


def test_what_is_changed_below_an_overlay_takes_room_once(repository):
    files, taken = repository
    files.chown("/repo/link", 7, 7, follow=False)
    assert taken() == (len(TARGET), 1)
    files.chown("/repo/link", 8, 8, follow=False)
    assert taken() == (len(TARGET), 1)
    files.chmod("/repo/f1", 0o600)
    assert taken() == (len(TARGET), 2)
    files.truncate("/repo/f1", 300)
    assert taken() == (len(TARGET) + 300, 2)
    files.truncate("/repo/f1", 0)
    assert taken() == (len(TARGET), 2)


def test_a_name_that_is_hidden_takes_room(repository):
    files, taken = repository
    files.unlink("/repo/f1")
    first = taken()[0]
    assert first > len("f1")
    files.unlink("/repo/f10")
    assert taken() == (2 * first + 1, 0)


def test_a_file_grows_as_far_as_there_is_room(repository):
    files, _ = repository
    with pytest.raises(OSError, match="No space left"):
        files.truncate("/repo/f1", 10_001)
    files.truncate("/repo/f1", 10_000)
    with pytest.raises(OSError, match="No space left"):
        files.write_file("/f", b"x")


def test_what_is_removed_gives_its_room_back():
    files = MemoryFileSystem(max_bytes=1000, max_files=10)
    quota = files.volume.quota
    for _ in range(20):
        files.symlink("t" * 600, "/link")
        files.write_file("/f", b"x" * 400)
        files.mkfifo("/pipe")
        files.mkdir("/d")
        assert (quota.bytes, quota.files) == (1000, 4)
        for name in ("/link", "/f", "/pipe"):
            files.unlink(name)
        files.rmdir("/d")
        assert (quota.bytes, quota.files) == (0, 0)


def used(bash, script):
    """Bytes and files that a session takes when a script has run."""
    result = bash.execute_sync(f"{script} && df -B1 --output=used,iused / | tail -1")
    return tuple(map(int, result.stdout.split()))


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_a_file_of_the_machine_takes_room_when_it_is_changed(isolation):
    bash = Bash(isolation=isolation)
    size = int(bash.execute_sync("wc -c < /etc/passwd").stdout)
    held, files = used(bash, ":")
    assert used(bash, "echo x >> /etc/passwd") == (held + size + 2, files + 2)  # with its directory
    assert used(bash, "echo xy >> /etc/passwd") == (held + size + 5, files + 2)
    assert used(bash, ": > /etc/passwd; : > /etc/hosts") == (held, files + 3)
    saved = bash.snapshot()
    bash.restore(saved)
    bash.restore(saved)
    assert used(bash, ":") == (held, files + 3)


def test_files_of_the_machine_cannot_be_changed_without_room():
    bash = Bash(limits=ExecutionLimits(max_file_system_bytes=10))
    result = bash.execute_sync("echo x >> /etc/passwd")
    assert "No space left" in result.stderr
