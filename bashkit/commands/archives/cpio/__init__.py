"""cpio: copy files to and from archives (cpio manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.archives.cpio.creating import Creator
from bashkit.commands.archives.cpio.settings import CpioError
from bashkit.commands.archives.cpio.unpacking import Passer, Unpacker
from bashkit.interp.utility.command import Arguments, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_MODES = {"o": "--create", "i": "--extract", "p": "--pass-through"}
_OF_COPYING = {"renumber-inodes": "--renumber-inodes", "ignore-devno": "--ignore-devno", "A": "--append"}
_MEANINGLESS = {
    "o": {
        "t": "--list", "I": "-I", "l": "--link", "d": "--make-directories", "m": "--preserve-modification-time",
        "no-preserve-owner": "--no-preserve-owner", "sparse": "--sparse", "to-stdout": "--to-stdout", "u": "--unconditional",
    },
    "i": {**_OF_COPYING, "a": "--reset", "O": "-O", "l": "--link", "L": "--dereference"},
    "p": {
        **_OF_COPYING, "t": "--list", "no-absolute-filenames": "--no-absolute-pathnames", "to-stdout": "--to-stdout",
    },
}  # fmt: skip


@command(
    "cpio",
    usage="-o | -i | -t | -p [OPTION]... [PATTERN]... | [DIRECTORY]",
    summary="Copy files to and from archives.",
    options=(
        flag("-i", "--extract", help="extract files from an archive"),
        flag("-o", "--create", help="create the archive from the names on standard input"),
        flag("-p", "--pass-through", help="copy the files that standard input names to another directory"),
        flag("-t", "--list", help="print a table of contents of the input"),
        flag("-0", "--null", help="names on standard input end with NUL"),
        flag("-a", "--reset-access-time", help="(ignored: reading a file leaves its times alone)"),
        flag("-A", "--append", help="append to an existing archive"),
        flag("-B", help="set the I/O block size to 5120 bytes"),
        flag("-c", help="use the old portable (ASCII) archive format"),
        value("-C", "--io-size", metavar="NUMBER", help="set the I/O block size to the given NUMBER of bytes"),
        value("--block-size", metavar="BLOCKS", help="set the I/O block size to BLOCKS * 512 bytes"),
        flag("-d", "--make-directories", help="create leading directories where needed"),
        value("-E", "--pattern-file", metavar="FILE", help="read additional patterns from FILE"),
        flag("-f", "--nonmatching", help="only copy files that do not match any of the given patterns"),
        value("-F", "--file", metavar="FILE", help="use this FILE instead of standard input or output"),
        value("-H", "--format", metavar="FORMAT", help="bin (default), odc, newc, crc, tar or ustar; what is read says itself"),
        value("-I", metavar="FILE", help="archive to use instead of standard input"),
        value("-O", metavar="FILE", help="archive to use instead of standard output"),
        flag("-l", "--link", help="link files instead of copying them"),
        flag("-L", "--dereference", help="copy the files that symbolic links point to"),
        flag("-m", "--preserve-modification-time", help="retain previous file modification times"),
        flag("-n", "--numeric-uid-gid", help="show numeric UID and GID in lists"),
        flag("--no-absolute-filenames", help="(ignored: this is always so)"),
        flag("--no-preserve-owner", help="(ignored: this is always so)"),
        flag("--renumber-inodes", "--device-independent", "--reproducible", help="(ignored: numbers always start at 1)"),
        flag("--ignore-devno", help="(ignored: archives here say nothing of the machine)"),
        flag("--force-local", help="(ignored: archives are files of this machine)"),
        value("-D", "--directory", metavar="DIR", help="change to directory DIR"),
        flag("--quiet", help="do not print the number of blocks copied"),
        value("-R", "--owner", metavar="USER[:GROUP]", help="set the ownership of all files in the archive"),
        flag("--sparse", help="(ignored: files have no holes)"),
        flag("--to-stdout", help="extract files to standard output"),
        flag("-u", "--unconditional", help="replace all files unconditionally"),
        flag("-v", "--verbose", help="verbosely list the files processed"),
        flag("-V", "--dot", help="print a . for each file processed"),
    ),
    usage_status=64,
    stop_at_operand=True,
    model="GNU cpio 2.13",
)
def main(process: Process, arguments: Arguments) -> int:
    """Copy; 2 where something could not be."""
    try:
        return _run(process, arguments)
    except CpioError as error:
        process.warn(str(error))
        if error.hint:
            process.say(main.pointer())
        return 2


def _enter(process: Process, arguments: Arguments) -> None:
    """Change to the directory of ``-D``; archives, and the directory to copy to, stay where they are."""
    arguments.given = [
        (key, process.path(word) if word and key in {"F", "I", "O", "E"} else word) for key, word in arguments.given
    ]
    if "p" in arguments:
        arguments.operands = [process.path(name) for name in arguments.operands]
    name = arguments.get("D") or ""
    path = process.path(name)
    try:
        is_directory = process.fs.stat(path).type == "directory"
    except OSError as error:
        raise CpioError(f"cannot change to directory `{name}': {error.strerror}") from None
    if not is_directory:
        raise CpioError(f"cannot change to directory `{name}': Not a directory")
    process.cwd = path


def _run(process: Process, arguments: Arguments) -> int:
    chosen = [mode for mode in _MODES if mode in arguments]
    if len(chosen) > 1:
        raise CpioError("Mode already defined", hint=True)
    if not chosen and "t" not in arguments:
        raise CpioError("You must specify one of -oipt options.", hint=True)
    mode = chosen[0] if chosen else "i"
    given = {key for key, _ in arguments.given}
    for key, name in _MEANINGLESS[mode].items():
        if key in given:
            raise CpioError(f"{name} is meaningless with {_MODES[mode]}", hint=True)
    if "D" in given:
        _enter(process, arguments)
    operands = arguments.operands
    if chosen == ["o"]:
        if operands:
            raise CpioError("Too many arguments", hint=True)
        return Creator(process, arguments).run()
    if chosen == ["p"]:
        if len(operands) != 1:
            raise CpioError("Too many arguments" if operands else "Not enough arguments", hint=True)
        return Passer(process, arguments, operands[0]).run()
    return Unpacker(process, arguments).run()
