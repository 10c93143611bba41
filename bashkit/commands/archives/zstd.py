"""zstd: compress files in the .zst format (zstd(1)), where a library for it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.commands.archives._compression import CUT_OFF, CorruptError, MissingLibraryError, compress, expand, kind_of
from bashkit.interp.utility.command import Arguments, command, flag, help_flag, value, version_flag
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_USUAL, _BEST = 3, 19
_SUFFIXES = ((".zst", ""), (".tzst", ".tar"))


class _Skipped(Exception):  # noqa: N818 - a file that is left out, with the message why
    pass


class _Damaged(_Skipped):
    """A file that cannot be decompressed; zstd says so without its own name."""


@command(
    "zstd",
    usage="[OPTION]... [INPUT...] [-o OUTPUT]",
    summary="Compress or decompress FILEs in the .zst format.",
    options=(
        flag("-d", "--decompress", "--uncompress", help="decompress"),
        flag("-z", "--compress", help="compress"),
        flag("-t", "--test", help="test compressed file integrity"),
        flag("-c", "--stdout", help="write to standard output, keep the input file"),
        value("-o", metavar="OUTPUT", help="write output to a single file"),
        flag("-f", "--force", help="overwrite existing output files; with -dc pass on what is not compressed"),
        flag("-k", "--keep", help="keep input files (default)"),
        flag("--rm", help="remove input files after success"),
        flag("-q", "--quiet", help="suppress messages"),
        flag("-v", "--verbose", help="(ignored: it says what it does anyway)"),
        value("-T", "--threads", metavar="NUM", help="(ignored: one thread does it)"),
        flag("--no-progress", help="(ignored: there is no progress bar)"),
        flag("--ultra", help="(ignored: levels end at 19 here)"),
        flag("--check", help="end the output with a checksum (default)"),
        flag("--no-check", help="write no checksum"),
        *(flag(f"-{digit}", help=f"a digit of the level, 1 to {_BEST}") for digit in range(10)),
        help_flag("-h", "-H"),
        version_flag("-V"),
    ),
    model="zstd 1.5.4",
)
def main(process: Process, arguments: Arguments) -> int:
    """Treat every operand; 1 when one failed."""
    status = 0
    for name in arguments.operands or ["-"]:
        try:
            with freed(process):
                _file(process, arguments, name)
        except (_Skipped, MissingLibraryError) as reason:
            process.say(f"{reason}\n" if isinstance(reason, _Damaged) else f"zstd: {reason}\n")
            status = 1
    return status


def _expands(arguments: Arguments) -> bool:
    return arguments.last("d", "z", "t") in {"d", "t"}


def _file(process: Process, arguments: Arguments, name: str) -> None:
    to_stdout = "c" in arguments or (name == "-" and "o" not in arguments)
    path = process.path(name)
    if name != "-":
        if not process.fs.exists(path):
            raise _Skipped(f"can't stat {name} : No such file or directory -- ignored ")
        if process.fs.stat(path).type == "directory":
            raise _Skipped(f"{name} is a directory -- ignored ")
    target = "" if to_stdout or "t" in arguments else arguments.get("o") or _target(name, expands=_expands(arguments))
    if target and process.fs.exists(process.path(target)) and "f" not in arguments:
        answered = "not overwritten" if "q" in arguments else "overwrite (y/n) ? Not overwritten"
        raise _Skipped(f"{target} already exists; {answered}  ")
    try:
        data = slurp(process, process.open(name))
    except OSError as error:
        raise _Skipped(f"{name}: {error.strerror} ") from None
    result = _converted(process, arguments, name, data)
    if "t" not in arguments:
        if to_stdout:
            process.stdout.write(result)
        else:
            mode = process.fs.stat(path).mode if name != "-" else 0o666 & ~process.umask
            process.fs.write_file(process.path(target), result, mode)
        if "rm" in arguments and not to_stdout and name != "-":
            process.fs.unlink(path)
    if not to_stdout and "q" not in arguments:
        _tell(process, name, target, len(data), len(result), expands=_expands(arguments))


def _target(name: str, *, expands: bool) -> str:
    if not expands:
        return name + _SUFFIXES[0][0]
    for suffix, replacement in _SUFFIXES:
        if name.endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)] + replacement
    expected = "unknown suffix (.zst/.tzst expected). Can't derive the output file name. Specify it with -o dstFileName."
    raise _Skipped(f"{name}: {expected} Ignoring.")


def _converted(process: Process, arguments: Arguments, name: str, data: bytes) -> bytes:
    if not _expands(arguments):
        digits = "".join(key for key, _ in arguments.given if is_digits(key))[:2]
        level = max(1, min(int(digits or _USUAL), _BEST))
        return compress(data, "zstd", level, process, checksum=arguments.last("check", "no-check") != "no-check")
    if name == "-":
        name = "/*stdin*\\"
    if kind_of(data) != "zstd":
        if data and {"c", "f"} <= {key for key, _ in arguments.given}:
            return data
        wrong = "unsupported format" if len(data) > 3 else "unknown header" if data else "unexpected end of file"
        raise _Skipped(f"{name}: {wrong} ")
    try:
        return expand(data, "zstd", process.budget)
    except CorruptError as error:
        kind = "Read error (39)" if str(error) == CUT_OFF else "Decoding error (36)"
        raise _Damaged(f"{name} : {kind} : {error} ") from None


def _tell(process: Process, name: str, target: str, before: int, after: int, *, expands: bool) -> None:
    if expands:
        process.say(f"{name:<20}: {after} bytes \n")
    else:
        ratio = f"{100 * after / before:.2f}%" if before else "(ratio) "
        process.say(f"{name:<21}:{ratio:>6}   ({before:6} B => {after:6} B, {target}) \n")
