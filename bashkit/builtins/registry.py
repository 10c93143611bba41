"""How a builtin is declared, and the table of them all (bash(1), SHELL BUILTIN COMMANDS)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeVar

from bashkit.interp.expand.assignments import ArrayArgument
from bashkit.interp.runtime.control import (
    USAGE_STATUS,
    ExitShell,
    ExpansionError,
    SpecialBuiltinFailed,
    SurplusError,
    UsageRefused,
)
from bashkit.interp.state.assignment_errors import ReadonlyError, TargetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Builtin, Shell

    Options = list[tuple[str, str]]
    Check = Callable[[Shell, str, str], str]  # of an option: its letter and its argument

F = TypeVar("F", bound="Callable[..., int]")
_DIGITS, _BEYOND = 19, 1 << 63
_INTEGER = re.compile(r"[ \t-\r]*[-+]?[0-9]+[ \t]*")  # as strtoimax(3) reads one, and blanks after it


@dataclass(frozen=True, slots=True)
class Declaration:
    """A builtin with what ``help`` says about it.

    Attributes:
        name: The command word.
        run: The function; it gets the shell and all words, the name first.
        usage: The synopsis without the name.
        summary: One line.
        special: A POSIX special builtin: in posix mode its failure ends the shell, and assignments before it last (XCU 2.14).
        program: A file of /usr/bin besides: what starts programs (``env``, ``xargs``) finds it.
        scoped: Assignments before it are a scope around it: what it assigns to such a variable is gone with that. Without one it
            assigns to the variable that is hidden as well.
    """

    name: str
    run: Builtin
    usage: str
    summary: str
    special: bool = False
    program: bool = False
    scoped: bool = False

    def help(self) -> str:
        """What ``help NAME`` and ``NAME --help`` print."""
        return f"{self.name}: {self.name} {self.usage}".rstrip() + f"\n    {self.summary}\n"


DECLARED: dict[str, Declaration] = {}


def builtin(
    *names: str,
    usage: str = "",
    summary: str,
    special: bool = False,
    program: bool = False,
    scoped: bool = False,
    options: str | None = None,
    signed: bool = False,
    named: bool = False,
    check: Check | None = None,
    plain: Callable[[Shell, list[str]], int | None] | None = None,
) -> Callable[[F], F]:
    """Declare the decorated function as a builtin under one or more names.

    Args:
        names: The command words.
        usage: The synopsis without the name, for ``help`` and refusals.
        summary: One line.
        special: See Declaration.
        program: See Declaration.
        scoped: See Declaration.
        options: Its option letters, as for ``parse_options``: the function gets the shell, the options and the operands. Without
            them it gets the shell and all words.
        signed: ``+x`` turns an option off.
        named: With options the function gets the word that it was called by, too, before them.
        check: As for ``parse_options``.
        plain: Tried with all words before the options are parsed: the status, or None for what is not as common.
    """

    def declare(function: F) -> F:
        run: Builtin = (
            function if options is None else _parsing(function, options, signed=signed, named=named, check=check, plain=plain)
        )
        for name in names:
            DECLARED[name] = Declaration(name, run, usage, summary, special, program, scoped)
        return function

    return declare


def _parsing(
    function: Callable[..., int],
    letters: str,
    *,
    signed: bool,
    named: bool,
    check: Check | None,
    plain: Callable[[Shell, list[str]], int | None] | None,
) -> Builtin:
    if named:

        def run_named(shell: Shell, arguments: list[str]) -> int:
            if plain is not None and (status := plain(shell, arguments)) is not None:
                return status
            return function(shell, arguments[0], *parse_options(shell, arguments, letters, plus=signed, check=check))

        return run_named

    def run(shell: Shell, arguments: list[str]) -> int:
        if plain is not None and (status := plain(shell, arguments)) is not None:
            return status
        options, words = parse_options(shell, arguments, letters, plus=signed, check=check)
        return function(shell, options, words)

    return run


def end_special(shell: Shell, status: int, *, trapped: bool = True) -> int:
    """What a special builtin that failed returns; in posix mode its failure ends the shell (POSIX XCU 2.8.1).

    Args:
        shell: The shell.
        status: The status.
        trapped: An ERR trap keeps the shell, and so does a condition in the same text, as they do in bash.

    Raises:
        SpecialBuiltinFailed: In posix mode.
    """
    if shell.options.posix and not (trapped and (shell.is_asked or shell.traps.get("ERR"))):
        raise SpecialBuiltinFailed(status)
    return status


def is_number(word: str) -> bool:
    """Whether a word is an integer of 64 bits, as builtins take them."""
    if _INTEGER.fullmatch(word) is None:
        return False
    digits = word.strip().lstrip("+-0")
    return len(digits) < _DIGITS or (len(digits) == _DIGITS and int(digits) < _BEYOND + ("-" in word))


def refuse_arguments(shell: Shell, name: str) -> NoReturn:
    """Report words after the only one that a builtin takes; bash gives up the script, or its line when it comes from a file.

    Raises:
        ExitShell: The script is ``bash -c``.
        SurplusError: Otherwise.
    """
    shell.complain(name, "too many arguments")
    if shell.invocation.command_string:
        raise ExitShell(1)
    raise SurplusError("")


def refuse_assignment(shell: Shell, name: str, targets: list[str], error: ExpansionError) -> int:
    """Tell that a builtin cannot assign one of its variables; gives its status.

    Args:
        shell: The shell.
        name: The builtin; it stands before messages about a value, but not before those about the subscript of an element.
        targets: The variables.
        error: Why not.

    Raises:
        ExpansionError: It ends more than the builtin.
    """
    if error.of_arithmetic and not any("[" in target for target in targets):
        error.message = f"{name}: {error.message}"
    if error.fatal or error.of_arithmetic or isinstance(error, ReadonlyError):
        raise error
    if isinstance(error, TargetError):
        shell.complain(name, f"`{error.target}': not a valid identifier")
    else:
        shell.warn(error.message)
    return 1


def parse_options(
    shell: Shell, arguments: list[str], letters: str, *, plus: bool = False, check: Check | None = None
) -> tuple[list[tuple[str, str]], list[str]]:
    """Split a builtin's words into options and operands, as its getopt does.

    Args:
        shell: Where errors are reported.
        arguments: All words, the name first.
        letters: The option letters; a colon after one says that it takes an argument, a semicolon that it takes one which may be
            left out: the rest of the word, or a next word that is no option.
        plus: ``+x`` turns an option off; such an option is returned with its argument ``"+"``, or as ``"+x"`` if it takes one.
        check: Says what is wrong with an argument that an option takes, "" for nothing; asked as the option is met, since bash
            reports the first mistake of a command line.

    Returns:
        Options as (letter, argument) with argument "" for flags, and the operands.

    Raises:
        UsageRefused: An unknown option or a wrong argument, which is reported; or ``--help``, which is answered.
    """
    found: list[tuple[str, str]] = []
    name = arguments[0]
    index = 1
    while index < len(arguments):
        word = arguments[index]
        if word == "--":
            index += 1
            break
        if len(word) < 2 or (word[0] != "-" and not (plus and word[0] == "+")):
            break
        index += 1
        for position, letter in enumerate(word[1:], 2):
            where = letters.find(letter) if letter not in ":;" else -1
            if where < 0:
                offer_help(shell, name, word)
                assign_lists(shell, arguments)
                refuse_option(shell, name, f"{word[0]}{letter}: invalid option")
            if letters[where + 1 : where + 2] == ":":
                argument = word[position:]
                if not argument:
                    if index >= len(arguments):
                        refuse_option(shell, name, f"-{letter}: option requires an argument")
                    argument = arguments[index]
                    index += 1
                if check is not None and (refused := check(shell, letter, argument)):
                    shell.complain(name, refused)
                    raise UsageRefused(1)
                found.append((letter if word[0] == "-" else "+" + letter, argument))
                break
            if letters[where + 1 : where + 2] == ";":
                argument = word[position:]
                if not argument and index < len(arguments) and not arguments[index].startswith("-"):
                    argument = arguments[index]
                    index += 1
                found.append((letter, argument))
                break
            found.append((letter, "+" if word[0] == "+" else ""))
    return found, arguments[index:]


def offer_help(shell: Shell, name: str, word: str) -> None:
    """Describe a builtin whose argument is ``--help``; its status is then 2 (bash(1), SHELL BUILTIN COMMANDS).

    Raises:
        SpecialBuiltinFailed: In posix mode, when the builtin is special.
        UsageRefused: Otherwise, if the builtin was described.
    """
    if word == "--help" and name in DECLARED:
        shell.write(DECLARED[name].help())
        if DECLARED[name].special:
            end_special(shell, USAGE_STATUS)
        raise UsageRefused


def assign_lists(shell: Shell, arguments: list[str]) -> None:
    """Assign the lists among the arguments of a declaration, as bash has done before the builtin looks at its options."""
    lists: list[str] = [argument for argument in arguments if isinstance(argument, ArrayArgument)]
    if lists:
        given = "".join(argument for argument in arguments if argument.__class__ is str and argument.startswith("-"))
        DECLARED["declare"].run(shell, ["declare", *("-" + letter for letter in "aAgilu" if letter in given), *lists])


def refuse_option(shell: Shell, name: str, message: str | None) -> NoReturn:
    """Report an unknown option and how the builtin is used; without a message only the latter.

    Raises:
        SpecialBuiltinFailed: In posix mode, when the builtin is special (POSIX XCU 2.8.1).
        UsageRefused: Otherwise.
    """
    if message is not None:
        shell.complain(name, message)
    declaration = DECLARED.get(name)
    if declaration is not None:
        shell.print_error(f"{name}: usage: {name} {declaration.usage}".rstrip())
        if declaration.special:
            end_special(shell, USAGE_STATUS)
    raise UsageRefused
