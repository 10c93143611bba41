"""Files that rg decompresses (-z) or decodes (-E) before it searches them."""

from __future__ import annotations

import codecs
import errno
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from bashkit.commands.patterns.rg.expressions import PatternError
from bashkit.fs import BytesStream
from bashkit.fs.handles import FileStream
from bashkit.interp.runtime.capture import Substitution

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_DECOMPRESSORS = {
    "gz": "gzip", "tgz": "gzip", "Z": "gzip", "bz2": "bzip2", "tbz2": "bzip2", "xz": "xz", "txz": "xz", "lzma": "lzma",
    "zst": "zstd", "zstd": "zstd",
}  # fmt: skip
_RULE = "-" * 79 + "\n"
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_LONGEST_MARK = 3
_LABELS = {  # encoding.spec.whatwg.org, Names and labels: the codecs of Python for them
    **{f"iso-8859-{number}": f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"{label}-125{number}": f"cp125{number}" for number in range(9) for label in ("windows", "x-cp")},
    **{f"cp125{number}": f"cp125{number}" for number in range(9)},
    **dict.fromkeys(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1", "l1"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "iso8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("latin2", "iso8859-2"), "iso8859-2"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "ms932", "windows-31j"), "cp932"),
    **dict.fromkeys(("gbk", "gb2312", "gb_2312", "chinese", "x-gbk", "gb18030"), "gb18030"),
    **dict.fromkeys(("big5", "big5-hkscs", "cn-big5", "x-x-big5"), "big5hkscs"),
    **dict.fromkeys(("euc-kr", "korean", "windows-949"), "cp949"),
    **dict.fromkeys(("euc-jp", "x-euc-jp"), "euc-jp"),
    **dict.fromkeys(("koi8-r", "koi8", "koi"), "koi8-r"),
    **dict.fromkeys(("macintosh", "mac", "x-mac-roman"), "mac-roman"),
    **dict.fromkeys(("windows-874", "tis-620", "iso-8859-11"), "cp874"),
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(("utf-16", "utf-16le"), "utf-16le"),
    "iso-2022-jp": "iso-2022-jp", "koi8-u": "koi8-u", "ibm866": "cp866", "cp866": "cp866", "utf-16be": "utf-16be",
}  # fmt: skip


def has_mark(stream: Stream) -> bool:
    """Whether a stream begins with a byte order mark; nothing of it is consumed."""
    head = stream.read(_LONGEST_MARK)
    if isinstance(stream, FileStream):
        stream.seek(stream.tell() - len(head))
    else:
        stream.give_back(head)
    return head.startswith(tuple(mark for mark, _ in _MARKS))


def decompressed(process: Process, arguments: Arguments, name: str, data: bytes) -> tuple[bytes, bool]:
    """What is in a compressed file (``-z``), and whether its program failed; other files as they are."""
    program = _DECOMPRESSORS.get(name.rpartition(".")[2]) if "z" in arguments else None
    if program is None:
        return data, False
    output, errors = Substitution(process.budget), Substitution(process.budget)
    failed = bool(process.launcher.run([program, "-d", "-c", name], stdout=output, stderr=errors))
    if failed and "no-messages" not in arguments:
        process.say(f"{name}: \n{_framed(errors.value())}")
    return output.value(), failed


def converted(process: Process, arguments: Arguments, data: bytes) -> bytes:
    """The data of a file in UTF-8.

    Raises:
        PatternError: The encoding is not known.
    """
    label = (arguments.get("E") or "auto").lower()
    if label not in {"auto", "none"} and label not in _LABELS:
        raise PatternError(f"grep config error: unknown encoding: {arguments.get('E')}\n")
    codec = _LABELS.get(label, "")
    for mark, encoding in _MARKS if label != "none" else ():  # a mark says more than the option
        if data.startswith(mark):
            data, codec = data[len(mark) :], encoding
            break
    if not codec:
        return data
    process.budget.tick(len(data) >> 4)
    return data.decode(codec, "replace").encode("utf-8", "surrogateescape")


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
        process.say(f"{name}: preprocessor command failed: {called}: \n{_framed(errors.value())}")
    return output.value(), failed


def _framed(errors: bytes) -> str:
    """What a program said, between two rules."""
    return f"{_RULE}{errors.decode('utf-8', 'replace').strip()}\n{_RULE}"
