"""fmt: fill paragraphs (GNU coreutils manual, fmt invocation).

The breaks are chosen for a paragraph as a whole: lines are near the goal width and near each other in length, with a bonus
for breaking behind a sentence. The weights were found by comparing the breaks of many random paragraphs with those of GNU fmt.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import accumulate, islice
from operator import add, sub
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
_ENDING = frozenset(".?!\"')]")
_OPENING = frozenset("(['`\"")
_MARKS = frozenset(punctuation)
_WIDEST = 2500
_TAGGED = 3  # columns before the lines of a tagged paragraph, where nothing else tells them
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
    if not settings.mark:
        return 0 if indent >= settings.lead else None
    if not line.startswith(settings.mark, indent):
        return None
    text = line[indent + len(settings.mark) :]
    blanks = len(text) - len(text.lstrip(" "))
    short = indent < settings.lead or blanks < settings.gap
    return None if short and text.strip(" \t") else indent + len(settings.mark)


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


@dataclass(slots=True)
class _Words:
    """The words of a paragraph.

    Attributes:
        texts: They.
        gaps: How many spaces are behind each.
        sentences: Whether each looks like the end of a sentence.
    """

    texts: list[str] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    sentences: list[bool] = field(default_factory=list)

    def add(self, pieces: list[tuple[str, str]], *, uniform: bool) -> None:
        """Add the words of a line, each with the blanks behind it."""
        sentences = [word[-1] in _ENDING and _SENTENCE.search(word) is not None for word, _ in paced_if_many(pieces)]
        gaps = [len(gap) for _, gap in paced_if_many(pieces)]
        if uniform:
            gaps = [2 if ends and gap > 1 else 1 for ends, gap in paced_if_many([*zip(sentences, gaps, strict=True)])]
        if gaps:
            gaps[-1] = 2 if sentences[-1] else 1
        self.texts += [word for word, _ in paced_if_many(pieces)]
        self.gaps += gaps
        self.sentences += sentences

    def ends(self, place: int) -> bool:
        """Whether a sentence ends with a word."""
        return self.sentences[place] and self.gaps[place] > 1


def _words(lines: list[str], cut: int, budget: Budget, *, uniform: bool) -> _Words:
    result = _Words()
    charge = Charge(budget)
    for line in paced(lines):
        ask_room(line, " \t", budget)
        pieces = _WORD.findall(line[cut:])
        charge.reach(_WEIGHT * (len(result.texts) + len(pieces)))
        budget.tick(len(pieces) >> 1)
        result.add(pieces, uniform=uniform)
    return result


def _penalty(words: _Words, place: int) -> int:
    """The extra cost of a break before a word, besides the lengths of the lines."""
    before, word = words.texts[place - 1], words.texts[place]
    cost = 0
    if words.sentences[place - 1]:
        cost = _AFTER_SENTENCE if words.ends(place - 1) else _AFTER_PERIOD
    elif before[-1] in _MARKS:
        cost = _AT_PUNCTUATION
    elif place > 1 and words.ends(place - 2):
        cost = _AFTER_FIRST_WORD // (len(before) + 2)
    if word[0] in _OPENING:
        cost += _AT_PUNCTUATION
    elif place == len(words.texts) - 1 or words.ends(place):
        cost += _BEFORE_LAST_WORD // (len(word) + 2)
    return cost


def _penalties(words: _Words) -> list[int]:
    """The penalty of each word; there is none but beside punctuation, and before the last word."""
    texts = words.texts
    count = len(texts)
    marked = [place for place, word in enumerate(paced_if_many(texts)) if word[-1] in _MARKS or word[0] in _MARKS]
    result = [0] * count
    for place in paced_if_many([*marked, count - 1]):
        for near in range(max(place, 1), min(place + 3, count)):
            result[near] = _penalty(words, near)
    return result


def _breaks(words: _Words, ends: list[int], first: int, rest: int, settings: _Settings, budget: Budget) -> list[int]:
    """The ends of the lines: the indexes after their last words.

    Args:
        words: The words of the paragraph.
        ends: For each index the length of the words before it, with the spaces between them.
        first: The columns before the first line.
        rest: Those before the others.
        settings: The options.
        budget: Is asked for the time.
    """
    count = len(words.texts)
    goal, limit = settings.goal, settings.limit
    if first + ends[count] < limit:
        return [count]  # a line more costs more than any break is preferred by
    penalties = _penalties(words)
    best = [0] * (count + 1)  # the cost of the lines from a word on
    length = [0] * (count + 1)  # the length of the line that begins at a word
    following = [count] * (count + 1)
    for start in range(count - 1, -1, -1):
        begin = (ends[start] + words.gaps[start - 1] - rest) if start else -first
        stop = max(bisect_left(ends, begin + limit, start + 1), start + 2)
        least = min(best[start + 1 : stop]) + _PER_LINE
        lowest = 1 << 60
        for place in range(stop - 1, start, -1):
            column = ends[place] - begin
            short = goal - column
            if place == count:
                cost = _PER_LINE
            else:
                cost = _PER_COLUMN * short * short
                if short > 0 and cost + least > lowest:
                    break  # and so it is with all shorter lines
                cost += best[place] + _PER_LINE
                if following[place] < count:
                    cost += _PER_STEP * (column - length[place]) ** 2
            if cost <= lowest:
                lowest, following[start], length[start] = cost, place, column
        best[start] = lowest + penalties[start]
        budget.tick(1 + stop - start)
    result: list[int] = []
    place = 0
    while place < count:
        place = following[place]
        result.append(place)
    return result


def _hanging(indents: list[int], settings: _Settings, last: int) -> int:
    """The columns before all lines of a paragraph but the first.

    Args:
        indents: Those before each of its lines as it is read, prefix included, at least two if there are so many.
        settings: The options.
        last: What this was for the paragraph before; 0 where there was none.
    """
    first = indents[0]
    if settings.split_only:
        return first
    if len(indents) > 1:
        return indents[1]
    if settings.crown or not settings.tagged:
        return first
    return last if last != first else 0 if first else _TAGGED


def _fill(lines: list[str], cut: int, rest: int, settings: _Settings, budget: Budget) -> Iterator[str]:
    prefix = lines[0][:cut]
    first = prefix + _indent(lines[0][cut:])
    words = _words(lines, cut, budget, uniform=settings.uniform)
    text = "".join([word + " " * gap for word, gap in zip(paced_if_many(words.texts), words.gaps, strict=True)])
    ends = [0, *map(sub, accumulate(map(add, map(len, words.texts), words.gaps)), words.gaps)]
    budget.tick(1 + (len(ends) >> 2))
    place, lead = 0, first
    for stop in _breaks(words, ends, len(first), rest, settings, budget):
        yield lead + text[place : ends[stop]]
        place, lead = ends[stop] + words.gaps[stop - 1], prefix.ljust(rest)


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
            text = slurp(process, stream).decode(OCTETS, "surrogateescape")  # a column for each byte
            process.hold(len(text) + LINE * (text.count("\n") + 1))
            _write(process, _filled(text, settings, process.budget))
    return int(inputs.failed)


def _filled(text: str, settings: _Settings, budget: Budget) -> Iterator[str]:
    """The lines that a text becomes."""
    tabs = "\t" in text
    as_read = text.split("\n")
    budget.tick(len(text) >> 8)
    lines = text.expandtabs(8).split("\n") if tabs else as_read[:]
    budget.tick(len(text) >> 8)
    if not lines[-1]:
        lines.pop()
    # All that is read of the next line before one is written:
    opening = re.compile(rf"[ \t]*(?:{re.escape(settings.mark)}[ \t]*)?")
    tab_read = False
    read = rest = 0
    for cut, paragraph in _paragraphs(lines, settings):
        start, read = read, read + len(paragraph)
        if cut is None:
            line = as_read[start]
            yield (line if line.strip(" \t") else "") + ("\n" if read < len(as_read) else "")
            continue
        if tabs and not tab_read:
            ahead = next(opening.finditer(as_read[read]))[0] if read < len(as_read) else ""
            tab_read = "\t" in ahead or any("\t" in line for line in paced(islice(as_read, start, read)))
        if not paragraph[0][cut:].strip(" \t"):
            filled: Iterable[str] = [line.rstrip(" \t") for line in paced_if_many(paragraph)]
        else:
            rest = _hanging([cut + len(_indent(line[cut:])) for line in paragraph[:2]], settings, rest)
            filled = _fill(paragraph, cut, rest, settings, budget)
        for line in filled:
            yield (_with_tabs(line) if tab_read else line) + "\n"


def _write(process: Process, lines: Iterable[str]) -> None:
    """Write lines: those of a paragraph may be long, and many of them have the same long indentation."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line) + LINE
        if size > _AT_ONCE:
            process.budget.tick(len(held))
            process.write("".join(held))
            held.clear()
            size = 0
    process.write("".join(held))


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
