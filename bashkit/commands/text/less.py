"""less: show text; without a terminal it copies its input, as less(1) does."""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command, flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_FLAGS = "acCdeEfFgGiIJKLmMnNqQrRsSuUVwWX"
_START = re.compile(r"\+.*")


def _without_commands(words: list[str]) -> list[str]:
    """Drop ``+5`` and ``+/text``, which say where a screen begins."""
    end = words.index("--") if "--" in words else len(words)
    return [word for index, word in enumerate(words) if index >= end or not _START.match(word)]


@command(
    "less",
    usage="[OPTION]... [FILE]...",
    summary="Show FILEs; there is no terminal here, so they are copied to standard output.",
    options=(
        *(flag(f"-{letter}", help="(ignored: it is about the screen)") for letter in _FLAGS if letter != "V"),
        *(value(f"-{letter}", metavar="ARG", help="(ignored: it is about the screen)") for letter in "bhjkpPtTxyz"),
        flag(
            "--chop-long-lines",
            "--RAW-CONTROL-CHARS",
            "--quit-if-one-screen",
            "--no-init",
            "--LINE-NUMBERS",
            help="(ignored: they are about the screen)",
        ),
        version_flag("-V"),
    ),
    rewrite=_without_commands,
    model="less 590",
)
def main(process: Process, arguments: Arguments) -> int:
    """Copy the files; a missing one is named in the output, and is no failure."""
    for name in arguments.operands or ["-"]:
        try:
            stream = process.open(name)
        except OSError as error:
            process.write(f"{name} is a directory\n" if error.errno == errno.EISDIR else f"{name}: {error.strerror}\n")
            continue
        try:
            for block in stream.blocks():
                process.budget.tick(1 + (len(block) >> 8))
                process.stdout.write(block)
        except OSError as error:
            process.say(f"{name}: {error.strerror}\n")
        finally:
            process.close(stream)
    return 0
