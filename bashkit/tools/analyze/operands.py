"""Which operands of a utility are files that it reads or writes, and which are hosts; its declaration says what an option is."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bashkit.interp.utility.command import HelpRequested, UsageError
from bashkit.tools.analyze.values import Unsure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bashkit.interp.utility.command import Arguments, Command

Touched = tuple[str, str]  # "read", "write" or "host", and what

_READ = frozenset(
    "b2sum base32 base64 basenc bc bzcat cat cksum cmp column comm cut dc df diff du expand file fmt fold hexdump head join ls "
    "md5sum nl od paste pr readlink realpath rev sha1sum sha224sum sha256sum sha384sum sha512sum shuf sort stat strings tac tail "
    "tree tsort unexpand wc xmllint xzcat zcat".split()
)
_WRITTEN = frozenset("bunzip2 bzip2 gunzip gzip mkdir mkfifo patch rm rmdir tee touch truncate unxz xz".split())
_PATTERN_FIRST = frozenset("awk egrep fgrep gawk grep jq rg sed yq".split())  # and then files, unless an option has the pattern
_PATTERN_OPTIONS = ("e", "f", "regexp", "file", "expression", "from-file")
_MODE_FIRST = frozenset("chgrp chmod chown".split())
_INPUT_OUTPUT = frozenset("uniq xxd".split())
_TARGET_LAST = {"cp": "read", "install": "read", "ln": "read", "mv": "write"}  # and what happens to the others
_FILE_METAVARS = frozenset("FILE FILE1 RFILE DATEFILE PATTERNFILE PATCHFILE SOURCEFILE".split())
_OUTPUT_OPTIONS = frozenset("o O joblog output output-document output-file append-output".split())


def touched(command: Command, words: list[str]) -> Iterator[Touched]:
    """What a command line of a utility reads, writes and reaches.

    Args:
        command: The utility.
        words: The words after its name; an Unsure one may be anything.
    """
    if command.name in _WITHOUT_OPTIONS:
        yield from _WITHOUT_OPTIONS[command.name](words)
        return
    try:
        arguments = _parsed(command, words)
    except (UsageError, HelpRequested):
        return  # it does nothing else
    yield from _of_options(command, arguments)
    yield from _ARCHIVES.get(command.name, _of_operands)(command.name, arguments)


def _parsed(command: Command, words: list[str]) -> Arguments:
    from bashkit.interp.utility.command import Arguments

    if command.options is not None:
        return command.parse(words)
    flags = [word for word in words if word.startswith("-") and word != "-" and not isinstance(word, Unsure)]
    return Arguments([(flag.lstrip("-"), None) for flag in flags], [word for word in words if word not in flags])


def _of_options(command: Command, arguments: Arguments) -> Iterator[Touched]:
    metavars = {option.key: option.metavar for option in command.options or ()}
    for key, argument in arguments.given:
        if argument is None:
            continue
        if key in _OUTPUT_OPTIONS and metavars.get(key) in _FILE_METAVARS:
            yield "write", argument
        elif key == "t" and command.name in _TARGET_LAST:
            yield "write", argument
        elif metavars.get(key) in _FILE_METAVARS:
            yield "read", argument


def _of_operands(name: str, arguments: Arguments) -> Iterator[Touched]:
    operands = arguments.operands
    if name in _READ:
        yield from (("read", path) for path in operands if path != "-")
    elif name in _WRITTEN:
        yield from (("write", path) for path in operands)
    elif name in _PATTERN_FIRST:
        given = any(key in _PATTERN_OPTIONS for key, _ in arguments.given)
        access = "write" if name == "sed" and any(key in {"i", "in-place"} for key, _ in arguments.given) else "read"
        yield from ((access, path) for path in operands[not given :] if path != "-" and not _assigns(name, path))
    elif name in _MODE_FIRST:
        yield from (("write", path) for path in operands[1:])
    elif name in _INPUT_OUTPUT:
        yield from zip(("read", "write"), operands, strict=False)
    elif name in _TARGET_LAST:
        last = len(operands) - ("t" not in arguments)
        yield from ((_TARGET_LAST[name] if place < last else "write", path) for place, path in enumerate(operands))


def _assigns(name: str, operand: str) -> bool:
    return name in {"awk", "gawk"} and "=" in operand and operand.partition("=")[0].isidentifier()


def _find(words: list[str]) -> Iterator[Touched]:
    for word in words:
        if word.startswith(("-", "(", "!")) and not isinstance(word, Unsure):
            break
        yield ("write" if "-delete" in words else "read"), word


def _tar(words: list[str]) -> Iterator[Touched]:
    bundle = words[0].lstrip("-") if words and not words[0].startswith("--") else ""
    mode = next((letter for letter in bundle if letter in "cxtru"), "")
    operands = words[1:]
    if "f" in bundle and operands:
        yield ("write" if mode in set("cru") else "read"), operands[0]
        operands = operands[1:]
    if mode == "x":
        yield "write", "."
    elif mode in set("cru"):
        yield from (("read", word) for word in operands if not word.startswith("-"))


def _dd(words: list[str]) -> Iterator[Touched]:
    for word in words:
        key, _, path = word.partition("=")
        if key in {"if", "of"}:
            yield ("read" if key == "if" else "write"), path


def _sqlite(words: list[str]) -> Iterator[Touched]:
    operands = [word for word in words if not word.startswith("-")]
    if operands and operands[0] not in {"", ":memory:"}:
        yield "write", operands[0]


def _zip(_: str, arguments: Arguments) -> Iterator[Touched]:
    yield from (("write" if place == 0 else "read", word) for place, word in enumerate(arguments.operands))


def _unzip(_: str, arguments: Arguments) -> Iterator[Touched]:
    yield from (("read", word) for word in arguments.operands[:1])
    yield "write", arguments.get("d") or "."


def _split(_: str, arguments: Arguments) -> Iterator[Touched]:
    operands = arguments.operands
    yield from (("read", word) for word in operands[:1] if word != "-")
    yield "write", f"{operands[1] if len(operands) > 1 else 'x'}*"


_WEB_VALUES = frozenset(  # the options of curl and wget that take a value
    "-A -b -c -d -e -F -H -K -m -o -O -P -Q -r -t -T -u -U -w -X -x -y -Y -z --body-data --cacert --connect-timeout --cookie "
    "--cookie-jar --data --data-binary --data-raw --data-urlencode --form --header --json --max-time --method --output "
    "--output-document --post-data --post-file --range --referer --request --retry --upload-file --url --user --user-agent "
    "--write-out".split()
)
_WEB_OUTPUT = frozenset({"-o", "--output", "--output-document", "-c", "--cookie-jar"})


def _web(name: str, words: list[str]) -> Iterator[Touched]:
    takes = _WEB_VALUES - ({"-O", "-r"} if name == "curl" else {"-c", "-e", "-r", "-x"})
    output = _WEB_OUTPUT | ({"-O"} if name == "wget" else set())
    pending = iter(words)
    for word in pending:
        if not word.startswith("-") or isinstance(word, Unsure):
            yield "host", word if isinstance(word, Unsure) else _host(word)
            continue
        key, equals, argument = word.partition("=")
        if word[:2] in takes and len(word) > 2 and not word.startswith("--"):
            key, equals, argument = word[:2], "=", word[2:]
        if key in takes and not equals:
            argument = next(pending, "")
        if key == "--url":
            yield "host", _host(argument)
        elif key in output and argument not in {"", "-"}:
            yield "write", argument
        elif key in {"-T", "--upload-file", "--post-file"} and argument != "-":
            yield "read", argument
        elif key in {"-d", "--data", "--data-binary", "--json"} and argument.startswith("@") and argument != "@-":
            yield "read", argument[1:]


def _host(url: str) -> str:
    try:
        return urlsplit(url if "://" in url else f"http://{url}").hostname or url
    except ValueError:
        return url


_ARCHIVES: Mapping[str, Callable[[str, Arguments], Iterator[Touched]]] = {"zip": _zip, "unzip": _unzip, "split": _split}
_WITHOUT_OPTIONS: Mapping[str, Callable[[list[str]], Iterator[Touched]]] = {
    "find": _find,
    "tar": _tar,
    "dd": _dd,
    "sqlite3": _sqlite,
    "curl": lambda words: _web("curl", words),
    "wget": lambda words: _web("wget", words),
}
