"""Reading parameter expansions: what stands in ``${…}`` (bash(1), Parameter Expansion)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax.digits import is_digits
from bashkit.syntax.nodes import DoubleQuoted, ParameterExpansion, Quoted, Word
from bashkit.syntax.source import AT_ONCE, LONG, SubstitutionSyntaxError, UnterminatedError
from bashkit.syntax.words import PARAMETER, WordReader

if TYPE_CHECKING:
    from bashkit.syntax.nodes import WordPart

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_IN_BRACES: Final = re.compile(rf"[^}}~\\'\"$`<>?*+@!/]{{1,{AT_ONCE}}}")
_IN_SUBSTRING: Final = re.compile(rf"[^\\`'\"(){{}}?:]{{1,{AT_ONCE}}}")
_CLOSING: Final = {  # from behind a quote to behind its end
    "'": re.compile("[^']*'"),
    '"': re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL),
    "`": re.compile(r"[^`\\]*(?:\\.[^`\\]*)*`", re.DOTALL),
}
_OPERATOR: Final = re.compile(r":[-=?+]|[-=?+]|##?|%%?|//?|\^\^?|,,?|@|:|~~?")
_SPECIAL: Final = frozenset("\"'$`\\}")
_BEHIND_MARK: Final = frozenset("}-=+:%/^,~")  # what makes ! a parameter
_NO_NAMES: Final = frozenset("$!")  # parameters whose value is the name of none
_TRANSFORMS: Final = "QEPAaUuLkK"


class ParameterReader(WordReader):
    """Reads words with parameter expansions in braces."""

    _raw: tuple[tuple[int, int, str], ...] = ()  # each $'…' in double quotes that is not plain: begin, end, meaning

    def read_braced(self, *, quoted: bool) -> WordPart:
        """``${…}`` at the cursor."""
        start = self.position
        text = self.text
        self.position += 2
        self.enter()
        length = indirect = False
        if self.peek() == "#" and not re.compile(r"#(?:[}\-?:#]|[=+%/@](?!\}))").match(text, self.position):
            length = True
            self.position += 1
        elif self.peek() == "#" and re.compile(r"#[-?#]\}").match(text, self.position):
            length = True
            self.position += 1
        elif self.peek() == "!" and text[self.position + 1 : self.position + 2] not in _BEHIND_MARK:
            indirect = True
            self.position += 1
        elif self.peek() == "!" and re.compile(r"![?#@*-]\}").match(text, self.position):
            indirect = True
            self.position += 1
        match = PARAMETER.match(text, self.position)
        if match is None or (indirect and match[0] in _NO_NAMES):
            return self._bad_substitution(start, quoted=quoted)
        name = match[0]
        self.position += len(name)
        if text.startswith("\\\n", self.position):
            name += self._continued_name(whole=name.isidentifier() or is_digits(name))
        subscript = None
        depth, opened = self.depth, self.position
        if self.peek() == "[" and _NAME.fullmatch(name):
            try:
                subscript = self.read_subscript()
            except SubstitutionSyntaxError:
                raise
            except ScriptSyntaxError as error:
                return self._cut_short(error, start, depth, quoted=quoted)
            self.position = self.past(self.position)
        if indirect and subscript is None and text[self.position : self.position + 2] in {"*}", "@}"} and name.isidentifier():
            listing = self.peek()
            self.position += 2
            self.leave()
            return ParameterExpansion(name, listing=listing, source=text[start : self.position])
        crosses = subscript is not None and "}" in text[opened : self.position]
        try:
            part = self._read_operator(start, name, subscript, length=length, indirect=indirect, quoted=quoted)
        except UnterminatedError as error:
            if not crosses:
                raise
            return self._cut_short(error, start, depth, quoted=quoted)
        self.leave()
        return self._read_raw(start) if self._raw else part

    def _cut_short(self, error: ScriptSyntaxError, start: int, depth: int, *, quoted: bool) -> ParameterExpansion:
        """``${name[…}``, whose brace is closed before its bracket.

        Args:
            error: What there is to say if it is not.
            start: Where it begins.
            depth: How deep it is nested.
            quoted: It stands in double quotes.
        """
        end = self._matching("{", start + 1)
        if end < 0:
            if error.message.endswith("`]'"):
                self.fail_unterminated("}", start)
            raise error
        self.depth, self.position = depth, end
        return self._bad_substitution(start, quoted=quoted)

    def _read_raw(self, start: int) -> WordPart:
        """An expansion in double quotes again, what ``$'…'`` stands for in it read as text of the script, as bash does."""
        text, end = "", start
        for begin, behind, string in self._raw:
            text += self.text[end:begin] + string
            end = behind
        self._raw = ()
        text += self.text[end : self.position]
        reader = self.nested(text, start)
        try:
            parts = reader.read_quoted()
            self.include(reader)
            return DoubleQuoted(parts)
        except ScriptSyntaxError:
            message = Word((), f"bad substitution: no closing `}}' in {text}")
            return ParameterExpansion("", operator="bad", argument=message, source=text)

    def _bad_substitution(self, start: int, *, quoted: bool) -> ParameterExpansion:
        """``${…}`` that names no parameter: an error when it is expanded, as in bash; the cursor is anywhere in it."""
        self._read_braced_word(start, quoted=quoted, pattern=False)
        self.position += 1
        self.leave()
        self.refused = True
        return ParameterExpansion("", operator="bad", source=self.text[start : self.position])

    def _read_operator(
        self, start: int, name: str, subscript: Word | None, *, length: bool, indirect: bool, quoted: bool
    ) -> ParameterExpansion:
        text = self.text
        argument: Word | None = None
        second: Word | None = None
        operator = ""
        if not self.peek():
            self.fail_unterminated("}", start)
        if self.peek() != "}":
            match = _OPERATOR.match(text, self.position)
            if match is None or length:
                if name == "$":  # it may begin a substitution
                    self.position = text.index("$", start + 2)
                return self._rest_is_bad(start, quoted=quoted)
            operator = match[0]
            self.position += len(operator)
            no_cases = {"?", "-", "#"} if indirect else {"?", "-"}
            empty = self.peek() == "}" and (operator == ":" or (operator == "@" and indirect))
            if empty or (operator[0] in "^,~" and name in no_cases):
                return self._rest_is_bad(start, quoted=quoted)
            if operator == "/" and self.peek() in {"#", "%"}:
                operator += self.peek()
                self.position += 1
            if operator in {"/", "//", "/#", "/%"}:
                argument = self._read_braced_word(start, quoted=quoted, pattern=True, stop="/", slash_first=operator == "//")
                if self.peek() == "/":
                    self.position += 1
                    second = self._read_braced_word(start, quoted=quoted, pattern=True)
            elif operator == ":":
                argument, second = self._read_substring(start)
            elif operator == "@":
                operator += self.peek()
                if self.peek() not in _TRANSFORMS or text[self.position + 1 : self.position + 2] != "}":
                    bad = self._rest_is_bad(start, quoted=quoted)
                    return replace(bad, name=name, subscript=subscript, second=Word((), operator), indirect=indirect)
                self.position += 1
            else:
                patterns = "#%^,~" if self.posix else "#%^,~?"
                argument = self._read_braced_word(start, quoted=quoted, pattern=operator[-1] in patterns)
        if self.peek() != "}":
            self.fail_unterminated("}", start)
        self.position += 1
        source = self.text[start : self.position]
        return ParameterExpansion(name, subscript, operator, argument, second, length, indirect, source=source)

    def _rest_is_bad(self, start: int, *, quoted: bool) -> ParameterExpansion:
        self.enter()  # _bad_substitution leaves one level, as does our caller
        return self._bad_substitution(start, quoted=quoted)

    def _read_braced_word(self, start: int, *, quoted: bool, pattern: bool, stop: str = "", slash_first: bool = False) -> Word:
        """A word inside ``${…}``: up to ``}`` or ``stop``.

        Inside double quotes the word follows their rules, except that a pattern may be quoted in its own right.
        """
        parts: list[WordPart] = []
        text, begin = self.text, self.position
        protected = -1  # the end of a '…' inside double quotes, where a brace closes nothing although the quotes are ordinary
        opened, protecting = begin, None  # where it begins, and what reads expansions in it
        cut = False  # one of them is not closed in it
        if slash_first and self.peek() == stop:  # ${x///r}: the pattern may begin with a slash
            self._add_literal(parts, stop)
            self.position += 1
        while True:
            self.step()
            character = self.peek()
            if not character:
                self.fail_unterminated("}", start)
            if (character == "}" and self.position > protected) or (stop and character == stop):
                source = text[begin : self.position]
                return self.word_of(parts, source) if not cut else _unclosed(source)
            if character == "~" and quoted and not pattern and not parts:
                parts.append(Quoted("~", "\\"))  # no tilde expansion inside double quotes
                self.position += 1
            elif character == "\\":
                following = text[self.position + 1 : self.position + 2]
                if quoted and not pattern and following not in '$`"\\}\n':
                    self._add_literal(parts, "\\'" if following == "'" else "\\")
                    self.position += 2 if following == "'" else 1
                else:
                    self._read_escape(parts)
            elif character == "'" and (not quoted or pattern):
                parts.append(self._read_single_quoted())
            elif character == "'" and self.position > protected and not self.posix:
                opened, protecting = self.position, None
                protected = text.find("'", opened + 1)
                if protected < 0:
                    self.fail_unterminated("'", self.position)
                self._add_literal(parts, "'")
                self.position += 1
            elif character == '"' and self.position < protected and text.find('"', self.position + 1, protected) < 0:
                self.position += 1  # undocumented: alone in '…' it vanishes
            elif character == '"':
                parts.append(self._read_double_quoted(within=quoted and not pattern))
            elif self.starts_with('$"'):  # translated, in double quotes too
                parts.append(self._read_translated(within=quoted and not pattern))
            elif quoted and not pattern and not self.posix and not self.in_document and self.starts_with("$'"):
                begin_string = self.position
                string = self._read_ansi_c()
                parts.append(string)
                if not _SPECIAL.isdisjoint(string.text):
                    self._raw = (*self._raw, (begin_string, self.position, string.text))
            elif self.position < protected and self.starts_with("${"):
                protecting = protecting or self.nested(text[opened:protected], opened)
                cut = not self._read_within(protecting, opened, parts) or cut
            elif character == "$":
                self._read_dollar(parts, quoted=quoted and not pattern)
            elif character == "`":
                parts.append(self._read_backquoted(in_quotes=quoted))
            elif character in "<>" and not quoted and text[self.position + 1 : self.position + 2] == "(":
                self._add_process_substitution(parts, character)
            else:
                plain = _IN_BRACES.match(text, self.position)
                run = plain[0] if plain is not None else character
                self._add_literal(parts, run)
                self.position += len(run)
                if len(run) > LONG:
                    self.step(len(run) >> 9)

    def _read_within(self, reader: WordReader, begin: int, parts: list[WordPart]) -> bool:
        """Let a reader of a piece of the text read the expansion at the cursor; the end of that piece closes nothing.

        Args:
            reader: The reader.
            begin: Where its piece begins.
            parts: Get the expansion.

        Returns:
            Whether it is closed in the piece. The cursor is behind it, or at the end of the piece.
        """
        reader.position = self.position - begin
        try:
            reader._read_dollar(parts, quoted=True)  # noqa: SLF001 - the same class
        except UnterminatedError:
            self.position = begin + len(reader.text)
            return False
        self.include(reader)
        reader.steps = reader.untold = 0
        self.position = begin + reader.position
        return True

    def _read_substring(self, start: int) -> tuple[Word, Word | None]:
        """Offset and length of ``${x:offset:length}``: arithmetic, split at a colon outside parentheses and ``?:``."""
        text, begin = self.text, self.position
        split = opened = -1  # where the length begins; where the outermost parenthesis is that is still open
        depth = questions = 0
        while True:
            self.position = self.after_row(_IN_SUBSTRING, self.position)
            self.step()
            character = self.peek()
            if not character:
                self.fail_unterminated("}", start)
            if character == "\\":
                self.position += 1
            elif character in {"'", '"', "`"}:
                close = _CLOSING[character].match(text, self.position + 1)
                if close is None:
                    self.fail_unterminated(character, start)
                self.position = close.end() - 1
            elif character in "({" and text[self.position - 1] == "$" and (end := self._matching(character, self.position)) > 0:
                self.position = end
            elif character == "(":
                opened = opened if depth else self.position
                depth += 1
            elif character == ")":
                depth = max(depth - 1, 0)
            elif character == "}":
                break
            elif character == "?" and not depth:
                questions += 1
            elif character == ":" and not depth:
                if not questions and split < 0:
                    split = self.position
                else:
                    questions -= 1
            self.position += 1
        if split < 0 and depth and opened < self.position - 1:
            return _unclosed(text[begin : self.position], ")"), None
        if split < 0:
            return self.read_expression(text[begin : self.position], begin), None
        length = self.read_expression(text[split + 1 : self.position], split + 1)
        return self.read_expression(text[begin:split], begin), length


def _unclosed(text: str, closing: str = "}") -> Word:
    """A word with a ``${`` or a parenthesis that is not closed in it: an error when it is expanded, as in bash."""
    message = Word((), f"bad substitution: no closing `{closing}' in {text}")
    return Word((ParameterExpansion("", operator="bad", argument=message, source=text),), text)
