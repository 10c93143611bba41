"""Files that rg decompresses (-z) or decodes (-E) before it searches them."""

from __future__ import annotations

import codecs
import errno
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from bashkit.commands._notation.encoding import is_character_set
from bashkit.commands.patterns.rg.expressions import PatternError
from bashkit.fs import BytesStream
from bashkit.interp.runtime.capture import Substitution

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_DECOMPRESSORS = {"gz": "gzip", "tgz": "gzip", "bz2": "bzip2", "tbz2": "bzip2", "xz": "xz", "txz": "xz", "zst": "zstd"}
_RULE = "-" * 79 + "\n"
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))


def converted(process: Process, arguments: Arguments, name: str, data: bytes) -> bytes:
    """The data of a file as it is searched.

    Raises:
        PatternError: The encoding is not known.
    """
    program = _DECOMPRESSORS.get(name.rpartition(".")[2]) if "z" in arguments else None
    if program is not None:
        output = Substitution(process.budget)
        process.launcher.run([program, "-d", "-c"], stdin=BytesStream(data), stdout=output)
        data = output.value()
    label = (arguments.get("E") or "auto").lower()
    if label not in {"auto", "none"} and not is_character_set(label):
        raise PatternError(f"grep config error: unknown encoding: {arguments.get('E')}\n")
    for mark, encoding in _MARKS if label != "none" else ():  # a mark says more than the option
        if data.startswith(mark):
            data, label = data[len(mark) :], encoding
            break
    if label in {"auto", "none"}:
        return data
    process.budget.tick(len(data) >> 4)
    return data.decode("utf-16le" if label == "utf-16" else label, "replace").encode("utf-8", "surrogateescape")


def preprocessed(process: Process, arguments: Arguments, name: str, data: bytes) -> tuple[bytes, bool]:
    """What the program of ``--pre`` makes of a file, and whether it failed."""
    program, globs = arguments.get("pre"), arguments.all("pre-glob")
    if not program or name == "-" or (globs and not any(fnmatchcase(name, glob) for glob in globs)):
        return data, False
    called = f'\'"{program}" "{name}"\''
    if process.launcher.obstacle(program) == errno.ENOENT:
        process.say(f"{name}: preprocessor command could not start: {called}: No such file or directory (os error 2)\n")
        return b"", True
    output, errors = Substitution(process.budget), Substitution(process.budget)
    failed = bool(process.launcher.run([program, name], stdin=BytesStream(data), stdout=output, stderr=errors))
    if failed:
        told = errors.value().decode("utf-8", "replace").strip()
        process.say(f"{name}: preprocessor command failed: {called}: \n{_RULE}{told}\n{_RULE}")
    return output.value(), failed
