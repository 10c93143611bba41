"""less: show text; without a terminal it copies its input, as less(1) does."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, HelpRequested, command
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process

_FLAGS, _WITH_ARGUMENT = "acCdeEfFgGiIJKLmMnNqQrRsSuUwWX", "bhjkpPtTxyz"
_LONG = ("--chop-long-lines", "--RAW-CONTROL-CHARS", "--quit-if-one-screen", "--no-init", "--LINE-NUMBERS")


@command(
    "less",
    usage="[OPTION]... [FILE]...",
    summary="Show FILEs; there is no terminal here, so they are copied to standard output.",
    options=None,
    notes="Options are about the screen, and ignored; so are commands such as +5.",
    model="less 590",
)
def main(process: Process, arguments: Arguments) -> int:
    """Copy the files; a missing one is named in the output, and is no failure."""
    for name in paced(_operands(process, arguments.operands) or ["-"], 8):
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


def _operands(process: Process, words: list[str]) -> list[str]:
    """The words that are no options; an unknown option is told, and is no failure.

    Raises:
        HelpRequested: They ask for ``--help`` or ``--version``.
    """
    operands: list[str] = []
    pending = iter(words)
    for word in pending:
        if word == "--":
            operands.extend(pending)
        elif word in {"--help", "-?"}:
            raise HelpRequested(main.help())
        elif word in {"--version", "-V"}:
            raise HelpRequested(main.version())
        elif word.startswith("--"):
            if word not in _LONG:
                _tell(process, word[2:])
        elif word.startswith("-") and len(word) > 1:
            _letters(process, word, pending)
        elif not word.startswith("+"):
            operands.append(word)
    return operands


def _letters(process: Process, word: str, pending: Iterator[str]) -> None:
    for index, letter in enumerate(word[1:], 2):
        if letter in _WITH_ARGUMENT:
            if index == len(word):
                next(pending, None)
            return
        if letter not in _FLAGS:
            _tell(process, f"-{letter}")
            return


def _tell(process: Process, option: str) -> None:
    process.say(f'There is no {option} option ("less --help" for help)\n')
