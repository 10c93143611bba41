"""The operators of parameter expansion that map a string to a string: removal, substitution, case, transformation."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from bashkit.interp.expand.fields import escape_pattern
from bashkit.interp.expand.patterns import compile_pattern, constant_pattern, escape_with_anchors
from bashkit.interp.expand.prompt_strings import expand_prompt
from bashkit.interp.expand.words import constant, has_tilde, scalar_part, tilde_parts
from bashkit.interp.runtime.pieces import PIECE, in_pieces
from bashkit.interp.state.locales import from_locale, in_locale, lower, swap, upper
from bashkit.interp.state.quoting import single_quote
from bashkit.regex.glob import LONG, GlobMatcher, LiteralGlob, SegmentGlob, compile_glob, shape
from bashkit.syntax.escapes import ansi_c
from bashkit.syntax.nodes import DoubleQuoted, Quoted, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.interp.state.shell import Shell
    from bashkit.limits import Budget
    from bashkit.syntax.nodes import ParameterExpansion

    Apply = Callable[[str], str]
    Mapper = Callable[[Shell], Apply]
    FixedMapper = Callable[[str, Budget], str]
    Scalar = Callable[[Shell], str]


_NO_CHARACTER = LiteralGlob("")  # what a pattern matches that is longer than one
_PIECES = 65536  # pieces of a result that are kept apart before they are joined


def matcher_for(shell: Shell, pattern: str) -> GlobMatcher:
    """The matcher of a pattern under the shell's options."""
    options = shell.options.shopt
    return compile_glob(pattern, extglob=options["extglob"], ignore_case=options["nocasematch"])


def condition_matcher(shell: Shell, pattern: str) -> GlobMatcher:
    """The matcher of a pattern of ``[[``, where extended patterns are always on."""
    return compile_glob(pattern, extglob=True, ignore_case=shell.options.shopt["nocasematch"])


def fixed_mapper(part: ParameterExpansion) -> FixedMapper | None:
    """The function of an operator whose words are constant and whose work is simple, or None.

    It asks for no option of the shell: ``nocasematch`` must be off.
    """
    operator = part.operator
    pattern = constant_pattern(part.argument or Word(()))
    if pattern is None or len(pattern) > LONG or "(" in pattern:
        return None
    if operator in {"^^", ",,"} and pattern in {"", "?"} and not _is_pair_of_quotes(part.argument):
        change = upper if operator == "^^" else lower
        return lambda value, budget: change(value) if len(value) <= PIECE else in_pieces(change, value, budget)
    if operator in {"#", "##", "%", "%%"}:
        return _fixed_remover(operator, pattern)
    replacement = "" if part.second is None else constant(part.second)
    if operator not in {"/", "//"} or replacement is None or "&" in replacement or "\\" in replacement or "~" in replacement:
        return None
    found = None if pattern[:1] in {"#", "%"} else shape(pattern)  # it may be an anchor
    if found is None or found[0] != "exact":
        return None
    literal, new, count = found[1], replacement, 1 if operator == "/" else -1
    growth = len(new) - len(literal)

    def replace(value: str, budget: Budget) -> str:
        if growth > 0:
            budget.string(len(value) + (value.count(literal) if count < 0 else 1) * growth)
        return value.replace(literal, new, count)

    return replace


def _fixed_remover(operator: str, pattern: str) -> FixedMapper | None:
    found = shape(pattern)
    if found is None:
        return None
    kind, text = found
    size = len(text)
    if kind == "exact" or (kind, operator) in {("starts", "#"), ("ends", "%")}:
        if operator[0] == "#":
            return lambda value, budget: value.removeprefix(text)  # noqa: ARG005
        return lambda value, budget: value.removesuffix(text)  # noqa: ARG005
    if (kind, operator) == ("starts", "##"):
        return lambda value, budget: "" if value.startswith(text) else value  # noqa: ARG005
    if (kind, operator) == ("ends", "%%"):
        return lambda value, budget: "" if value.endswith(text) else value  # noqa: ARG005
    find = str.find if operator in {"#", "%%"} else str.rfind
    if operator[0] == "#":  # #*text, ##*text

        def remove_before(value: str, budget: Budget) -> str:  # noqa: ARG001 - a FixedMapper
            place = find(value, text)
            return value if place < 0 else value[place + size :]

        return remove_before

    def remove_behind(value: str, budget: Budget) -> str:  # noqa: ARG001 - a FixedMapper
        place = find(value, text)
        return value if place < 0 else value[:place]

    return remove_behind


def compile_mapper(part: ParameterExpansion) -> Mapper:
    """The closure that prepares the operator (expanding its words once) and gives the function to apply to each value."""
    if part.operator.startswith("@"):
        return _transformer(part.operator[1:])
    prepare = _compile_mapper(part)

    def prepare_for_locale(shell: Shell) -> Apply:
        apply = prepare(shell)
        return lambda value: apply(value) if value.isascii() else from_locale(apply(in_locale(shell, value)))

    return prepare_for_locale


def _compile_mapper(part: ParameterExpansion) -> Mapper:
    operator = part.operator
    anchored = operator in {"/#", "/%"}  # the mark is the first character of the word, and the tilde is not
    escape = escape_with_anchors if operator == "/" else escape_pattern
    pattern = compile_pattern(part.argument or Word(()), tilde=not anchored, escape=escape)
    if operator in {"#", "##", "%", "%%"}:
        fixed = fixed_mapper(part)
        return _remover(operator, pattern) if fixed is None else lambda shell: lambda value: fixed(value, shell.budget)
    if operator in {"/", "//", "/#", "/%"}:
        return _replacer(operator, pattern, part.second)
    return _case_changer(operator, pattern, quoted=_has_quotes(part.argument))


def _remover(operator: str, pattern: Scalar) -> Mapper:
    longest = len(operator) == 2
    at_start = operator[0] == "#"

    def prepare(shell: Shell) -> Apply:
        text, extglob, budget = in_locale(shell, pattern(shell)), shell.options.shopt["extglob"], shell.budget
        matcher = compile_glob(text, extglob=extglob)

        def remove(value: str) -> str:
            budget.tick(len(value) >> 10)
            if at_start:
                size = matcher.prefix(value, longest, budget)
                return value[size:] if size else value
            size = matcher.suffix(value, longest, budget)
            return value[:-size] if size else value

        return remove

    return prepare


def _replacer(written: str, pattern: Scalar, replacement: Word | None) -> Mapper:
    pieces = _replacement_pieces(replacement)

    def prepare(shell: Shell) -> Apply:
        wanted, operator = in_locale(shell, pattern(shell)), written
        if written == "/" and wanted[:1] in {"#", "%"}:  # an expansion gave the anchor
            wanted, operator = wanted[1:], written + wanted[0]
        if _miscounted(wanted):
            return lambda value: value
        matcher = matcher_for(shell, wanted)
        counted = shell.options.shopt["extglob"] and ("@(" in wanted or "+(" in wanted)
        starred = wanted.startswith("*") and not counted
        gate = _gate(shell, operator, wanted) if "(" in wanted and shell.options.shopt["extglob"] else None
        active = shell.options.shopt["patsub_replacement"]
        template = [(piece(shell), special and active) for piece, special in pieces]
        plain = "".join(text for text, _ in template)
        refers = any(special and ("&" in text or "\\" in text) for text, special in template)
        budget = shell.budget

        def replace(value: str) -> str:
            if gate is not None and not gate.matches(value, budget):
                return value
            if operator == "//" and wanted and not refers and isinstance(matcher, LiteralGlob):
                literal = matcher.literal
                budget.string(len(value) + value.count(literal) * (len(plain) - len(literal)))
                return value.replace(literal, plain)
            if (
                operator == "//"
                and wanted
                and not refers
                and isinstance(matcher, SegmentGlob)
                and len(value) * len(plain) < _PIECES << 4
            ):
                replaced = matcher.replace_all(value, plain)
                if replaced is not None:
                    budget.tick(len(value) >> 6)
                    return replaced
            done: list[str] = []
            position = size = 0
            spans = _spans(operator, matcher, value, shell, starred, counted=counted) if wanted else _edges(operator, value)
            for start, end in spans:
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


def _gate(shell: Shell, operator: str, pattern: str) -> GlobMatcher | None:
    """What a value must match before anything is looked for in it; None where that is certain.

    Undocumented: bash sets stars around the pattern, and never finds what it reads in another way then, such as a ``(``.
    """
    if pattern[0] != "(" and (pattern.count("(") == pattern.count(")") or pattern[:2] in {"*(", "?("}):
        return None
    if operator == "/#":
        return None
    return matcher_for(shell, f"*{pattern}{'*' if operator != '/%' else ''}")


def _miscounted(pattern: str) -> bool:
    """Whether bash counts the characters of a pattern wrongly, so that it looks for matches of a length that none has.

    It takes the bracket after ``[^`` or ``[!`` for the end of the expression; only ``*`` saves it from counting.
    """
    return "[" in pattern and ("[^]" in pattern or "[!]" in pattern) and "*" not in pattern


def _edges(operator: str, value: str) -> list[tuple[int, int]]:
    """Where an empty pattern matches: only where it is anchored."""
    if operator == "/#":
        return [(0, 0)]
    return [(len(value), len(value))] if operator == "/%" else []


def _spans(
    operator: str, matcher: GlobMatcher, value: str, shell: Shell, starred: bool, *, counted: bool
) -> Iterable[tuple[int, int]]:
    """The places to replace, lazily: a long value may have millions.

    Args:
        operator: Which of them.
        matcher: The pattern.
        value: What they are in.
        shell: The shell.
        starred: The pattern may match an empty value; undocumented: others do not, but for ``%``.
        counted: The pattern does not match the empty text at the end; undocumented: ``@(`` and ``+(`` count as a character.
    """
    budget = shell.budget
    budget.tick(len(value) >> 8)
    if not value and operator != "/%":  # undocumented: there only a star finds nothing
        return [(0, 0)] if starred and matcher.matches(value, budget) else []
    if operator == "/#":
        end = matcher.prefix(value, True, budget)
        return [] if end is None else [(0, end)]
    if operator == "/%":
        size = matcher.suffix(value, True, budget)
        return [] if size is None or (counted and not size) else [(len(value) - size, len(value))]
    found = matcher.finditer(value, budget)
    return islice(found, 1) if operator == "/" else found


def _replacement_pieces(replacement: Word | None) -> list[tuple[Scalar, bool]]:
    """The replacement's parts, and for each whether ``&`` stands for the match in it."""
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


def _has_quotes(word: Word | None) -> bool:
    return word is not None and any(isinstance(part, (Quoted, DoubleQuoted)) for part in word.parts)


def _is_pair_of_quotes(word: Word | None) -> bool:
    return word is not None and bool(word.parts) and constant_pattern(word) == ""


def _case_changer(operator: str, pattern: Scalar, *, quoted: bool) -> Mapper:
    """``${x^pattern}`` and its kin; ``quoted``: there are quotes in the pattern, so that an empty one matches no character."""
    every = len(operator) == 2
    change: Callable[[str], str] = {"^": upper, ",": lower, "~": swap}[operator[0]]

    def prepare(shell: Shell) -> Apply:
        text = in_locale(shell, pattern(shell))
        if quoted and not text:
            return lambda value: value
        matcher = None if text in {"", "?"} else compile_glob(text, extglob=True) if len(text) <= LONG else _NO_CHARACTER
        budget = shell.budget

        def convert(value: str) -> str:
            if not every:
                if value and (matcher is None or matcher.matches(value[0])):
                    return change(value[0]) + value[1:]
                return value
            return in_pieces(change if matcher is None else change_matching, value, budget)

        def change_matching(piece: str) -> str:
            assert matcher is not None
            return piece.translate({ord(character): change(character) for character in set(piece) if matcher.matches(character)})

        return convert

    return prepare


def _transformer(letter: str) -> Mapper:
    def prepare(shell: Shell) -> Apply:
        budget = shell.budget
        if letter == "Q":
            return lambda value: single_quote(in_locale(shell, value), budget)
        if letter == "E":
            return lambda value: ansi_c(value, budget.tick)
        if letter == "P":
            return lambda value: expand_prompt(shell, value)
        if letter == "U":
            return lambda value: from_locale(in_pieces(upper, in_locale(shell, value), budget))
        if letter == "L":
            return lambda value: from_locale(in_pieces(lower, in_locale(shell, value), budget))
        return lambda value: from_locale(upper(in_locale(shell, value[:1]))) + value[1:]

    return prepare
