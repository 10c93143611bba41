"""look: show the lines of a sorted file that begin with a string (util-linux manual, look)."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, slurp
from bashkit.commands._notation.encoding import encode
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_WORDS = "/usr/share/dict/words"
_OTHER_WORDS = "/usr/share/dict/web2"
_PUNCTUATION = re.compile(rb"[^A-Za-z0-9 \t]")


@command(
    "look",
    usage="[OPTION]... STRING [FILE]",
    summary="Display lines beginning with a specified string.",
    options=(
        flag("-a", "--alternative", help="use the alternative dictionary"),
        flag("-d", "--alphanum", help="compare only blanks and alphanumeric characters"),
        flag("-f", "--ignore-case", help="ignore case differences when comparing"),
        value("-t", "--terminate", metavar="CHAR", help="compare no further than the first CHAR of STRING"),
        version_flag("-V"),
    ),
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the lines; 0 when there are any. Without a file, those of the dictionary."""
    words = arguments.operands
    if not 1 <= len(words) <= 2:
        raise UsageError("bad usage")
    name = words[1] if len(words) > 1 else _OTHER_WORDS if "a" in arguments else _WORDS
    in_words = len(words) == 1
    key = _key(alphanumeric=in_words or "d" in arguments, fold=in_words or "f" in arguments)
    text, end = words[0], arguments.get("t")
    if end and end[0] in text:
        text = text[: text.index(end[0]) + 1]
    try:
        data = slurp(process, process.open(process.path(name)))
    except OSError as error:
        process.warn(f"{name}: {error.strerror}")
        return 1
    process.hold(len(data) + LINE * (data.count(b"\n") + 1))
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    wanted = key(encode(text))
    found = []
    for line in paced(lines[bisect_left(lines, wanted, key=key) :]):
        if not key(line).startswith(wanted):
            break
        found.append(line + b"\n")
    process.stdout.write(b"".join(found))
    return 0 if found else 1


def _key(*, alphanumeric: bool, fold: bool) -> Callable[[bytes], bytes]:
    def key(line: bytes) -> bytes:
        if alphanumeric:
            line = _PUNCTUATION.sub(b"", line)
        return line.lower() if fold else line

    return key
