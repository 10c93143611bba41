"""Words as Python expressions (bash(1), EXPANSION)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.evaluator import plain_integer
from bashkit.interp.arithmetic.parser import parse_expression
from bashkit.interp.expand.arguments import classify, compile_words
from bashkit.interp.expand.arithmetic_words import arithmetic_template, compile_arithmetic
from bashkit.interp.expand.assignments import has_substitution
from bashkit.interp.expand.braces import may_have_braces
from bashkit.interp.expand.lists import compile_list
from bashkit.interp.expand.operators import fixed_mapper
from bashkit.interp.expand.words import compile_scalar, constant, has_tilde, is_expression, scalar_part
from bashkit.interp.jit.number_writer import STATUSES, NumberWriter, fits, is_pure, subscript_tree
from bashkit.interp.runtime.control import ExpansionError
from bashkit.interp.state.scopes import NAME
from bashkit.syntax.nodes import (
    ArithmeticExpansion,
    DoubleQuoted,
    Literal,
    ParameterExpansion,
    ProcessSubstitution,
    Quoted,
    Word,
    WordPart,
)

if TYPE_CHECKING:
    from bashkit.interp.arithmetic.parser import Expression


_PLAIN_OPERATORS = frozenset(["", "#", "##", "%", "%%", "/", "//"])  # whose result is split as a whole


def asked(question: str, text: str) -> str:
    """The expression that asks ``needs_splitting`` or ``may_match`` of a text; of a long one what does so in a short time."""
    return f"({question}({text}) if len({text}) < LARGE else long_{question}({text}))"


class WordWriter(NumberWriter):
    """Writes words.

    Attributes:
        status: The Python expression of ``$?``.
    """

    status = "st"

    def flush(self) -> None:
        """Make the shell know what only locals hold, before something looks that is not translated."""
        raise NotImplementedError

    # -- numbers -------------------------------------------------------------------------------------------------------

    def number(self, word: Word) -> str:
        """An arithmetic word as an expression."""
        found = self._number(word)
        if found is not None:
            return found
        self.flush()
        return f"{self.out.bind(compile_arithmetic(word))}(S)"

    def expression(self, word: Word) -> Expression | None:
        """The tree of an arithmetic word in which nothing is expanded first."""
        template = arithmetic_template(word)
        if template is None or template[1]:
            return None
        try:
            tree = parse_expression(template[0])
        except ExpansionError:
            return None
        if not fits(tree):
            return None
        self.source = template[0]
        return tree

    def _number(self, word: Word) -> str | None:
        tree = self.expression(word)
        return None if tree is None else self.value(tree)

    def _always_number(self, part: WordPart) -> str | None:
        """An expansion that is a number whatever happens."""
        if isinstance(part, ArithmeticExpansion):
            return self._number(part.expression)
        if not isinstance(part, ParameterExpansion) or part.operator or part.subscript is not None or part.indirect:
            return None
        if part.name == "#" and not part.length:
            return "len(S.positional)"
        if part.name == "?" and not part.length:
            return self.status
        return None

    def _maybe_number(self, part: WordPart) -> str | None:
        """An expansion that may be a plain number: an expression that gives it or None."""
        if isinstance(part, DoubleQuoted) and len(part.parts) == 1:
            return self._maybe_number(part.parts[0])
        if not isinstance(part, ParameterExpansion) or part.operator or part.length or part.indirect or part.listing:
            return None
        if part.name == STATUSES:
            return None
        if part.subscript is not None:
            found = self._looked_up(part)
            return None if found is None else f"plain({found})"
        if NAME.fullmatch(part.name):
            return self.maybe(part.name)
        if part.name.isdecimal() and part.name != "0":
            index = int(part.name) - 1
            return f"plain(p[{index}] if len(p := S.positional) > {index} else None)"
        return None

    def number_of_word(self, word: Word) -> tuple[str, bool] | None:
        """A word as a number: a Python expression that gives it or None, and whether splitting could touch it.

        None where the word is not of that kind.
        """
        text = constant(word)
        if text is not None:
            number = plain_integer(text)
            return None if number is None or has_tilde(word) else (str(number), False)
        if len(word.parts) != 1:
            return None
        part = word.parts[0]
        quoted = isinstance(part, DoubleQuoted)
        inner = part.parts[0] if isinstance(part, DoubleQuoted) and len(part.parts) == 1 else part
        found = self._always_number(inner) or self._maybe_number(inner)
        return None if found is None else (found, not quoted)

    # -- strings -------------------------------------------------------------------------------------------------------

    def string(self, word: Word, *, assignment: bool = False) -> str:
        """A word that becomes one string."""
        if has_tilde(word, assignment=assignment):
            self.flush()
            return f"{self.out.bind(compile_scalar(word, assignment=assignment))}(S)"
        text = constant(word)
        if text is not None:
            return self.out.text(text)
        return self._joined(word.parts, "assignment" if assignment else "")

    def _joined(self, parts: tuple[WordPart, ...], context: str, *, quoted: bool = False) -> str:
        pieces = [self.piece(part, context, quoted=quoted) for part in parts]
        return pieces[0] if len(pieces) == 1 else f"({' + '.join(pieces)})" if pieces else '""'

    def piece(self, part: WordPart, context: str = "", *, quoted: bool = False) -> str:
        """One part of a word that becomes a string; the arguments are those of ``scalar_part``."""
        if isinstance(part, (Literal, Quoted)):
            return self.out.text(part.text)
        if isinstance(part, DoubleQuoted):
            return self._joined(part.parts, context, quoted=True)
        if isinstance(part, ArithmeticExpansion):
            return f"str({self.number(part.expression)})"
        if isinstance(part, ParameterExpansion):
            found = self._parameter(part, context, quoted=quoted)
            if found is not None:
                return found
        self.flush()
        return f"{self.out.bind(scalar_part(part, context, quoted=quoted))}(S)"

    def _parameter(self, part: ParameterExpansion, context: str, *, quoted: bool) -> str | None:
        number = self._always_number(part)
        if number is not None:
            return f"str({number})"
        if part.indirect or part.listing or part.name == STATUSES or compile_list(part, quoted=quoted) is not None:
            return None
        general = f"{self.out.bind(scalar_part(part, context, quoted=quoted))}(S)"
        if part.subscript is not None:
            return self._element_text(part, general)
        if part.name.isdecimal() and part.name != "0":
            index = int(part.name) - 1
            found = f"p[{index}] if len(p := S.positional) > {index} else"
            return f"({found} {general})" if not part.operator and not part.length else None
        if not NAME.fullmatch(part.name):
            return None
        known = f"if (v := G('{part.name}')).__class__ is str"
        if part.length:
            return f"(str(len(v)) {known} else {general})"
        if part.operator in {"", "-", ":-"}:
            if part.operator and not self._harmless_word(part.argument):
                self.flush()
            return f"(v {known} {'and v ' if part.operator == ':-' else ''}else {general})"
        if part.operator == ":":
            return self._substring(part, general)
        mapper = fixed_mapper(part)
        return None if mapper is None else f"({self.out.bind(mapper)}(v, B) {known} else {general})"

    @staticmethod
    def _harmless_word(word: Word | None) -> bool:
        return word is None or constant(word) is not None

    def _substring(self, part: ParameterExpansion, general: str) -> str | None:
        assert part.argument is not None
        offset = self.expression(part.argument)
        if offset is None or not is_pure(offset):
            return None
        text, start = self.out.temporary(), self.out.temporary()
        guard = f"({text} := G('{part.name}')).__class__ is str and ({start} := {self.value(offset)}) >= 0"
        if part.second is None:
            return f"({text}[{start}:] if {guard} else {general})"
        length = self.expression(part.second)
        if length is None or not is_pure(length):
            return None
        count = self.out.temporary()
        return f"({text}[{start} : {start} + {count}] if {guard} and ({count} := {self.value(length)}) >= 0 else {general})"

    def _looked_up(self, part: ParameterExpansion) -> str | None:
        """``${a[i]}``: an expression that gives the element or None, where looking twice is harmless."""
        assert part.subscript is not None
        name, text = part.name, constant(part.subscript)
        if text in {"@", "*"} or is_expression(part.subscript) or not NAME.fullmatch(name):
            return None
        if text is not None:
            tree = subscript_tree(text)
            if tree is None or not is_pure(tree) or not fits(tree):
                return None
            return (
                f"(element_text(v, {self.value(tree)})"
                f" if (v := G('{name}')).__class__ is Variable and v.value.__class__ is IndexedArray"
                f" else key_text(v, {self.out.text(text)}))"
            )
        if not self.is_pure_word(part.subscript):
            return None
        return f"key_text(G('{name}'), {self.string(part.subscript)})"

    def _element_text(self, part: ParameterExpansion, general: str) -> str | None:
        if part.length or part.operator not in {"", "-", ":-"}:
            return None
        found = self._looked_up(part)
        if found is None:
            return None
        if part.operator and not self._harmless_word(part.argument):
            self.flush()
        test = f"(w := {found})" if part.operator == ":-" else f"(w := {found}) is not None"
        return f"(w if {test} else {general})"

    # -- arguments -----------------------------------------------------------------------------------------------------

    def is_pure_word(self, word: Word) -> bool:
        """Whether expanding a word twice is the same as once."""
        return all(self._is_pure_part(part) for part in word.parts)

    def _is_pure_part(self, part: WordPart) -> bool:
        if isinstance(part, (Literal, Quoted)):
            return True
        if isinstance(part, DoubleQuoted):
            return all(map(self._is_pure_part, part.parts))
        if isinstance(part, ArithmeticExpansion):
            tree = self.expression(part.expression)
            return tree is not None and is_pure(tree)
        if not isinstance(part, ParameterExpansion) or part.operator in {"=", ":=", "?", ":?", ":", "@P"} or part.indirect:
            return False
        words = (part.subscript, part.argument, part.second)
        if part.name in {"RANDOM", "SRANDOM"} or has_substitution((part,)):
            return False
        return all(word is None or self.is_pure_word(word) for word in words)

    def arguments(self, words: tuple[Word, ...]) -> str:
        """Write the expansion of words into arguments; gives the name of the local that holds the list."""
        result = self.out.temporary()
        if any(has_substitution(word.parts) or may_have_braces(word) for word in words):
            return self._expanded(words, result)
        pieces: list[str] = []
        texts: list[str] = []
        guards: list[str] = []
        split: dict[int, str] = {}  # the words that splitting may take apart, and the locals of their texts
        pure, numbers_split = True, False
        for word in words:
            kind = classify(word)
            if kind is not None:
                pieces.append(self.out.text(kind) if isinstance(kind, str) else self.string(word))
                pure = pure and (isinstance(kind, str) or self.is_pure_word(word))
                continue
            part = word.parts[0] if len(word.parts) == 1 else None
            number = None if part is None else self._always_number(part)
            if number is not None:
                numbers_split = True
                pieces.append(f"str({number})")
                pure = pure and self.is_pure_word(word)
            elif (
                isinstance(part, ParameterExpansion)
                and part.operator in _PLAIN_OPERATORS
                and compile_list(part) is None
                and self.is_pure_word(word)
            ):
                text = split[len(pieces)] = self.out.temporary()
                guards.append(f"({text}.isalnum() or ({text} and not {asked('needs_splitting', text)}))")
                pieces.append(text)
                texts.append(f"{text} = {self.piece(part)}")
            else:
                return self._expanded(words, result)
        if guards and not pure:
            return self._expanded(words, result)
        plain = f"[{', '.join(pieces)}]"
        if guards:
            for line in texts:
                self.out.emit(line)
            condition = f"G('IFS') == IFS and {' and '.join(guards)}"
        elif numbers_split:
            condition = "(G('IFS') == IFS or harmless(G('IFS')))"
        else:
            self.out.emit(f"{result} = {plain}")
            return result
        self.flush()
        with self.out.block(f"if {condition}"):
            self.out.emit(f"{result} = {plain}")
        if guards:
            several = [f"*split_blanks({text}, S.budget)" if index in split else text for index, text in enumerate(pieces)]
            matching = " or ".join(asked("may_match", text) for text in split.values())
            with self.out.block(f"elif G('IFS') == IFS and not ({matching})"):
                self.out.emit(f"{result} = [{', '.join(several)}]")
        with self.out.block("else"):
            self.out.emit(f"{result} = {self.out.bind(compile_words(words))}(S)")
        return result

    def _expanded(self, words: tuple[Word, ...], result: str) -> str:
        self.flush()
        self.out.emit(f"{result} = {self.out.bind(compile_words(words))}(S)")
        return result


def opens_descriptors(words: tuple[Word, ...]) -> bool:
    """Whether expanding the words leaves descriptors that have to be closed after the command."""
    return any(_opens(part) for word in words for part in word.parts)


def _opens(part: WordPart) -> bool:
    return isinstance(part, ProcessSubstitution) or (isinstance(part, DoubleQuoted) and any(map(_opens, part.parts)))
