"""sort: order lines (POSIX XCU sort, GNU coreutils manual); bytes compare as bytes, as in the C locale."""

from __future__ import annotations

import heapq
import re
from array import array
from collections import Counter
from dataclasses import replace
from functools import cmp_to_key, partial
from itertools import chain, compress, count, islice
from operator import and_, eq, gt, lt, ne, not_
from sys import getsizeof
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, cast

from bashkit.commands._filesystem.lines import TEXT, Inputs, line_blocks, read_lines, read_texts, slurp
from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.quoting import mention, quote, quote_if_needed
from bashkit.commands.records.sort import debug
from bashkit.commands.records.sort.bulk import bulk_keys, few_distinct, in_a_row, joined, packed, ranks, recur, taken
from bashkit.commands.records.sort.keys import DIGIT_KINDS, Key, Order
from bashkit.interp.runtime.sorting import ordered
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import paced
from bashkit.regex.cache import for_short_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

Line = TypeVar("Line", bytes, str)
_BAD_OFFSET = re.compile(r"[0-9]+\.(?![0-9])")
_POSITION = re.compile(r"([0-9]+)(?:\.([0-9]+))?([bdfgiMhnRrV]*)")
_NAMES = {
    "general-numeric": "g", "human-numeric": "h", "month": "M", "numeric": "n", "random": "R", "version": "V",
}  # fmt: skip
_CHECKS = (("quiet", "silent"), ("diagnose-first",))
_TROUBLE = 2
_FEWEST = 2  # files of a merge
_OBSOLETE = re.compile(r"([-+])([0-9]+)(?:\.([0-9]+))?([bdfgiMhnRrV]*)").fullmatch
_DIGITS = 18  # maximum digits of a position; longer ones are beyond any line
_AT_ONCE = 8192  # lines whose keys are made, or that are written, without a look at the clock
_MERGED = 1024  # lines that are compared without a look at the clock
_SAMPLE = 16  # keys of which the size is looked at
_SALT = 16  # bytes
_POINTER = 8  # bytes of an entry of a list
_NUMBER = 40  # bytes of a number in a list
_PLACE = 8  # bytes that a line's place in the order takes while it is looked for
_COUNTED = 60  # bytes of a line that is counted, beside its own
_MOST_TEXTS = 1 << 18  # lines that are read as texts, which sort faster and take more memory
_PER_LINE = 2  # microseconds charged for comparing one line


def _with(order: Order, letters: str, *, end: bool | None = None) -> Order:
    """Add letters to ``order``; ``b`` applies to the beginning, the end, or both (None)."""
    for letter in letters:
        if letter == "b":
            order = replace(order, skip_start=order.skip_start or end is not True, skip_end=order.skip_end or end is not False)
        elif letter in DIGIT_KINDS:
            order = replace(order, kind="R" if order.kind == "R" else letter)
        else:
            order = replace(
                order,
                dictionary=order.dictionary or letter == "d",
                fold=order.fold or letter == "f",
                printing=order.printing or letter == "i",
                reverse=order.reverse or letter == "r",
            )
    return order


@for_short_texts(256)
def _key(text: str, default: Order) -> Key:
    """Read one ``-k``.

    Raises:
        UsageError: It is malformed.
    """
    start_text, comma, end_text = text.partition(",")
    start = _POSITION.fullmatch(start_text)
    if start is None:
        if not start_text[:1].isdecimal():
            raise UsageError(f"invalid number at field start: invalid count at start of {mention(text)}", hint=False)
        if _BAD_OFFSET.match(start_text):
            offset = mention(start_text.partition(".")[2])
            raise UsageError(f"invalid number after '.': invalid count at start of {offset}", hint=False)
        raise UsageError(f"stray character in field spec: invalid field specification {mention(text)}", hint=False)
    field, char = int(start[1][:_DIGITS]), int((start[2] or "1")[:_DIGITS])
    if not field:
        raise UsageError(f"field number is zero: invalid field specification {mention(text)}", hint=False)
    if not char:
        raise UsageError(f"character offset is zero: invalid field specification {mention(text)}", hint=False)
    letters = start[3]
    order = _with(Order(), letters, end=False)
    end_field = end_char = 0
    if comma:
        end = _POSITION.fullmatch(end_text)
        if end is None:
            if not end_text[:1].isdecimal():
                raise UsageError(f"invalid number after ',': invalid count at start of {mention(end_text)}", hint=False)
            if _BAD_OFFSET.match(end_text):
                offset = mention(end_text.partition(".")[2])
                raise UsageError(f"invalid number after '.': invalid count at start of {offset}", hint=False)
            raise UsageError(f"stray character in field spec: invalid field specification {mention(text)}", hint=False)
        end_field, end_char = int(end[1][:_DIGITS]), int((end[2] or "0")[:_DIGITS])
        if not end_field:
            raise UsageError(f"field number is zero: invalid field specification {mention(text)}", hint=False)
        letters += end[3]
        order = _with(order, end[3], end=True)
    _refuse_contradiction(letters)
    return Key(field, char, end_field, end_char, order if order != Order() else default)


def _opened(open_file: Callable[[str], Stream], name: str) -> Stream:
    """A file that an option names.

    Raises:
        UsageError: It cannot be opened.
    """
    try:
        return open_file(name)
    except OSError as error:
        raise UsageError(f"open failed: {name}: {error.strerror}", hint=False) from None


def _salt(process: Process, source: str | None) -> bytes:
    """What the random order depends on."""
    if source is None:
        return process.system.random.randbytes(_SALT)
    salt = _opened(process.open, source).read(_SALT)
    if len(salt) < _SALT:
        raise UsageError(f"{quote(source)}: end of file", hint=False)
    return salt


def _default_order(arguments: Arguments) -> Order:
    letters = "".join(key for key, _ in arguments.given if len(key) == 1 and key in "bdfgiMhnRrV")
    kind = arguments.get("sort")
    if kind is not None:
        letters += _NAMES[choose("--sort", kind, tuple((name,) for name in _NAMES))]
    _refuse_contradiction(letters)
    return _with(Order(), letters)


def _refuse_contradiction(letters: str) -> None:
    """Refuse two ways of comparing for one key; dictionary order, random order and versions do without each other silently."""
    if len(letters) < 2:
        return
    ways = sum(letter in letters for letter in "ghMn") + any(letter in letters for letter in "diRV")
    if ways > 1:
        shown = letters.replace("i", "") if "d" in letters else letters
        found = "".join(letter for letter in "dfghiMnRV" if letter in shown)
        raise UsageError(f"options '-{found}' are incompatible", hint=False)


def _needed_default(arguments: Arguments, texts: list[str]) -> Order:
    """The order of the options; of what no key inherits only the direction counts, and it may contradict itself."""
    try:
        return _default_order(arguments)
    except UsageError:
        unset = Order()
        if not texts or any(_key(text, unset).order == unset for text in texts):
            raise
        return Order(reverse="r" in arguments)


def _separator(arguments: Arguments) -> bytes | None:
    texts = arguments.all("t")
    if not texts:
        return None
    if "" in texts:
        raise UsageError("empty tab", hint=False)
    text = texts[-1]
    if text == "\\0":
        return b"\0"
    separator = text.encode("utf-8", "surrogateescape")
    if len(separator) > 1:
        raise UsageError(f"multi-character tab {mention(text)}", hint=False)
    if len(set(texts)) > 1:
        raise UsageError("incompatible tabs", hint=False)
    return separator


def _ties(measured: list[Sequence[Any]], order: Sequence[int], budget: Budget) -> bytearray:
    """For every line but the first, in order: whether all its keys equal those of the line before."""
    ties = bytearray()
    for start in range(0, len(order), _AT_ONCE):
        part = order[start : start + _AT_ONCE + 1]
        same: Iterable[bool] | None = None
        for values in measured:
            own = taken(values, part)
            equal = map(eq, own, islice(own, 1, None))
            same = equal if same is None else map(and_, same, equal)
        ties += bytearray(same or ())
        budget.tick(len(measured) * len(part) >> 1)
    return ties


def _runs(ties: bytearray) -> Iterator[tuple[int, int]]:
    """The start and end of each run of equal lines."""
    low = high = -1
    for place in compress(count(), ties):
        if place != high - 1:
            if high > 0:
                yield low, high
            low = place
        high = place + 2
    if high > 0:
        yield low, high


def _are_texts(lines: list[str] | list[bytes]) -> TypeGuard[list[str]]:
    return bool(lines) and isinstance(lines[0], str)


class _Sorter:
    """Sorts by the order of the options."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._budget = process.budget
        self.by_newline = "z" not in arguments
        separator = _separator(arguments)
        texts = arguments.all("k")
        default = _needed_default(arguments, texts)
        keys = [_key(text, default) for text in texts] or [Key(1, 1, 0, 0, default)]
        self._salt = _salt(process, arguments.get("random-source")) if any(key.order.kind == "R" for key in keys) else b""
        self._texts = texts
        self._default = default
        self._keys = keys
        self._separator = separator
        self._passes = [(self._value(key, separator), key.order.reverse) for key in keys]
        self.plain = keys == [Key(1, 1, 0, 0, Order(reverse=default.reverse))]
        self.unique = "u" in arguments
        self._keys_only = self.unique or "s" in arguments
        self._last_resort = not self.plain and not self._keys_only
        self._reverse = default.reverse

    def _value(self, key: Key, separator: bytes | None) -> Callable[[bytes], Any]:
        end = b"\0" if debug.collation(self._process.env).startswith("C.") else b""  # what strxfrm(3) puts after a text
        extract, convert = key.extract(separator), key.order.convert(self._salt, end)
        if key == Key(1, 1, 0, 0, Order(reverse=key.order.reverse)):
            return extract
        return lambda line: convert(extract(line))

    def sort(self, lines: list[bytes]) -> Iterator[Sequence[bytes]]:
        """The lines in order, piece by piece: a line is looked at once more, when it is written."""
        order = self._order(lines)
        for start in range(0, len(order), _AT_ONCE):
            part = order[start : start + _AT_ONCE]
            self._budget.tick(len(part))
            yield taken(lines, part)

    def _order(self, lines: list[bytes]) -> Sequence[int]:
        """The places of the lines in order."""
        measured = [self._measured(key, measure, lines) for key, (measure, _) in zip(self._keys, self._passes, strict=True)]
        passes = joined([(values, reverse) for values, (_, reverse) in zip(measured, self._passes, strict=True)], self._budget)
        del measured
        passes = [(self._listed(values), reverse) for values, reverse in passes]
        self._process.hold(len(lines) * _PLACE)
        order: Sequence[int] = range(len(lines))
        for values, reverse in reversed(passes):
            order = ordered(order, self._budget, key=values.__getitem__, reverse=reverse)  # stable: the last key goes first
        if not self.unique and not self._last_resort:
            return order
        ties = _ties([values for values, _ in passes], order, self._budget)
        del passes, values  # they may take as much as the lines
        keep = partial(array, order.typecode) if isinstance(order, array) else list
        if self.unique:
            return keep(compress(order, map(not_, chain(b"\0", ties))))
        result: Any = order  # a list, or an array
        wrong = lt if self._reverse else gt
        for low, high in paced(_runs(ties)):
            tied = order[low:high]
            if len(tied) == 2:
                if wrong(lines[tied[0]], lines[tied[1]]):
                    result[low], result[low + 1] = tied[1], tied[0]
            elif len(tied) < _MERGED:
                result[low:high] = keep(sorted(tied, key=lines.__getitem__, reverse=self._reverse))
            else:
                result[low:high] = keep(ordered(tied, self._budget, key=lines.__getitem__, reverse=self._reverse))
        return order

    def sort_whole(self, lines: list[str] | list[bytes], delimiter: bytes) -> Iterator[bytes]:
        """Whole lines in order, of which equal ones cannot be distinguished, as they are written."""
        if _are_texts(lines):
            for between, texts in self._glued(lines, delimiter.decode("latin-1")):
                yield between.join(texts).encode("latin-1")
        else:
            for glue, pieces in self._glued(cast("list[bytes]", lines), delimiter):
                yield glue.join(pieces)

    def _glued(self, lines: list[Line], end: Line) -> Iterator[tuple[Line, list[Line]]]:
        """The lines in order, each once with ``-u``: what stands between pieces, and these, of which the last ends a line."""
        few = few_distinct(lines)
        if few or (self.unique and len(lines) <= _MOST_TEXTS and recur(lines)):
            yield from self._repeated(self._counts(lines), end)
            return
        self._process.hold(len(lines) * _POINTER)
        found = ordered(lines, self._budget, reverse=self._reverse)
        before: list[Line | None] = [None]
        for start in range(0, len(found), _AT_ONCE):
            row = found[start : start + _AT_ONCE]
            kept = list(compress(row, map(ne, row, chain(before, row))) if self.unique else row)
            kept.append(end[:0])
            yield end, kept
            before = [row[-1]]

    def _repeated(self, counts: Counter[Line], end: Line) -> Iterator[tuple[Line, list[Line]]]:
        """As ``_glued``, of lines of which few differ: a piece is one line, as often as it is there."""
        pieces: list[Line] = []
        room = _AT_ONCE
        for line in ordered(list(counts), self._budget, reverse=self._reverse):
            left = 1 if self.unique else counts[line]
            while left:
                now = min(left, room)
                pieces.append((line + end) * now)
                left -= now
                room -= now
                if not room:
                    yield end[:0], pieces
                    pieces, room = [], _AT_ONCE
        if pieces:
            yield end[:0], pieces

    def _counts(self, lines: list[Line]) -> Counter[Line]:
        """The different lines, and how often each is there."""
        counts: Counter[Line] = Counter()
        for piece in self._pieces(lines):
            before = len(counts)
            counts.update(piece)
            self._process.hold((len(counts) - before) * _COUNTED)
        return counts

    def _pieces(self, lines: list[Line]) -> Iterator[list[Line]]:
        for start in range(0, len(lines), _AT_ONCE):
            self._budget.tick(_PER_LINE * min(_AT_ONCE, len(lines) - start))
            yield lines[start : start + _AT_ONCE]

    def _measured(self, key: Key, measure: Callable[[bytes], Any], lines: list[bytes]) -> Sequence[Any]:
        """The sort key of each line."""
        measured: list[Sequence[Any]] = []
        for piece in self._pieces(lines):
            found = bulk_keys(key, self._separator, piece) if self.by_newline else None
            keys = packed(list(paced(map(measure, piece), _PER_LINE)) if found is None else found)
            if isinstance(keys, array):
                self._process.hold(len(keys) * keys.itemsize)
            elif keys is not piece:
                sample = keys[:: max(1, len(keys) // _SAMPLE)]
                self._process.hold(len(keys) * (_POINTER + sum(map(getsizeof, sample)) // len(sample)))
            measured.append(keys)
        return ranks(in_a_row(measured))

    def _listed(self, values: Sequence[Any]) -> Sequence[Any]:
        """Numbers as a list, unless there are so many that memory counts: an array would make each anew when it is looked at."""
        if not isinstance(values, array) or len(values) > _MOST_TEXTS:
            return values
        self._process.hold(_NUMBER * len(values))
        return values.tolist()

    def suspicions(self, words: list[str]) -> Iterator[str]:
        """The warnings of ``--debug`` about the options; ``words`` is the command line."""
        obsolete = {words[0].removeprefix("-k") for word in words if word.startswith("+") and (words := _rewrite([word]))}
        own = [_key(text, Order()) for text in self._texts]
        marks = [any(text == old or text.startswith(f"{old},") for old in obsolete) for text in self._texts]
        return debug.suspicions(own, marks, self._default, self._separator, last_resort=not self._keys_only)

    def annotated(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines with marks below the compared parts."""
        whole = not self._keys_only and (bool(self._texts) or not self.plain)
        return debug.annotate(lines, self._keys, self._separator, whole=whole)

    def merged(self, files: list[list[bytes]]) -> Iterator[Sequence[bytes]]:
        """As ``sort``, of the lines of sorted files."""
        lines = self._merge(files)
        return (lines[start : start + _AT_ONCE] for start in range(0, len(lines), _AT_ONCE))

    def _merge(self, files: list[list[bytes]]) -> list[bytes]:
        """Merge sorted files; lines of an unsorted file keep their order."""
        merged = heapq.merge(*files, key=cmp_to_key(self._compare))
        kept: list[bytes] = []
        while piece := list(islice(merged, _MERGED)):
            self._budget.tick(_MERGED * _PER_LINE)
            if not self.unique:
                kept += piece
                continue
            for line in piece:
                if not kept or self._compare(kept[-1], line):
                    kept.append(line)
        return kept

    def disorder(self, lines: list[bytes]) -> int | None:
        """The index of the first line that should precede the one before it, or None."""
        for index in range(1, len(lines)):
            if not index % _MERGED:
                self._budget.tick(_MERGED * _PER_LINE)
            comparison = self._compare(lines[index - 1], lines[index])
            if comparison > 0 or (comparison == 0 and self.unique):
                return index
        return None

    def _compare(self, left: bytes, right: bytes) -> int:
        for measure, reverse in self._passes:
            first, second = measure(left), measure(right)
            if first != second:
                return 1 if (first > second) != reverse else -1
        if self._last_resort and left != right:
            return 1 if (left > right) != self._reverse else -1
        return 0


def _checks(arguments: Arguments) -> str:
    """``c`` or ``C`` where the order is only checked, else nothing.

    Raises:
        UsageError: Both are asked for.
    """
    letters = {
        "C" if key == "C" or (word and choose("--check", word, _CHECKS) == "quiet") else "c"
        for key, word in arguments.given
        if key in {"c", "C", "check"}
    }
    if len(letters) > 1:
        raise UsageError("options '-cC' are incompatible", hint=False)
    return "".join(letters)


def _check(process: Process, sorter: _Sorter, names: list[str], delimiter: bytes, letter: str) -> int:
    if len(names) > 1:
        raise UsageError(f"extra operand '{names[1]}' not allowed with -{letter}", hint=False)
    name = names[0] if names else "-"
    lines = _read(process, [name], delimiter, "open failed")
    if lines is None:
        return _TROUBLE
    process.budget.tick(len(lines) * _PER_LINE)
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
    inputs = _inputs(process, names, refusal)
    for _, stream in inputs:
        found = read_lines(process, stream.blocks(), delimiter)
        lines = lines + found if lines else found
        if inputs.failed:
            break
    return None if inputs.failed else lines


def _read_whole(process: Process, names: list[str], delimiter: bytes) -> list[str] | list[bytes] | None:
    """As ``_read``, for lines of which only the whole is looked at: as texts, unless there are so many that memory counts."""
    texts: list[str] = []
    lines: list[bytes] = []
    inputs = _inputs(process, names)
    for _, stream in inputs:
        blocks = line_blocks(stream.blocks(), process.budget, delimiter)
        if not lines:
            found = read_texts(process, blocks, delimiter, _MOST_TEXTS - len(texts))
            texts = texts + found if texts else found
        if len(texts) > _MOST_TEXTS:
            lines = [text.encode("latin-1") for text in paced(texts)]
            process.hold(-TEXT * len(texts))
            texts = []
        if lines:
            lines += read_lines(process, blocks, delimiter)
        if inputs.failed:
            break
    return None if inputs.failed else lines or texts


def _write(process: Process, arguments: Arguments, blocks: Iterator[bytes]) -> None:
    target = arguments.get("o")
    output = process.stdout if target is None else _opened(process.create, target)
    for block in blocks:
        output.write(block)
    if target is not None:
        process.close(output)


def _rewrite(words: list[str]) -> list[str]:
    """Turn the obsolete ``+1 -2`` into ``-k 2,2``."""
    result: list[str] = []
    for word in words:
        old = _OBSOLETE(word)
        if old is None or (word.startswith("-") and not (result and result[-1].startswith("-k") and "," not in result[-1])):
            result.append(word)
            continue
        field, char, letters = int(old[2][:_DIGITS]), int((old[3] or "0")[:_DIGITS]), old[4]
        if old[1] == "+":
            result.append(f"-k{field + 1}.{char + 1}{letters}")
        else:
            result[-1] += f",{field + 1}.{char}{letters}" if char else f",{field}{letters}"
    return result


def _debug(process: Process, arguments: Arguments, sorter: _Sorter, checks: str) -> None:
    """Warn about likely mistakes.

    Raises:
        UsageError: The options exclude output that could be annotated.
    """
    if checks or "o" in arguments:
        raise UsageError(f"options '-{checks or 'o'} --debug' are incompatible", hint=False)
    for message in (*debug.ordering(process.env), *sorter.suspicions(process.argv)):
        process.warn(message)


def _check_buffer(text: str | None) -> None:
    """Refuse what is not a size."""
    if text is None:
        return
    found = re.fullmatch(r"(\d+)(.*)", text, re.DOTALL)
    if found is None:
        raise UsageError(f"invalid -S argument '{text}'", hint=False)
    if found[2] not in {"", *"%bkKmMgGtTPEZY"}:
        raise UsageError(f"invalid suffix in -S argument '{text}'", hint=False)


def _check_batch(text: str | None) -> None:
    """Refuse what is not a number of files that can be merged at once."""
    if text is None:
        return
    if not text.isdecimal():
        raise UsageError(f"invalid --batch-size argument '{text}'", hint=False)
    if clamped(text) < _FEWEST:
        least = f"\nsort: minimum --batch-size argument is {mention(str(_FEWEST))}"
        raise UsageError(f"invalid --batch-size argument {mention(text)}{least}", hint=False)


def _check_parallel(text: str | None) -> None:
    """Refuse what is not a number of threads."""
    if text is not None and not text.isdecimal():
        raise UsageError(f"invalid --parallel argument '{text}'", hint=False)
    if text is not None and not clamped(text):
        raise UsageError("number in parallel must be nonzero", hint=False)


def _listed(process: Process, source: str) -> list[str]:
    """The names of files that a file holds, each ended by NUL.

    Raises:
        UsageError: There are none, or one cannot be a name of a file.
    """
    data = slurp(process, _opened(process.open, source)).decode("utf-8", "surrogateescape")
    if not data:
        raise UsageError(f"no input from {quote(source)}", hint=False)
    names = data.removesuffix("\0").split("\0")
    if "-" in names:
        raise UsageError("when reading file names from stdin, no file name of '-' allowed", hint=False)
    if "" in names:
        raise UsageError(f"{source}:{names.index('') + 1}: invalid zero-length file name", hint=False)
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
        ),
        flag("-V", "--version-sort", help="natural sort of (version) numbers within text"),
        value("--batch-size", metavar="NMERGE", help="at least 2 (lines are sorted in memory)"),
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
        value("-S", "--buffer-size", metavar="SIZE", help="(ignored: lines are sorted in memory)"),
        value("-t", "--field-separator", metavar="SEP", help="use SEP instead of non-blank to blank transition"),
        value("-T", "--temporary-directory", metavar="DIR", help="(ignored: lines are sorted in memory)"),
        value("--parallel", metavar="N", help="(ignored: one thread does it)"),
        flag("-u", "--unique", help="output only the first of an equal run"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ),
    usage_status=_TROUBLE,
    rewrite=_rewrite,
)
def main(process: Process, arguments: Arguments) -> int:
    """Sort, merge or check the lines of the files."""
    delimiter = b"\0" if "z" in arguments else b"\n"
    _check_batch(arguments.get("batch-size"))
    _check_buffer(arguments.get("S"))
    _check_parallel(arguments.get("parallel"))
    if len(set(arguments.all("o"))) > 1:
        raise UsageError("multiple output files specified", hint=False)
    checks = _checks(arguments)
    sorter = _Sorter(process, arguments)
    if checks and "o" in arguments:
        raise UsageError(f"options '-{checks}o' are incompatible", hint=False)
    if "debug" in arguments:
        _debug(process, arguments, sorter, checks)
    names = arguments.operands
    listed = arguments.get("files0-from")
    if listed is not None:
        if names:
            raise UsageError(f"extra operand {quote(names[0])}\nfile operands cannot be combined with --files0-from")
        names = _listed(process, listed)
    if checks:
        return _check(process, sorter, names, delimiter, checks)
    for name in names:
        if name == "-" or process.descriptor(name) is not None:
            continue
        try:
            process.fs.stat(process.path(name))
        except OSError as error:
            process.warn(f"cannot read: {quote_if_needed(name)}: {error.strerror}")
            return _TROUBLE
    if sorter.plain and "m" not in arguments and "debug" not in arguments:
        whole = _read_whole(process, names, delimiter)
        if whole is None:
            return _TROUBLE
        process.budget.tick(len(whole) * _PER_LINE)
        _write(process, arguments, sorter.sort_whole(whole, delimiter))
        return 0
    # Files to merge stay separate; all other input becomes one list of lines.
    groups = [[name] for name in names or ["-"]] if "m" in arguments else [names]
    files: list[list[bytes]] = []
    for group in groups:
        found = _read(process, group, delimiter)
        if found is None:
            return _TROUBLE
        process.budget.tick(len(found) * _PER_LINE)
        files.append(found)
    del found
    pieces = sorter.merged(files) if "m" in arguments else sorter.sort(files.pop())
    if "debug" in arguments:
        for annotated in sorter.annotated(chain.from_iterable(pieces)):
            process.budget.tick(_PER_LINE)
            process.stdout.write(annotated)
        return 0
    _write(process, arguments, (delimiter.join([*piece, b""]) for piece in pieces if piece))
    return 0
