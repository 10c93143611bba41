"""The host's hand on the files of a session whose script is running in a sandbox process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bashkit.fs import VirtualFileSystem
    from bashkit.sandbox.channel import Channel, Frame

OPERATIONS = frozenset(
    {"read_file", "write_file", "append", "stat", "listdir", "readlink", "exists", "access", "realpath", "mkdir", "makedirs",
     "symlink", "link", "mkfifo", "unlink", "rmdir", "rename", "chmod", "chown", "truncate", "utime"}
)  # fmt: skip


def answer(channel: Channel, files: VirtualFileSystem, frame: Frame) -> None:
    """Do what the host asks for, and send what came of it."""
    question, checked, what, given, named = frame.fields
    view = files if checked else files.unchecked()
    try:
        value, data = _do(view, what, given, named, bytes(frame.data))
    except OSError as error:
        channel.send("answer", question, ["os", error.errno, error.filename])
    else:
        channel.send("answer", question, None, value, data=data)


def _do(files: VirtualFileSystem, what: str, given: list[Any], named: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
    if what == "read_file":
        return None, files.read_file(*given)
    if what == "write_file":
        files.write_file(given[0], data, **named)
        return None, b""
    if what == "append":
        stream = files.open(given[0], append=True, create=True)
        try:
            stream.write(data)
        finally:
            stream.release()
        return None, b""
    if what not in OPERATIONS:
        raise OSError(38, "Function not implemented")
    value = getattr(files, what)(*given, **named)
    return list(value) if what == "stat" else value, b""
