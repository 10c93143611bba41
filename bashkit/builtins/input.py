"""read and mapfile."""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

from bashkit.builtins.references import assign_target, is_element
from bashkit.builtins.registry import builtin, is_number, parse_options, refuse_assignment
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.fields import splitter
from bashkit.interp.run.traps import interruptible
from bashkit.interp.runtime.control import USAGE_STATUS, ExpansionError
from bashkit.interp.runtime.pipes import PipeReader
from bashkit.interp.state.assignment_errors import CircularReferenceError, ReadonlyError
from bashkit.interp.state.locales import counts_bytes, from_locale
from bashkit.interp.state.scopes import NAME
from bashkit.interp.state.variables import READONLY, AssociativeArray, Variable
from bashkit.limits import Charge, paced, paced_if_many, turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.builtins.registry import Options
    from bashkit.fs import Stream
    from bashkit.interp.state.shell import Shell
    from bashkit.limits import Budget

_ONE_BLANK = {" ", "\t", "\n"}
_BLANKS = re.compile(r"[ \t\n]+")
_LINE = 64  # bytes of a line in a list beside its text
_FEW = 1000  # names that are read at once
_LONG = 4096  # bytes of a line that are worth asking for


class _RefusedError(ExpansionError):
    """What was read cannot be stored in the variable."""


_MOST = 0x7FFFFFFF  # characters that a C int can count
_TIMED_OUT = 142  # 128 + SIGALRM


@builtin(
    "read",
    usage="[-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]",
    summary="Read a line from the standard input and split it into fields.",
    scoped=True,
)
def read(shell: Shell, arguments: list[str]) -> int:
    """Read a line into variables; the traps of signals run meanwhile."""
    return interruptible(shell, lambda: _read(shell, arguments)) if shell.traps else _read(shell, arguments)


def _read(shell: Shell, arguments: list[str]) -> int:
    plain = _read_plainly(shell, arguments)
    if isinstance(plain, int):
        return plain
    options, names = parse_options(shell, arguments, "ersa:d:i:n:N:p:t:u:", check=_refusal)
    given = dict(options)
    number, timeout = whole_number(given.get("u", "0")), float(f"0{given['t']}") if "t" in given else -1.0
    stream = shell.descriptors.get(number)
    if "p" in given and not isinstance(stream, PipeReader) and shell.options.set["monitor"]:
        shell.print_error(given["p"])
    if timeout == 0:
        return 1 if stream is None or (isinstance(stream, PipeReader) and not stream.ready()) else 0
    for name in names[:1]:
        if not NAME.fullmatch(name) and not is_element(shell, name):
            shell.complain("read", f"`{name}': not a valid identifier")
            return 1
    if stream is None or not stream.readable:
        reason = os.strerror((stream and stream.unreadable) or errno.EBADF)
        shell.complain("read", f"read error: {number}: {reason}")
        return 1
    raw = "r" in given
    limit = next((whole_number(value) for letter, value in reversed(options) if letter in {"n", "N"}), -1)
    delimiter = "" if "N" in given else (given["d"][:1] or "\0") if "d" in given else "\n"
    text, escaped, complete, timed_out = _collect(shell, stream, delimiter, limit, raw=raw, timeout=timeout, first=plain)
    status = _TIMED_OUT if timed_out else 0 if complete else 1
    if "a" in given and not NAME.fullmatch(given["a"]):
        shell.complain("read", f"`{given['a']}': not a valid identifier")
        return 1
    try:
        _store(shell, given, names, text, escaped)
    except _RefusedError as error:
        shell.complain("read", error.message)
        return 1
    except ExpansionError as error:
        return refuse_assignment(shell, "read", names, error)
    return status


def _read_plainly(shell: Shell, arguments: list[str]) -> int | bytes | None:
    """``read [-r] [name…]`` of a line without escapes, by a usual IFS.

    Returns:
        The status; or the line that was read, when it has escapes; or None, with nothing read, where there is more to it.
    """
    raw = len(arguments) > 1 and arguments[1] == "-r"
    names = arguments[2:] if raw else arguments[1:]
    if len(names) > _FEW:
        return None
    separators = shell.separators()
    stream = shell.descriptors.get(0)
    if separators != " \t\n" and (len(separators) > 1 or separators in _ONE_BLANK):
        return None
    if stream is None or not stream.readable:
        return None
    variables = shell.variables
    for name in names:
        if name not in variables and not NAME.fullmatch(name):
            return None
    budget = shell.budget
    data = stream.read_line(b"\n", budget.limits.max_string_bytes + 1)
    if len(data) > _LONG:
        budget.string(len(data))
    if not raw and b"\\" in data:
        return data
    text = data.decode() if data.isascii() else data.decode("utf-8", "surrogateescape")
    status = 1
    if text and text[-1] == "\n":
        text, status = text[:-1], 0
    if "\0" in text:
        text = text.replace("\0", "")
    if not names:
        names, values = ["REPLY"], [text]
    elif len(names) == 1 and len(separators) > 1:
        values = [text.strip(" \t\n")]
    elif not separators:
        values = [text]
    elif len(separators) == 1:
        values = text.split(separators, len(names) - 1)
        last = values[-1]
        if last[-1:] == separators and last.find(separators) == len(last) - 1:
            values[-1] = last[:-1]  # a lone delimiter that ends the line
    else:
        values = _BLANKS.split(text.strip(" \t\n"), len(names) - 1)
    if len(names) > len(values):
        values += [""] * (len(names) - len(values))
    try:
        for name, value in zip(names, values):  # noqa: B905 - as many of each; strict takes time
            shell.assign(name, value)
    except ExpansionError as error:
        return refuse_assignment(shell, "read", names, error)
    return status


def _refusal(shell: Shell, letter: str, argument: str) -> str:
    """What is wrong with the argument of an option of ``read``."""
    if letter in {"n", "N"} and not (is_number(argument) and 0 <= whole_number(argument) <= _MOST):
        return f"{argument}: invalid number"
    if letter == "t" and not re.fullmatch(r"[0-9]*\.?[0-9]*", argument):
        return f"{argument}: invalid timeout specification"
    return _bad_descriptor(shell, argument) if letter == "u" else ""


def _bad_descriptor(shell: Shell, word: str) -> str:
    if not is_number(word) or not 0 <= (number := whole_number(word)) <= _MOST:
        return f"{word}: invalid file descriptor specification"
    return "" if shell.descriptors.get(number) else f"{number}: invalid file descriptor: {os.strerror(errno.EBADF)}"


def _collect(
    shell: Shell, stream: Stream, delimiter: str, limit: int, *, raw: bool, timeout: float, first: bytes | None
) -> tuple[str, set[int], bool, bool]:
    """Read up to the delimiter or ``limit`` characters.

    Args:
        shell: The shell.
        stream: Where to read.
        delimiter: What ends a line.
        limit: How many characters to read at most; negative for any number.
        raw: Backslashes are ordinary characters.
        timeout: Seconds to wait; negative for ever.
        first: The first line, when it has been read.

    Returns:
        The text without backslash escapes, the positions that were escaped, whether the delimiter (or limit) was reached, and
        whether the time ran out first.
    """
    if timeout > 0 and isinstance(stream, PipeReader) and not _gather(shell, stream, timeout, delimiter, limit):
        text = stream.unread().replace(b"\0", b"").decode("utf-8", "surrogateescape")
        return (text, set(), False, True) if raw else (*_remove_escapes(text), False, True)
    if limit >= 0 or (delimiter == "\\" and not raw):  # such a delimiter escapes what follows, and ends nothing
        limit = limit if limit >= 0 else shell.budget.limits.max_string_bytes
        text, escaped, complete = _collect_characters(stream, delimiter, limit, raw=raw, by_byte=counts_bytes(shell))
        return from_locale(text), escaped, complete, False
    end = delimiter.encode("utf-8", "surrogateescape")[:1]
    most = shell.budget.limits.max_string_bytes + 1
    data = stream.read_line(end, most) if first is None else first
    shell.budget.string(len(data))
    complete = data.endswith(end)
    if complete:
        data = data[:-1]
    text = data.replace(b"\0", b"").decode("utf-8", "surrogateescape")
    if raw or "\\" not in text:
        return text, set(), complete, False
    while complete and (len(text) - len(text.rstrip("\\"))) % 2 == 1:  # the escape takes the delimiter with it
        more = stream.read_line(end, most)
        complete = more.endswith(end)
        addition = (more[:-1] if complete else more).replace(b"\0", b"").decode("utf-8", "surrogateescape")
        text = text[:-1] + ("" if delimiter == "\n" else "\\" + delimiter) + addition
        shell.budget.string(len(text))
    return *_remove_escapes(text), complete, False


def _gather(shell: Shell, stream: PipeReader, timeout: float, delimiter: str, limit: int) -> bool:
    """Wait until the pipe has a whole line, or has ended; False when the time is up, with what there is left to be read."""
    end = shell.budget.clock() + timeout
    mark = delimiter.encode("utf-8", "surrogateescape")[:1]
    held = b""
    charge = Charge(shell.budget)
    while True:
        if not _wait(shell, stream, end):
            stream.give_back(held)
            return False
        block = stream.read()
        held += block
        charge.reach_line(len(held))
        if not block or (mark and mark in block) or 0 <= limit <= len(held):
            stream.give_back(held)
            return True


def _wait(shell: Shell, stream: PipeReader, end: float) -> bool:
    """Wait until the pipe has something; False when the clock says ``end``."""
    hub = shell.machine.hub
    clock = shell.budget.clock
    while not stream.ready():
        task = hub.current
        assert task is not None
        if clock() >= end:
            return False
        hub.at(max(0.0, end - clock()), task)
        stream.watch(task)
        hub.suspend()
    return True


def _remove_escapes(text: str) -> tuple[str, set[int]]:
    kept: list[str] = []
    escaped: set[int] = set()
    size = begin = 0
    while (end := text.find("\\", begin)) >= 0:
        turn()
        kept.append(text[begin:end])
        size += end - begin
        following = text[end + 1 : end + 2]
        if following not in {"", "\n"}:
            escaped.add(size)
            kept.append(following)
            size += 1
        begin = end + 2
    kept.append(text[begin:])
    return "".join(kept), escaped


def _collect_characters(stream: Stream, delimiter: str, limit: int, *, raw: bool, by_byte: bool) -> tuple[str, set[int], bool]:
    kept: list[str] = []
    escaped: set[int] = set()
    read_one = _byte if by_byte else _character
    while len(kept) < limit:
        turn()
        character = read_one(stream)
        if not character:
            return "".join(kept), escaped, False
        if character == "\0" and delimiter != "\0":
            continue
        if character == "\\" and not raw:
            character = read_one(stream)
            if character == "\n":
                continue
            if not character:
                return "".join(kept), escaped, False
            escaped.add(len(kept))
        elif delimiter and character == delimiter:
            return "".join(kept), escaped, True
        kept.append(character)
    return "".join(kept), escaped, True


def _byte(stream: Stream) -> str:
    return stream.read(1).decode("ascii", "surrogateescape")


def _character(stream: Stream) -> str:
    """The next character; bytes that are none count as one, up to the first that does not go on as UTF-8 does."""
    data = stream.read(1)
    if data and 0xC2 <= data[0] < 0xF5:
        need = 1 if data[0] < 0xE0 else 2 if data[0] < 0xF0 else 3
        for _ in range(need):
            following = stream.read(1)
            data += following
            if not following or following[0] & 0xC0 != 0x80:
                break
    return data.decode("utf-8", "surrogateescape")


def _referred(shell: Shell, name: str) -> str:
    """What a name refers to; itself where references go round in a circle, of which the assignment tells."""
    try:
        return shell.resolve(name)
    except CircularReferenceError:
        return name


def _store(shell: Shell, given: dict[str, str], names: list[str], text: str, escaped: set[int]) -> None:
    separators = shell.separators()
    if "N" in given and "a" not in given:
        assign_target(shell, names[0] if names else "REPLY", text)
        for name in paced_if_many(names[1:]):
            _assign(shell, name, "")
        return
    if "a" in given:
        if "[" in (referred := _referred(shell, given["a"])):
            raise _RefusedError(f"`{referred}': not a valid identifier")
        if isinstance(shell.array(given["a"]), AssociativeArray):
            if isinstance(variable := shell.variables.get(referred), Variable) and variable.flags & READONLY:
                raise ReadonlyError(referred)
            raise _RefusedError(f"{given['a']}: not an indexed array")
        limit = shell.budget.limits.max_words
        words = [text] * bool(text) if "N" in given else _split(shell.budget, text, escaped, separators, 0, limit)
        shell.set_array(given["a"], words, convert=True)
        return
    if not names:
        shell.assign("REPLY", text)
        return
    values = _split(shell.budget, text, escaped, separators, len(names))
    for index, name in enumerate(paced_if_many(names)):
        _assign(shell, name, values[index] if index < len(values) else "")


def _assign(shell: Shell, name: str, value: str) -> None:
    if not NAME.fullmatch(name) and not is_element(shell, name):
        raise _RefusedError(f"`{name}': not a valid identifier")
    assign_target(shell, name, value)


def _split(budget: Budget, text: str, escaped: set[int], separators: str, limit: int, most: int = 0) -> list[str]:
    """Fields of a line; with a limit the last one takes the rest."""
    by = splitter(separators)
    if not escaped and not limit:
        return by.split(text, most, budget)[1] if text else []
    alike, blanks = by.alike(text, budget), by.blanks
    fields: list[str] = []
    position, end = 0, len(text)

    def special_from(index: int) -> int:
        while (match := by.find(alike, index)) is not None and match.start() in escaped:
            turn()
            index = match.end()
        return end if match is None else match.start()

    def is_blank(index: int) -> bool:
        turn()
        return text[index] in blanks and index not in escaped

    while position < end and is_blank(position):
        position += 1
    while position < end:
        if limit and len(fields) == limit - 1:
            fields.append(_last_field(text, position, is_blank, special_from))
            return fields
        start = position
        position = special_from(position)
        fields.append(text[start:position])
        while position < end and is_blank(position):
            position += 1
        if position < end and special_from(position) == position:
            position += 1
            while position < end and is_blank(position):
                position += 1
    return fields


def _last_field(text: str, position: int, is_blank: Callable[[int], bool], special_from: Callable[[int], int]) -> str:
    """The rest of the line for the last name: trailing blanks go, and a lone delimiter that ends it."""
    end = len(text)
    while end > position and is_blank(end - 1):
        end -= 1
    inner = end - 1
    if inner < position or special_from(inner) != inner:
        return text[position:end]
    special = special_from(position)
    while special < inner:
        if not is_blank(special):
            return text[position:end]
        special = special_from(special + 1)
    begin_of_blanks = inner
    while begin_of_blanks > position and is_blank(begin_of_blanks - 1):
        begin_of_blanks -= 1
    return text[position : begin_of_blanks if special_from(position) >= begin_of_blanks else end]


_COUNTS = {"n": "line count", "O": "array origin", "s": "line count", "c": "callback quantum"}


def _refusal_of_lines(shell: Shell, letter: str, argument: str) -> str:
    """What is wrong with the argument of an option of ``mapfile``."""
    if letter in _COUNTS and not (is_number(argument) and whole_number(argument) >= (letter == "c")):
        return f"{argument}: invalid {_COUNTS[letter]}"
    return _bad_descriptor(shell, argument) if letter == "u" else ""


@builtin(
    "mapfile",
    "readarray",
    usage="[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
    summary="Read lines from the standard input into an indexed array variable.",
    scoped=True,
    options="d:n:O:s:tu:C:c:",
    check=_refusal_of_lines,
    named=True,
)
def mapfile(shell: Shell, called: str, options: Options, words: list[str]) -> int:
    """Read lines into an array."""
    given = dict(options)
    name = words[0] if words else "MAPFILE"
    if NAME.fullmatch(name):
        name = _referred(shell, name)
    if not NAME.fullmatch(name):
        shell.complain(called, f"`{name}': not a valid identifier" if name else "empty array variable name")
        return 1 if name else USAGE_STATUS
    if isinstance(shell.array(name), AssociativeArray):
        variable = shell.variables.get(name)
        if isinstance(variable, Variable) and variable.flags & READONLY:
            shell.warn(f"{name}: readonly variable")
        else:
            shell.complain(called, f"{name}: not an indexed array")
        return 1
    stream = shell.descriptors.get(whole_number(given.get("u", "0")))
    delimiter = (given["d"][:1] or "\0").encode("utf-8", "surrogateescape")[:1] if "d" in given else b"\n"
    try:
        lines = [] if stream is None else _read_lines(shell, stream, delimiter, given)
    except OSError:
        lines = []  # what cannot be read has no lines
    shell.budget.tick(len(lines) >> 3)
    if given.keys().isdisjoint("OC"):
        shell.set_array(name, lines, convert=True)
    else:
        _store_lines(shell, name, lines, given)
    return 0


def _read_lines(shell: Shell, stream: Stream, delimiter: bytes, given: dict[str, str]) -> list[str]:
    budget = shell.budget
    for _ in range(whole_number(given.get("s", "0"))):
        budget.tick()
        if not stream.read_line(delimiter, budget.limits.max_string_bytes + 1):
            break
    count = whole_number(given.get("n", "0"))
    lines = _some_lines(budget, stream, delimiter, count) if count else _all_lines(budget, stream, delimiter)
    if "t" in given:
        lines = [line.removesuffix(delimiter) for line in paced(lines)]
    return [line.split(b"\0", 1)[0].decode("utf-8", "surrogateescape") for line in paced(lines)]  # a NUL ends a string of C


def _some_lines(budget: Budget, stream: Stream, delimiter: bytes, count: int) -> list[bytes]:
    """No more lines than ``count``; what follows them is left to be read."""
    lines: list[bytes] = []
    held = 0
    charge = Charge(budget)
    while len(lines) < count and (line := stream.read_line(delimiter, budget.limits.max_string_bytes + 1)):
        lines.append(line)
        held += len(line)
        budget.string(held)
        charge.reach(held + _LINE * len(lines))
        budget.words(len(lines))
    return lines


def _all_lines(budget: Budget, stream: Stream, delimiter: bytes) -> list[bytes]:
    blocks: list[bytes] = []
    held = count = 0
    charge = Charge(budget)
    for block in stream.blocks():
        blocks.append(block)
        held += len(block)
        count += block.count(delimiter)
        budget.string(held)
        charge.reach(held + _LINE * count)
        budget.words(count)
        budget.tick(1 + (len(block) >> 6))
    *lines, last = b"".join(blocks).split(delimiter)
    found = [line + delimiter for line in paced(lines)]
    return [*found, last] if last else found


def _store_lines(shell: Shell, name: str, lines: list[str], given: dict[str, str]) -> None:
    origin = whole_number(given.get("O", "0"))
    if "O" not in given:
        shell.set_array(name, [])
    else:
        variable = shell.variables.get(name)
        if isinstance(variable, Variable) and variable.flags & READONLY:
            raise ReadonlyError(name)
        shell.end_reference(name)
        shell.make_array(name)
    quantum = whole_number(given.get("c", "5000"))
    for index, line in enumerate(lines):
        if "C" in given and (index + 1) % quantum == 0:
            from bashkit.interp.run.scripts import run_text
            from bashkit.interp.state.quoting import single_quote

            shell.evaluating += 1
            try:
                run_text(shell, f"{given['C']} {origin + index} {single_quote(line)}")
            finally:
                shell.evaluating -= 1
        shell.assign_element(name, str(origin + index), line)
