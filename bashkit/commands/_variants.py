"""Utilities under further names: ``egrep`` is ``grep -E``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.process import Process


@dataclass(frozen=True, slots=True)
class Variant:
    """A utility under another name, under which some options are always given.

    The ``VARIANTS`` of a room, in its ``__init__.py``, hold them by name.

    Attributes:
        of: The utility, in the same room.
        words: The options that are always given, as on a command line; those of the command line come after them.
        summary: One line; that of the utility when empty.
        lacks: Options of the utility that this name does not take.
        speaks_as: The name in its messages where that is not its own.
    """

    of: str
    words: str = ""
    summary: str = ""
    lacks: tuple[str, ...] = ()
    speaks_as: str = ""

    def declare(self, name: str, utility: Command) -> Command:
        """This variant of ``utility`` as a utility called ``name``."""
        given = utility.parse(self.words.split()).given

        def run(process: Process, arguments: Arguments) -> int:
            return utility.run(process, Arguments([*given, *arguments.given], arguments.operands))

        return replace(
            utility,
            name=name,
            run=run,
            summary=self.summary or utility.summary,
            options=tuple(option for option in utility.options or () if not {*option.names} & {*self.lacks}),
            speaks_as=self.speaks_as,
            spellings={},
        )
