"""zip: package and compress files (zip(1), Info-ZIP)."""

from __future__ import annotations

import io
import math
import re
import zipfile
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import read_names, slurp
from bashkit.commands._filesystem.trees import walk
from bashkit.commands.archives._zipline import OPTIONS, complaint, expand
from bashkit.commands.archives._zipped import (
    Archive,
    BadArchiveError,
    DamagedError,
    PasswordError,
    content,
    describe,
    encrypt,
    load,
    looks_like_text,
    modified,
    pack,
    packed_content,
    padded,
    saved,
    write,
    zone_of,
)
from bashkit.fs import Stat
from bashkit.interp.utility.command import Arguments, UsageError, command
from bashkit.limits import paced
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from datetime import tzinfo

    from bashkit.interp.utility.process import Process


_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_SEEKING = frozenset("@dfruz")  # options with which an archive alone says what is to be done
_LONGEST_COMMENT = 65535
_NOTHING, _MISSING, _NO_OPEN, _USAGE, _BAD_FORMAT, _INVALID = 12, 13, 18, 16, 3, 8


class _Fatal(Exception):  # noqa: N818 - ends the run with zip's own form of message
    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def _refuse(process: Process, error: UsageError) -> None:
    process.write(f"\nzip error: Invalid command arguments ({complaint(error)})\n")


@command(
    "zip",
    usage="[OPTION]... ZIPFILE [FILE]... [-xi LIST]",
    summary="Package and compress FILEs into ZIPFILE; - is standard output or input.",
    options=OPTIONS,
    usage_status=_USAGE,
    rewrite=expand,
    refuse=_refuse,
    model="Zip 3.0",
)
def main(process: Process, arguments: Arguments) -> int:
    """Make or change the archive; 12 if there is nothing to do, 18 if a file cannot be read."""
    selects = "x" in arguments or "i" in arguments
    if not arguments.operands and not selects:
        arguments.operands = ["-", "-"]
    if sum(key == "F" for key, _ in arguments.given) > 1:
        raise UsageError("-FF: parts of a damaged archive cannot be salvaged", hint=False)
    try:
        if "FS" in arguments and any(key in arguments for key in "dfu"):
            raise _Fatal("Invalid command arguments (can't use -d, -f, -u, -U, or -g with filesync -FS\n)", _USAGE)
        if "e" in arguments:
            raise _Fatal("Invalid command arguments (stderr is not a tty)", _USAGE)
        if sum(key in {"d", "f", "u"} for key, _ in arguments.given) > 1:
            raise _Fatal("Invalid command arguments (specify just one action)", _USAGE)
        if "r" in arguments and "R" in arguments:
            raise _Fatal("Invalid command arguments (do not specify both -r and -R)", _USAGE)
        if not arguments.operands or ("R" in arguments and len(arguments.operands) == 1):
            raise _Fatal("Invalid command arguments (nothing to select from)", _USAGE)
        return _Zip(process, arguments).run()
    except _Fatal as end:
        text = f"\nzip error: {end}\n"
        if arguments.operands[:1] == ["-"]:
            process.say(text)
        else:
            process.write(text)
        return end.status


def _date(arguments: Arguments, key: str, zone: tzinfo) -> float | None:
    """The time that ``-t`` or ``-tt`` names: the beginning of a day.

    Raises:
        _Fatal: It names none.
    """
    text = arguments.get(key)
    if text is None:
        return None
    found = _DATE.fullmatch(re.sub(r"(\d\d)(\d\d)(\d{4})", r"\3-\1-\2", text, flags=re.ASCII))
    year, month, day = map(int, found.groups()) if found is not None else (0, 0, 0)
    if not (year and 1 <= month <= 12 and 1 <= day <= 31):
        text = f"invalid date entered for -{key} option - use mmddyyyy or yyyy-mm-dd"
        raise _Fatal(f"Invalid command arguments ({text})", _USAGE)
    return (datetime(year, month, 1, tzinfo=zone) + timedelta(days=day - 1)).timestamp()


def _size(size: int) -> str:
    """A size in at most four characters, as zip writes it: ``999``, ``0.9K``, ``12K``."""
    amount, letters = float(size), iter("KMGT")
    unit = ""
    while amount >= 1000:
        amount /= 1024
        unit = next(letters)
    return f"{math.floor(amount * 10) / 10}{unit}" if unit and amount < 10 else f"{math.floor(amount)}{unit}"


def _is_end(pattern: str, name: str) -> bool:
    """Whether a pattern of ``-R`` matches the last parts of a name, as many as it has itself."""
    parts = name.split("/")[-1 - pattern.count("/") :]
    return compile_glob(pattern).matches("/".join(parts))


class _Zip:
    """One run of zip."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._zone = zone_of(process)
        self._name = self._archive_name(arguments.operands[0])
        self._level = int(arguments.last(*"0123456789") or "6")
        self._excluded = [compile_glob(pattern) for pattern in arguments.all("x")]
        self._included = [compile_glob(pattern) for pattern in arguments.all("i")]
        self._from, self._before = _date(arguments, "t", self._zone), _date(arguments, "tt", self._zone)
        self._members: dict[str, tuple[zipfile.ZipInfo, bytes]] = {}
        self._found: dict[str, tuple[str, Stat]] = {}
        self._repeated: set[tuple[str, str, str]] = set()  # names in the archive that several files would have
        self._moved: list[str] = []
        self._read: list[int] = []  # the sizes of the files that were read, and of those that could not be
        self._skipped: list[int] = []
        self._unread = False
        path = process.path(self._name)
        self._own = process.fs.stat(path).ino if self._name != "-" and process.fs.exists(path) else 0
        self._password = (arguments.get("P") or "").encode("utf-8", "surrogateescape")
        self._stored_as_is = tuple(filter(None, re.split("[:;]", arguments.get("n") or "")))
        self._comment = b""
        self._put_names: set[str] = set()
        self._changed = False

    @staticmethod
    def _archive_name(name: str) -> str:
        return name if name == "-" or "." in name.rpartition("/")[2] else name + ".zip"

    def run(self) -> int:
        """Run zip and return the exit status."""
        process, arguments = self._process, self._arguments
        if "F" in arguments:
            return self._fix()
        self._load()
        if "A" in arguments and self._members:
            self._say("Zip entry offsets do not need adjusting\n")
            return 0
        if "T" in arguments and len(arguments.operands) == 1:
            self._test(load(process, self._name))
            return 0
        if "sf" in arguments and len(arguments.operands) == 1:
            self._list("Archive contains:", [(name, entry.file_size) for name, (entry, _) in self._members.items()])
            return 0
        names = arguments.operands[1:]
        if "@" in arguments:
            names += filter(None, read_names(process, process.stdin))
        if len(arguments.operands) == 1 and "o" in arguments and not _SEEKING & {key for key, _ in arguments.given}:
            return self._only_age()
        if "d" in arguments:
            chosen = self._chosen(names)
            if "sf" in arguments:
                self._list("Would Delete:", [(name, self._members[name][0].file_size) for name in chosen])
                return 0
            self._remove(chosen)
        else:
            self._scan(names)
            if "FS" in arguments and self._found:
                self._remove([name for name in paced(self._members) if name not in self._found])
            known = [name for name in paced(self._members) if name in self._found]
            for name in paced([*known, *(name for name in paced(self._found) if name not in self._members)]):
                self._add(name, *self._found[name])
        if "sf" in arguments:
            added = [(name, entry.file_size) for name, (entry, _) in self._members.items() if name in self._put_names]
            self._list("Would Add/Update:", added)
            return 0
        if "z" in arguments and self._members:
            self._ask_comment()
        if self._skipped:
            self._say_skipped()
        if not self._changed and not self._skipped:
            if self._unread:
                return _NO_OPEN
            if self._included and not self._members:
                self._say("\tzip warning: zip file empty\n")
                self._store()
                return 0
            if self._refreshes:
                return _NOTHING
            if self._found:
                self._say("Archive is current\n")
                return 0
            raise _Fatal(f"Nothing to do! ({self._advice(names)})", _NOTHING)
        if "v" in arguments:
            packed = sum(entry.compress_size for entry, _ in self._members.values())
            plain = sum(entry.file_size for entry, _ in self._members.values())
            self._put_text(f"total bytes={plain}, compressed={packed} -> {saved(plain, packed)}% savings\n")
        self._store()
        for name in sorted(self._moved, key=len, reverse=True):
            self._delete_file(name)
        return _NO_OPEN if self._unread else 0

    def _scan(self, names: list[str]) -> None:
        """Find the files that are named; what is missing is said before anything is added.

        Raises:
            _Fatal: Two of them would have the same name in the archive.
        """
        if "R" in self._arguments:
            for name, stat in self._tree(".")[1:]:
                if any(_is_end(pattern, name + "/" * (stat.type == "directory")) for pattern in names):
                    self._file(name, stat)
        else:
            given = [file for name in names for file in self._named(name)]
            for name in given if names else [name for name in self._members if self._refreshes]:
                self._operand(name)
        if self._repeated:
            stored, first, second = min(self._repeated)
            self._say(f"\tzip warning:   first full name: {first}\n{' ' * 22}second full name: {second}\n")
            self._say(f"{' ' * 21}name in zip file repeated: {stored}\n")
            if "j" in self._arguments:
                self._say(f"{' ' * 21}this may be a result of using -j\n")
            raise _Fatal("Invalid command arguments (cannot repeat names in zip file)", _USAGE)

    def _delete_file(self, name: str) -> None:
        """Remove what has been moved into the archive; a directory only if it is empty."""
        path, fs = self._process.path(name), self._process.fs
        try:
            if fs.stat(path, follow=False).type != "directory":
                fs.unlink(path)
            elif not fs.listdir(path):
                fs.rmdir(path)
        except OSError:
            self._warn(f"error deleting {name}\n")

    @property
    def _refreshes(self) -> bool:
        return "u" in self._arguments or "f" in self._arguments

    def _list(self, title: str, files: list[tuple[str, int]]) -> None:
        """``-sf``: names and the sum of their sizes."""
        self._say("".join([f"{title}\n", *(f"  {name}\n" for name, _ in files)]))
        self._put_text(f"Total {len(files)} entries ({sum(size for _, size in files)} bytes)\n")

    def _ask_comment(self) -> None:
        if self._comment:
            self._say(f"current zip file comment is:\n{self._comment.decode('utf-8', 'surrogateescape')}\n")
        self._say("enter new zip file comment (end with .):\n")
        lines: list[bytes] = []
        while (line := self._process.stdin.read_line()) and line.rstrip(b"\n") != b".":
            lines.append(line.rstrip(b"\n"))
            self._process.budget.string(sum(map(len, lines[-1:])))
        self._comment = b"\r\n".join(lines)[:_LONGEST_COMMENT]
        self._changed = True

    def _fix(self) -> int:
        """``-F``: rewrite an archive with a readable list of contents."""
        target = self._arguments.get("O")
        if target is None:
            self._warn(
                "fix options -F and -FF require --out:\n                     zip -F indamagedarchive --out outfixedarchive\n"
            )
            raise _Fatal("Invalid command arguments (fix options require --out)", _USAGE)
        self._say("Fix archive (-F) - assume mostly intact archive\n")
        self._load()
        self._say("Zip entry offsets do not need adjusting\n")
        for name in self._members:
            self._say(f" copying: {name}\n")
        self._name = self._archive_name(target)
        self._store()
        return 0

    def _load(self) -> None:
        process = self._process
        if self._name == "-" or not process.fs.exists(process.path(self._name)):
            if self._refreshes or "d" in self._arguments or "g" in self._arguments:
                self._say(f"\tzip warning: {self._name} not found or empty\n")
            if "d" in self._arguments or ("T" in self._arguments and len(self._arguments.operands) == 1):
                raise _Fatal(f"Nothing to do! ({self._name})", _NOTHING)
            return
        try:
            archive = load(process, self._name)
            self._comment = archive.comment
            for entry in archive.infolist():
                self._members[entry.filename] = entry, packed_content(archive, entry, process.budget)
        except BadArchiveError:
            if "F" in self._arguments:
                self._warn("bad archive - missing end signature\n")
                self._warn("(If downloaded, was binary mode used?  If not, the\n")
                self._warn(" archive may be scrambled and not recoverable)\n")
                self._warn("Can't use -F to fix (try -FF)\n")
                raise _Fatal(f"Zip file structure invalid ({self._name})", _BAD_FORMAT) from None
            self._warn("missing end signature--probably not a zip file (did you\n")
            self._warn("remember to use binary mode when you transferred it?)\n")
            raise _Fatal(f"Zip file structure invalid ({self._name})", _BAD_FORMAT) from None

    def _chosen(self, patterns: list[str]) -> list[str]:
        """The members that patterns match, which are to be deleted; what matches none is said."""
        chosen: set[str] = set()
        for pattern in patterns:
            matcher = compile_glob(pattern)
            found = [
                name
                for name in self._members
                if self._is_wanted(name)
                and not self._is_outside(modified(self._members[name][0], self._zone))
                and (name == pattern or matcher.matches(name) or matcher.matches(name.rstrip("/")))
            ]
            if not found:
                self._warn(f"name not matched: {pattern}\n")
            chosen.update(found)
        return [name for name in paced(self._members) if name in chosen]

    def _remove(self, names: list[str]) -> None:
        for name in paced(names):
            del self._members[name]
            self._say(f"deleting: {name}\n")
            self._changed = True

    def _operand(self, name: str) -> None:
        process = self._process
        if name == "-":
            now = process.system.now()
            self._found["-"] = "-", Stat("file", 0o600, 0, 0, 0, 0, 1, now, now, now)
            return
        try:
            found = self._tree(name) if "r" in self._arguments else [(name, process.fs.stat(process.path(name), follow=False))]
        except OSError:
            self._warn(f"name not matched: {name}\n")
            return
        for child, stat in found:
            self._file(child, stat)

    def _tree(self, name: str) -> list[tuple[str, Stat]]:
        """A file, or a directory and all that is below it; links to directories are entered unless they are stored as links."""
        found = walk(self._process, name.rstrip("/") or "/", follow="y" not in self._arguments)
        return [(child.removeprefix("./"), stat) for child, stat in found] if name in {".", "./"} else list(found)

    def _file(self, name: str, stat: Stat) -> None:
        """Find a file to be added."""
        process, arguments = self._process, self._arguments
        path = process.path(name)
        whole = re.sub(r"^(\.?/)+", "", name)
        stored = name.rpartition("/")[2] if "j" in arguments else whole
        if stat.type == "symlink" and "y" not in arguments:
            try:
                stat = process.fs.stat(path)
            except OSError:
                self._miss(name)
                return
        if stat.type == "directory":
            if "j" in arguments or "D" in arguments or stored in {"", "."}:
                return
            stored, whole = stored.rstrip("/") + "/", whole.rstrip("/") + "/"
        elif stat.ino == self._own:
            return
        elif stat.type not in {"file", "symlink"}:
            shown = re.sub(r"^(\./+)+", "", name)
            what = f"FIFO (Named Pipe) - use -FI to read: {shown}" if stat.type == "fifo" else f"special file: {shown}"
            self._say(f"\tzip warning: ignoring {what}\n")
            return
        if not self._is_wanted(whole):
            return
        if self._is_outside(stat.mtime):
            return
        first = self._found.setdefault(stored, (name, stat))[0]
        if stored in self._members:
            self._found[stored] = name, stat
        elif first != name:
            one, other = sorted(each.rstrip("/") + "/" if stat.type == "directory" else each for each in (first, name))
            self._repeated.add((stored, one, other))

    def _is_outside(self, time: float) -> bool:
        """Whether ``-t`` or ``-tt`` leaves out what has been changed at a time."""
        return (self._from is not None and time < self._from) or (self._before is not None and time >= self._before)

    def _is_wanted(self, name: str) -> bool:
        """Whether ``-x`` and ``-i`` let a name through."""
        if any(matcher.matches(name) for matcher in self._excluded):
            return False
        return not self._included or any(matcher.matches(name) for matcher in self._included)

    def _add(self, stored: str, name: str, stat: Stat) -> None:
        process, arguments = self._process, self._arguments
        old = self._members.get(stored)
        if "f" in arguments and old is None:
            return
        if self._refreshes and old and modified(old[0], self._zone) >= int(stat.mtime // 1):
            return
        if "FS" in arguments and old and self._is_current(old[0], stat):
            return
        data = b""
        path = process.path(name)
        if stat.type == "symlink":
            data = process.fs.readlink(path).encode("utf-8", "surrogateescape")
        elif stat.type == "file":
            try:
                data = slurp(process, process.open(name))
            except OSError as error:
                self._miss_content(stored, stat, error)
                return
            stat = stat._replace(size=len(data))
        self._read.append(len(data))
        self._put(stored, stat, data)
        if "m" in arguments:
            self._moved.append(name)

    def _miss_content(self, stored: str, stat: Stat, error: OSError) -> None:
        """Go on without a file that cannot be read; what the archive has of it stays."""
        known = stored in self._members
        self._unread = True
        self._process.say(f"{stored if known else 'zip warning'}: {error.strerror}\n")
        self._say(f"{self._doing(known=known)} {stored}\n\tzip warning: could not open for reading: {stored}\n")
        if known:
            self._say(f"\tzip warning: will just copy entry over: {stored}\n")
        else:
            self._skipped.append(stat.size)

    def _say_skipped(self) -> None:
        self._say(
            "\nzip warning: Not all files were readable\n"
            f"  files/entries read:  {len(self._read)} ({_size(sum(self._read))} bytes)"
            f"  skipped:  {len(self._skipped)} ({_size(sum(self._skipped))} bytes)\n"
        )
        if not self._members:
            self._say("\tzip warning: zip file empty\n")

    def _doing(self, *, known: bool) -> str:
        return "  adding:" if not known else "freshening:" if "f" in self._arguments else "updating:"

    def _is_current(self, entry: zipfile.ZipInfo, stat: Stat) -> bool:
        """Whether a member need not be replaced by a file (``-FS``)."""
        return modified(entry, self._zone) == int(stat.mtime // 1) and (entry.is_dir() or entry.file_size == stat.size)

    def _put(self, name: str, stat: Stat, data: bytes) -> None:
        known = name in self._members
        self._put_names.add(name)
        level = 0 if self._stored_as_is and name.endswith(self._stored_as_is) else self._level
        entry = describe(name, stat, level, self._zone, extra="X" not in self._arguments)
        warning = ""
        if looks_like_text(data):
            entry.internal_attr = int(entry.compress_type != zipfile.ZIP_STORED)
            if "l" in self._arguments:
                data = data.replace(b"\n", b"\r\n")
            elif "ll" in self._arguments:
                data = data.replace(b"\r\n", b"\n")
        elif data and (key := self._arguments.last("l", "ll")):
            warning = f"\n\tzip warning: has binary so -{key} ignored\n"
        packed = pack(entry, data, level, self._process.budget)
        self._changed = True
        how = "stored" if entry.compress_type == zipfile.ZIP_STORED else "deflated"
        sizes = f"\t(in={len(data)}) (out={len(packed)})" if "v" in self._arguments else ""
        ratio = f"{how} {saved(len(data), len(packed))}%"
        if self._password and stat.type != "directory":
            packed = encrypt(entry, packed, self._password, self._process)
        self._members[name] = entry, packed
        if "sf" not in self._arguments:
            self._say(f"{self._doing(known=known)} {name}{sizes}{warning} ({ratio})\n")

    def _store(self) -> None:
        process = self._process
        buffer = io.BytesIO()
        with Archive(buffer, process.budget, "w") as archive:
            for entry, packed in self._members.values():
                write(archive, entry, packed)
            archive.comment = self._comment
        process.budget.string(buffer.tell())
        if "T" in self._arguments:
            self._test(Archive(buffer, process.budget, "r"))
        if self._name == "-":
            process.stdout.write(buffer.getvalue())
        else:
            if not self._members and "d" in self._arguments:
                self._warn("zip file empty\n")
            stream = process.create(self._name)
            stream.write(buffer.getvalue())
            process.close(stream)
            if "o" in self._arguments and self._members:
                self._age()

    def _only_age(self) -> int:
        """``-o`` without files.

        Raises:
            _Fatal: There is no archive.
        """
        if not self._members:
            raise _Fatal(f"Missing or empty zip file ({self._name})", _MISSING)
        self._age()
        return 0

    def _age(self) -> None:
        """Make the archive as old as its latest member."""
        latest = max(-(-modified(entry, self._zone) // 2) * 2 for entry, _ in self._members.values())
        self._process.fs.utime(self._process.path(self._name), latest, latest)

    def _test(self, archive: Archive) -> None:
        """``-T``: read every member.

        Raises:
            _Fatal: One cannot be read.
        """
        archive.setpassword(self._password)
        failed = False
        for entry in archive.infolist():
            try:
                content(archive, entry, self._process.budget)
            except DamagedError as error:
                failed = True
                self._put_text(f"{padded(entry.filename)}  {error}\n")
            except (BadArchiveError, PasswordError):
                failed = True
        if failed:
            self._put_text(f"test of {self._name} FAILED\n")
            text = "Zip file invalid, could not spawn unzip, or wrong unzip (original files unmodified)"
            raise _Fatal(text, _INVALID)
        self._say(f"test of {self._name} OK\n")

    def _named(self, name: str) -> list[str]:
        """The files that an operand means: one of that name, otherwise those of the members that it matches as a pattern."""
        process = self._process
        if name == "-" or process.fs.exists(process.path(name)) or ("y" in self._arguments and self._is_link(name)):
            return [name]
        matcher = compile_glob(name)
        members = [member for member in paced(self._members) if member == name or matcher.matches(member)]
        if not members:
            self._miss(name)
        return [member for member in members if process.fs.exists(process.path(member))]

    def _is_link(self, name: str) -> bool:
        try:
            return self._process.fs.stat(self._process.path(name), follow=False).type == "symlink"
        except OSError:
            return False

    def _miss(self, name: str) -> None:
        """Say that there is no file of a name, unless ``-q`` is given."""
        if "q" not in self._arguments:
            self._warn(f"name not matched: {name}\n")

    def _advice(self, names: list[str]) -> str:
        """What stands beside ``Nothing to do!``: with ``-r`` a better command line, else the archive."""
        if "r" not in self._arguments or not names or self._included or self._excluded:
            return self._name
        archive = self._arguments.operands[0]
        operands = {archive, *names}
        options = [word for word in self._process.argv if word not in operands]
        return " ".join(["try: zip", *options, archive, ". -i", *names])

    def _warn(self, text: str) -> None:
        self._put_text(f"\tzip warning: {text}")

    def _say(self, text: str) -> None:
        if "q" not in self._arguments:
            self._put_text(text)

    def _put_text(self, text: str) -> None:
        if self._name == "-":
            self._process.say(text)
        else:
            self._process.write(text)
