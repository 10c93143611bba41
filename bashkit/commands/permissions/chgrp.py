"""chgrp: change group ownership (POSIX XCU chgrp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.owners import number_of
from bashkit.commands._notation.quoting import mention
from bashkit.commands.permissions._ownership import OPTIONS, Change, change_all
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("chgrp", usage="[OPTION]... GROUP FILE...", summary="Change the group of each FILE to GROUP.", options=OPTIONS)
def main(process: Process, arguments: Arguments) -> int:
    """Change each file; 1 when one could not be."""
    return change_all(process, arguments, _read)


def _read(process: Process, text: str) -> Change:
    if not text:
        return Change(-1, -1)
    found = number_of(process, text, group=True)
    if found is None:
        raise UsageError(f"invalid group: {mention(text)}", hint=False)
    return Change(-1, found)
