"""tar: make, list and unpack archives (POSIX XCU pax, ustar; GNU tar manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._archive import Creator, Extractor, TarError
from bashkit.interp.command import Arguments, Command, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.process import Process

_OPERATIONS = {"c": "create", "x": "extract", "t": "list", "r": "append", "u": "update"}
_WITH_ARGUMENT = "fCTXbHI"


@command(
    "tar",
    usage="[OPTION...] [FILE]...",
    summary="Save many files together into a single archive, and restore individual files from it.",
    options=None,
    usage_status=2,
    model="GNU tar 1.34",
)
def main(process: Process, arguments: Arguments) -> int:
    """Do the operation; 1 when some files could not be treated, 2 for anything worse."""
    words = arguments.operands
    if words == ["--help"]:
        process.write(_DECLARED.help())
        return 0
    try:
        parsed = _DECLARED.parse(_modern(words))
    except UsageError as error:
        process.warn(error.message)
        _refuse(process)
        return 2 if error.message.startswith("Old") else 64
    chosen = [_OPERATIONS[key] for key, _ in parsed.given if key in _OPERATIONS]
    if not chosen:
        process.warn("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options")
        return _refuse(process)
    if len(set(chosen)) > 1:
        process.warn("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option")
        return _refuse(process)
    try:
        if chosen[0] in {"create", "append", "update"}:
            return Creator(process, parsed, chosen[0]).run()
        return Extractor(process, parsed, listing=chosen[0] == "list").run()
    except TarError as error:
        process.warn(str(error))
        if error.fatal:
            process.warn("Error is not recoverable: exiting now")
        return 2


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


_DECLARED = Command(
    "tar",
    main.run,
    "[OPTION...] [FILE]...",
    "Save many files together into a single archive, and restore individual files from it.",
    (
        flag("-c", "--create", help="create a new archive"),
        flag("-x", "--extract", "--get", help="extract files from an archive"),
        flag("-t", "--list", help="list the contents of an archive"),
        flag("-r", "--append", help="append files to the end of an archive"),
        flag("-u", "--update", help="only append files newer than copy in archive"),
        value("-f", "--file", metavar="ARCHIVE", help="use archive file ARCHIVE"),
        value("-C", "--directory", metavar="DIR", help="change to directory DIR"),
        flag("-z", "--gzip", "--gunzip", "--ungzip", help="filter the archive through gzip"),
        flag("-j", "--bzip2", help="filter the archive through bzip2"),
        flag("-J", "--xz", help="filter the archive through xz"),
        flag("-a", "--auto-compress", help="use archive suffix to determine the compression program"),
        flag("-v", "--verbose", help="verbosely list files processed"),
        flag("-h", "--dereference", help="follow symlinks; archive the files they point to"),
        flag("-k", "--keep-old-files", help="don't replace existing files when extracting"),
        flag("--skip-old-files", help="silently skip files that exist"),
        flag("--overwrite", help="overwrite existing files when extracting (default)"),
        flag("-m", "--touch", help="don't extract file modified time"),
        flag("-p", "--preserve-permissions", "--same-permissions", help="extract file permissions (without applying the umask)"),
        flag("-O", "--to-stdout", help="extract files to standard output"),
        flag("-P", "--absolute-names", help="don't strip leading '/'s from file names"),
        flag("-S", "--sparse", help="(ignored)"),
        flag("-n", "--seek", help="(ignored)"),
        flag("--no-recursion", help="avoid descending automatically in directories"),
        flag("--numeric-owner", help="always use numbers for user and group names"),
        flag("--same-owner", "--no-same-owner", "--no-same-permissions", help="(ignored)"),
        flag("--wildcards", help="use wildcards in the names to extract"),
        value("-T", "--files-from", metavar="FILE", help="get names to extract or create from FILE"),
        value("-X", "--exclude-from", metavar="FILE", help="exclude patterns listed in FILE"),
        value("--exclude", metavar="PATTERN", help="exclude files, given as a PATTERN"),
        value("--strip-components", metavar="NUMBER", help="strip NUMBER leading components from file names"),
        value("--owner", metavar="NAME", help="force NAME as owner for added files"),
        value("--group", metavar="NAME", help="force NAME as group for added files"),
        value("--mtime", metavar="DATE", help="set mtime for added files from DATE"),
        value("--sort", metavar="ORDER", help="directory sorting order: none or name"),
        value("-H", "--format", metavar="FORMAT", help="gnu, oldgnu, pax, posix, ustar or v7"),
    ),
    usage_status=2,
)
