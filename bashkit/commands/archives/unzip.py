"""unzip: list, test and extract files from a zip archive (unzip(1), Info-ZIP)."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bashkit.commands.archives._zipped import BadArchiveError, content, is_link, load, method, permissions, saved
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_NOT_FOUND, _NO_MATCH, _USAGE, _DAMAGED = 9, 11, 10, 3
_NAME_WIDTH = 22


def _lists(words: list[str]) -> list[str]:
    """Rewrite ``-x a b`` as ``-x a -x b``, and separate the letters of ``-Z1``."""
    result: list[str] = []
    excluding = False
    for word in words:
        if word == "-x":
            excluding = True
        elif excluding and not word.startswith("-"):
            result += ["-x", word]
        else:
            excluding = False
            result.append(word)
    return result


@command(
    "unzip",
    usage="[OPTION]... ZIPFILE [MEMBER]... [-x MEMBER]... [-d DIRECTORY]",
    summary="List, test and extract files from a ZIP archive.",
    options=(
        flag("-l", help="list files (short format)"),
        flag("-v", help="list verbosely"),
        flag("-Z", help="zipinfo mode; with -1, names only"),
        flag("-1", help="with -Z: names only"),
        flag("-t", help="test compressed archive data"),
        flag("-p", help="extract files to standard output, no messages"),
        flag("-c", help="extract files to standard output, with their names"),
        flag("-f", help="freshen existing files, create none"),
        flag("-u", help="update files, create if necessary"),
        flag("-o", help="overwrite files without prompting"),
        flag("-n", help="never overwrite existing files"),
        flag("-j", help="junk paths (do not make directories)"),
        flag("-C", help="match file names case-insensitively"),
        flag("-L", help="make names lowercase"),
        flag("-q", help="quiet mode (-qq: quieter)"),
        flag("-K", help="(ignored: there are no setuid files here)"),
        flag("-U", help="(ignored: names are UTF-8)"),
        value("-x", metavar="MEMBER", help="exclude files that follow"),
        value("-d", metavar="DIRECTORY", help="extract files into DIRECTORY"),
        value("-P", metavar="PASSWORD", help="the password of encrypted members"),
    ),
    usage_status=_USAGE,
    rewrite=_lists,
    model="UnZip 6.00",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run unzip; 9 if the archive does not exist, 11 if no member matched, 1 if a file was not overwritten."""
    if not arguments.operands:
        raise UsageError("missing operand")
    name, *wanted = arguments.operands
    path = next((name + suffix for suffix in ("", ".zip", ".ZIP") if process.fs.exists(process.path(name + suffix))), None)
    if path is None:
        process.say(f"unzip:  cannot find or open {name}, {name}.zip or {name}.ZIP.\n")
        return _NOT_FOUND
    quiet = sum(key == "q" for key, _ in arguments.given)
    announced = not quiet and not {"p", "Z"} & {key for key, _ in arguments.given}
    try:
        archive = load(process, path)
    except BadArchiveError:
        if announced:
            process.write(f"Archive:  {path}\n")
        process.say(
            "  End-of-central-directory signature not found.  Either this file is not\n"
            "  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n"
            "  latter case the central directory and zipfile comment will be found on\n"
            "  the last disk(s) of this archive.\n"
            f"unzip:  cannot find zipfile directory in one of {path} or\n"
            f"        {path}.zip, and cannot find {path}.ZIP, period.\n"
        )
        return _NOT_FOUND
    if announced:
        process.write(f"Archive:  {path}\n")
    password = arguments.get("P")
    if password is not None:
        archive.setpassword(password.encode())
    choice = _Choice(process, arguments, wanted)
    members = [entry for entry in archive.infolist() if choice.takes(entry.filename)]
    if "Z" in arguments:
        process.write("".join(f"{entry.filename}\n" for entry in members))
    elif "l" in arguments or "v" in arguments:
        _show(process, members, verbose="v" in arguments, quiet=quiet)
        return choice.unmatched(tell=None)
    elif "t" in arguments:
        return _test(process, archive, members, path, choice, quiet=quiet)
    else:
        status = _Extraction(process, arguments, archive, quiet=quiet).run(members)
        return status or choice.unmatched(process.say)
    return choice.unmatched(process.say)


class _Choice:
    """Selects the members that the command line names."""

    def __init__(self, process: Process, arguments: Arguments, wanted: list[str]) -> None:
        fold = "C" in arguments
        self._process = process
        self._wanted = {pattern: compile_glob(pattern, ignore_case=fold) for pattern in wanted}
        self._excluded = [compile_glob(pattern, ignore_case=fold) for pattern in arguments.all("x")]
        self._used: set[str] = set()

    def takes(self, name: str) -> bool:
        """Whether a member is selected."""
        self._process.budget.tick(5)
        if any(matcher.matches(name) for matcher in self._excluded):
            return False
        if not self._wanted:
            return True
        found = [pattern for pattern, matcher in self._wanted.items() if pattern == name or matcher.matches(name)]
        self._used.update(found)
        return bool(found)

    def unmatched(self, tell: Callable[[str], None] | None) -> int:
        """Report names that match no member, if somebody is told, and return the exit status."""
        missing = [pattern for pattern in self._wanted if pattern not in self._used]
        if tell is not None:
            tell("".join(f"caution: filename not matched:  {pattern}\n" for pattern in missing))
        return _NO_MATCH if missing else 0


def _verb(entry: zipfile.ZipInfo) -> str:
    """What is done to a member."""
    return "extracting" if entry.compress_type == 0 else " inflating"


def _moment(entry: zipfile.ZipInfo) -> str:
    year, month, day, hour, minute, _ = entry.date_time
    return f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}"


def _show(process: Process, members: list[zipfile.ZipInfo], *, verbose: bool, quiet: int) -> None:
    plain, packed, count = sum(entry.file_size for entry in members), sum(entry.compress_size for entry in members), len(members)
    files = f"{count} file{'' if count == 1 else 's'}"
    if not verbose:
        if quiet < 2:
            process.write("  Length      Date    Time    Name\n---------  ---------- -----   ----\n")
        process.write("".join(f"{entry.file_size:9}  {_moment(entry)}   {entry.filename}\n" for entry in members))
        if quiet < 2:
            process.write(f"---------                     -------\n{plain:9}                     {files}\n")
        return
    if quiet < 2:
        process.write(" Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n")
        process.write("--------  ------  ------- ---- ---------- ----- --------  ----\n")
    for entry in members:
        process.write(
            f"{entry.file_size:8}  {method(entry):6} {entry.compress_size:8} {saved(entry.file_size, entry.compress_size):3}% "
            f"{_moment(entry)} {entry.CRC:08x}  {entry.filename}\n"
        )
    if quiet < 2:
        process.write("--------          -------  ---                            -------\n")
        process.write(f"{plain:8} {packed:16} {saved(plain, packed):3}%                            {files}\n")


def _test(
    process: Process, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], path: str, choice: _Choice, *, quiet: int
) -> int:
    bad = 0
    for entry in members:
        verdict = "OK"
        try:
            content(archive, entry, process.budget)
        except BadArchiveError as error:
            verdict, bad = f"  {error}", bad + 1
        if not quiet or verdict != "OK":
            process.write(f"    testing: {entry.filename:<{_NAME_WIDTH}}   {verdict}\n")
    if bad:
        process.write(f"At least one error was detected in {path}.\n")
        return _DAMAGED
    missing = choice.unmatched(process.write)
    if missing:
        process.write(f"At least one error was detected in {path}.\n")
    elif quiet < 2:
        process.write(f"No errors detected in compressed data of {path}.\n")
    return missing


@dataclass(frozen=True, slots=True)
class _Target:
    """The target of a member: the displayed name, and the path."""

    shown: str
    path: str


class _Extraction:
    """Writes members into the virtual file system, never outside the directory they are extracted to."""

    def __init__(self, process: Process, arguments: Arguments, archive: zipfile.ZipFile, *, quiet: int) -> None:
        self._process = process
        self._arguments = arguments
        self._archive = archive
        self._quiet = quiet
        self._policy = arguments.last("o", "n") or "ask"
        self._status = 0

    def run(self, members: list[zipfile.ZipInfo]) -> int:
        """Extract them and return the exit status."""
        for entry in members:
            self._process.budget.tick(20)
            try:
                self._member(entry)
            except BadArchiveError as error:
                self._process.say(f"  error:  invalid compressed data to extract {entry.filename}: {error}\n")
                self._status = _DAMAGED
        return self._status

    def _member(self, entry: zipfile.ZipInfo) -> None:
        process, arguments = self._process, self._arguments
        if "p" in arguments or "c" in arguments:
            if not entry.is_dir():
                data = content(self._archive, entry, process.budget)
                self._say(f" {_verb(entry)}: {entry.filename:<{_NAME_WIDTH}}  \n" if "c" in arguments else "")
                process.stdout.write(data)
                self._say("\n" if "c" in arguments else "")
            return
        target = self._target(entry)
        if entry.is_dir():
            if "j" not in arguments and not process.fs.exists(target.path):
                process.fs.makedirs(target.path)
                self._say(f"   creating: {target.shown}/\n")
            return
        if process.fs.exists(target.path):
            chosen = self._replacing(entry, target)
            if chosen is None:
                return
            target = chosen
        elif "f" in arguments:
            return
        data = content(self._archive, entry, process.budget)
        process.fs.makedirs(target.path.rpartition("/")[0])
        if is_link(entry):
            self._say(f"    linking: {target.shown:<{_NAME_WIDTH}}  -> {data.decode('utf-8', 'surrogateescape')} \n")
            process.fs.symlink(data.decode("utf-8", "surrogateescape"), target.path)
            return
        self._say(f" {_verb(entry)}: {target.shown:<{_NAME_WIDTH}}  \n")
        mode = permissions(entry) or 0o666 & ~process.umask
        process.fs.write_file(target.path, data, mode)
        process.fs.chmod(target.path, mode)
        stored = _seconds(entry)
        process.fs.utime(target.path, stored, stored)

    def _target(self, entry: zipfile.ZipInfo) -> _Target:
        name = entry.filename.rstrip("/")
        if "j" in self._arguments:
            name = name.rpartition("/")[2]
        if "L" in self._arguments:
            name = name.lower()
        # As in unzip, members never leave the directory, whatever their names.
        safe = re.sub(r"^/+", "", posixpath.normpath(re.sub(r"(^|/)\.\.(?=/|$)", r"\1", name)))
        if safe != name and (".." in name or name.startswith("/")):
            self._process.say(f'warning:  stripped absolute path spec or "../" from {entry.filename}\n')
        folder = self._arguments.get("d")
        shown = f"{folder.rstrip('/')}/{safe}" if folder else safe
        return _Target(shown, self._process.path(shown))

    def _replacing(self, entry: zipfile.ZipInfo, target: _Target) -> _Target | None:
        """Decide whether, and under which name, an existing file is written."""
        process, arguments = self._process, self._arguments
        if ("u" in arguments or "f" in arguments) and process.fs.stat(target.path).mtime >= _seconds(entry):
            return None
        while self._policy == "ask":
            process.say(f"replace {target.shown}? [y]es, [n]o, [A]ll, [N]one, [r]ename: ")
            answer = process.stdin.read_line().decode("utf-8", "surrogateescape").strip()
            if not answer:
                process.say(' NULL\n(EOF or read error, treating as "[N]one" ...)\n')
                self._policy, self._status = "n", 1
            elif answer[0] in "AN":
                self._policy = {"A": "o", "N": "n"}[answer[0]]
            elif answer[0] in "yY":
                return target
            elif answer[0] in "nN":
                return None
            elif answer[0] == "r":
                process.say("new name: ")
                fresh = process.stdin.read_line().decode("utf-8", "surrogateescape").strip()
                return replace(target, shown=fresh, path=process.path(fresh)) if fresh else None
        return target if self._policy == "o" else None

    def _say(self, text: str) -> None:
        if not self._quiet:
            self._process.write(text)


def _seconds(entry: zipfile.ZipInfo) -> float:
    try:
        return datetime(*entry.date_time, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0
