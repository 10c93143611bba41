"""ar: make, change and unpack archives of single files (POSIX XCU ar; GNU binutils manual, ar)."""

from __future__ import annotations

import stat as modes
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._filesystem.modes import letters
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process

_MAGIC = b"!<arch>\n"
_HEADER = 60
_END = b"`\n"
_LONGEST = 15  # characters of a name that stands in its header
_OPERATIONS = frozenset("dmpqrtx")
_WITH_ARGUMENT = frozenset("abiN")
_ABSENT = 9  # the status where an archive that is read does not exist


class _ArError(Exception):
    """The run ends with this message and status."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Member:
    """A file in an archive: its name, its metadata, and where its header begins."""

    name: str
    data: bytes
    mtime: int = 0
    uid: int = 0
    gid: int = 0
    mode: int = 0o644
    offset: int = 0


def _letters(words: list[str]) -> list[str]:
    """Rewrite ``rcv`` as options; the arguments of ``a``, ``b``, ``i`` and ``N`` are the next words."""
    if not words or words[0].startswith("--"):
        return words
    given, rest = words[0].removeprefix("-"), words[1:]
    rewritten = []
    for letter in given:
        rewritten.append(f"-{letter}")
        if letter in _WITH_ARGUMENT and rest:
            rewritten.append(rest.pop(0))
    return rewritten + rest


@command(
    "ar",
    usage="[-]{dmpqrtx}[abcDiNoOsSuUv] [MEMBER] [COUNT] ARCHIVE [FILE]...",
    summary="Create, modify, and extract from archives.",
    options=(
        flag("-d", help="delete files from the archive"),
        flag("-m", help="move files in the archive"),
        flag("-p", help="print files found in the archive"),
        flag("-q", help="quick append files to the archive"),
        flag("-r", help="replace existing or insert new files into the archive"),
        flag("-t", help="display contents of the archive"),
        flag("-x", help="extract files from the archive"),
        value("-a", metavar="MEMBER", help="put files after MEMBER"),
        value("-b", "-i", metavar="MEMBER", help="put files before MEMBER"),
        flag("-c", help="do not warn if the archive had to be created"),
        flag("-D", help="use zero for timestamps and uids/gids (default)"),
        value("-N", metavar="COUNT", help="use instance COUNT of a name"),
        flag("-o", help="preserve original dates"),
        flag("-O", help="display offsets of files in the archive"),
        flag("-s", "-S", help="(ignored: there are no symbols to index)"),
        flag("-u", help="only replace files that are newer than current archive contents"),
        flag("-U", help="use actual timestamps and uids/gids"),
        flag("-v", help="be verbose"),
    ),
    rewrite=_letters,
    model="GNU Binutils 2.40",
)
def main(process: Process, arguments: Arguments) -> int:
    """Do the operation; 1 where something is wrong."""
    chosen = {key for key, _ in arguments.given} & _OPERATIONS
    if len(chosen) > 1:
        raise UsageError("two different operation options specified")
    if not arguments.operands or (not chosen and "s" not in arguments):
        raise UsageError("no archive specified" if chosen else "no operation specified")
    try:
        return _Archive(process, arguments).run("".join(chosen))
    except _ArError as error:
        process.warn(str(error))
        return error.status


class _Archive:
    """One run."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._name, *self._words = arguments.operands
        self._members: list[_Member] = []
        count = arguments.get("N") or "1"
        if "N" in arguments and not {"x", "d"} & {key for key, _ in arguments.given}:
            raise UsageError("`N' is only meaningful with the `x' and `d' options.", hint=False)
        self._instance = clamped(count) if count.isdecimal() and clamped(count) else 1

    def run(self, operation: str) -> int:
        """Do the operation, if there is one besides indexing; return the exit status."""
        adds = operation in {"r", "q"}
        self._load(may_be_absent=adds)
        if operation in {"t", "p", "x"}:
            show = {"t": self._list, "p": self._print, "x": self._extract}[operation]
            for member in self._chosen() if operation != "t" or "s" not in self._arguments else ():
                show(member)
            return 0
        if not operation:
            return 0
        if operation == "d":
            self._delete()
        elif operation == "m":
            self._move()
        else:
            self._add(replacing=operation == "r")
        self._store()
        return 0

    # -- reading -------------------------------------------------------------------------------------------------------

    def _load(self, *, may_be_absent: bool) -> None:
        process = self._process
        path = process.path(self._name)
        if not process.fs.exists(path):
            if not may_be_absent:
                raise _ArError(f"{self._name}: No such file or directory", _ABSENT)
            return
        data = slurp(process, process.open_file(self._name))
        if not data.startswith(_MAGIC):
            raise _ArError(f"{self._name}: file format not recognized")
        self._members = list(self._parsed(data))

    def _parsed(self, data: bytes) -> Iterator[_Member]:
        """The members of an archive; tables of symbols and of names are none.

        Raises:
            _ArError: It is malformed.
        """
        position, names = len(_MAGIC), b""
        while position < len(data):
            self._process.budget.tick(20)
            head = data[position : position + _HEADER]
            name = head[:16].rstrip(b" ")
            try:
                if head[58:] != _END:
                    raise ValueError(head)
                size = int(head[48:58])
                mtime, uid, gid = (int(head[start:end].strip() or b"0") for start, end in ((16, 28), (28, 34), (34, 40)))
                mode = int(head[40:48].strip() or b"0", 8)
                if min(size, mtime, uid, gid, mode) < 0:
                    raise ValueError(head)
            except ValueError:
                raise _ArError(f"{self._name}: malformed archive") from None
            start = position + _HEADER
            body = data[start : start + size]
            if name == b"//":
                names = body
            elif name not in {b"/", b"/SYM64/", b"__.SYMDEF"}:
                if name.startswith(b"#1/") and name[3:].isdigit():
                    length = int(name[3:])
                    name, body = body[:length].rstrip(b"\0"), body[length:]
                elif name[:1] == b"/" and name[1:].isdigit():
                    name = names[int(name[1:]) :].partition(b"\n")[0]
                text = name.removesuffix(b"/").decode("utf-8", "surrogateescape")
                yield _Member(text, body, mtime, uid, gid, mode, position)
            position = start + size + size % 2

    def _chosen(self) -> Iterator[_Member]:
        """The members that the command line names, in its order, each for one word; all where it names none."""
        if not self._words:
            yield from self._members
        taken: Counter[str] = Counter()
        for word in self._words:
            name = _base(word)
            index = self._index(name, taken[name])
            if index is None:
                self._process.say(f"no entry {word} in archive\n")
            else:
                taken[name] += 1
                yield self._members[index]

    def _list(self, member: _Member) -> None:
        line = member.name
        if "v" in self._arguments:
            zone = self._process.system.timezone(self._process.env.get("TZ", ""))
            when = strftime("%b %e %H:%M %Y", Moment.of(member.mtime, zone))
            mode = letters("file", member.mode & 0o7777)[1:]
            line = f"{mode} {member.uid}/{member.gid} {len(member.data):6} {when} {line}"
        self._process.write(f"{line} 0x{member.offset + _HEADER:x}\n" if "O" in self._arguments else f"{line}\n")

    def _print(self, member: _Member) -> None:
        if "v" in self._arguments:
            self._process.write(f"\n<{member.name}>\n\n")
        self._process.stdout.write(member.data)

    def _extract(self, member: _Member) -> None:
        fs, name = self._process.fs, member.name
        if "/" in name or name in {".", ".."}:
            name = _base(name)
            self._process.warn(f"illegal output pathname for archive member: {member.name}, using '{name}' instead")
        if name in {"", ".", ".."}:
            return
        self._tell("x", name)
        path = self._process.path(name)
        if self._is_link(path):
            fs.unlink(path)
        fs.write_file(path, member.data, member.mode & 0o7777 & ~self._process.umask)
        fs.chmod(path, member.mode & 0o7777 & ~self._process.umask)
        if "o" in self._arguments:
            fs.utime(path, None, float(member.mtime))

    def _is_link(self, path: str) -> bool:
        try:
            return self._process.fs.stat(path, follow=False).type == "symlink"
        except OSError:
            return False

    # -- changing ------------------------------------------------------------------------------------------------------

    def _delete(self) -> None:
        for word in self._words:
            index = self._index(_base(word))
            if index is None:
                if "v" in self._arguments:
                    self._process.write(f"No member named `{word}'\n")
                continue
            del self._members[index]
            self._tell("d", word)

    def _move(self) -> None:
        moved = []
        for word in self._words:
            index = self._index(_base(word))
            if index is None:
                raise _ArError(f"no entry {word} in archive {self._name}!")
            moved.append(self._members.pop(index))
            self._tell("m", word)
        place = self._place()
        self._members[place:place] = moved

    def _add(self, *, replacing: bool) -> None:
        arguments = self._arguments
        if "u" in arguments and "U" not in arguments:
            self._process.warn("`u' modifier ignored since `D' is the default (see `U')")
        added = [(word, self._member(word)) for word in self._words]
        if not self._process.fs.exists(self._process.path(self._name)) and "c" not in arguments:
            self._process.warn(f"creating {self._name}")
        place = self._place()
        new = []
        for word, member in added:
            index = self._index(member.name) if replacing else None
            if index is None:
                new.append(member)
                self._tell("a", word)
            elif "u" not in arguments or "U" not in arguments or member.mtime > self._members[index].mtime:
                self._members[index] = member
                self._tell("r", word)
        self._members[place:place] = new

    def _member(self, word: str) -> _Member:
        """A file as a member."""
        process = self._process
        try:
            stat = process.fs.stat(process.path(word))
            if stat.type != "file":
                raise _ArError(f"{word}: file format not recognized")
            data = slurp(process, process.open_file(word))
        except OSError as error:
            raise _ArError(f"{word}: {error.strerror}") from None
        member = _Member(_base(word), data)
        if "U" not in self._arguments:
            return member
        return replace(member, mtime=int(stat.mtime), uid=stat.uid, gid=stat.gid, mode=modes.S_IFREG | stat.mode)

    def _place(self) -> int:
        """Where new members go: behind the others, unless ``a`` or ``b`` says otherwise."""
        key = self._arguments.last("a", "b")
        if key is None:
            return len(self._members)
        index = self._index(_base(self._arguments.get(key) or ""))
        return len(self._members) if index is None else index + (key == "a")

    def _index(self, name: str, taken: int = 0) -> int | None:
        """Where a member of that name is; where there are several, the first behind those taken or the one that ``N`` says."""
        self._process.budget.tick(1 + len(self._members) // 8)
        found = (index for index, member in enumerate(self._members) if member.name == name)
        return next(islice(found, self._instance - 1 + taken, None), None)

    def _tell(self, letter: str, name: str) -> None:
        if "v" in self._arguments:
            self._process.write(f"{letter} - {name}\n")

    def _store(self) -> None:
        """Write the archive."""
        names, pieces = bytearray(), []
        for member in self._members:
            name = member.name.encode("utf-8", "surrogateescape")
            field = name + b"/"
            if len(name) > _LONGEST:
                field = b"/%d" % len(names)
                names += name + b"/\n"
            fields = f"{member.mtime:<12}{member.uid:<6}{member.gid:<6}{member.mode:<8o}{len(member.data):<10}"
            pieces += [field.ljust(16) + fields.encode() + _END, member.data, b"\n" * (len(member.data) % 2)]
        if names:
            names += b"\n" * (len(names) % 2)
            pieces.insert(0, b"//".ljust(48) + b"%-10d" % len(names) + _END + names)
        self._process.budget.string(sum(map(len, pieces)))
        output = self._process.create(self._name)
        output.write(b"".join([_MAGIC, *pieces]))
        self._process.close(output)


def _base(name: str) -> str:
    return name.rpartition("/")[2]
