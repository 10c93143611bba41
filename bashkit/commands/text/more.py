"""more: show text; without a terminal it copies its input, each file under its name (more(1), POSIX XCU more)."""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_START = re.compile(r"[-+][0-9]+|\+/.*")
_RULE = ":" * 14


def _without_places(words: list[str]) -> list[str]:
    """Drop ``+5``, ``-20`` and ``+/text``, which are about the screen."""
    end = words.index("--") if "--" in words else len(words)
    return [word for index, word in enumerate(words) if index >= end or not _START.fullmatch(word)]


@command(
    "more",
    usage="[OPTION]... FILE...",
    summary="Show FILEs; there is no terminal here, so they are copied to standard output.",
    options=(
        flag("-d", "--silent", help="(ignored: it is about the screen)"),
        flag("-f", "--logical", help="(ignored: it is about the screen)"),
        flag("-l", "--no-pause", help="(ignored: it is about the screen)"),
        flag("-c", "--print-over", help="(ignored: it is about the screen)"),
        flag("-p", "--clean-print", help="(ignored: it is about the screen)"),
        flag("-e", "--exit-on-eof", help="(ignored: it is about the screen)"),
        flag("-s", "--squeeze", help="(ignored: it is about the screen)"),
        flag("-u", "--plain", help="(ignored: nothing is underlined)"),
        value("-n", "--lines", metavar="NUMBER", help="(ignored: it is about the screen)"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    rewrite=_without_places,
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Copy the files."""
    for name in arguments.operands or ["-"]:
        try:
            stream = process.open(name)
        except OSError as error:
            if error.errno == errno.EISDIR:
                process.write(f"\n*** {name}: directory ***\n\n")
            else:
                process.warn(f"cannot open {name}: {error.strerror}")
            continue
        if arguments.operands:
            process.write(f"{_RULE}\n{name}\n{_RULE}\n")
        try:
            for block in stream.blocks():
                process.budget.tick(1 + (len(block) >> 8))
                process.stdout.write(block)
        except OSError as error:
            process.say(f"\n*** {name}: {error.strerror} ***\n\n")
        finally:
            process.close(stream)
    return 0
