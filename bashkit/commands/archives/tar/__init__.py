"""tar: make, list and unpack archives (POSIX XCU pax, ustar; GNU tar manual)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.counts import is_count
from bashkit.commands.archives.tar.create import Creator
from bashkit.commands.archives.tar.edit import Deleter, Joiner
from bashkit.commands.archives.tar.errors import COMPRESSED, HINT, TarError
from bashkit.commands.archives.tar.extract import Comparer, Extractor, Lister
from bashkit.commands.archives.tar.filters import has_conflict, is_compressed
from bashkit.commands.archives.tar.labels import LabelTester
from bashkit.commands.archives.tar.options import OPTIONS, SORTS
from bashkit.commands.archives.tar.places import parse
from bashkit.interp.utility.command import Arguments, Command, HelpRequested, UsageError, command

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.archives.tar.archiver import Archiver
    from bashkit.commands.archives.tar.places import Request
    from bashkit.interp.utility.process import Process

_OPERATIONS = {
    "c": "create",
    "x": "extract",
    "t": "list",
    "r": "append",
    "u": "update",
    "d": "compare",
    "A": "concatenate",
    "delete": "delete",
    "test-label": "test the label",
}
_DEFAULTS = "--format=gnu -f- -b20 --quoting-style=escape --rmt-command=/usr/sbin/rmt --rsh-command=/usr/bin/rsh\n"
_ON_OLD_FILES = {  # the options that say what happens to files that exist: one of them may be given
    "k": "keep-old-files",
    "U": "unlink-first",
    **{name: name for name in ("skip-old-files", "keep-newer-files", "overwrite", "overwrite-dir", "no-overwrite-dir")},
}
_PRESERVING = (("replace",), ("system",))
_KEYWORDS = re.compile(r"(delete|exthdr\.name|exthdr\.mtime|globexthdr\.name|globexthdr\.mtime|[^=:]+):?=.*", re.DOTALL)
_WITH_ARGUMENT = "fCTXbHNKVI"


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
    answer = next((key for key, _ in given if key in {"usage", "show-defaults"}), None)
    if answer is not None:
        process.write(_DEFAULTS if answer == "show-defaults" else _DECLARED.help())
        return 0
    chosen = {_OPERATIONS[key] for key, _ in given if key in _OPERATIONS}
    if not chosen:
        process.warn("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options")
        return _refuse(process)
    if len(chosen) > 1:
        process.warn("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option")
        return _refuse(process)
    if chosen & {"append", "update", "concatenate", "delete"} and is_compressed(request.arguments, ""):
        process.warn(COMPRESSED)
        return _refuse(process)
    if chosen & {"append", "update", "concatenate"} and request.arguments.get("f", "-") == "-":
        process.warn("Options '-Aru' are incompatible with '-f -'")
        return _refuse(process)
    try:
        _check(request.arguments)
        if has_conflict(request.arguments):
            process.warn("Conflicting compression options")
            return _refuse(process)
        return _run(process, request, chosen.pop())
    except UsageError as error:
        process.warn(error.message)
        return 2
    except TarError as error:
        process.warn(str(error))
        if error.fatal:
            process.warn("Error is not recoverable: exiting now")
        return 2


def _run(process: Process, request: Request, operation: str) -> int:
    if operation in {"create", "append", "update"}:
        return Creator(process, request, operation).run()
    if operation == "test the label":
        return LabelTester(process, request, checked=False).run()
    readers: dict[str, Callable[[Process, Request], Archiver]] = {
        "list": Lister, "extract": Extractor, "compare": Comparer, "delete": Deleter, "concatenate": Joiner,
    }  # fmt: skip
    return readers[operation](process, request).run()


def _check(arguments: Arguments) -> None:
    """Check the arguments of all options, also of those without effect here.

    Raises:
        UsageError: An option does not accept its argument.
        TarError: Likewise.
    """
    chosen = [key for key, _ in arguments.given if key in _ON_OLD_FILES]
    for before, after in pairwise(chosen):
        if before != after:
            conflict = f"'--{_ON_OLD_FILES[after]}' cannot be used with '--{_ON_OLD_FILES[before]}'"
            raise TarError(conflict + HINT, fatal=False)
    if len(arguments.all("f")) > 1:
        raise TarError(f"Multiple archive files require '-M' option{HINT}", fatal=False)
    if len(arguments.all("to-command")) > 1:
        raise TarError(f"Only one --to-command option allowed{HINT}", fatal=False)
    if "one-top-level" in arguments and "P" in arguments:
        raise TarError(f"'--one-top-level' cannot be used with '--absolute-names'{HINT}", fatal=False)
    if sum(key in {"N", "newer-mtime"} for key, _ in arguments.given) > 1:
        raise TarError(f"More than one threshold date{HINT}", fatal=False)
    for text in arguments.all("strip-components"):
        if not is_count(text):
            raise TarError(f"{text}: Invalid number of elements{HINT}", fatal=False)
    word = arguments.get("atime-preserve")
    if word is not None:
        choose("--atime-preserve", word, _PRESERVING)
    for text in arguments.all("sort"):
        choose("--sort", text, SORTS)
    for text in arguments.all("pax-option"):
        for keyword in filter(None, text.split(",")):
            if _KEYWORDS.fullmatch(keyword) is None:
                raise TarError(f"Keyword {keyword} is unknown or not yet implemented{HINT}", fatal=False)


def _refuse(process: Process) -> int:
    process.stderr.write(b"Try 'tar --help' or 'tar --usage' for more information.\n")
    return 2


def _modern(words: list[str]) -> list[str]:
    """Rewrite a leading bundle of option letters (``tar xzf FILE``) with dashes."""
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
