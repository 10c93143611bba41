"""pr: paginate or columnate files for printing (POSIX XCU pr; GNU coreutils manual, pr)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, slurp
from bashkit.commands._notation.quoting import quote_if_needed
from bashkit.commands.text.pr.layout import OPTIONS, ask, layout_of
from bashkit.commands.text.pr.pages import Column, Part, pages_of, pages_side_by_side, parts_of, tabs_of
from bashkit.commands.text.pr.printing import Printer
from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "pr",
    usage="[OPTION]... [FILE]...",
    summary="Paginate or columnate FILE(s) for printing.",
    options=OPTIONS,
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the files; 1 when one cannot be read."""
    layout = layout_of(arguments)
    ask(process.budget, layout)
    status = 0
    files: list[tuple[str, list[Part], float]] = []
    for name in arguments.operands or ["-"]:
        try:
            text = slurp(process, process.open(name)).decode("utf-8", "surrogateescape")
            lies_there = name != "-" and process.descriptor(name) is None and "m" not in arguments
            modified = process.fs.stat(process.path(name)).mtime if lies_there else process.system.now()
        except OSError as error:
            if "r" not in arguments or error.errno == errno.EISDIR:
                process.warn(f"{quote_if_needed('standard input' if name == '-' else name)}: {error.strerror}")
            status = 1
            if error.errno == errno.EISDIR:
                break  # it can be opened, and the first read ends the program
            continue
        process.budget.words(text.count("\n") + text.count("\f"))
        process.budget.tick(text.count("\n"))
        process.hold(len(text) + LINE * (1 + text.count("\n") + text.count("\f")))
        char, width = tabs_of(layout) or ("\t", 0)
        process.budget.room(text.count(char) * width)
        parts = list(parts_of(text, layout))
        files.append(("" if name == "-" or "m" in arguments else name, parts, modified))
    if layout.merge and files:
        columns = [Column(parts) for _, parts, _ in files]
        Printer(process, arguments, layout, len(files)).run("", process.system.now(), pages_side_by_side(columns, layout))
        return status
    for name, parts, modified in files:
        Printer(process, arguments, layout, layout.columns).run(name, modified, pages_of(parts, layout))
    return status
