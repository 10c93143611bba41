"""Reading words: quoting and expansions (bash(1), QUOTING and EXPANSION)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeGuard

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax.brackets import IN_ANSI_C, BracketReader
from bashkit.syntax.digits import is_digits
from bashkit.syntax.escapes import ansi_c
from bashkit.syntax.nodes import (
    ArithmeticExpansion,
    CommandSubstitution,
    DoubleQuoted,
    ExpressionSubscript,
    ExtendedGlob,
    Literal,
    ParameterExpansion,
    ProcessSubstitution,
    Quoted,
    Word,
    WordPart,
)
from bashkit.syntax.simple_words import ROW, each_word, match_row, match_word, may_assign, simple_word
from bashkit.syntax.source import AT_ONCE, LONG, METACHARACTERS, SubstitutionSyntaxError, UnterminatedError

if TYPE_CHECKING:
    from bashkit.syntax.nodes import Sequence

PARAMETER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[*@#?$!-]")
_MATCH_PARAMETER: Final = PARAMETER.match
_PLAIN: Final = re.compile(rf"(?>[^ \t\n;&|<>()\\'\"$`?*+@!]{{1,{AT_ONCE}}}+|[?*+@!]{{1,{AT_ONCE}}}(?!\()){{1,16}}+")
_ESCAPES: Final = re.compile(r"(?>\\[^\n]){1,4096}+")  # characters that are escaped one after the other
_IN_SUBSCRIPT: Final = re.compile(rf"(?>[^ \t\n;&|<>()\\'\"$`?*+@!\[\]]{{1,{AT_ONCE}}}+|[?*+@!]{{1,{AT_ONCE}}}(?!\()){{1,16}}+")
_QUOTING: Final = frozenset("\\'\"$`")
_IN_PARENTHESES: Final = frozenset(" \t\n;&<>")  # belong to a regular expression there
_IN_QUOTES: Final = re.compile(rf"[^\\\"$`]{{1,{AT_ONCE}}}")
_BEFORE_BRACKET: Final = re.compile(rf"[^\\\"$`\[]{{1,{AT_ONCE}}}")
_IN_HERE: Final = re.compile(rf"[^\\$`]{{1,{AT_ONCE}}}")
_DOLLAR_QUOTES: Final = re.compile(r"""\\.|\$'((?>[^'\\]|\\.)*+)'|\$?"(?>[^"\\]|\\.)*+\"""", re.DOTALL)
_HEADER: Final = re.compile(r"\$\{(?:[^\s'\"$`\\}\[]|\\\n){0,64}")
_BACKQUOTED: Final = re.compile(rf"[^`\\]{{1,{AT_ONCE}}}")
_ESCAPABLE: Final = {'"': '$`"\\\n', "[": '$`"\\\n'}
_JOINED: Final = 256  # characters to which text that comes in pieces is joined as it is read


def whole(parts: list[WordPart]) -> tuple[WordPart, ...]:
    """The parts of a word, literal text that stands side by side as one."""
    if len(parts) < 2:
        return tuple(parts)
    found: list[WordPart] = []
    texts: list[str] = []
    for part in parts:
        if isinstance(part, Literal):
            texts.append(part.text)
            continue
        if texts:
            found.append(Literal("".join(texts)))
            texts.clear()
        found.append(part)
    if texts:
        found.append(Literal("".join(texts)))
    return tuple(found)


class WordReader(BracketReader):
    """Reads words; the commands inside them are the parser's (``read_substitution``)."""

    extglob = False
    negates = False  # ``!(…)`` is a negated subshell whatever extglob says, which may be off when it runs
    posix = False  # in the word of an expansion in double quotes, quotes of another kind are ordinary
    in_document = False  # it reads the body of a here-document
    refused = False  # a malformed expansion was read in this word, whose message is to quote the text around it

    def read_substitution(self, closing: str) -> Sequence:
        """Parse commands up to ``closing`` and step over it; the parser provides it."""
        raise AssertionError(closing)

    def read_braced(self, *, quoted: bool) -> WordPart:
        """``${…}`` at the cursor; the reader of parameter expansions provides it."""
        raise AssertionError(quoted)

    # -- whole words ---------------------------------------------------------------------------------------------------

    def read_word(self, *, stop: frozenset[str] = METACHARACTERS, regex: bool = False) -> Word | None:
        """The word at the cursor, or None when there is none.

        Args:
            stop: Characters that end it.
            regex: Parentheses and bars belong to it (the right side of ``=~``).
        """
        start = self.position
        self.step()
        if not regex and stop is METACHARACTERS:
            simple = match_word(self.text, start)
            if simple is not None:
                text = simple[0]
                self.position += len(text)
                if len(text) > LONG:
                    self.step(text.count("~"))  # each becomes a part
                return simple_word(text)
        parts: list[WordPart] = []
        depth = opened = 0
        text, end = self.text, len(self.text)
        while self.position < end:
            character = text[self.position]
            if regex and character in "<>" and text[self.position + 1 : self.position + 2] == "(":
                self._add_process_substitution(parts, character)
                continue
            if regex and (character in "()|?*+@!" or (depth and character in _IN_PARENTHESES)):  # whatever extglob says
                depth += (character == "(") - (character == ")")
                if depth < 0:
                    break
                if depth == 1 and character == "(":
                    opened = self.position
                self._add_literal(parts, character)
                self.position += 1
                continue
            if character in "<>" and text[self.position + 1 : self.position + 2] == "(" and character in stop:
                self._add_process_substitution(parts, character)
            elif character in stop:
                break
            else:
                self._read_part(parts)
            if self.text is not text:  # an alias in a substitution
                text, end = self.text, len(self.text)
        if depth > 0:
            self.fail_unterminated(")", opened)
        if self.position == start:
            return None
        if self.position > start + AT_ONCE:
            self.spend(self.position - start >> 8)
        source = text[start : self.position]
        word = self.word_of(parts, source) if self.refused else Word(whole(parts), source)
        self.refused = False
        return word

    def word_of(self, parts: list[WordPart], source: str) -> Word:
        """A word; a malformed expansion in it is told of by all of its text."""
        return Word(self._whole(parts, source), source)

    def _whole(self, parts: list[WordPart], source: str) -> tuple[WordPart, ...]:
        if self.refused:
            told = Word((), f"{source}: bad substitution")
            parts = [replace(part, argument=told) if _is_refused(part) else part for part in parts]
        return whole(parts)

    def read_simple_words(self, apart: frozenset[str]) -> list[Word]:
        """Read a row of words that are each plain text, one parameter or one quoted string, with the blanks behind them.

        Args:
            apart: Nothing is read if the first word is one of these, or an assignment.
        """
        words: list[Word] = []
        while (match := match_row(self.text, self.position)) is not None:
            text = match[0]
            texts = each_word(text) if '"' in text or "'" in text else text.split()
            if not words and ((first := texts[0]) in apart or may_assign(first)):
                break
            self.position += len(text)
            row = [simple_word(text) for text in texts]
            words += row
            self.step(len(row))
            if len(row) < ROW:
                break
        return words

    def read_unquoted(self) -> tuple[WordPart, ...]:
        """The whole text as parts of an unquoted word: no character ends it."""
        parts: list[WordPart] = []
        while self.position < len(self.text):
            self._read_part(parts)
        return whole(parts)

    def read_quoted(self) -> tuple[WordPart, ...]:
        """The whole text as parts of a string in double quotes."""
        return whole(self._read_quoted_parts(_IN_QUOTES, "", 0))

    def _add_process_substitution(self, parts: list[WordPart], direction: str) -> None:
        self.position += 2
        start = self.position
        line = self.line_at(start)
        body = self.read_substitution(")")
        parts.append(ProcessSubstitution(direction, body, self.text[start : self.position - 1], line))

    @staticmethod
    def _add_literal(parts: list[WordPart], text: str) -> None:
        """Add some text; ``whole`` joins neighbours, but not too many of them."""
        last = parts[-1] if parts else None
        if isinstance(last, Literal) and len(last.text) < _JOINED:
            parts[-1] = Literal(last.text + text)
        else:
            parts.append(Literal(text))

    def _read_part(self, parts: list[WordPart], plain: re.Pattern[str] = _PLAIN) -> None:
        """One part of an unquoted word; ``plain`` matches text in which nothing is special."""
        self.step()
        text = self.text
        character = text[self.position]
        if character not in _QUOTING and (match := plain.match(text, self.position)):
            run = match[0]
            parts.append(Literal(run))
            if len(run) > LONG:
                self.step(run.count("~"))
                self.step(len(run) >> 9)
            self.position += len(run)
        elif character == "\\":
            self._read_escape(parts)
        elif character == "'":
            parts.append(self._read_single_quoted())
        elif character == '"':
            parts.append(self._read_double_quoted())
        elif character == "$":
            self._read_dollar(parts, quoted=False)
        elif character == "`":
            parts.append(self._read_backquoted(in_quotes=False))
        elif self.extglob and character in "?*+@!" and text[self.position + 1 : self.position + 2] == "(":
            parts.append(self._read_extended_glob(character))
        else:
            self._add_literal(parts, character)
            self.position += 1

    def _read_escape(self, parts: list[WordPart]) -> None:
        following = self.text[self.position + 1 : self.position + 2]
        self.position += 2
        if not following:
            self.position -= 1
            self._add_literal(parts, "\\")
        elif following != "\n":
            row = _ESCAPES.match(self.text, self.position)
            if row is not None:
                self.step()
                following += row.group()[1::2]
                self.position = row.end()
            parts.append(Quoted(following, "\\"))

    def _read_single_quoted(self) -> Quoted:
        start = self.position
        end = self.text.find("'", start + 1)
        if end < 0:
            self.fail_unterminated("'", start)
        self.position = end + 1
        return Quoted(self.text[start + 1 : end], "'")

    def _read_ansi_c(self) -> Quoted:
        start = self.position
        end = self.after_row(IN_ANSI_C, start + 2)
        if not self.text.startswith("'", end):
            self.fail_unterminated("'", start)
        self.position = end + 1
        return Quoted(ansi_c(self.text[start + 2 : end], self.on_progress), "$'")

    def _read_double_quoted(self, *, within: bool = False) -> DoubleQuoted:
        """``"…"``; ``within`` the word of an expansion in double quotes, where a backslash vanishes, whatever follows it."""
        start = self.position
        self.position += 1
        self.enter()
        parts = self._read_quoted_parts(_IN_QUOTES, '"', start, kept="" if within else "\\")
        self.leave()
        self.position += 1
        return DoubleQuoted(self._whole(parts, self.text[start + 1 : self.position - 1]))

    def _read_translated(self, *, within: bool = False) -> DoubleQuoted:
        start = self.position
        self.position += 1
        string = self._read_double_quoted(within=within)
        if self.on_translated is not None:
            self.on_translated(self.text[start + 2 : self.position - 1], self.line_at(start))
        return string

    def _read_quoted_parts(self, plain: re.Pattern[str], closing: str, start: int, kept: str = "\\") -> list[WordPart]:
        """Parts up to ``closing`` by the rules inside double quotes; up to the end of the text when it is empty.

        A backslash before what is not special there gives ``kept``.
        """
        parts: list[WordPart] = []
        text, end = self.text, len(self.text)
        escapable = _ESCAPABLE.get(closing) or "$`\\\n" + closing
        while True:
            match = plain.match(text, self.position)
            if match:
                run = match[0]
                parts.append(Literal(run))
                if len(run) > LONG:
                    self.step(len(run) >> 9)
                self.position += len(run)
            if self.position >= end:
                if closing and closing != "[":
                    self.fail_unterminated(closing, start)
                return parts
            character = text[self.position]
            if character == closing:
                return parts
            if character == "\\":
                following = text[self.position + 1 : self.position + 2]
                if following and following in escapable:
                    self.step()
                    if following != "\n":
                        parts.append(Quoted(following, "\\"))
                    self.position += 2
                else:
                    self._add_literal(parts, kept)
                    self.position += 1
            elif character == "$":
                self._read_dollar(parts, quoted=True)
                if self.text is not text:  # an alias in a substitution
                    text, end = self.text, len(self.text)
            elif character == "`":
                parts.append(self._read_backquoted(in_quotes=closing == '"'))
            else:
                self._add_literal(parts, character)
                self.position += 1

    def _read_extended_glob(self, operator: str) -> ExtendedGlob:
        start = self.position
        self.position += 2
        self.enter()
        parts: list[WordPart] = []
        depth = 0  # of parentheses that are only text
        while (character := self.peek()) != ")" or depth:
            if not character:
                self.fail_unterminated(")", start)
            if character in "<>" and self.text.startswith("(", self.position + 1):
                self._add_process_substitution(parts, character)
            elif character in METACHARACTERS:
                depth += (character == "(") - (character == ")")
                self._add_literal(parts, character)
                self.position += 1
            else:
                self._read_part(parts)
        self.position += 1
        self.leave()
        return ExtendedGlob(operator, whole(parts))

    # -- expansions ----------------------------------------------------------------------------------------------------

    def _read_dollar(self, parts: list[WordPart], *, quoted: bool) -> None:
        self.step()
        text, start = self.text, self.position
        following = text[start + 1 : start + 2]
        begun = "$" + following if following in {"{", "("} else "$"
        if self.continued and text.startswith("\\\n", start + len(begun)):  # it belongs to what the next line begins with
            self.replace(start + len(begun) + 2, "\\\n" + begun)
            self.position = start + 2
            self._read_dollar(parts, quoted=quoted)
            return
        if following == "{":
            if self.continued:
                self._join_header()
                start = self.position
            parts.append(self.read_braced(quoted=quoted))
        elif following == "(":
            parts.append(self._read_parenthesized())
        elif following == "[":
            end = self._matching("[", start + 1)
            if end < 0:
                self.fail_unmatched("[", "]", start)
            parts.append(ArithmeticExpansion(self.read_expression(text[start + 2 : end], start + 2)))
            self.position = end + 1
        elif following == "'" and not quoted:
            parts.append(self._read_ansi_c())
        elif following == '"' and not quoted:
            parts.append(self._read_translated())
        else:
            match = _MATCH_PARAMETER(text, start + 1)
            if match is None:
                self._add_literal(parts, "$")
                self.position += 1
                return
            name = match[0]
            if is_digits(name[0]):
                name = name[0]
            self.position = start + 1 + len(name)
            if self.continued and name.isidentifier():
                name += self._continued_name(whole=True)
            parts.append(ParameterExpansion(name, source="$" + name))
        self.keep(self.position - start)

    def _join_header(self) -> None:
        """Move the line continuations in the first characters of ``${…}`` to before it."""
        match = _HEADER.match(self.text, self.position)
        assert match is not None
        count = match[0].count("\\\n")
        if count:
            joined = match[0].replace("\\\n", "")
            self.replace(match.end(), "\\\n" * count + joined)
            self.position += 2 * count

    def _continued_name(self, *, whole: bool) -> str:
        """What follows a name across a backslash-newline."""
        more = ""
        while self.text.startswith("\\\n", self.position):
            match = re.compile(r"\\\n([A-Za-z0-9_]*)" if whole else r"\\\n()").match(self.text, self.position)
            assert match is not None
            more += match[1]
            self.position = match.end()
        return more

    def _read_parenthesized(self) -> WordPart:
        start = self.position
        if self.starts_with("$(("):
            end = self._matching("(", start + 2)
            if end < 0:
                self.fail_unmatched("(", ")", start)
            closing = self.past(end + 1)
            if self.text.startswith(")", closing):
                body = self.text[start + 3 : end]
                self.enter()
                expression = self.read_expression(body, start + 3)
                self.leave()
                self.position = closing + 1
                return ArithmeticExpansion(expression)
            return self._read_subshell(start)
        self.position += 2
        line = self.line_at(start)
        body_sequence = self.read_substitution(")")
        return CommandSubstitution(body_sequence, self.text[start + 2 : self.position - 1], line)

    def _read_subshell(self, start: int) -> CommandSubstitution:
        """``$((…) …)``: no expression, so that its text is commands, which are read when it is expanded."""
        end = self._matching("(", start + 1)
        if end < 0:
            self.fail_unmatched("(", ")", start)
        text = self.text[start + 2 : end]
        reader = self.nested(text, start + 2)
        reader.read_unquoted()  # substitutions inside are read at once
        self.include(reader)
        self.position = end + 1
        return CommandSubstitution(None, text, self.line_at(start))

    def read_expression(self, body: str, start: int) -> Word:
        """Arithmetic text as a word: expanded as in double quotes, whose own quotes vanish."""
        text = _DOLLAR_QUOTES.sub(self._without_dollar, body) if "$'" in body or '$"' in body else body
        reader = self.nested(text, start)
        try:
            parts = reader._read_expression_parts()  # noqa: SLF001 - the same class
        except UnterminatedError as error:
            if not error.message.endswith("`}'"):
                raise
            parts = [ParameterExpansion("", operator="bad", source=text)]  # an error when it is expanded
        self.include(reader)
        kept: list[WordPart] = []
        for part in parts:
            if isinstance(part, Literal):
                text = part.text.replace('"', "")
                if text:
                    self._add_literal(kept, text)
            else:
                kept.append(part)
        outer, self.refused = self.refused, reader.refused
        word = self.word_of(kept, body)
        self.refused = outer or reader.refused
        return word

    def _without_dollar(self, match: re.Match[str]) -> str:
        """What bash makes of ``$'…'`` and ``$"…"`` as it reads an expression."""
        if match[1] is not None:
            return "'" + ansi_c(match[1], self.on_progress).replace("'", "'\\''") + "'"
        return match.group().removeprefix("$")

    def _read_expression_parts(self) -> list[WordPart]:
        """The whole text by the rules inside double quotes, but for subscripts with expansions inside: they are words."""
        if "[" not in self.text or ("$" not in self.text and "`" not in self.text):
            return self._read_quoted_parts(_IN_QUOTES, "[", 0)
        parts: list[WordPart] = []
        fixed = 0  # up to where nothing is expanded in subscripts
        while True:
            parts += self._read_quoted_parts(_BEFORE_BRACKET, "[", self.position)
            start = self.position
            self.step()
            if start >= len(self.text):
                return parts
            end = self._matching("[", start) if start >= fixed else -1
            if max(self.text.find("$", start, max(end, 0)), self.text.find("`", start, max(end, 0))) > 0:
                parts.append(ExpressionSubscript(self.read_subscript()))
            else:
                self._add_literal(parts, "[")
                self.position += 1
                fixed = max(fixed, end)

    def nested(self, text: str, start: int) -> WordReader:
        """A reader for a piece of this text; its errors name lines of the whole."""
        reader = type(self)(text, self.line_at(start))
        reader.depth = self.depth
        reader.in_document = self.in_document
        reader.extglob, reader.negates, reader.posix = self.extglob, self.negates, self.posix
        reader.on_progress, reader.on_growth = self.on_progress, self.on_growth
        reader.on_translated = self.on_translated
        reader.enter()
        return reader

    def _read_backquoted(self, *, in_quotes: bool) -> CommandSubstitution:
        start = self.position
        position = start + 1
        text = self.text
        pieces: list[str] = []
        while True:
            end = self.after_row(_BACKQUOTED, position)
            pieces.append(text[position:end])
            position = end
            character = text[position : position + 1]
            if not character:
                self.fail_unterminated("`", start)
            if character == "`":
                break
            self.step()
            if (following := text[position + 1 : position + 2]) in "$`\\\n" or (in_quotes and following == '"'):
                position += 1
                character = following.strip("\n")
            pieces.append(character)
            position += 1
        self.position = position + 1
        body = "".join(pieces)
        self.step(2 + (len(body) >> 2))  # which becomes commands when it is compiled
        return CommandSubstitution(None, body, self.line_at(start))

    def read_subscript(self) -> Word:
        """``[…]`` after a name; the word inside keeps its quoting."""
        start = self.position
        self.position += 1
        parts: list[WordPart] = []
        depth = 0
        self.enter()
        while True:
            self.step()
            character = self.peek()
            if not character:
                self.fail_unterminated("]", start)
            if character == "]":
                if depth == 0:
                    break
                depth -= 1
            elif character == "[":
                depth += 1
            if character in METACHARACTERS or character in "[]":
                self._add_literal(parts, character)
                self.position += 1
            else:
                self._read_part(parts, _IN_SUBSCRIPT)
        source = self.text[start + 1 : self.position]
        self.position += 1
        self.leave()
        return self.word_of(parts, source)

    def read_here_body(self, text: str, line: int) -> Word:
        """The body of an unquoted here-document: expansions as in double quotes, ``"`` is ordinary."""
        reader = type(self)(text, line)
        reader.in_document, reader.extglob, reader.posix = True, self.extglob, self.posix
        reader.depth = self.depth + 1
        reader.on_progress, reader.on_growth, reader.on_translated = self.on_progress, self.on_growth, self.on_translated
        try:
            parts: list[WordPart] = reader._read_quoted_parts(_IN_HERE, "", 0)  # noqa: SLF001 - the same class
        except ScriptSyntaxError as error:
            message = Word((), _unclosed(error, text))
            parts = [ParameterExpansion("", operator="bad", argument=message, source=text)]  # an error when it is expanded
        self.include(reader)
        return reader.word_of(parts, text)


def _is_refused(part: WordPart) -> TypeGuard[ParameterExpansion]:
    return isinstance(part, ParameterExpansion) and part.operator == "bad" and part.argument is None


def _unclosed(error: ScriptSyntaxError, text: str) -> str:
    """What bash says of a here-document in which something is not closed, as it expands it."""
    closing = error.message.rpartition("matching `")[2].removesuffix("'")
    if isinstance(error, SubstitutionSyntaxError) or closing not in {"}", "`", '"', "'"}:
        return error.message
    if closing == "`":
        return f'bad substitution: no closing "`" in {text[text.rfind("`") :]}'
    return f"bad substitution: no closing `}}' in {text}"
