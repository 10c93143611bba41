"""The expression language of find: primaries joined by ``!``, ``-a``, ``-o`` and ``,`` (POSIX XCU find, OPERANDS)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.commands.listing.find.actions import print_name
from bashkit.commands.listing.find.candidate import NoStatusError
from bashkit.commands.listing.find.primaries import PRIMARIES, newer_xy
from bashkit.commands.listing.find.words import FindError, Reader

if TYPE_CHECKING:
    from bashkit.commands.listing.find.candidate import Candidate
    from bashkit.commands.listing.find.words import Settings, Test
    from bashkit.interp.utility.process import Process

_MAX_NESTING = 200
_PRUNES_NOTHING = (
    "The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  "
    "If you want to carry on anyway, just explicitly use the -depth option."
)


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed command line."""

    test: Test
    settings: Settings


class _Parser(Reader):
    """Parses an expression, from the loosest operator to the tightest."""

    def __init__(self, process: Process, words: list[str]) -> None:
        super().__init__(process, words)
        self._nesting = 0

    def peek(self) -> str | None:
        """The next word of the expression; ``-daystart`` is none, and counts for what follows it."""
        while (word := super().peek()) == "-daystart":
            self.primary = self.take()
            self.settings.day_start = True
        return word

    def comma(self) -> Test:
        """Parse ``A , B``: both are evaluated, and the last one is the value."""
        left = self._either()
        while self.peek() == ",":
            self.primary = self.take()
            self._expect_operand()
            left = _sequence(left, self._either())
        return left

    def _either(self) -> Test:
        left = self._both()
        while self.peek() in {"-o", "-or"}:
            self.primary = self.take()
            self._expect_operand()
            left = _either(left, self._both())
        return left

    def _both(self) -> Test:
        left = self._negated()
        while (word := self.peek()) is not None and word not in {"-o", "-or", ",", ")"}:
            if word in {"-a", "-and"}:
                self.primary = self.take()
                self._expect_operand()
            left = _both(left, self._negated())
        return left

    def _expect_operand(self) -> None:
        following = self.peek()
        if following is None:
            raise FindError("invalid expression" if self.acts else f"expected an expression after '{self.primary}'")
        if following == ")":
            raise FindError(f"expected an expression between '{self.primary}' and ')'")
        if following in {"-o", "-or", "-a", "-and", ","}:
            raise FindError(f"invalid expression; you have used a binary operator '{following}' with nothing before it.")

    def _negated(self) -> Test:
        word = self.peek()
        if word in {"!", "-not"}:
            self.primary = self.take()
            if self.peek() in {None, ")"}:
                self._expect_operand()
            self._nesting += 1
            if self._nesting > _MAX_NESTING:
                raise FindError("the expression is nested too deeply")
            test = self._negated()
            self._nesting -= 1
            return _negation(test)
        if word == "(":
            return self._group()
        return self._primary()

    def _group(self) -> Test:
        self.primary = self.take()
        self._nesting += 1
        if self._nesting > _MAX_NESTING:
            raise FindError("the expression is nested too deeply")
        if self.peek() == ")":
            raise FindError("invalid expression; empty parentheses are not allowed.")
        if self.peek() is None:
            raise FindError(
                "invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('"
            )
        test = self.comma()
        if self.peek() != ")":
            raise FindError("invalid expression; I was expecting to find a ')' somewhere but did not see one.")
        self.primary = self.take()
        self._nesting -= 1
        return test

    def _primary(self) -> Test:
        name = self.take()
        if name in {"-o", "-or", "-a", "-and", ","}:
            raise FindError(f"invalid expression; you have used a binary operator '{name}' with nothing before it.")
        if name == ")":
            raise FindError("invalid expression; you have too many ')'")
        make = PRIMARIES.get(name)
        if make is not None:
            self.primary = name
            return make(self, name)
        if name.startswith("-newer") and len(name) == 8:
            return newer_xy(self, name)
        if name.startswith("-"):
            raise FindError(f"unknown predicate `{name}'")
        message = f"paths must precede expression: `{name}'"
        if self.primary and self.process.fs.exists(self.process.path(name)):
            message += f"\n{self.process.name}: possible unquoted pattern after predicate `{self.primary}'?"
        raise FindError(message)


def _sequence(left: Test, right: Test) -> Test:
    def test(candidate: Candidate) -> bool:
        with suppress(NoStatusError):
            left(candidate)
        return right(candidate)

    return test


def _negation(inner: Test) -> Test:
    def test(candidate: Candidate) -> bool:
        try:
            return not inner(candidate)
        except NoStatusError:
            return True

    return test


def _either(left: Test, right: Test) -> Test:
    def test(candidate: Candidate) -> bool:
        try:
            if left(candidate):
                return True
        except NoStatusError:
            pass
        return right(candidate)

    return test


def _both(left: Test, right: Test) -> Test:
    return lambda candidate: left(candidate) and right(candidate)


def parse(process: Process, words: list[str], follow: str) -> Expression:
    """Parse the words after the starting points.

    Args:
        process: The utility.
        words: They.
        follow: Which links the options before the starting points say to follow: ``P``, ``H`` or ``L``.

    Raises:
        FindError: The expression is malformed.
    """
    if len(words) > process.budget.limits.max_words:
        process.budget.words(len(words))
    reader = _Parser(process, words)
    reader.settings.follow = follow == "L"
    reader.settings.follow_references = follow != "P"
    if reader.peek() is None:
        return Expression(print_name, reader.settings)
    test = reader.comma()
    extra = reader.peek()
    if extra == ")":
        raise FindError("you have too many ')'")
    if extra is not None:
        raise FindError(f"unexpected extra predicate {mention(extra)}")
    if reader.settings.prunes and reader.settings.deletes_only:
        raise FindError(_PRUNES_NOTHING)
    return Expression(test if reader.acts else _both(test, print_name), reader.settings)
