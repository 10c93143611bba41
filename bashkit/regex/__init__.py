"""Regular expressions and shell patterns with the semantics of POSIX and GNU, in time that input cannot blow up."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from bashkit.regex.pattern import Match, Pattern
from bashkit.regex.posix import PosixParser
from bashkit.regex.syntax_tree import Alternation, Assertion, Concat, Keep, RegexError, concat
from bashkit.regex.syntax_tree import Literal as Character

if TYPE_CHECKING:
    from bashkit.limits import Budget
    from bashkit.regex.syntax_tree import Node

__all__ = ["Dialect", "Match", "Pattern", "RegexError", "Syntax", "compile", "compile_any"]

Dialect = Literal["basic", "extended", "perl", "fixed"]
Syntax = Literal["gnu", "sed", "posix", "ascii"]


def compile(  # noqa: A001 - the word of the field
    pattern: str,
    dialect: Dialect,
    *,
    ignore_case: bool = False,
    multiline: bool = False,
    budget: Budget | None = None,
    syntax: Syntax = "gnu",
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

    Raises:
        RegexError: In the words of GNU regcomp.
    """
    found = compile_any((pattern,), dialect, ignore_case=ignore_case, multiline=multiline, syntax=syntax)
    return found if budget is None else found.with_budget(budget)


@lru_cache(maxsize=1024)
def compile_any(
    patterns: tuple[str, ...],
    dialect: Dialect,
    *,
    ignore_case: bool = False,
    multiline: bool = False,
    by_line: bool = False,
    lenient: bool = False,
    whole: Literal["", "word", "line"] = "",
    syntax: Syntax = "gnu",
    records: bool = False,
) -> Pattern:
    """Compile several expressions of which any may match.

    Args:
        patterns: Their texts.
        dialect: See ``compile``.
        ignore_case: Letters match both cases.
        multiline: ``^`` and ``$`` hold at every line of the text.
        by_line: The text is a block of lines: ``multiline``, and nothing matches a newline.
        lenient: Misplaced operators of POSIX expressions are accepted, as by grep.
        whole: The match has to be a whole word (``grep -w``) or a whole line (``grep -x``).
        syntax: What the POSIX dialects know: ``gnu`` is all, for ``sed`` a repeated repeat of a basic one is an error, and
            ``posix`` has none of the operators that GNU adds; with ``ascii`` the classes of Perl's dialect know ASCII only.
        records: Newlines stand in the text as NUL, see ``bashkit.regex.records``.

    Raises:
        RegexError: One of them is wrong.
    """
    found = _Parsed(ignore_case, multiline)
    for pattern in sorted(patterns, key=len, reverse=True) if dialect == "fixed" else patterns:
        if dialect == "fixed":
            found.choices.append(concat([Character(char) for char in pattern]))
        elif dialect == "perl":
            found.add_perl(pattern, syntax)
        else:
            one_line = multiline and syntax != "gnu"
            extended = dialect == "extended"
            found.add_posix(
                PosixParser(pattern, extended=extended, lenient=lenient, groups=found.groups, syntax=syntax, one_line=one_line)
            )
    node = found.choices[0] if len(found.choices) == 1 else Alternation(tuple(found.choices))
    if records:
        from bashkit.regex.records import exchange

        node = exchange(node, line_anchors=found.multiline)
    if whole == "line":
        node = Concat((Assertion("line_start"), node, Assertion("line_end")))
    elif whole == "word":
        node = Concat((Assertion("no_word_before"), node, Assertion("no_word_after")))
    return Pattern(
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
    )


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

    def add_posix(self, parser: PosixParser) -> None:
        self.choices.append(parser.parse())
        self.groups = parser.groups
        self.warnings += parser.warnings

    def add_perl(self, pattern: str, syntax: Syntax) -> None:
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
