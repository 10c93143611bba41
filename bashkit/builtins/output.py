"""echo and printf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.builtins.formats import compile_format
from bashkit.builtins.references import assign_target, is_element
from bashkit.builtins.registry import builtin, offer_help, refuse_assignment
from bashkit.interp.runtime.control import ExpansionError
from bashkit.interp.state.locales import escapes_in_locale
from bashkit.interp.state.scopes import NAME
from bashkit.syntax.escapes import echo as expand_echo

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_AT_ONCE = 4096  # words that echo writes together


@builtin("echo", usage="[-neE] [arg ...]", summary="Write arguments to the standard output.")
def echo(shell: Shell, arguments: list[str]) -> int:
    """Write the words, separated by blanks, and a newline."""
    index = 1
    newline, escapes = True, shell.options.shopt["xpg_echo"]
    if len(arguments) > 1 and arguments[1][:1] == "-" and not (escapes and shell.options.posix):
        while index < len(arguments):
            word = arguments[index]
            if word[:1] != "-" or len(word) == 1 or word.strip("neE") != "-":
                break
            for letter in word[1:]:
                if letter == "n":
                    newline = False
                else:
                    escapes = letter == "e"
            index += 1
    stream = shell.descriptors.get(1)
    if stream is None:
        raise OSError(9, "Bad file descriptor")
    if not escapes:  # a long list is never held as one text
        while len(arguments) - index > _AT_ONCE:
            text = " ".join(arguments[index : index + _AT_ONCE])
            stream.write((text + " ").encode("utf-8", "surrogateescape"))
            shell.budget.tick(_AT_ONCE + (len(text) >> 6))
            index += _AT_ONCE
    text = " ".join(arguments[index:])
    if escapes:
        text, stopped = expand_echo(escapes_in_locale(shell, text), shell.budget.tick)
        newline = newline and not stopped
    stream.write((text + "\n" if newline else text).encode("utf-8", "surrogateescape"))
    return 0


@builtin(
    "printf",
    usage="[-v var] format [arguments]",
    summary="Format and print arguments under control of the format.",
)
def printf(shell: Shell, arguments: list[str]) -> int:
    """Write the words as a format says."""
    words = arguments[1:]
    target = None
    if words and words[0][:1] == "-":
        options = _printf_options(shell, words)
        if options is None:
            return 2
        target, words = options
    if not words:
        shell.print_error("printf: usage: printf [-v var] format [arguments]")
        return 2
    status = 0
    text, errors = compile_format(escapes_in_locale(shell, words[0])).render(shell, words[1:])
    done = 0
    for place, message, fails in errors:
        ended = text.rfind("\n", done, place) + 1
        if target is None and ended:
            shell.write(text[done:ended])  # whole lines are written at once
            done = ended
        shell.complain("printf", message)
        status = status or int(fails)
    if target is None:
        shell.write(text[done:])
        return status
    try:
        assign_target(shell, target, text.partition("\0")[0])  # a value ends at a NUL, as every text of C
    except ExpansionError as error:
        return refuse_assignment(shell, "printf", [target], error)
    return status


def _printf_options(shell: Shell, words: list[str]) -> tuple[str | None, list[str]] | None:
    """The variable of ``-v`` and the words behind the options; None when they were refused."""
    target = None
    if words[0] == "-v" and len(words) > 2 and words[1] in shell.variables and words[2][:1] != "-":
        return words[1], words[2:]
    while words and words[0][:1] == "-" and words[0] not in {"-", "--"}:
        if words[0][:2] != "-v":
            offer_help(shell, "printf", words[0])
            shell.complain("printf", f"{words[0][:2]}: invalid option")
        elif words == ["-v"]:
            shell.complain("printf", "-v: option requires an argument")
        else:
            target, words = (words[0][2:], words[1:]) if len(words[0]) > 2 else (words[1], words[2:])
            if NAME.fullmatch(target) or is_element(shell, target):
                continue
            shell.complain("printf", f"`{target}': not a valid identifier")
            return None
        shell.print_error("printf: usage: printf [-v var] format [arguments]")
        return None
    return target, words[1:] if words[:1] == ["--"] else words
