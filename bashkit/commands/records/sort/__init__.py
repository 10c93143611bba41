"""sort: order lines (POSIX XCU sort, GNU coreutils manual); bytes compare as bytes, as in the C locale."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import TEXT, Inputs, line_blocks, read_lines, read_texts, slurp
from bashkit.commands._notation.choices import among
from bashkit.commands._notation.quoting import quote, quote_if_needed
from bashkit.commands.records.sort import debug
from bashkit.commands.records.sort.settings import KINDS, check_batch, check_buffer, check_parallel, checked, opened, rewrite
from bashkit.commands.records.sort.sorter import MOST_TEXTS, PER_LINE, Sorter
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process

_TROUBLE = 2


def _check(process: Process, sorter: Sorter, names: list[str], delimiter: bytes, letter: str) -> int:
    name = names[0] if names else "-"
    lines = _read(process, [name], delimiter, "open failed")
    if lines is None:
        return _TROUBLE
    process.budget.tick(len(lines) * PER_LINE)
    index = sorter.disorder(lines)
    if index is None:
        return 0
    if letter == "c":
        process.warn(f"{name}:{index + 1}: disorder: {lines[index].decode('utf-8', 'surrogateescape')}")
    return 1


def _inputs(process: Process, names: list[str], refusal: str = "cannot read") -> Inputs:
    return Inputs(process, names, refusal + ": {name}: {error}", "read failed: {name}: {error}")


def _read(process: Process, names: list[str], delimiter: bytes, refusal: str = "cannot read") -> list[bytes] | None:
    """Read the lines of all files, including an unterminated last line; None if one cannot be read."""
    lines: list[bytes] = []
    for name in names or ["-"]:
        inputs = _inputs(process, [name], refusal)
        for _, stream in inputs:
            found = read_lines(process, stream.blocks(), delimiter)
            lines = lines + found if lines else found
        if inputs.failed:
            return None
    return lines


def _read_whole(process: Process, names: list[str], delimiter: bytes) -> list[str] | list[bytes] | None:
    """As ``_read``, for lines of which only the whole is looked at: as texts, unless there are so many that memory counts."""
    texts: list[str] = []
    lines: list[bytes] = []
    for name in names or ["-"]:
        inputs = _inputs(process, [name])
        for _, stream in inputs:
            blocks = line_blocks(stream.blocks(), process.budget, delimiter)
            if not lines:
                found = read_texts(process, blocks, delimiter, MOST_TEXTS - len(texts))
                texts = texts + found if texts else found
            if len(texts) > MOST_TEXTS:
                lines = [text.encode("latin-1") for text in paced(texts)]
                process.hold(-TEXT * len(texts))
                texts = []
            if lines:
                lines += read_lines(process, blocks, delimiter)
        if inputs.failed:
            return None
    return lines or texts


def _write(process: Process, arguments: Arguments, blocks: Iterator[bytes]) -> None:
    target = arguments.get("o")
    output = process.stdout if target is None else opened(process.create, target)
    for block in blocks:
        output.write(block)
    if target is not None:
        process.close(output)


def _debug(process: Process, arguments: Arguments, sorter: Sorter, checks: str) -> None:
    """Warn about likely mistakes.

    Raises:
        UsageError: The options exclude output that could be annotated.
    """
    if checks or "o" in arguments:
        raise UsageError(f"options '-{checks or 'o'} --debug' are incompatible", hint=False)
    for message in (*debug.ordering(process.env), *sorter.suspicions(process.argv)):
        process.warn(message)


def _listed(process: Process, source: str) -> list[str]:
    """The names of files that a file holds, each ended by NUL.

    Raises:
        UsageError: There are none, or one cannot be a name of a file.
    """
    try:
        data = slurp(process, process.open(source)).decode("utf-8", "surrogateescape")
    except IsADirectoryError:
        raise UsageError(f"cannot read file names from {quote(source)}", hint=False) from None
    except OSError as error:
        raise UsageError(f"open failed: {source}: {error.strerror}", hint=False) from None
    if not data:
        raise UsageError(f"no input from {quote(source)}", hint=False)
    names = data.removesuffix("\0").split("\0")
    refused = next((name for name in names if name in {"", "-"}), None)
    if refused == "":
        raise UsageError(f"{source}:{names.index('') + 1}: invalid zero-length file name", hint=False)
    if refused is not None:
        raise UsageError("when reading file names from stdin, no file name of '-' allowed", hint=False)
    return names


@command(
    "sort",
    usage="[OPTION]... [FILE]...",
    summary="Write sorted concatenation of all FILE(s) to standard output.",
    options=(
        flag("-b", "--ignore-leading-blanks", help="ignore leading blanks"),
        flag("-d", "--dictionary-order", help="consider only blanks and alphanumeric characters"),
        flag("-f", "--ignore-case", help="fold lower case to upper case characters"),
        flag("-g", "--general-numeric-sort", help="compare according to general numerical value"),
        flag("-i", "--ignore-nonprinting", help="consider only printable characters"),
        flag("-M", "--month-sort", help="compare (unknown) < 'JAN' < ... < 'DEC'"),
        flag("-h", "--human-numeric-sort", help="compare human readable numbers (2K, 1G)"),
        flag("-n", "--numeric-sort", help="compare according to string numerical value"),
        flag("-R", "--random-sort", help="shuffle, but group identical keys"),
        value("--random-source", metavar="FILE", help="get random bytes from FILE"),
        flag("-r", "--reverse", help="reverse the result of comparisons"),
        value(
            "--sort",
            metavar="WORD",
            help="sort according to WORD: general-numeric, human-numeric, month, numeric, random, version",
            check=among("--sort", KINDS),
        ),
        flag("-V", "--version-sort", help="natural sort of (version) numbers within text"),
        value("--batch-size", metavar="NMERGE", help="at least 2 (lines are sorted in memory)", check=check_batch),
        flag("-c", help="check for sorted input; do not sort"),
        value("--check", metavar="WHEN", optional=True, help="like -c, or -C with WHEN quiet"),
        flag("-C", help="like -c, but do not report the first bad line"),
        value("--compress-program", metavar="PROG", help="(ignored: lines are sorted in memory)"),
        value("--files0-from", metavar="F", help="read names of files, each ended by NUL, from F"),
        value("-k", "--key", metavar="KEYDEF", help="sort via a key: F[.C][OPTS][,F[.C][OPTS]]"),
        flag("--debug", help="annotate the part of the line used to sort, and warn about questionable usage to stderr"),
        flag("-m", "--merge", help="merge already sorted files; do not sort"),
        value("-o", "--output", metavar="FILE", help="write result to FILE instead of standard output"),
        flag("-s", "--stable", help="stabilize sort by disabling last-resort comparison"),
        value("-S", "--buffer-size", metavar="SIZE", help="(ignored: lines are sorted in memory)", check=check_buffer),
        value("-t", "--field-separator", metavar="SEP", help="use SEP instead of non-blank to blank transition"),
        value("-T", "--temporary-directory", metavar="DIR", help="(ignored: lines are sorted in memory)"),
        value("--parallel", metavar="N", help="(ignored: one thread does it)", check=check_parallel),
        flag("-u", "--unique", help="output only the first of an equal run"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ),
    usage_status=_TROUBLE,
    rewrite=rewrite,
)
def main(process: Process, arguments: Arguments) -> int:
    """Sort, merge or check the lines of the files."""
    delimiter = b"\0" if "z" in arguments else b"\n"
    if len(set(arguments.all("o"))) > 1:
        raise UsageError("multiple output files specified", hint=False)
    checks = checked(arguments)
    sorter = Sorter(process, arguments)
    names = arguments.operands
    listed = arguments.get("files0-from")
    if listed is not None:
        if names:
            raise UsageError(f"extra operand {quote(names[0])}\nfile operands cannot be combined with --files0-from")
        names = _listed(process, listed)
    if "debug" in arguments:
        _debug(process, arguments, sorter, checks)
    if checks and len(names) > 1:
        raise UsageError(f"extra operand {quote(names[1])} not allowed with -{checks}", hint=False)
    if checks and "o" in arguments:
        raise UsageError(f"options '-{checks}o' are incompatible", hint=False)
    if checks:
        return _check(process, sorter, names, delimiter, checks)
    target = arguments.get("o")
    for name in names if len(names) > 1 or target is not None else ():  # nothing is read or written before all are there
        if name == "-" or process.descriptor(name) is not None:
            continue
        try:
            process.fs.stat(process.path(name))
        except OSError as error:
            process.warn(f"cannot read: {quote_if_needed(name)}: {error.strerror}")
            return _TROUBLE
    if target is not None:  # it must be possible to write it before anything is read
        process.close(opened(partial(process.create, append=True), target))
    if sorter.plain and "m" not in arguments and "debug" not in arguments:
        whole = _read_whole(process, names, delimiter)
        if whole is None:
            return _TROUBLE
        process.budget.tick(len(whole) * PER_LINE)
        _write(process, arguments, sorter.sort_whole(whole, delimiter))
        return 0
    # Files to merge stay separate; all other input becomes one list of lines.
    groups = [[name] for name in names or ["-"]] if "m" in arguments else [names]
    files: list[list[bytes]] = []
    for group in groups:
        found = _read(process, group, delimiter)
        if found is None:
            return _TROUBLE
        process.budget.tick(len(found) * PER_LINE)
        files.append(found)
    del found
    pieces = sorter.merged(files) if "m" in arguments else sorter.sort(files.pop())
    if "debug" in arguments:
        for annotated in sorter.annotated(chain.from_iterable(pieces)):
            process.budget.tick(PER_LINE)
            process.stdout.write(annotated)
        return 0
    _write(process, arguments, (delimiter.join([*piece, b""]) for piece in pieces if piece))
    return 0
