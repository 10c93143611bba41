"""What every run of cpio has in common: its options, its counts and its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import read_names
from bashkit.commands._notation.counts import clamped
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

BLOCK = 512


class CpioError(Exception):
    """The run ends with this message, and whether the pointer to ``--help`` follows."""

    def __init__(self, message: str, *, hint: bool = False) -> None:
        super().__init__(message)
        self.hint = hint


class Run:
    """One command line.

    Attributes:
        status: The exit status so far.
    """

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self.process = process
        self.arguments = arguments
        self.status = 0

    @property
    def block(self) -> int:
        """The bytes of a block, which archives are multiples of."""
        key = self.arguments.last("B", "C", "block-size")
        if key is None or key == "B":
            return BLOCK if key is None else 10 * BLOCK
        text = self.arguments.get(key) or ""
        if not is_digits(text) or not int(text[:9]):
            raise CpioError("invalid block size")
        return min(clamped(text) * (BLOCK if key == "block-size" else 1), 1 << 24)

    def fail(self, message: str) -> None:
        """Say what is wrong with a member; the others go on."""
        self.process.warn(message)
        self.status = 2

    def tell(self, name: str) -> None:
        """Say that a member is done, as ``-v`` and ``-V`` ask."""
        if "v" in self.arguments:
            self.process.say(f"{name}\n")
        elif "V" in self.arguments:
            self.process.say(".")

    def count(self, size: int) -> None:
        """Say how many blocks were copied."""
        if "V" in self.arguments and "v" not in self.arguments:
            self.process.say("\n")
        if "quiet" not in self.arguments:
            blocks = -(-size // self.block)
            self.process.say(f"{blocks} block{'' if blocks == 1 else 's'}\n")

    def listed(self) -> list[str]:
        """The names of standard input."""
        words = read_names(self.process, self.process.stdin, b"\0" if "0" in self.arguments else b"\n")
        self.process.budget.words(len(words))
        names = []
        for word in words:
            if word:
                names.append(word)
            else:
                self.process.warn("blank line ignored")
        return names
