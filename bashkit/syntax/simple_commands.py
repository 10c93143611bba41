"""Parsing simple commands: assignments, words and redirections (bash(1), Simple Commands, REDIRECTION)."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax.digits import is_digits
from bashkit.syntax.escapes import ansi_c
from bashkit.syntax.nodes import (
    ArrayElement,
    Assignment,
    Command,
    DoubleQuoted,
    HereDocument,
    Literal,
    Quoted,
    Redirection,
    SimpleCommand,
    Word,
    WordPart,
)
from bashkit.syntax.source import (
    DESCRIPTOR_VARIABLE,
    LARGEST_DESCRIPTOR,
    MAX_WORDS,
    METACHARACTERS,
    SubstitutionSyntaxError,
    UnterminatedError,
)
from bashkit.syntax.tokens import TokenReader
from bashkit.syntax.words import whole

DECLARATIONS: Final = frozenset(["alias", "declare", "eval", "export", "let", "local", "readonly", "typeset"])
_ASSIGNMENT: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*+)(\+?=|\[)")
_MATCH_ASSIGNMENT: Final = _ASSIGNMENT.match
_ASSIGNS: Final = re.compile(r"\+?=")
_END_OF_WORDS: Final = frozenset(["\n", ";", "|", ")", ""])
_BEGIN_REDIRECTION: Final = frozenset("<>&{0123456789")
_REDIRECTION: Final = re.compile(rf"(?:([0-9]{{1,32}}+)|\{{({DESCRIPTOR_VARIABLE})\}})?(<<<|<<-|<<|<&|<>|<|>>|>\||>&|>)|(&>>?)")
_BROKEN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+(\\\n)(?:[A-Za-z0-9_+=\[]|\\\n)*")
_END: Final = "syntax error: unexpected end of file"
_CLOSED: Final = Word((Literal("-"),), "-")
_BROKEN_REDIRECTION: Final = re.compile(r"[0-9<>&|-]{1,32}+(\\\n)(?:[0-9<>&|-]|\\\n){0,64}")


class SimpleReader(TokenReader):
    """Reads simple commands and redirections."""

    def read_function_body(self, name: str, line: int) -> Command:
        """The body of a function whose name and parentheses were read; the parser provides it."""
        raise AssertionError(name, line)

    def _refused_word(self) -> str:
        """As elsewhere; an array literal belongs to the word that assigns it."""
        start = self.position
        assigned = self._assignment(None) is not None
        return self.text[start : self.position] if assigned else super()._refused_word()

    # -- simple commands -----------------------------------------------------------------------------------------------

    def _simple_command(self) -> Command:
        self.untold += 1
        start = self.position
        line, column = self.line_at(start), self.column_at(start)
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirections: list[Redirection] = []
        declaring = False
        end = start
        if not self.aliases:
            words += self.read_simple_words(DECLARATIONS)
            if words:
                follows = self.text[self.position : self.position + 1]
                if follows == "(" or (follows == "\\" and self._after(self.position) == "("):
                    words, self.position = [], start
                else:
                    source = self.text[start : self.position].rstrip(" \t")
                    end = start + len(source)
                    if len(words) > 1023:
                        self._progress(len(words))
                    if follows in _END_OF_WORDS:
                        if "\n" in source:
                            line = self.line_at(self._end_of_second(start, words) if len(words) > 1 else self.position)
                        return SimpleCommand((), tuple(words), (), line, column, source)
        seen = self._end_of_second(start, words) if len(words) > 1 else 0  # up to where bash has read when it notes the line
        passes = False  # undocumented: a quoted word leaves it to the next one to be looked up as an alias
        while True:
            self.skip_blanks()
            if passes:
                self._alias_blank = self.position
                passes = False
            if not seen and (words or assignments or redirections):
                seen = end if assignments or redirections else self.position
            character = self.text[self.position : self.position + 1]
            redirection = self._redirection() if character in _BEGIN_REDIRECTION else None
            if redirection is not None:
                redirections.append(redirection)
                end = self.position
                if self.aliases and not words and not assignments:
                    self.skip_blanks()
                    self._expand_alias()  # undocumented: behind redirections, a command's name is looked up, too
                continue
            if character in _END_OF_WORDS:
                break
            if not words or declaring:
                assignment = self._assignment(words[0].literal if words else None)  # type: ignore[union-attr]  # it was read as a word
                if assignment is not None:
                    if words or isinstance(assignment, Word):
                        words.append(assignment)
                    else:
                        assignments.append(assignment)
                    end = self.position
                    if self.aliases and not words:
                        self.skip_blanks()
                        self._expand_alias()
                    if len(words) == 2 and not assignments and not redirections:
                        seen = end
                    continue
            if self._alias_ends and self._alias_continues():
                text = self.text
                self._expand_alias()
                if self.text is not text:  # it may begin with a redirection
                    if self._alias_continues():
                        self._alias_blank = -1
                    continue
                passes = True
            word = self.read_word()
            if word is None:
                break
            passes = passes and any(isinstance(part, (Quoted, DoubleQuoted)) for part in word.parts)
            end = self.position
            words.append(word)
            if len(words) == 2 and not assignments and not redirections:
                seen = end
            if len(words) == 1:
                if not redirections and not assignments and self._at_parenthesis():
                    return self._function_parentheses(word, line)
                declaring = word.literal in DECLARATIONS
            elif not len(words) & 1023:
                self._progress(len(words))
        if not words and not assignments and not redirections:
            self._unexpected()
        if self.peek() == "(":
            self._unexpected()
        source = self.text[start:end]
        if "\n" in self.text[start : self.position]:
            line = self.line_at(seen or end)
        return SimpleCommand(tuple(assignments), tuple(words), tuple(redirections), line, column, source)

    def _end_of_second(self, start: int, words: list[Word | Assignment]) -> int:
        """Where the second word ends, which bash has read when it notes the line of a command; of one word, what follows."""
        position = start
        for word in words[:2]:
            position = self.text.index(word.source, position) + len(word.source)
        return position

    def _at_parenthesis(self) -> bool:
        self.skip_blanks()
        return self.peek() == "("

    def _progress(self, count: int) -> None:
        if count > MAX_WORDS:
            self.fail(f"more than {MAX_WORDS} words in one command")
        if count > 1023:
            self.spend(min(count, 1 << 16))

    def _function_parentheses(self, word: Word, line: int) -> Command:
        self.position += 1
        self.skip_blanks()
        if self.peek() != ")":
            self._unexpected()
        self.position += 1
        return self.read_function_body(unbroken(word), line)

    def _assignment(self, declaring: str | None) -> Assignment | Word | None:
        """The assignment at the cursor, or None if the word is not one.

        A command's name may have a subscript, too, in which blanks separate nothing: this is such a word.

        Args:
            declaring: The declaration builtin whose argument it is.
        """
        match = _MATCH_ASSIGNMENT(self.text, self.position)
        if match is None:
            broken = _BROKEN_NAME.match(self.text, self.position) if self.continued else None
            if broken is None or not self._join(_BROKEN_NAME, _ASSIGNMENT, broken.start(1)):
                return None
            return self._assignment(declaring)
        start = self.position
        subscript: Word | None = None
        name, operator = match[1], match[2]
        self.position += len(match[0])
        if operator == "[":
            self.position -= 1
            try:
                subscript = self.read_subscript()
            except ScriptSyntaxError:
                if declaring is None:
                    raise
                self.position = start
                return None
            match = _ASSIGNS.match(self.text, self.position)
            blank = any(isinstance(part, Literal) and not METACHARACTERS.isdisjoint(part.text) for part in subscript.parts)
            if match is None or (blank and declaring is not None):
                if blank and declaring is None:
                    return self._subscripted(name, subscript, start)
                self.position = start
                return None
            operator = match[0]
            self.position += len(operator)
        self.position = self.past(self.position)
        append = operator == "+="
        if declaring in {"let", "eval"} and self.peek() != "(":
            self.position = start
            return None
        if self.peek() == "(":
            opened = self.position
            try:
                elements = self._array_elements()
            except ScriptSyntaxError as error:
                error.recoverable = not isinstance(error, SubstitutionSyntaxError)
                raise
            end = self.position
            self.position = self.past(end)
            rest = self.read_word()
            if declaring == "eval":
                return _argument(self.text[start:opened], elements, rest)
            if rest is None:
                return Assignment(name, elements, subscript, append, self.text[start:end])
            value = _argument("", elements, rest)  # `a=(x)y` is text, not an array
            return Assignment(name, value, subscript, append, self.text[start : self.position])
        value = self.read_word() or Word(())
        return Assignment(name, value, subscript, append, self.text[start : self.position])

    def _subscripted(self, name: str, subscript: Word, start: int) -> Word:
        """A word that begins with a name and a subscript, which were read."""
        rest = self.read_word() or Word(())
        parts = whole([Literal(name + "["), *subscript.parts, Literal("]"), *rest.parts])
        return Word(parts, self.text[start : self.position])

    def read_array(self) -> tuple[ArrayElement, ...]:
        """A text that is one array literal."""
        elements = self._array_elements()
        if self.position < len(self.text):
            self._unexpected()
        return elements

    def _array_elements(self) -> tuple[ArrayElement, ...]:
        start = self.position
        besides = f"unexpected EOF while looking for matching `{self._closing}'" if self._closing else _END
        self.position += 1
        self.enter()
        elements: list[ArrayElement] = []
        while True:
            self._skip_newlines()
            if self.peek() == ")":
                self.position += 1
                self.leave()
                return tuple(elements)
            if not self.peek():
                self.fail_unterminated(")", start)
            try:
                elements.append(self._array_element())
            except ScriptSyntaxError as error:
                if error.incomplete and not error.notes:
                    more = error.substitutions if isinstance(error, UnterminatedError) else 0
                    error.notes = ((self.last_line() + more, besides),)
                raise

    def _array_element(self) -> ArrayElement:
        start = self.position
        if self.peek() == "[":
            subscript = self.read_subscript()
            match = _ASSIGNS.match(self.text, self.past(self.position))
            if match:
                self.position = match.end()
                return ArrayElement(self.read_word() or Word(()), subscript, match.group() == "+=")
            self.position = start
        word = self.read_word()
        if word is None:
            self._unexpected()
        return ArrayElement(word)

    def _redirections(self) -> tuple[Redirection, ...]:
        found: list[Redirection] = []
        while True:
            self.skip_blanks()
            begins = self.text[self.position : self.position + 1] in _BEGIN_REDIRECTION
            redirection = self._redirection() if begins else None
            if redirection is None:
                return tuple(found)
            found.append(redirection)

    def _redirection(self) -> Redirection | None:
        """The redirection at the cursor, or None; it begins with one of ``_BEGIN_REDIRECTION``."""
        if self.continued:
            self.join_parenthesis()
        match = _REDIRECTION.match(self.text, self.position)
        broken = _BROKEN_REDIRECTION.match(self.text, self.position) if self.continued else None
        if broken is not None:
            self._join(_BROKEN_REDIRECTION, _REDIRECTION, broken.start(1) if match is None else match.end())
            match = _REDIRECTION.match(self.text, self.position)
        if match is None:
            return None
        digits, variable, operator = match[1], match[2], match[3] or match[4]
        if operator in {"<", ">"} and self.text.startswith("(", match.end()):
            return None  # a process substitution
        fd = int(digits) if digits else None
        if fd is not None and fd > LARGEST_DESCRIPTOR:
            return None
        self.position = match.end()
        self.step()
        self.skip_blanks()
        if operator in {">&", "<&"} and self.text.startswith("-", self.position):
            self.position += 1  # whatever follows is a word of its own
            target: Word | None = _CLOSED
        else:
            start = self.position
            target = self.read_word()
            if target is not None and operator[1:] != "&" and self.begins_redirection(target.source):
                self._refuse_redirection(target.source, start)
        if target is None:
            self._unexpected()
        here = None
        if operator in {"<<", "<<-"}:
            delimiter, quoted = _delimiter(target)
            here = HereDocument(delimiter.lstrip("\t") if operator == "<<-" else delimiter, quoted, operator == "<<-")
            self._here.append(here)
        return Redirection(operator, target, fd, variable or "", here)

    def _refuse_redirection(self, descriptor: str, start: int) -> NoReturn:
        """Refuse a redirection, which began as a word."""
        if is_digits(descriptor):
            self.fail(f"syntax error near unexpected token `{int(descriptor)}'", start)
        self.fail(f"syntax error near `{descriptor}{self.peek()}'", start)


def unbroken(word: Word) -> str:
    """The text of a word without line continuations."""
    return word.source.replace("\\\n", "")


def _argument(head: str, elements: tuple[ArrayElement, ...], rest: Word | None) -> Word:
    """An array literal as one word, as ``eval`` takes it, or with text behind it: its elements keep their quotes, and have one
    blank between them.

    Args:
        head: The text before the parenthesis.
        elements: What stands in the parentheses.
        rest: What follows them.
    """
    parts: list[WordPart] = [Literal(head + "(")]
    sources: list[str] = []
    for element in elements:
        if sources:
            parts.append(Literal(" "))
        source = element.value.source
        if element.subscript is not None:
            equals = "]" + "+" * element.append + "="
            parts += [Literal("["), *element.subscript.parts, Literal(equals)]
            source = f"[{element.subscript.source}{equals}{source}"
        parts += element.value.parts
        sources.append(source)
    parts.append(Literal(")"))
    if rest is not None:
        parts += rest.parts
    return Word(whole(parts), f"{head}({' '.join(sources)}){rest.source if rest is not None else ''}")


def _delimiter(word: Word) -> tuple[str, bool]:
    """The delimiter of a here-document after quote removal, and whether any of it was quoted."""
    pieces: list[str] = []
    quoted = False
    for part in word.parts:
        if isinstance(part, Literal):
            pieces.append(part.text)
        elif isinstance(part, Quoted):
            pieces.append(part.text)
            quoted = True
        elif isinstance(part, DoubleQuoted) and all(isinstance(inner, (Literal, Quoted)) for inner in part.parts):
            pieces += [inner.text for inner in part.parts if isinstance(inner, (Literal, Quoted))]
            quoted = True
        else:
            if any(isinstance(other, (Quoted, DoubleQuoted)) for other in word.parts):
                return _QUOTING.sub(_unquoted, word.source), True
            return word.source, False  # quotes inside an expansion quote nothing
    return "".join(pieces), quoted


_QUOTING = re.compile(
    r"""\\(?P<escaped>.)|\$?"(?P<double>(?:\\.|[^"\\])*)"|\$'(?P<ansi>(?:\\.|[^'\\])*)'|'(?P<single>[^']*)'""", re.DOTALL
)


def _unquoted(match: re.Match[str]) -> str:
    """What stands between quotes."""
    if match["double"] is not None:
        return re.sub(r'\\([$`"\\])', r"\1", match["double"])
    if match["ansi"] is not None:
        return ansi_c(match["ansi"])
    return match["single"] if match["escaped"] is None else match["escaped"]
