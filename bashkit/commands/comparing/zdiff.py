"""zdiff: compare compressed files (gzip manual, zdiff(1))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, HelpRequested, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_TROUBLE = 2
_HELP = "The options are those of diff, for zcmp those of cmp.\n"
_SUFFIXES = (".gz", ".Z", ".z", ".tgz")
_SHORT = {".tgz": ".tar"}  # what the name of the other file ends with
_READER = "gzip -cd"
_WITH_VALUE = {  # options whose value may be a word of its own
    "zdiff": {"-C", "-F", "-I", "-L", "-S", "-U", "-W", "-X", "-x"},
    "zcmp": {"-i", "-n"},
}


@command(
    "zdiff",
    usage="[OPTION]... FILE1 [FILE2]",
    summary="Compare files, which may be compressed; FILE1 alone with what it is called without its suffix.",
    options=None,
    notes=_HELP,
    usage_status=_TROUBLE,
)
def main(process: Process, arguments: Arguments) -> int:
    """Let diff compare what the files contain; 2 if one cannot be read."""
    if "--version" in arguments.operands:
        raise HelpRequested(main.version())
    return compare(process, arguments)


def compare(process: Process, arguments: Arguments) -> int:
    """Let the program that the utility is called after, without its z, compare two files."""
    if "--help" in arguments.operands:
        raise HelpRequested(f"Usage: {process.name} [OPTION]... FILE1 [FILE2]\n{_HELP}")
    options, names = _split(process, arguments.operands)
    if len(names) == 1:
        suffix = _suffix(names[0])
        if not suffix:
            process.warn(f"{names[0]}: unknown compressed file extension")
            return _TROUBLE
        names.append(names[0].removesuffix(suffix) + _SHORT.get(suffix, ""))
    if len(names) != 2:
        raise UsageError("invalid number of operands; try `zdiff --help' for help" if names else "missing operand", hint=False)
    for name in names:
        if name != "-" and not process.fs.exists(process.path(name)):
            process.warn(f"{name}: No such file or directory")
            return _TROUBLE
    packed = [bool(_suffix(name)) for name in names]
    sides = [f'"${place}"' for place in (2, 3)]
    stdin = ""
    if any(packed):  # the last one is standard input
        last = 1 if packed[1] else 0
        stdin, sides[last] = f" < <({_READER} < {sides[last]})", "-"
    if all(packed):
        sides[0] = f"<({_READER} < {sides[0]})"
    script = f'{process.name[1:]} "${{@:4}}" {" ".join(sides)}{stdin}'
    return process.launcher.run(["bash", "-c", script, process.name, "", *names, *options])


def _split(process: Process, words: list[str]) -> tuple[list[str], list[str]]:
    """The options with their values, and the files."""
    options: list[str] = []
    names: list[str] = []
    pending = iter(words)
    for word in pending:
        process.budget.tick()
        if len(word) < 2 or not word.startswith("-"):
            names.append(word)
            continue
        options.append(word)
        if word in _WITH_VALUE[process.name]:
            options += [value for value in (next(pending, None),) if value is not None]
    return options, names


def _suffix(name: str) -> str:
    return next((suffix for suffix in _SUFFIXES if name.endswith(suffix)), "")
