"""The tests and options of find, each as a function that reads its arguments and returns a test."""

from __future__ import annotations

import math
import re
from calendar import timegm
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import Mode
from bashkit.commands._filesystem.owners import KNOWN, number_of
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.dates import parse_date
from bashkit.commands._notation.emacs import from_emacs
from bashkit.commands._notation.quoting import mention
from bashkit.commands._notation.strftime import Moment
from bashkit.commands.listing.find import actions
from bashkit.commands.listing.find.words import FindError
from bashkit.regex import RegexError
from bashkit.regex import compile as compile_regex
from bashkit.regex.glob import compile_glob
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.listing.find.candidate import Candidate
    from bashkit.commands.listing.find.words import Reader, Test
    from bashkit.fs import Stat
    from bashkit.limits import Budget

    Maker = Callable[[Reader, str], Test]

_UNITS = {"b": 512, "c": 1, "w": 2, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_TYPES = {"f": "file", "d": "directory", "l": "symlink", "p": "fifo", "c": "character", "b": "block", "s": "socket"}
_DIALECTS = {
    "findutils-default": "emacs", "ed": "basic", "emacs": "emacs", "gnu-awk": "extended", "grep": "basic",
    "posix-awk": "extended", "awk": "extended", "posix-basic": "basic", "posix-egrep": "extended", "egrep": "extended",
    "posix-extended": "extended", "posix-minimal-basic": "basic", "sed": "basic",
}  # fmt: skip


def _constant(value: bool) -> Maker:
    return lambda _reader, _name: lambda _candidate: value


# -- options ---------------------------------------------------------------------------------------------------------


def _depth(reader: Reader, _: str) -> Test:
    reader.settings.depth_first, reader.settings.deletes_only = True, False
    return lambda _candidate: True


def _levels(reader: Reader, name: str) -> Test:
    text = reader.argument(name)
    if not is_digits(text):
        raise FindError(f"Expected a positive decimal integer argument to {name}, but got {mention(text)}")
    if name == "-maxdepth":
        reader.settings.max_depth = clamped(text)
    else:
        reader.settings.min_depth = clamped(text)
    return lambda _candidate: True


def _follow(reader: Reader, _: str) -> Test:
    reader.settings.follow = reader.settings.follow_references = True
    return lambda _candidate: True


def _names_from(reader: Reader, name: str) -> Test:
    reader.settings.names_from = reader.argument(name)
    return lambda _candidate: True


def _regex_type(reader: Reader, name: str) -> Test:
    text = reader.argument(name)
    if text not in _DIALECTS:
        known = ", ".join(mention(dialect) for dialect in _DIALECTS)
        raise FindError(f"Unknown regular expression type {mention(text)}; valid types are {known}.")
    reader.settings.regex_type = text
    return lambda _candidate: True


# -- names -----------------------------------------------------------------------------------------------------------


def _matches(pattern: str, *, ignore_case: bool) -> Callable[[str, Budget], bool]:
    """What matches a pattern; as for fnmatch(3), one that ends with a single backslash matches nothing."""
    if (len(pattern) - len(pattern.rstrip("\\"))) % 2:
        return lambda _name, _budget: False
    return compile_glob(pattern, extglob=False, ignore_case=ignore_case).matches


def _name(reader: Reader, name: str) -> Test:
    matches = _matches(reader.argument(name), ignore_case=name == "-iname")
    return lambda candidate: matches(candidate.base, candidate.process.budget)


def _path(reader: Reader, name: str) -> Test:
    text = reader.argument(name)
    if text.endswith("/") and len(text) > 1:
        reader.process.warn(f"warning: {name} {text} will not match anything because it ends with /.")
    matches = _matches(text, ignore_case=name.startswith("-i"))
    return lambda candidate: matches(candidate.name, candidate.process.budget)


def _link_name(reader: Reader, name: str) -> Test:
    matches = _matches(reader.argument(name), ignore_case=name == "-ilname")
    return lambda candidate: candidate.stat.type == "symlink" and matches(candidate.target(), candidate.process.budget)


def _regex(reader: Reader, name: str) -> Test:
    text = reader.argument(name)
    dialect = _DIALECTS[reader.settings.regex_type]
    try:
        pattern = compile_regex(
            from_emacs(text) if dialect == "emacs" else text,
            "extended" if dialect == "extended" else "basic",
            ignore_case=name == "-iregex",
            budget=reader.process.budget,
        )
    except RegexError as error:
        raise FindError(f"failed to compile regular expression '{text}': {error}") from None
    return lambda candidate: pattern.fullmatch(candidate.name) is not None


# -- kinds and sizes -------------------------------------------------------------------------------------------------


def _type(reader: Reader, name: str) -> Test:
    text = reader.argument(name)
    if not text:
        raise FindError(f"Arguments to {name} should contain at least one letter")
    kinds = set()
    for place, letter in enumerate(text):
        if place % 2 and letter != ",":
            raise FindError(f"Must separate multiple arguments to {name} using: ','")
        if place % 2 and place == len(text) - 1:
            raise FindError(f"Last file type in list argument to {name} is missing, i.e., list is ending on: ','")
        if not place % 2 and letter not in _TYPES:
            raise FindError(f"Unknown argument to {name}: {letter}")
        kinds.update([_TYPES[letter]] if not place % 2 else [])
    if name == "-type":
        return lambda candidate: candidate.type in kinds
    settings = reader.settings

    def xtype(candidate: Candidate) -> bool:
        fs, own = candidate.process.fs, candidate.stat.type
        if settings.follow:
            return fs.stat(candidate.path, follow=False).type in kinds
        if own == "symlink":
            try:
                own = fs.stat(candidate.path).type
            except (FileNotFoundError, NotADirectoryError):
                pass
            except OSError as error:
                candidate.process.warn(f"{mention(candidate.name)}: {error.strerror}")
                settings.status = 1
                return False
        return own in kinds

    return xtype


def _number(reader: Reader, name: str) -> tuple[str, float]:
    """Parse a numeric argument: its sign (``+``, ``-`` or none) and value."""
    text = reader.argument(name)
    match = re.fullmatch(r"([-+]?)[ \t-\r]*((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?)", text)
    if match is None:
        raise FindError(f"invalid argument `{text}' to `{name}'")
    return match[1], float(match[2])


def _compare(sign: str, value: float, wanted: float) -> bool:
    return value > wanted if sign == "+" else value < wanted if sign == "-" else value == wanted


def _size(reader: Reader, name: str) -> Test:
    text = reader.argument(name)
    if not text:
        raise FindError("invalid null argument to -size")
    if text[-1] not in _UNITS and not is_digits(text[-1]):
        raise FindError(f"invalid -size type `{text[-1:]}'")
    unit = _UNITS.get(text[-1], 512)
    match = re.fullmatch(r"([-+]?)[ \t-\r]*([0-9]{1,19})[bckwMG]?", text)
    if match is None:
        raise FindError(f"Invalid argument `{text}' to -size")
    sign, wanted = match[1], int(match[2])
    return lambda candidate: _compare(sign, math.ceil(candidate.stat.size / unit), wanted)


def _count(field: str) -> Maker:
    def make(reader: Reader, name: str) -> Test:
        if reader.peek() is None:
            raise FindError(f"invalid argument `{name}' to `{name}'")
        sign, wanted = _number(reader, name)
        return lambda candidate: _compare(sign, getattr(candidate.stat, field), wanted)

    return make


def _empty(reader: Reader, _: str) -> Test:
    def test(candidate: Candidate) -> bool:
        try:
            return candidate.is_empty()
        except OSError as error:
            reader.process.warn(f"{mention(candidate.name)}: {error.strerror}")
            reader.settings.status = 1
            return False

    return test


# -- times -----------------------------------------------------------------------------------------------------------


def _age(field: str, unit: int) -> Maker:
    """The days (``-mtime``) or minutes (``-mmin``) since a time stamp; days are rounded down, minutes up."""

    def make(reader: Reader, name: str) -> Test:
        sign, wanted = _number(reader, name)
        process = reader.process
        now: Callable[[], float] = process.system.now  # which is asked anew: the search itself may write a file
        if reader.settings.day_start:
            local = Moment.of(now(), process.system.timezone(process.env.get("TZ", "")))
            midnight = timegm((local.local.year, local.local.month, local.local.day, 0, 0, 0)) - local.offset
            now = lambda: midnight + 86400  # noqa: E731 - one of two

        def test(candidate: Candidate) -> bool:
            age: float = (now() - getattr(candidate.stat, field)) / unit
            if unit == 60 and not sign:
                return wanted - 1 < age <= wanted
            if unit == 60:
                return _compare(sign, age, wanted)
            if sign == "-":
                return age * unit < wanted * unit + 1  # a second more, as the real one has it
            return _compare(sign, math.floor(age - wanted), 0)

        return test

    return make


def _used(reader: Reader, name: str) -> Test:
    """``-used N``: the days from the last change of status to the last access."""
    text = reader.argument(name)
    if re.fullmatch(r"[-+]?[0-9]+", text) is None:
        raise FindError(f"Invalid argument {text} to {name}")
    sign, wanted = text[0] if text[0] in "+-" else "", clamped(text.lstrip("+-"))

    def test(candidate: Candidate) -> bool:
        stat = candidate.stat
        return stat.atime >= stat.ctime and _compare(sign, math.floor((stat.atime - stat.ctime) / 86400), wanted)

    return test


def _reference(reader: Reader, text: str) -> Stat:
    fs, path = reader.process.fs, reader.process.path(text)
    try:
        try:
            return fs.stat(path, follow=reader.settings.follow_references)
        except (FileNotFoundError, NotADirectoryError):
            return fs.stat(path, follow=False)
    except OSError as error:
        raise FindError(f"{mention(text)}: {error.strerror}") from None


def _newer(field: str) -> Maker:
    def make(reader: Reader, name: str) -> Test:
        limit = _reference(reader, reader.argument(name)).mtime
        return lambda candidate: getattr(candidate.stat, field) > limit

    return make


def newer_xy(reader: Reader, name: str) -> Test:
    """``-newerXY REFERENCE``: compare time stamp X with time stamp Y of the reference, or with the given date."""
    fields = {"a": "atime", "B": "ctime", "c": "ctime", "m": "mtime"}
    own, other = name[6], name[7]
    if own not in fields or (other not in fields and other != "t"):
        raise FindError(f"invalid predicate `{name}'")
    if reader.peek() is None:
        raise FindError(f"The {mention(name)} test needs an argument")
    text = reader.argument(name)
    process = reader.process
    if other == "t":
        zone = process.system.timezone(process.env.get("TZ", ""))
        try:
            moment = parse_date(text, now=process.system.now(), zone=zone)
        except ValueError:
            raise FindError(f"I cannot figure out how to interpret {mention(text)} as a date or time") from None
        limit = moment.timestamp + moment.nanoseconds / 1e9
    else:
        limit = getattr(_reference(reader, text), fields[other])
    return lambda candidate: getattr(candidate.stat, fields[own]) > limit


# -- permissions and owners ------------------------------------------------------------------------------------------


def _perm(reader: Reader, name: str) -> Test:
    text = reader.argument(name)
    how, rest = (text[0], text[1:]) if text[:1] in {"-", "/"} else ("", text)
    try:
        if how == "" and is_digits(text[1:2]) and text[0] == "+":  # an old way to write /MODE
            raise ValueError(text)
        mode = Mode(rest)
        wanted, of_directory = (mode.apply(0, directory=directory, umask=0) for directory in (False, True))
    except ValueError:
        raise FindError(f"invalid mode {mention(text)}") from None
    if how == "/" and not wanted and not of_directory:
        reader.process.warn(
            f"warning: you have specified a mode pattern {text} (which is equivalent to /000). The meaning of -perm /000 has now "
            "been changed to be consistent with -perm -000; that is, while it used to match no files, it now matches all files."
        )

    def test(candidate: Candidate) -> bool:
        bits = of_directory if candidate.type == "directory" else wanted
        own = candidate.stat.mode
        if how == "/":
            return not bits or bool(own & bits)
        return (own & bits if how == "-" else own) == bits

    return test


_NO_OWNER = {
    "user": "The argument to -user should not be empty",
    "group": "argument to -group is empty, but should be a group name",
}


def _access(bit: str) -> Maker:
    return lambda _reader, _name: lambda candidate: candidate.process.fs.access(candidate.path, bit)


def _owner(field: str, what: str) -> Maker:
    def make(reader: Reader, name: str) -> Test:
        text = reader.argument(name)
        if not text:
            raise FindError(_NO_OWNER[what])
        number = None if text[0] in "+ \t\n" else number_of(reader.process, text, group=what == "group")
        if number is None:
            raise FindError(_unknown_owner(text, what))
        return lambda candidate: getattr(candidate.stat, field) == number

    return make


def _unknown_owner(text: str, what: str) -> str:
    if is_digits(text):
        return f"{text}: Numerical result out of range"
    if what == "user":
        return f"{mention(text)} is not the name of a known user"
    rest = text.lstrip("0123456789")
    suffix = f" and it does not look like a numeric group ID because it has the unexpected suffix {mention(rest)}"
    return f"{mention(text)} is not the name of an existing group{suffix if rest != text else ''}"


def _without_name(field: str) -> Maker:
    return lambda _reader, _name: lambda candidate: getattr(candidate.stat, field) not in KNOWN


def _file_system(reader: Reader, name: str) -> Test:
    """``-fstype TYPE``: all files are on one file system, whose type ``-printf %F`` gives."""
    answer = reader.argument(name) == "tmpfs"
    return lambda _candidate: answer


def _same_file(reader: Reader, name: str) -> Test:
    ino = _reference(reader, reader.argument(name)).ino
    return lambda candidate: candidate.stat.ino == ino


PRIMARIES: dict[str, Maker] = {
    "-true": _constant(True),
    "-false": _constant(False),
    "-d": _depth,
    "-depth": _depth,
    "-maxdepth": _levels,
    "-mindepth": _levels,
    "-files0-from": _names_from,
    "-follow": _follow,
    "-regextype": _regex_type,
    "-mount": _constant(True),
    "-xdev": _constant(True),
    "-noleaf": _constant(True),
    "-ignore_readdir_race": _constant(True),
    "-noignore_readdir_race": _constant(True),
    "-warn": _constant(True),
    "-nowarn": _constant(True),
    "-name": _name,
    "-iname": _name,
    "-path": _path,
    "-ipath": _path,
    "-wholename": _path,
    "-iwholename": _path,
    "-lname": _link_name,
    "-ilname": _link_name,
    "-regex": _regex,
    "-iregex": _regex,
    "-type": _type,
    "-xtype": _type,
    "-size": _size,
    "-links": _count("links"),
    "-inum": _count("ino"),
    "-used": _used,
    "-fstype": _file_system,
    "-uid": _count("uid"),
    "-gid": _count("gid"),
    "-empty": _empty,
    "-amin": _age("atime", 60),
    "-cmin": _age("ctime", 60),
    "-mmin": _age("mtime", 60),
    "-atime": _age("atime", 86400),
    "-ctime": _age("ctime", 86400),
    "-mtime": _age("mtime", 86400),
    "-anewer": _newer("atime"),
    "-cnewer": _newer("ctime"),
    "-newer": _newer("mtime"),
    "-perm": _perm,
    "-readable": _access("r"),
    "-writable": _access("w"),
    "-executable": _access("x"),
    "-user": _owner("uid", "user"),
    "-group": _owner("gid", "group"),
    "-nouser": _without_name("uid"),
    "-nogroup": _without_name("gid"),
    "-samefile": _same_file,
    "-print": actions.make_print,
    "-print0": actions.make_print,
    "-printf": actions.make_printf,
    "-fprintf": actions.make_printf,
    "-fprint": actions.make_fprint,
    "-fprint0": actions.make_fprint,
    "-ls": actions.make_ls,
    "-fls": actions.make_ls,
    "-delete": actions.make_delete,
    "-prune": actions.make_prune,
    "-quit": actions.make_quit,
    "-exec": actions.make_exec,
    "-execdir": actions.make_exec,
    "-ok": actions.make_exec,
    "-okdir": actions.make_exec,
}
