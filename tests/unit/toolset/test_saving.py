"""Files are written as a whole, or are as they were before."""

import errno
from pathlib import Path

import pytest

from bashkit.errors import BashkitError
from bashkit.toolset.writing.saving import save, write_all


@pytest.fixture
def full_disk(monkeypatch):
    """A disk that has room for three bytes more, and for what stands on it already."""
    write = Path.write_bytes

    def write_some(path, data):
        if data != b"old text":
            write(path, data[:3])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_some)


def test_where_the_disk_is_full_a_file_has_its_old_text(tmp_path, full_disk):
    path = tmp_path / "tools.yaml"
    path.write_text("old text")
    with pytest.raises(BashkitError, match=r"tools\.yaml cannot be written: No space left on device"):
        save(path, "new text")
    assert path.read_text() == "old text"


def test_where_the_disk_is_full_no_part_of_a_new_file_stays(tmp_path, full_disk):
    with pytest.raises(BashkitError, match=r"tools\.yaml cannot be written: No space left on device"):
        save(tmp_path / "tools.yaml", "new text")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_read_stays(tmp_path, monkeypatch):
    path = tmp_path / "tools.yaml"
    path.write_text("old text")
    monkeypatch.setattr("bashkit.host_files.read_bytes", lambda path: path.joinpath("below").read_bytes())
    with pytest.raises(BashkitError, match=r"tools\.yaml cannot be written: Not a directory"):
        save(path, "new text")
    assert path.read_text() == "old text"


def test_a_write_that_takes_a_part_is_gone_on_with():
    class Slow(list):
        def write(self, data):
            self.append(data[:3])
            return len(data[:3])

    file = Slow()
    write_all(file, b"a result\n")
    assert b"".join(file) == b"a result\n"
