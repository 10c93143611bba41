"""tar: make, list and unpack archives (POSIX XCU pax, ustar; GNU tar manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.tar.create import Creator
from bashkit.commands.tar.edit import Deleter, Joiner
from bashkit.commands.tar.errors import TarError
from bashkit.commands.tar.extract import Comparer, Extractor, Lister
from bashkit.commands.tar.options import OPTIONS
from bashkit.commands.tar.places import parse
from bashkit.interp.command import Arguments, Command, HelpRequested, UsageError, command

if TYPE_CHECKING:
    from bashkit.commands.tar.places import Request
    from bashkit.interp.process import Process

_OPERATIONS = {
    "c": "create",
    "x": "extract",
    "t": "list",
    "r": "append",
    "u": "update",
    "d": "compare",
    "A": "concatenate",
    "delete": "delete",
}
_WITH_ARGUMENT = "fCTXbHINKVgFL"
_MISSING = {
    "zstd": "archives compressed with zstd",
    "lzma": "archives compressed with lzma",
    "lzip": "archives compressed with lzip",
    "lzop": "archives compressed with lzop",
    "Z": "archives compressed with compress",
    "g": "incremental backups",
    "G": "incremental backups",
    "M": "archives of several volumes",
    "w": "asking before each action",
    "I": "compressing with any program (only -z, -j and -J)",
}


@command(
    "tar",
    usage="[OPTION...] [FILE]...",
    summary="Save many files together into a single archive, and restore individual files from it.",
    options=None,
    usage_status=2,
    model="GNU tar 1.34",
)
def main(process: Process, arguments: Arguments) -> int:
    """Do the operation; 1 when some files differ, 2 for anything worse."""
    try:
        request = parse(_DECLARED, _modern(arguments.operands))
    except HelpRequested as asked:
        process.write(str(asked))
        return 0
    except UsageError as error:
        process.warn(error.message)
        _refuse(process)
        return 2 if error.message.startswith("Old") else 64
    given = request.arguments.given
    chosen = {_OPERATIONS[key] for key, _ in given if key in _OPERATIONS}
    if not chosen:
        process.warn("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options")
        return _refuse(process)
    if len(chosen) > 1:
        process.warn("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option")
        return _refuse(process)
    missing = next((key for key, _ in given if key in _MISSING), None)
    if missing is not None:
        process.warn(f"{'-' if len(missing) == 1 else '--'}{missing}: not supported here: {_MISSING[missing]}")
        return 2
    try:
        return _run(process, request, chosen.pop())
    except TarError as error:
        process.warn(str(error))
        if error.fatal:
            process.warn("Error is not recoverable: exiting now")
        return 2


def _run(process: Process, request: Request, operation: str) -> int:
    if operation in {"create", "append", "update"}:
        return Creator(process, request, operation).run()
    reader = {"list": Lister, "extract": Extractor, "compare": Comparer, "delete": Deleter, "concatenate": Joiner}[operation]
    return reader(process, request).run()


def _refuse(process: Process) -> int:
    process.stderr.write(b"Try 'tar --help' or 'tar --usage' for more information.\n")
    return 2


def _modern(words: list[str]) -> list[str]:
    """The words with a leading bundle of option letters (``tar xzf FILE``) spelled with dashes."""
    if not words or words[0].startswith("-"):
        return words
    letters, rest = words[0], words[1:]
    spelled = []
    for letter in letters:
        spelled.append("-" + letter)
        if letter in _WITH_ARGUMENT:
            if not rest:
                raise UsageError(f"Old option '{letter}' requires an argument.")
            spelled.append(rest.pop(0))
    return spelled + rest


_DECLARED = Command("tar", main.run, main.usage, main.summary, OPTIONS, usage_status=2, stop_at_operand=True, model=main.model)
