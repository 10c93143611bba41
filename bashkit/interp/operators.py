"""The operators of parameter expansion that map a string to a string: removal, substitution, case, transformation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.quoting import single_quote
from bashkit.regex.glob import GlobMatcher, LiteralGlob, compile_glob
from bashkit.syntax.escapes import ansi_c
from bashkit.syntax.nodes import DoubleQuoted, Quoted, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.interp.shell import Shell
    from bashkit.syntax.nodes import ParameterExpansion

    Apply = Callable[[str], str]
    Mapper = Callable[[Shell], Apply]
    Scalar = Callable[[Shell], str]


_PIECES = 65536  # pieces of a result that are kept apart before they are joined


def matcher_for(shell: Shell, pattern: str) -> GlobMatcher:
    """The matcher of a pattern under the shell's options."""
    return compile_glob(pattern, extglob=True, ignore_case=shell.shopt["nocasematch"])


def compile_mapper(part: ParameterExpansion) -> Mapper:
    """The closure that prepares the operator (expanding its words once) and gives the function to apply to each value."""
    operator = part.operator
    if operator.startswith("@"):
        return _transformer(operator[1:])
    from bashkit.interp.expansion import compile_pattern

    pattern = compile_pattern(part.argument or Word(()))
    if operator in {"#", "##", "%", "%%"}:
        return _remover(operator, pattern)
    if operator in {"/", "//", "/#", "/%"}:
        return _replacer(operator, pattern, part.second)
    return _case_changer(operator, pattern)


def _remover(operator: str, pattern: Scalar) -> Mapper:
    longest = len(operator) == 2
    at_start = operator[0] == "#"

    def prepare(shell: Shell) -> Apply:
        matcher = compile_glob(pattern(shell), extglob=True)
        budget = shell.budget

        def remove(value: str) -> str:
            budget.tick(len(value) >> 10)
            if at_start:
                size = matcher.prefix(value, longest, budget)
                return value[size:] if size else value
            size = matcher.suffix(value, longest, budget)
            return value[:-size] if size else value

        return remove

    return prepare


def _replacer(operator: str, pattern: Scalar, replacement: Word | None) -> Mapper:
    pieces = _replacement_pieces(replacement)

    def prepare(shell: Shell) -> Apply:
        wanted = pattern(shell)
        matcher = matcher_for(shell, wanted)
        active = shell.shopt["patsub_replacement"]
        template = [(piece(shell), special and active) for piece, special in pieces]
        plain = "".join(text for text, _ in template)
        refers = any(special and ("&" in text or "\\" in text) for text, special in template)
        budget = shell.budget

        def replace(value: str) -> str:
            if operator == "//" and not refers and isinstance(matcher, LiteralGlob) and wanted:
                literal = matcher.literal
                budget.string(len(value) + value.count(literal) * (len(plain) - len(literal)))
                return value.replace(literal, plain)
            done: list[str] = []
            position = size = 0
            for start, end in _spans(operator, matcher, value, shell) if wanted else _edges(operator, value):
                new = _fill(template, value[start:end]) if refers else plain
                size += start - position + len(new)
                budget.string(size)
                budget.tick()
                done.append(value[position:start])
                done.append(new)
                position = end
                if len(done) > _PIECES:
                    done = ["".join(done)]
            done.append(value[position:])
            return "".join(done)

        return replace

    return prepare


def _edges(operator: str, value: str) -> list[tuple[int, int]]:
    """Where an empty pattern matches: only where it is anchored."""
    if operator == "/#":
        return [(0, 0)]
    return [(len(value), len(value))] if operator == "/%" else []


def _spans(operator: str, matcher: GlobMatcher, value: str, shell: Shell) -> Iterable[tuple[int, int]]:
    """The places to replace, lazily: a long value may have millions."""
    budget = shell.budget
    budget.tick(len(value) >> 8)
    if operator == "/#":
        end = matcher.prefix(value, True, budget)
        return [] if end is None else [(0, end)]
    if operator == "/%":
        size = matcher.suffix(value, True, budget)
        return [] if size is None else [(len(value) - size, len(value))]
    found = matcher.finditer(value, budget)
    if operator == "/":
        first = next(iter(found), None)
        return [] if first is None or first[0] == first[1] else [first]
    return (span for span in found if span[0] != span[1])


def _replacement_pieces(replacement: Word | None) -> list[tuple[Scalar, bool]]:
    """The replacement's parts, and for each whether ``&`` stands for the match in it."""
    from bashkit.interp.expansion import has_tilde, scalar_part, tilde_parts

    if replacement is None:
        return []
    pieces: list[tuple[Scalar, bool]] = []
    for part in tilde_parts(replacement) if has_tilde(replacement) else replacement.parts:
        if callable(part):
            pieces.append((part, False))
        else:
            pieces.append((scalar_part(part), not isinstance(part, (Quoted, DoubleQuoted))))
    return pieces


def _fill(template: list[tuple[str, bool]], match: str) -> str:
    done: list[str] = []
    for text, special in template:
        if not special:
            done.append(text)
            continue
        index = 0
        while index < len(text):
            character = text[index]
            if character == "\\" and text[index + 1 : index + 2] in {"&", "\\"}:
                index += 1
                done.append(text[index])
            elif character == "&":
                done.append(match)
            else:
                done.append(character)
            index += 1
    return "".join(done)


def _case_changer(operator: str, pattern: Scalar) -> Mapper:
    every = len(operator) == 2
    change: Callable[[str], str] = {"^": str.upper, ",": str.lower, "~": str.swapcase}[operator[0]]

    def prepare(shell: Shell) -> Apply:
        text = pattern(shell)
        matcher = None if text in {"", "?"} else compile_glob(text, extglob=True)

        def convert(value: str) -> str:
            if not every:
                if value and (matcher is None or matcher.matches(value[0])):
                    return change(value[0]) + value[1:]
                return value
            if matcher is None:
                return change(value)
            return "".join(change(character) if matcher.matches(character) else character for character in value)

        return convert

    return prepare


def _transformer(letter: str) -> Mapper:
    def prepare(shell: Shell) -> Apply:
        if letter == "Q":
            return single_quote
        if letter == "E":
            return ansi_c
        if letter == "P":
            from bashkit.interp.prompt import expand_prompt

            return lambda value: expand_prompt(shell, value)
        if letter == "U":
            return str.upper
        if letter == "L":
            return str.lower
        return lambda value: value[:1].upper() + value[1:]

    return prepare
