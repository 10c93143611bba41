"""shred: overwrite a file to hide its contents (GNU coreutils manual, shred)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._choices import choose
from bashkit.commands._lines import size as read_size
from bashkit.commands._quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_BLOCK = 4096
_PIECE = 1 << 16
_REMOVALS = (("unlink",), ("wipe",), ("wipesync",))


@command(
    "shred",
    usage="[OPTION]... FILE...",
    summary="Overwrite the specified FILE(s) repeatedly, in order to make it harder to recover the data.",
    options=(
        flag("-f", "--force", help="change permissions to allow writing if necessary"),
        value("-n", "--iterations", metavar="N", help="overwrite N times instead of the default (3)"),
        value("--random-source", metavar="FILE", help="get random bytes from FILE"),
        value("-s", "--size", metavar="N", help="shred this many bytes (suffixes like K, M, G accepted)"),
        flag("-u", help="deallocate and remove file after overwriting"),
        value(
            "--remove", metavar="HOW", optional=True, help="like -u but give control on HOW to delete: unlink, wipe or wipesync"
        ),
        flag("-v", "--verbose", help="show progress"),
        flag("-x", "--exact", help="do not round file sizes up to the next full block"),
        flag("-z", "--zero", help="add a final overwrite with zeros to hide shredding"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Overwrite each file; 1 when one could not be."""
    text = arguments.get("n") or "3"
    if not text.isdecimal():
        raise UsageError(f"invalid number of passes: {mention(text)}", hint=False)
    extent = arguments.get("s")
    try:
        length = None if extent is None else read_size(extent)
    except ValueError:
        raise UsageError(f"invalid file size: {mention(extent or '')}", hint=False) from None
    how = choose("--remove", arguments.get("remove") or "wipesync", _REMOVALS)
    if not arguments.operands:
        raise UsageError("missing file operand")
    status = 0
    source = _source(process, arguments)
    for name in arguments.operands:
        try:
            _overwrite(process, arguments, name, int(text[:9]), length, source)
            if "u" in arguments or "remove" in arguments:
                _remove(process, arguments, name, how)
        except OSError as error:
            process.warn(f"{name}: failed to open for writing: {error.strerror}")
            status = 1
    return status


def _source(process: Process, arguments: Arguments) -> Callable[[int], bytes]:
    """What gives so many random bytes.

    Raises:
        UsageError: There are several files to take them from, or (later) no more bytes in it.
    """
    names = arguments.all("random-source")
    if not names:
        return lambda length: b"".join(
            process.system.random.randbytes(min(_PIECE, length - at)) for at in range(0, length, _PIECE)
        )
    if len(set(names)) > 1:
        raise UsageError("multiple random sources specified", hint=False)
    stream = process.open(names[0])

    def take(length: int) -> bytes:
        found = bytearray()
        while len(found) < length:
            process.budget.tick()
            block = stream.read(length - len(found))
            if not block:
                raise UsageError(f"{mention(names[0])}: end of file", hint=False)
            found += block
        return bytes(found)

    return take


def _overwrite(
    process: Process, arguments: Arguments, name: str, passes: int, length: int | None, source: Callable[[int], bytes]
) -> None:
    fs, path = process.fs, process.path(name)
    if "f" in arguments and not fs.stat(path).mode & 0o200:
        fs.chmod(path, fs.stat(path).mode | 0o200)
    fs.open(path, write=True).release()
    size = fs.stat(path).size
    if length is None:
        length = size if "x" in arguments else size + -size % _BLOCK
    total = passes + ("z" in arguments)
    process.budget.string(length)
    if passes and "random-source" in arguments and "s" not in arguments and 0 < size < min(length, _BLOCK):
        fs.write_file(path, source(size))  # a small file is overwritten by itself before the rest of its block is
    for number in range(1, total + 1):
        zeros = number > passes
        process.budget.tick(1 + length // 512)
        if "v" in arguments:
            process.warn(f"{name}: pass {number}/{total} ({'000000' if zeros else 'random'})...")
        if number < total and not zeros and passes > 1 and "random-source" not in arguments:
            continue  # what a later pass overwrites was never seen by anyone
        data = bytes(length) if zeros else source(length)
        kept = fs.read_file(path)[length:]
        fs.write_file(path, data + kept)


def _remove(process: Process, arguments: Arguments, name: str, how: str) -> None:
    fs, told = process.fs, "v" in arguments
    if told:
        process.warn(f"{name}: removing")
    directory, slash, base = name.rpartition("/")
    current = name
    for length in range(len(base), 0, -1) if how != "unlink" else ():
        process.budget.tick()
        shorter = f"{directory}{slash}{'0' * length}"
        if fs.exists(process.path(shorter)):
            continue
        fs.rename(process.path(current), process.path(shorter))
        if told:
            process.warn(f"{current}: renamed to {shorter}")
        current = shorter
    fs.unlink(process.path(current))
    if told:
        process.warn(f"{name}: removed")
