"""``[``, ``[[`` and the patterns of ``case`` as Python conditions (bash(1), CONDITIONAL EXPRESSIONS)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.expand.lists import compile_list
from bashkit.interp.expand.operators import matcher_for
from bashkit.interp.expand.patterns import compile_regex, constant_pattern
from bashkit.interp.expand.words import constant, has_tilde
from bashkit.interp.jit.word_writer import WordWriter, asked
from bashkit.interp.run.conditional_expressions import NUMERIC, compile_test, condition_operand
from bashkit.interp.state.locales import in_locale
from bashkit.regex import RegexError
from bashkit.regex import compile as compile_posix
from bashkit.regex.glob import LiteralGlob, compile_glob
from bashkit.syntax.nodes import (
    Condition,
    ConditionBinary,
    ConditionGroup,
    ConditionLogical,
    ConditionNot,
    ConditionUnary,
    ConditionWord,
    ParameterExpansion,
    Word,
)

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_PYTHON = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}


class ConditionWriter(WordWriter):
    """Writes conditions."""

    # -- [[ ]] ---------------------------------------------------------------------------------------------------------

    def conditional(self, tree: Condition) -> str:
        """The truth of a conditional expression; it may raise ConditionError."""
        if isinstance(tree, ConditionWord):
            return f"({self.string(tree.word)} != '')"
        if isinstance(tree, ConditionGroup):
            return self.conditional(tree.inner)
        if isinstance(tree, ConditionNot) or (isinstance(tree, ConditionLogical) and tree.operator == "||"):
            if _may_be_malformed(tree.operand if isinstance(tree, ConditionNot) else tree.left):
                return self._general(tree)
        if isinstance(tree, ConditionNot):
            return f"(not {self.conditional(tree.operand)})"
        if isinstance(tree, ConditionLogical):
            joined = "and" if tree.operator == "&&" else "or"
            return f"({self.conditional(tree.left)} {joined} {self.conditional(tree.right)})"
        if isinstance(tree, ConditionUnary):
            if tree.operator not in {"-z", "-n"}:
                return self._general(tree)
            return f"({self.string(tree.operand)} {'==' if tree.operator == '-z' else '!='} '')"
        return self._binary_condition(tree)

    def _general(self, tree: Condition) -> str:
        self.flush()
        return f"{self.out.bind(compile_test(tree))}(S)"

    def _binary_condition(self, tree: ConditionBinary) -> str:
        if tree.operator in {"=", "==", "!="}:
            match = self.pattern(tree.right, self.string(tree.left))
            if match is not None:
                return f"(not {match})" if tree.operator == "!=" else match
        elif (
            tree.operator in NUMERIC and condition_operand(tree.left) is tree.left and condition_operand(tree.right) is tree.right
        ):
            left, right = self._operand(tree.left), self._operand(tree.right)
            if "condition_number" not in right or "condition_number" not in left:
                return f"({left} {_PYTHON[tree.operator]} {right})"
            kept = self.out.temporary()
            return f"(({kept} := {left}) is not no_number and {kept} {_PYTHON[tree.operator]} {right})"
        elif tree.operator == "=~":
            text = self.string(tree.left)
            pattern = constant(tree.right)
            regex = self.out.text(compile_regex(tree.right)(_NO_SHELL)) if pattern is not None else None
            if regex is None:
                self.flush()
                regex = f"{self.out.bind(compile_regex(tree.right))}(S)"
            return f"match_regex(S, {text}, {regex})"
        return self._general(tree)

    def _operand(self, word: Word) -> str:
        """An operand of ``-lt`` and its kin inside ``[[``: any expression."""
        found = self.number_of_word(word)
        if found is None:
            return f"condition_number(S, {self.string(word)})"
        if found[0].lstrip("-").isdigit():
            return found[0]
        kept = self.out.temporary()
        return f"({kept} if ({kept} := {found[0]}) is not None else condition_number(S, {self.string(word)}))"

    def pattern(self, word: Word, text: str) -> str | None:
        """Whether a pattern without expansions matches the text, a Python expression; None for other patterns."""
        pattern = constant_pattern(word)
        if pattern is None:
            return None
        matcher = compile_glob(pattern)
        if isinstance(matcher, LiteralGlob):
            return f"({text} == {self.out.text(matcher.literal)})"
        counts = "?" in pattern or "[" in pattern  # characters, which are bytes in the C locale
        if "(" in pattern or (counts and not pattern.isascii()):
            return None
        if counts:
            kept = self.out.temporary()
            text = f"{kept} if ({kept} := {text}).isascii() else {self.out.bind(in_locale)}(S, {kept})"
        return f"{self.out.bind(matcher.matches)}({text}, B)"

    # -- [ -------------------------------------------------------------------------------------------------------------

    def test(self, words: tuple[Word, ...], general: str) -> str | None:
        """The truth of ``[ … ]`` with one, two or three arguments, or None.

        Args:
            words: The arguments, without the bracket.
            general: A Python expression that runs the builtin and is true where it succeeds.
        """
        if len(words) == 1:
            return self._nonempty(words[0], general, wanted=True)
        first = constant(words[0])
        if len(words) == 2:
            return self._nonempty(words[1], general, wanted=first == "-n") if first in {"-n", "-z"} else None
        if len(words) != 3:
            return None
        operator = constant(words[1])
        if operator in NUMERIC:
            return self._compare_numbers(words[0], _PYTHON[operator], words[2], general)
        if operator in {"=", "==", "!="}:
            return self._compare_strings(words[0], "!=" if operator == "!=" else "==", words[2], general)
        return None

    def _compare_numbers(self, left: Word, operator: str, right: Word, general: str) -> str | None:
        sides = [self.number_of_word(left), self.number_of_word(right)]
        guards: list[str] = []
        texts: list[str] = []
        split = False
        for side in sides:
            if side is None:
                return None
            text, may_split = side
            split = split or may_split
            if not text.lstrip("-").isdigit():
                kept = self.out.temporary()
                guards.append(f"({kept} := {text}) is not None")
                text = kept
            texts.append(text)
        if split:
            guards.append("(G('IFS') == IFS or harmless(G('IFS')))")
        if not (self.is_pure_word(left) and self.is_pure_word(right)):
            return None
        self.flush()
        compared = f"({texts[0]} {operator} {texts[1]})"
        return f"({compared} if {' and '.join(guards)} else {general})" if guards else compared

    def _one_field(self, word: Word) -> tuple[str, str] | None:
        """A word that is one field: its Python expression, and the guard (or "") that has to hold before it is evaluated."""
        if has_tilde(word) or not self.is_pure_word(word):
            return None
        from bashkit.interp.expand.arguments import classify

        if classify(word) is not None:
            return self.string(word), ""
        part = word.parts[0] if len(word.parts) == 1 else None
        if not isinstance(part, ParameterExpansion) or compile_list(part) is not None:
            return None
        kept = self.out.temporary()
        splits = asked("needs_splitting", kept)
        return kept, f"(({kept} := {self.piece(part)}).isalnum() or ({kept} and not {splits})) and G('IFS') == IFS"

    def _compare_strings(self, left: Word, operator: str, right: Word, general: str) -> str | None:
        one, other = self._one_field(left), self._one_field(right)
        if one is None or other is None:
            return None
        return self._guarded(f"({one[0]} {operator} {other[0]})", [one[1], other[1]], general)

    def _nonempty(self, word: Word, general: str, *, wanted: bool) -> str | None:
        found = self._one_field(word)
        if found is None:
            return None
        return self._guarded(f"({found[0]} {'!=' if wanted else '=='} '')", [found[1]], general)

    def _guarded(self, condition: str, guards: list[str], general: str) -> str:
        needed = [guard for guard in guards if guard]
        if not needed:
            return condition
        self.flush()
        return f"({condition} if {' and '.join(needed)} else {general})"


def _may_be_malformed(tree: Condition) -> bool:
    """Whether a test has a regular expression that is malformed, or is only known when the test is made."""
    if isinstance(tree, ConditionBinary):
        return tree.operator == "=~" and (constant(tree.right) is None or not _is_regular(compile_regex(tree.right)(_NO_SHELL)))
    if isinstance(tree, ConditionGroup):
        return _may_be_malformed(tree.inner)
    return isinstance(tree, ConditionLogical) and (_may_be_malformed(tree.left) or _may_be_malformed(tree.right))


def _is_regular(pattern: str) -> bool:
    try:
        compile_posix(pattern, "extended")
    except RegexError:
        return False
    return True


class _NoShell:
    """Stands for the shell where a constant word is expanded."""


_NO_SHELL: Shell = _NoShell()  # type: ignore[assignment]  # nothing of it is asked


def case_pattern(word: Word) -> object:
    """The function of shell and text that matches a pattern with expansions."""
    from bashkit.interp.expand.patterns import compile_pattern

    pattern = compile_pattern(word)
    return lambda shell, text: matcher_for(shell, in_locale(shell, pattern(shell))).matches(in_locale(shell, text), shell.budget)
