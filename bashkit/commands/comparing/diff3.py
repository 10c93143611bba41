"""diff3: compare three files, and merge the changes of two (GNU diffutils manual, Invoking diff3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, slurp, whole_lines
from bashkit.commands.comparing.diff.edits import changes
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.commands.comparing.diff.edits import Change
    from bashkit.interp.utility.process import Process

_MINE, _OLD, _YOURS = range(3)
_ALL = 3  # instead of the one file that differs
_MIDDLE = b"=======\n"
_HORIZON = 100  # common lines at the end that changes may move into
_PROBE = 4096  # bytes in which a NUL marks a file as binary
_LABELLED = frozenset("AE")  # options whose results have labels
_KINDS = {  # what the scripts of an option change, and what of it stands between marks
    "A": ({_OLD, _YOURS, _ALL}, {_OLD, _ALL}),
    "E": ({_YOURS, _ALL}, {_ALL}),
    "e": ({_YOURS, _ALL}, set()),
    "x": ({_ALL}, set()),
    "X": ({_ALL}, set()),
    "3": ({_YOURS}, set()),
}


@dataclass(frozen=True, slots=True)
class _Block:
    """A difference: which file is the other one, or all, and the lines of each file, counted from 0."""

    odd: int
    spans: tuple[tuple[int, int], tuple[int, int], tuple[int, int]]


@command(
    "diff3",
    usage="[OPTION]... MYFILE OLDFILE YOURFILE",
    summary="Compare three files line by line.",
    options=(
        flag("-A", "--show-all", help="output all changes, bracketing conflicts"),
        flag("-e", "--ed", help="output ed script incorporating changes from OLDFILE to YOURFILE into MYFILE"),
        flag("-E", "--show-overlap", help="like -e, but bracket conflicts"),
        flag("-3", "--easy-only", help="like -e, but incorporate only nonoverlapping changes"),
        flag("-x", "--overlap-only", help="like -e, but incorporate only overlapping changes"),
        flag("-X", help="like -x"),
        flag("-i", help="append 'w' and 'q' commands to ed scripts"),
        flag("-m", "--merge", help="output actual merged file, according to -A if no other options are given"),
        flag("-a", "--text", help="treat all files as text"),
        flag("--strip-trailing-cr", help="strip trailing carriage return on input"),
        flag("-T", "--initial-tab", help="make tabs line up by prepending a tab"),
        value("-L", "--label", metavar="LABEL", help="use LABEL instead of file name (can be repeated up to three times)"),
        version_flag("-v"),
    ),
    usage_status=2,
    model="GNU diffutils 3.8",
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the differences, a script or the merged file; 1 for conflicts, 2 for trouble."""
    how = [key for key, _ in arguments.given if key in _KINDS]
    labels = arguments.all("L")
    if len(labels) > 3:
        raise UsageError("too many file label options")
    merged = "m" in arguments
    if len({*how}) > 1 or (merged and "i" in arguments) or (labels and (not {*how} <= _LABELLED or not (how or merged))):
        raise UsageError("incompatible options")
    operands = arguments.operands
    if len(operands) < 3:
        raise UsageError(f"missing operand after '{operands[-1] if operands else process.name}'")
    if len(operands) > 3:
        raise UsageError(f"extra operand '{operands[3]}'")
    try:
        return _Comparison(process, arguments, [*labels, *operands[len(labels) :]]).run(how[0] if how else "")
    except OSError as error:
        process.warn(f"{error.filename}: {error.strerror}")
        return 2


class _Comparison:
    """Three files and their differences."""

    def __init__(self, process: Process, arguments: Arguments, labels: list[str]) -> None:
        self._process = process
        self._arguments = arguments
        self._labels = [label.encode("utf-8", "surrogateescape") for label in labels]
        self._lines: list[list[bytes]] = [[], [], []]
        self._trouble = False

    def run(self, how: str) -> int:
        """Do what the option says; return the exit status."""
        self._read()
        merging = "m" in self._arguments
        if self._trouble:
            return 2
        if not merging and not how:
            for block in self._blocks(_YOURS):
                self._show(block)
            return 0
        blocks = self._blocks(_OLD)
        if merging:
            return self._merge(blocks, how or "A")
        return self._script(blocks, how)

    def _read(self) -> None:
        """Read the files; one that is binary is compared as a whole, which only says whether it is another one."""
        names = self._arguments.operands
        contents = {}
        for index in (_OLD, _MINE, _YOURS):
            stream = self._process.open(names[index])
            try:
                contents[index] = data = slurp(self._process, stream)
            except OSError as error:
                error.filename = names[index]
                raise
            self._process.close(stream)
            if "strip-trailing-cr" in self._arguments:
                data = data.replace(b"\r\n", b"\n")
            self._process.hold(len(data) + LINE * (data.count(b"\n") + 1))
            self._lines[index] = whole_lines(data, self._process.budget)
        for one, other in ((_MINE, _YOURS), (_OLD, _YOURS)):
            pair = contents[one], contents[other]
            if "a" not in self._arguments and pair[0] != pair[1] and any(b"\0" in data[:_PROBE] for data in pair):
                self._process.warn(f"diff failed: Binary files {names[one]} and {names[other]} differ")
                self._trouble = True
                return

    # -- the differences -----------------------------------------------------------------------------------------------

    def _blocks(self, common: int) -> list[_Block]:
        """The differences in order; where those of two files to the common one meet, they are one."""
        others = [index for index in range(3) if index != common]
        found = [changes(self._lines[index], self._lines[common], self._process.budget, _HORIZON) for index in others]
        positions, shifts = [0, 0], [0, 0]
        blocks = []
        while any(positions[side] < len(found[side]) for side in (0, 1)):
            self._process.budget.tick()
            start, end = self._extent(found, positions)
            spans = {common: (start, end)}
            changed = [False, False]
            for side, index in enumerate(others):
                before = shifts[side]
                while positions[side] < len(found[side]) and found[side][positions[side]].new_start <= end:
                    change = found[side][positions[side]]
                    shifts[side] = change.old_end - change.new_end
                    positions[side] += 1
                    changed[side] = True
                spans[index] = (start + before, end + shifts[side])
            blocks.append(self._block(spans, common, others, changed))
        return blocks

    @staticmethod
    def _extent(found: list[list[Change]], positions: list[int]) -> tuple[int, int]:
        """The lines of the common file in the next difference."""
        ahead = list(positions)
        nearest = [found[side][ahead[side]] for side in (0, 1) if ahead[side] < len(found[side])]
        start = min(change.new_start for change in nearest)
        end = min((change for change in nearest if change.new_start == start), key=lambda change: change.new_end).new_end
        grown = True
        while grown:
            grown = False
            for side in (0, 1):
                while ahead[side] < len(found[side]) and found[side][ahead[side]].new_start <= end:
                    end = max(end, found[side][ahead[side]].new_end)
                    ahead[side] += 1
                    grown = True
        return start, end

    def _block(self, spans: dict[int, tuple[int, int]], common: int, others: list[int], changed: list[bool]) -> _Block:
        if all(changed):
            first, second = (self._lines[index][slice(*spans[index])] for index in others)
            odd = common if first == second else _ALL
        else:
            odd = others[changed.index(True)]
        return _Block(odd, (spans[0], spans[1], spans[2]))

    # -- the plain form ------------------------------------------------------------------------------------------------

    def _show(self, block: _Block) -> None:
        write = self._process.stdout.write
        write(b"====\n" if block.odd == _ALL else b"====%d\n" % (block.odd + 1))
        order = (_MINE, _YOURS, _OLD) if block.odd == _OLD else (_MINE, _OLD, _YOURS)
        silent = {_MINE: _OLD, _OLD: _MINE, _YOURS: _MINE}.get(block.odd)  # its lines are those of the next file
        indent = b"\t" if "T" in self._arguments else b"  "
        for index in order:
            start, end = block.spans[index]
            places = f"{start}a" if start == end else f"{start + 1}c" if end == start + 1 else f"{start + 1},{end}c"
            write(f"{index + 1}:{places}\n".encode())
            if index == silent:
                continue
            for line in self._lines[index][start:end]:
                self._process.budget.tick()
                write(indent + line + (b"" if line.endswith(b"\n") else b"\n\\ No newline at end of file\n"))

    # -- merging -------------------------------------------------------------------------------------------------------

    def _merge(self, blocks: list[_Block], how: str) -> int:
        """Write the merged file."""
        write, mine = self._write, self._lines[_MINE]
        taken, bracketed = _KINDS[how]
        position, conflicts = 0, False
        for block in blocks:
            if block.odd not in taken:
                continue
            start, end = block.spans[_MINE]
            write(mine[position:start])
            write(self._conflict(block, how) if block.odd in bracketed else self._lines[_YOURS][slice(*block.spans[_YOURS])])
            conflicts |= block.odd in bracketed
            position = end
        write(mine[position:])
        return int(conflicts)

    def _write(self, lines: list[bytes]) -> None:
        self._process.budget.tick(1 + len(lines) // 8)
        self._process.stdout.write(b"".join(lines))

    def _conflict(self, block: _Block, how: str) -> list[bytes]:
        """The lines of a conflict between marks."""
        before, after = self._around(block, how)
        return [*before, *self._lines[_MINE][slice(*block.spans[_MINE])], *after]

    def _around(self, block: _Block, how: str) -> tuple[list[bytes], list[bytes]]:
        """What stands before and behind the lines of mine in a conflict."""
        end = self._mark(b">>>>>>>", _YOURS)
        old = self._lines[_OLD][slice(*block.spans[_OLD])]
        if block.odd == _OLD:
            return [self._mark(b"<<<<<<<", _OLD), *old, _MIDDLE], [end]
        shown = [self._mark(b"|||||||", _OLD), *old] if how == "A" else []
        return [self._mark(b"<<<<<<<", _MINE)], [*shown, _MIDDLE, *self._lines[_YOURS][slice(*block.spans[_YOURS])], end]

    def _mark(self, mark: bytes, index: int) -> bytes:
        return mark + b" " + self._labels[index] + b"\n"

    # -- scripts for ed ------------------------------------------------------------------------------------------------

    def _script(self, blocks: list[_Block], how: str) -> int:
        """Write the commands that change mine, the last place first."""
        taken, bracketed = _KINDS[how]
        conflicts = False
        for block in reversed(blocks):
            if block.odd not in taken:
                continue
            start, end = block.spans[_MINE]
            if block.odd not in bracketed:
                places = f"{start + 1}" if end == start + 1 else f"{start + 1},{end}"
                lines = self._lines[_YOURS][slice(*block.spans[_YOURS])]
                self._command(f"{start}a" if start == end else f"{places}{'c' if lines else 'd'}", lines)
                continue
            conflicts = True
            before, after = self._around(block, how)
            self._command(f"{end}a", after)
            self._command(f"{start}a", before)
        if "i" in self._arguments:
            self._process.write("w\nq\n")
        return int(conflicts)

    def _command(self, text: str, lines: list[bytes]) -> None:
        """Write a command of ed; dots at the beginning of its lines are doubled, because one alone would end them."""
        self._process.write(text + "\n")
        if not lines:
            return
        doubled = any(line.startswith(b".") for line in lines)
        if not lines[-1].endswith(b"\n"):
            self._process.warn("No newline at end of file")
        ended = [line if line.endswith(b"\n") else line + b"\n" for line in lines]
        self._write([b"." + line if line.startswith(b".") else line for line in ended])
        self._process.write(".\n")
        if doubled:
            start = int(text.rstrip("ac").partition(",")[0]) + text.endswith("a")
            places = f"{start},{start + len(lines) - 1}" if len(lines) > 1 else f"{start}"
            self._process.write(f"{places}s/^\\.//\n")
