"""Searches one file for grep and prints its lines. A block of whole lines is searched at once, so lines without a match cost
almost nothing.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import line_blocks
from bashkit.commands._notation.locale import OCTETS
from bashkit.fs.handles import FileStream
from bashkit.limits import paced, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.commands.patterns.grep.settings import Settings
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.regex import LinePattern

_MOST = (1 << 63) - 1  # the greatest possible offset
_MANY = 4096  # pieces of a line that are joined
_AT_ONCE = 1 << 16  # matches that are joined
_SHORT = 4096  # characters beside a line, of which there is always room for a block of lines
_EXCHANGED = {0: "\n", 10: "\0"}  # while lines end with NUL


class FileSearch:
    """Searches one file.

    Args:
        process: The running utility.
        settings: The parsed options.
        pattern: What to search for; None if nothing can match.
        name: The name to print, or None for no prefix.
        shown: The name for messages.

    Attributes:
        selected: Lines selected so far.
        printed: Whether lines with context were printed, so that the next group is separated.
    """

    def __init__(self, process: Process, settings: Settings, pattern: LinePattern | None, name: str | None, shown: str) -> None:
        self._process = process
        self._settings = settings
        self._pattern = pattern
        self._colours = settings.colours
        # While lines end with NUL, that and newlines are exchanged in them, and so in what stands before them.
        records = settings.delimiter == b"\0"
        self._name = name.translate(_EXCHANGED) if records and name is not None else name
        self._null, self._newline = ("\n", "\0") if records else ("\0", "\n")
        self._beside = len(self._name or "") + len(settings.separator or "") + settings.colours.longest
        self._width = 0  # the width of line numbers and offsets; see measure()
        self._shown = shown
        self.selected = 0
        self._line = 1  # number of the line at the beginning of the block
        self._offset = 0  # its byte offset
        self._binary = False  # the file contains NUL bytes
        self._suppressed = False  # a selected line was not printed because it is not text
        self._pieces: list[str] = []  # output of the block
        self._number = self._place = self._counted = 0  # line, byte offset and position of the run printed last
        self._before: deque[tuple[int, int, str]] = deque(maxlen=max(settings.before or 0, 0))
        self._after = 0  # lines of context still to print
        self._behind = 0  # bytes that were read behind the last line that may be selected
        self._last = 0  # number of the last line printed
        self._chosen = -1  # number of the last line selected
        self.printed = False

    def continue_groups(self) -> None:
        """Note that an earlier file printed lines with context."""
        self.printed = True
        self._last = -1

    def run(self, stream: Stream) -> bool:
        """Search the stream; return whether a line was selected."""
        settings = self._settings
        if settings.most != 0:
            self._search(stream)
            if isinstance(stream, FileStream):
                stream.seek(stream.tell() - self._behind)  # it is left behind the last selected line
            else:
                stream.unread()  # what was read of a pipe is gone
        return self.finish()

    def _single_lines(self, stream: Stream, end: bytes) -> Iterator[bytes]:
        """Read one line at a time, so that input after the last wanted line stays unread; the first block is looked at before."""
        if end == b"\n" and self._settings.binary != "text":
            start = stream.tell() if isinstance(stream, FileStream) else 0
            self._inspect(block := stream.read())
            if isinstance(stream, FileStream):
                stream.seek(start)
            else:
                stream.give_back(block)
        while line := stream.read_line(end):
            if self.selected == self._settings.most:
                self._behind += len(line)
            yield line

    def finish(self) -> bool:
        """Print the summary of a file; return whether a line was selected."""
        settings = self._settings
        if settings.most is not None:
            self.selected = min(self.selected, settings.most)  # a line of a binary file may count as several
        if (self._suppressed or (self._binary and self.selected)) and settings.mode in ("lines", "matches"):
            if settings.binary == "binary":
                self._process.warn(f"{self._shown}: binary file matches")
        if settings.mode == "count":
            self._put(f"{self._head(':', tab=False)}{self.selected}{self._newline}")
        elif settings.mode == ("names" if self.selected else "names without"):
            end = "\0" if settings.null_names else "\n"
            self._process.write(self._colours.paint(self._colours.name, self._shown) + end)
        return self.selected > 0

    def _search(self, stream: Stream) -> None:
        settings, budget = self._settings, self._process.budget
        end = settings.delimiter
        source = stream.blocks() if settings.most is None else self._single_lines(stream, end)
        blocks: Iterable[bytes] = self._inspected(source)
        contextual = settings.mode in ("lines", "matches") and (settings.before is not None or settings.after is not None)
        dressed = settings.offsets or settings.colour or settings.initial_tab or settings.mode == "matches"
        detailed = dressed or settings.numbers or self._name is not None
        for block in line_blocks(blocks, budget, end):
            budget.tick(1 + (len(block) >> 6))
            if self._binary and settings.binary == "without-match":
                return
            if self._binary:
                block = block.replace(b"\0", b"\n")
            if not block.endswith(end):
                block += end
            text = block.decode(settings.encoding, "surrogateescape")
            if self._beside > _SHORT:
                budget.room(self._beside * (len(text) if settings.mode == "matches" or settings.colour else text.count("\n")))
            if end == b"\0":
                text = text.translate(_EXCHANGED)
            if contextual:
                self._with_context(text)
            else:
                self._number, self._place, self._counted = self._line, self._offset, 0
                at_once = settings.mode == "matches" and settings.most is None and not (settings.invert or self._binary)
                if at_once:
                    self._all_matches(text)
                    if settings.numbers:
                        self._line += text.count("\n")
                    self._flush()
                    self._offset += len(block)
                    continue
                simple = settings.mode in ("lines", "count") and not (dressed or self._binary or settings.most)
                if simple and self._pattern is not None and (settings.mode == "count" or text.isascii()):
                    self._whole_lines(text, self._pattern)
                    self._flush()
                    self._offset += len(block)
                    continue
                for start, stop in self._regions(text):
                    if settings.mode in ("names", "names without", "nothing"):
                        self.selected += 1
                        return
                    self.selected += text.count("\n", start, stop)
                    if settings.mode == "count":
                        continue
                    if self._binary:
                        return
                    for low, high in self._printable(text, start, stop):
                        if detailed:
                            self._detailed(text, low, high)
                        else:
                            self._pieces.append(text[low:high])
                self._line += text.count("\n")
                self._flush()
            self._offset += len(block)
            if settings.most is not None and self.selected >= settings.most:
                if not contextual or not self._after:
                    return

    @property
    def _takes_all(self) -> bool:
        """Whether lines are printed that are not text."""
        return self._settings.binary == "text" or self._settings.encoding == OCTETS

    # -- binary files ---------------------------------------------------------------------------------------------------

    def _inspected(self, blocks: Iterable[bytes]) -> Iterable[bytes]:
        """The blocks of a file, of which the first with a NUL byte tells that it is binary."""
        if self._settings.delimiter != b"\n" or self._settings.binary == "text":
            return blocks
        return map(self._inspect, blocks)

    def _inspect(self, block: bytes) -> bytes:
        self._binary = self._binary or b"\0" in block
        return block

    def _printable(self, text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """The part of a run of lines that is printed, without lines that are not text."""
        whole = self._takes_all or self._settings.mode == "matches"
        if whole or text.isascii() or not _has_undecodable(text[start:stop]):
            yield start, stop
            return
        while start < stop:
            end = text.find("\n", start) + 1
            if _has_undecodable(text[start:end]):
                self._suppressed = True
            else:
                yield start, end
            start = end

    # -- selecting ------------------------------------------------------------------------------------------------------

    def _regions(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield runs of selected lines in a block, as start and end."""
        if not self._settings.invert:
            yield from self._matching(text)
            return
        position = 0
        for start, stop in self._matching(text):
            if start > position:
                yield position, start
            position = stop
        if position < len(text):
            yield position, len(text)

    def _matching(self, text: str) -> Iterator[tuple[int, int]]:
        """The lines that match, one by one."""
        pattern = self._pattern
        if pattern is None:
            return
        search = pattern.searcher(text, exact=False)
        tick = self._process.budget.tick
        position, size = 0, len(text)
        while position < size:
            found = search(position)
            if found is None:
                return
            begin = found.start()
            if begin >= size:
                return
            start = text.rfind("\n", position, begin) + 1 or position
            position = text.find("\n", begin) + 1
            tick()
            yield start, position

    def _whole_lines(self, text: str, pattern: LinePattern) -> None:
        """Count or collect the matching lines unchanged: the common case, without a call for each line."""
        settings = self._settings
        if settings.mode == "count":
            count = pattern.count_lines(text)
            self.selected += text.count("\n") - count if settings.invert else count
            return
        found = pattern.lines(text)
        self._process.budget.tick(len(found))
        self.selected += text.count("\n") - len(found) if settings.invert else len(found)
        if settings.invert:
            ends = [0, *(end for _, end in found)]
            starts = [*(start for start, _ in found), len(text)]
            found = [(low, high) for low, high in zip(ends, starts, strict=True) if low < high]
        if settings.numbers or self._name is not None:
            self._headed(text, found)
        else:
            self._pieces += [text[start:end] for start, end in found]

    def _headed(self, text: str, regions: list[tuple[int, int]]) -> None:
        """Collect runs of lines, each line after the name of the file and its number."""
        settings = self._settings
        name = (
            self._head(":")
            if not settings.numbers
            else ""
            if self._name is None
            else self._name + (self._null if settings.null_names else ":")
        )
        number, position = self._line, 0
        for start, end in paced(regions):
            if settings.numbers:
                number += text.count("\n", position, start)
                for line in paced_if_many(text[start : end - 1].split("\n")):
                    self._pieces.append(f"{name}{number}:{line}\n")
                    number += 1
                position = end
            else:
                self._pieces.append(name + text[start : end - 1].replace("\n", f"\n{name}") + "\n")
        if settings.numbers:
            self._line += text.count("\n")

    # -- printing -------------------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        if self._pieces:
            self._put("".join(self._pieces))
            self._pieces.clear()

    def _put(self, text: str) -> None:
        if self._settings.delimiter == b"\0":
            text = text.translate(_EXCHANGED)
        self._process.write(text)

    def _head(self, mark: str, number: int | None = None, offset: int | None = None, *, tab: bool = True) -> str:
        """The prefix of a line."""
        head = ""
        settings, colours = self._settings, self._colours
        paint = colours.paint
        painted = paint(colours.mark, mark)
        if self._name is not None:
            head = paint(colours.name, self._name) + (self._null if settings.null_names else painted)
        if number is not None and settings.numbers:
            head += paint(colours.number, str(number).rjust(self._width)) + painted
        if offset is not None and settings.offsets:
            head += paint(colours.offset, str(offset).rjust(self._width)) + painted
        return head + ("\t" if tab and settings.initial_tab and head else "")

    def measure(self, size: int | None) -> None:
        """Set the width of aligned numbers (``-T``) from the size of the file; None for a file without a size."""
        if self._settings.initial_tab:
            self._width = len(str(_MOST if size is None else size + self._settings.numbers))

    def _detailed(self, text: str, start: int, stop: int) -> None:
        """Print a run of selected lines with prefixes, or the matches in them."""
        settings = self._settings
        if settings.numbers:
            self._number += text.count("\n", self._counted, start)
        if settings.offsets:
            self._place += _size(text[self._counted : start])
        self._counted = start
        number, offset = self._number, self._place
        pieces = self._pieces
        for line in text[start : stop - 1].split("\n"):
            if settings.mode == "matches":
                pieces += self._matches(line, number, offset)
            else:
                pieces.append(self._head(":", number, offset, tab=line != "") + self._highlight(line, selected=True) + "\n")
            number += 1
            if settings.offsets:
                offset += _size(line) + 1

    def _all_matches(self, text: str) -> None:
        """Print the matches of a whole block (``-o``)."""
        settings, pieces = self._settings, self._pieces
        if self._pattern is None:
            return
        tick = self._process.budget.tick
        plain = not (settings.numbers or settings.offsets or settings.colour)
        head = self._head(":") if plain else ""
        if plain and (found_texts := self._pattern.all_matches(text)) is not None:
            self.selected += len(found_texts)
            for start in range(0, len(found_texts), _AT_ONCE):
                some = found_texts[start : start + _AT_ONCE]
                tick(len(some))
                pieces.append(head + f"\n{head}".join(some) + "\n")
            return
        counted, number, place, size = 0, self._line, self._offset, len(text)
        for found in self._pattern.finditer(text):
            tick()
            start, stop = found.span()
            if start >= size:
                break
            self.selected += 1
            if stop == start:
                continue
            if plain:
                pieces.append(f"{head}{text[start:stop]}\n")
                continue
            if settings.numbers:
                number += text.count("\n", counted, start)
            if settings.offsets:
                place += _size(text[counted:start])
            counted = start
            pieces.append(
                f"{self._head(':', number, place)}{self._colours.paint(self._colours.selected_match, text[start:stop])}\n"
            )

    def _matches(self, line: str, number: int, offset: int) -> Iterator[str]:
        settings = self._settings
        if settings.invert or self._pattern is None:
            return
        for found in self._pattern.finditer(line):
            start, stop = found.span()
            self._process.budget.tick()
            if stop > start:
                place = offset + _size(line[:start]) if settings.offsets else 0
                yield f"{self._head(':', number, place)}{self._colours.paint(self._colours.selected_match, line[start:stop])}\n"

    def _highlight(self, line: str, *, selected: bool) -> str:
        settings, colours = self._settings, self._colours
        if not settings.colour:
            return line
        around = colours.selected if selected != (settings.invert and colours.swapped) else colours.context
        match = colours.selected_match if selected else colours.context_match
        done: list[str] = []
        pieces: list[str] = []
        position = 0
        if self._pattern is not None and settings.invert != selected and match:
            for found in self._pattern.finditer(line):
                start, stop = found.span()
                self._process.budget.tick()
                if stop > start:
                    pieces += (colours.start(around), line[position:start], colours.paint(match, line[start:stop]))
                    position = stop
                    if len(pieces) > _MANY:
                        done.append("".join(pieces))
                        pieces = []
        rest = line[position:]
        return "".join([*done, *pieces, colours.paint(around, rest) if rest else ""])

    def _with_context(self, text: str) -> None:
        """Print the selected lines of a block and the lines around them."""
        settings = self._settings
        chosen: set[int] = set()
        number = self._line
        position = 0
        for start, stop in self._regions(text):
            number += text.count("\n", position, start)
            count = text.count("\n", start, stop)
            chosen.update(range(number, number + count))
            number += count
            position = stop
        offset = self._offset
        lines = text[:-1].split("\n")
        for index in range(len(lines)) if settings.offsets else self._near(chosen, len(lines)):
            number, line = self._line + index, lines[index]
            self._process.budget.tick()
            full = settings.most is not None and self.selected >= settings.most
            if number in chosen and not full:
                if self._binary:
                    self.selected += 1
                else:
                    self._selected_line(number, offset, line)
            elif self._after:
                self._after -= 1
                self._print_line(number, offset, line, ":" if settings.marks_all and number in chosen else "-")
                if self._last < number:  # it is not text, and ends what is shown
                    self._after = 0
                    self._before.append((number, offset, line))
                if full and not self._after:
                    break
            elif self._before.maxlen:
                self._before.append((number, offset, line))
            offset += _size(line) + 1 if settings.offsets else 0
        self._line += text.count("\n")

    def _near(self, chosen: set[int], count: int) -> list[int]:
        """Return the lines of a block, counted from 0, that may be printed now or as context of the next block.

        Args:
            chosen: The numbers of those that are selected.
            count: The number of lines in the block.
        """
        before, after = self._before.maxlen or 0, self._settings.after or 0
        windows = [(0, self._after)]
        windows += [(number - self._line - before, number - self._line + after + 1) for number in sorted(chosen)]
        windows.append((count - before, count))
        found: list[int] = []
        seen = 0
        for low, high in windows:
            found += range(max(low, seen), min(high, count))
            seen = max(seen, min(high, count))
        return found

    def _selected_line(self, number: int, offset: int, line: str) -> None:
        settings = self._settings
        self.selected += 1
        first = self._before[0][0] if self._before else number
        goes_on = settings.invert and self._chosen == number - 1  # lines without a match are told together
        self._chosen = number
        if self.printed and first > self._last + 1 and not goes_on and settings.separator is not None:
            self._process.write(self._colours.paint(self._colours.mark, settings.separator) + "\n")  # with -z, too
        for held in self._before:
            self._print_line(*held, "-")
        self._before.clear()
        self._print_line(number, offset, line, ":")
        self._after = settings.after or 0
        if self._last < number:
            self._after = 0
            self._before.append((number, offset, line))
        self.printed = True

    def _print_line(self, number: int, offset: int, line: str, mark: str) -> None:
        """Print a line with its mark, unless it is not text."""
        if not self._takes_all and _has_undecodable(line):
            self._suppressed = True
            return
        if self._settings.mode == "matches":
            if mark == ":":
                self._put("".join(self._matches(line, number, offset)))
        else:
            self._put(f"{self._head(mark, number, offset, tab=line != '')}{self._highlight(line, selected=mark == ':')}\n")
        self._last = number


def _has_undecodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
