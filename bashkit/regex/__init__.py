"""Regular expressions and shell patterns with the semantics of POSIX and GNU, in time that input cannot blow up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

from bashkit.regex.cache import Recent
from bashkit.regex.many import ManyPatterns, Whole
from bashkit.regex.matches import Match
from bashkit.regex.pattern import Pattern
from bashkit.regex.posix import PosixParser
from bashkit.regex.syntax_tree import Alternation, Assertion, Concat, Keep, RegexError, character, concat

if TYPE_CHECKING:
    from bashkit.limits import Budget
    from bashkit.regex.syntax_tree import AssertionKind, Node

__all__ = ["Dialect", "LinePattern", "Match", "Pattern", "RegexError", "Syntax", "compile", "compile_any", "compile_lines"]

_LONGEST_EXPRESSION = 1 << 15  # characters of expressions: reading one takes up to 10 microseconds
_LONGEST_STRINGS = 1 << 20  # characters of strings without operators
_LONG = 4096  # characters of expressions
_PER_CHARACTER = 2  # microseconds
_HIGH = re.compile(r"((?<!\\)(?:\\\\)*)\\x([89A-Fa-f][0-9A-Fa-f])")
_FEW = 8  # strings that are tried one after the other
_PATTERN_BYTES, _CHARACTER_BYTES = 4096, 400  # what a pattern holds, and what each of its characters adds, at the most
_AROUND: dict[str, tuple[AssertionKind, AssertionKind]] = {
    "line": ("line_start", "line_end"),
    "word": ("no_word_before", "no_word_after"),
}  # what holds before and after a match that has to be whole
_CACHE: Recent[tuple[object, ...], Pattern] = Recent(8 << 20)
_MANY = 16  # patterns from which on lines are searched for strings in them first
_CACHE_OF_MANY: Recent[tuple[object, ...], ManyPatterns] = Recent(16 << 20)

Dialect = Literal["basic", "extended", "perl", "fixed"]
Syntax = Literal["gnu", "sed", "posix", "ascii"]
LinePattern = Pattern | ManyPatterns


def compile(  # noqa: A001 - the word of the field
    pattern: str,
    dialect: Dialect,
    *,
    ignore_case: bool = False,
    multiline: bool = False,
    budget: Budget | None = None,
    syntax: Syntax = "gnu",
    octets: bool = False,
) -> Pattern:
    r"""Compile a regular expression; the result is cached.

    Args:
        pattern: Its text.
        dialect: ``basic`` and ``extended`` are those of POSIX with GNU's extensions, ``perl`` is that of PCRE, ``fixed``
            is a string without special characters.
        ignore_case: Letters match both cases.
        multiline: ``^`` and ``$`` hold at every line of the text.
        budget: Pays for searches that take long.
        syntax: See ``compile_any``.
        octets: As ``syntax``.

    Raises:
        RegexError: In the words of GNU regcomp.
    """
    found = compile_any(
        (pattern,), dialect, ignore_case=ignore_case, multiline=multiline, budget=budget, syntax=syntax, octets=octets
    )
    return found if budget is None else found.with_budget(budget)


def compile_any(
    patterns: tuple[str, ...],
    dialect: Dialect,
    *,
    budget: Budget | None = None,
    ignore_case: bool = False,
    multiline: bool = False,
    by_line: bool = False,
    lenient: bool = False,
    whole: Whole = "",
    syntax: Syntax = "gnu",
    records: bool = False,
    octets: bool = False,
) -> Pattern:
    """Compile several expressions of which any may match; the results used last are kept.

    Args:
        patterns: Their texts.
        dialect: See ``compile``.
        budget: Pays for reading long expressions; the result is not bound to it.
        ignore_case: Letters match both cases.
        multiline: ``^`` and ``$`` hold at every line of the text.
        by_line: The text is a block of lines: ``multiline``, and nothing matches a newline.
        lenient: Misplaced operators of POSIX expressions are accepted, as by grep.
        whole: The match has to be a whole word (``grep -w``) or a whole line (``grep -x``).
        syntax: What the POSIX dialects know: ``gnu`` is all, for ``sed`` a repeated repeat of a basic one and a closing
            parenthesis without an opening one are errors, and ``posix`` has none of the operators that GNU adds; with
            ``ascii`` the classes of Perl's dialect know ASCII only.
        octets: Bytes that are no characters of UTF-8 are matched as if they were some.
        records: Newlines stand in the text as NUL, see ``bashkit.regex.records``.

    Raises:
        RegexError: One of them is wrong.
    """
    length = sum(map(len, patterns))
    if length > (_LONGEST_STRINGS if dialect == "fixed" else _LONGEST_EXPRESSION):
        raise RegexError("Regular expression too big")
    key = (patterns, dialect, ignore_case, multiline, by_line, lenient, whole, syntax, records, octets)
    known = _CACHE.get(key)
    if known is not None:
        return known
    found = _Parsed(ignore_case, multiline)
    for pattern in _in_order(patterns) if dialect == "fixed" else patterns:
        if budget is not None:
            budget.tick(_PER_CHARACTER * len(pattern))
        found.add(pattern, dialect, syntax, lenient=lenient, octets=octets)
    node = found.choices[0] if len(found.choices) == 1 else Alternation(tuple(found.choices))
    if records:
        from bashkit.regex.records import exchange

        node = exchange(node, line_anchors=found.multiline)
    if whole:
        before, after = _AROUND[whole]
        node = Concat((Assertion(before), node, Assertion(after)))
    if budget is not None:
        budget.tick(_PER_CHARACTER * length)
    result = Pattern(
        node,
        found.groups,
        posix=dialect != "perl",
        ignore_case=found.ignore_case,
        by_line=by_line,
        multiline=found.multiline,
        keep=_has_keep(node),
        folds=found.folds,
        programmed=found.programmed,
        warnings=tuple(found.warnings),
        names=found.names,
        long=length > _LONG,
        octets=octets,
    )
    _CACHE.put(key, result, _PATTERN_BYTES + _CHARACTER_BYTES * length)
    return result


def compile_lines(
    patterns: tuple[str, ...],
    dialect: Dialect,
    *,
    budget: Budget,
    ignore_case: bool,
    whole: Whole,
    syntax: Syntax,
    records: bool,
    octets: bool,
) -> LinePattern:
    """Compile expressions for the lines that match any of them, however many they are; see ``compile_any``.

    Raises:
        RegexError: One of them is wrong, or they are too many.
    """
    compiler = partial(
        compile_any,
        dialect=dialect,
        ignore_case=ignore_case,
        by_line=True,
        lenient=True,
        syntax=syntax,
        records=records,
        octets=octets,
    )
    if len(patterns) <= _MANY:
        found = compiler(patterns, whole=whole, budget=budget).with_budget(budget)
        found.test("")  # errors that only the underlying engine finds appear now
        return found
    key = (patterns, dialect, ignore_case, whole, syntax, records, octets)
    known = _CACHE_OF_MANY.get(key)
    if known is None:
        fixed = dialect == "fixed"
        known = ManyPatterns(patterns, compiler, fixed=fixed, ignore_case=ignore_case, whole=whole, budget=budget)
        _CACHE_OF_MANY.put(key, known, _CHARACTER_BYTES * sum(map(len, patterns)))
    return known.with_budget(budget)


def _octet(match: re.Match[str]) -> str:
    """``\\xHH`` of Perl's dialect, where it is no character of ASCII, as the texts have that byte."""
    return match[1] + chr(0xDC00 + int(match[2], 16))


def _in_order(strings: tuple[str, ...]) -> list[str]:
    """Strings before those that they begin with: ``re`` takes the first that matches; re2 shares the beginnings of neighbours."""
    return sorted(strings, key=len, reverse=True) if len(strings) <= _FEW else sorted(strings, reverse=True)


@dataclass(slots=True)
class _Parsed:
    """What was found in expressions, one after the other; see ``Pattern``."""

    ignore_case: bool
    multiline: bool
    choices: list[Node] = field(default_factory=list)
    groups: int = 0
    folds: bool = False
    programmed: bool = False
    warnings: list[str] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)

    def add(self, pattern: str, dialect: Dialect, syntax: Syntax, *, lenient: bool, octets: bool) -> None:
        """Read one more expression; see ``compile_any``."""
        if dialect == "fixed":
            self.choices.append(concat(list(map(character, pattern))))
        elif dialect == "perl":
            self._add_perl(_HIGH.sub(_octet, pattern) if octets else pattern, syntax)
        else:
            self._add_posix(pattern, syntax, extended=dialect == "extended", lenient=lenient)

    def _add_posix(self, pattern: str, syntax: Syntax, *, extended: bool, lenient: bool) -> None:
        one_line = self.multiline and syntax != "gnu"
        parser = PosixParser(pattern, extended=extended, lenient=lenient, groups=self.groups, syntax=syntax, one_line=one_line)
        self.choices.append(parser.parse())
        self.groups = parser.groups
        self.warnings += parser.warnings

    def _add_perl(self, pattern: str, syntax: Syntax) -> None:
        from bashkit.regex.perl import PerlParser

        parser = PerlParser(pattern, self.groups, ignore_case=self.ignore_case, unicode=syntax != "ascii")
        self.choices.append(parser.parse())
        self.groups = parser.groups
        self.names |= parser.names
        self.ignore_case = parser.ignore_case
        self.multiline = self.multiline or parser.line_anchors
        self.folds = self.folds or parser.folds
        self.programmed = self.programmed or parser.programmed


def _has_keep(node: Node) -> bool:
    if isinstance(node, Concat):
        return any(_has_keep(item) for item in node.items)
    if isinstance(node, Alternation):
        return any(_has_keep(choice) for choice in node.choices)
    return isinstance(node, Keep)
