"""unzip: list, test and extract files from a zip archive (unzip(1), Info-ZIP)."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.commands.archives._ziplists import has_header, has_totals, show, show_header, show_information
from bashkit.commands.archives._zipped import (
    BadArchiveError,
    DamagedError,
    PasswordError,
    content,
    is_encrypted,
    is_link,
    is_newer,
    is_text,
    load,
    modified,
    padded,
    permissions,
    zone_of,
)
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Callable

    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

_NOT_FOUND, _NO_MATCH, _USAGE, _DAMAGED = 9, 11, 10, 3
_EMPTY, _NOT_MADE, _NOT_WRITTEN = 1, 2, 50
_BAD_CRC = 2
_NO_PASSWORD, _BAD_PASSWORD = 5, 82
_NO_TIMES = 2  # times that -D is given for files, too
_WILD = re.compile(r"[*?\[]")


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
        flag("-z", help="display the archive's comment"),
        flag(
            "-Z", help="zipinfo mode: -1 and -2 names only, -s, -m and -l more of each, -h header, -t totals, -T sortable times"
        ),
        *(flag(f"-{key}", help="with -Z, as described there") for key in "12smh"),
        flag("-t", help="test compressed archive data"),
        flag("-T", help="make the archive as old as its latest file; with -Z, as described there"),
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
        flag("-a", help="convert text files to LF at the ends of lines (-aa: all files)"),
        flag("-D", help="do not restore the times of directories (-DD: of files, either)"),
        flag("-B", help="keep what is overwritten as FILE~"),
        flag("-b", "-M", help="(ignored: there are no text formats of other systems, and no terminal)"),
        flag("-X", help="(ignored: owners are not restored)"),
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
    if not arguments.operands and not {key for key, _ in arguments.given} - {"h", "q", "Z"}:
        process.write(main.help())
        return 0
    if not arguments.operands:
        raise UsageError("missing operand")
    tell = process.write if "t" in arguments else process.say
    if "Z" not in arguments and _contradicts(arguments):
        tell("error:  -fn or any combination of -c, -l, -p, -t, -u and -v options invalid\n")
        return _USAGE
    if "n" in arguments and "o" in arguments:
        tell("caution:  both -n and -o specified; ignoring -o\n")
    if "d" in arguments and {"c", "p", "l", "v", "t", "z", "Z"} & {key for key, _ in arguments.given}:
        tell("caution:  not extracting; -d ignored\n")
    arguments = _of_one_kind(arguments)
    name, *wanted = arguments.operands
    paths = _archives(process, name)
    if not paths:
        totals = "Z" in arguments and has_totals(arguments, chosen=bool(wanted))
        tell = process.write if totals or "t" in arguments else process.say
        if "p" not in arguments:
            tell(f"{_program(arguments)}:  cannot find or open {name}, {name}.zip or {name}.ZIP.\n")
        tell("\nNo zipfiles found.\n" if _WILD.search(name) else "")
        return _NOT_FOUND
    if len(paths) == 1:
        return _archive(process, arguments, paths[0], wanted, alone=True)
    given = {key for key, _ in arguments.given}
    statuses: list[int] = []
    for path in paths:
        if statuses and statuses[-1] != _NOT_FOUND and not {"q", "p"} & given:
            process.write("\n")
        statuses.append(_archive(process, arguments, path, wanted, alone=False))
    if "p" not in given:
        (process.write if "t" in given or ("Z" in given and "1" not in given) else process.say)(_summary(statuses))
    return max(statuses)


def _contradicts(arguments: Arguments) -> bool:
    """Whether members are to be printed or tested and, besides, tested or refreshed; or to be refreshed without overwriting."""
    prints, tests, refreshes = "c" in arguments or "p" in arguments, "t" in arguments, "f" in arguments or "u" in arguments
    return (prints and tests) or ((prints or tests) and refreshes) or ("f" in arguments and "n" in arguments)


def _of_one_kind(arguments: Arguments) -> Arguments:
    """The command line without the options that others override: writing to standard output or testing overrides listing."""
    given = {key for key, _ in arguments.given}
    overridden = {"l", "v"} if {"p", "c", "t"} & given else set()
    overridden |= {"c"} if "p" in given else set()
    if "Z" in given or not overridden & given:
        return arguments
    return Arguments([(key, text) for key, text in arguments.given if key not in overridden], arguments.operands)


def _archives(process: Process, name: str) -> list[str]:
    """The archives that the first operand names: a file, or those that match a pattern."""
    found = [name + suffix for suffix in ("", ".zip", ".ZIP") if process.fs.exists(process.path(name + suffix))]
    path = next((each for each in found if not process.fs.is_directory(process.path(each))), None)
    if path is not None or not _WILD.search(name):
        return [] if path is None else [path]
    folder, slash, pattern = name.rpartition("/")
    try:
        names = process.fs.listdir(process.path(folder + slash or "."))
    except OSError:
        return []
    process.budget.words(len(names))
    matcher = compile_glob(pattern)
    return [folder + slash + each for each in sorted(names) if matcher.matches(each)]


def _summary(statuses: list[int]) -> str:
    """How many of several archives went well."""
    lines = ""
    for what, count in (
        ("{} {} successfully processed.", statuses.count(0)),
        ("{} had warnings but no fatal errors.", statuses.count(1)),
        ("{} had no zipfile directory.", statuses.count(_NOT_FOUND)),
        ("{} had fatal errors.", sum(status not in {0, 1, _NOT_FOUND} for status in statuses)),
    ):
        if count:
            kind = "file" if "directory" in what else "archive"
            lines += what.format(f"{count} {kind}{'' if count == 1 else 's'}", "was" if count == 1 else "were") + "\n"
    return "\n" + lines


def _archive(process: Process, arguments: Arguments, path: str, wanted: list[str], *, alone: bool) -> int:
    """Do with one archive what is asked for; its status."""
    quiet = sum(key == "q" for key, _ in arguments.given)
    announced = not quiet and not {"p", "Z"} & {key for key, _ in arguments.given}
    try:
        archive = load(process, path)
    except BadArchiveError:
        headed = announced or ("Z" in arguments and has_header(arguments, chosen="x" in arguments or bool(wanted)))
        process.write(f"Archive:  {path}\n" if headed else "")
        totals = "Z" in arguments and headed and "h" not in arguments
        tell = process.write if totals or "t" in arguments else process.say
        tell("" if announced else f"[{path}]\n")
        tell(
            "  End-of-central-directory signature not found.  Either this file is not\n"
            "  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n"
            "  latter case the central directory and zipfile comment will be found on\n"
            "  the last disk(s) of this archive.\n"
        )
        if alone and "p" not in arguments:
            program = _program(arguments)
            tell(f"{program}:  cannot find zipfile directory in one of {path} or\n")
            tell(f"{' ' * len(program)}   {path}.zip, and cannot find {path}.ZIP, period.\n")
        return _NOT_FOUND
    if "T" in arguments and "Z" not in arguments:
        _age(process, archive, path, quiet=bool(quiet))
        return 0
    if announced:
        process.write(f"Archive:  {path}\n")
    comment = archive.comment.decode("utf-8", "surrogateescape").replace("\r\n", "\n").rstrip("\n") + "\n"
    if archive.comment and "Z" not in arguments and (announced or "z" in arguments):
        process.write(comment)
    if "z" in arguments and "Z" not in arguments:
        return 0
    if not archive.infolist():
        _tell_empty(process, arguments, path, chosen="x" in arguments or bool(wanted))
        return _EMPTY
    password = arguments.get("P")
    if password is not None:
        archive.setpassword(password.encode())
    choice = _Choice(process, arguments, wanted)
    members = [entry for entry in archive.infolist() if choice.takes(entry.filename)]
    if "Z" in arguments:
        shown = comment if archive.comment and "z" in arguments else ""
        show_information(process, arguments, path, members, shown, count=len(archive.infolist()), chosen=choice.given)
    elif "l" in arguments or "v" in arguments:
        show(process, members, verbose="v" in arguments, quiet=quiet, lower="L" in arguments)
        return 0 if members else choice.unmatched(tell=None)
    elif "t" in arguments:
        return _test(process, archive, members, path, choice, quiet=quiet)
    else:
        status = _Extraction(process, arguments, archive, quiet=quiet).run(members)
        missed = choice.unmatched(process.say)
        return missed if status <= 1 and missed else status
    status = choice.unmatched(process.write if has_totals(arguments, chosen=choice.given) else process.say)
    return 0 if members else status


def _age(process: Process, archive: zipfile.ZipFile, path: str, *, quiet: bool) -> None:
    """Give an archive the time of its latest file."""
    times = [modified(entry, zone_of(process)) for entry in archive.infolist() if not entry.is_dir()]
    if times:
        process.fs.utime(process.path(path), max(times), max(times))
    if not quiet:
        process.write(f"Updated time stamp for {path}.\n")


def _tell_empty(process: Process, arguments: Arguments, path: str, *, chosen: bool) -> None:
    """Say that an archive has no members."""
    if "Z" not in arguments:
        process.say(f"warning [{path}]:  zipfile is empty\n")
        return
    if has_header(arguments, chosen=chosen):
        show_header(process, path, "", count=0)
    process.write("Empty zipfile.\n")


def _program(arguments: Arguments) -> str:
    """The name in messages."""
    return "zipinfo" if "Z" in arguments else "unzip"


class _Choice:
    """Selects the members that the command line names."""

    def __init__(self, process: Process, arguments: Arguments, wanted: list[str]) -> None:
        fold = "C" in arguments
        self._process = process
        self._wanted = {pattern: compile_glob(pattern, ignore_case=fold) for pattern in wanted}
        self._excluded = {pattern: compile_glob(pattern, ignore_case=fold) for pattern in arguments.all("x")}
        self._used: set[str] = set()
        self._taken = False
        self.given = bool(self._wanted or self._excluded)

    @property
    def misses(self) -> bool:
        """Whether a name matches no member."""
        return not self._wanted.keys() <= self._used

    def takes(self, name: str) -> bool:
        """Whether a member is selected."""
        self._process.budget.tick(5)
        found = [pattern for pattern, matcher in self._wanted.items() if pattern == name or matcher.matches(name)]
        if self._wanted and not found:
            return False
        without = [pattern for pattern, matcher in self._excluded.items() if matcher.matches(name)]
        self._used.update(found, without)
        taken = not without
        self._taken |= taken
        return taken

    def unmatched(self, tell: Callable[[str], None] | None) -> int:
        """Report names that match no member, if somebody is told, and return the exit status."""
        if tell is not None:
            missing = [pattern for pattern in self._wanted if pattern not in self._used]
            tell("".join(f"caution: filename not matched:  {pattern}\n" for pattern in missing))
            unused = [pattern for pattern in self._excluded if pattern not in self._used]
            tell("".join(f"caution: excluded filename not matched:  {pattern}\n" for pattern in unused))
        return _NO_MATCH if self.misses or (self.given and not self._taken) else 0


def _verb(entry: zipfile.ZipInfo) -> str:
    """What is done to a member."""
    return "extracting" if entry.compress_type == 0 else " inflating"


def _test(
    process: Process, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], path: str, choice: _Choice, *, quiet: int
) -> int:
    status = 0
    skipped: list[str] = []
    for entry in members:
        verdict = "OK"
        try:
            content(archive, entry, process.budget)
        except PasswordError as error:
            process.write(_skipping(entry, error))
            skipped.append(str(error))
            continue
        except DamagedError as error:
            verdict, status = str(error), max(status, _BAD_CRC)
        except BadArchiveError as error:
            verdict, status = f"  {error}", _DAMAGED
        if not quiet:
            process.write(f"    testing: {padded(entry.filename)}   {verdict}\n")
        elif verdict != "OK":
            process.write(f"{padded(entry.filename)}  {verdict}\n")
    if skipped:
        return _skipped_tests(process, skipped, path, count=len(members))
    missing = choice.unmatched(process.write)
    if status:
        process.write(f"At least one error was detected in {path}.\n" if quiet < 2 else "")
        return status
    if missing and not members and not choice.misses:
        process.write(f"Caution:  zero files tested in {path}.\n")
    elif missing:
        process.write(f"At least one error was detected in {path}.\n" if quiet < 2 else "")
    elif quiet < 2:
        files = f"{len(members)} file{'' if len(members) == 1 else 's'}"
        process.write(
            f"No errors detected in {f'{path} for the {files} tested' if choice.given else f'compressed data of {path}'}.\n"
        )
    return missing


def _skipping(entry: zipfile.ZipInfo, error: PasswordError) -> str:
    return f"   skipping: {padded(entry.filename)}  {error}\n"


def _skipped_tests(process: Process, skipped: list[str], path: str, *, count: int) -> int:
    """Say what was not tested for lack of a password; the status."""
    if "incorrect password" not in skipped:
        process.write(f"At least one error was detected in {path}.\n")
        return _NO_PASSWORD
    process.write(f"Caution:  zero files tested in {path}.\n" if len(skipped) == count else "")
    files = f"{len(skipped)} file{'' if len(skipped) == 1 else 's'}"
    process.write(f"{files} skipped because of incorrect password.\n")
    return _BAD_PASSWORD


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
        self._zone = zone_of(process)
        self._quiet = quiet
        self._texts = sum(key == "a" for key, _ in arguments.given)
        self._policy = arguments.last("o", "n") or ("o" if "B" in arguments else "ask")
        self._status = 0
        self._links: list[tuple[_Target, str]] = []  # symbolic links, which are made when all is there
        self._made: list[tuple[str, zipfile.ZipInfo]] = []  # directories, whose modes and times are set when all is in them

    def run(self, members: list[zipfile.ZipInfo]) -> int:
        """Extract them and return the exit status."""
        process, folder = self._process, self._arguments.get("d")
        if folder and not {"p", "c", "f"} & {key for key, _ in self._arguments.given} and not self._has_made(folder):
            return _NOT_MADE
        for entry in members:
            process.budget.tick(20)
            try:
                self._member(entry)
            except PasswordError as error:
                self._process.say(_skipping(entry, error))
                self._status = _BAD_PASSWORD if str(error) == "incorrect password" else _NO_PASSWORD
            except BadArchiveError as error:
                self._process.say(f"  error:  invalid compressed data to extract {entry.filename}: {error}\n")
                self._status = _DAMAGED
        self._make_links()
        for path, entry in reversed(self._made):
            process.fs.chmod(path, permissions(entry) or 0o777 & ~process.umask)
            if "D" not in self._arguments:
                process.fs.utime(path, modified(entry, self._zone), modified(entry, self._zone))
        return self._status

    def _has_made(self, folder: str) -> bool:
        """Make the directory of ``-d``, but not its parents; False, after it is said, where it cannot be made."""
        path, fs = self._process.path(folder), self._process.fs
        try:
            if not (fs.exists(path) and fs.stat(path).type == "directory"):
                fs.mkdir(path)
        except OSError as error:
            message = f"checkdir:  cannot create extraction directory: {folder.rstrip('/')}\n           {error.strerror}\n"
            self._process.say(message)
            return False
        return True

    def _member(self, entry: zipfile.ZipInfo) -> None:
        process, arguments = self._process, self._arguments
        if "p" in arguments or "c" in arguments:
            if "c" in arguments or not entry.is_dir():
                data, damage = (b"", "") if entry.is_dir() else self._content(entry)
                self._say(self._extracting(entry, entry.filename) if "c" in arguments else "")
                process.stdout.write(data)
                self._say("\n" if "c" in arguments and not damage else "")
                self._tell_damage(entry, damage, named="p" in arguments)
            return
        target = self._target(entry)
        if entry.is_dir():
            if "j" not in arguments and "f" not in arguments and not process.fs.exists(target.path):
                process.fs.makedirs(target.path)
                self._made.append((target.path, entry))
                self._say(f"   creating: {target.shown}/\n")
            return
        early = self._content(entry) if is_encrypted(entry) else None  # the password must be right first
        old = self._old(target)
        if old is not None:
            chosen = self._replacing(entry, target, old)
            if chosen is None:
                return
            target = chosen
        elif "f" in arguments:
            return
        data, damage = self._content(entry) if early is None else early
        process.fs.makedirs(target.path.rpartition("/")[0])
        if self._old(target) is not None and not self._has_cleared(target):
            return
        if is_link(entry):
            goal = data.decode("utf-8", "surrogateescape")
            self._say(f"    linking: {padded(target.shown)}  -> {goal} \n")
            self._links.append((target, goal))
            return
        line = self._extracting(entry, target.shown)
        self._say(line.removesuffix("\n") if damage else line)
        self._tell_damage(entry, damage, named=False)
        mode = permissions(entry) or 0o666 & ~process.umask
        process.fs.write_file(target.path, data, mode)
        process.fs.chmod(target.path, mode)
        if sum(key == "D" for key, _ in arguments.given) < _NO_TIMES:
            stored = modified(entry, self._zone)
            process.fs.utime(target.path, stored, stored)

    def _old(self, target: _Target) -> Stat | None:
        """What there is in the place of a member."""
        try:
            return self._process.fs.stat(target.path, follow=False)
        except OSError:
            return None

    def _has_cleared(self, target: _Target) -> bool:
        """Remove the file in the place of a member, or keep it under another name; False, after it is said, where that fails."""
        try:
            if "B" in self._arguments:
                self._process.fs.rename(target.path, f"{target.path}~")
            else:
                self._process.fs.unlink(target.path)
        except OSError as error:
            self._process.say(f"error:  cannot delete old {target.shown}\n        {error.strerror}\n")
            self._status = _NOT_WRITTEN
            return False
        return True

    def _make_links(self) -> None:
        if self._links:
            self._say("finishing deferred symbolic links:\n")
        for target, goal in self._links:
            self._say(f"  {padded(target.shown)} -> {goal}\n")
            if self._old(target) is None:
                self._process.fs.symlink(goal, target.path)

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

    def _replacing(self, entry: zipfile.ZipInfo, target: _Target, old: Stat) -> _Target | None:
        """Decide whether, and under which name, an existing file is written."""
        process, arguments = self._process, self._arguments
        dangles = not process.fs.exists(target.path)
        if old.type == "symlink" and self._policy != "o":
            self._say(f"{target.shown} exists and is a symbolic link{' with no real file' if dangles else ''}.\n")
        if ("u" in arguments or "f" in arguments) and not dangles:
            if not is_newer(entry, self._zone, process.fs.stat(target.path).mtime):
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

    def _tell_damage(self, entry: zipfile.ZipInfo, damage: str, *, named: bool) -> None:
        """Say what is wrong with the content of a member, on its line or on one of its own."""
        if damage:
            self._process.say(f"{padded(entry.filename)}  {damage}\n" if named or self._quiet else f" {damage}\n")
            self._status = max(self._status, _BAD_CRC)

    def _content(self, entry: zipfile.ZipInfo) -> tuple[bytes, str]:
        """What is written of a member, and what is wrong with it: with ``-a``, text has the ends of lines of this system."""
        damage = ""
        try:
            data = content(self._archive, entry, self._process.budget)
        except DamagedError as error:
            data, damage = error.data, str(error)
        if self._texts > 1 or (self._texts and is_text(entry)):
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return data, damage

    def _extracting(self, entry: zipfile.ZipInfo, name: str) -> str:
        kind = "" if self._texts != 1 else "[empty] " if not entry.file_size else "[text]  " if is_text(entry) else "[binary]"
        return f" {_verb(entry)}: {padded(name)}  {kind}\n"

    def _say(self, text: str) -> None:
        if not self._quiet:
            self._process.write(text)
