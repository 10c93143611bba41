"""How a utility is declared: its name, usage and options beside the function that runs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeVar, overload

from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bashkit.interp.utility.observing import Observer
    from bashkit.interp.utility.process import Process


class UsageError(Exception):
    """A command line that a utility refuses; its message and a pointer to ``--help`` go to standard error.

    Args:
        message: What is wrong, without the command's name.
        hint: Whether to add the line ``Try 'NAME --help' for more information.``
        status: The exit status; None for the one the command declares.
    """

    def __init__(self, message: str, *, hint: bool = True, status: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.status = status


class ArgumentError(UsageError):
    """A wrong argument of an option; the message names the option as the command line does.

    Args:
        before: The message up to the argument, with ``{}`` for the option.
        argument: The argument, and what is said behind it.
    """

    def __init__(self, before: str, argument: str) -> None:
        super().__init__("", hint=False)
        self.before = before
        self.argument = argument

    def tell_of(self, spelling: str) -> None:
        """Fill in the option."""
        self.message = f"{self.before.format(spelling)} {self.argument}"


class HelpRequested(Exception):  # noqa: N818 - an answer, no error
    """``--help`` or ``--version`` was given: the text goes to standard output, and the utility is done."""


T = TypeVar("T")
_MANY = 512  # words
_FEW = 16  # words of a command line that is kept
_SHORT = 256  # characters of one
_KEPT = 8  # command lines that a utility keeps
_OPERAND = 8  # steps of the work on one
_DIGITS = "0123456789"
_STANDARD = ("--help", "--version")  # options that every utility has
_EXACT = frozenset({"bzip2", "ripgrep", "tree", "zstd"})  # programs whose long options cannot be abbreviated
_POINTERS = {  # what the utilities of a program say after a refusal, where it is not what most say
    "GNU diffutils": "{name}: Try '{name} --help' for more information.",
    "GNU patch": "{name}: Try '{name} --help' for more information.",
    "GNU cpio": "Try '{name} --help' or '{name} --usage' for more information.",
    "gzip": "Try `{name} --help' for more information.",
    "GNU libc": "Try `{name} --help' or `{name} --usage' for more information.",
    "XZ Utils": "{name}: Try `{name} --help' for more information.",
}


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a utility.

    Attributes:
        names: Every spelling: ``("-n", "--lines")``. The first one without its dashes is the key in Arguments.
        metavar: What its argument is called; empty for a flag.
        help: One line.
        optional: The argument may be left out (``--color[=WHEN]``, ``-i[SUFFIX]``).
        answer: ``--help`` or ``--version`` where it is another name of that; nothing else is done then.
        check: Called with every argument as the command line is read; it raises UsageError where the utility refuses a wrong
            argument even if a later one replaces it.
        numeral: Digits among the letters are its argument, too, as in ``-5``: ``digits`` alone, or the ``rest`` of the word.
        plus: A word like ``+5`` that this matches is its argument, too, without the sign.
    """

    names: tuple[str, ...]
    metavar: str = ""
    help: str = ""
    optional: bool = False
    answer: str = ""
    check: Callable[[str], object] | None = None
    numeral: Literal["", "digits", "rest"] = ""
    plus: Callable[[str], object] | None = None

    @property
    def key(self) -> str:
        """The name under which Arguments holds it."""
        return self.names[0].lstrip("-")


def flag(*names: str, help: str = "") -> Option:  # noqa: A002 - the word the reader expects
    """An option without an argument."""
    return Option(names, "", help)


def value(
    *names: str,
    metavar: str = "VALUE",
    help: str = "",  # noqa: A002
    optional: bool = False,
    check: Callable[[str], object] | None = None,
    numeral: Literal["", "digits", "rest"] = "",
    plus: Callable[[str], object] | None = None,
) -> Option:
    """An option with an argument."""
    return Option(names, metavar, help, optional, check=check, numeral=numeral, plus=plus)


def help_flag(*names: str) -> Option:
    """Other names of ``--help``."""
    return Option(names, "", "display this help and exit", answer="--help")


def version_flag(*names: str) -> Option:
    """Other names of ``--version``."""
    return Option(names, "", "output version information and exit", answer="--version")


class _Many(list[T]):
    """Words or options, also a part of them, of which each may cost some work: who goes through them gives way to others."""

    __slots__ = ()

    def __iter__(self) -> Iterator[T]:
        return paced(super().__iter__(), _OPERAND)

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> T: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[T]: ...
    def __getitem__(self, index: Any, /) -> Any:
        found = super().__getitem__(index)
        return _Many(found) if isinstance(index, slice) else found


class Arguments:
    """A parsed command line.

    Attributes:
        given: The options in the order given, each as ``(key, argument or None)``.
        operands: The words that are not options.
    """

    __slots__ = ("_made", "given", "operands")

    def __init__(self, given: list[tuple[str, str | None]], operands: list[str]) -> None:
        self.given = given if len(given) < _MANY else _Many(given)
        self.operands = operands if len(operands) < _MANY else _Many(operands)
        self._made: dict[Callable[[Arguments], Any], Any] = {}

    def once(self, make: Callable[[Arguments], T]) -> T:
        """What a utility makes of its command line alone: made once for all runs of a line that is kept, and changed by none."""
        made = self._made.get(make)
        if made is None:
            made = self._made[make] = make(self)
        found: T = made
        return found

    def again(self) -> Arguments:
        """The same for one more run, which may change its lists."""
        twin = Arguments(self.given.copy(), self.operands.copy())
        twin._made = self._made
        return twin

    def __contains__(self, key: str) -> bool:
        for name, _ in self.given:  # noqa: SIM110 - a generator takes thrice as long, and utilities ask often
            if name == key:
                return True
        return False

    def get(self, key: str, default: str | None = None) -> str | None:
        """The argument of the last option ``key``, or ``default`` when it was not given."""
        for name, argument in reversed(self.given):
            if name == key:
                return argument
        return default

    def all(self, key: str) -> list[str]:
        """The arguments of every option ``key``, in order."""
        return [argument for name, argument in self.given if name == key and argument is not None]

    def last(self, *keys: str) -> str | None:
        """Which of several options was given last, or None."""
        for name, _ in reversed(self.given):
            if name in keys:
                return name
        return None


class Main(Protocol):
    """The function of a utility: reads and writes through ``process``, returns the exit status."""

    def __call__(self, process: Process, arguments: Arguments, /) -> int:
        """Run the utility."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A declared utility.

    Attributes:
        name: The command word.
        run: The function.
        usage: The synopsis without the name: ``[OPTION]... [FILE]...``.
        summary: One line, for ``help`` and for the model.
        options: What it accepts; None hands the words over unparsed.
        usage_status: The exit status of a command line it refuses.
        write_status: The exit status if standard output cannot be written, where that is another one; 0 of programs that do not
            notice.
        stop_at_operand: Options end at the first operand (POSIX order, as in ``env`` and ``xargs``).
        notes: More text for ``--help``.
        rewrite: Turns obsolete spellings (``head -5``) into present ones before the words are parsed.
        digit: What it says of a digit among the letters, if that is not what it says of an unknown letter.
        model: The program and version whose behaviour it has, for ``--version``.
        speaks_as: The name in its messages where that is another one: egrep is ``grep -E``.
        shows_usage: A refusal shows the synopsis, too.
        refuse: Tells of a command line that cannot be parsed, where that is not done by the message and a pointer to ``--help``.
        observer: Who looks at what it reads; ``run`` calls it already.
        ordered: What background jobs print that call it comes in the order of the jobs.
        buffered: What it writes into a pipe goes there a block at a time, as the C library does it.
        spellings: The option of each spelling.
        lines: Short command lines that it was called with lately; those that came twice are parsed.
    """

    name: str
    run: Main
    usage: str
    summary: str
    options: tuple[Option, ...] | None = ()
    usage_status: int = 1
    stop_at_operand: bool = False
    notes: str = ""
    rewrite: Callable[[list[str]], list[str]] | None = None
    digit: Callable[[str], UsageError] | None = None
    model: str = "GNU coreutils 9.1"
    speaks_as: str = ""
    shows_usage: bool = False
    refuse: Callable[[Process, UsageError], None] | None = None
    observer: Observer | None = None
    ordered: bool = False
    buffered: bool = False
    write_status: int | None = None
    spellings: dict[str, Option] = field(default_factory=dict, compare=False)
    lines: dict[tuple[str, ...], Arguments | None] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for option in self.options or ():
            for name in option.names:
                self.spellings[name] = option
            if option.numeral:
                self.spellings.update(dict.fromkeys(_DIGITS, option))
            if option.plus:
                self.spellings["+"] = option

    def help(self) -> str:
        """What ``NAME --help`` prints."""
        lines = [f"Usage: {self.name} {self.usage}".rstrip(), self.summary]
        if self.options:
            lines.append("")
            lines.extend(_describe(option) for option in self.options)
        if self.notes:
            lines.extend(["", self.notes.rstrip()])
        return "\n".join(lines) + "\n"

    def pointer(self) -> str:
        """What a refusal says after its message."""
        name = self.speaks_as or self.name
        usage = f"Usage: {name} {self.usage}\n" if self.shows_usage else ""
        program = self.model.rpartition(" ")[0]
        return usage + _POINTERS.get(program, "Try '{name} --help' for more information.").format(name=name) + "\n"

    def version(self) -> str:
        """What ``NAME --version`` prints; scripts look for the model's name and number in it."""
        program, _, number = self.model.rpartition(" ")
        about = f"This is bashkit's own {self.name}; it behaves as that of {program} {number} does."
        name = self.speaks_as or self.name
        return f"{name if program == name else f'{name} ({program})'} {number}\n{about}\n"

    def _answer(self, name: str) -> HelpRequested:
        return HelpRequested(self.help() if name == "--help" else self.version())

    def parse(self, words: list[str]) -> Arguments:
        """Sort a command line into options and operands, as getopt_long(3) does.

        Raises:
            HelpRequested: It asks for ``--help`` or ``--version``.
            UsageError: An unknown option, or one whose argument is missing or unexpected.
        """
        if len(words) > _FEW or sum(map(len, words)) > _SHORT:
            return self._parsed(words)
        line = tuple(words)
        known = self.lines.get(line)
        if known is not None:
            return known.again()
        found = self._parsed(words)
        if line in self.lines:
            self.lines[line] = found
            return found.again()
        if len(self.lines) >= _KEPT:
            self.lines.clear()
        self.lines[line] = None  # most lines come once
        return found

    def _parsed(self, words: list[str]) -> Arguments:
        if self.options is None:
            return Arguments([], words)
        if len(words) >= _MANY:
            words = _Many(words)
        if self.rewrite is not None:
            words = self.rewrite(words)
            words = words if len(words) < _MANY else _Many(words)
        given: list[tuple[str, str | None]] = []
        operands: list[str] = []
        pending = iter(words)
        for word in pending:
            if word == "--":
                operands.extend(pending)
            elif word.startswith("--"):
                self._long(word, pending, given)
            elif word.startswith("-") and len(word) > 1:
                self._short(word, pending, given)
            elif word.startswith("+") and self._plus(word):
                _add(self.spellings["+"], "+", word[1:], given)
            else:
                operands.append(word)
                if self.stop_at_operand:
                    operands.extend(pending)
        return Arguments(given, operands)

    def _long(self, word: str, pending: Iterable[str], given: list[tuple[str, str | None]]) -> None:
        name, equals, argument = word.partition("=")
        option = self.spellings.get(name)
        if option is None:
            matches = [name] if name in _STANDARD else self._abbreviated(name)
            found = {self.spellings[full].key if full in self.spellings else full for full in matches}
            if len(found) > 1:
                possible = " ".join(f"'{full}'" for full in matches)
                raise UsageError(f"option '{word}' is ambiguous; possibilities: {possible}")
            if not matches:
                raise UsageError(f"unrecognized option '{word}'")
            name = matches[0]
            if name not in self.spellings:
                if equals:
                    raise UsageError(f"option '{name}' doesn't allow an argument")
                raise self._answer(name)
            option = self.spellings[name]
        if not option.metavar:
            if equals:
                raise UsageError(f"option '{name}' doesn't allow an argument")
            if option.answer:
                raise self._answer(option.answer)
            given.append((option.key, None))
        elif equals:
            _add(option, name, argument, given)
        elif option.optional:
            _add(option, name, None, given)
        else:
            following = next(iter(pending), None)
            if following is None:
                raise UsageError(f"option '{name}' requires an argument")
            _add(option, name, following, given)

    def _digits(self, word: str, start: int, pending: Iterable[str], given: list[tuple[str, str | None]]) -> None:
        """Digits among the letters of a word, and what follows them."""
        option = self.spellings.get(word[start])
        if option is None:
            raise UsageError(f"invalid option -- '{word[start]}'") if self.digit is None else self.digit(word[start])
        rest = word[start:]
        behind = "" if option.numeral == "rest" else rest.lstrip(_DIGITS)
        _add(option, "-", rest.removesuffix(behind), given)
        if behind:
            self._short(f"-{behind}", pending, given)

    def _abbreviated(self, name: str) -> list[str]:
        """The long options that a word may mean."""
        if self.model.rpartition(" ")[0] in _EXACT:
            return []
        return [full for full in (*self.spellings, *_STANDARD) if full.startswith(name)]

    def _plus(self, word: str) -> bool:
        option = self.spellings.get("+")
        return option is not None and option.plus is not None and option.plus(word[1:]) is not None

    def _short(self, word: str, pending: Iterable[str], given: list[tuple[str, str | None]]) -> None:
        for index, letter in enumerate(word[1:], 2):
            option = self.spellings.get("-" + letter)
            if option is None:
                if letter not in _DIGITS:
                    raise UsageError(f"invalid option -- '{letter}'")
                self._digits(word, index - 1, pending, given)
                return
            if not option.metavar:
                if option.answer:
                    raise self._answer(option.answer)
                given.append((option.key, None))
                continue
            argument: str | None = word[index:]
            if not argument:
                argument = None if option.optional else next(iter(pending), None)
                if argument is None and not option.optional:
                    raise UsageError(f"option requires an argument -- '{letter}'")
            _add(option, "-" + letter, argument, given)
            return


def _add(option: Option, spelling: str, argument: str | None, given: list[tuple[str, str | None]]) -> None:
    if option.check is not None and argument is not None:
        try:
            option.check(argument)
        except ArgumentError as error:
            error.tell_of(spelling)
            raise
    given.append((option.key, argument))


def _describe(option: Option) -> str:
    names = ", ".join(option.names if "-NUM" in option.names or not option.numeral else ("-NUM", *option.names))
    if option.metavar:
        names += f"[={option.metavar}]" if option.optional else f" {option.metavar}"
    left = f"  {names}"
    gap = "\n" + " " * 26 if len(left) > 24 else " " * (26 - len(left))
    return f"{left}{gap}{option.help}".rstrip()


def command(
    name: str,
    *,
    usage: str,
    summary: str,
    options: tuple[Option, ...] | None = (),
    usage_status: int = 1,
    stop_at_operand: bool = False,
    notes: str = "",
    rewrite: Callable[[list[str]], list[str]] | None = None,
    digit: Callable[[str], UsageError] | None = None,
    model: str = "GNU coreutils 9.1",
    speaks_as: str = "",
    shows_usage: bool = False,
    refuse: Callable[[Process, UsageError], None] | None = None,
    write_status: int | None = None,
) -> Callable[[Main], Command]:
    """Declare the decorated function as the utility ``name``; the parameters are those of Command."""

    def declare(function: Main) -> Command:
        return Command(
            name,
            function,
            usage,
            summary,
            options,
            usage_status,
            stop_at_operand,
            notes,
            rewrite,
            digit,
            model,
            speaks_as,
            shows_usage,
            refuse,
            buffered=True,
            write_status=write_status,
        )

    return declare
