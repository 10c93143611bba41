"""fmt: fill paragraphs (GNU coreutils manual, fmt invocation).

The breaks are chosen for a paragraph as a whole: lines are near the goal width and near each other in length, with a bonus
for breaking behind a sentence. The weights were found by comparing the breaks of many random paragraphs with those of GNU fmt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import punctuation
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, Inputs, freed, slurp
from bashkit.commands._notation.counts import MOST, clamped, is_count
from bashkit.commands._notation.locale import OCTETS
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import Charge, ask_room, paced, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_WEIGHT = 160  # bytes that a word takes, and what belongs to it
_WORD = re.compile(r"([^ \t][^ \t\r\f\v]*)([ \t]*)")  # other white space ends a word and begins the next
_SENTENCE = re.compile(r"[.?!][\"'\])]*\Z")
_OPENING = frozenset("(['`\"")
_WIDEST = 2500
_USUAL = 75  # columns of a line
_PER_COLUMN = 100  # the cost of a line that is one column from the goal; it grows with the square
_PER_STEP = 50  # of one that is a column longer or shorter than the next
_PER_LINE = 4900
_AFTER_SENTENCE = -2500  # a line that ends a sentence is preferred
_AT_PUNCTUATION = -1600  # a line that ends with a comma, or before a parenthesis, is slightly preferred
_AFTER_PERIOD = 360_000  # a period that may end an abbreviation is avoided
_AFTER_FIRST_WORD = 40_000  # a line that ends with the first word of a sentence is avoided, the more the shorter the word is
_BEFORE_LAST_WORD = 22_500  # and so is one that begins with the last word
_GOAL_PERCENT = 93
_AT_ONCE = 1 << 20  # characters that are written at once


@dataclass(frozen=True, slots=True)
class _Settings:
    """The options; a prefix is what its lines have at least of blanks, a mark, and what follows it at least of blanks."""

    limit: int
    goal: int
    split_only: bool
    uniform: bool
    crown: bool
    tagged: bool
    lead: int
    mark: str
    gap: int


def _number(arguments: Arguments, key: str) -> int | None:
    text = arguments.get(key)
    if text is None:
        return None
    if not is_count(text) or clamped(text) > _WIDEST:
        large = is_count(text) and clamped(text) == MOST
        range_ = "Value too large for defined data type" if large else "Numerical result out of range"
        problem = f": {range_}" if is_count(text) else ""
        raise UsageError(f"invalid width: {mention(text)}{problem}", hint=False)
    return clamped(text)


def _settings(arguments: Arguments) -> _Settings:
    limit, goal = _number(arguments, "w"), _number(arguments, "g")
    if goal is not None and goal > (_USUAL if limit is None else limit):
        raise UsageError(f"invalid width: {mention(str(goal))}: Numerical result out of range", hint=False)
    if limit is None:
        limit = _USUAL if goal is None else goal + 10
    if goal is None:
        goal = limit * (2 * (100 - (100 - _GOAL_PERCENT)) + 1) // 200
    keys, prefix = arguments, arguments.get("p") or ""
    mark = prefix.strip(" ")
    lead = len(prefix) - len(prefix.lstrip(" "))
    gap = len(prefix) - lead - len(mark)
    return _Settings(limit, goal, "s" in keys, "u" in keys, "c" in keys, "t" in keys, lead, mark, gap)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _cut(line: str, settings: _Settings) -> int | None:
    """Where the text of a line begins, behind the prefix; None for a line without it."""
    indent = len(line) - len(line.lstrip(" ")) if settings.mark or settings.lead else 0
    if indent < settings.lead or not line.startswith(settings.mark, indent):
        return None
    if not settings.mark:
        return 0
    text = line[indent + len(settings.mark) :]
    blanks = len(text) - len(text.lstrip(" "))
    return None if blanks < settings.gap and text.strip(" \t") else indent + len(settings.mark)


def _paragraphs(lines: list[str], settings: _Settings) -> Iterator[tuple[int | None, list[str]]]:
    """Split lines into runs that are filled together, each with the place where their text begins; an empty line is its own run,
    as is one without the prefix, whose text begins nowhere.
    """
    current: list[str] = []
    begin = 0
    for line in paced(lines, 2):
        cut = _cut(line, settings)
        if cut is None or not line[cut:].strip(" \t"):
            if current:
                yield begin, current
                current = []
            yield cut, [line]
        elif current and not settings.split_only and cut == begin and _continues(current, line, cut, settings):
            current.append(line)
        else:
            if current:
                yield begin, current
            current, begin = [line], cut
    if current:
        yield begin, current


def _continues(current: list[str], line: str, cut: int, settings: _Settings) -> bool:
    indent, first = _indent(line[cut:]), _indent(current[0][cut:])
    if len(current) == 1:
        return settings.crown or (settings.tagged and indent != first) or (not settings.tagged and indent == first)
    return indent == _indent(current[1][cut:])


def _words(lines: list[str], cut: int, budget: Budget, charge: Charge, *, uniform: bool) -> list[tuple[str, int]]:
    """The words of a paragraph, each with the spaces after it."""
    result: list[tuple[str, int]] = []
    for line in paced(lines):
        ask_room(line, " \t", budget)
        pieces = _WORD.findall(line[cut:])
        charge.reach(_WEIGHT * (len(result) + len(pieces)))
        for place, (word, gap) in enumerate(paced(pieces, 2)):
            last = place == len(pieces) - 1
            ends = _SENTENCE.search(word) is not None
            spaces = 2 if ends and (last or len(gap) > 1) else 1
            result.append((word, spaces if last or uniform else len(gap)))
    return result


def _penalties(words: list[tuple[str, int]]) -> list[int]:
    """The extra cost of a break before each word, besides the lengths of the lines."""
    ends = [gap > 1 and _SENTENCE.search(word) is not None for word, gap in paced(words)]
    result = [0] * len(words)
    for place in paced(range(1, len(words))):
        before, word = words[place - 1][0], words[place][0]
        cost = 0
        if _SENTENCE.search(before):
            cost = _AFTER_SENTENCE if ends[place - 1] else _AFTER_PERIOD
        elif before[-1] in punctuation:
            cost = _AT_PUNCTUATION
        elif place > 1 and ends[place - 2]:
            cost = _AFTER_FIRST_WORD // (len(before) + 2)
        if word[0] in _OPENING:
            cost += _AT_PUNCTUATION
        elif place == len(words) - 1 or ends[place]:
            cost += _BEFORE_LAST_WORD // (len(word) + 2)
        result[place] = cost
    return result


def _breaks(words: list[tuple[str, int]], first: int, rest: int, settings: _Settings, budget: Budget) -> list[int]:
    """The ends of the lines: the indexes after their last words."""
    count = len(words)
    sizes = [len(word) for word, _ in paced(words)]
    penalties = _penalties(words)
    best = [0] * (count + 1)
    length = [0] * (count + 1)  # the length of the line that begins at a word
    following = [count] * (count + 1)
    for start in range(count - 1, -1, -1):
        column = first if start == 0 else rest
        best[start] = 1 << 60
        for stop in range(start + 1, count + 1):
            column += sizes[stop - 1]
            if column >= settings.limit and stop > start + 1:
                break
            cost = _PER_LINE + best[stop]
            if stop < count:
                cost += _PER_COLUMN * (settings.goal - column) ** 2
                if following[stop] < count:
                    cost += _PER_STEP * (column - length[stop]) ** 2
            if cost < best[start]:
                best[start], following[start], length[start] = cost, stop, column
            column += words[stop - 1][1]
        best[start] += penalties[start]
        budget.tick(1 + stop - start)
    result: list[int] = []
    place = 0
    while place < count:
        place = following[place]
        result.append(place)
    return result


def _hanging(lines: list[str], settings: _Settings, last: str) -> str:
    """The indentation of all lines of a paragraph but the first.

    Args:
        lines: The paragraph's, without their prefix.
        settings: The options.
        last: That of the paragraph before; empty where there was none.
    """
    first = _indent(lines[0])
    if settings.split_only:
        return first
    if len(lines) > 1:
        return _indent(lines[1])
    if settings.crown or not settings.tagged:
        return first
    return last if last != first else "" if first else "   "


def _fill(lines: list[str], cut: int, rest: str, settings: _Settings, budget: Budget) -> Iterator[str]:
    charge = Charge(budget)
    prefix = lines[0][:cut]
    first = _indent(lines[0][cut:])
    words = _words(lines, cut, budget, charge, uniform=settings.uniform)
    start = 0
    for stop in _breaks(words, len(prefix + first), len(prefix + rest), settings, budget):
        chosen = words[start:stop]
        body = "".join([word + " " * gap for word, gap in chosen[:-1]]) + chosen[-1][0]
        yield prefix + (rest if start else first) + body
        start = stop


def _rewrite(words: list[str]) -> list[str]:
    """Turn the obsolete ``-72`` into ``-w 72``."""
    return [f"-w{words[0][1:]}", *words[1:]] if words and re.match("-[0-9]", words[0]) else words


def _misplaced(digit: str) -> UsageError:
    rule = "-WIDTH is recognized only when it is the first\noption; use -w N instead"
    return UsageError(f"invalid option -- {digit}; {rule}")


@command(
    "fmt",
    usage="[-WIDTH] [OPTION]... [FILE]...",
    summary="Reformat each paragraph in the FILE(s), writing to standard output.",
    options=(
        flag("-c", "--crown-margin", help="preserve indentation of first two lines"),
        value("-p", "--prefix", metavar="STRING", help="reformat only lines beginning with STRING"),
        flag("-s", "--split-only", help="split long lines, but do not refill"),
        flag("-t", "--tagged-paragraph", help="indentation of first line different from second"),
        flag("-u", "--uniform-spacing", help="one space between words, two after sentences"),
        value("-w", "--width", metavar="WIDTH", help="maximum line width (default of 75 columns)"),
        value("-g", "--goal", metavar="WIDTH", help="goal width (default of 93% of width)"),
    ),
    rewrite=_rewrite,
    digit=_misplaced,
)
def main(process: Process, arguments: Arguments) -> int:
    """Fill the paragraphs of every file."""
    settings = _settings(arguments)
    inputs = Inputs(process, arguments.operands, "cannot open {quoted} for reading: {error}", "read error")
    for _, stream in inputs:
        with freed(process):
            _fill_all(process, slurp(process, stream).decode(OCTETS, "surrogateescape"), settings)  # a column for each byte
    return int(inputs.failed)


def _fill_all(process: Process, text: str, settings: _Settings) -> None:
    tab = text.find("\t")
    before_tab = text.count("\n", 0, tab) if tab >= 0 else len(text)  # lines
    process.hold(len(text) + LINE * (text.count("\n") + 1))
    as_read = text.split("\n")
    process.budget.tick(len(text) >> 8)
    lines = as_read[:] if tab < 0 else text.expandtabs(8).split("\n")
    process.budget.tick(len(text) >> 8)
    if not lines[-1]:
        lines.pop()
    read, rest = 0, ""
    for cut, paragraph in _paragraphs(lines, settings):
        read += len(paragraph)
        if cut is None:
            line = as_read[read - 1]
            process.write((line if line.strip(" \t") else "") + ("\n" if read < len(as_read) else ""))
            continue
        if not paragraph[0][cut:].strip(" \t"):
            filled: Iterable[str] = [line.rstrip(" \t") if not line.strip(" \t") else line for line in paced_if_many(paragraph)]
        else:
            rest = _hanging([line[cut:] for line in paragraph[:2]], settings, rest)
            filled = paced(_fill(paragraph, cut, rest, settings, process.budget))
        _write(process, (_with_tabs(line) if read > before_tab else line for line in filled))


def _write(process: Process, lines: Iterable[str]) -> None:
    """Write lines: those of a paragraph may be long, and many of them have the same long indentation."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size > _AT_ONCE:
            process.write("\n".join([*held, ""]))
            held.clear()
            size = 0
    process.write("\n".join([*held, ""]) if held else "")


def _with_tabs(line: str) -> str:
    """Write runs of spaces that reach a tab stop with tabs, as fmt does once it has read one."""
    result, column = [], 0
    for blanks, word in re.findall(r"( *)([^ ]*)", line):
        target = column + len(blanks)
        stop = target // 8 * 8
        if column + 1 < stop:
            result.append("\t" * ((stop - column // 8 * 8) // 8))
            column = stop
        result.append(" " * (target - column) + word)
        column = target + len(word)
    return "".join(result)
