"""Further names of utilities: ``egrep`` is ``grep -E``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.process import Process


@dataclass(frozen=True, slots=True)
class Variant:
    """A further name of a utility, under which some options are always given.

    The ``VARIANTS`` of a folder, in its ``__init__.py``, contain them by name.

    Attributes:
        of: The utility, in the same folder.
        words: The options that are always given, as on a command line, before those of the command line.
        summary: One line; by default the utility's.
        lacks: Options of the utility that this name does not accept.
        speaks_as: The name in its messages, if it is not its own.
    """

    of: str
    words: str = ""
    summary: str = ""
    lacks: tuple[str, ...] = ()
    speaks_as: str = ""

    def declare(self, name: str, utility: Command) -> Command:
        """Declare this variant of ``utility`` as a utility called ``name``."""
        given = utility.parse(self.words.split()).given

        def run(process: Process, arguments: Arguments) -> int:
            return utility.run(process, Arguments([*given, *arguments.given], arguments.operands))

        return replace(
            utility,
            name=name,
            run=run,
            summary=self.summary or utility.summary,
            options=None
            if utility.options is None
            else tuple(option for option in utility.options if not {*option.names} & {*self.lacks}),
            speaks_as=self.speaks_as,
            spellings={},
        )
