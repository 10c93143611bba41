"""What an archive is passed through: a compression, or a program of ``-I`` (GNU tar manual, 8.1.1)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands.archives._compression import CorruptError, MissingLibraryError, compress, expand, kind_of
from bashkit.commands.archives.tar.errors import TarError
from bashkit.fs import BytesStream
from bashkit.interp.runtime.capture import Substitution

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_KINDS = {"z": "gzip", "Z": "compress", "j": "bzip2", "J": "xz", "zstd": "zstd"}
_READ_BY = {"gzip": {"gzip", "compress"}}  # where a program reads more than it writes
_SUFFIXES = {
    ".gz": "gzip",
    ".tgz": "gzip",
    ".taz": "gzip",
    ".Z": "compress",
    ".taZ": "compress",
    ".bz2": "bzip2",
    ".tbz": "bzip2",
    ".tbz2": "bzip2",
    ".xz": "xz",
    ".txz": "xz",
    ".zst": "zstd",
    ".tzst": "zstd",
}
_PROGRAM = "I"
_NOT_READ = {  # what programs say of another format than theirs
    "compress": "stdin: not in compressed format\n",
    "bzip2": "bzip2: (stdin) is not a bzip2 file.\n",
    "xz": "xz: (stdin): File format not recognized\n",
}


def cannot_open(process: Process, arguments: Arguments, name: str, error: OSError, *, made: bool) -> TarError:
    """Why an archive cannot be opened: by the program that tar lets do that where it is compressed.

    Args:
        process: The running tar.
        arguments: Its command line.
        name: The archive.
        error: What happened.
        made: It is to be made, so that its name may ask for compression.
    """
    reason = f"{name}: Cannot open: {error.strerror}"
    if not (is_compressed(arguments, name) if made else _asked(arguments) or _PROGRAM in arguments):
        return TarError(reason)
    return _child_failed(process, reason)


def is_compressed(arguments: Arguments, name: str) -> bool:
    """Whether the options, or with ``-a`` the name of an archive, ask for compression."""
    return _PROGRAM in arguments or _kind(arguments, name) is not None


def expanded(process: Process, arguments: Arguments, name: str, data: bytes) -> bytes:
    """Undo the compression that an archive has, or what a program of ``-I`` has done.

    Raises:
        TarError: It is damaged, or not compressed as the options say; standard input is not, unless they say so.
    """
    if _PROGRAM in arguments:
        return _through(process, f"{arguments.get(_PROGRAM)} -d", data)
    kind, asked = kind_of(data), _asked(arguments)
    if asked is not None and kind not in _READ_BY.get(asked, {asked}):
        trouble = _NOT_READ.get(asked) if data else None
        process.say(trouble or f"\n{asked}: stdin: {f'not in {asked} format' if data else 'unexpected end of file'}\n")
        process.warn(f"Child returned status {2 if asked == 'bzip2' else 1}")
        raise TarError("Error is not recoverable: exiting now", fatal=False)
    if kind is None:
        return data
    if asked is None and name == "-":
        option = next(key for key, program in _KINDS.items() if program == kind)
        raise TarError(f"Archive is compressed. Use {'-' if len(option) == 1 else '--'}{option} option")
    try:
        return expand(data, kind, process.budget)
    except CorruptError as error:
        process.say(f"\n{kind}: stdin: {error}\n")
        raise TarError("Child returned status 1") from None
    except MissingLibraryError as error:
        raise TarError(str(error)) from None


def packed(process: Process, arguments: Arguments, name: str, data: bytes) -> bytes:
    """Compress an archive as the options say, or with ``-a`` its name.

    Raises:
        TarError: There is no such program.
    """
    if _PROGRAM in arguments:
        return _through(process, arguments.get(_PROGRAM) or "", data)
    kind = _kind(arguments, name)
    if kind == "compress":
        raise _missing(process, kind)
    try:
        return data if kind is None else compress(data, kind, {"bzip2": 9, "zstd": 3}.get(kind, 6), process)
    except MissingLibraryError as error:
        raise TarError(str(error)) from None


def has_conflict(arguments: Arguments) -> bool:
    """Whether the options ask for several compressions."""
    return (
        len({argument if key == _PROGRAM else _KINDS[key] for key, argument in arguments.given if key in {*_KINDS, _PROGRAM}}) > 1
    )


def _kind(arguments: Arguments, name: str) -> str | None:
    kind = _asked(arguments)
    if kind is None and arguments.last("a", "no-auto-compress") == "a":
        return next((value for suffix, value in _SUFFIXES.items() if name.endswith(suffix)), None)
    return kind


def _asked(arguments: Arguments) -> str | None:
    return next((_KINDS[key] for key, _ in arguments.given if key in _KINDS), None)


def _through(process: Process, program: str, data: bytes) -> bytes:
    """Pass an archive through a program."""
    words = program.split()
    if process.launcher.obstacle(words[0]) == errno.ENOENT:
        raise _missing(process, words[0])
    output = Substitution(process.budget)
    status = process.launcher.run(words, stdin=BytesStream(data), stdout=output)
    if status:
        raise TarError(f"Child returned status {status}")
    return output.value()


def _missing(process: Process, program: str) -> TarError:
    if program == "compress":
        return TarError("-Z: archives of compress are only read here; -z, -j, -J and --zstd make compressed ones")
    return _child_failed(process, f"{program}: Cannot exec: No such file or directory")


def _child_failed(process: Process, reason: str) -> TarError:
    process.say(f"tar (child): {reason}\ntar (child): Error is not recoverable: exiting now\n")
    return TarError("Child returned status 2")
