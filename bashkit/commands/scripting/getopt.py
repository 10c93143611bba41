"""getopt: parse command options (util-linux getopt(1))."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.limits import ask, paced, paced_if_many

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_WRONG_PARAMETERS, _WRONG_USAGE, _ENHANCED = 1, 2, 4
_PART = 1 << 14  # characters of a word between two looks at the clock
_MANY, _HELD = 1000, 160  # letters of a word, and the bytes that an option takes
_SPACE = re.compile(r"\s")


def _first_is_optstring(words: list[str]) -> list[str]:
    """Rewrite the old form ``getopt OPTSTRING WORD...`` to the new one."""
    return ["--old-form", "--", *words] if words and not words[0].startswith("-") else words


def _check_shell(name: str) -> None:
    if name not in {"sh", "bash", "csh", "tcsh"}:
        raise UsageError("unknown shell after -s or --shell argument")


@command(
    "getopt",
    usage=(
        "OPTSTRING PARAMETERS...  or  getopt [OPTION]... [--] OPTSTRING PARAMETERS...  or  getopt [OPTION]... -o OPTSTRING "
        "[--] PARAMETERS..."
    ),
    summary="Parse command options.",
    options=(
        flag("-a", "--alternative", help="allow long options starting with single -"),
        value("-l", "--longoptions", metavar="LONGOPTS", help="the long options to be recognized"),
        value("-n", "--name", metavar="PROGNAME", help="the name under which errors are reported"),
        value("-o", "--options", metavar="OPTSTRING", help="the short options to be recognized"),
        flag("-q", "--quiet", help="disable error reporting by getopt(3)"),
        flag("-Q", "--quiet-output", help="no normal output"),
        value("-s", "--shell", metavar="SHELL", help="set quoting conventions to those of SHELL", check=_check_shell),
        flag("-T", "--test", help="test for getopt(1) version"),
        flag("-u", "--unquoted", help="do not quote the output"),
        flag("--old-form", help="the first word is OPTSTRING, nothing is quoted"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    usage_status=_WRONG_USAGE,
    write_status=3,
    stop_at_operand=True,
    rewrite=_first_is_optstring,
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the parameters in order; 1 if they are invalid, 2 if getopt's own are."""
    if "T" in arguments:
        return _ENHANCED
    operands = list(arguments.operands)
    short = arguments.get("o")
    if short is None:
        if not operands:
            raise UsageError("missing optstring argument")
        short = operands.pop(0)
    shell = arguments.get("s") or "bash"
    known = [
        _Long.read(part)
        for text in arguments.all("l")
        for part in paced_if_many(text.replace("\n", ",").replace(" ", ",").split(","))
        if part
    ]
    scan = _Scan(process, short, known, alternative="a" in arguments, old_form="old-form" in arguments)
    scan.read(operands)
    if "q" not in arguments and not short.lstrip("+-").startswith(":"):
        for message in scan.errors:
            process.say(f"{arguments.get('n') or 'getopt'}: {message}\n")
    if "Q" not in arguments:
        plain = "u" in arguments or "old-form" in arguments
        words = [
            word if plain or not quoted else _quoted(word, csh=shell.endswith("csh")) for word, quoted in paced(scan.result())
        ]
        process.write("".join([f" {word}" for word in paced(words)]) + "\n")
    return _WRONG_PARAMETERS if scan.errors else 0


@dataclass(frozen=True, slots=True)
class _Long:
    """A long option: its name, and 0, 1 or 2 colons."""

    name: str
    colons: int

    @classmethod
    def read(cls, text: str) -> _Long:
        name = text.rstrip(":")
        return cls(name, min(2, len(text) - len(name)))


class _Scan:
    """Parses parameters as getopt_long(3) does."""

    def __init__(self, process: Process, short: str, known: list[_Long], *, alternative: bool, old_form: bool) -> None:
        mode = short[:1] if short[:1] in {"+", "-"} else ""
        text = short.lstrip("+-") if old_form else short.removeprefix(mode)
        self._mode = "+" if "POSIXLY_CORRECT" in process.env else "" if old_form else mode
        self._short: dict[str, int] = {}
        for index, letter in enumerate(paced(text)):
            if letter != ":":
                self._short[letter] = text.startswith(":", index + 1) + text.startswith("::", index + 1)
        self._process = process
        self._known = known
        self._alternative = alternative
        self._given: list[tuple[str, bool]] = []
        self._others: list[str] = []
        self.errors: list[str] = []

    def result(self) -> list[tuple[str, bool]]:
        """Return the words, and whether each is quoted."""
        return [*self._given, ("--", False), *((word, True) for word in self._others)]

    def read(self, words: list[str]) -> None:
        """Parse the words."""
        pending = list(reversed(words))
        while pending:
            word = pending.pop()
            ask(2 + (len(self._known) >> 2))
            if word == "--":
                self._others.extend(reversed(pending))
                return
            if word.startswith("--") or (self._alternative and word[:1] == "-" and self._is_long(word[1:])):
                self._long(word, pending)
            elif word.startswith("-") and len(word) > 1:
                self._letters(word, pending)
            elif self._mode == "+":
                self._others.append(word)
                self._others.extend(reversed(pending))
                return
            elif self._mode == "-":
                self._given.append((word, True))
            else:
                self._others.append(word)

    def _is_long(self, text: str) -> bool:
        name = text.partition("=")[0]
        if name and name[0] not in self._short:
            return True
        return len(text) > 1 and any(option.name.startswith(name) for option in self._known)

    def _long(self, word: str, pending: list[str]) -> None:
        name, equals, argument = word.lstrip("-").partition("=")
        found = [option for option in self._known if option.name == name][:1] or [
            option for option in self._known if option.name.startswith(name)
        ]
        if not found:
            self.errors.append(f"unrecognized option '{word}'")
        elif len(found) > 1:
            possible = " ".join(f"'--{option.name}'" for option in found)
            self.errors.append(f"option '{word}' is ambiguous; possibilities: {possible}")
        elif equals and not found[0].colons:
            self.errors.append(f"option '--{found[0].name}' doesn't allow an argument")
        elif found[0].colons == 1 and not equals and not pending:
            self.errors.append(f"option '--{found[0].name}' requires an argument")
        else:
            self._given.append((f"--{found[0].name}", False))
            if found[0].colons:
                self._given.append((argument if equals or found[0].colons == 2 else pending.pop(), True))

    def _letters(self, word: str, pending: list[str]) -> None:
        if len(word) > _MANY:
            self._process.hold(_HELD * len(word))
        for index, letter in enumerate(paced_if_many(word[1:]), 2):
            colons = self._short.get(letter)
            rest = word[index:] if colons else ""
            if colons is None:
                self.errors.append(f"invalid option -- '{letter}'")
            elif not colons:
                self._given.append((f"-{letter}", False))
            elif colons == 1 and not rest and not pending:
                self.errors.append(f"option requires an argument -- '{letter}'")
            else:
                self._given += [(f"-{letter}", False), (rest if rest or colons == 2 else pending.pop(), True)]
            if colons:
                return


def _quoted(word: str, *, csh: bool) -> str:
    """Quote a word for the shell."""
    if not csh:
        ask(len(word) >> 10)
        word = word.replace("'", "'\\''")
        return f"'{word}'"
    return "'" + "".join([_for_csh(word[start : start + _PART]) for start in range(0, len(word), _PART)]) + "'"


def _for_csh(part: str) -> str:
    ask(len(part) >> 2)
    part = part.replace("\\", "\\\\").replace("'", "'\\''").replace("!", "'\\!'").replace("\n", "\\n")
    return _SPACE.sub(r"'\\\g<0>'", part)
