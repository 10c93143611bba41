"""zgrep: grep in compressed files (gzip manual, Invoking zgrep); ``bzgrep`` and ``xzgrep`` for the other formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns.grep.settings import OPTIONS
from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_TROUBLE = 2
_DECOMPRESSORS = {"bzgrep": "bzip2", "xzgrep": "xz"}  # gzip for all others
_REFUSED = "drRzZ"  # what has no meaning for files that are read one by one


@command(
    "zgrep",
    usage="[OPTION]... PATTERNS [FILE]...",
    summary="Search for PATTERNS in the contents of each FILE, which may be compressed.",
    options=OPTIONS,
    usage_status=_TROUBLE,
)
def main(process: Process, arguments: Arguments) -> int:
    """Let grep search what gzip reads; 0 if a line is selected, 1 if none, 2 if there was trouble."""
    refused = next((key for key, _ in arguments.given if key in _REFUSED), None)
    if refused is not None:
        process.warn(f"-{refused}: option not supported")
        return _TROUBLE
    names = arguments.operands
    options = _options(arguments)
    if not {"e", "f"} & {key for key, _ in arguments.given}:
        if not names:
            process.warn("missing pattern; try `zgrep --help' for help")
            return _TROUBLE
        options += ["-e", names[0]]
        names = names[1:]
    if len(names) > 1 and "h" not in arguments:
        options.append("-H")
    found = [_search(process, options, name) for name in names or ["-"]]
    if _TROUBLE in found and "q" not in arguments:
        return _TROUBLE
    return min(found)


def _options(arguments: Arguments) -> list[str]:
    """The options as words again."""
    words: list[str] = []
    for key, text in arguments.given:
        if len(key) > 1:
            words.append(f"--{key}" if text is None else f"--{key}={text}")
        else:
            words += [f"-{key}"] if text is None else [f"-{key}", text]
    return words


def _search(process: Process, options: list[str], name: str) -> int:
    """Search one file and give the status."""
    reader = [_DECOMPRESSORS.get(process.name, "gzip"), "-cdfq"]
    output, finish = process.launcher.open(reader if name == "-" else [*reader, "--", name], write=False)
    try:
        label = "(standard input)" if name == "-" else name
        status = process.launcher.run(["grep", f"--label={label}", *options], stdin=output)
    finally:
        output.release()
    return max(status, _TROUBLE) if finish() == 1 else status  # 2 is a warning
